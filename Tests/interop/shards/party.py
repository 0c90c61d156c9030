"""Sessions of the Messaging API on one server, with Python's websockets: they talk, go away, come back.

Every client numbers its messages (`local_id`), so that one that is lost, or told twice, is seen.
"""

import asyncio
import json
import urllib.error
import urllib.parse
import urllib.request

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

USER_MESSAGE = "EVENT_TYPE_USER_MESSAGE"
PATIENCE = 20


class Member:
    """One client with its session."""

    def __init__(self, base, tls=None):
        self.base, self.tls = base, tls
        self.sent, self.heard, self.twice = [], set(), []
        self.changed = asyncio.Event()
        self.socket = self.reader = None

    async def begin(self):
        token = await asyncio.to_thread(
            self.post, "/api/v1/access-token", {"X-Token": "shards", "X-Host": "app.example"}, {})
        self.token = token["access_token"]
        session = await asyncio.to_thread(
            self.post, "/api/v1/sessions", {"Authorization": f"Bearer {self.token}"},
            {"streaming_enabled": False, "platform": "custom"})
        self.id = session["session_id"]
        await self.open()

    def post(self, path, headers, body):
        request = urllib.request.Request(
            self.base + path, json.dumps(body).encode(), {"Content-Type": "application/json", **headers})
        with urllib.request.urlopen(request, timeout=PATIENCE, context=self.tls) as response:
            return json.load(response)

    @property
    def address(self):
        query = urllib.parse.urlencode({"access_token": self.token, "session_id": self.id, "cursor": 0})
        return f"{self.base.replace('http', 'ws', 1)}/ws?{query}"

    async def open(self):
        self.heard, self.twice = set(), []
        self.socket = await connect(self.address, ssl=self.tls, open_timeout=PATIENCE, ping_interval=None)
        self.reader = asyncio.create_task(self.read(self.socket))

    async def read(self, socket):
        try:
            async for text in socket:
                event = json.loads(text)
                events = event["payload"]["events"] if event["type"] == "EVENT_TYPE_EVENT_BATCH" else [event]
                for each in events:
                    if each["type"] == USER_MESSAGE:
                        number = each["metadata"]["custom"]["local_id"]
                        if number in self.heard:
                            self.twice.append(number)
                        self.heard.add(number)
                self.changed.set()
        except ConnectionClosed:
            pass
        self.changed.set()

    @property
    def is_open(self):
        return self.reader is not None and not self.reader.done()

    async def say(self):
        """Sends one message and waits for its echo; false when the connection is lost."""
        number = f"{self.id[:8]}-{len(self.sent) + 1}"
        self.sent.append(number)
        message = {"type": USER_MESSAGE, "payload": {"text": f"message {len(self.sent)}"},
                   "metadata": {"custom": {"local_id": number}}}
        try:
            await self.socket.send(json.dumps(message))
        except ConnectionClosed:
            return False
        return await self.hears(number)

    async def hears(self, number):
        async with asyncio.timeout(PATIENCE):
            while number not in self.heard:
                if not self.is_open:
                    return False
                self.changed.clear()
                await self.changed.wait()
        return True

    async def close(self):
        if self.socket:
            await self.socket.close()
            await self.reader

    async def come_back(self):
        """True when the history has every message, each once."""
        await self.close()
        await self.open()
        for number in self.sent:
            if not await self.hears(number):
                return False
        return not self.twice


class Party:
    def __init__(self, base, count, tls=None):
        self.members = [Member(base, tls) for _ in range(count)]
        self.chatter = None

    async def begin(self):
        await asyncio.gather(*(member.begin() for member in self.members))
        return {"sessions": [member.id for member in self.members]}

    async def talk(self, count):
        async def one(member):
            return [await member.say() for _ in range(count)]

        await asyncio.gather(*(one(member) for member in self.members if member.is_open))
        return self.state()

    async def start(self):
        self.is_chatting = True

        async def one(member):
            while self.is_chatting and member.is_open:
                if not await member.say():
                    return

        self.chatter = [asyncio.create_task(one(member)) for member in self.members if member.is_open]
        return {}

    async def stop(self):
        self.is_chatting = False
        await asyncio.gather(*self.chatter)
        return self.state()

    async def come_back(self):
        async def one(member):
            try:
                return await member.come_back()
            except (InvalidHandshake, OSError, TimeoutError):
                return False

        back = await asyncio.gather(*(one(member) for member in self.members))
        return {"back": [member.id for member, is_back in zip(self.members, back) if is_back]}

    async def end(self):
        await asyncio.gather(*(member.close() for member in self.members))
        return {}

    def state(self):
        """Whose connection is gone, and whose messages are: those of open connections without an echo."""
        return {
            "closed": [member.id for member in self.members if not member.is_open],
            "lost": [number for member in self.members if member.is_open
                     for number in member.sent if number not in member.heard],
            "twice": [number for member in self.members for number in member.twice],
            "sent": sum(len(member.sent) for member in self.members),
        }
