"""Clients that do not read, under every fault that holds messages back, bodies that were not asked for, and uploads
that drip; a good client keeps talking meanwhile.

    slow.py --base http://127.0.0.1:PORT --pid PID [--quick]

The server runs without a control token. In each phase it has to hold:

- the good client gets the echo and the answer of every message;
- the slowest of a hundred of its round trips takes at most five times what it takes in the quiet (5 ms count as quiet);
  a phase that takes longer is run again, twice at most, since whatever else the machine does shows there first;
- the server answers `/_mock/health` when the phase is over, and has not grown by more than the limits allow: 64 MiB
  held back and as much journal for each of the three slow clients.

Faults act in real time and on a clock that is stopped and moved by hand. --quick: fewer messages; times are not
judged.
"""

import argparse
import base64
import http.client
import json
import os
import pathlib
import socket
import struct
import sys
import threading
import time

QUIET_MS = 5.0
FACTOR = 5
REPEATS = 2
SLOW_CLIENTS = 3
GROWTH_MIB = SLOW_CLIENTS * (64 + 64)
EVENTS = 400
TEXT = "a" * 30_000
FAULTS = {
    "delay": {"at": "any event", "do": {"delay": "1s"}, "times": 1_000_000},
    "swap": {"at": "any event", "do": {"swap": "event"}, "times": 1_000_000},
    "stall": {"at": "any event", "do": {"stall": "1s"}, "times": 1_000_000},
    "repeat": {"at": "any event", "do": {"repeat": "event"}, "times": 1_000_000},
    "hotel-wifi": None,
}
FIXTURE = '{fixture:1,name:"echo",otherwise:[{replies:[{say:"{message}"}]}]}'


def address(base):
    host, port = base.removeprefix("http://").rsplit(":", 1)
    return host, int(port)


def ask(base, method, path, body=None, headers=None):
    connection = http.client.HTTPConnection(*address(base), timeout=60)
    fields = {"Content-Type": "application/json", "X-Mock-Control": "1", **(headers or {})}
    connection.request(method, path, None if body is None else json.dumps(body), fields)
    answer = connection.getresponse()
    data = answer.read()
    connection.close()
    if answer.status >= 400:
        raise RuntimeError(f"{method} {path}: {answer.status} {data[:200]!r}")
    return json.loads(data) if data else {}


class Client:
    """One session and its WebSocket."""

    def __init__(self, base, token, buffer=None):
        tokens = ask(base, "POST", "/api/v1/access-token", {}, {"X-Token": token, "X-Host": "example.com"})
        bearer = tokens["access_token"]
        opened = ask(base, "POST", "/api/v1/sessions", {}, {"Authorization": f"Bearer {bearer}"})
        self.session = opened["session_id"]
        self.socket = socket.socket()
        if buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        self.socket.settimeout(60)
        self.socket.connect(address(base))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(
            (f"GET /ws?access_token={bearer}&session_id={self.session} HTTP/1.1\r\nHost: 127.0.0.1\r\n"
             f"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
             "Sec-WebSocket-Version: 13\r\n\r\n").encode())
        self.left = b""
        while b"\r\n\r\n" not in self.left:
            self.left += self.receive()
        head, self.left = self.left.split(b"\r\n\r\n", 1)
        if b" 101 " not in head.split(b"\r\n")[0]:
            raise RuntimeError(f"no WebSocket: {head[:200]!r}")

    def receive(self):
        data = self.socket.recv(65_536)
        if not data:
            raise RuntimeError("the server closed the connection")
        return data

    def send(self, event):
        data = json.dumps(event).encode()
        size = len(data)
        if size < 126:
            head = struct.pack("!BB", 0x81, 0x80 | size)
        elif size < 65_536:
            head = struct.pack("!BBH", 0x81, 0xFE, size)
        else:
            head = struct.pack("!BBQ", 0x81, 0xFF, size)
        # A mask of zeros is one like others (RFC 6455 §5.3), and costs nothing here.
        self.socket.sendall(head + b"\0\0\0\0" + data)

    def join(self):
        self.send({"type": "EVENT_TYPE_REQUEST_POLY_AGENT_JOIN", "payload": {}})

    def say(self, text):
        self.send({"type": "EVENT_TYPE_USER_MESSAGE", "payload": {"text": text}})

    def need(self, count):
        while len(self.left) < count:
            self.left += self.receive()

    def frame(self):
        self.need(2)
        opcode, size = self.left[0] & 0x0F, self.left[1] & 0x7F
        start = 2
        if size == 126:
            self.need(4)
            size, start = struct.unpack("!H", self.left[2:4])[0], 4
        elif size == 127:
            self.need(10)
            size, start = struct.unpack("!Q", self.left[2:10])[0], 10
        self.need(start + size)
        data, self.left = self.left[start:start + size], self.left[start + size:]
        return opcode, data

    def until(self, text, times):
        """Reads until `text` has come that often; one frame of history may hold several."""
        while times > 0:
            opcode, data = self.frame()
            if opcode == 8:
                raise RuntimeError(f"closed: {data!r}")
            times -= data.count(text)

    def close(self):
        self.socket.close()


