"""hiredis 0.14, the C library: what hiredis_client.c expects of a server."""

import os

import harness


class HiredisTest(harness.UnixSocketServerTest):
    def expect_satisfied(self, address):
        result = harness.run(os.environ["HIREDIS_CLIENT"], address)
        self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_is_satisfied_over_tcp(self):
        self.expect_satisfied(self.port)

    def test_is_satisfied_over_a_unix_socket(self):
        self.expect_satisfied(self.socket)
