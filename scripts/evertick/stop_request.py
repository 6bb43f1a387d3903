"""Ctrl-C and SIGTERM as a question that a loop asks between two rounds, so that no reply is torn in the middle."""

import signal


class StopRequest:
    """True once somebody asked to stop. A second Ctrl-C interrupts at once, as usual."""

    def __init__(self):
        self._asked = False
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._ask)

    def __bool__(self):
        return self._asked

    def _ask(self, number, _frame):
        self._asked = True
        signal.signal(number, signal.default_int_handler)
