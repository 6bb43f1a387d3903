"""A typed line into words, by the rules of the server's inline commands.

The client splits lines itself and sends RESP arrays: a forgotten quote is then an answer at the prompt
instead of a closed connection, and the server's limit on inline lines does not apply.
"""

_ESCAPES = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "a": "\a"}
_HEX = "0123456789abcdefABCDEF"


class QuoteError(Exception):
    """A quote that is not closed, or closed in the middle of a word."""


def split_line(line):
    """The words of a line; none for a blank line or a comment."""
    words, at = [], 0
    if line.lstrip().startswith("#"):
        return words
    while True:
        while at < len(line) and line[at].isspace():
            at += 1
        if at == len(line):
            return words
        word, at = _word(line, at)
        words.append(word)


def _word(line, at):
    """One word that starts at `at`, and where it ends."""
    out = []
    while at < len(line) and not line[at].isspace():
        if line[at] in "\"'":
            part, at = _quoted(line, at + 1, line[at])
            out.append(part)
            if at < len(line) and not line[at].isspace():
                raise QuoteError("a closing quote must be followed by a space")
        else:
            out.append(line[at])
            at += 1
    return "".join(out), at


def _quoted(line, at, quote):
    """What stands up to the closing quote, and the place after it."""
    out = []
    while at < len(line):
        if line[at] == quote:
            return "".join(out), at + 1
        if line[at] == "\\" and quote == '"':
            char, at = _escape(line, at + 1)
        elif line[at : at + 2] == "\\'" and quote == "'":
            char, at = "'", at + 2
        else:
            char, at = line[at], at + 1
        out.append(char)
    raise QuoteError(f"no closing {quote}")


def _escape(line, at):
    """The character that a backslash before `at` means, and the place after it."""
    if at == len(line):
        raise QuoteError('no closing "')
    digits = line[at + 1 : at + 3]
    if line[at] == "x" and len(digits) == 2 and all(digit in _HEX for digit in digits):
        # Bytes above 0x7f travel as surrogates, which encode() turns back into the byte.
        return bytes([int(digits, 16)]).decode("utf-8", "surrogateescape"), at + 3
    return _ESCAPES.get(line[at], line[at]), at + 1
