"""A client that behaves as the published SDK does where that has consequences for a server.

It joins the chunks of a reply with a blank, takes batches of several events on another way than single events, shows
a row with the first chunk, and answers every refused upgrade with a new token and a new session. Python's own library
only.
"""

import base64
import http.client
import json
import os
import queue
import socket
import struct
import threading
import time
import urllib.parse

PUBLISHED = "PolyMessaging-iOS/0.9.0 (iOS; 17.2)"
OWN = "PolyMessaging-iOS/0.1.0 (iOS; 17.2.0) polymock"
PATIENCE = 20.0


class Refused(Exception):
    """The upgrade was answered with something else than 101."""

    def __init__(self, status, retry_after):
        super().__init__(f"the upgrade was refused with {status}")
        self.status = status
        self.retry_after = retry_after


class Closed(Exception):
    """The connection is over; `code` is that of its close frame, 1006 without one."""

    def __init__(self, code):
        super().__init__(f"closed with {code}")
        self.code = code


class Server:
    def __init__(self, base):
        parts = urllib.parse.urlsplit(base)
        self.host, self.port = parts.hostname, parts.port

    def call(self, method, path, headers=None, body=None):
        connection = http.client.HTTPConnection(self.host, self.port, timeout=PATIENCE)
        text = None if body is None else json.dumps(body)
        headers = dict(headers or {})
        if text is not None:
            headers["Content-Type"] = "application/json"
        connection.request(method, path, text, headers)
        answer = connection.getresponse()
        data = answer.read()
        connection.close()
        return answer.status, json.loads(data or b"null")

    def control(self, method, path, body=None):
        status, answer = self.call(method, "/_mock/" + path, {"X-Mock-Control": "1"}, body)
        if status != 200:
            raise AssertionError(f"{method} {path}: {status} {answer}")
        return answer


class Socket:
    """One WebSocket: whole text messages, as they come."""

    def __init__(self, server, path, agent):
        self.socket = socket.create_connection((server.host, server.port), timeout=PATIENCE)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(
            (
                f"GET {path} HTTP/1.1\r\nHost: {server.host}:{server.port}\r\nUpgrade: websocket\r\n"
                f"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n"
                f"User-Agent: {agent}\r\n\r\n"
            ).encode()
        )
        self.rest = b""
        while b"\r\n\r\n" not in self.rest:
            piece = self.socket.recv(65536)
            if not piece:
                raise Closed(1006)
            self.rest += piece
        head, self.rest = self.rest.split(b"\r\n\r\n", 1)
        lines = head.decode().split("\r\n")
        status = int(lines[0].split(" ")[1])
        if status != 101:
            fields = dict(line.lower().split(": ", 1) for line in lines[1:])
            self.socket.close()
            raise Refused(status, float(fields.get("retry-after", 0)))

    def exactly(self, count):
        while len(self.rest) < count:
            piece = self.socket.recv(1 << 20)
            if not piece:
                raise Closed(1006)
            self.rest += piece
        data, self.rest = self.rest[:count], self.rest[count:]
        return data

    def message(self):
        """The next text message; pings are answered."""
        while True:
            first, second = self.exactly(2)
            length = second & 0x7F
            if length == 126:
                length = struct.unpack(">H", self.exactly(2))[0]
            elif length == 127:
                length = struct.unpack(">Q", self.exactly(8))[0]
            payload = self.exactly(length)
            opcode = first & 0x0F
            if opcode == 1:
                return payload
            if opcode == 8:
                raise Closed(struct.unpack(">H", payload[:2])[0] if len(payload) >= 2 else 1005)
            if opcode == 9:
                self.send(payload, 10)

    def send(self, payload, opcode=1):
        mask = os.urandom(4)
        masked = bytes(byte ^ mask[index & 3] for index, byte in enumerate(payload))
        if len(payload) < 126:
            length = struct.pack(">B", 0x80 | len(payload))
        elif len(payload) < 65536:
            length = struct.pack(">BH", 0x80 | 126, len(payload))
        else:
            length = struct.pack(">BQ", 0x80 | 127, len(payload))
        self.socket.sendall(struct.pack(">B", 0x80 | opcode) + length + mask + masked)

    def close(self):
        try:
            self.socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self.socket.close()


