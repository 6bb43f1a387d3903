"""The clock, scenarios, the settings and the memory of a server that runs."""

import json
import os
import pathlib
import re
import signal
import tempfile
import time
import unittest

from harness import Server, exactly, run, until


class Running(unittest.TestCase):
    def test_moves_and_heals_what_netcat_spawned(self):
        with Server("--tick-rate", "100") as server:
            self.assertEqual(server.ask("SPAWN position=1,2,3 velocity=1,0,0 health=50,100\n"), "$3\r\n0:0\r\n")
            until(lambda: server.result("GET 0:0 position.x") > 1, "it moves")
            until(lambda: server.result("GET 0:0 health.current") > 50, "it heals")
            self.assertEqual(server.ask("DESTROY 0:0\n"), ":1\r\n")
            self.assertTrue(server.ask("GET 0:0\n").startswith("-NOENT no entity 0:0: it was destroyed"))

    def test_keeps_its_rate(self):
        with Server("--tick-rate", "50") as server:
            def due():
                info = server.result("TICK INFO")
                return info["tick"] + info["skipped"]

            began, first = time.monotonic(), due()
            time.sleep(2)
            ticks, seconds = due() - first, time.monotonic() - began
            self.assertAlmostEqual(ticks / seconds, 50, delta=5)

    def test_steps_and_resumes_at_once(self):
        with Server("--tick-rate", "1") as server:
            began = time.monotonic()
            steps = server.ask("TICK PAUSE\n" + "TICK STEP\n" * 50)
            self.assertEqual(steps.count("\r\n:"), 50, steps)
            self.assertLess(time.monotonic() - began, 20, "a step waited for the loop to come round")
            server.result("TICK RATE 1000")
            time.sleep(1)
            paused_at = server.result("TICK INFO")["tick"]
            server.result("TICK RESUME")
            until(lambda: server.result("TICK INFO")["tick"] > paused_at, "it ticks again")
            skipped = server.result("TICK INFO")["skipped"]
            self.assertLess(skipped, 900, "the 1000 ticks of the pause are not due, nor skipped")

    def test_works_and_publishes_at_once_while_no_tick_comes(self):
        with Server() as server:
            server.result("TICK PAUSE")
            began = time.monotonic()
            for _ in range(20):
                self.assertEqual(server.result("SPAWN COUNT 3000 QUIET health"), 3000)
                with server.connect() as listener, listener.makefile() as lines:
                    listener.sendall(b"JSON EVENTS ON spawn\n")
                    self.assertIn('"ok":true', lines.readline())
                    server.result("SPAWN health")
                    self.assertIn("*3", lines.readline())
            self.assertLess(time.monotonic() - began, 15, "work waited for the loop to come round")

    def test_steps_while_paused_and_answers_after_the_last(self):
        with Server() as server:
            server.result("TICK PAUSE")
            before = server.result("TICK INFO")["tick"]
            self.assertEqual(server.result("TICK STEP 10"), before + 10)
            self.assertEqual(server.result("TICK INFO")["tick"], before + 10)

    def test_serves_others_during_a_sprint(self):
        with Server("--scenario", "demo") as server, server.connect() as sprinter:
            sprinter.sendall(b"TICK SPRINT 1000000000\n")
            until(lambda: server.result("TICK INFO")["state"] == "sprinting", "the sprint begins")
            server.result("TICK PAUSE")
            self.assertTrue(sprinter.recv(1000).startswith(b"-ERR"), "told that it was cut short")

    def test_ends_a_sprint_with_its_client(self):
        with Server() as server, server.connect() as sprinter:
            sprinter.sendall(b"CLIENT ID\nTICK SPRINT 1000000000\n")
            number = exactly(sprinter, 4)[1:2].decode()
            until(lambda: server.result("TICK INFO")["state"] == "sprinting", "the sprint begins")
            self.assertEqual(server.result(f"CLIENT KILL ID {number}"), 1)
            self.assertEqual(server.result("TICK INFO")["state"], "running")

    def test_goes_on_with_a_sprint_whose_client_only_ended_its_sending(self):
        with Server() as server:
            self.assertRegex(server.ask("TICK SPRINT 20000\n"), r"^:\d+\r\n$")

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
                until(lambda: server.result("CONFIG GET max-query-rows") == {"max-query-rows": "200"}, "it is reloaded")
                self.assertEqual(server.result("CONFIG GET seed"), {"seed": "1"}, "a seed needs a restart")
                file.write_text("max-query-rows = many\n")
                server.process.send_signal(signal.SIGHUP)
                server.until_logged("my.toml:1")
                self.assertIn("need a restart to change: seed", server.log())
                self.assertEqual(server.result("CONFIG GET max-query-rows"), {"max-query-rows": "200"},
                                 "a broken file changes nothing")

    def test_reports_health(self):
        with Server() as server:
            port = str(server.address[1])
            self.assertEqual(run("--healthcheck", "--port", port)[0], 0)
            server.end()
            code, _, errors = run("--healthcheck", "--port", port)
            self.assertEqual(code, 1)
            self.assertIn(port, errors)

    def test_the_world_gives_back_what_a_mass_death_leaves_empty(self):
        def held():
            return int(re.search(r"live_bytes:(\d+)", server.result("INFO memory"))[1])

        with Server() as server:
            server.result("SPAWN COUNT 400000 QUIET position velocity health")
            full = held()
            server.result("CLEAR YES")
            until(lambda: held() < full / 2, "half of the memory is given back")

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
