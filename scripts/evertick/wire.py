"""The wire as a client sees it: requests to bytes, bytes to replies. No sockets here.

A reply becomes a plain Python value: str, int, float, bool, None, list, dict; and the three that a caller
must be able to tell from data: ErrorReply, JsonLine, Push. RESP2 and RESP3 are read alike, and so are the
JSON lines that `OUTPUT json` and the `JSON` prefix ask for.
"""

import json
from dataclasses import dataclass


class WireError(Exception):
    """The peer sent something that is neither RESP nor a JSON line: it is not Evertick."""


class ConnectionLost(Exception):
    """The peer closed in the middle of a reply, or before one."""


@dataclass(frozen=True)
class ErrorReply:
    """`-CODE text`: an answer like any other, not an exception, for a pipeline goes on after one."""

    text: str

    @property
    def code(self):
        return self.text.partition(" ")[0]


@dataclass(frozen=True)
class JsonLine:
    """One line of JSON as it came, for printing unchanged."""

    text: str

    def value(self):
        return json.loads(self.text)


@dataclass(frozen=True)
class Push:
    """Something the server sent unasked: never the answer to a command."""

    items: list


def is_error(reply):
    """Whether a command failed, in either encoding."""
    if isinstance(reply, JsonLine):
        return reply.value().get("ok") is False
    return isinstance(reply, ErrorReply)


def result(reply):
    """What a command answered, also when it came in the envelope of a JSON line; None for an error."""
    if isinstance(reply, JsonLine):
        return reply.value().get("result")
    return None if isinstance(reply, ErrorReply) else reply


def encode(words):
    """One request as a RESP array: any byte may stand in a word, so nothing needs quoting."""
    parts = [b"*%d\r\n" % len(words)]
    for word in words:
        data = word if isinstance(word, bytes) else str(word).encode("utf-8", "surrogateescape")
        parts.append(b"$%d\r\n%b\r\n" % (len(data), data))
    return b"".join(parts)


def _text(data):
    return data.decode("utf-8", "backslashreplace")


class ReplyReader:
    """Reads replies from a blocking binary stream, one value at a time.

    Buffering is the stream's: the standard library's readline is far faster than a parser in Python.
    """

    def __init__(self, stream):
        self._stream = stream
        self._readers = {
            b"$": lambda rest: self._bulk(rest),
            b"+": _text,
            b":": int,
            b",": float,
            b"-": lambda rest: ErrorReply(_text(rest)),
            b"*": lambda rest: self._array(rest),
            b"%": lambda rest: self._map(rest),
            b"_": lambda rest: None,
            b"#": lambda rest: rest == b"t",
            b"=": lambda rest: self._bulk(rest)[4:],  # verbatim: "txt:" comes first
            b"~": lambda rest: self._array(rest),
            b">": lambda rest: Push(self._array(rest)),
            b"(": int,
            b"!": lambda rest: ErrorReply(self._bulk(rest)),
        }

    def read(self):
        """The next value. Raises ConnectionLost at the end of the stream, WireError for what is no reply."""
        line = self._stream.readline()
        if not line.endswith(b"\n"):
            raise ConnectionLost("the server closed the connection")
        kind = line[:1]
        if kind == b"{":
            return JsonLine(_text(line.rstrip(b"\r\n")))
        reader = self._readers.get(kind)
        if reader is None or not line.endswith(b"\r\n"):
            raise WireError(f"not a reply: {line[:60]!r}")
        try:
            return reader(line[1:-2])
        except ValueError as error:
            raise WireError(f"not a reply: {line[:60]!r}") from error

    def _bulk(self, length_text):
        length = int(length_text)
        if length < 0:
            return None
        data = self._stream.read(length + 2)
        if len(data) < length + 2:
            raise ConnectionLost("the server closed the connection in the middle of a reply")
        return _text(data[:-2])

    def _array(self, count_text):
        count = int(count_text)
        return None if count < 0 else [self.read() for _ in range(count)]

    def _map(self, count_text):
        return {self.read(): self.read() for _ in range(int(count_text))}
