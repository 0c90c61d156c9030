"""A whole test of fault over the control API, without Swift: fault.py http://127.0.0.1:PORT

The connection breaks at "reply 2 chunk 2", a client of Python's websockets comes back with its cursor, and the journal
says that nothing was lost or doubled. Time stands still but for what the test asks for.
"""

import asyncio
import json
import sys
import urllib.error
import urllib.parse
import urllib.request

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

if len(sys.argv) != 2:
    sys.exit(f"usage: {sys.argv[0]} ADDRESS, such as the one that polymock prints")
BASE = sys.argv[1]
TAG = "python-fault"
FAILED = []


def check(condition, name, detail=""):
    print(f"ok {name}" if condition else f"FAIL {name}: {detail}")
    if not condition:
        FAILED.append(name)


def call(method, path, body=None, headers=None):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(BASE + path, data=data, method=method)
    request.add_header("Content-Type", "application/json")
    for name, value in (headers or {}).items():
        request.add_header(name, value)
    try:
        with urllib.request.urlopen(request, timeout=15) as response:
            return response.status, json.loads(response.read() or b"null")
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read() or b"null")


def control(method, path, body=None):
    status, answer = call(method, "/_mock/" + path, body)
    if status >= 300:
        raise AssertionError(f"{method} {path}: {status} {answer}")
    return answer


def open_session():
    _, token = call("POST", "/api/v1/access-token", {},
                    {"X-Token": f"mock:booking@seed=7@tag={TAG}", "X-Host": "com.example.app"})
    token = token["access_token"]
    _, session = call("POST", "/api/v1/sessions", {"streaming_enabled": True, "platform": "custom"},
                      {"Authorization": f"Bearer {token}"})
    return token, session["session_id"]


class Client:
    """What an app does: reads events, opens batches, drops what it knows, remembers its cursor."""

    def __init__(self, token, session):
        self.query = {"access_token": token, "session_id": session}
        self.events, self.known, self.cursor = [], set(), 0

    async def open(self):
        query = dict(self.query, **({"cursor": self.cursor} if self.cursor else {}))
        address = BASE.replace("http", "ws", 1) + "/ws?" + urllib.parse.urlencode(query)
        self.socket = await connect(address)
        self.reader = asyncio.create_task(self.read())

    async def read(self):
        try:
            async for text in self.socket:
                event = json.loads(text)
                batch = event["type"] == "EVENT_TYPE_EVENT_BATCH"
                for one in event["payload"]["events"] if batch else [event]:
                    self.take(one)
        except ConnectionClosed:
            pass

    def take(self, event):
        if event["id"] in self.known:
            return
        self.known.add(event["id"])
        self.events.append(event)
        self.cursor = max(self.cursor, event.get("sequence") or 0)

    async def send(self, kind, **payload):
        await self.socket.send(json.dumps({"type": "EVENT_TYPE_" + kind, "payload": payload}))

    def texts(self):
        """Agent messages, chunks put together."""
        messages = {}
        for event in self.events:
            if event["type"] == "EVENT_TYPE_POLY_AGENT_MESSAGE_CHUNK":
                chunk = event["payload"]
                messages.setdefault(chunk["message_id"], []).append(chunk["text"])
        return ["".join(parts) for parts in messages.values()]


async def until(condition, what):
    for _ in range(1500):
        if condition():
            return
        await asyncio.sleep(0.01)
    raise AssertionError(f"{what} did not happen")


async def main():
    control("POST", "reset", {})
    control("POST", "clock", {"mode": "frozen"})
    added = control("POST", "faults", {"at": "reply 2 chunk 2", "do": {"drop": "connection"}, "tag": TAG})
    check(len(added["faults"]) == 1, "one fault is added for the sessions of one tag", added)

    token, session = open_session()
    client = Client(token, session)
    await client.open()
    await until(lambda: client.events, "the first batch")
    await client.send("REQUEST_POLY_AGENT_JOIN")
    control("GET", f"wait?filter=session:{session}%20dir:in%20type:REQUEST_POLY_AGENT_JOIN&timeout=10s")
    control("POST", "clock", {"untilIdle": True})
    await until(lambda: len(client.texts()) == 1, "the greeting")

    await client.send("USER_MESSAGE", text="a table, please")
    control("GET", f"wait?filter=session:{session}%20dir:in%20type:USER_MESSAGE&timeout=10s")
    control("POST", "clock", {"untilIdle": True})
    await asyncio.wait_for(client.reader, 15)
    check(client.socket.close_code == 1006, "the connection broke without a close frame", client.socket.close_code)
    check(client.texts()[-1] == "With pleasure. For ", "chunk 1 came before it", client.texts())

    await client.open()
    await until(lambda: client.texts()[-1].endswith("people?"), "the rest of the reply")
    check(client.texts()[-1] == "With pleasure. For how many people?", "the reply is whole", client.texts())
    check(sum("Buongiorno" in text for text in client.texts()) == 1, "there is exactly one greeting", client.texts())

    journal = control("GET", f"sessions/{session}/journal")["entries"]
    check([entry["sequence"] for entry in journal] == list(range(1, len(journal) + 1)),
          "the journal has every number once", [entry["sequence"] for entry in journal])
    heard = [entry["event"]["id"] for entry in journal]
    check([event["id"] for event in client.events if event.get("sequence")] == heard,
          "the client heard the journal, in order, each event once")
    joins = [entry for entry in journal if entry["event"]["type"] == "EVENT_TYPE_REQUEST_POLY_AGENT_JOIN"]
    check(len(joins) == 1, "it joined once", len(joins))
    faults = control("GET", f"wire?filter=kind:fault%20session:{session}")["rows"]
    check(len(faults) == 1, "the fault fired once, and a row says so", faults)
    violations = [violation for violation in control("GET", "violations")["violations"] if violation["session"] == session]
    check(violations == [], "no protocol rule was broken", violations)

    control("POST", "clock", {"advance": "10m"})
    await until(lambda: client.events[-1]["type"] == "EVENT_TYPE_SESSION_END", "the end after ten silent minutes")
    check(True, "ten minutes pass at once: the session ends for silence")
    control("POST", "reset", {})


try:
    asyncio.run(main())
except Exception as error:  # told as a failed check, so that the summary is always there
    check(False, "the script", repr(error))
print(f"{'all passed' if not FAILED else str(len(FAILED)) + ' failed'}")
sys.exit(1 if FAILED else 0)
