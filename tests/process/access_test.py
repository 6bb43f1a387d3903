"""Passwords: who is let in, who waits, and what is read anew."""

import pathlib
import signal
import socket
import subprocess
import tempfile
import unittest

from harness import BINARY, PATIENCE, Server, environment, exactly, run, until


class LoggingIn(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.full, self.look = pathlib.Path(folder.name, "full"), pathlib.Path(folder.name, "look")
        self.full.write_text("open sesame\n")
        hashing = subprocess.run([BINARY, "--hash-password"], input="only look", capture_output=True, text=True,
                                 timeout=PATIENCE, env=environment())
        self.look.write_text(hashing.stdout)

    def guarded(self, *arguments):
        return Server("--password-file", str(self.full), "--readonly-password-file", str(self.look), *arguments)

    def test_lets_in_who_knows_the_password_or_what_was_hashed(self):
        with self.guarded() as server:
            self.assertEqual(server.ask("PING\n")[:7], "-NOAUTH")
            self.assertEqual(server.ask('AUTH "open sesame"\nSPAWN health\n'), "+OK\r\n$3\r\n0:0\r\n")
            self.assertEqual(server.ask('AUTH readonly "only look"\nCOUNT\n'), "+OK\r\n:1\r\n")
            self.assertRegex(server.ask('AUTH readonly "only look"\nCLEAR YES\n'), r"^\+OK\r\n-NOPERM ")
            self.assertEqual(server.ask("AUTH readonly guess\nCOUNT\n").count("-"), 2)
            self.assertEqual(server.ask('HELLO 3 AUTH default "open sesame"\n')[:4], "%7\r\n")

    def test_delays_who_guesses_and_nobody_who_is_in(self):
        with self.guarded() as server, server.connect() as guesser, server.connect() as operator:
            operator.sendall(b'AUTH "open sesame"\nPING\n')
            self.assertEqual(exactly(operator, 12), b"+OK\r\n+PONG\r\n")
            guesser.sendall(b"AUTH readonly guess\n" * 3)
            operator.sendall(b"TICK PAUSE\nTICK STEP 100\n")
            self.assertEqual(exactly(operator, 6), b"+OK\r\n:")
            guesser.shutdown(socket.SHUT_WR)
            replies = b"".join(iter(lambda: guesser.recv(65536), b""))
            self.assertEqual(replies, b"-WRONGPASS wrong user name or password\r\n" * 3)

    def test_listens_publicly_with_a_password(self):
        with self.guarded("--bind", "0.0.0.0") as server:
            with socket.create_connection(("127.0.0.1", server.address[1]), timeout=PATIENCE) as connection:
                connection.sendall(b"PING\n")
                self.assertEqual(exactly(connection, 7), b"-NOAUTH")

    def test_reads_the_password_anew_on_sighup(self):
        with self.guarded() as server:
            self.full.write_text("changed\n")
            server.process.send_signal(signal.SIGHUP)
            until(lambda: server.ask("AUTH changed\n") == "+OK\r\n", "the new password is taken")

    def test_names_a_password_file_that_is_none(self):
        for text in (None, "", "$6$salt$abc\n", "two\nlines\n"):
            self.full.unlink(missing_ok=True)
            if text is not None:
                self.full.write_text(text)
            for extra in ((), ("--check-config",)):
                code, _, errors = run("--port", "0", "--password-file", str(self.full), *extra)
                self.assertEqual(code, 2, errors)
                self.assertIn(f"password-file: '{self.full}': ", errors)
                self.assertEqual(errors.count("\n"), 1, errors)

    def test_reports_health_without_knowing_the_password(self):
        with self.guarded() as server:
            self.assertEqual(run("--healthcheck", "--port", str(server.address[1]))[0], 0)


if __name__ == "__main__":
    unittest.main()
