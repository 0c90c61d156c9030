"""Compressed messages with Python's websockets: deflate.py http://127.0.0.1:PORT"""

import asyncio
import json
import sys
import urllib.parse
import urllib.request

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed
from websockets.extensions.permessage_deflate import ClientPerMessageDeflateFactory

BASE = sys.argv[1]
SOCKETS = BASE.replace("http", "ws", 1)
TEXTS = ["", "x", "Hello", "κόσμε漢😀 " * 200, json.dumps({"numbers": list(range(5_000))}), "a" * 1_000_000]
PASSED = []
FAILED = []


def check(condition, name, detail=""):
    print(f"ok {name}" if condition else f"FAIL {name}: {detail}")
    (PASSED if condition else FAILED).append(name)


def post(path, headers, body):
    request = urllib.request.Request(BASE + path, data=json.dumps(body).encode(), headers=headers, method="POST")
    request.add_header("Content-Type", "application/json")
    with urllib.request.urlopen(request, timeout=15) as response:
        return json.load(response)


async def echoes(name, **parameters):
    factory = ClientPerMessageDeflateFactory(**parameters)
    async with connect(SOCKETS + "/_mock/echo", extensions=[factory], compression=None, max_size=None) as socket:
        agreed = socket.response.headers.get("Sec-WebSocket-Extensions")
        check(agreed and agreed.startswith("permessage-deflate"), f"{name}: agreed", agreed)
        for text in TEXTS * 3:
            await socket.send(text)
            answer = await asyncio.wait_for(socket.recv(), 15)
            if answer != text:
                return check(False, f"{name}: echoes", f"{len(answer)} for {len(text)} characters")
        check(True, f"{name}: {len(TEXTS) * 3} texts come back")


async def conversation():
    token = post("/api/v1/access-token", {"X-Token": "webchat", "X-Host": "com.example.app"}, {})["access_token"]
    session = post("/api/v1/sessions", {"Authorization": f"Bearer {token}"},
                   {"streaming_enabled": True, "platform": "custom"})["session_id"]
    query = urllib.parse.urlencode({"access_token": token, "session_id": session})
    async with connect(f"{SOCKETS}/ws?{query}") as socket:
        agreed = socket.response.headers.get("Sec-WebSocket-Extensions", "")
        check(agreed.startswith("permessage-deflate"), "a session compresses by default", agreed)
        await socket.send(json.dumps({"type": "EVENT_TYPE_REQUEST_POLY_AGENT_JOIN", "payload": {}}))
        while True:
            event = json.loads(await asyncio.wait_for(socket.recv(), 15))
            if event["type"] == "EVENT_TYPE_POLY_AGENT_MESSAGE_CHUNK" and event["payload"].get("is_complete"):
                return check(True, "the greeting streams")


async def bomb():
    async with connect(SOCKETS + "/_mock/echo") as socket:
        await socket.send("0" * (8 << 20))
        try:
            await asyncio.wait_for(socket.recv(), 15)
        except ConnectionClosed as closed:
            check(closed.rcvd and closed.rcvd.code == 1009, "8 MiB in 8 KiB are refused with 1009", closed)
        else:
            check(False, "8 MiB in 8 KiB are refused with 1009", "they came back")


async def main():
    await echoes("defaults", client_max_window_bits=True)
    await echoes("no contexts", server_no_context_takeover=True, client_no_context_takeover=True)
    await echoes("small windows", server_max_window_bits=9, client_max_window_bits=9)
    await echoes("large windows", server_max_window_bits=15)
    await conversation()
    await bomb()
    print(f"{len(PASSED)} passed, {len(FAILED)} failed")


asyncio.run(main())
sys.exit(1 if FAILED else 0)
