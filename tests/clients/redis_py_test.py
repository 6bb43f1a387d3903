"""redis-py 4.3: the world as Python programs see it through Debian's python3-redis (RESP2)."""

import json
import threading

import harness
import redis


class RedisPyTest(harness.ServerTest):
    def setUp(self):
        super().setUp()
        self.redis = self.connect()
        self.redis.execute_command("TICK", "PAUSE")

    def connect(self, **options):
        connected = redis.Redis(port=self.port, decode_responses=True, **options)
        self.addCleanup(connected.connection_pool.disconnect)
        return connected

    def spawn(self, *components):
        return self.redis.execute_command("SPAWN", *components)

    def test_an_entity_is_a_hash(self):
        entity = self.spawn("position=1,2,3")
        self.assertEqual(self.redis.hset(entity, mapping={"position.x": -1.5, "health.current": 40}), 1)
        self.assertEqual(self.redis.hgetall(entity), {"position.x": "-1.5", "position.y": "2", "position.z": "3",
                                                      "health.current": "40", "health.max": "100"})
        self.assertEqual(self.redis.hget(entity, "health.current"), "40")
        self.assertEqual(self.redis.hmget(entity, ["health.max", "ai.state"]), ["100", None])
        self.assertEqual(self.redis.hlen(entity), 5)
        self.assertEqual(self.redis.hdel(entity, "health"), 1)

    def test_a_key_is_an_id(self):
        entity = self.spawn("position")
        self.assertEqual((self.redis.exists(entity), self.redis.type(entity), self.redis.dbsize()), (1, "hash", 1))
        self.assertEqual(self.redis.delete(entity, "9:0"), 1)
        self.assertEqual((self.redis.exists(entity), self.redis.type(entity), self.redis.dbsize()), (0, "none", 0))
        self.assertEqual((self.redis.hgetall(entity), self.redis.hget(entity, "position.x")), ({}, None))

    def test_bytes_come_back_as_they_went(self):
        every_byte = bytes(range(256))
        binary = redis.Redis(port=self.port)
        self.addCleanup(binary.connection_pool.disconnect)
        self.assertEqual(binary.echo(every_byte), every_byte)
        self.assertEqual(self.redis.echo("gr\u00fc\u00df dich"), "gr\u00fc\u00df dich")

    def test_errors_name_things_and_leave_the_connection_usable(self):
        for words, text in ((("HSET", "0:0", "position.x", 1), "NOENT no entity 0:0: it never existed"),
                            (("SPWAN",), r"unknown command 'SPWAN' \(did you mean 'SPAWN'\?\)"),
                            (("GET", "user:1"), "BADARG id: 'user:1' is not an entity")):
            with self.assertRaisesRegex(redis.ResponseError, text):
                self.redis.execute_command(*words)
        self.assertTrue(self.redis.ping())

    def test_a_pipeline_is_answered_in_order(self):
        pipeline = self.redis.pipeline(transaction=False)
        for number in range(5000):
            pipeline.echo(number)
        self.assertEqual(pipeline.execute(), [str(number) for number in range(5000)])

    def test_a_transaction_runs_as_one(self):
        entity = self.spawn("position")
        with self.redis.pipeline() as pipeline:
            pipeline.hset(entity, "position.x", 7).hget(entity, "position.x").hgetall("9:0")
            self.assertEqual(pipeline.execute(), [0, "7", {}])
            pipeline.hset(entity, "position.x", 8).hset("9:0", "position.x", 8)
            with self.assertRaisesRegex(redis.ResponseError, "Command # 2 .* NOENT no entity 9:0"):
                pipeline.execute()
            pipeline.hset(entity, "position.x", 9).execute_command("SPWAN")
            with self.assertRaisesRegex(redis.ResponseError, "Command # 2 .*did you mean 'SPAWN'"):
                pipeline.execute()
        self.assertEqual(self.redis.hget(entity, "position.x"), "8")

    def test_scan_iter_sees_every_entity_once(self):
        ids = self.redis.execute_command("SPAWN", "COUNT", 2500, "position")
        self.assertEqual(list(self.redis.scan_iter(count=100)), ids)
        self.assertEqual(list(self.redis.scan_iter(match="12?:*", count=1000)), [f"12{last}:0" for last in range(10)])
        self.assertEqual(self.redis.keys("2499:*"), ["2499:0"])

    def test_events_come_to_who_subscribes(self):
        with self.redis.pubsub() as listener:
            listener.subscribe("events:spawn")
            listener.psubscribe("events:*")
            for kind in ("subscribe", "psubscribe"):
                self.assertEqual(listener.get_message(timeout=harness.RUN_TIMEOUT_SECONDS)["type"], kind)
            entity = self.spawn("position")
            messages = {}
            while len(messages) < 2:
                message = listener.get_message(timeout=harness.RUN_TIMEOUT_SECONDS)
                messages[message["type"]] = (message["channel"], json.loads(message["data"])["entities"])
            self.assertEqual(messages, {"message": ("events:spawn", [entity]), "pmessage": ("events:spawn", [entity])})
            listener.ping()
            self.assertEqual(listener.get_message(timeout=harness.RUN_TIMEOUT_SECONDS)["type"], "pong")
            listener.unsubscribe()
            listener.punsubscribe()
        self.assertTrue(self.redis.ping())

    def test_an_event_reaches_a_handler_in_a_thread(self):
        heard = threading.Event()
        listener = self.redis.pubsub(ignore_subscribe_messages=True)
        listener.subscribe(**{"events:spawn": lambda message: heard.set()})
        thread = listener.run_in_thread(sleep_time=0.05)
        self.addCleanup(thread.join)
        self.addCleanup(thread.stop)
        harness.until(lambda: self.spawn() and heard.is_set(), "the handler hears of a spawn")

    def test_a_connection_has_a_name(self):
        self.assertTrue(self.redis.client_setname("watcher"))
        self.assertEqual(self.redis.client_getname(), "watcher")
        named = [client for client in self.redis.client_list() if client["name"] == "watcher"]
        self.assertEqual([client["cmd"] for client in named], ["client|list"])
        other = self.connect(client_name="other")
        self.assertEqual(other.client_getname(), "other")
        self.assertEqual(self.redis.client_kill_filter(_id=other.client_id()), 1)

    def test_settings_are_read_and_changed(self):
        self.assertEqual(self.redis.config_get("tick-rate"), {"tick-rate": "30"})
        self.assertTrue(self.redis.config_set("max-query-rows", 500))
        self.assertEqual(self.redis.config_get("max-query-*"), {"max-query-rows": "500"})

    def test_the_state_of_the_server_is_read(self):
        self.spawn("position")
        info = self.redis.info()
        self.assertEqual((info["entities"], info["loading"], info["db0"]["keys"]), (1, 0, 1))
        self.assertEqual(self.redis.info("clients")["connected_clients"], 1)
        self.assertIn("spawn", self.redis.command())
        self.assertGreater(self.redis.command_count(), 50)

    def test_the_slow_log_is_read(self):
        self.redis.config_set("slowlog-log-slower-than", 0)
        self.redis.echo("slow")
        self.assertIn(b"ECHO slow", [entry["command"] for entry in self.redis.slowlog_get(10)])
        self.assertGreaterEqual(self.redis.slowlog_len(), 1)
        self.assertTrue(self.redis.slowlog_reset())

    def test_commands_are_monitored(self):
        with self.redis.monitor() as monitor:
            self.connect().echo('say "hi"\n')
            seen = monitor.next_command()
            while not seen["command"].startswith("ECHO"):
                seen = monitor.next_command()
            self.assertEqual((seen["command"], seen["client_address"]), (r'ECHO say "hi"\x0a', "127.0.0.1"))


class GuardedRedisPyTest(harness.GuardedServerTest):
    def connect(self, **options):
        connected = redis.Redis(port=self.port, decode_responses=True, **options)
        self.addCleanup(connected.connection_pool.disconnect)
        return connected

    def test_a_password_is_needed(self):
        with self.assertRaisesRegex(redis.AuthenticationError, "Authentication required"):
            self.connect().ping()
        with self.assertRaisesRegex(redis.ResponseError, "WRONGPASS wrong user name or password"):
            self.connect(password="guess").ping()
        self.assertTrue(self.connect(password="full secret").ping())

    def test_a_user_may_only_look(self):
        look = self.connect(username="readonly", password="look secret")
        self.assertEqual(look.dbsize(), 0)
        with self.assertRaisesRegex(redis.exceptions.NoPermissionError, "'readonly' may look and not change"):
            look.execute_command("SPAWN")

    def test_a_unix_socket_serves_as_well(self):
        address = f"unix://{self.socket}?username=readonly&password=look+secret"
        with redis.Redis.from_url(address) as connected:
            self.assertTrue(connected.ping())
