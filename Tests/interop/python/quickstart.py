"""The whole conversation with Python's websockets: quickstart.py http://127.0.0.1:PORT"""

import asyncio
import json
import sys
import traceback
import urllib.parse
import urllib.request

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

TYPE = "EVENT_TYPE_"
if len(sys.argv) != 2:
    sys.exit(f"usage: {sys.argv[0]} ADDRESS, such as the one that polymock prints")
BASE = sys.argv[1]
PATIENCE = 15.0


class Checks:
    def __init__(self):
        self.passed = 0
        self.failed = 0

    def ok(self, condition, name, detail=""):
        if condition:
            self.passed += 1
            print(f"ok {name}")
        else:
            self.failed += 1
            print(f"FAIL {name}: {detail}")

    def equal(self, actual, expected, name):
        self.ok(actual == expected, name, f"got {actual!r}, expected {expected!r}")


checks = Checks()


def post(path, headers, body):
    request = urllib.request.Request(BASE + path, data=json.dumps(body).encode(), headers=headers, method="POST")
    with urllib.request.urlopen(request, timeout=PATIENCE) as response:
        return json.load(response)


async def new_session(streaming=False):
    headers = {"Content-Type": "application/json"}
    token = (await asyncio.to_thread(
        post, "/api/v1/access-token", {**headers, "X-Token": "webchat", "X-Host": "com.example.app"}, {},
    ))["access_token"]
    session = await asyncio.to_thread(
        post, "/api/v1/sessions", {**headers, "Authorization": f"Bearer {token}"},
        {"streaming_enabled": streaming, "platform": "custom"},
    )
    return token, session["session_id"]


def url(session, cursor=None):
    query = {"access_token": session[0], "session_id": session[1]}
    if cursor is not None:
        query["cursor"] = cursor
    return BASE.replace("http", "ws", 1) + "/ws?" + urllib.parse.urlencode(query)


class Chat:
    """One connection: reads everything, opens batches, hands out events in order."""

    def __init__(self, session, cursor=None):
        self.address = url(session, cursor)
        self.events = []
        self.read = 0
        self.close_code = None

    async def __aenter__(self):
        self.socket = await connect(self.address, max_size=None)
        self.arrived = asyncio.Event()
        self.reader = asyncio.create_task(self.receive())
        return self

    async def __aexit__(self, *_):
        await self.socket.close()
        await self.reader

    async def receive(self):
        try:
            async for text in self.socket:
                event = json.loads(text)
                batch = event["type"] == TYPE + "EVENT_BATCH"
                self.events += event["payload"]["events"] if batch else [event]
                self.arrived.set()
        except ConnectionClosed:
            pass
        self.close_code = self.socket.close_code
        self.arrived.set()

    async def send(self, type, payload=None, custom=None):
        event = {"type": TYPE + type, "payload": payload or {}}
        if custom:
            event["metadata"] = {"custom": custom}
        await self.socket.send(json.dumps(event))

    async def next(self, type, matches=lambda event: True):
        async with asyncio.timeout(PATIENCE):
            while True:
                for index in range(self.read, len(self.events)):
                    event = self.events[index]
                    if event["type"] == TYPE + type and matches(event):
                        self.read = index + 1
                        return event
                if self.close_code is not None:
                    raise AssertionError(f"closed with {self.close_code} before {type}")
                self.arrived.clear()
                await self.arrived.wait()

    async def closing(self):
        async with asyncio.timeout(PATIENCE):
            await self.reader
        return self.close_code

    async def begin(self):
        await self.next("SESSION_START")
        await self.send("REQUEST_POLY_AGENT_JOIN")

    def journaled(self):
        return [event for event in self.events if event.get("sequence") is not None]


def outline(events):
    return [(event["sequence"], event["id"], event["type"]) for event in events]


async def two_connections():
    """Poly-messaging 5.10."""
    session = await new_session()
    async with Chat(session) as desk, Chat(session) as phone:
        await desk.begin()
        await desk.next("POLY_AGENT_MESSAGE")
        await phone.next("POLY_AGENT_MESSAGE")
        await desk.send("USER_MESSAGE", {"text": "from the desk"}, {"local_id": "D-1"})
        mine, theirs = await desk.next("USER_MESSAGE"), await phone.next("USER_MESSAGE")
        checks.equal(theirs, mine, "an echo reaches both connections, equal in every field")
        await desk.next("POLY_AGENT_MESSAGE")
        await phone.next("POLY_AGENT_MESSAGE")

        await phone.send("HEARTBEAT")
        await phone.next("HEARTBEAT")
        await phone.socket.send("not json")
        await phone.next("SYSTEM_MESSAGE")
        await phone.send("USER_TYPING", {"state": "TYPING_STATE_STARTED"})
        await phone.send("USER_MESSAGE", {"text": "from the phone"}, {"local_id": "P-1"})
        await desk.next("USER_MESSAGE", lambda event: event["payload"]["text"] == "from the phone")
        seen = {event["type"].removeprefix(TYPE) for event in desk.events}
        private = {"HEARTBEAT", "SYSTEM_MESSAGE", "USER_TYPING"} & seen
        checks.equal(private, set(), "heartbeats, typing and a client's own errors stay on its connection")

        await phone.send("USER_END_SESSION")
        await desk.next("SESSION_END")
        codes = [await desk.closing(), await phone.closing()]
        checks.equal(codes, [1000, 1000], "ending on one connection ends it on both")
        checks.equal(outline(phone.journaled()), outline(desk.journaled()), "both saw the same journal")


