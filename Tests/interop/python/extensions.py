"""Extensions with Python's websockets, next to a plain client: extensions.py http://127.0.0.1:PORT PLAIN.txt"""

import asyncio
import json
import re
import sys
import urllib.error
import urllib.parse
import urllib.request

from websockets.asyncio.client import connect

TYPE = "EVENT_TYPE_"
CHANGED = "EXT_MESSAGE_CHANGED"
BASE, PLAIN = sys.argv[1:3]
PATIENCE = 15.0
counts = [0, 0]


def check(actual, expected, name):
    is_right = actual == expected
    counts[0 if is_right else 1] += 1
    print(f"ok {name}" if is_right else f"FAIL {name}: got {actual!r}, expected {expected!r}")


def request(path, headers, body):
    asked = urllib.request.Request(
        BASE + path, data=json.dumps(body).encode(),
        headers={"Content-Type": "application/json", **headers}, method="POST")
    try:
        with urllib.request.urlopen(asked, timeout=PATIENCE) as response:
            return response.status, response.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


class Chat:
    """One connection, with the texts of its frames as they came."""

    async def open(self, extensions=None):
        body = {"streaming_enabled": False, "platform": "custom"}
        if extensions is not None:
            body["extensions"] = extensions
        _, text = await asyncio.to_thread(
            request, "/api/v1/access-token", {"X-Token": "webchat", "X-Host": "com.example.app"}, {})
        self.token = json.loads(text)["access_token"]
        _, self.answer = await asyncio.to_thread(
            request, "/api/v1/sessions", {"Authorization": f"Bearer {self.token}"}, body)
        self.id = json.loads(self.answer)["session_id"]
        self.frames, self.events = [], []
        query = urllib.parse.urlencode({"access_token": self.token, "session_id": self.id})
        self.socket = await connect(BASE.replace("http", "ws", 1) + "/ws?" + query, max_size=None)
        await self.next("SESSION_START")
        await self.send("REQUEST_POLY_AGENT_JOIN")
        self.greeting = (await self.next("POLY_AGENT_MESSAGE"))["payload"]["message_id"]
        return self

    async def send(self, type, payload=None, custom=None):
        event = {"type": TYPE + type, "payload": payload or {}}
        if custom:
            event["metadata"] = {"custom": custom}
        await self.socket.send(json.dumps(event))

    async def next(self, type):
        async with asyncio.timeout(PATIENCE):
            while True:
                if not self.events:
                    text = await self.socket.recv()
                    self.frames.append(text)
                    event = json.loads(text)
                    batch = event["type"] == TYPE + "EVENT_BATCH"
                    self.events += event["payload"]["events"] if batch else [event]
                event = self.events.pop(0)
                if event["type"] == TYPE + type:
                    return event

    async def change(self, message, change, custom=None):
        await self.send(CHANGED, {"message_id": message, "change": change}, custom)


def outline(text):
    """The bytes of a frame without what is another at each start: ids and times."""
    text = re.sub(r'"(session_id|error_id|id)":"[0-9a-f-]{36}"', r'"\1":"ID"', text)
    text = re.sub(r"msg_(u_)?[0-9a-f]{16}", r"msg_\1N", text)
    return re.sub(r"\d{4}-\d\d-\d\dT[\d:.]+Z", "TIME", text)


async def plain():
    """A client that knows nothing of extensions gets what it always got, byte for byte."""
    chat = await Chat().open()
    for text in ["book", "rude", "thanks"]:
        await chat.send("USER_MESSAGE", {"text": text}, {"local_id": text, "files": "f-1", "reply_to": "m"})
        await chat.next("POLY_AGENT_MESSAGE")
    await chat.next("POLY_AGENT_MESSAGE")  # two of "rude"
    await chat.change(chat.greeting, {"reaction": "❤️", "on": True}, {"tag": "x"})
    await chat.next("SYSTEM_MESSAGE")
    await chat.send("USER_READ_MESSAGE", {"message_id": chat.greeting})
    await chat.next("SYSTEM_MESSAGE")
    status, body = await asyncio.to_thread(
        request, f"/api/v1/sessions/{chat.id}/files", {"Authorization": f"Bearer {chat.token}"},
        {"name": "a", "type": "text/plain", "size": 1})
    lines = [chat.answer, *chat.frames, f"{status} {body}"]
    await chat.socket.close()
    return "".join(outline(line) + "\n" for line in lines)


async def asking():
    chat = await Chat().open(["changes", "files"])
    await chat.send("USER_MESSAGE", {"text": "book"})
    mine = (await chat.next("USER_MESSAGE"))["payload"]["message_id"]
    reply = await chat.next("POLY_AGENT_MESSAGE")
    edit = await chat.next(CHANGED)
    check(edit["payload"], {
        "message_id": reply["payload"]["message_id"], "change": {"text": "At half past seven."}, "by": "agent",
    }, "the agent edits its reply")
    check(edit["sequence"], reply["sequence"] + 1, "a change has the next sequence")
    await chat.send("USER_MESSAGE", {"text": "rude"})
    withdrawn = await chat.next(CHANGED)
    check(withdrawn["payload"]["change"], {"deleted": True}, "the agent withdraws its reply")
    await chat.next("POLY_AGENT_MESSAGE")

    refused = [
        ("an unknown message", "nobody", {"deleted": True}),
        ("a foreign message", chat.greeting, {"text": "mine"}),
        ("a withdrawn message", withdrawn["payload"]["message_id"], {"reaction": "a", "on": True}),
        ("an edit without text", mine, {"text": " "}),
        ("a long reaction", mine, {"reaction": "x" * 33, "on": True}),
        ("two changes at once", mine, {"text": "a", "deleted": True}),
        ("ready from a client", mine, {"file": "f", "state": "ready"}),
    ]
    for number in range(20):
        await chat.change(mine, {"reaction": f"r{number}", "on": True})
        await chat.next(CHANGED)
    refused.append(("the 21st reaction", mine, {"reaction": "r20", "on": True}))
    for name, message, change in refused:
        await chat.change(message, change, {"local_id": name})
        notice = await chat.next("SYSTEM_MESSAGE")
        check(
            (notice["sequence"], notice["payload"]["level"], notice["payload"]["message"], notice["metadata"]),
            (None, "SYSTEM_MESSAGE_LEVEL_ERROR", "Unknown event type or invalid message format",
             {"custom": {"local_id": name}}), f"{name} gets the protocol's notice")
    await chat.change(mine, {"deleted": True})
    check((await chat.next(CHANGED))["payload"]["by"], "user", "a client withdraws its own message")
    await chat.socket.close()


async def main():
    expected = open(PLAIN, encoding="utf-8").read()
    alone = await plain()
    check(alone, expected, "a plain client gets the recorded bytes")
    beside, _ = await asyncio.gather(plain(), asking())
    check(beside, expected, "and the same bytes next to a client with extensions")


asyncio.run(main())
print(f"{counts[0]} passed, {counts[1]} failed")
sys.exit(1 if counts[1] else 0)
