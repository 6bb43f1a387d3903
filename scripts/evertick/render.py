"""Replies as a person likes to read them. Pure: values to text.

Ids and numbers stand alone on their lines, so that shell loops can use them; maps are `key: value`, and a
map of plain values inside another takes one line: `position: x=1 y=2 z=3`.
"""

from evertick import wire

_WIDEST_LINE = 110
_INDENT = "  "


def scalar(value):
    """One value that is no container."""
    if value is None:
        return "(none)"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return number(value)
    return str(value)


def number(value):
    """The shortest text that reads back to the same float, without a bare `.0`."""
    text = repr(value)
    return text[:-2] if text.endswith(".0") else text


def _inner(value):
    """A plain value inside a container: what would blur its borders is quoted."""
    text = scalar(value)
    if value == "" or (isinstance(value, str) and not text.isprintable()):
        return repr(text).replace("'", '"')
    return text


def _is_plain(value):
    return not isinstance(value, (dict, list, wire.Push))


def _pairs(value):
    return " ".join(f"{key}={_inner(item)}" for key, item in value.items())


def _one_line(value):
    """A container of plain values on one line; None when it is deeper than that or too long."""
    if not all(_is_plain(item) for item in (value.values() if isinstance(value, dict) else value)):
        return None
    text = _pairs(value) if isinstance(value, dict) else ", ".join(map(_inner, value))
    return (text or "(empty)") if len(text) <= _WIDEST_LINE else None


def _entry(label, value):
    """`label value` on one line, or the label and an indented block."""
    text = _inner(value) if _is_plain(value) else _one_line(value)
    if text is not None:
        return [f"{label} {text}"]
    return [label.rstrip()] + [_INDENT + line for line in block(value)]


def block(value):
    """The lines of any value."""
    if isinstance(value, wire.ErrorReply):
        return [value.text]
    if isinstance(value, wire.JsonLine):
        return [value.text]
    if isinstance(value, wire.Push):
        return _push(value.items)
    if isinstance(value, dict):
        width = max((len(str(key)) for key in value), default=0) + 1
        return [line for key, item in value.items() for line in _entry(f"{key}:".ljust(width), item)]
    if isinstance(value, list):
        plain = all(_is_plain(item) for item in value)
        return [line for item in value for line in ([_inner(item)] if plain else _entry("-", item))]
    return scalar(value).replace("\r\n", "\n").rstrip("\n").split("\n")


def _push(items):
    """A message alone, since its text says what it is about; anything else in one line."""
    if items[0] in ("message", "pmessage"):
        return [str(items[-1])]
    return [" ".join(scalar(item) for item in items)]


def _row(row):
    """A row of QUERY on one line, however long: its id, and what was asked to RETURN as SPAWN would take it."""
    if _is_plain(row):
        return scalar(row)
    entity, parts = row
    return f"{entity} {_pairs(_flat(parts))}"


def _flat(parts):
    """component -> field -> value as `component.field` -> value."""
    flat = {}
    for component, fields in parts.items():
        if isinstance(fields, dict):
            flat.update({f"{component}.{field}": value for field, value in fields.items()})
        else:
            flat[component] = fields
    return flat


def _is_page(words, reply):
    """Whether this is `[cursor, rows]` of a command that is read page by page. In RESP2, rows have no maps: not so."""
    return (bool(words) and words[0].upper() in ("QUERY", "SCAN") and isinstance(reply, list) and len(reply) == 2
            and isinstance(reply[1], list) and all(map(_is_row, reply[1])))


def _is_row(row):
    return _is_plain(row) or (len(row) == 2 and isinstance(row[1], dict))


def render(words, reply):
    """The text of the reply to that command; empty for an empty list, so that pipes get nothing."""
    return "\n".join(map(_row, reply[1]) if _is_page(words, reply) else block(reply))


def note(words, reply):
    """What a person should know beside the reply: there is more, or there was nothing. Else empty."""
    if _is_page(words, reply) and reply[0] not in (0, "0"):
        return f"(more: add CURSOR {reply[0]})"
    empty = reply[1] if _is_page(words, reply) else reply
    return "(nothing)" if empty in ([], {}) else ""
