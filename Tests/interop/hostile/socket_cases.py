"""Frames, events and floods of a hostile server."""

import json
import os

from .cases import case
from .server import TIME, Gone, event, frame, text

TELLS = "tells"
ANSWERS = "answers"
EITHER = "either"
BREAKS = "(?i)connect|protocol|restored"


def after_welcome(*pieces, then="serve"):
    """Writes these once the agent has joined; then serves, waits, leaves or resets. On each connection anew."""
    def talk(server, connection):
        connection.welcome()
        for piece in pieces:
            connection.write(piece)
        finish(connection, then)
    return talk


def at_once(*pieces, then="wait"):
    """Writes these right behind the 101."""
    def talk(server, connection):
        for piece in pieces:
            connection.write(piece)
        finish(connection, then)
    return talk


def finish(connection, then):
    if then == "serve":
        connection.serve()
    elif then == "wait":
        connection.wait()
    elif then == "reset":
        connection.reset()


def flood(block, times, then="serve"):
    def talk(server, connection):
        connection.welcome()
        connection.flood(block, times)
        finish(connection, then)
    return talk


def cursor_of(server):
    return server.requests[-1]["target"]


# Frames that break RFC 6455. Each is an error of the connection, which is made anew a bounded number of times.
def broken(name, *pieces, **rest):
    case("frame: " + name, TELLS, talk=at_once(*pieces), says=BREAKS, check="few connections", **rest)


broken("a length of 2^63", frame(1, length=1 << 63))
broken("a length of 2^63 - 1", frame(1, length=(1 << 63) - 1))


