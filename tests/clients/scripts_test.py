"""scripts/client, scripts/load and scripts/soak against a real server, as people run them."""

import csv
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import unittest

import harness
from terminal import Terminal


class RunningScriptTest(harness.ServerTest):
    """A test of a script that is still at work."""

    def begin(self, name, *arguments):
        """Starts a script against the server and waits until it has spawned something."""
        command = [sys.executable, f"{harness.SCRIPTS}/{name}", "--port", str(self.port), *arguments]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        harness.until(lambda: self.client_says("COUNT") != "0" or process.poll() is not None, "it spawns")
        self.assertIsNone(process.poll(), "it has ended before it spawned something")
        return process


class ClientScriptTest(harness.ServerTest):
    def test_one_shot_commands_print_their_replies(self):
        self.client_says("TICK", "PAUSE")
        self.assertEqual(self.client_says("SPAWN", "position=1,2,3", "health=50,100"), "0:0")
        self.assertEqual(self.client_says("GET", "0:0"), "position: x=1 y=2 z=3\nhealth:   current=50 max=100")
        self.assertEqual(self.client_says("GET", "0:0", "position.y"), "2")
        self.assertEqual(self.client_says("SPAWN", "COUNT", "2"), "1:0\n2:0")
        self.assertEqual(self.client_says("QUERY", "WITH", "position", "RETURN", "position.x"), "0:0 position.x=1")

    def test_one_quoted_argument_is_a_whole_line(self):
        self.client_says("SPAWN", "COUNT", "3", "health=5,100")
        self.assertEqual(self.client_says("TICK PAUSE"), "OK")
        self.assertEqual(self.client_says("COUNT WHERE health.current<100"), "3")

    def test_an_error_reply_goes_to_standard_error_with_exit_code_1(self):
        result = self.client("GET", "5:0")
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertRegex(result.stderr, r"^NOENT .*5:0")

    def test_reads_commands_from_standard_input_and_names_the_line_of_an_error(self):
        result = self.client(text_in="# a comment\n\nSPAWN\nSPWN\nECHO 'a b'\nECHO \"x\nCOUNT\n")
        self.assertEqual((result.returncode, result.stdout), (1, "0:0\na b\n1\n"))
        self.assertRegex(result.stderr, r"(?m)^line 4: ERR unknown command 'SPWN'.*SPAWN")
        self.assertRegex(result.stderr, r'(?m)^line 6: no closing "')

    def test_json_prints_the_servers_lines(self):
        result = self.client("--json", text_in="SPAWN position=0.1,0,0\n@here GET 0:0 position.x\nGET 9:0\n")
        self.assertEqual(result.returncode, 1)
        spawned, got, failed = map(json.loads, result.stdout.splitlines())
        self.assertEqual((spawned["ok"], spawned["result"]), (True, "0:0"))
        self.assertEqual((got["req"], got["result"]), ("here", 0.1))
        self.assertEqual((failed["ok"], failed["code"]), (False, "NOENT"))

    def test_the_json_prefix_is_printed_as_it_came(self):
        self.assertIs(json.loads(self.client_says("JSON", "PING"))["ok"], True)

    def test_text_for_people_comes_as_lines(self):
        self.assertIn("entities", self.client_says("STATUS"))
        self.assertIn("\nused_memory_rss:", self.client_says("INFO"))

    def test_every_repeats_until_interrupted(self):
        process = subprocess.Popen([sys.executable, f"{harness.SCRIPTS}/client", "--port", str(self.port), "--every",
                                    "0.05", "PING"], stdout=subprocess.PIPE, text=True)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.kill)
        self.assertEqual([process.stdout.readline() for _ in range(3)], ["PONG\n"] * 3)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(harness.RUN_TIMEOUT_SECONDS), 0)

    def test_every_ends_with_an_error_reply(self):
        self.assertEqual(self.client("--every", "0.01", "GET", "5:0").returncode, 1)

    def test_the_port_may_come_from_the_environment(self):
        result = harness.script("client", "PING", environment={"EVERTICK_PORT": str(self.port)})
        self.assertEqual(result.stdout, "PONG\n")

    def test_shutdown_is_a_success(self):
        self.assertEqual(self.client_says("SHUTDOWN", "NOSAVE"), "OK")
        self.assertEqual(self.server.wait(), 0)


