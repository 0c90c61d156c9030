"""Servers that lose events, say unusable things, or go silent: nothing that was received may be lost for that."""

import itertools
import json
import time

from .cases import case
from .server import TIME, Gone, event, text

UNTIL = ("--new", "--until", "ended")
SHOWS = "either"


def loss(name, shows, timeout=8, **rest):
    """`shows`: the texts of the agent, in order, and whether a reconnect is allowed."""
    case("loss: " + name, SHOWS, words=(), flags=UNTIL, timeout=timeout, check="shown", shows=shows, **rest)


# A message after a hole, then the worst.
def hole(after, then=None):
    def talk(server, connection):
        if server.counts["upgrade"] > 1:
            connection.sequence = 5
            return then(server, connection) if then else connection.wait()
        connection.welcome()
        connection.sequence += 1
        connection.reply("behind")
        after(connection)
        connection.serve()
    return talk


def unavailable(status):
    def upgrade(server, connection, request):
        if server.counts["upgrade"] > 1:
            return connection.answer(status, {"message": "down"})
        server.good_upgrade(connection, request)
    return upgrade


def nothing(connection):
    pass


def closing(code):
    def after(connection):
        time.sleep(0.3)
        connection.write(b"\x88\x02" + code.to_bytes(2, "big"))
    return after


def ending(connection):
    connection.say(connection.next("SESSION_END", {"reason": "REASON_NATURAL_END"}))


def further(connection):
    connection.sequence += 1
    connection.reply("further")


def beating(connection):
    for _ in range(8):
        connection.say(event("HEARTBEAT"))
        time.sleep(0.5)


def filled(server, connection):
    """The replay comes, but late."""
    time.sleep(4)
    events = [event("POLY_AGENT_MESSAGE", {"message_id": "m-3", "text": "missing"}, 3)]
    connection.say(event("EVENT_BATCH", {"events": events}))
    connection.wait()


def anew(server, connection):
    """Another session."""
    connection.sequence = 0
    connection.welcome()
    connection.serve()


loss("a hole, then silence", ["behind"], talk=hole(nothing))
# A message after a hole is shown when the first attempt to connect fails.
for status in (503, 429, 404, 403):
    loss(f"a hole, then {status}", ["behind"], talk=hole(nothing), upgrade=unavailable(status))
loss("a hole, then close 4001", ["behind"], talk=hole(closing(4001), anew))
for code in (1000, 1011, 4000):
    loss(f"a hole, then close {code}", ["behind"], talk=hole(closing(code)))
loss("a hole, then the end", ["behind"], talk=hole(ending))
loss("a hole, then another", ["behind", "further"], talk=hole(further))
loss("a hole, then heartbeats", ["behind"], talk=hole(beating))
loss("a hole, then a late replay", ["behind", "missing"], timeout=14, talk=hole(nothing, filled))


# Events that cannot be used. The next one is shown at once.
def odd(*pieces, batch=False):
    """The last connection's sequence is counted for each piece."""
    def talk(server, connection):
        if server.counts["upgrade"] > 1:
            return connection.wait()
        connection.welcome()
        made = [piece(connection) for piece in pieces]
        made.append(connection.next("POLY_AGENT_MESSAGE", {"message_id": "good", "text": "good"}))
        if batch:
            made = [event("EVENT_BATCH", {"events": made})]
        for one in made:
            connection.write(text(one))
        connection.wait()
    return talk


def spoilt(**changes):
    def piece(connection):
        made = connection.next("POLY_AGENT_MESSAGE", {"message_id": "bad", "text": "bad"})
        for name, value in changes.items():
            if value is None:
                del made[name]
            else:
                made[name] = value
        return made
    return piece


deep = json.loads("[" * 90 + "]" * 90)
for name, piece in (
        ("no id", spoilt(id=None)), ("no timestamp", spoilt(timestamp=None)), ("no type", spoilt(type=None)),
        ("a number as type", spoilt(type=7)), ("a number as id", spoilt(id=7)),
        ("a list as timestamp", spoilt(timestamp=[TIME])), ("deep nesting", spoilt(type="EVENT_TYPE_X", payload=deep)),
        ("a number beyond a double", spoilt(type="EVENT_TYPE_X", payload={"n": 10 ** 400})),
        ("an unknown type", spoilt(type="EVENT_TYPE_X"))):
    for batch in (False, True):
        loss(f"{name}, {'in a batch' if batch else 'live'}", ["good"], timeout=4, one_connection=True,
             talk=odd(piece, batch=batch))


