"""Clients that know nothing of Evertick: netcat and redis-benchmark, unmodified; and an end while they press."""

import json
import signal
import socket
import subprocess
import unittest

import harness


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
        harness.until(lambda: "cmd=ping" in self.client_says("CLIENT", "LIST"), "a PING is served")
        self.server.send_signal(signal.SIGTERM)
        self.assertEqual(self.server.wait(), 0)

    def test_replies_to_what_was_received_are_flushed_before_the_end(self):
        with socket.create_connection(("127.0.0.1", self.port), harness.RUN_TIMEOUT_SECONDS) as client:
            client.sendall(b"PING\n" * 50_000)
            harness.until(lambda: "tot-cmds=50000\n" in self.client_says("CLIENT", "LIST"), "each PING is served")
            self.server.send_signal(signal.SIGTERM)
            with client.makefile("rb") as replies:
                self.assertEqual(replies.read().count(b"+PONG\r\n"), 50_000)
        self.assertEqual(self.server.wait(), 0)


if __name__ == "__main__":
    unittest.main()