def p99(times):
    return sorted(times)[min(len(times) - 1, int(len(times) * 0.99))] if times else 0.0


class Good(threading.Thread):
    """Says something, waits for the echo and the answer, and does so again."""

    def __init__(self, base):
        super().__init__(daemon=True)
        self.client = Client(base, "mock:echo@pace=instant")
        self.client.join()
        self.times = []
        self.problem = None
        self.over = threading.Event()

    def run(self):
        count = 0
        try:
            while not self.over.is_set():
                count += 1
                # Neither blank nor digit may follow what is looked for: texts are trimmed, and 1 begins 10.
                word = f"good {count}.".encode()
                start = time.perf_counter()
                self.client.say(word.decode())
                self.client.until(word, 2)
                self.times.append((time.perf_counter() - start) * 1_000)
                time.sleep(0.005)
        except Exception as error:
            self.problem = f"the good client failed after {count} messages: {error}"

    def take(self):
        times, self.times = self.times, []
        return times


def say_and_never_read(client, events):
    """Stops when the server no longer reads it."""
    client.join()
    client.socket.settimeout(1)
    try:
        for _ in range(events):
            client.say(TEXT)
    except (TimeoutError, OSError):
        pass


def hold_up(base, name, steered, seconds, events):
    fault = FAULTS[name]
    token = "mock:echo@pace=instant@tag=slow"
    number = None
    if fault is None:
        token = f"mock:webchat+{name}@pace=instant"
    else:
        number = ask(base, "POST", "/_mock/faults", {**fault, "name": name, "tag": "slow"})
    # Faults may hold handshakes, too, so they connect while time goes on.
    clients = [Client(base, token, buffer=16_384) for _ in range(SLOW_CLIENTS)]
    if steered:
        ask(base, "POST", "/_mock/clock", {"mode": "frozen"})
    for client in clients:
        say_and_never_read(client, events)
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if steered:
            ask(base, "POST", "/_mock/clock", {"advance": "1s"})
        else:
            ask(base, "GET", "/_mock/health")
        time.sleep(0.02)
    for client in clients:
        client.close()
    if steered:
        ask(base, "POST", "/_mock/clock", {"mode": "real"})
    if number is not None:
        ask(base, "DELETE", "/_mock/faults")


EARLY = [
    ("/_mock/importance", "127.0.0.1", {}, 404), ("/_mock/import", "evil.example", {}, 403),
    ("/_mock/import", "127.0.0.1", {"Origin": "http://evil.example"}, 403),
    ("/_mock/import", "127.0.0.1", {"Content-Type": "text/plain"}, 415),
    ("/_mock/reset", "127.0.0.1", {}, 413), ("/api/v1/sessions", "127.0.0.1", {}, 400),
    ("/api/v1/access-token", "127.0.0.1", {"X-Token": "demo", "X-Host": "localhost"}, 413),
]


def early_bodies(base, seconds):
    """Announces 120 MB and sends it without waiting: the answer comes before, and nothing of it is kept."""
    until = time.monotonic() + seconds
    piece = b"x" * 65_536
    while time.monotonic() < until:
        for path, host, fields, status in EARLY:
            line = socket.create_connection(address(base), timeout=30)
            head = {"Host": host, "Content-Type": "application/json", "Content-Length": "125829120", **fields}
            text = f"POST {path} HTTP/1.1\r\n" + "".join(f"{k}: {v}\r\n" for k, v in head.items()) + "\r\n"
            line.sendall(text.encode())
            answer = line.recv(4_096).split(b"\r\n")[0].decode()
            if f" {status} " not in answer + " ":
                raise RuntimeError(f"POST {path} of {host} {fields}: {answer}, not {status}")
            try:
                for _ in range(16):
                    line.sendall(piece)
            except OSError:
                pass
            line.close()


# 134 of the 144 MiB that large bodies have together (limits.bodiesTotalBytes); twice as many are more than all files may
# have (limits.filesTotalBytes).
DRIPS = 7
FILE = 20_000_000


def status(line, wanted, what):
    """Reads an answer's first line; a cut without one counts where the client still writes."""
    line.settimeout(30)
    try:
        answer = line.recv(4_096).split(b"\r\n")[0].decode()
    except ConnectionError:
        return
    if f" {wanted} " not in answer + " ":
        raise RuntimeError(f"{what}: {answer!r}, not {wanted}")


