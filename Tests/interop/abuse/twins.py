"""Attacks on a server while a good client works, and its twin at a server that is left alone.

    twins.py BINARY [--quick] [--attacks A,B] [--list]
    twins.py BINARY --stand SECONDS [--attacks A,B]

The good client asks for health, a token, and the echo of a message, a few milliseconds apart, in a process of its own;
so does its twin. What the twin waits for is the machine's. For each attack has to hold:

- the good client's 99th percentile is at most 1.5 times the twin's, or less than 5 ms above it;
- no request of it takes 50 ms longer than the twin's slowest, for one stall among hundreds of requests is in no percentile;
  an attack that fails is run again, twice at most, since whatever else the machine does shows there first;
- no request of the good client fails;
- the server's own memory (private, or of no file) has grown by no more than the limits that hold it and 64 MiB;
- the server lives.

--quick: each attack once, for a second, with fewer connections; the 50 ms are judged, the factor is not. A binary in a
folder "debug" (SwiftPM's) computes some twenty times slower: for it 3 s are judged in place of the 50 ms, with --quick
alone, and the first line of the output says so.

--stand: one server with 1 GiB of address space, and a random mixture of the attacks, the connections of some of which
stay open for a while. It has to live for so long, and to answer afterwards.
"""

import argparse
import base64
import contextlib
import http.client
import json
import os
import pathlib
import random
import re
import resource
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
import zlib

MIB = 1 << 20
FACTOR, SLACK_MS, MOST_MS, MOST_UNOPTIMIZED_MS = 1.5, 5, 50, 3000
JOURNAL = 64 * MIB
HELD_LINES = 12_000
JSON = {"Content-Type": "application/json"}

GOOD = r"""
import base64, http.client, json, os, socket, struct, sys, time
port = int(sys.argv[1])
link = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
def ask(method, path, body=None, **fields):
    link.request(method, path, body, {"Content-Type": "application/json", "X-Host": "localhost", **fields})
    answer = link.getresponse(); data = answer.read()
    if answer.status >= 300: raise RuntimeError((path, answer.status, data[:200]))
    return data
def open_talk():
    token = json.loads(ask("POST", "/api/v1/access-token", b"{}", **{"X-Token": "mock:quiet@pace=instant"}))["access_token"]
    session = json.loads(ask("POST", "/api/v1/sessions", b"{}", Authorization="Bearer " + token))["session_id"]
    line = socket.create_connection(("127.0.0.1", port), 120)
    line.sendall((f"GET /ws?session_id={session}&access_token={token} HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\n"
                  f"Connection: Upgrade\r\nSec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}\r\n"
                  "Sec-WebSocket-Version: 13\r\n\r\n").encode())
    say(line, "EVENT_TYPE_REQUEST_POLY_AGENT_JOIN", {})
    # The handshake and the history come after delays of their own, which the server plays: some 50 ms are nobody's stall.
    for n in range(3): echo(line, b"open %d %s!" % (n, session.encode()))
    return line
def echo(line, word):
    global seen
    say(line, "EVENT_TYPE_USER_MESSAGE", {"text": word.decode()})
    while word not in seen:
        more = line.recv(1 << 16)
        if not more: raise RuntimeError("the talk ended")
        seen = seen[-4096:] + more
def say(line, kind, payload):
    data = json.dumps({"type": kind, "payload": payload}).encode()
    size = bytes([128 | len(data)]) if len(data) < 126 else b"\xfe" + struct.pack("!H", len(data))
    line.sendall(b"\x81" + size + b"\0\0\0\0" + data)
seen, count = b"", 0
talk = open_talk()
while True:
    for what in ("health", "token", "echo"):
        begun = time.monotonic()
        if what == "health": ask("GET", "/_mock/health")
        elif what == "token": ask("POST", "/api/v1/access-token", b"{}", **{"X-Token": "demo"})
        else:
            count += 1
            echo(talk, b"good %d!" % count)
        print(begun, time.monotonic() - begun, flush=True)
        time.sleep(0.004)
    if count % 60 == 0:
        talk.close(); talk = open_talk()
"""


