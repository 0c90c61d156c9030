"""A well-behaved client that keeps talking while others misbehave: talk.py http://127.0.0.1:PORT [ROUND_TRIPS_PER_SECOND]

One line for each USER_MESSAGE that came back as its echo: how many milliseconds after the planned moment of sending,
so that a stall is seen in full; or a line that begins with "!" for each that did not. Ends with its reader. Only the
standard library, so that nothing but the server under test is measured.
"""

import base64
import json
import os
import socket
import struct
import sys
import time
import urllib.request

BASE = sys.argv[1]
RATE = float(sys.argv[2]) if len(sys.argv) > 2 else 50.0
PATIENCE = 5.0
PREFIX = "EVENT_TYPE_"


def post(path, headers):
    request = urllib.request.Request(BASE + path, data=b"{}", headers=headers, method="POST")
    request.add_header("Content-Type", "application/json")
    with urllib.request.urlopen(request, timeout=PATIENCE) as response:
        return json.load(response)


class Conversation:
    """One session and its connection; the agent has joined and greeted."""

    def __init__(self):
        token = post("/api/v1/access-token", {"X-Token": "webchat", "X-Host": "example.com"})["access_token"]
        session = post("/api/v1/sessions", {"Authorization": f"Bearer {token}"})["session_id"]
        host, port = BASE.removeprefix("http://").split(":")
        self.socket = socket.create_connection((host, int(port)), PATIENCE)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.data = b""
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(
            f"GET /ws?access_token={token}&session_id={session} HTTP/1.1\r\nHost: {host}:{port}\r\n"
            f"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
            "Sec-WebSocket-Version: 13\r\n\r\n".encode())
        while b"\r\n\r\n" not in self.data:
            self.read()
        head, self.data = self.data.split(b"\r\n\r\n", 1)
        if b" 101 " not in head.split(b"\r\n")[0]:
            raise OSError(head.split(b"\r\n")[0].decode())
        self.send("REQUEST_POLY_AGENT_JOIN", {})
        # The join itself may come within the history.
        self.wait("POLY_AGENT_MESSAGE", lambda payload: True)

    def read(self):
        more = self.socket.recv(65_536)
        if not more:
            raise OSError("the server has ended the connection")
        self.data += more

    def frame(self):
        """The next frame; a server masks nothing (RFC 6455 §5.1)."""
        def need(count):
            while len(self.data) < count:
                self.read()
        need(2)
        opcode, length, start = self.data[0] & 15, self.data[1], 2
        if length >= 126:
            start = 4 if length == 126 else 10
            need(start)
            length = int.from_bytes(self.data[2:start], "big")
        need(start + length)
        payload, self.data = self.data[start:start + length], self.data[start + length:]
        return opcode, payload

    def send(self, kind, payload, custom=None):
        event = {"type": PREFIX + kind, "payload": payload}
        if custom:
            event["metadata"] = {"custom": custom}
        text = json.dumps(event).encode()
        mask = os.urandom(4)
        size = bytes([128 | len(text)]) if len(text) < 126 else b"\xfe" + struct.pack(">H", len(text))
        self.socket.sendall(b"\x81" + size + mask + bytes(byte ^ mask[i & 3] for i, byte in enumerate(text)))

    def wait(self, kind, fits):
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            opcode, payload = self.frame()
            if opcode == 8:
                raise OSError(f"closed with {payload[:2].hex()}")
            if opcode == 1:
                event = json.loads(payload)
                if event["type"] == "EVENT_TYPE_ERROR":
                    raise OSError(f"refused: {event['payload']}")
                if event["type"] == PREFIX + kind and fits(event.get("payload", {})):
                    return
        raise OSError(f"no {kind} in {PATIENCE} s")


def main():
    conversation, planned, number = None, time.monotonic(), 0
    while True:
        planned += 1 / RATE
        time.sleep(max(0.0, planned - time.monotonic()))
        late = time.monotonic() - planned
        missed = int(late * RATE) if late > 2.0 else 0
        planned += missed / RATE
        number += 1
        text = f"message {number}"
        try:
            if conversation is None:
                conversation = Conversation()
                planned = time.monotonic()
            conversation.send("USER_MESSAGE", {"text": text}, {"local_id": str(number)})
            conversation.wait("USER_MESSAGE", lambda payload: payload.get("text") == text)
            line = f"{(time.monotonic() - planned) * 1000:.3f}"
        except (OSError, ValueError, KeyError) as error:
            conversation, line = None, f"! {type(error).__name__} {error}"
        try:
            print("! missed its moment\n" * missed + line, flush=True)
        except OSError:
            return


main()
