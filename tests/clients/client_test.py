"""The client's parts that need no server: reading replies, splitting lines, printing, completing."""

import argparse
import io
import unittest

import harness  # noqa: F401  (makes scripts/evertick importable)

from evertick import completion, figures, options, progress, render, wire, words


def read(data):
    """The one reply in these bytes."""
    return wire.ReplyReader(io.BytesIO(data)).read()


class ReplyReaderTest(unittest.TestCase):
    def test_reads_every_resp2_type(self):
        for data, value in ((b"+OK\r\n", "OK"), (b":-7\r\n", -7), (b"$5\r\nhello\r\n", "hello"), (b"$0\r\n\r\n", ""),
                            (b"$-1\r\n", None), (b"*-1\r\n", None), (b"*0\r\n", []),
                            (b"*2\r\n:1\r\n*1\r\n+a\r\n", [1, ["a"]])):
            with self.subTest(data=data):
                self.assertEqual(read(data), value)

    def test_reads_every_resp3_type(self):
        for data, value in ((b"_\r\n", None), (b"#t\r\n", True), (b"#f\r\n", False), (b",1.5\r\n", 1.5),
                            (b"%1\r\n$1\r\nx\r\n,2\r\n", {"x": 2.0}), (b"~1\r\n:1\r\n", [1]),
                            (b"=9\r\ntxt:hello\r\n", "hello"), (b"(123456789012345678901\r\n", 123456789012345678901)):
            with self.subTest(data=data):
                self.assertEqual(read(data), value)

    def test_tells_errors_pushes_and_json_from_data(self):
        self.assertEqual(read(b"-NOENT no entity 5:0\r\n").code, "NOENT")
        self.assertEqual(read(b"!9\r\nERR other\r\n"), wire.ErrorReply("ERR other"))
        self.assertEqual(read(b">1\r\n+spawn\r\n"), wire.Push(["spawn"]))
        self.assertEqual(read(b'{"ok":true,"tick":1,"result":[1,2]}\n').value()["result"], [1, 2])

    def test_keeps_line_ends_inside_a_bulk_string(self):
        self.assertEqual(read(b"$4\r\na\r\nb\r\n"), "a\r\nb")

    def test_shows_bytes_that_are_no_text_as_escapes(self):
        self.assertEqual(read(b"$2\r\na\xff\r\n"), "a\\xff")

    def test_says_when_the_server_closed_at_any_place(self):
        whole = b"*2\r\n$3\r\nabc\r\n:1\r\n"
        for length in range(len(whole)):
            with self.subTest(length=length), self.assertRaises(wire.ConnectionLost):
                read(whole[:length])

    def test_refuses_what_is_no_reply(self):
        for data in (b"HTTP/1.1 400 Bad Request\r\n", b":12x\r\n", b"+OK\n", b"\r\n"):
            with self.subTest(data=data), self.assertRaises(wire.WireError):
                read(data)

    def test_knows_a_failed_command_in_both_encodings(self):
        self.assertTrue(wire.is_error(read(b"-ERR no\r\n")))
        self.assertTrue(wire.is_error(read(b'{"ok":false,"tick":1,"code":"ERR","error":"no"}\n')))
        self.assertFalse(wire.is_error(read(b'{"ok":true,"tick":1,"result":null}\n')))

    def test_result_is_the_same_in_both_encodings(self):
        self.assertEqual(wire.result(read(b":3\r\n")), 3)
        self.assertEqual(wire.result(read(b'{"ok":true,"tick":1,"result":3}\n')), 3)
        self.assertIsNone(wire.result(read(b"-ERR no\r\n")))


class EncodeTest(unittest.TestCase):
    def test_frames_words_by_their_bytes(self):
        self.assertEqual(wire.encode(("ECHO", "é", 7, b"\0\r\n")),
                         b"*4\r\n$4\r\nECHO\r\n$2\r\n\xc3\xa9\r\n$1\r\n7\r\n$3\r\n\0\r\n\r\n")