class Client:
    """A chat. `batch_lag` is how much later than single events the events of a larger batch are shown."""

    def __init__(self, server, token, streaming=True, agent=PUBLISHED, joiner=" ", batch_lag=0.008):
        self.server, self.token, self.streaming, self.agent = server, token, streaming, agent
        self.joiner, self.batch_lag = joiner, batch_lag
        self.sessions = 0
        self.refusals = []
        self.closes = []
        self.frames = []
        # Events shown behind a later one.
        self.overtaken = []
        self.changed = threading.Condition()
        self.socket = None
        self.begin()

    # Connecting

    def begin(self):
        """A new token, a new session, an empty chat."""
        with self.changed:
            self.rows, self.chunks, self.cursor, self.seen = [], {}, 0, set()
            self.has_agent = self.has_ended = False
        self.sessions += 1
        for _ in range(4):
            status, answer = self.server.call(
                "POST", "/api/v1/access-token",
                {"X-Token": self.token, "X-Host": "com.example.app", "User-Agent": self.agent}, {})
            if status != 200:
                raise AssertionError(f"no token: {status} {answer}")
            self.access = answer["access_token"]
            status, answer = self.server.call(
                "POST", "/api/v1/sessions",
                {"Authorization": "Bearer " + self.access, "User-Agent": self.agent},
                {"streaming_enabled": self.streaming, "platform": "ios"})
            if status == 200:
                self.session = answer["session_id"]
                return
            if status < 500:
                raise AssertionError(f"no session: {status} {answer}")
            time.sleep(0.05)
        raise AssertionError(f"no session in four attempts: {status} {answer}")

    def connect(self):
        """Connects; any refusal is answered by a new session, four times at most."""
        for _ in range(4):
            query = f"?access_token={self.access}&session_id={self.session}"
            if self.cursor:
                query += f"&cursor={self.cursor}"
            try:
                self.socket = Socket(self.server, "/ws" + query, self.agent)
                break
            except Refused as refused:
                self.refusals.append(refused.status)
                self.begin()
        else:
            raise AssertionError(f"refused for good: {self.refusals}")
        self.batches = queue.Queue()
        threading.Thread(target=self.read, args=(self.socket, self.batches), daemon=True).start()
        threading.Thread(target=self.take_batches, args=(self.batches,), daemon=True).start()

    def lose(self):
        """The network goes away."""
        self.socket.close()

    def read(self, line, batches):
        try:
            while True:
                data = line.message()
                event = json.loads(data)
                if event["type"] != "EVENT_TYPE_EVENT_BATCH":
                    self.take([event])
                    continue
                events = event["payload"]["events"]
                with self.changed:
                    self.frames.append((len(data), len(events)))
                if not self.has_started(events):
                    continue
                # The other way, on which events are behind those of this one.
                if len(events) > 1:
                    batches.put((time.monotonic() + self.batch_lag, events))
                else:
                    self.take(events)
        except Closed as closed:
            self.after_closing(line, closed.code)
        except (OSError, ValueError):
            self.after_closing(line, 1006)
        finally:
            batches.put(None)

    def has_started(self, events):
        """Asks the agent to join a session that has none."""
        kinds = {event["type"] for event in events}
        if "EVENT_TYPE_SESSION_START" in kinds and "EVENT_TYPE_POLY_AGENT_JOINED" not in kinds and not self.has_agent:
            self.send("REQUEST_POLY_AGENT_JOIN", {})
        return True

    def after_closing(self, line, code):
        with self.changed:
            if line is self.socket:
                self.closes.append(code)
            self.changed.notify_all()

    def take_batches(self, batches):
        while True:
            item = batches.get()
            if item is None:
                return
            due, events = item
            time.sleep(max(0, due - time.monotonic()))
            self.take(events)

    # Events

    def take(self, events):
        with self.changed:
            for event in events:
                if event["id"] in self.seen:
                    continue
                self.seen.add(event["id"])
                sequence = event.get("sequence") or 0
                if 0 < sequence < self.cursor:
                    self.overtaken.append(sequence)
                self.cursor = max(self.cursor, sequence)
                self.show(event["type"][len("EVENT_TYPE_"):], event["payload"])
            self.changed.notify_all()

    def show(self, kind, payload):
        if kind == "POLY_AGENT_JOINED":
            self.has_agent = True
        elif kind == "USER_MESSAGE":
            self.rows.append({"who": "user", "text": payload["text"], "complete": True, "suggestions": []})
        elif kind in ("POLY_AGENT_MESSAGE", "LIVE_AGENT_MESSAGE"):
            self.rows.append(
                {"who": "agent", "text": payload["text"], "complete": True,
                 "suggestions": payload["response_suggestions"], "growing": []})
        elif kind == "POLY_AGENT_MESSAGE_CHUNK":
            self.show_chunk(payload)
        elif kind == "SESSION_END":
            self.has_ended = True

    def show_chunk(self, payload):
        known = self.chunks.setdefault(payload["message_id"], {"row": None, "parts": {}})
        known["parts"][payload["chunk_index"]] = payload["text"]
        if known["row"] is None:
            known["row"] = {"who": "agent", "text": "", "complete": False, "suggestions": [], "growing": []}
            self.rows.append(known["row"])
        row = known["row"]
        row["text"] += payload["text"]
        row["suggestions"] = payload["response_suggestions"] or row["suggestions"]
        row["growing"].append(row["text"])
        if payload["is_complete"]:
            parts = [known["parts"][index] for index in sorted(known["parts"])]
            row["text"] = self.joiner.join(part for part in parts if part)
            row["complete"] = True

    # What users do

    def send(self, kind, payload, custom=None):
        event = {"type": "EVENT_TYPE_" + kind, "payload": payload}
        if custom:
            event["metadata"] = {"custom": custom}
        self.socket.send(json.dumps(event).encode())

    def say(self, text):
        self.send("USER_MESSAGE", {"text": text}, {"local_id": str(time.monotonic_ns())})

    def until(self, what, condition):
        deadline = time.monotonic() + PATIENCE
        with self.changed:
            while not condition():
                if not self.changed.wait(deadline - time.monotonic()) or time.monotonic() > deadline:
                    raise AssertionError(f"no {what} in {PATIENCE} s: {self.texts()[-4:]} closes {self.closes}")

    def replies(self):
        return [row for row in self.rows if row["who"] == "agent" and row["complete"]]

    def texts(self):
        return [row["text"] for row in self.rows]

    def ask(self, text, count=1):
        wanted = len(self.replies()) + count
        self.say(text)
        self.until(f"answer to {text}", lambda: len(self.replies()) >= wanted)