# Text that is no Unicode, and byte order marks.
def message(words, **payload):
    return lambda connection: connection.next(
        "POLY_AGENT_MESSAGE", {"message_id": f"m{connection.sequence}", "text": words, **payload})


def chunk(index, words, last):
    return lambda connection: connection.next("POLY_AGENT_MESSAGE_CHUNK", {
        "message_id": "c", "chunk_index": index, "is_complete": last, "text": words})


def marked(connection):
    return b"\xef\xbb\xbf" + json.dumps(message("marked")(connection)).encode()


for name, shows, pieces in (
        ("half a character in a message", ["a?"], [message("a\ud83d")]),
        ("half a character in a name", ["b"], [message("b", agent_name="\udc4d")]),
        ("half a character in a suggestion", ["c"], [message("c", response_suggestions=[{"message_text": "\ud83d"}])]),
        ("half a character in a member's name", ["d"], [message("d", **{"\udc00": 1})])):
    for batch in (False, True):
        loss(f"{name}, {'in a batch' if batch else 'live'}", [*shows, "good"], timeout=4, one_connection=True,
             talk=odd(*pieces, batch=batch))
loss("a character cut between two chunks", ["Hi* there", "good"], timeout=4, one_connection=True,
     talk=odd(chunk(1, "Hi \ud83d", False), chunk(2, "\ude00 there", True)))
loss("a byte order mark before a frame", ["marked", "good"], timeout=4, one_connection=True, talk=odd(marked))


def marking(step, value):
    def hook(server, connection, request):
        connection.answer(200, b"\xef\xbb\xbf" + json.dumps(value).encode())
    return {step: hook}


loss("a byte order mark before a token", ["good"], timeout=4, talk=odd(),
     **marking("token", {"access_token": "aGVhZA.e30.c2ln", "expires_in": 60}))
loss("a byte order mark before a session", ["good"], timeout=4, talk=odd(), **marking("session", {"session_id": "s"}))


# A peer that is gone while its socket is there.
def half_open(echoes, noisy=False):
    def talk(server, connection):
        if server.counts["upgrade"] > 1:
            connection.say(event("EVENT_BATCH", {"events": [
                event("POLY_AGENT_MESSAGE", {"message_id": "m", "text": "meanwhile"}, 3, id="e-meanwhile")]}))
            return connection.wait()
        connection.start(heartbeat_interval_seconds=1)
        connection.until("EVENT_TYPE_REQUEST_POLY_AGENT_JOIN")
        connection.say(connection.next("POLY_AGENT_JOINED", {"agent_name": "Ada"}))
        for _ in range(echoes):
            connection.until("EVENT_TYPE_HEARTBEAT")
            connection.say(event("HEARTBEAT"))
        while noisy:
            connection.until("EVENT_TYPE_HEARTBEAT")
            connection.say(event("LIVE_AGENT_TYPING", {"state": "TYPING_STATE_STARTED"}))
        connection.wait()
    return talk


loss("no heartbeat is echoed any more", ["meanwhile"], timeout=12, talk=half_open(2))
loss("no heartbeat is echoed any more, though frames come", ["meanwhile"], timeout=16, talk=half_open(1, noisy=True))


# Redirects of REST requests.
def moved(status, location, times=1):
    def hook(server, connection, request):
        if request["target"].endswith("moved"):
            return server.good_token(connection, request)
        connection.answer(status, b"", "Location: " + location)
    return hook


for status in (307, 308):
    case(f"loss: a token moved with {status} on one host", "answers", token=moved(status, "/api/v1/access-token?moved"))
for status, location in ((301, "/new"), (302, "/new"), (307, "http://elsewhere.invalid/x"), (308, "/api/v1/access-token")):
    case(f"loss: a token redirected with {status} to {location}", "tells", token=moved(status, location),
         says=f"HTTP {status}, a redirect to {location}")
