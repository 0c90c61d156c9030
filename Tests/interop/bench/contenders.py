"""Who is measured, and how each is started: our server in several settings, and the peers."""

import contextlib
import json
import os
import pathlib
import select
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "shards"))
import proxies  # noqa: E402
CHUNKS = 140
SPACING_MS = 25

FIXTURES = {
    # Every message is heard and none is answered, so that a round trip ends with the echo.
    "hears": """{ fixture: 1, name: "Hears", about: "Hears everything, says nothing.", memory: { said: null },
        stages: { start: [ { name: "all", hears: "*", replies: [ { remember: { said: "yes" } } ] } ] } }""",
    # No rule at all: every message is one that nobody heard, with a report on it.
    "silent": '{ fixture: 1, name: "Silent", about: "Has no rules." }',
    "streams": """{ fixture: 1, name: "Streams", about: "One long answer.", pace: "even",
        paces: { even: { think: "0s", chunk: "1 word", every: "%dms" } }, greeting: [ { chunks: [%s] } ] }"""
    % (SPACING_MS, ", ".join(f'"word{number} "' for number in range(1, CHUNKS + 1))),
}
# Without the record of what crossed the wire, and without judging clients.
UNWATCHED = {"limits": {"rows": 0}, "checksProtocol": False}
# The real service takes its time before a history; these 50 ms say nothing about ours.
PROMPT = {"connections": {"handshakeDelay": "0s", "firstFrameDelay": "0s"}}


class Broken(Exception):
    """Something that should run does not."""


class Server:
    """One process that prints its address on the first line, from start to stop."""

    def __init__(self, name, command, port=None, environment=None, log=None):
        self.name, self.port = name, port
        self.log = open(log, "wb") if log else subprocess.DEVNULL
        self.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self.log, env=environment
        )
        try:
            self.port = port or self.announced()
            self.await_port()
        except Broken:
            self.stop()
            raise

    @property
    def pid(self):
        return self.process.pid

    def announced(self):
        ready, _, _ = select.select([self.process.stdout], [], [], 20)
        line = self.process.stdout.readline().decode() if ready else ""
        digits = line.strip().rpartition(":")[2]
        if not digits.isdigit():
            raise Broken(f"{self.name} said {line!r} and no port")
        return int(digits)

    def await_port(self):
        limit = time.monotonic() + 20
        while time.monotonic() < limit and self.process.poll() is None:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            except OSError:
                time.sleep(0.01)
        raise Broken(f"{self.name} does not listen")

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(5)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.process.stdout.close()
        if self.log is not subprocess.DEVNULL:
            self.log.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        died = self.process.poll()
        self.stop()
        if died is not None:
            raise Broken(f"{self.name} ended with {died} while it was measured")


