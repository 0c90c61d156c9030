"""A client of the Messaging API in a few lines, for checks that need frames of their own choice."""

import base64
import json
import os
import socket
import struct
import time
import urllib.request


class Talker:
    """One session with one WebSocket. `say`, `send` and `wait` are all that most checks need."""

    def __init__(self, server, token, join=True, connect=True, streaming=False):
        self.base, self.frames, self.buffer, self.sequence = server.base, [], b"", 0
        self.access = self.call("access-token", {}, {"X-Token": token, "X-Host": "localhost"})["access_token"]
        body = {"platform": "web", "streaming_enabled": streaming}
        self.session = self.call("sessions", body, {"Authorization": "Bearer " + self.access})["session_id"]
        if connect:
            self.connect()
            if join:
                self.send("REQUEST_POLY_AGENT_JOIN")
                self.wait("POLY_AGENT_JOINED")

    def call(self, path, body, headers):
        request = urllib.request.Request(
            f"{self.base}/api/v1/{path}", data=json.dumps(body).encode(), method="POST", headers={"Content-Type": "application/json", **headers})
        with urllib.request.urlopen(request, timeout=10) as answer:
            return json.load(answer)

    def connect(self, cursor=None):
        host, port = self.base.removeprefix("http://").split(":")
        self.socket = socket.create_connection((host, int(port)), timeout=10)
        query = f"session_id={self.session}&access_token={self.access}" + ("" if cursor is None else f"&cursor={cursor}")
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(
            f"GET /ws?{query} HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
        while b"\r\n\r\n" not in self.buffer:
            more = self.socket.recv(65536)
            assert more, "the handshake was cut off"
            self.buffer += more
        head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        self.status = int(head.split()[1])
        assert self.status == 101, head.decode()
        # What is sent before the history has come would be answered in it.
        self.wait("EVENT_BATCH")

    def write(self, opcode, data):
        key = os.urandom(4)
        size = bytes([0x80 | len(data)]) if len(data) < 126 else bytes([0xFE]) + struct.pack(">H", len(data)) if len(data) < 65536 else bytes([0xFF]) + struct.pack(">Q", len(data))
        whole = int.from_bytes(data, "big") ^ int.from_bytes((key * (len(data) // 4 + 1))[: len(data)], "big") if data else 0
        self.socket.sendall(bytes([0x80 | opcode]) + size + key + whole.to_bytes(len(data), "big"))

    def send(self, type, payload=None, local=None):
        frame = {"type": "EVENT_TYPE_" + type, "payload": payload or {}}
        if local:
            frame["metadata"] = {"custom": {"local_id": local}}
        self.write(1, json.dumps(frame).encode())

    def say(self, text, wait=None):
        self.sequence += 1
        self.send("USER_MESSAGE", {"text": text}, f"local-{self.sequence}")
        return self.wait(wait) if wait else None

    def read(self):
        """The next frame: (opcode, bytes). None at the end of the connection."""
        while True:
            data = self.buffer
            if len(data) >= 2:
                size, at = data[1] & 127, 2
                if size == 126 and len(data) >= 4:
                    size, at = struct.unpack(">H", data[2:4])[0], 4
                elif size == 127 and len(data) >= 10:
                    size, at = struct.unpack(">Q", data[2:10])[0], 10
                elif size >= 126:
                    size = 1 << 60
                if len(data) >= at + size:
                    self.buffer = data[at + size:]
                    return data[0] & 15, data[at : at + size]
            more = self.socket.recv(1 << 20)
            if not more:
                return None
            self.buffer += more

    def wait(self, type, seconds=10):
        """Reads until a frame of this type came; its JSON, with the bytes as `bytes`."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            self.socket.settimeout(max(0.05, until - time.monotonic()))
            found = self.read()
            assert found, f"the connection ended before {type}"
            opcode, data = found
            if opcode == 9:
                self.write(10, data)
            if opcode == 8:
                self.code = struct.unpack(">H", data[:2])[0] if data else 1005
                if type == "CLOSE":
                    return self.code
                raise AssertionError(f"closed with {self.code} before {type}")
            if opcode != 1:
                continue
            try:
                frame = json.loads(data)
            except ValueError:
                continue
            self.frames.append(frame)
            if frame["type"].removeprefix("EVENT_TYPE_") == type:
                return {**frame, "bytes": data.decode()}
        raise AssertionError(f"no {type} within {seconds} s")

    def drop(self):
        """Ends the connection without a word, as a tunnel does."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.socket.close()
