"""Settings, the ready line, and what it says when it cannot start."""

import os
import pathlib
import re
import signal
import socket
import tempfile
import unittest

from harness import PATIENCE, Server, run


class Starting(unittest.TestCase):
    def test_prints_one_ready_line_and_nothing_else(self):
        with Server() as server:
            server.process.send_signal(signal.SIGTERM)
            rest, _ = server.process.communicate(timeout=PATIENCE)
            self.assertEqual(rest, "", "standard output carries the ready line only")

    def test_listens_on_ipv6(self):
        with Server("--bind", "::1") as server:
            self.assertRegex(server.ready, r"^ready commands=\[::1\]:\d+ http=off$")
            self.assertEqual(server.ask("PING\n"), "+PONG\r\n")

    def test_says_which_port_is_taken(self):
        with Server() as server:
            port = server.address[1]
            code, out, errors = run("--port", str(port))
            self.assertEqual(code, 3, errors)
            self.assertIn(str(port), errors)
            self.assertIn("in use", errors)
            self.assertEqual(errors.count("\n"), 1, errors)
            self.assertEqual(out, "", "a server that is not ready does not say so")

    def test_refuses_a_public_address_and_names_both_ways(self):
        for address in ("0.0.0.0", "::", "192.0.2.1"):
            code, _, errors = run("--bind", address, "--port", "0")
            self.assertEqual(code, 2, errors)
            self.assertIn("--insecure", errors)
            self.assertIn("127.0.0.1", errors)

    def test_listens_publicly_when_told_that_it_is_insecure(self):
        with Server("--bind", "0.0.0.0", "--insecure") as server:
            with socket.create_connection(("127.0.0.1", server.address[1]), timeout=PATIENCE) as connection:
                connection.sendall(b"PING\n")
                self.assertEqual(connection.recv(100), b"+PONG\r\n")

    def test_names_an_unknown_flag_and_the_nearest(self):
        code, out, errors = run("--tick-rte", "30")
        self.assertEqual((code, out), (2, ""))
        self.assertIn("tick-rte", errors)
        self.assertIn("tick-rate", errors)
        self.assertEqual(errors.count("\n"), 1, f"one clear line, not {errors!r}")

    def test_names_file_line_and_key_of_a_typo_in_the_settings_file(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "my.toml"
            file.write_text("port = 0\ntick-rte = 30\n")
            code, _, errors = run("--config", str(file))
            self.assertEqual(code, 2)
            for part in ("my.toml:2", "tick-rte", "tick-rate"):
                self.assertIn(part, errors)

    def test_names_the_variable_that_is_wrong(self):
        code, _, errors = run(EVERTICK_TICK_RATE="fast")
        self.assertEqual(code, 2)
        self.assertIn("EVERTICK_TICK_RATE", errors)
        code, _, errors = run(EVERTICK_TICK_RTE="30")
        self.assertEqual(code, 2)
        self.assertIn("EVERTICK_TICK_RATE", errors)

    def test_prefers_flag_over_environment_over_file(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "my.toml"
            file.write_text("tick-rate = 10\nseed = 10\nmax-clients = 10\n")
            with Server("--config", str(file), "--tick-rate", "30", EVERTICK_TICK_RATE="20", EVERTICK_SEED="20") as server:
                got = server.result("CONFIG GET tick-rate seed max-clients")
                self.assertEqual({name: float(value) for name, value in got.items()},
                                 {"tick-rate": 30, "seed": 20, "max-clients": 10})

    def test_asks_for_huge_pages_when_told_to(self):
        if not os.path.exists("/sys/kernel/mm/transparent_hugepage/enabled"):
            self.skipTest("this kernel has none")
        for arguments, asked in (([], False), (["--huge-pages"], True)):
            with Server(*arguments) as server:
                maps = pathlib.Path(f"/proc/{server.process.pid}/smaps").read_text()
                self.assertEqual(bool(re.search(r"^VmFlags:.* hg\b", maps, re.MULTILINE)), asked, arguments)

    def test_checks_the_settings_without_starting(self):
        self.assertEqual(run("--check-config")[0], 0)
        self.assertEqual(run("--check-config", "--tick-rate", "0")[0], 2)

    def test_prints_settings_that_it_reads_back(self):
        code, out, _ = run("--print-config", "--tick-rate", "62.5")
        self.assertEqual(code, 0)
        self.assertRegex(out, r"(?m)^tick-rate = 62.5 +#.*command line")
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "printed.toml"
            file.write_text(out)
            self.assertEqual(run("--check-config", "--config", str(file))[0], 0)

    def test_tells_its_version_and_its_flags(self):
        code, out, _ = run("--version")
        self.assertEqual(code, 0)
        self.assertRegex(out, r"\d+\.\d+\.\d+")
        code, out, _ = run("--help")
        self.assertEqual(code, 0)
        self.assertIn("--tick-rate", out)


if __name__ == "__main__":
    unittest.main()
