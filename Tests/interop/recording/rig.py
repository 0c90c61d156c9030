"""What the checks are made of: a polymock, a mitmproxy in front of it, and clients that are not ours."""

import asyncio
import contextlib
import json
import os
import pathlib
import re
import select
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import urllib.request

from websockets.asyncio.client import connect as dial
from websockets.exceptions import ConnectionClosed

HERE = pathlib.Path(__file__).parent
TYPE = "EVENT_TYPE_"
PATIENCE = 20
# A back end imports hundreds of modules before it serves.
START = 120
# All commands of the script run here, each with this limit.
SCRATCH = pathlib.Path(tempfile.mkdtemp(prefix="polymock-recording-"))


class Checks:
    passed = failed = skipped = 0

    def ok(self, condition, name, detail=""):
        if condition:
            self.passed += 1
            print(f"ok {name}", flush=True)
        else:
            self.failed += 1
            print(f"FAIL {name}: {detail}", flush=True)

    def skip(self, name, reason):
        self.skipped += 1
        print(f"skipped {name}: {' '.join(str(reason).split())[:300]}", flush=True)


checks = Checks()


class Process:
    """A program that says its address on one of its first lines."""

    def __init__(self, words, pattern):
        self.process = subprocess.Popen(
            [str(word) for word in words], cwd=SCRATCH, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, env={**os.environ, "PYTHONUNBUFFERED": "1"})
        said = b""
        while not (found := re.search(pattern, said.decode(errors="replace"))):
            more = select.select([self.process.stdout], [], [], START)[0] and os.read(self.process.stdout.fileno(), 4096)
            if not more:
                self.stop()
                raise RuntimeError(f"{words[0]} says no address: {said!r}")
            said += more
        self.address = found[1]
        # A pipe that nobody reads would stop the program.
        threading.Thread(target=lambda: [None for _ in self.process.stdout], daemon=True).start()

    def stop(self):
        """SIGINT, at which mitmproxy writes what it kept."""
        self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


class Listener:
    """A server that does `serve(connection)` with each connection, until its client leaves."""

    def __init__(self, serve):
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.address = "127.0.0.1:%d" % self.socket.getsockname()[1]
        self.serve = serve

    def _accept(self):
        while True:
            try:
                connection, _ = self.socket.accept()
            except OSError:
                return
            with connection, contextlib.suppress(OSError):
                self.serve(connection)

    def __enter__(self):
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()


class Tool:
    """The binary under test."""

    path = ""

    @classmethod
    def serve(cls, *flags):
        return Process([cls.path, "--port", "0", *flags], r"polymock listening on http://(\S+)")

    @classmethod
    def run(cls, *words, seconds=60):
        """Exit code, standard output and standard error."""
        done = subprocess.run(
            [cls.path, *map(str, words)], cwd=SCRATCH, stdin=subprocess.DEVNULL, capture_output=True, text=True,
            errors="replace", timeout=seconds)
        return done.returncode, done.stdout, done.stderr


def proxy(address, *flags):
    """mitmproxy in front of an address, with TLS for who asks for it."""
    mitmdump = pathlib.Path(sys.executable).with_name("mitmdump")
    return Process(
        [mitmdump, "--set", f"confdir={SCRATCH / 'conf'}", "--mode", f"reverse:http://{address}", "--listen-host",
         "127.0.0.1", "--listen-port", "0", *flags],
        r"listening at (\S+?)\.?\s")


def authority():
    return SCRATCH / "conf" / "mitmproxy-ca-cert.pem"


def post(base, path, fields, body, method="POST"):
    request = urllib.request.Request(
        base + path, data=json.dumps(body).encode(), method=method, headers={"Content-Type": "application/json", **fields})
    context = ssl.create_default_context(cafile=authority()) if base.startswith("https") else None
    with urllib.request.urlopen(request, timeout=PATIENCE, context=context) as answer:
        return json.load(answer)