class SplitLineTest(unittest.TestCase):
    def test_splits_as_the_server_splits_inline_commands(self):
        for line, expected in (("SPAWN position=1,2,3", ["SPAWN", "position=1,2,3"]), ("  a \t b \n", ["a", "b"]),
                               ('ECHO "a b"', ["ECHO", "a b"]), ("ECHO 'a \"b'", ["ECHO", 'a "b']),
                               (r'"\n\t\"\\\x41"', ['\n\t"\\A']), (r"'it\'s'", ["it's"]), ('a"b c"', ["ab c"]),
                               ('""', [""]), ("", []), ("  \n", []), ("# SPAWN", []), ("ECHO #", ["ECHO", "#"])):
            with self.subTest(line=line):
                self.assertEqual(words.split_line(line), expected)

    def test_a_hexadecimal_byte_reaches_the_wire_as_that_byte(self):
        self.assertIn(b"$2\r\n\xff\xc3\r\n", wire.encode(words.split_line(r'ECHO "\xff\xc3"')))

    def test_says_what_is_wrong_with_a_quote(self):
        for line, text in (('ECHO "a', 'no closing "'), ("ECHO 'a", "no closing '"), ('"a\\', 'no closing "'),
                           ('"a"b', "followed by a space")):
            with self.subTest(line=line), self.assertRaisesRegex(words.QuoteError, text):
                words.split_line(line)


class RenderTest(unittest.TestCase):
    def test_plain_values_stand_alone(self):
        for value, text in ((None, "(none)"), (True, "true"), (3, "3"), (1.0, "1"), (0.1, "0.1"), (-2.5e-7, "-2.5e-07"),
                            ("0:0", "0:0"), ("two\r\nlines\r\n", "two\nlines")):
            with self.subTest(value=value):
                self.assertEqual(render.render(["GET"], value), text)

    def test_a_map_of_maps_takes_a_line_for_each_component(self):
        reply = {"position": {"x": 1.0, "y": 2.0, "z": -3.5}, "ai": {"state": "idle", "target": None}}
        self.assertEqual(render.render(["GET", "0:0"], reply),
                         "position: x=1 y=2 z=-3.5\nai:       state=idle target=(none)")

    def test_deeper_values_are_indented(self):
        reply = {"get": {"summary": "Shows it.", "arguments": [{"name": "id"}, {"name": "part", "flags": ["a", "b"]}]}}
        self.assertEqual(render.render(["COMMAND"], reply).splitlines(),
                         ["get:", "  summary:   Shows it.", "  arguments:", "    - name=id", "    -",
                          "      name:  part", "      flags: a, b"])

    def test_ids_come_one_a_line_for_the_shell(self):
        self.assertEqual(render.render(["SPAWN"], ["0:0", "1:0"]), "0:0\n1:0")
        self.assertEqual(render.render(["query"], ["0", ["0:0", "1:0"]]), "0:0\n1:0")

    def test_rows_of_a_query_take_a_line_each(self):
        reply = ["7", [["0:0", {"position": {"x": 1.0, "y": 0.0}}], ["4:2", {"position": None}]]]
        self.assertEqual(render.render(["QUERY"], reply), "0:0 position.x=1 position.y=0\n4:2 position=(none)")

    def test_rows_in_resp2_are_shown_as_the_lists_they_are(self):
        self.assertEqual(render.render(["QUERY"], ["0", [["0:0", ["position", "x"]]]]),
                         "- 0\n-\n  -\n    - 0:0\n    - position, x")

    def test_notes_say_that_there_is_more_or_nothing(self):
        self.assertEqual(render.note(["QUERY"], ["7", ["0:0"]]), "(more: add CURSOR 7)")
        self.assertEqual(render.note(["QUERY"], ["0", []]), "(nothing)")
        self.assertEqual(render.note(["QUERY"], ["0", ["0:0"]]), "")
        self.assertEqual(render.note(["GET"], {}), "(nothing)")
        self.assertEqual(render.render(["QUERY"], ["0", []]), "")

    def test_empty_and_unprintable_words_inside_a_list_are_quoted(self):
        self.assertEqual(render.render(["X"], ["", "a\tb"]), '""\n"a\\tb"')


DOCS = {
    "spawn": {"summary": "Creates.", "group": "world", "arguments": [
        {"name": "count", "type": "integer", "token": "COUNT", "flags": ["optional"]},
        {"name": "component[.field]=value", "type": "string"}]},
    "query": {"group": "world", "arguments": [
        {"name": "component,...", "type": "string", "token": "WITH"},
        {"name": "region", "type": "oneof", "arguments": [
            {"name": "near", "type": "block", "token": "NEAR", "arguments": [{"name": "x", "type": "double"}]}]},
        {"name": "component[.field],...", "type": "string", "token": "RETURN"}]},
    "tick": {"group": "time", "subcommands": {
        "tick|info": {"group": "time"},
        "tick|sprint": {"group": "time", "arguments": [{"name": "ticks", "type": "integer", "token": "UNTIL"}]}}},
    "help": {"group": "server"},
}
COMPONENTS = """\
position: where the entity is
  x                 a number from -9 to 9 (m), default 0
  y                 a number from -9 to 9 (m), default 0
health: how much damage
  current           a whole number, default 100; regenerates
ai: chases
  state             one of idle, chase, attack, default idle; what it is doing
  range             a number from 0 to 9 (m), default 1
flags: labels
  set               none, or some of alive, elite joined by commas, or edits of what is set such as +alive
"""


