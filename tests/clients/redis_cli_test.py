"""redis-cli's ways to work: one command, standard input, statistics, scans, exit codes, the prompt, pushes."""

import json

import harness
from terminal import Terminal


class CliTest(harness.ServerTest):
    def setUp(self):
        super().setUp()
        self.cli("TICK", "PAUSE")

    def cli(self, *arguments, text_in="", returns=0):
        result = harness.run("redis-cli", "-p", self.port, *arguments, text_in=text_in)
        self.assertEqual(result.returncode, returns, result.stdout + result.stderr)
        return result.stdout

    def at_terminal(self, *arguments):
        terminal = Terminal(("redis-cli", "-p", self.port, *arguments),
                            {"REDISCLI_HISTFILE": "/dev/null", "HOME": "/nonexistent"})
        self.addCleanup(terminal.kill)
        return terminal

    def expect(self, terminal, *texts):
        self.assertTrue(terminal.wait_for(*texts), f"no {texts} in {terminal.screen!r}")


class RedisCliModesTest(CliTest):
    def test_one_shot(self):
        self.assertEqual(self.cli("SPAWN", "position=1,2,3"), "0:0\n")
        self.assertEqual(self.cli("GET", "0:0").split(), ["position", "x", "1", "y", "2", "z", "3"])
        self.assertIn("NOENT", self.cli("GET", "1:0"))

    def test_resp3_has_maps_and_doubles(self):
        self.cli("SPAWN", "position=1.5,0,0")
        self.assertEqual(self.cli("-3", "--no-raw", "GET", "0:0", "position.x"), "(double) 1.5\n")
        self.assertRegex(self.cli("-3", "--no-raw", "GET", "0:0"), r'^1# "position" => \n +1# "x" => \(double\) 1.5')

    def test_stat_counts_entities_as_keys(self):
        self.cli("SPAWN", "COUNT", "1234", "QUIET", "position")
        terminal = self.at_terminal("--stat", "-i", "0.05")
        self.expect(terminal, "keys", "mem", "clients", "blocked", "requests", "connections", "1234 ", "1234 ")

    def test_latency_is_measured(self):
        least, most, _, samples = self.cli("--latency", "--raw", "-i", "0.2").split()
        self.assertLessEqual(int(least), int(most))
        self.assertGreater(int(samples), 0)

    def test_scan_lists_every_entity_or_those_of_a_pattern(self):
        ids = self.cli("SPAWN", "COUNT", "1500", "position")
        self.assertEqual(self.cli("--scan"), ids)
        self.assertEqual(self.cli("--scan", "--pattern", "12?:*").split(), [f"12{last}:0" for last in range(10)])

    def test_bigkeys_finds_the_entity_with_most_fields(self):
        self.cli("SPAWN", "COUNT", "100", "QUIET", "position")
        self.cli("SPAWN", "position", "velocity", "health")
        out = self.cli("--bigkeys")
        self.assertIn("Sampled 101 keys", out)
        self.assertIn("""Biggest   hash found '"100:0"' has 8 fields""", out)
        self.assertIn("101 hashs with 308 fields", out)

    def test_memkeys_finds_the_entity_that_takes_most(self):
        self.cli("SPAWN", "COUNT", "100", "QUIET", "position")
        self.cli("SPAWN", "position", "velocity", "health")
        for arguments in (("--memkeys",), ("--memkeys", "--memkeys-samples", "5")):
            out = self.cli(*arguments)
            self.assertIn("Sampled 101 keys", out)
            self.assertIn("""Biggest   hash found '"100:0"' has 68 bytes""", out)

    def test_hotkeys_ends_with_a_clear_error(self):
        self.cli("SPAWN", "COUNT", "100", "QUIET", "position")
        result = harness.run("redis-cli", "-p", self.port, "--hotkeys")
        self.assertEqual(result.returncode, 1, result.stdout)
        self.assertIn("Error: ERR not supported: OBJECT; nobody counts how often an entity is used", result.stderr)

    def test_the_last_argument_comes_from_standard_input(self):
        self.assertEqual(self.cli("-x", "ECHO", text_in="any\0\n\"text\""), "any\0\n\"text\"\n")
        entity = self.cli("SPAWN").strip()
        self.assertEqual(self.cli("-x", "HSET", entity, "position.x", text_in="4.5"), "1\n")
        self.assertEqual(self.cli("-X", "value", "HGET", entity, "value", text_in="position.x"), "4.5\n")

    def test_pipe_mode_counts_replies(self):
        out = self.cli("--pipe", text_in="SPAWN position=1,2,3\r\n" * 5000)
        self.assertIn("errors: 0, replies: 5000", out)
        self.assertEqual(self.cli("COUNT"), "5000\n")

    def test_pipe_mode_takes_bytes_and_tells_of_errors(self):
        word = "".join(map(chr, range(128)))
        echo = f"*2\r\n$4\r\nECHO\r\n$128\r\n{word}\r\n"
        out = self.cli("--pipe", text_in=echo * 1000 + "*1\r\n$5\r\nSPWAN\r\n", returns=1)
        self.assertIn("errors: 1, replies: 1001", out)

    def test_a_map_is_a_json_object(self):
        entity = self.cli("SPAWN", "position=1.5,2,3", "health=40,100", "flags=elite").strip()
        self.assertEqual(json.loads(self.cli("--json", "GET", entity, "position", "health")),
                         {"position": {"x": 1.5, "y": 2, "z": 3}, "health": {"current": 40, "max": 100}})
        self.assertEqual(json.loads(self.cli("--json", "HGETALL", entity))["position.x"], 1.5)
        self.assertEqual(json.loads(self.cli("--json", "QUERY", "RETURN", "health.current")),
                         ["0", [[entity, {"health": {"current": 40}}]]])
        self.assertIsNone(json.loads(self.cli("--json", "HGET", entity, "ai.state")))

    def test_csv_and_repetition_and_url(self):
        self.cli("SPAWN", "health=40,100")
        self.assertEqual(self.cli("--csv", "HGETALL", "0:0"), '"health.current","40","health.max","100"\n')
        self.assertEqual(self.cli("-r", "3", "-i", "0.01", "COUNT"), "1\n1\n1\n")
        self.assertEqual(self.cli("-u", f"redis://127.0.0.1:{self.port}/0", "COUNT"), "1\n")

    def test_exit_codes_tell_of_errors_where_asked(self):
        self.assertIn("NOENT no entity 9:0", self.cli("GET", "9:0"))
        failed = harness.run("redis-cli", "-p", self.port, "-e", "GET", "9:0")
        self.assertEqual((failed.returncode, failed.stdout), (1, ""))
        self.assertIn("NOENT no entity 9:0", failed.stderr)
        self.assertEqual(self.cli("-e", "COUNT"), "0\n")