class Socket:
    """Reads all that comes, and waits for what is asked for."""

    def __init__(self, url):
        context = ssl.create_default_context(cafile=authority()) if url.startswith("wss") else None
        self.dialing = dial(url, max_size=None, ssl=context, proxy=None)
        self.events, self.read = [], 0

    async def __aenter__(self):
        self.socket = await self.dialing.__aenter__()
        return self

    async def __aexit__(self, *error):
        await self.dialing.__aexit__(*error)

    async def next(self, holds):
        async with asyncio.timeout(PATIENCE):
            while True:
                while self.read < len(self.events):
                    self.read += 1
                    if holds(self.events[self.read - 1]):
                        return self.events[self.read - 1]
                frame = json.loads(await self.socket.recv())
                inner = frame.get("payload", {}).get("events", [frame]) if "topic" not in frame else [
                    json.loads(frame["content"]) if frame["topic"] == "aws/chat" else frame]
                self.events += inner

    async def rest(self):
        with contextlib.suppress(ConnectionClosed, TimeoutError):
            async with asyncio.timeout(PATIENCE):
                while True:
                    await self.socket.recv()


async def session(base, scenario, streaming):
    """The talk of counter.json5 through the Messaging API; returns the session's id."""
    token = await asyncio.to_thread(
        post, base, "/api/v1/access-token", {"X-Token": scenario, "X-Host": "com.example.app"}, {})
    bearer = {"Authorization": f"Bearer {token['access_token']}"}
    made = await asyncio.to_thread(post, base, "/api/v1/sessions", bearer, {"streaming_enabled": streaming})
    query = f"access_token={token['access_token']}&session_id={made['session_id']}"
    async with Socket(f"{base.replace('http', 'ws', 1)}/ws?{query}") as socket:

        async def send(kind, payload, local=None):
            event = {"type": TYPE + kind, "payload": payload}
            if local:
                event["metadata"] = {"custom": {"local_id": local}}
            await socket.socket.send(json.dumps(event))

        def whole(event):
            kind, payload = event["type"].removeprefix(TYPE), event["payload"]
            return kind == "POLY_AGENT_MESSAGE" or kind == "POLY_AGENT_MESSAGE_CHUNK" and payload["is_complete"]

        def person(event):
            return event["type"] == TYPE + "LIVE_AGENT_MESSAGE"

        await socket.next(lambda event: event["type"] == TYPE + "SESSION_START")
        await send("REQUEST_POLY_AGENT_JOIN", {})
        await socket.next(whole)
        for number, (words, holds) in enumerate([("Opening hours", whole), ("A person", person), ("thanks", person)]):
            await send("USER_MESSAGE", {"text": words}, f"local-{number}")
            await socket.next(holds)
        await socket.next(lambda event: event["type"] == TYPE + "SESSION_END")
        await socket.rest()
    return made["session_id"]


async def contact(base, scenario):
    """The same talk as a chat of Amazon Connect: boto3 and a WebSocket; returns the contact's id."""
    import boto3
    from botocore.config import Config

    def client(service):
        return boto3.client(
            service, endpoint_url=base, region_name="eu-west-2", aws_access_key_id="x", aws_secret_access_key="y",
            verify=str(authority()), config=Config(retries={"total_max_attempts": 1}, read_timeout=PATIENCE))

    def begin():
        started = client("connect").start_chat_contact(
            InstanceId="instance", ContactFlowId=scenario, ParticipantDetails={"DisplayName": "Jane"})
        participant = client("connectparticipant")
        got = participant.create_participant_connection(
            Type=["WEBSOCKET", "CONNECTION_CREDENTIALS"], ParticipantToken=started["ParticipantToken"])
        return started, participant, got

    started, participant, got = await asyncio.to_thread(begin)
    url = re.sub(r"^wss?://[^/]+", base.replace("http", "ws", 1), got["Websocket"]["Url"])
    async with Socket(url) as socket:

        def says(*roles):
            return lambda item: item.get("Type") == "MESSAGE" and item["ParticipantRole"] in roles

        await socket.socket.send('{"topic":"aws/subscribe","content":{"topics":["aws/chat"]}}')
        await socket.next(says("SYSTEM", "AGENT", "CUSTOM_BOT"))
        for words, last in [("Opening hours", "From noon"), ("A person", "Hello, Marta"), ("thanks", "My pleasure")]:
            await asyncio.to_thread(
                participant.send_message, ContentType="text/plain", Content=words,
                ConnectionToken=got["ConnectionCredentials"]["ConnectionToken"])
            await socket.next(lambda item: last in str(item.get("Content")))
        await socket.next(lambda item: str(item.get("ContentType")).endswith("chat.ended"))
    return started["ContactId"]