class ClientUsageTest(unittest.TestCase):
    def test_says_where_nobody_answers_and_how_to_start_a_server(self):
        result = harness.script("client", "--port", "1", "PING")
        self.assertEqual(result.returncode, 3)
        self.assertRegex(result.stderr, r"^client: cannot connect to 127\.0\.0\.1:1: .*scripts/run.*\n$")

    def test_help_shows_examples(self):
        for name in ("client", "load", "soak"):
            with self.subTest(script=name):
                result = harness.script(name, "--help")
                self.assertEqual(result.returncode, 0)
                self.assertIn("examples:", result.stdout)

    def test_wrong_usage_is_exit_code_2(self):
        for command in (("client", "--nonsense"), ("client", "--port", "x"), ("client", "--every", "1"),
                        ("client", 'ECHO "x'), ("load", "--entities", "-1"), ("soak",), ("soak", "--hours", "0")):
            with self.subTest(command=command):
                self.assertEqual(harness.script(*command).returncode, 2)


class PromptTest(harness.ServerTest):
    def setUp(self):
        super().setUp()
        self.state = tempfile.TemporaryDirectory()
        self.addCleanup(self.state.cleanup)

    def open(self):
        command = (sys.executable, f"{harness.SCRIPTS}/client", "--port", self.port)
        terminal = Terminal(command, {"XDG_STATE_HOME": self.state.name})
        self.addCleanup(terminal.kill)
        self.assertTrue(terminal.wait_for("> "), terminal.screen)
        return terminal

    def expect(self, terminal, keys, text):
        terminal.type(keys)
        self.assertTrue(terminal.wait_for(text), f"typed {keys!r}, no {text!r} in {terminal.screen!r}")

    def answer(self, terminal, line, text):
        """Enters a line, and waits for its answer and for the next prompt: a key before that could get lost."""
        terminal.type(f"{line}\n")
        self.assertTrue(terminal.wait_for(text, "> "), f"entered {line!r}, no {text!r} in {terminal.screen!r}")

    def test_tab_completes_commands_subcommands_tokens_and_components(self):
        terminal = self.open()
        for keys, text in (("SPAW\t", "SPAWN "), ("pos\t", "position="), ("\x15tick pau\t", "tick pause "),
                           ("\x15QUERY NEARE\t", "QUERY NEAREST "), ("\x15GET 0:0 velocity.x\t", "velocity.x")):
            self.expect(terminal, keys, text)
        terminal.type("\x15\x04")
        self.assertEqual(terminal.finish(), 0)

    def test_remembers_what_was_typed_in_an_earlier_dialogue(self):
        terminal = self.open()
        self.answer(terminal, "ECHO remember-me", "\nremember-me")
        terminal.type("\x04")
        self.assertEqual(terminal.finish(), 0)
        self.assertEqual(os.listdir(f"{self.state.name}/evertick"), ["client_history"])
        terminal = self.open()
        self.expect(terminal, "\x1b[A", "ECHO remember-me")
        terminal.close()

    def test_survives_an_error_a_quote_and_the_loss_of_its_connection(self):
        terminal = self.open()
        self.answer(terminal, "GET 5:0", "NOENT")
        self.answer(terminal, 'ECHO "x', "no closing")
        self.server.send_signal(signal.SIGTERM)
        self.assertEqual(self.server.wait(), 0)
        self.answer(terminal, "PING", "connects again")
        self.answer(terminal, "PING", "cannot connect")
        terminal.type("exit\n")
        self.assertEqual(terminal.finish(), 0)


