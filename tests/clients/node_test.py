"""ioredis 6 and node-redis 6: what node/ioredis.js and node/node_redis.js expect of a server."""

import os
import threading

import harness
from evertick.server_process import ServerProcess

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "node")


class NodeTest(harness.UnixSocketServerTest):
    """A server that is started again when a client ends it, as a service manager would."""

    def start_again_until(self, done):
        while not done.wait(0.02):
            if self.server.exit_code() is not None:
                self.server = ServerProcess(harness.binary(), self.server_arguments)
                self.addCleanup(self.server.stop)

    def expect_satisfied(self, program):
        done = threading.Event()
        manager = threading.Thread(target=self.start_again_until, args=[done])
        manager.start()
        try:
            result = harness.run("node", os.path.join(FOLDER, program), self.port, self.socket)
        finally:
            done.set()
            manager.join()
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)


class IoredisTest(NodeTest):
    def test_is_satisfied(self):
        self.expect_satisfied("ioredis.js")


class NodeRedisTest(NodeTest):
    def test_is_satisfied(self):
        self.expect_satisfied("node_redis.js")