async def every_cursor():
    """Poly-messaging 2.2, 2.4 and 5.9."""
    session = await new_session(streaming=True)
    async with Chat(session) as live:
        await live.begin()
        await live.next("POLY_AGENT_MESSAGE_CHUNK", lambda event: event["payload"]["is_complete"])
        await live.send("USER_MESSAGE", {"text": "hello"}, {"local_id": "C-1"})
        await live.next("USER_MESSAGE")
        await live.next("POLY_AGENT_MESSAGE_CHUNK", lambda event: event["payload"]["is_complete"])
        journal = live.journaled()
    checks.equal(
        [event["sequence"] for event in journal], list(range(1, len(journal) + 1)), "the journal has no gap",
    )

    async def replay(cursor, expected):
        async with Chat(session, cursor) as chat:
            # A heartbeat's echo comes after the replay, so nothing can still be on its way.
            await chat.send("HEARTBEAT")
            await chat.next("HEARTBEAT")
            return chat.journaled() == expected, chat.journaled()

    wrong = []
    for cursor in range(len(journal) + 1):
        expected = [journal[0]] + [event for event in journal[1:] if event["sequence"] > cursor]
        same, got = await replay(cursor, expected)
        if not same:
            wrong.append((cursor, [event["sequence"] for event in got]))
    checks.equal(wrong, [], f"a reconnect at each cursor from 0 to {len(journal)} gives exactly the later events")
    for cursor in ["", "abc", "-1", "1.5", "seq:", "seq:x", "18446744073709551616"]:
        same, got = await replay(cursor, journal)
        checks.ok(same, f"cursor {cursor!r} means the full history", outline(got))
    same, got = await replay("seq:4", [journal[0]] + journal[4:])
    checks.ok(same, "cursor 'seq:4' means 4", outline(got))
    same, got = await replay("999999", [journal[0]])
    checks.ok(same, "a cursor beyond the end gives SESSION_START alone", outline(got))


async def frames():
    """RFC 6455: fragments, pings, and a message that is split inside a character."""
    async with Chat(await new_session()) as chat:
        await chat.begin()
        await chat.next("POLY_AGENT_MESSAGE")
        waiter = await chat.socket.ping(b"are you there")
        async with asyncio.timeout(PATIENCE):
            await waiter
        checks.ok(True, "a ping is answered")
        text = json.dumps({"type": TYPE + "USER_MESSAGE", "payload": {"text": "añb🙂c"}}, ensure_ascii=False)
        await chat.socket.send([text[index:index + 1] for index in range(len(text))])
        echo = await chat.next("USER_MESSAGE")
        checks.equal(echo["payload"]["text"], "añb🙂c", "a message in one-character fragments arrives whole")
        escaped = '{"type":"EVENT_TYPE_USER_MESSAGE","payload":{"text":"\\ud83d\\ude42 \\u0000 \\"\\\\ \\n"}}'
        await chat.socket.send(escaped)
        echo = await chat.next("USER_MESSAGE")
        checks.equal(echo["payload"]["text"], '🙂 \0 "\\ \n', "escapes survive the round trip")


async def many_sessions():
    """Sessions do not disturb each other."""

    async def talk(number):
        async with Chat(await new_session(streaming=number % 2 == 0)) as chat:
            await chat.begin()
            await chat.send("USER_MESSAGE", {"text": f"this is {number}"}, {"local_id": str(number)})
            echo = await chat.next("USER_MESSAGE")
            kind = "POLY_AGENT_MESSAGE_CHUNK" if number % 2 == 0 else "POLY_AGENT_MESSAGE"
            await chat.next(kind)
            texts = [e["payload"]["text"] for e in chat.events if e["type"] == TYPE + "USER_MESSAGE"]
            return echo["metadata"]["custom"]["local_id"] == str(number) and texts == [f"this is {number}"]

    results = await asyncio.gather(*(talk(number) for number in range(50)))
    checks.equal(results, [True] * 50, "fifty sessions at once each hear only themselves")


async def main():
    for part in [two_connections, every_cursor, frames, many_sessions]:
        try:
            await part()
        except Exception:  # noqa: BLE001  one broken part is one failure, the others still run
            checks.ok(False, part.__name__, traceback.format_exc())
    print(f"{checks.passed} passed, {checks.failed} failed")
    return 0 if checks.failed == 0 else 1


sys.exit(asyncio.run(main()))
