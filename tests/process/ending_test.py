"""Signals and SHUTDOWN: every reply is sent, and the exit code is right."""

import signal
import unittest

from harness import PATIENCE, Server, until


class Ending(unittest.TestCase):
    def test_exits_zero_on_sigterm_and_sigint(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            with Server("--scenario", "demo") as server:
                code, errors, seconds = server.end(number)
                self.assertEqual(code, 0, errors)
                self.assertLess(seconds, 5)

    def test_exits_zero_on_shutdown(self):
        with Server() as server:
            self.assertEqual(server.ask("SHUTDOWN NOSAVE\n"), "+OK\r\n")
            self.assertEqual(server.process.wait(timeout=PATIENCE), 0)

    def test_sends_every_reply_of_what_it_took_before_it_ends(self):
        with Server() as server, server.connect() as connection:
            connection.sendall(b"SPAWN COUNT 20000 position=1,2,3\n")
            self.assertEqual(connection.recv(8), b"*20000\r\n")  # it is executed, most of it not sent yet
            server.process.send_signal(signal.SIGTERM)
            received = b"".join(iter(lambda: connection.recv(65536), b""))
            self.assertEqual(server.process.wait(timeout=PATIENCE), 0)
            self.assertTrue(received.endswith(b"19999:0\r\n"), received[-40:])

    def test_ends_though_a_client_never_reads(self):
        with Server("--shutdown-grace-seconds", "1") as server, server.connect() as connection:
            connection.sendall(b"SPAWN COUNT 500000 position=1,2,3\n")
            connection.recv(8)
            code, errors, seconds = server.end()
            self.assertEqual(code, 0, errors)
            self.assertLess(seconds, 10)

    def test_answers_a_waiting_step_before_it_ends(self):
        with Server() as server, server.connect() as connection:
            connection.sendall(b"TICK SPRINT 1000000000\n")
            until(lambda: server.result("TICK INFO")["state"] == "sprinting", "the sprint begins")
            server.process.send_signal(signal.SIGTERM)
            self.assertTrue(connection.recv(1000).startswith(b"-"), "the sprint was cut short")
            self.assertEqual(server.process.wait(timeout=PATIENCE), 0)

    def test_ends_at_once_on_a_second_signal(self):
        with Server("--shutdown-grace-seconds", "20") as server, server.connect() as connection:
            connection.sendall(b"SPAWN COUNT 500000 position=1,2,3\n")
            connection.recv(8)
            server.process.send_signal(signal.SIGTERM)
            server.until_logged("stopping: SIGTERM")
            code, errors, seconds = server.end()
            self.assertEqual(code, 1, errors)
            self.assertLess(seconds, 5)

    def test_says_once_that_the_world_is_volatile(self):
        with Server() as server:
            _, errors, _ = server.end()
            self.assertEqual(errors.count("volatile"), 1, errors)


if __name__ == "__main__":
    unittest.main()