class RedisCliPromptTest(CliTest):
    def test_the_prompt_hints_at_arguments_and_completes_names(self):
        terminal = self.at_terminal()
        self.expect(terminal, "> ")
        for keys, text in (("SPAW\t", "SPAWN"), (" ", "[COUNT count]"), ("\x15tick rate ", "hz"),
                           ("\x15hset ", "id component.field value"), ("\x15events on ", "[NEAR x y z radius"),
                           ("\x15slowlog get ", "[count]"), ("\x15hello ", "[AUTH username password]")):
            terminal.type(keys)
            self.expect(terminal, text)
        terminal.type("\x15help SPAWN\r")
        self.expect(terminal, "summary:", "> ")
        terminal.type("quit\r")
        self.assertEqual(terminal.finish(), 0)

    def test_the_prompt_shows_a_transaction(self):
        terminal = self.at_terminal()
        self.expect(terminal, "> ")
        for line, *texts in (("MULTI", "OK", "(TX)> "), ("SPAWN health=40,100", "QUEUED", "(TX)> "),
                             ("HGET 0:0 health.max", "QUEUED", "(TX)> "),
                             ("EXEC", '1) "0:0"', '2) "100"', f":{self.port}> "),
                             ("MULTI", "(TX)> "), ("DISCARD", "OK", f":{self.port}> ")):
            terminal.type(line + "\r")
            self.expect(terminal, line, *texts)

    def test_pushes_appear_at_the_prompt(self):
        terminal = self.at_terminal("-3")
        self.expect(terminal, "> ")
        terminal.type("EVENTS ON spawn\r")
        self.expect(terminal, "OK", "> ")
        self.cli("SPAWN", "health")
        terminal.type("TICK STEP 5\r")
        self.expect(terminal, '1) "message"', '2) "events:spawn"', "spawn", "0:0", "(integer)", "> ")
        terminal.type("quit\r")
        self.assertEqual(terminal.finish(), 0)

    def test_a_stream_of_messages_is_shown(self):
        terminal = self.at_terminal("-3")
        self.expect(terminal, "> ")
        terminal.type("SUBSCRIBE events:spawn\r")
        self.expect(terminal, '1) "subscribe"', '2) "events:spawn"', "(integer) 1")
        self.cli("SPAWN", "health")
        self.expect(terminal, '1) "message"', '2) "events:spawn"', "0:0")

    def test_a_monitor_shows_what_others_do(self):
        terminal = self.at_terminal("MONITOR")
        self.expect(terminal, "OK")
        self.cli("SPAWN", "health=40,100")
        self.expect(terminal, "[0 127.0.0.1:", '"SPAWN" "health=40,100"')