class Contenders:
    """Starts them. `folder` is a temporary one."""

    def __init__(self, binary, folder, node=None, python=None, nginx=None, lws=None, uws=None):
        self.binary, self.folder, self.node, self.python = binary, folder, node, python
        self.nginx, self.lws, self.uws = nginx, lws, uws.split() if uws else None
        for name, text in FIXTURES.items():
            (folder / f"{name}.json5").write_text(text)

    def ours_command(self, fixture=None, settings=None, binary=None):
        command = [binary or self.binary, "--port", "0", "--log", "quiet", "--echo"]
        if fixture:
            command += ["--fixture", str(self.folder / f"{fixture}.json5")]
        if settings:
            text = json.dumps(settings)
            path = self.folder / f"settings-{abs(hash(text))}.json5"
            path.write_text(text)
            command += ["--config", str(path)]
        return command

    def ours(self, fixture=None, settings=None, environment=None):
        return Server("ours", self.ours_command(fixture, settings), environment=environment, log=self.folder / "ours.log")

    def node_command(self):
        return [self.node, str(HERE / "peers/server.mjs"), str(SPACING_MS), str(CHUNKS)]

    def node_server(self):
        return Server("node", self.node_command(), log=self.folder / "node.log")

    def node_mock(self, chunks=0):
        command = [self.node, str(HERE / "peers/mock.mjs"), str(SPACING_MS), str(chunks)]
        return Server("node mock", command, log=self.folder / "mock.log")

    def lws_server(self):
        return Server("libwebsockets", [self.lws], log=self.folder / "lws.log")

    def uws_server(self):
        return Server("uWebSockets", self.uws, log=self.folder / "uws.log")

    def knows_shards(self):
        """Whether the binary has --shard, without which nginx could not tell whose a session is."""
        told = subprocess.run([self.binary, "--help"], capture_output=True, text=True, timeout=20).stdout
        return "--shard" in told

    @contextlib.contextmanager
    def shards(self, fixture, count, core, is_behind_nginx=False):
        """So many processes of ours on one core, and nginx there as well where asked for."""
        with contextlib.ExitStack() as stack:
            shards = []
            are_shards = count > 1 and self.knows_shards()
            for number in range(1, count + 1):
                command = ["taskset", "-c", str(core), *self.ours_command(fixture)]
                if are_shards:
                    command += ["--shard", f"{number}/{count}", "--signing-key", str(self.signing_key())]
                shards.append(stack.enter_context(Server("ours", command, log=self.folder / "ours.log")))
            front = None
            if is_behind_nginx:
                front = stack.enter_context(self.nginx_in_front(shards, core))
            yield shards, front

    def signing_key(self):
        path = self.folder / "key"
        if not path.exists():
            path.touch(0o600)
            path.write_bytes(os.urandom(32))
        return path

    def nginx_in_front(self, shards, core):
        """The configuration of ../shards in one process, so that its processor time is easily told."""
        folder = self.folder / "front"
        folder.mkdir(exist_ok=True)
        port, = proxies.free_ports(1)
        path = proxies.nginx(folder, [shard.port for shard in shards], port)
        path.write_text("master_process off;\n" + path.read_text())
        command = ["taskset", "-c", str(core), self.nginx, "-p", str(folder), "-e", f"{folder}/error.log", "-c", path]
        return Server("nginx", command, port=port, log=self.folder / "nginx.log")

    def python_server(self, kind):
        command = [self.python, str(HERE / f"peers/{kind}_echo.py")]
        return Server(kind, command, log=self.folder / f"{kind}.log")

    @contextlib.contextmanager
    def followers(self, server, count):
        """So many inspectors' feeds, while it lasts."""
        command = [sys.executable, str(HERE / "peers/follower.py"), str(server.port), str(count)]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        try:
            if process.stdout.readline().strip() != "ready":
                raise Broken("the feed cannot be followed")
            yield
            if process.poll() is not None:
                raise Broken("a follower ended while it was measured")
        finally:
            process.stdin.close()
            process.wait(10)
            process.stdout.close()

    @contextlib.contextmanager
    def wire_reader(self, server):
        """`polymock wire --follow` into a file, while it lasts."""
        url, path = f"http://127.0.0.1:{server.port}", self.folder / "wire.txt"
        with open(path, "wb") as rows:
            process = subprocess.Popen(
                [self.binary, "wire", "--url", url, "--follow"], stdin=subprocess.DEVNULL, stdout=rows, stderr=rows)
        try:
            limit = time.monotonic() + 10
            while b"polymock_websockets_open 1" not in urllib.request.urlopen(f"{url}/_mock/metrics").read():
                if process.poll() is not None or time.monotonic() > limit:
                    raise Broken(f"wire --follow: {path.read_text()[-300:]}")
                time.sleep(0.02)
            yield
            if process.poll() is not None or path.stat().st_size < 10_000:
                raise Broken(f"wire --follow did not read along: {path.read_text()[-300:]}")
        finally:
            process.kill()
            process.wait()
            path.unlink()

    def nginx_server(self):
        """The two answers as fixed texts, by one process, as the others are one."""
        folder = self.folder / "nginx"
        folder.mkdir(exist_ok=True)
        port, = proxies.free_ports(1)
        token = json.dumps({"access_token": "e" * 309, "expires_in": 86400, "token_type": "Bearer"})
        session = json.dumps({"session_id": "d82d6727-c159-4643-ab31-84ba5a5a1c39"})
        head = (
            "default_type application/json; add_header Cache-Control no-store;"
            " add_header X-Polyai-Correlation-Id 0c7ebef7-0125-4025-88cb-29b2f5726289;"
        )
        (folder / "nginx.conf").write_text(
            f"daemon off; master_process off; pid {folder}/pid; error_log {folder}/error.log crit;\n"
            "events { worker_connections 4096; }\n"
            "http { access_log off; keepalive_requests 1000000000;\n"
            + "".join(
                f" {kind}_temp_path {folder}/{kind};\n"
                for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
            + f" server {{ listen 127.0.0.1:{port}; {head}\n"
            f"  location = /api/v1/access-token {{ return 200 '{token}'; }}\n"
            f"  location = /api/v1/sessions {{ return 200 '{session}'; }} }} }}\n"
        )
        command = [self.nginx, "-p", str(folder), "-e", f"{folder}/error.log", "-c", f"{folder}/nginx.conf"]
        return Server("nginx", command, port=port, log=self.folder / "nginx.log")


def stripped_bytes(binary, folder):
    """Size of a copy without symbols; None where there is no `strip`."""
    tool = shutil.which("strip") or shutil.which("llvm-strip")
    if not tool:
        return None
    copy = folder / "stripped"
    done = subprocess.run([tool, "-o", str(copy), str(binary)], stderr=subprocess.DEVNULL)
    return os.path.getsize(copy) if done.returncode == 0 else None