class CompletionTest(unittest.TestCase):
    def setUp(self):
        self.completer = completion.Completer(completion.parse_docs(DOCS), completion.parse_components(COMPONENTS))

    def test_completes_each_kind_of_word(self):
        for line, expected in (("SP", ["SPAWN "]), ("sp", ["spawn "]), ("", ["HELP ", "QUERY ", "SPAWN ", "TICK "]),
                               ("TICK ", ["INFO ", "SPRINT "]), ("tick i", ["info "]), ("TICK SPRINT U", ["UNTIL "]),
                               ("SPAWN CO", ["COUNT "]), ("QUERY NE", ["NEAR "]), ("SPAWN pos", ["position="]),
                               ("SPAWN position.", ["position.x=", "position.y="]), ("SPAWN position=1,", []),
                               ("QUERY RETURN pos", ["position"]), ("QUERY WITH position,h", ["position,health"]),
                               ("QUERY RETURN health.", ["health.current"]), ("HELP pos", ["position"]),
                               ("HELP S", ["SPAWN "]), ("SPAWN ai.state=c", ["ai.state=chase"]),
                               ("SPAWN ai=a", ["ai=attack"]), ("SPAWN ai.range=", []),
                               ("SPAWN flags=", ["flags=alive", "flags=elite"]),
                               ("SPAWN flags=alive,e", ["flags=alive,elite"]), ("SPAWN nobody=", []),
                               ("TICK INFO pos", []), ("NONSENSE ", [])):
            with self.subTest(line=line):
                self.assertEqual(self.completer.candidates(line), expected)

    def test_knows_nothing_about_a_server_that_does_not_describe_itself(self):
        class Silent:
            @staticmethod
            def call(*_):
                return wire.ErrorReply("ERR unknown command")

        self.assertEqual(completion.fetch(Silent()).candidates("SP"), [])


class OptionsTest(unittest.TestCase):
    def parse(self, *arguments, environment=None):
        parser = argparse.ArgumentParser()
        options.add_address(parser, environment or {})
        return parser.parse_args(arguments)

    def test_port_comes_from_the_option_then_the_environment_then_the_default(self):
        self.assertEqual(self.parse("--port", "7", environment={"EVERTICK_PORT": "8"}).port, 7)
        self.assertEqual(self.parse(environment={"EVERTICK_PORT": "8"}).port, 8)
        self.assertEqual((self.parse().host, self.parse().port), ("127.0.0.1", 7777))

    def test_numbers_outside_their_limits_are_refused_with_the_limits(self):
        for kind, text in ((options.port_number, "0"), (options.port_number, "65536"), (options.port_number, "x"),
                           (options.whole_number(1, 9), "-1"), (options.whole_number(1, 9), "1.5"),
                           (options.decimal_number(0, 1), "nan"), (options.decimal_number(0, 1), "1e9")):
            with self.subTest(text=text), self.assertRaisesRegex(argparse.ArgumentTypeError, f"'{text}'.* from "):
                kind(text)


class HistogramTest(unittest.TestCase):
    def test_percentiles_are_within_three_per_cent(self):
        histogram = figures.Histogram()
        for number in range(1, 1001):
            histogram.add(number / 1000)
        self.assertAlmostEqual(histogram.percentile(50), 0.5, delta=0.015)
        self.assertAlmostEqual(histogram.percentile(99), 0.99, delta=0.03)
        self.assertEqual((histogram.percentile(100), histogram.max, histogram.count), (1.0, 1.0, 1000))

    def test_is_zero_when_empty(self):
        self.assertEqual(figures.Histogram().percentile(99), 0.0)


class ProgressTest(unittest.TestCase):
    def test_shows_share_and_time(self):
        self.assertEqual(progress.bar_text(30, 60, "text"), "[############------------] 0:30 of 1:00  text")
        self.assertEqual(progress.bar_text(7200, 3600, ""), "[########################] 2:00:00 of 1:00:00  ")

    def test_a_log_gets_a_line_only_now_and_then(self):
        clock, log = iter((0, 0, 0, 1, 11, 11)), io.StringIO()
        line = progress.ProgressLine(60, log, now=lambda: next(clock), log_seconds=10)
        for second in (0, 1, 11):
            line.show(second, lambda: "text")
        self.assertEqual(log.getvalue().count("\n"), 2)


if __name__ == "__main__":
    unittest.main()
