"""A server for one client that behaves well until a case says otherwise."""

import base64
import hashlib
import json
import os
import socket
import struct
import threading
import time

TOKEN = "aGVhZA.e30.c2ln"
TIME = "2026-01-02T03:04:05.678Z"
HTTP_TIMEOUT = 60


class Gone(Exception):
    """The client has left."""


def frame(opcode, payload=b"", fin=True, rsv=0, masked=False, length=None):
    """One frame of a server (RFC 6455 section 5.2); `length` writes another length than the true one."""
    head = bytearray([(0x80 if fin else 0) | rsv << 4 | opcode])
    size = len(payload) if length is None else length
    mask = 0x80 if masked else 0
    if size < 126:
        head.append(mask | size)
    elif size < 1 << 16:
        head += bytes([mask | 126]) + struct.pack(">H", size)
    else:
        head += bytes([mask | 127]) + struct.pack(">Q", size)
    if masked:
        head += b"\0\0\0\0"
    return bytes(head) + payload


def event(kind, payload=None, sequence=None, **fields):
    """An event of the Messaging API, without numbering unless a sequence is given."""
    made = {"type": "EVENT_TYPE_" + kind, "id": fields.pop("id", None) or "e-" + os.urandom(6).hex(),
            "timestamp": TIME, "payload": payload or {}}
    if sequence is not None:
        made["sequence"] = sequence
    made.update(fields)
    return made


def text(value):
    return frame(1, value if isinstance(value, bytes) else json.dumps(value).encode())


