"""The server as a process: start, ready line, exit codes, signals, settings, commands over a real socket.

Takes the evertick binary from BINARY_UNDER_TEST. Ports are chosen by the kernel, on loopback.
"""

import json
import os
import pathlib
import re
import resource
import signal
import socket
import subprocess
import tempfile
import time
import unittest

BINARY = os.environ["BINARY_UNDER_TEST"]
PATIENCE = 30  # seconds that anything may take on a busy machine


def environment(**extra):
    """The environment without any EVERTICK_ variable, and with those given."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("EVERTICK_")}
    return {**clean, **extra}


def run(*arguments, **extra):
    """Runs evertick to its end; returns (exit code, standard output, standard error)."""
    done = subprocess.run([BINARY, *arguments], capture_output=True, text=True, timeout=PATIENCE, env=environment(**extra))
    return done.returncode, done.stdout, done.stderr


def exactly(connection, size):
    """The next so many bytes."""
    received = b""
    while len(received) < size:
        more = connection.recv(size - len(received))
        if not more:
            raise AssertionError(f"the connection ended after {received!r}")
        received += more
    return received


class Server:
    """A running server on a free port, ended by its id when the block ends."""

    def __init__(self, *arguments, preexec_fn=None, **extra):
        self.process = subprocess.Popen([BINARY, "--port", "0", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        text=True, env=environment(**extra), preexec_fn=preexec_fn)
        self.ready = self.process.stdout.readline().strip()
        match = re.fullmatch(r"ready commands=(.+):(\d+) http=off", self.ready)
        if not match:
            raise AssertionError(f"ready line {self.ready!r}, then {self.process.communicate(timeout=PATIENCE)}")
        self.address = (match[1].strip("[]"), int(match[2]))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()

    def connect(self):
        return socket.create_connection(self.address, timeout=PATIENCE)

    def ask(self, text):
        """Sends bytes, half-closes, and returns everything that comes back."""
        with self.connect() as connection:
            connection.sendall(text.encode())
            connection.shutdown(socket.SHUT_WR)
            return b"".join(iter(lambda: connection.recv(65536), b"")).decode()

    def result(self, command):
        reply = json.loads(self.ask(f"JSON {command}\n"))
        if not reply["ok"]:
            raise AssertionError(f"{command} answered {reply}")
        return reply["result"]

    def end(self, number=signal.SIGTERM):
        """Sends a signal; returns (exit code, standard error, seconds it took)."""
        began = time.monotonic()
        self.process.send_signal(number)
        _, errors = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, errors, time.monotonic() - began


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


class ShortOfResources(unittest.TestCase):
    @staticmethod
    def limited(kind, amount):
        return {"preexec_fn": lambda: resource.setrlimit(kind, (amount, amount))}

    def test_says_in_one_line_that_it_lacks_descriptors(self):
        for descriptors in range(4, 12):
            process = subprocess.Popen([BINARY, "--port", "0"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                       env=environment(), **self.limited(resource.RLIMIT_NOFILE, descriptors))
            if process.stdout.readline():
                process.terminate()
            _, errors = process.communicate(timeout=PATIENCE)
            self.assertIn(process.returncode, (0, 1, 3), f"{descriptors} descriptors: {errors}")
            self.assertNotIn("terminate called", errors)

    @unittest.skipIf(os.environ.get("SANITIZED"), "a sanitizer needs more address space than any limit")
    def test_a_spawn_that_memory_ends_midway_changes_nothing(self):
        with Server("--max-entities", "100000000", **self.limited(resource.RLIMIT_AS, 300 << 20)) as server:
            replies = [server.ask("SPAWN COUNT 1000000 QUIET position health ai lifetime\n") for _ in range(20)]
            self.assertTrue(any(reply.startswith("-OOM ") for reply in replies), replies)
            made = sum(1_000_000 for reply in replies if reply == ":1000000\r\n")
            for condition in ("", " WITH position", " WITH ai", " WITH lifetime"):
                self.assertEqual(server.result(f"COUNT{condition}"), made, condition)


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
            end = time.monotonic() + PATIENCE
            while server.ask("AUTH changed\n") != "+OK\r\n":
                self.assertLess(time.monotonic(), end)

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
            time.sleep(0.3)
            server.process.send_signal(signal.SIGTERM)
            self.assertTrue(connection.recv(1000).startswith(b"-"), "the sprint was cut short")
            self.assertEqual(server.process.wait(timeout=PATIENCE), 0)

    def test_ends_at_once_on_a_second_signal(self):
        with Server("--shutdown-grace-seconds", "20") as server, server.connect() as connection:
            connection.sendall(b"SPAWN COUNT 500000 position=1,2,3\n")
            connection.recv(8)
            server.process.send_signal(signal.SIGTERM)
            time.sleep(0.5)
            code, errors, seconds = server.end()
            self.assertEqual(code, 1, errors)
            self.assertLess(seconds, 5)

    def test_says_once_that_the_world_is_volatile(self):
        with Server() as server:
            _, errors, _ = server.end()
            self.assertEqual(errors.count("volatile"), 1, errors)


class Running(unittest.TestCase):
    def test_moves_and_heals_what_netcat_spawned(self):
        with Server("--tick-rate", "100") as server:
            self.assertEqual(server.ask("SPAWN position=1,2,3 velocity=1,0,0 health=50,100\n"), "$3\r\n0:0\r\n")
            time.sleep(0.5)
            self.assertGreater(server.result("GET 0:0 position.x"), 1)
            self.assertGreater(server.result("GET 0:0 health.current"), 50)
            self.assertEqual(server.ask("DESTROY 0:0\n"), ":1\r\n")
            self.assertTrue(server.ask("GET 0:0\n").startswith("-NOENT no entity 0:0: it was destroyed"))

    def test_keeps_its_rate(self):
        with Server("--tick-rate", "50") as server:
            began, first = time.monotonic(), server.result("TICK INFO")["tick"]
            time.sleep(2)
            ticks, seconds = server.result("TICK INFO")["tick"] - first, time.monotonic() - began
            self.assertAlmostEqual(ticks / seconds, 50, delta=5)

    def test_steps_and_resumes_at_once(self):
        with Server("--tick-rate", "1") as server:
            began = time.monotonic()
            steps = server.ask("TICK PAUSE\n" + "TICK STEP\n" * 50)
            self.assertEqual(steps.count("\r\n:"), 50, steps)
            self.assertLess(time.monotonic() - began, 20, "a step waited for the loop to come round")
            server.result("TICK RATE 1000")
            time.sleep(1)
            server.result("TICK RESUME")
            time.sleep(0.1)
            skipped = server.result("TICK INFO")["skipped"]
            self.assertLess(skipped, 900, "the 1000 ticks of the pause are not due, nor skipped")

    def test_steps_while_paused_and_answers_after_the_last(self):
        with Server() as server:
            server.result("TICK PAUSE")
            before = server.result("TICK INFO")["tick"]
            self.assertEqual(server.result("TICK STEP 10"), before + 10)
            self.assertEqual(server.result("TICK INFO")["tick"], before + 10)

    def test_serves_others_during_a_sprint(self):
        with Server("--scenario", "demo") as server, server.connect() as sprinter:
            sprinter.sendall(b"TICK SPRINT 1000000000\n")
            time.sleep(0.2)
            self.assertEqual(server.result("TICK INFO")["state"], "sprinting")
            server.result("TICK PAUSE")
            self.assertTrue(sprinter.recv(1000).startswith(b"-ERR"), "told that it was cut short")

    def test_runs_the_scenarios(self):
        with Server("--scenario", "demo") as server:
            self.assertEqual(server.result("COUNT"), 10003)
        with Server("--scenario", "reference") as server:
            self.assertEqual(server.result("COUNT"), 3)

    def test_gives_the_same_world_for_the_same_seed(self):
        def world(seed):
            with Server("--scenario", "demo", "--seed", seed, "--tick-rate", "1") as server:
                server.result("TICK PAUSE")
                ticks = server.result("TICK INFO")["tick"]
                server.result(f"TICK STEP {50 - ticks}")
                return server.result("QUERY LIMIT 100 CURSOR 500 RETURN position,velocity")
        self.assertEqual(world("7"), world("7"))
        self.assertNotEqual(world("7"), world("8"))

    def test_reloads_what_can_be_reloaded_on_sighup(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "my.toml"
            file.write_text("port = 0\nmax-query-rows = 100\n")
            with Server("--config", str(file)) as server:
                file.write_text("port = 0\nmax-query-rows = 200\nseed = 9\n")
                server.process.send_signal(signal.SIGHUP)
                deadline = time.monotonic() + PATIENCE
                while server.result("CONFIG GET max-query-rows") != {"max-query-rows": "200"}:
                    self.assertLess(time.monotonic(), deadline, "not reloaded")
                self.assertEqual(server.result("CONFIG GET seed"), {"seed": "1"}, "a seed needs a restart")
                file.write_text("max-query-rows = many\n")
                server.process.send_signal(signal.SIGHUP)
                _, errors, _ = server.end()
                self.assertIn("seed", errors)
                self.assertIn("my.toml:1", errors, "a broken file is reported and changes nothing")

    def test_reports_health(self):
        with Server() as server:
            port = str(server.address[1])
            self.assertEqual(run("--healthcheck", "--port", port)[0], 0)
            server.end()
            code, _, errors = run("--healthcheck", "--port", port)
            self.assertEqual(code, 1)
            self.assertIn(port, errors)

    @unittest.skipIf(os.environ.get("SANITIZED"), "a sanitizer has an allocator of its own")
    def test_names_nearly_all_of_its_memory(self):
        with Server() as server:
            for wanted in (0, 300_000):
                if wanted:
                    server.result(f"SPAWN COUNT {wanted} QUIET position velocity health")
                figures = dict(line.split(":", 1) for line in server.result("INFO memory").splitlines() if ":" in line)
                resident, reserved, live = (int(figures[name]) for name in ("used_memory_rss", "reserved_bytes", "live_bytes"))
                self.assertLessEqual(live, reserved)
                self.assertLess(resident - reserved, 10_000_000, "code, the C library and tables are all that is not named")

    def test_sets_the_log_level_while_it_runs(self):
        with Server() as server:
            self.assertEqual(server.result("LOG LEVEL debug"), "OK")
            self.assertTrue(server.ask("LOG LEVEL loud\n").startswith("-BADARG"))

    def test_writes_json_log_lines(self):
        with Server("--log-format", "json") as server:
            _, errors, _ = server.end()
            for line in errors.splitlines():
                json.loads(line)


if __name__ == "__main__":
    unittest.main()
