"""Fills each kind of memory that the server holds for clients, compares the metric with what the process grew by, frees it.

    memory.py BINARY

Each kind has a server of its own. It has to hold:

- `polymock_held_bytes` of all kinds grow by what the private memory of the process does, within 10 % or 48 MiB, whichever
  is more (Shared/Docs/limits.md);
- what is beyond the limit is refused, and the server lives;
- once all is freed, the private memory is at most 10 % or 8 MiB above what it was before, after half a minute at most: the
  process gives memory back when it has been quiet for some seconds.

Private memory is that of /proc/PID/smaps_rollup; elsewhere the check is skipped, and says so.
"""
import base64
import http.client
import json
import os
import pathlib
import re
import resource
import socket
import struct
import subprocess
import sys
import tempfile
import time
import zlib

MIB = 1 << 20
JSON = {"Content-Type": "application/json"}
CONTROL = {"X-Mock-Control": "1"}
failures = []


class Server:
    """polymock on a free port, with `limits`."""

    def __init__(self, binary, limits, *flags):
        self.folder = tempfile.TemporaryDirectory()
        path = pathlib.Path(self.folder.name) / "server.json5"
        path.write_text(json.dumps({"limits": limits}))
        self.process = subprocess.Popen(
            [binary, "--port", "0", "--log", "quiet", "--config", str(path), *flags], stdout=subprocess.PIPE,
            cwd=self.folder.name, text=True)
        line = next(line for line in self.process.stdout if line.startswith("polymock listening on "))
        self.port = int(re.search(r":(\d+)", line)[1])

    def stop(self):
        self.process.terminate()
        self.process.wait(20)
        self.process.stdout.close()
        self.folder.cleanup()

    def private(self):
        text = pathlib.Path(f"/proc/{self.process.pid}/smaps_rollup").read_text()
        return sum(int(n) for n in re.findall(r"(?m)^Private_\w+:\s+(\d+) kB", text)) / 1024

    def held(self, kind):
        return self.all_held()[kind]

    def all_held(self):
        text = self.call("GET", "/_mock/metrics")[1].decode()
        return {kind: int(size) / MIB for kind, size in re.findall(r'(?m)^polymock_held_bytes\{kind="(\w+)"\} (\d+)', text)}

    def reset(self):
        """Forgets the sessions, the rows of the timeline, and what was unmatched."""
        self.forget_sessions()
        self.call("POST", "/_mock/reset", b"{}", JSON | CONTROL)

    def call(self, method, path, body=None, headers=JSON):
        link = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            try:
                link.request(method, path, body if body is None or isinstance(body, bytes) else json.dumps(body), headers)
            except (BrokenPipeError, ConnectionResetError):
                pass  # answered by its head
            answer = link.getresponse()
            return answer.status, answer.read()
        finally:
            link.close()

    def json(self, *words, **more):
        status, data = self.call(*words, **more)
        if status >= 300:
            raise RuntimeError((status, data[:200]))
        return json.loads(data)

    def open(self, data, buffer=None):
        link = socket.socket()
        if buffer:
            link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        link.settimeout(10)
        link.connect(("127.0.0.1", self.port))
        try:
            link.sendall(data)
        except OSError:
            pass
        return link

    def request(self, method, path, headers, length):
        lines = [f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{self.port}", f"Content-Length: {length}"]
        return "\r\n".join(lines + [f"{k}: {v}" for k, v in headers.items()] + ["", ""]).encode()

    def forget_sessions(self):
        while sessions := self.json("GET", "/_mock/sessions")["sessions"]:
            for session in sessions:
                self.call("DELETE", f"/_mock/sessions/{session['id']}", None, CONTROL)

    def run(self, thread, **more):
        return self.call("POST", "/ag-ui/weather@pace=instant", {
            "threadId": thread, "runId": "r", "messages": [{"id": "u", "role": "user", "content": "Hello"}], **more})

    def contact(self, **more):
        start = self.json("PUT", "/contact/chat", {
            "InstanceId": "i", "ContactFlowId": "mock:quiet", "ParticipantDetails": {"DisplayName": "Ada"}, **more})
        answer = self.json(
            "POST", "/participant/connection", {"Type": ["CONNECTION_CREDENTIALS"], "ConnectParticipant": True},
            headers=JSON | {"X-Amz-Bearer": start["ParticipantToken"]})
        return answer["ConnectionCredentials"]["ConnectionToken"]

    def upload(self, token, size, name):
        head = JSON | {"X-Amz-Bearer": token}
        file = self.json("POST", "/participant/start-attachment-upload", {
            "ContentType": "text/plain", "AttachmentName": "a.txt", "AttachmentSizeInBytes": size, "ClientToken": name},
            headers=head)
        place = file["UploadMetadata"]
        path = "/connect/upload" + place["Url"].split("/connect/upload")[1]
        return self.call("PUT", path, os.urandom(MIB) * (size // MIB), place["HeadersToInclude"])[0]

    def talk(self, texts, token="mock:quiet@pace=instant"):
        """A session that says `texts` over its WebSocket, and what is left open."""
        access = self.json("POST", "/api/v1/access-token", {}, headers=JSON | {"X-Token": token, "X-Host": "a"})
        session = self.json("POST", "/api/v1/sessions", {},
                            headers=JSON | {"Authorization": "Bearer " + access["access_token"]})["session_id"]
        link = self.socket(f"/ws?session_id={session}&access_token={access['access_token']}")
        send(link, {"type": "EVENT_TYPE_REQUEST_POLY_AGENT_JOIN", "payload": {}})
        for text in texts:
            send(link, {"type": "EVENT_TYPE_USER_MESSAGE", "payload": {"text": text}})
        return session, link

    def socket(self, path, buffer=None, deflate=False):
        key = base64.b64encode(os.urandom(16)).decode()
        link = self.open((f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                          f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n"
                          + "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n" * deflate
                          + "\r\n").encode(), buffer)
        if b" 101 " not in link.recv(4096):
            raise RuntimeError("no WebSocket")
        return link


def send(link, value):
    data = json.dumps(value).encode()
    size = bytes([0x80 | len(data)]) if len(data) < 126 else b"\xfe" + struct.pack(">H", len(data)) \
        if len(data) < 65_536 else b"\xff" + struct.pack(">Q", len(data))
    link.sendall(b"\x81" + size + bytes(4) + data)


def drain(link, quiet=1.0):
    link.settimeout(quiet)
    try:
        while link.recv(MIB):
            pass
    except OSError:
        pass


def judge(right, what, words):
    print("PASS" if right else "FAIL", f"{what}: {words}", flush=True)
    if not right:
        failures.append(what)


def check(binary, kind, limits, fill, *flags, least=32):
    """`fill(server)` fills the kind and gives back what frees it again; `least` MiB have to be held."""
    server = Server(binary, limits, *flags)
    try:
        fill(server, 1)()  # what the first use needs once is no leak
        time.sleep(6)
        before, told_before = server.private(), server.all_held()
        free = fill(server, None)
        time.sleep(0.5)
        grown, now = server.private() - before, server.all_held()
        own, told = now[kind] - told_before[kind], sum(now.values()) - sum(told_before.values())
        judge(abs(grown - told) <= max(0.1 * grown, 48) and own >= least, f"{kind}, filled",
              f"{grown:.0f} MiB more, {told:.0f} MiB told, {own:.1f} of this kind")
        free()
        until = time.monotonic() + 30
        while (now := server.private()) > before + max(0.1 * before, 8) and time.monotonic() < until:
            time.sleep(1)
        judge(now <= before + max(0.1 * before, 8), f"{kind}, freed", f"{before:.0f} MiB before, {now:.0f} MiB now")
        judge(server.held(kind) <= told_before[kind] + 1, f"{kind}, told as freed", f"{server.held(kind):.1f} MiB")
    finally:
        alive = server.process.poll() is None
        judge(alive, f"{kind}, the server lives", "")
        if alive:
            server.stop()


def bodies(server, count):
    length = 16 * MIB
    head = server.request("POST", "/ag-ui/weather", JSON, length)
    links = [server.open(head + bytes(length - 1_000)) for _ in range(count or 20)]
    return lambda: [link.close() for link in links]


def journals(server, count):
    for _ in range(count or 12):
        drain(server.talk(["a" * 60_000] * (2 if count else 90))[1])
    return server.reset


def runs(server, count):
    for number in range(count or 20):
        server.run(f"t{number}", state={"a": "y" * (10 * MIB)})
    return server.forget_sessions


def contacts(server, count):
    for _ in range(count or 1_200):
        server.contact(Attributes={f"k{n}": os.urandom(750).hex() for n in range(20)})
    return server.forget_sessions


def files(server, count):
    for number in range(count or 4):
        token = server.contact()
        for file in range(3):
            server.upload(token, 20 * MIB if not count else MIB, f"c{file}")
    return server.forget_sessions


def output(server, count):
    links = []
    for number in range(count or 12):
        server.run(f"t{number}", state={"a": os.urandom(8).hex() * (600_000 if not count else 10)})
        body = json.dumps({"threadId": f"t{number}", "runId": "j", "messages": []}).encode()
        head = server.request("POST", "/ag-ui/weather@pace=instant/connect", JSON, len(body))
        links.append(server.open(head + body, buffer=4_096))
    time.sleep(1)
    # The threads are another kind.
    server.forget_sessions()
    time.sleep(6)

    def free():
        for link in links:
            link.close()
        server.reset()
    return free


def rows(server, count):
    for _ in range(count or 600):
        server.call("POST", "/api/v1/access-token", b"x" * (60_000 if not count else 10),
                    JSON | {"X-Token": "a", "X-Host": "a"})
    return lambda: server.call("POST", "/_mock/reset", b"{}", JSON | CONTROL)


def held(server, count):
    links = [server.talk([])[1] for _ in range(count or 20)]
    for link in links:
        # What is said before the history has come is told in it, and no fault fires that.
        drain(link, quiet=0.2)
    server.json("POST", "/_mock/faults", {"at": "any event", "do": {"delay": "1h"}, "times": 1_000_000}, headers=JSON | CONTROL)
    for link in links:
        for _ in range(2 if count else 60):
            send(link, {"type": "EVENT_TYPE_USER_MESSAGE", "payload": {"text": "a" * 60_000}})
    time.sleep(1)

    def free():
        server.call("DELETE", "/_mock/faults", None, CONTROL)
        for link in links:
            link.close()
        server.reset()
    return free


def waits(server, count):
    links = [server.open(b"GET /_mock/wait?count=1000&timeout=1h&filter=type:USER_MESSAGE HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")]
    for _ in range(count or 4):
        drain(server.talk(["a" * 60_000] * (2 if count else 60))[1])

    def free():
        for link in links:
            link.close()
        server.reset()
    return free


def heads(server, count):
    head = f"GET /_mock/health HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nX-Long: {'a' * 60_000}".encode()
    links = [server.open(head) for _ in range(count or 1_600)]
    time.sleep(1)
    return lambda: [link.close() for link in links]


def compression(server, count):
    packer = zlib.compressobj(wbits=-12)
    data = packer.compress(b"abc " * 400) + packer.flush(zlib.Z_SYNC_FLUSH)
    frame = b"\xc1" + bytes([0x80 | len(data[:-4])]) + bytes(4) + data[:-4]
    links = [server.socket("/_mock/echo", deflate=True) for _ in range(count or 1_200)]
    for link in links:
        link.sendall(frame)
    for link in links:
        link.recv(4096)
    return lambda: [link.close() for link in links]


def feeds(server, count):
    links = [server.socket("/_mock/feed?also=sessions,faults,clock,unmatched", buffer=4_096) for _ in range(count or 90)]
    drain(server.talk(["a" * 60_000] * (2 if count else 40))[1])

    def free():
        for link in links:
            link.close()
        server.reset()
    return free


def unmatched(server, count):
    for _ in range(count or 12):
        drain(server.talk(["a" * 60_000] * (2 if count else 90))[1])
    return server.reset


def main():
    if not os.path.exists("/proc/self/smaps_rollup"):
        print("memory: skipped, there is no /proc/self/smaps_rollup to read private memory from")
        return 0
    binary = os.path.abspath(sys.argv[1])
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    few = {"rows": 100}
    check(binary, "bodies", few, bodies, least=100)
    check(binary, "bodies", few, heads)
    # Either way it does not start: zlib is missed before the fixture is.
    trial = [binary, "--deflate", "--port", "0", "--fixture", "no-such-fixture"]
    if "zlib" in subprocess.run(trial, capture_output=True, text=True).stderr:
        print("compression: skipped, this build has no zlib")
    else:
        check(binary, "compression", few, compression, "--echo", "--deflate")
    check(binary, "journals", few, journals)
    check(binary, "runs", few | {"journalTotalBytes": 256 * MIB}, runs, least=100)
    check(binary, "contacts", few, contacts)
    check(binary, "files", few, files, least=100)
    check(binary, "output", few, output)
    check(binary, "rows", {"rows": 10_000}, rows, least=16)
    check(binary, "held", few, held, least=16)
    check(binary, "waits", few, waits, least=8)
    check(binary, "feeds", few, feeds, least=0)
    check(binary, "unmatched", few, unmatched, least=1)
    print(f"memory: {len(failures)} failed")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
