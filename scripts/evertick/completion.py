"""What could stand next on a command line, from COMMAND DOCS and HELP components.

The server describes itself, so a new command or component completes without a change here. Pure but for
fetch(), which asks the server.
"""

import re
from dataclasses import dataclass, field

from evertick import wire


@dataclass
class Syntax:
    """What may follow one command's name."""

    tokens: set = field(default_factory=set)         # COUNT, LIMIT, ...
    forms: set = field(default_factory=set)          # of its arguments: "component[.field]=value", ...
    subcommands: dict = field(default_factory=dict)  # INFO -> Syntax


def parse_docs(docs):
    """COMMAND DOCS (a map) as upper-case name -> Syntax."""
    commands = {}
    for name, about in docs.items():
        syntax = Syntax()
        _collect(about.get("arguments") or [], syntax)
        for full_name, child in parse_docs(about.get("subcommands") or {}).items():
            syntax.subcommands[full_name.partition("|")[2] or full_name] = child
        commands[name.upper()] = syntax
    return commands


def _collect(arguments, syntax):
    for argument in arguments:
        if "token" in argument:
            syntax.tokens.add(argument["token"])
        if "arguments" in argument:
            _collect(argument["arguments"], syntax)
        else:
            syntax.forms.add(argument["name"])


def parse_components(text):
    """`HELP components` as component -> field -> the words it takes; a line `name: help`, then one per field."""
    components, fields = {}, {}
    for line in text.splitlines():
        if head := re.match(r"([a-z]\w*):", line):
            fields = components.setdefault(head[1], {})
        elif entry := re.match(r"\s+([a-z]\w*)\b(.*)", line):
            fields[entry[1]] = _words_of(entry[2])
    return components


def _words_of(description):
    """`one of a, b, default a` or `none, or some of a, b joined by commas` as [a, b]; else nothing."""
    listed = re.search(r"\b(?:one|some) of (.*?)(?: joined by|, default|$)", description)
    return listed[1].split(", ") if listed else []


def fetch(connection):
    """A Completer that knows the server at the other end; an empty one when it does not describe itself."""
    docs = wire.result(connection.call("COMMAND", "DOCS"))
    text = wire.result(connection.call("HELP", "components"))
    return Completer(parse_docs(docs) if isinstance(docs, dict) else {},
                     parse_components(text) if isinstance(text, str) else {})


class Completer:
    """Candidates for the last word of a line; each ends in a space when the word is then whole."""

    def __init__(self, commands, components):
        self._commands = commands
        self._components = components

    def candidates(self, line):
        """The words that the last, perhaps empty, word of `line` could become."""
        *before, word = re.split(r"\s+", line.lstrip())
        if not before:
            return _matching(word, self._commands)
        if before[0].upper() == "HELP":
            return _matching(word, self._commands) + self._component_words(word, "component")
        syntax = self._commands.get(before[0].upper())
        if syntax is None:
            return []
        if syntax.subcommands and len(before) == 1:
            return _matching(word, syntax.subcommands)
        if len(before) > 1:
            syntax = syntax.subcommands.get(before[1].upper(), syntax)
        return _matching(word, syntax.tokens) + self._paths(word, syntax)

    def _paths(self, word, syntax):
        """Components and their fields, where the command takes them; the last item of a list `a,b`."""
        form = max((form for form in syntax.forms if form.startswith("component")), key=len, default="")
        if not form and "filter" not in syntax.forms:
            return []
        if "=" in word:
            return self._values(word)
        done, comma, item = word.rpartition(",")
        return [done + comma + path for path in self._component_words(item, form or "component.field")]

    def _values(self, word):
        """`flags=alive,el` -> `flags=alive,elite`: the words that a field takes; of a number there are none."""
        path, _, value = word.partition("=")
        component, _, name = path.partition(".")
        fields = self._components.get(component, {})
        done, comma, item = value.rpartition(",")
        choices = fields.get(name, []) if name else next(iter(fields.values()), [])
        return [f"{path}={done}{comma}{choice}" for choice in choices if choice.startswith(item)]

    def _component_words(self, item, form):
        """`pos` -> `position` or `position=`; `position.` -> its fields."""
        ending = "=" if form.endswith("=value") else ""
        component, dot, _ = item.partition(".")
        if dot:
            paths = [f"{component}.{name}{ending}" for name in self._components.get(component, {})]
        else:
            paths = [name + ending for name in self._components]
        return [path for path in paths if path.startswith(item)]


def _matching(word, names):
    """Names that begin with the word in any case, in the case the person types, and a space after them."""
    lower = word.isalpha() and word.islower()
    return [(name.lower() if lower else name) + " " for name in sorted(names) if name.upper().startswith(word.upper())]