class Connection:
    """One TCP connection, blocking."""

    def __init__(self, sock):
        self.sock = sock
        self.buffer = b""
        self.sequence = 0

    def write(self, data):
        try:
            self.sock.sendall(data)
        except OSError as error:
            raise Gone from error

    def flood(self, block, times):
        """The same bytes many times, until the client has left."""
        for _ in range(times):
            self.write(block)

    def read(self, count):
        while len(self.buffer) < count:
            try:
                more = self.sock.recv(65536)
            except OSError as error:
                raise Gone from error
            if not more:
                raise Gone
            self.buffer += more
        data, self.buffer = self.buffer[:count], self.buffer[count:]
        return data

    def wait(self):
        """Until the client leaves."""
        while True:
            self.read(1)

    def reset(self):
        """Ends the connection with RST."""
        self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.sock.close()
        raise Gone

    # HTTP

    def request(self):
        head = b""
        while b"\r\n\r\n" not in head:
            head += self.read(1)
        lines = head.decode("latin-1").split("\r\n")
        method, target, _ = lines[0].split(" ", 2)
        fields = {}
        for line in lines[1:]:
            name, _, value = line.partition(":")
            fields[name.strip().lower()] = value.strip()
        body = self.read(int(fields.get("content-length", 0)))
        return {"method": method, "target": target, "fields": fields, "body": body, "head": head}

    def answer(self, status, body=b"", *fields, words="Words"):
        if not isinstance(body, bytes):
            body = json.dumps(body).encode()
        lines = [f"HTTP/1.1 {status} {words}", "Content-Type: application/json",
                 f"Content-Length: {len(body)}", *fields]
        self.write(("\r\n".join(lines) + "\r\n\r\n").encode("latin-1") + body)

    # WebSocket

    def accept(self, request, *fields, key=None, status="101 Switching Protocols", upgrade=True, then=b""):
        nonce = request["fields"].get("sec-websocket-key", "")
        right = base64.b64encode(
            hashlib.sha1((nonce + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest()).decode()
        lines = [f"HTTP/1.1 {status}"]
        if upgrade:
            lines += ["Upgrade: websocket", "Connection: Upgrade"]
        if key != "":
            lines.append("Sec-WebSocket-Accept: " + (key or right))
        self.write(("\r\n".join([*lines, *fields]) + "\r\n\r\n").encode() + then)

    def say(self, *events):
        self.write(b"".join(text(one) for one in events))

    def next(self, kind, payload=None, **fields):
        """The next event of the journal."""
        self.sequence += 1
        return event(kind, payload, self.sequence, **fields)

    def start(self, **capabilities):
        self.say(self.next("SESSION_START", {"capabilities": {
            "streaming": True, "max_message_size_bytes": 131072, "heartbeat_interval_seconds": 30,
            "max_reconnect_attempts": 5, **capabilities}}))

    def hear(self):
        """The next event of the client; closes in good order when the client does."""
        while True:
            head = self.read(2)
            size = head[1] & 127
            if size == 126:
                size = struct.unpack(">H", self.read(2))[0]
            elif size == 127:
                size = struct.unpack(">Q", self.read(8))[0]
            mask = self.read(4) if head[1] & 128 else b"\0\0\0\0"
            data = bytes(byte ^ mask[place % 4] for place, byte in enumerate(self.read(size)))
            if head[0] & 15 == 8:
                self.write(frame(8, data[:2]))
                raise Gone
            if head[0] & 15 == 1:
                return json.loads(data)

    def welcome(self):
        """Until the agent has joined."""
        self.start()
        self.until("EVENT_TYPE_REQUEST_POLY_AGENT_JOIN")
        self.say(self.next("POLY_AGENT_JOINED", {"agent_name": "Ada"}))

    def until(self, kind):
        while True:
            heard = self.hear()
            if heard.get("type") == kind:
                return heard

    def echo(self, heard):
        self.say(self.next("USER_MESSAGE", {"message_id": f"u-{self.sequence}", **heard.get("payload", {})},
                           metadata=heard.get("metadata", {})))

    def reply(self, words="fine", **fields):
        self.say(self.next("POLY_AGENT_MESSAGE",
                           {"message_id": f"m-{self.sequence}", "text": words, **fields}))

    def serve(self):
        """Answers whatever is said, for good."""
        while True:
            heard = self.hear()
            if heard.get("type") == "EVENT_TYPE_USER_MESSAGE":
                self.echo(heard)
                self.reply()
            elif heard.get("type") == "EVENT_TYPE_REQUEST_POLY_AGENT_JOIN":
                self.say(self.next("POLY_AGENT_JOINED", {"agent_name": "Ada"}))
            elif heard.get("type") == "EVENT_TYPE_USER_END_SESSION":
                return


class Server:
    """Listens on a port of its own; what a case does not give behaves well."""

    def __init__(self, token=None, session=None, upgrade=None, talk=None, accept=None):
        self.hooks = {"token": token, "session": session, "upgrade": upgrade, "talk": talk, "accept": accept}
        self.counts = {"token": 0, "session": 0, "upgrade": 0}
        self.requests = []
        # When each handshake came.
        self.times = []
        self.notes = []
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port = self.listener.getsockname()[1]
        self.open = set()
        self.lock = threading.Lock()
        threading.Thread(target=self.run, daemon=True).start()

    def run(self):
        while True:
            try:
                sock, _ = self.listener.accept()
            except OSError:
                return
            sock.settimeout(HTTP_TIMEOUT)
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            with self.lock:
                self.open.add(sock)
            threading.Thread(target=self.handle, args=(sock,), daemon=True).start()

    def handle(self, sock):
        connection = Connection(sock)
        try:
            if self.hooks["accept"]:
                self.hooks["accept"](self, connection)
            request = connection.request()
            self.requests.append(request)
            path = request["target"].partition("?")[0]
            step = ("token" if path.endswith("/access-token") else
                    "session" if path.endswith("/sessions") else "upgrade")
            self.counts[step] += 1
            if step == "upgrade":
                self.times.append(time.monotonic())
            (self.hooks[step] or getattr(Server, "good_" + step))(self, connection, request)
            sock.shutdown(socket.SHUT_WR)
            connection.wait()
        except (Gone, OSError, ValueError):
            pass
        finally:
            with self.lock:
                self.open.discard(sock)
            sock.close()

    def good_token(self, connection, request):
        connection.answer(200, {"access_token": TOKEN, "expires_in": 3600})

    def good_session(self, connection, request):
        connection.answer(200, {"session_id": f"s-{self.counts['session']}"})

    def good_upgrade(self, connection, request):
        connection.accept(request)
        if self.hooks["talk"]:
            self.hooks["talk"](self, connection)
        else:
            connection.welcome()
            connection.serve()

    def stop(self):
        self.listener.close()
        with self.lock:
            left = list(self.open)
        for sock in left:
            try:
                sock.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