class LoadScriptTest(RunningScriptTest):
    def load(self, *arguments):
        return harness.script("load", "--port", self.port, "--seconds", "1", "--entities", "200", *arguments)

    def test_leaves_the_world_as_it_was(self):
        self.client_says("SPAWN", "COUNT", "5", "renderable=1,2")
        result = self.load("--rate", "500", "--connections", "3")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(self.client_says("COUNT"), "5")
        self.assertRegex(result.stdout, r"(?m)^SPAWN +[1-9]\d* ")
        self.assertRegex(result.stdout, r"(?m)^errors +0$")
        self.assertIn("the world is as it was", result.stdout)

    def test_keeps_the_entities_when_told_and_cleans_them_up_later(self):
        self.client_says("SPAWN", "COUNT", "5", "renderable=1,2")
        self.assertIn("left in the world: 200 entities", self.load("--keep").stdout)
        self.assertEqual(self.client_says("COUNT"), "205")
        self.assertIn("destroyed 200 entities", self.load("--clean").stdout)
        self.assertEqual(self.client_says("COUNT"), "5")

    def test_goes_as_fast_as_it_can_at_rate_0(self):
        result = self.load("--rate", "0", "--pipeline", "50", "--queries", "0")
        self.assertEqual(result.returncode, 0, result.stderr)
        spawns = int(re.search(r"(?m)^SPAWN +([\d,]+)", result.stdout)[1].replace(",", ""))
        self.assertGreater(spawns, 0, "a rate of 0 is no rate")

    def test_ends_early_when_interrupted_and_takes_its_entities_back(self):
        process = self.begin("load", "--seconds", "600")
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=harness.RUN_TIMEOUT_SECONDS)
        self.assertEqual(process.returncode, 0)
        self.assertIn("SPAWN", out)
        self.assertEqual(self.client_says("COUNT"), "0")


class SoakScriptTest(RunningScriptTest):
    def setUp(self):
        super().setUp()
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.csv_path = f"{self.folder.name}/soak.csv"

    def soak(self, *arguments):
        return harness.script("soak", "--entities", "500", "--churn", "200", "--csv", self.csv_path,
                              "--sample-seconds", "0.05", *arguments)

    def test_measures_a_running_server_and_leaves_it_as_it_was(self):
        self.client_says("SPAWN", "COUNT", "5", "renderable=1,2")
        result = self.soak("--hours", "0.0012", "--port", self.port)
        self.assertRegex(result.stdout, r"(?m)^  resident memory .* MiB -> ")
        self.assertRegex(result.stdout, r"(?m)^  slope +resident .* per hour$")
        self.assertRegex(result.stdout, r"(?m)^(PASS|FAIL)$")
        self.assertEqual(self.client_says("COUNT"), "5")
        with open(self.csv_path, encoding="ascii") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual({int(row["entities"]) - int(row["live"]) for row in rows}, {5})
        self.assertGreater(int(rows[-1]["exchanged"]), 0)

    def test_runs_a_server_of_its_own_and_stops_it(self):
        result = self.soak("--hours", "0.0012", "--binary", harness.binary())
        word = result.stdout.splitlines()[-1]  # which one is the machine's mood: a few seconds say little
        self.assertEqual(result.returncode, {"PASS": 0, "FAIL": 8}[word], result.stdout + result.stderr)
        port = re.search(r"evertick on port (\d+)", result.stderr)[1]
        self.assertEqual(harness.script("client", "--port", port, "PING").returncode, 3)

    def test_an_interrupt_ends_it_with_a_verdict(self):
        process = self.begin("soak", "--hours", "1", "--entities", "100", "--csv", self.csv_path)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=harness.RUN_TIMEOUT_SECONDS)
        self.assertEqual(process.returncode, 8)
        self.assertRegex(out, "too few to judge +FAILED\n(.*\n)*FAIL\n")
        self.assertEqual(self.client_says("COUNT"), "0")

    def test_a_server_that_dies_is_a_failure(self):
        process = self.begin("soak", "--hours", "1", "--entities", "100", "--csv", self.csv_path)
        self.server.kill()
        out, _ = process.communicate(timeout=harness.RUN_TIMEOUT_SECONDS)
        self.assertEqual(process.returncode, 8)
        self.assertRegex(out, "FAIL: .*([Cc]losed|reset|Broken pipe)")


if __name__ == "__main__":
    unittest.main()
