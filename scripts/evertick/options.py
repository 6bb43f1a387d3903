"""Option types that several scripts share: argparse turns their complaints into usage errors."""

import argparse
import os

DEFAULT_HOST = "127.0.0.1"
DEFAULT_PORT = 7777


def _whole(text):
    return int(text) if text.isascii() and text.isdigit() else -1


def port_number(text):
    """A TCP port."""
    if 1 <= _whole(text) <= 65535:
        return int(text)
    raise argparse.ArgumentTypeError(f"'{text}' is no port: a number from 1 to 65535")


def whole_number(low, high):
    """A type for whole numbers within limits."""

    def parse(text):
        if low <= _whole(text) <= high:
            return int(text)
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number from {low:,} to {high:,}")

    return parse


def decimal_number(low, high):
    """A type for numbers within limits."""

    def parse(text):
        try:
            number = float(text)
        except ValueError:
            number = float("nan")
        if low <= number <= high:
            return number
        raise argparse.ArgumentTypeError(f"'{text}' is not a number from {low:,} to {high:,}")

    return parse


def first_line(path):
    """A type for a file that holds a password."""
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            return file.readline().rstrip("\n")
    except OSError as error:
        raise argparse.ArgumentTypeError(f"'{path}': {error.strerror}") from error


def add_login(parser):
    """--user and --password-file: a password stands in no command line and no variable."""
    parser.add_argument("--user", default="default", help="whose password it is: default, or readonly")
    parser.add_argument("--password-file", type=first_line, metavar="FILE", dest="password",
                        help="file whose first line is the password")


def add_address(parser, environment=os.environ):
    """--host and --port. EVERTICK_PORT is the server's own setting: set once, both sides agree."""
    parser.add_argument("--host", default=DEFAULT_HOST, help="where the server is (%(default)s)")
    parser.add_argument("--port", type=port_number, default=environment.get("EVERTICK_PORT", str(DEFAULT_PORT)),
                        help=f"its command port ($EVERTICK_PORT, else {DEFAULT_PORT})")
