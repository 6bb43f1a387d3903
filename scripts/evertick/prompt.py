"""The dialogue of scripts/client: a prompt with history and completion that survives a lost connection."""

import os
import readline
import sys

from evertick import completion, wire, words
from evertick.connection import CannotConnect

_HISTORY_LINES = 1000
_LEAVING = ("quit", "exit")


def history_path(environment=os.environ):
    """Where the state of programs belongs: $XDG_STATE_HOME, else ~/.local/state."""
    home = environment.get("XDG_STATE_HOME") or os.path.join(os.path.expanduser("~"), ".local", "state")
    return os.path.join(home, "evertick", "client_history")


def load_history(path):
    try:
        readline.read_history_file(path)
    except OSError:
        pass  # none yet, or unreadable: a prompt without history is still a prompt
    readline.set_history_length(_HISTORY_LINES)


def save_history(path):
    try:
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        readline.write_history_file(path)
    except OSError as error:
        print(f"client: history not kept: {error}", file=sys.stderr)


def install_completion(completer):
    """Tab: the candidates for the word under the cursor."""
    found = []

    def complete(_, state):
        if state == 0:
            found[:] = completer.candidates(readline.get_line_buffer()[: readline.get_endidx()])
        return found[state] if state < len(found) else None

    readline.set_completer_delims(" \t")
    readline.set_completer(complete)
    readline.parse_and_bind("tab: complete")


class Dialogue:
    """One person at the prompt: reads lines, runs them, connects again when the connection was lost."""

    def __init__(self, connect, make_session):
        self._connect = connect
        self._make_session = make_session
        self._session = None

    def open(self):
        """Connects. Raises CannotConnect."""
        connection = self._connect()
        self._session = self._make_session(connection)
        return connection

    def step(self, line):
        """Runs one line; returns whether to go on."""
        try:
            command = words.split_line(line)
            if not command:
                return True
            if len(command) == 1 and command[0].lower() in _LEAVING:
                return False
            if self._session is None:
                self.open()
            self._session.run(command)
        except words.QuoteError as error:
            print(f"client: {error}", file=sys.stderr)
        except KeyboardInterrupt:
            self._drop("interrupted; its reply would come too late to be told from the next one")
        except (wire.ConnectionLost, wire.WireError) as error:
            self._drop(error)
        except CannotConnect as error:
            print(f"client: {error}", file=sys.stderr)
        return True

    def _drop(self, reason):
        if self._session is not None:
            self._session.connection.close()
        self._session = None
        print(f"client: {reason}. The next command connects again.", file=sys.stderr)


def read_line(prompt):
    """A line, an empty one after Ctrl-C, None at the end."""
    try:
        return input(prompt)
    except EOFError:
        print()
        return None
    except KeyboardInterrupt:
        print()
        return ""


def run(connect, make_session):
    """The whole dialogue; returns the exit code."""
    dialogue = Dialogue(connect, make_session)
    connection = dialogue.open()
    prompt = f"{connection.address}> "
    print(f"Connected to {connection.address}. HELP says what there is, Tab completes, Ctrl-D leaves.")
    install_completion(completion.fetch(connection))
    load_history(history_path())
    try:
        while (line := read_line(prompt)) is not None and dialogue.step(line):
            pass
    finally:
        save_history(history_path())
    return 0