def large_frame(server, connection):
    connection.write(frame(1, length=200_000_000))
    connection.flood(b"x" * 65536, 200_000_000 // 65536)
    connection.wait()


case("frame: 200 MB announced and sent", TELLS, talk=large_frame, says=BREAKS, check="few connections")
broken("a length longer than it needs", b"\x81\x7e\x00\x05hello")
broken("masked", frame(1, b"hello", masked=True))
broken("a reserved bit", frame(1, b"hello", rsv=4))
broken("compressed, unasked", frame(1, b"\x00" * 1000, rsv=4), frame(1, b"\x00" * 65000, rsv=4))
broken("a continuation of nothing", frame(0, b"hello"))
broken("a text within a fragmented text", frame(1, b"he", fin=False), frame(1, b"llo"))
broken("a ping of 126 bytes", frame(9, b"x" * 126))
broken("a fragmented ping", frame(9, b"x", fin=False))
broken("a reserved opcode", frame(3, b"x"))
broken("a reserved control opcode", frame(11, b"x"))
broken("text that is no UTF-8", frame(1, b"\xff\xfe"))
broken("half a character at the end", frame(1, b"\xe2\x82", fin=False), frame(0, b""))
broken("binary", frame(2, b"\x00\x01"))
broken("a Close of one byte", frame(8, b"\x03"))
broken("Close 1005", frame(8, b"\x03\xed"))
broken("Close 999", frame(8, b"\x03\xe7"))
broken("Close 65535", frame(8, b"\xff\xff"))
broken("a Close whose reason is no UTF-8", frame(8, b"\x03\xe8\xff"))
broken("a Close of 200 bytes", frame(8, b"\x03\xe8" + b"x" * 198))

# Fragments: the message is bounded, and so is what its pieces cost.
case("frame: endless fragments", TELLS, says="(?i)connect|time", timeout=8,
     talk=flood(frame(0, b"x" * 65000, fin=False), 1 << 20, "wait"))


def fragments(piece, count):
    def talk(server, connection):
        connection.welcome()
        connection.write(frame(1, b"", fin=False))
        connection.flood(frame(0, piece, fin=False) * 4096, count // 4096)
        connection.write(frame(0, b""))
        connection.serve()
    return talk


case("frame: a million fragments of one byte", EITHER, talk=fragments(b" ", 1 << 20), timeout=15, heavy=True)
case("frame: 100,000 fragments of one byte", EITHER, talk=fragments(b" ", 102_400), timeout=8)
case("frame: 200,000 empty fragments", EITHER, talk=fragments(b"", 204_800), timeout=8)

# Ends.
case("end: RST in a frame", EITHER, talk=at_once(frame(1, length=100), b"x", then="reset"))
case("end: no Close, in a frame", EITHER, talk=at_once(frame(1, length=100), b"x", then="leave"))
case("end: Close 1000 at once", TELLS, talk=at_once(frame(8, b"\x03\xe8bye"), then="leave"),
     says="(?i)ended|connection")
case("end: Close 4000 at once", TELLS, talk=at_once(frame(8, b"\x0f\xa0"), then="leave"))
for name, piece in (("no Close", b""), ("Close 1011", frame(8, b"\x03\xf3")), ("Close 1012", frame(8, b"\x03\xf4")),
                    ("Close 1006", frame(8, b"\x03\xee"))):
    case(f"end: right behind the 101, {name}", TELLS, talk=at_once(piece, then="leave"), timeout=10,
         says="(?i)connect", check="growing pauses")


def start_and_end(piece, **capabilities):
    def talk(server, connection):
        connection.start(**capabilities)
        connection.write(piece)
    return talk


case("end: right behind SESSION_START, two attempts announced", TELLS, timeout=12,
     talk=start_and_end(frame(8, b"\x03\xf3"), max_reconnect_attempts=2), says="(?i)restored",
     check="three connections")
case("end: 4001 right behind SESSION_START", TELLS, talk=start_and_end(frame(8, b"\x0f\xa1")), timeout=10,
     check="four sessions")
case("end: 4001 right behind the 101", TELLS, talk=at_once(frame(8, b"\x0f\xa1"), then="leave"), timeout=10,
     check="four sessions")


# A server that lost its memory and gives the old id again.
def forgetful_upgrade(server, connection, request):
    if server.counts["upgrade"] == 2:
        return connection.answer(401, b"{}")
    connection.accept(request)
    connection.welcome()
    if server.counts["upgrade"] == 1:
        heard = connection.until("EVENT_TYPE_USER_MESSAGE")
        connection.echo(heard)
        connection.reply("one")
        return
    server.notes.append("joined again")
    connection.serve()


case("restart: the old id again", EITHER, words=("hi", "are you there?"), timeout=20, check="joined again",
     session=lambda server, connection, request: connection.answer(200, {"session_id": "s-1"}),
     upgrade=forgetful_upgrade)


# Events that make no sense; what is unusable is left out, the talk goes on.
def odd(name, *events, expects=ANSWERS, **rest):
    pieces = [one if isinstance(one, bytes) else text(one) for one in events]
    case("event: " + name, expects, talk=after_welcome(*pieces), **rest)


def chunk(index, words, message="m", last=False, **fields):
    return event("POLY_AGENT_MESSAGE_CHUNK",
                 {"message_id": message, "chunk_index": index, "is_complete": last, "text": words, **fields})


def reply(words, **fields):
    return event("POLY_AGENT_MESSAGE", {"message_id": "m-" + os.urandom(4).hex(), "text": words, **fields})


odd("no JSON", text(b"{"))
odd("an array", text([]))
odd("an empty object", text({}))
odd("100,000 levels", text(b"[" * 100_000))
odd("100,000 levels of objects", text(b'{"a":' * 100_000))
odd("200,000 members", text(b"{" + b",".join(b'"a%d":1' % n for n in range(200_000)) + b"}"))
odd("a number of 100,000 digits", text(b'{"type":"EVENT_TYPE_HEARTBEAT","sequence":' + b"9" * 100_000 + b"}"))
odd("a type that is a number", {"type": 5})
odd("an unknown type", event("NEWS_FROM_MARS", {"a": 1}))
odd("a batch in a batch", event("EVENT_BATCH", {"events": [event("EVENT_BATCH", {"events": [reply("in")]})]}))
odd("a batch of nonsense", event("EVENT_BATCH", {"events": [None, 5, "x", [], {}, {"type": None}]}))
odd("a batch of 50,000 heartbeats", event("EVENT_BATCH", {"events": [{"type": "EVENT_TYPE_HEARTBEAT"}] * 50_000}))
odd("payloads of another shape", *(event(kind, value) for kind in
    ("POLY_AGENT_MESSAGE", "POLY_AGENT_MESSAGE_CHUNK", "SYSTEM_MESSAGE", "LIVE_AGENT_TYPING",
     "HANDOFF_QUEUE_STATUS")
    for value in ([], "x", 5, {"message_id": 7, "text": {}, "chunk_index": "a", "level": [], "state": 1})))
odd("200,000 suggestions", reply("fine", response_suggestions=[{"message_text": f"s{n}"} for n in range(200_000)]))
odd("50,000 attachments", reply("fine", attachments=[{"content_url": "http://["}] * 50_000))
odd("20,000 suggestions in 20 chunks", *(chunk(n, "x", last=n == 19, response_suggestions=[
    {"message_text": f"s{n}-{m}"} for m in range(1_000)]) for n in range(20)), heavy=True, timeout=20)
odd("a text of 1 MB", reply("word " * 200_000))
odd("a text of 15 MB", reply("w" * 15_000_000), timeout=10)
odd("control characters", reply("\x1b[31m\x9b2J\x00\u202e\u2028\x07"), check="clean output")
odd("half a surrogate pair", text(json.dumps(reply("x")).replace('"x"', '"\\ud800"').encode()))
odd("chunks at absurd places", *(chunk(n, "x", last=n == 5) for n in (-1, 0, 1 << 62, -(1 << 62), 5)))
odd("an absurd time", event("POLY_AGENT_LEFT", timestamp="9999999-99-99T99:99:99Z"),
    event("POLY_AGENT_LEFT", timestamp="-1"), event("POLY_AGENT_LEFT", timestamp="1" * 10_000))
odd("a time that is a number", event("POLY_AGENT_LEFT", timestamp=1e300))
odd("an empty id", event("POLY_AGENT_LEFT", id=" "), {"type": "EVENT_TYPE_POLY_AGENT_LEFT", "id": ""})


def numbered(name, *numbers, **rest):
    events = [text({**reply(f"number {one}"), "sequence": one}) for one in numbers]
    case("sequence: " + name, EITHER, talk=after_welcome(*events), **rest)


numbered("a gap", 1_000)
numbered("backwards", *range(200, 3, -1), timeout=8)
numbered("2^64 - 1", (1 << 64) - 1)
numbered("2^63", 1 << 63)
numbered("below nothing", -1, -(1 << 63))
numbered("a fraction", 4.5, 1e30)
numbered("a text", "5", None, True)
numbered("10^40", int("1" + "0" * 40))
numbered("a thousand gaps", *range(10, 2_000, 2), timeout=8)


def capabilities(name, **values):
    def talk(server, connection):
        connection.start(**values)
        connection.serve()
    case("capabilities: " + name, EITHER, talk=talk)


capabilities("10^40", heartbeat_interval_seconds=10 ** 40, max_reconnect_attempts=10 ** 40,
             max_message_size_bytes=10 ** 40)
capabilities("below nothing", heartbeat_interval_seconds=-5, max_reconnect_attempts=-5, max_message_size_bytes=-5)
capabilities("texts", heartbeat_interval_seconds="x", max_reconnect_attempts="x", max_message_size_bytes="x")
capabilities("fractions", heartbeat_interval_seconds=1e-9, max_reconnect_attempts=0.5, max_message_size_bytes=0.5)
capabilities("a message of one byte", max_message_size_bytes=1)


# Floods.
HEARTBEAT = text({"type": "EVENT_TYPE_HEARTBEAT", "payload": {}})


def heartbeats(count):
    return flood(HEARTBEAT * 1_000, count // 1_000)


def typing(count):
    one = text(event("POLY_AGENT_THINKING", id="t", timestamp=TIME))
    return flood(one * 1_000, count // 1_000)


def replies(count):
    def talk(server, connection):
        connection.welcome()
        one = json.dumps(event("POLY_AGENT_MESSAGE", {"message_id": "r%d", "text": "reply %d"}, -1, id="r%d"))
        one = one.replace(": -1", ": %d").encode()
        for start in range(0, count, 500):
            block = []
            for n in range(start, start + 500):
                connection.sequence += 1
                block.append(frame(1, one % (n, n, n, connection.sequence)))
            connection.write(b"".join(block))
        connection.serve()
    return talk


def chunks(count, order=lambda numbers: numbers):
    def talk(server, connection):
        connection.welcome()
        numbers = list(order(range(count)))
        for start in range(0, count, 500):
            connection.write(b"".join(text(connection.next(
                "POLY_AGENT_MESSAGE_CHUNK",
                {"message_id": "long", "chunk_index": n, "is_complete": place == count - 1, "text": "x"}))
                for place, n in enumerate(numbers[start:start + 500], start)))
        connection.serve()
    return talk


def notes(count):
    one = text(event("SYSTEM_MESSAGE", {"level": "SYSTEM_MESSAGE_LEVEL_INFO", "message": "note"}, id="n"))
    return flood(one * 500, count // 500)


case("flood: pings, and nobody reads the pongs", EITHER, talk=flood(frame(9, b"x" * 100) * 500, 400), timeout=15)
case("flood: pongs", ANSWERS, talk=flood(frame(10, b"x" * 100) * 500, 400), timeout=15)
case("flood: 100,000 heartbeats", ANSWERS, talk=heartbeats(100_000), megabytes=100, timeout=20)
case("flood: two million heartbeats", EITHER, talk=heartbeats(2_000_000), megabytes=100, timeout=240, heavy=True)
case("flood: heartbeats without an end", TELLS, talk=heartbeats(1 << 30), megabytes=100, timeout=8,
     says="(?i)time|reply")
case("flood: 500,000 signs of typing", EITHER, talk=typing(500_000), megabytes=100, timeout=120, heavy=True)
case("flood: 20,000 notes", EITHER, talk=notes(20_000), timeout=30)
case("flood: 4,000 chunks", ANSWERS, talk=chunks(4_000), timeout=20, seconds=0.3)
case("flood: 40,000 chunks", ANSWERS, talk=chunks(40_000), timeout=60, seconds=1.0, heavy=True)
case("flood: 20,000 chunks backwards", ANSWERS, talk=chunks(20_000, reversed), timeout=60, seconds=1.0, heavy=True)
case("flood: 131,072 chunks", ANSWERS, talk=chunks(131_072), timeout=120, heavy=True)
case("flood: 10,000 whole messages", EITHER, talk=replies(10_000), timeout=40, heavy=True)
case("flood: 100,000 whole messages", EITHER, talk=replies(100_000), timeout=120, heavy=True)
