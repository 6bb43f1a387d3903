"""Which commands are answered again and again."""

_STREAMING = (["MONITOR"], ["SUBSCRIBE"], ["PSUBSCRIBE"], ["EVENTS", "ON"])


def streams(command):
    """Whether what this command asks for comes until the connection ends."""
    upper = [word.upper() for word in command[:2]]
    return upper[:1] in _STREAMING or upper in _STREAMING