class Server:
    def __init__(self, binary, *flags, address_space=None):
        def confine():
            if address_space:
                resource.setrlimit(resource.RLIMIT_AS, (address_space, address_space))

        self.folder = tempfile.TemporaryDirectory()
        settings = pathlib.Path(self.folder.name) / "server.json5"
        settings.write_text(json.dumps({"limits": {"journalTotalBytes": JOURNAL}}))
        self.process = subprocess.Popen(
            [binary, "--port", "0", "--log", "quiet", "--config", str(settings), *flags], cwd=self.folder.name,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, preexec_fn=confine)
        self.port = int(re.search(r"http://127\.0\.0\.1:(\d+)", self.process.stdout.readline())[1])

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.folder.cleanup()

    @property
    def is_alive(self):
        return self.process.poll() is None

    def memory(self):
        """MiB of its own."""
        if not self.is_alive:
            return 0
        text = pathlib.Path(f"/proc/{self.process.pid}/smaps_rollup").read_text()
        return sum(int(size) for size in re.findall(r"(?m)^(?:Private_Clean|Private_Dirty|Swap):\s+(\d+)", text)) / 1024

    def ask(self, method, path, body=None, headers=JSON):
        """Status and body; a refusal before the whole body was sent counts as an answer."""
        link = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        with contextlib.closing(link):
            if body is not None and not isinstance(body, bytes):
                body = json.dumps(body).encode()
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                link.request(method, path, body, headers)
            try:
                answer = link.getresponse()
                return answer.status, answer.read()
            except (http.client.HTTPException, OSError):
                return 0, b""

    def line(self, data=b"", buffer=None):
        """A connection that has sent `data`, as far as the server takes it in five seconds."""
        line = socket.socket()
        if buffer:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        line.settimeout(5)
        line.connect(("127.0.0.1", self.port))
        with contextlib.suppress(OSError):
            line.sendall(data)
        return line

    def get(self, path, buffer=None):
        return self.line(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode(), buffer)

    def websocket(self, path, buffer=None, fields=""):
        key = base64.b64encode(os.urandom(16)).decode()
        line = self.line(
            (f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n{fields}"
             f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n").encode(), buffer)
        head = line.recv(4096)
        return line if b" 101 " in head else None

    def talk(self):
        """A session's WebSocket, joined."""
        fields = {**JSON, "X-Token": "mock:quiet@pace=instant", "X-Host": "localhost"}
        token = json.loads(self.ask("POST", "/api/v1/access-token", {}, fields)[1])["access_token"]
        session = json.loads(
            self.ask("POST", "/api/v1/sessions", {}, {**JSON, "Authorization": "Bearer " + token})[1])["session_id"]
        line = self.websocket(f"/ws?session_id={session}&access_token={token}")
        say(line, "EVENT_TYPE_REQUEST_POLY_AGENT_JOIN", {})
        return line

    def say(self, *texts):
        with contextlib.closing(self.talk()) as line:
            for text in texts:
                say(line, "EVENT_TYPE_USER_MESSAGE", {"text": text})
            read_on(line, 0.3)

    def contact(self, **more):
        """The connection token of a new contact; nothing when it is refused."""
        status, answer = self.ask("PUT", "/contact/chat", {
            "InstanceId": "i", "ContactFlowId": "mock:webchat@pace=instant", "ParticipantDetails": {"DisplayName": "Ada"},
            **more})
        if status != 200:
            return None
        bearer = {**JSON, "X-Amz-Bearer": json.loads(answer)["ParticipantToken"]}
        answer = self.ask("POST", "/participant/connection", {"Type": ["CONNECTION_CREDENTIALS"]}, bearer)[1]
        return json.loads(answer)["ConnectionCredentials"]["ConnectionToken"]

    def file(self, size):
        """A link to a file of a contact."""
        bearer = {**JSON, "X-Amz-Bearer": self.contact()}
        started = json.loads(self.ask("POST", "/participant/start-attachment-upload", {
            "ContentType": "text/plain", "AttachmentName": "large.txt", "AttachmentSizeInBytes": size,
            "ClientToken": os.urandom(6).hex()}, bearer)[1])
        place, name = started["UploadMetadata"], started["AttachmentId"]
        path = urllib.parse.urlsplit(place["Url"])
        self.ask("PUT", path.path + "?" + path.query, b"x" * size, place["HeadersToInclude"])
        self.ask("POST", "/participant/complete-attachment-upload",
                 {"AttachmentIds": [name], "ClientToken": os.urandom(6).hex()}, bearer)
        link = urllib.parse.urlsplit(
            json.loads(self.ask("POST", "/participant/attachment", {"AttachmentId": name}, bearer)[1])["Url"])
        return link.path + "?" + link.query


def frame(data, first=0x81):
    size = len(data)
    if size < 126:
        head = struct.pack("!BB", first, 0x80 | size)
    elif size < 65_536:
        head = struct.pack("!BBH", first, 0xFE, size)
    else:
        head = struct.pack("!BBQ", first, 0xFF, size)
    return head + b"\0\0\0\0" + data


def say(line, kind, payload):
    line.sendall(frame(json.dumps({"type": kind, "payload": payload}).encode()))


def send_all(line, data):
    with contextlib.suppress(OSError):
        line.sendall(data)


def read_on(line, seconds):
    line.settimeout(seconds)
    with contextlib.suppress(OSError):
        while line.recv(MIB):
            pass


def run(thread, **more):
    return {"threadId": thread, "runId": "r", "messages": [{"id": "u", "role": "user", "content": "Hello"}], **more}


# Attacks: each takes the server and how much of it there is to be, holds what it opened in a list, and may be repeated.

def waits(pattern, count, text):
    def attack(server, strength):
        lines = [server.get("/_mock/wait?timeout=60s&filter=" + urllib.parse.quote(f"/{pattern}q9z{n}/"))
                 for n in range(int(count * strength))]
        server.say(text)
        return lines
    return attack


def filter_feeds(server, strength):
    pattern = urllib.parse.quote("/(x+y?)+(y+x?)+q9z/ $.payload.text=q9z* xyz")
    lines = [server.websocket("/_mock/feed?filter=" + pattern) for _ in range(int(40 * strength))]
    server.say(*["xy" * 30_000] * 4)
    return lines


def exports(server, strength):
    server.say(*["xy" * 30_000] * 20)
    pattern = urllib.parse.quote("/" + ".*" * 40 + "b/")
    return [server.get(f"/_mock/{route}filter={pattern}")
            for route in ("export?format=jsonl&", "wire?last=1000&", "wait?timeout=0s&") * int(6 * strength)]


def fixture_texts(server, strength):
    rule = '{hears:"%d words to hear",replies:[{say:"x"}]},'
    rules = "".join(rule % number for number in range(int(9_000 * strength)))
    large = '{fixture:1,anywhere:[%s],otherwise:[{replies:[{say:"x"}]}]}' % rules
    for text in (large, '{fixture:1,otherwise:[{replies:[{say:"' + "x" * 3_900_000 + '"}]}]}', "[" * 4_000_000):
        for path in ("fixtures", "fixtures/check"):
            server.ask("POST", "/_mock/" + path, {"name": "x", "text": text})
    server.ask("POST", "/_mock/fixtures", {"name": "x", "text": "x" * 7_900_000})
    return []


def control_bodies(server, strength):
    for shape in (b'{"a":[' + b"1," * 500_000 + b"1]}", b"[" * 1_000_000, b'{"text":"' + b"\\u0041" * 160_000 + b'"}'):
        for method, path in (("POST", "clock"), ("POST", "faults"), ("POST", "reset"), ("POST", "fixtures/try"),
                             ("POST", "sessions/last/events")):
            server.ask(method, "/_mock/" + path, shape)
    return []


def half_bodies(server, strength):
    lines = []
    for path, kind, size in (("PUT /connect/upload/nothing?X-Amz-Signature=none", "text/plain", 20_000_000),
                             ("POST /ag-ui/weather@pace=instant", "application/json", 16 * MIB),
                             ("POST /_mock/import", "application/json", 120_000_000)):
        head = f"{path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: {kind}\r\nContent-Length: {size}\r\n\r\n"
        lines += [server.line(head.encode() + b"x" * (size // 8)) for _ in range(int(20 * strength))]
    return lines


def half_heads(server, strength):
    head = b"GET /_mock/health HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Long: " + b"a" * 60_000
    return [server.line(head) for _ in range(int(4_000 * strength))]


def large_runs(server, strength):
    for name, body in (
        ("messages", run("big-messages", messages=[
            {"id": f"m{n}", "role": "user", "content": "Hello"} for n in range(int(120_000 * strength))])),
        ("state", run("big-state", state={"a": [1] * int(6_000_000 * strength)})),
        ("text", run("big-text", state={"a": "y" * int(15_000_000 * strength)})),
    ):
        server.ask("POST", "/ag-ui/weather@pace=instant", body)
        again = {"threadId": "big-" + name, "runId": "j", "messages": []}
        server.ask("POST", "/ag-ui/weather@pace=instant/connect", again)
    return []


def many_runs(server, strength):
    for number in range(int(25 * strength)):
        server.ask("POST", "/ag-ui/weather@pace=instant", run(f"t{number}-{os.urandom(3).hex()}",
                                                             forwardedProps={"a": "y" * 15_000_000}))
    return []


def attributes(server, strength):
    for _ in range(int(60 * strength)):
        server.contact(Attributes={"a": "x" * 30_000}, SegmentAttributes={"a": {"ValueString": "x" * 900_000}})
    return []


def downloads(server, strength):
    # The store has room for twelve such files.
    server.link = getattr(server, "link", None) or server.file(20_000_000)
    return [server.get(server.link, buffer=4096) for _ in range(int(60 * strength))]


def rejoins(server, strength):
    server.ask("POST", "/ag-ui/weather@pace=instant", run("rejoined", state={"a": "y" * 7_000_000}))
    body = json.dumps({"threadId": "rejoined", "runId": "j", "messages": []}).encode()
    head = ("POST /ag-ui/weather@pace=instant/connect HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n\r\n").encode()
    return [server.line(head + body, buffer=4096) for _ in range(int(20 * strength))]


def feeds(server, strength):
    lines = [server.websocket("/_mock/feed?also=sessions,faults,clock,unmatched", buffer=4096)
             for _ in range(int(90 * strength))]
    for _ in range(3):
        server.say(*["a" * 60_000] * 10)
    return lines


def inflating(server, strength):
    line = server.websocket("/_mock/echo", fields="Sec-WebSocket-Extensions: permessage-deflate\r\n")
    if not line:
        return []
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = packer.compress(b"x" * 1_000_000) + packer.flush(zlib.Z_SYNC_FLUSH)
    frames = int(600 * strength)
    sender = threading.Thread(target=send_all, args=(line, frame(packed[:-4], 0xC1) * frames), daemon=True)
    sender.start()
    got = 0
    # Each comes back uncompressed, as it is longer than a message that is compressed.
    with contextlib.suppress(OSError):
        line.settimeout(60)
        while got < frames * 1_000_000 and (more := line.recv(MIB)):
            got += len(more)
    sender.join(60)
    return [line]


# How many MiB of memory each may take, besides 64: what the limits hold of it. Answers to exports that nobody reads wait
# up to outputTotalBytes.
ATTACKS = {
    "waits-stars": (waits("(x*y?)+" * 12, 20, "xy" * 30_000), 0),
    "waits-anything": (waits(".*" * 120, 20, "xy" * 30_000), 0),
    "waits-many": (waits("(a+)+(b|c)*.*.*", 300, "ab" * 20_000), 32),
    "filter-feeds": (filter_feeds, 32),
    "exports": (exports, 256),
    "fixture-texts": (fixture_texts, 64),
    "control-bodies": (control_bodies, 32),
    "half-bodies": (half_bodies, 256),
    "half-heads": (half_heads, 192),
    "large-runs": (large_runs, 192),
    "many-runs": (many_runs, 128),
    "attributes": (attributes, 64),
    "downloads": (downloads, 64),
    "rejoins": (rejoins, 128),
    "feeds": (feeds, 96),
    "inflating": (inflating, 16),
}


class Watch:
    """The good client of one server, and what it waited for."""

    def __init__(self, server):
        self.log = open(pathlib.Path(server.folder.name) / "good", "w+")
        self.errors = open(pathlib.Path(server.folder.name) / "good-errors", "w+")
        self.process = subprocess.Popen(
            [sys.executable, "-c", GOOD, str(server.port)], stdout=self.log, stderr=self.errors)

    def begin(self):
        """Returns when it has had its first answers."""
        until = time.monotonic() + 60
        while pathlib.Path(self.log.name).read_text().count("\n") < 10 and time.monotonic() < until:
            time.sleep(0.05)

    def spans(self, begun, end):
        """Milliseconds of each request between two moments; one that is under way is waited for, half a minute at most."""
        until = time.monotonic() + 30
        while True:
            lines = pathlib.Path(self.log.name).read_text().splitlines()[:-1]
            rows = [tuple(map(float, line.split())) for line in lines]
            if rows and rows[-1][0] > end or time.monotonic() > until or self.process.poll() is not None:
                break
            time.sleep(0.1)
        found = [1000 * spent for at, spent in rows if at + spent > begun and at < end]
        if not rows or rows[-1][0] <= end:
            found.append(1000 * (time.monotonic() - (sum(rows[-1]) if rows else begun)))
        return found

    def stop(self):
        self.process.kill()
        self.process.wait()
        self.errors.seek(0)
        failed = self.errors.read().strip()
        self.log.close()
        self.errors.close()
        return failed


def judged(spans):
    """The 99th percentile, and the slowest."""
    spans = sorted(spans) or [0.0]
    return spans[min(len(spans) - 1, int(0.99 * len(spans)))], spans[-1]


def attempt(binary, attack, flags, strength, seconds):
    """The 99th percentiles and the slowest of the good client and of its twin, MiB more, and what went wrong."""
    server, twin = Server(binary, *flags), Server(binary)
    watches = [Watch(server), Watch(twin)]
    held = []
    try:
        for watch in watches:
            watch.begin()
        before, most, fault = server.memory(), 0, ""
        begun = time.monotonic()
        while True:
            try:
                held += attack(server, strength)
            except Exception as error:
                fault = f"the attack ended with {error!r}"
            most = max(most, server.memory() - before)
            if fault or time.monotonic() - begun > seconds:
                break
        end = max(time.monotonic(), begun + 1)
        own, other = (judged(watch.spans(begun, end)) for watch in watches)
        most = max(most, server.memory() - before)
        if not server.is_alive:
            fault = f"the server ended with {server.process.poll()}"
    finally:
        failures = [watch.stop() for watch in watches]
        for line in held:
            if line:
                line.close()
        server.stop()
        twin.stop()
    if failures[0] and not fault:
        fault = "a request of the good client failed: " + failures[0].splitlines()[-1]
    return own, other, most, fault


def judge(own, other, grown, allowed, fault, quick, most):
    problems = [fault] if fault else []
    if own[1] > other[1] + most:
        problems.append(f"more than {most} ms above the twin")
    if not quick and own[0] > other[0] * FACTOR and own[0] > other[0] + SLACK_MS:
        problems.append(f"more than {FACTOR} times the twin")
    if grown > allowed + 64:
        problems.append(f"{grown:.0f} MiB more, {allowed + 64} are the most")
    return problems


def stand(binary, names, seconds, seed):
    """What went wrong while a server of 1 GiB was attacked in many ways at once, and a line that says what happened."""
    chance = random.Random(seed)
    server = Server(binary, "--echo", address_space=1 << 30)
    watch = Watch(server)
    held, counts, most, space = [], dict.fromkeys(names, 0), 0, 0

    def attack():
        name = chance.choice(names)
        try:
            lines = ATTACKS[name][0](server, chance.choice((0.2, 0.5, 1)))
        except (OSError, RuntimeError, ValueError, LookupError, TypeError):
            lines = []  # refused: that is what a full server does
        held.append((time.monotonic() + chance.uniform(0, 20), [line for line in lines if line]))
        held.sort(key=lambda each: each[0])
        counts[name] += 1

    watch.begin()
    begun = time.monotonic()
    while server.is_alive and time.monotonic() - begun < seconds:
        pair = [threading.Thread(target=attack) for _ in range(2)]
        for thread in pair:
            thread.start()
        for thread in pair:
            thread.join()
        most = max(most, server.memory())
        with contextlib.suppress(OSError, TypeError):
            text = pathlib.Path(f"/proc/{server.process.pid}/status").read_text()
            space = int(re.search(r"VmPeak:\s+(\d+)", text)[1]) / 1024
        # On a slow machine attacks take longer than what they opened is held: this process has its own limit of files.
        while held and (held[0][0] < time.monotonic() or sum(len(lines) for _, lines in held) > HELD_LINES):
            for line in held.pop(0)[1]:
                line.close()
    problems = [] if server.is_alive else [f"the server ended with {server.process.poll()}"]
    # What the server has no room for is refused, whoever asks: its good client may be refused as well.
    refused = "".join(f", the good client until {line}" for line in watch.stop().splitlines()[-1:])
    for _, lines in held:
        for line in lines:
            line.close()
    if not problems and server.ask("GET", "/_mock/health")[0] != 200:
        problems.append("the server does not answer")
    server.stop()
    done = f"{sum(counts.values())} attacks in {time.monotonic() - begun:.0f} s, {most:.0f} MiB at most ({space:.0f} MiB of addresses), seed {seed}{refused}"
    print(f"{'FAIL' if problems else 'ok'} stands with 1 GiB: {done}" + "".join("; " + each for each in problems), flush=True)
    return 1 if problems else 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--attacks")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--stand", type=float, metavar="SECONDS")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if options.list:
        print("\n".join(ATTACKS))
        return 0
    binary = os.path.realpath(options.binary)
    names = options.attacks.split(",") if options.attacks else list(ATTACKS)
    if options.stand:
        return stand(binary, [name for name in names if name != "inflating"], options.stand, options.seed)
    most = MOST_MS
    if options.quick and pathlib.Path(binary).parent.name == "debug":
        most = MOST_UNOPTIMIZED_MS
        print(f"this build is not optimized: stalls are judged at {most} ms, not at {MOST_MS}", flush=True)
    failed = False
    for name in names:
        attack, allowed = ATTACKS[name]
        flags = []
        if name == "inflating":
            # It does not start either way: zlib is missed before the fixture is.
            missed = subprocess.run([binary, "--deflate", "--port", "0", "--fixture", "no-such-fixture"],
                                    stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False).stderr
            if "zlib" in missed:
                print(f"skip {name}: this build has no zlib", flush=True)
                continue
            flags = ["--echo", "--deflate"]
        strength, seconds, tries = (0.4, 1, 2) if options.quick else (1, 4, 3)
        for _ in range(tries):
            own, other, grown, fault = attempt(binary, attack, flags, strength, seconds)
            problems = judge(own, other, grown, allowed, fault, options.quick, most)
            if not problems:
                break
        failed = failed or bool(problems)
        print(f"{'FAIL' if problems else 'ok'} {name}: 99 % in {own[0]:.1f} ms, all in {own[1]:.1f} ms; "
              f"the twin in {other[0]:.1f} and {other[1]:.1f} ms; {grown:.0f} MiB more" + "".join("; " + problem for problem in problems), flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
