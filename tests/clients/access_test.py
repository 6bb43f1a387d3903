"""redis-cli where there is a password, on a unix socket, and as one who listens."""

import os
import subprocess

import harness


class GuardedRedisCliTest(harness.GuardedServerTest):
    def redis_cli(self, *arguments, password=None):
        environment = {"REDISCLI_AUTH": password} if password else {}
        return harness.run("redis-cli", "-p", self.port, *arguments, environment=environment).stdout

    def listening(self, *command):
        """redis-cli as one who subscribes or monitors: the process, of which nothing is heard yet."""
        process = subprocess.Popen(["redis-cli", "-p", str(self.port), *command], stdout=subprocess.PIPE, text=True,
                                   env={**os.environ, "REDISCLI_AUTH": "full secret"})
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        self.addCleanup(process.stdout.close)
        return process

    def read_until(self, process, text):
        lines = []
        while not any(text in line for line in lines):
            line = process.stdout.readline()
            self.assertTrue(line, f"{text!r} does not come: {lines}")
            lines.append(line)
        return "".join(lines)

    def test_logs_in_by_password_and_by_user(self):
        self.assertIn("NOAUTH", self.redis_cli("PING"))
        self.assertEqual(self.redis_cli("PING", password="full secret"), "PONG\n")
        self.assertEqual(self.redis_cli("-3", "PING", password="full secret"), "PONG\n")
        self.assertEqual(self.redis_cli("--user", "readonly", "COUNT", password="look secret"), "0\n")
        self.assertIn("NOPERM", self.redis_cli("--user", "readonly", "SPAWN", password="look secret"))

    def test_comes_by_the_unix_socket(self):
        result = harness.run("redis-cli", "-s", self.socket, "PING", environment={"REDISCLI_AUTH": "full secret"})
        self.assertEqual(result.stdout, "PONG\n")
        self.server.stop()
        self.assertFalse(os.path.exists(self.socket))

    def test_subscribes_to_events(self):
        for version in ("-2", "-3"):
            process = self.listening(version, "SUBSCRIBE", "events:spawn")
            self.read_until(process, "events:spawn")
            self.redis_cli("SPAWN", "health", password="full secret")
            self.assertIn('"event":"spawn"', self.read_until(process, '"event"').replace("\\", ""))

    def test_monitors_without_seeing_passwords(self):
        process = self.listening("MONITOR")
        self.read_until(process, "OK")
        self.redis_cli("SPAWN", "health=1,2", password="full secret")
        shown = self.read_until(process, "health=1,2")
        self.assertIn("AUTH", shown)
        self.assertNotIn("secret", shown)


class GuardedClientScriptTest(harness.GuardedServerTest):
    def test_logs_in_with_a_file(self):
        self.assertEqual(self.client_says("--password-file", self.passwords["full"], "SPAWN"), "0:0")
        look = ("--user", "readonly", "--password-file", self.passwords["look"])
        self.assertEqual(self.client_says(*look, "COUNT"), "1")
        self.assertIn("NOPERM", self.client(*look, "CLEAR", "YES").stderr)

    def test_load_and_soak_log_in_too(self):
        login = ("--password-file", self.passwords["full"])
        for name, *arguments in (("load", "--entities", 10, "--seconds", 0.1),
                                 ("soak", "--entities", 10, "--churn", 10, "--hours", 0.001)):
            with self.subTest(script=name):
                words = [str(word) for word in (*arguments, "--port", self.port)]
                csv = ["--csv", self.passwords["full"] + ".csv"] if name == "soak" else []
                ran = harness.script(name, *words, *login, *csv)
                verdicts = (0, 8) if name == "soak" else (0,)  # of three seconds, under a sanitizer
                self.assertIn(ran.returncode, verdicts, ran.stdout + ran.stderr)
                refused = harness.script(name, *words, *csv)
                self.assertEqual(refused.returncode, 3, "without a password")
                self.assertIn("--password-file", refused.stderr)

    def test_says_what_is_missing(self):
        without = self.client("COUNT")
        self.assertEqual((without.returncode, without.stdout), (3, ""))
        self.assertIn("--password-file", without.stderr)
        wrong = self.client("--password-file", self.passwords["look"], "COUNT")
        self.assertEqual((wrong.returncode, wrong.stderr), (3, "client: WRONGPASS wrong user name or password\n"))
        self.assertIn("No such file", self.client("--password-file", "/nowhere", "COUNT").stderr)
