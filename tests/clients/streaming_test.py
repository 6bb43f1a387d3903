"""scripts/client with the commands that are answered again and again."""

import os
import signal
import subprocess
import sys

import harness
from terminal import Terminal


class ClientStreamTest(harness.ServerTest):
    def following(self, *arguments):
        """scripts/client in the middle of a stream."""
        process = subprocess.Popen([sys.executable, os.path.join(harness.SCRIPTS, "client"), "--port", str(self.port),
                                    *arguments], stdout=subprocess.PIPE, text=True)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def test_prints_what_comes_until_interrupted(self):
        for command, begun, shown in ((["EVENTS", "ON", "spawn"], "OK", '"event":"spawn"'),
                                      (["SUBSCRIBE", "events:spawn"], "subscribe events:spawn 1", '"event":"spawn"'),
                                      (["psubscribe", "events:*"], "psubscribe events:* 1", '"event":"spawn"'),
                                      (["MONITOR"], "OK", '"SPAWN" "health"'),
                                      (["--json", "EVENTS", "ON", "spawn"], '"result":"OK"', '"event":"spawn"')):
            with self.subTest(command):
                process = self.following(*command)
                self.assertIn(begun, process.stdout.readline())
                self.client_says("SPAWN", "health")
                while shown not in (line := process.stdout.readline()):
                    self.assertTrue(line, "the stream has ended")
                process.send_signal(signal.SIGINT)
                self.assertEqual(process.wait(harness.RUN_TIMEOUT_SECONDS), 0)

    def test_a_stream_that_is_refused_is_an_error(self):
        for arguments in ((), ("--json",)):
            refused = self.client(*arguments, "EVENTS", "ON", "spwan")
            self.assertEqual(refused.returncode, 1)
            self.assertIn("did you mean 'spawn'?", refused.stdout + refused.stderr)

    def test_the_prompt_goes_on_after_a_stream(self):
        terminal = Terminal((sys.executable, os.path.join(harness.SCRIPTS, "client"), "--port", self.port),
                            {"XDG_STATE_HOME": "/nonexistent"})
        self.addCleanup(terminal.close)
        self.assertTrue(terminal.wait_for("> "), terminal.screen)
        terminal.type("EVENTS ON spawn\r")
        self.assertTrue(terminal.wait_for("OK"), terminal.screen)
        terminal.interrupt()
        self.assertTrue(terminal.wait_for("> "), terminal.screen)
        terminal.type("COUNT\r")
        self.assertTrue(terminal.wait_for("0\r\n", "> "), terminal.screen)
