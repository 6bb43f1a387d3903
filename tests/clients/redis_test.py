"""Clients that know nothing of Evertick: netcat, redis-cli, redis-benchmark, unmodified."""

import json
import re
import signal
import socket
import subprocess
import time
import unittest

import harness
from terminal import Terminal


class NetcatTest(harness.ServerTest):
    def transcript(self, *lines):
        """What netcat prints when it sends these lines and closes its side at once."""
        result = harness.run("nc", "-N", "127.0.0.1", self.port, text_in="".join(line + "\n" for line in lines))
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return result.stdout.splitlines()

    def test_an_entity_lives_moves_heals_and_dies(self):
        self.assertEqual(self.transcript("TICK PAUSE", "SPAWN position=1,2,3 velocity=1,0,0 health=50,100"),
                         ["+OK", "$3", "0:0"])
        self.transcript("TICK STEP 30")
        moved, healed = self.transcript("JSON GET 0:0 position.x", "JSON GET 0:0 health.current")
        self.assertAlmostEqual(json.loads(moved)["result"], 2.0, places=3)
        self.assertEqual(json.loads(healed)["result"], 80)
        destroyed, missing = self.transcript("DESTROY 0:0", "GET 0:0")
        self.assertEqual(destroyed, ":1")
        self.assertRegex(missing, "^-NOENT .*0:0")

    def test_jq_accepts_a_query(self):
        self.transcript("SPAWN position=1,0,0", "SPAWN position=2,0,0")
        (line,) = self.transcript("JSON QUERY NEAR 0 0 0 100 LIMIT 5 RETURN position")
        result = harness.run("jq", "-r", ".result[1][] | .[0] + \" \" + (.[1].position.x | tostring)", text_in=line)
        self.assertEqual((result.stdout, result.returncode), ("0:0 1\n1:0 2\n", 0), line)

    def test_everything_sent_before_the_end_is_answered(self):
        self.assertEqual(self.transcript(*["PING"] * 20_000), ["+PONG"] * 20_000)

    def test_an_unfinished_line_is_named(self):
        result = harness.run("nc", "-N", "127.0.0.1", self.port, text_in="PING\nPING")
        self.assertEqual(result.stdout.splitlines(), ["+PONG", "-ERR incomplete command (missing newline)"])


class RedisCliTest(harness.ServerTest):
    def redis_cli(self, *arguments, text_in=""):
        result = harness.run("redis-cli", "-p", self.port, *arguments, text_in=text_in)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def test_one_shot(self):
        self.redis_cli("TICK", "PAUSE")
        self.assertEqual(self.redis_cli("SPAWN", "position=1,2,3"), "0:0\n")
        self.assertEqual(self.redis_cli("GET", "0:0").split(), ["position", "x", "1", "y", "2", "z", "3"])
        self.assertIn("NOENT", self.redis_cli("GET", "1:0"))

    def test_resp3_has_maps_and_doubles(self):
        self.redis_cli("SPAWN", "position=1.5,0,0")
        self.assertEqual(self.redis_cli("-3", "--no-raw", "GET", "0:0", "position.x"), "(double) 1.5\n")
        self.assertRegex(self.redis_cli("-3", "--no-raw", "GET", "0:0"), r'^1# "position" => \n +1# "x" => \(double\) 1.5')

    def test_json_output(self):
        self.redis_cli("SPAWN", "position=1.5,0,0")
        self.assertEqual(json.loads(self.redis_cli("--json", "GET", "0:0")),
                         {"position": {"x": 1.5, "y": 0, "z": 0}})

    def test_pipe_mode_counts_replies_and_errors(self):
        out = self.redis_cli("--pipe", text_in="SPAWN position=1,2,3\r\n" * 5000)
        self.assertIn("errors: 0, replies: 5000", out)
        self.assertEqual(self.redis_cli("COUNT"), "5000\n")

    def test_the_prompt_hints_at_arguments_and_completes_names(self):
        command = ("redis-cli", "-p", self.port)
        terminal = Terminal(command, {"REDISCLI_HISTFILE": "/dev/null", "HOME": "/nonexistent"})
        self.assertTrue(terminal.wait_for("> "), terminal.screen)
        for keys, text in (("SPAW\t", "SPAWN"), (" ", "[COUNT count]"), ("\x15tick rate ", "hz"),
                           ("\x15hset ", "id component.field value"), ("\x15events on ", "[NEAR x y z radius"),
                           ("\x15slowlog get ", "[count]"), ("\x15hello ", "[AUTH username password]")):
            terminal.type(keys)
            self.assertTrue(terminal.wait_for(text), f"typed {keys!r}, no {text!r} in {terminal.screen!r}")
        terminal.type("\x15help SPAWN\r")
        self.assertTrue(terminal.wait_for("summary:", "> "), terminal.screen)
        terminal.type("quit\r")
        self.assertEqual(terminal.finish(), 0)


class RedisBenchmarkTest(harness.ServerTest):
    def benchmark(self, *arguments):
        return harness.run("redis-benchmark", "-p", self.port, "-q", *arguments)

    def test_spawns_as_many_as_it_asks_for(self):
        result = self.benchmark("-n", "10000", "-P", "16", "SPAWN", "position=1,2,3")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertIn("requests per second", result.stdout)
        self.assertEqual(self.client_says("COUNT"), "10000")

    def test_runs_its_own_ping_tests(self):
        result = self.benchmark("-n", "2000", "-P", "16", "-t", "ping_inline,ping_mbulk")
        self.assertEqual((result.returncode, result.stdout.count("requests per second")), (0, 2), result.stderr)


class StopUnderLoadTest(harness.ServerTest):
    def test_sigterm_ends_it_with_exit_code_0_while_clients_press(self):
        load = subprocess.Popen(["redis-benchmark", "-p", str(self.port), "-n", "100000000", "-P", "16", "-q", "PING"],
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(load.wait)
        self.addCleanup(load.kill)
        while "cmd=ping" not in self.client_says("CLIENT", "LIST"):
            time.sleep(0.05)
        self.server.send_signal(signal.SIGTERM)
        self.assertEqual(self.server.wait(), 0)

    def commands_processed(self):
        return int(re.search(r"total_commands_processed:(\d+)", self.client_says("INFO", "stats"))[1])

    def test_replies_to_what_was_received_are_flushed_before_the_end(self):
        with socket.create_connection(("127.0.0.1", self.port), harness.RUN_TIMEOUT_SECONDS) as client:
            client.sendall(b"PING\n" * 50_000)
            while self.commands_processed() < 50_000:
                time.sleep(0.05)
            self.server.send_signal(signal.SIGTERM)
            with client.makefile("rb") as replies:
                self.assertEqual(replies.read().count(b"+PONG\r\n"), 50_000)
        self.assertEqual(self.server.wait(), 0)


if __name__ == "__main__":
    unittest.main()