def upload(base, announced):
    """A contact, and a connection that has asked to send a file of it, without its body."""
    customer = {"InstanceId": "i", "ContactFlowId": "f", "ParticipantDetails": {"DisplayName": "Drip"}}
    contact = ask(base, "PUT", "/contact/chat", customer)
    token = contact["ParticipantToken"]
    opened = ask(base, "POST", "/participant/connection", {"Type": ["CONNECTION_CREDENTIALS"]}, {"X-Amz-Bearer": token})
    bearer = opened["ConnectionCredentials"]["ConnectionToken"]
    file = {"ContentType": "text/plain", "AttachmentName": "a.txt", "AttachmentSizeInBytes": FILE}
    begun = ask(base, "POST", "/participant/start-attachment-upload", file, {"X-Amz-Bearer": bearer})
    target = "/" + begun["UploadMetadata"]["Url"].split("/", 3)[3]
    line = socket.create_connection(address(base), timeout=30)
    line.sendall(f"PUT {target} HTTP/1.1\r\nHost: 127.0.0.1\r\n{announced}\r\n\r\n".encode())
    return contact["ContactId"], line


def uploads(base, seconds):
    """Files that drip are ended by the time of a request, one without an end by its size; no room stays taken."""
    for _ in range(2):
        begun = [upload(base, f"Content-Length: {FILE}") for _ in range(DRIPS)]
        lines = [line for _, line in begun]
        for line in lines:
            line.sendall(b"x" * 1_000_000)
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            for line in lines:
                line.sendall(b"x")
            time.sleep(0.05)
        ask(base, "POST", "/_mock/clock", {"mode": "frozen"})
        ask(base, "POST", "/_mock/clock", {"advance": "30s"})
        for line in lines:
            status(line, 408, "an upload that drips")
            line.close()
        ask(base, "POST", "/_mock/clock", {"mode": "real"})
        # The second half would find no room, if the first one had left something.
        for contact, _ in begun:
            ask(base, "DELETE", f"/_mock/sessions/{contact}")
    _, line = upload(base, "Transfer-Encoding: chunked")
    try:
        for _ in range(2 * FILE // 65_536):
            line.sendall(b"10000\r\n" + b"x" * 65_536 + b"\r\n")
    except ConnectionError:
        pass
    status(line, 413, "an upload without an end")
    line.close()


def resident(pid):
    for text in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if text.startswith("VmRSS:"):
            return int(text.split()[1]) / 1024
    return 0.0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--base", required=True)
    parser.add_argument("--pid", type=int, required=True)
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    base, failures = options.base, []
    seconds, events = (1.0, 150) if options.quick else (4.0, EVENTS)
    ask(base, "POST", "/_mock/fixtures", {"name": "echo", "text": FIXTURE})
    before = resident(options.pid)
    phases = []
    for name in FAULTS:
        for steered in (False, True):
            where = "steered clock" if steered else "real clock"
            phases.append((f"{name}, {where}", lambda n=name, s=steered: hold_up(base, n, s, seconds, events)))
    phases.append(("early bodies", lambda: early_bodies(base, seconds)))
    phases.append(("uploads that drip, and one without an end", lambda: uploads(base, seconds)))

    def phase(act):
        good = Good(base)
        good.start()
        time.sleep(1.0 if options.quick else 2.0)
        quiet = max(QUIET_MS, p99(good.take()))
        problem = None
        try:
            act()
        except Exception as error:
            problem = str(error)
        time.sleep(0.2)
        good.over.set()
        good.join(60)
        times = good.take()
        if good.is_alive():
            problem = "the good client waits for ever"
        try:
            ask(base, "GET", "/_mock/health")
        except Exception as error:
            problem = f"the server does not answer: {error}"
        good.client.close()
        return quiet, p99(times), len(times), good.problem or problem

    for title, act in phases:
        quiet, taken, count, problem = phase(act)
        for _ in range(0 if options.quick or problem else REPEATS):
            if taken <= FACTOR * quiet:
                break
            quiet, taken, count, problem = phase(act)
        grown = resident(options.pid) - before
        print(f"slow: {title}: {count} messages, p99 {taken:.1f} ms (quiet {quiet:.1f} ms), {grown:+.0f} MiB",
              flush=True)
        if problem:
            failures.append(f"{title}: {problem}")
        if not options.quick and taken > FACTOR * quiet:
            failures.append(f"{title}: a p99 of {taken:.1f} ms, {FACTOR} times the quiet one is {FACTOR * quiet:.1f}")
        if grown > GROWTH_MIB:
            failures.append(f"{title}: the server has grown by {grown:.0f} MiB")
        ask(base, "POST", "/_mock/reset", {"sessions": True, "log": True, "faults": True})
    for failure in failures:
        print(f"FAIL {failure}")
    return 1 if failures else 0


sys.exit(main())
