"""A blocking connection to a server."""

import select
import socket

from evertick import wire

CONNECT_TIMEOUT_SECONDS = 5
EXIT_NO_CONNECTION = 3


class CannotConnect(Exception):
    """Nobody answers there; the text says where, why and what to do."""


def address_text(host, port):
    """HOST:PORT as the server prints it."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


class Connection:
    """Sends requests and reads their replies in order.

    Pushes that arrive between replies go to `on_push`; a caller that pipelines sends what it likes with
    send() and then reads as many replies with receive().
    """

    def __init__(self, host, port, timeout_seconds=None, on_push=lambda push: None):
        self.address = address_text(host, port)
        self.on_push = on_push
        try:
            self._socket = socket.create_connection((host, port), CONNECT_TIMEOUT_SECONDS)
        except OSError as error:
            raise CannotConnect(f"cannot connect to {self.address}: {error.strerror or error}. "
                                "Start a server with ./scripts/run, or name another with --host and --port") from error
        self._socket.settimeout(timeout_seconds)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._stream = self._socket.makefile("rb", buffering=65536)
        self._reader = wire.ReplyReader(self._stream)

    def fileno(self):
        """For select: readable when a reply has begun to arrive."""
        return self._socket.fileno()

    def send(self, data):
        """Sends bytes made by wire.encode()."""
        try:
            self._socket.sendall(data)
        except OSError as error:
            raise wire.ConnectionLost(f"{self.address}: {error.strerror or error}") from error

    def receive(self):
        """The next reply."""
        while True:
            reply = self._read()
            if not isinstance(reply, wire.Push):
                return reply
            self.on_push(reply)

    def _read(self):
        try:
            return self._reader.read()
        except OSError as error:
            raise wire.ConnectionLost(f"{self.address}: {error.strerror or error}") from error

    def call(self, *words):
        """One command and its reply."""
        self.send(wire.encode(words))
        return self.receive()

    def stream(self, words):
        """One command, and then every value that comes: its reply, pushes, what it streams."""
        self.send(wire.encode(words))
        while True:
            yield self._read()

    def wait_readable(self, timeout_seconds):
        """Whether something arrived within that time."""
        return bool(select.select([self], [], [], timeout_seconds)[0])

    def close(self):
        self._stream.close()
        self._socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class CommandFailed(Exception):
    """A command of a script's own was refused: the script and the server do not fit each other."""


def require(reply):
    """The reply, or CommandFailed when it is an error: for commands that a script does not expect to fail."""
    if wire.is_error(reply):
        raise CommandFailed(reply.text)
    return reply


def hello(connection, user, password):
    """Begins a conversation in RESP3, as that user where there is a password. Raises CommandFailed."""
    login = ("AUTH", user, password) if password else ()
    welcome = connection.call("HELLO", "3", *login)
    if wire.is_error(welcome) and welcome.code == "NOAUTH":
        raise CommandFailed("this server asks for a password: --password-file FILE, and --user readonly to look only")
    require(welcome)
