"""Four shards of polymock behind nginx and behind HAProxy, as many-machines.md has them. Started by shards.sh.

Per proxy: clients in Python and Node over wss, the SDK over ws; who comes back finds its session; a reload of the proxy
loses nothing; a shard that is killed takes its own sessions and no other.
"""

import argparse
import asyncio
import json
import os
import pathlib
import signal
import ssl
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

import proxies
from party import Member, Party
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

HERE = pathlib.Path(__file__).resolve().parent
SHARDS = 4
PATIENCE = 30
FIXTURE = """{ fixture: 1, name: "Hears", about: "Hears everything, says nothing.", memory: { said: null },
    stages: { start: [ { name: "all", hears: "*", replies: [ { remember: { said: "yes" } } ] } ] } }"""


class Checks:
    passed = failed = 0

    def that(self, name, is_so, told=""):
        if is_so:
            self.passed += 1
            print(f"ok {name}", flush=True)
        else:
            self.failed += 1
            print(f"FAIL {name}: {told}", flush=True)

    def equal(self, name, got, wanted):
        self.that(name, got == wanted, f"got {str(got)[:300]}, expected {str(wanted)[:300]}")


def get(url, method="GET", headers=None, context=None):
    """Status and body."""
    request = urllib.request.Request(url, method=method, headers=headers or {})
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE, context=context) as response:
            return response.status, response.read()
    except urllib.error.HTTPError as refusal:
        return refusal.code, refusal.read()


class Process:
    def __init__(self, name, command, folder, **options):
        self.name, self.log = name, folder / f"{name}.log"
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=log, **options)

    def stop(self, number=signal.SIGTERM):
        if self.process.poll() is None:
            self.process.send_signal(number)
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        return self.process.returncode


class Shard(Process):
    def __init__(self, number, binary, folder):
        self.number = number
        super().__init__(f"shard{number}", [
            binary, "--port", "0", "--shard", f"{number}/{SHARDS}", "--signing-key", folder / "key",
            "--trusted-proxy", "127.0.0.1", "--fixture", folder / "hears.json5"], folder,
            stdout=subprocess.PIPE, cwd=folder)
        line = self.process.stdout.readline().decode().strip()
        self.url = line.rpartition(" ")[2]
        if not self.url.startswith("http://127.0.0.1:"):
            raise RuntimeError(f"shard {number} said {line!r}\n{self.log.read_text()[-600:]}")
        self.port = int(self.url.rpartition(":")[2])

    def sessions(self):
        return {each["id"] for each in json.loads(get(f"{self.url}/_mock/sessions")[1])["sessions"]}


class Proxy(Process):
    """A proxy in front of shards, with a port for ws and one for wss."""

    def __init__(self, name, options, folder, shards):
        self.plain, self.secure = proxies.free_ports(2)
        ports = [shard.port for shard in shards]
        given = (folder, ports, self.plain, self.secure, folder / "proxy.pem")
        if name == "nginx":
            path = proxies.nginx(*given)
            command = [options.nginx, "-p", folder, "-e", folder / "nginx.log", "-c", path]
        else:
            path = proxies.haproxy(*given)
            command = [options.haproxy, "-W", "-db", "-f", path]
        self.reload_command = [*command, "-s", "reload"] if name == "nginx" else None
        super().__init__(name, command, folder, stdout=subprocess.DEVNULL)
        limit = time.monotonic() + PATIENCE
        while True:
            try:
                if get(f"http://127.0.0.1:{self.plain}/")[0] < 500:
                    return
            except OSError:
                pass
            if time.monotonic() > limit or self.process.poll() is not None:
                raise RuntimeError(f"{name} does not answer: {self.log.read_text()[-600:]}")
            time.sleep(0.05)

    def workers(self):
        """The processes of the proxy that there are."""
        pid = self.process.pid
        return set(pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split())

    def reload(self):
        if self.reload_command:
            subprocess.run(self.reload_command, check=True, timeout=PATIENCE)
        else:
            self.process.send_signal(signal.SIGUSR2)


class NodeParty:
    """The same verbs as Party, in Node."""

    def __init__(self, base, count, node, certificate):
        self.command = [node, HERE / "party.mjs", base, str(count)]
        self.environment = {**os.environ, "NODE_EXTRA_CA_CERTS": str(certificate)}

    async def ask(self, verb, **more):
        if not hasattr(self, "process"):
            self.process = await asyncio.create_subprocess_exec(
                *self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=self.environment, limit=1 << 24)
        self.process.stdin.write(json.dumps({"do": verb, **more}).encode() + b"\n")
        answer = json.loads(await self.process.stdout.readline() or '{"error": "node has ended"}')
        if "error" in answer:
            raise RuntimeError(f"node, {verb}: {answer['error']}")
        return answer

    def __getattr__(self, verb):
        if verb not in ("begin", "start", "stop", "come_back"):
            raise AttributeError(verb)
        return lambda: self.ask(verb)

    async def talk(self, count):
        return await self.ask("talk", count=count)

    async def end(self):
        await self.ask("end")
        self.process.stdin.close()
        await self.process.wait()


class Stage:
    """Four shards and one proxy, from start to stop."""

    def __init__(self, name, options, folder, checks):
        self.name, self.options, self.folder, self.checks = name, options, folder, checks
        self.count = 6 if options.quick else 24
        self.started = []

    def __enter__(self):
        try:
            self.shards = []
            for number in range(1, SHARDS + 1):
                self.shards.append(Shard(number, self.options.binary, self.folder))
                self.started.append(self.shards[-1])
            self.proxy = Proxy(self.name, self.options, self.folder, self.shards)
            self.started.append(self.proxy)
        except Exception:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for process in reversed(self.started):
            process.stop()

    def check(self, name, is_so, told=""):
        self.checks.that(f"{self.name}: {name}", is_so, told)

    def equal(self, name, got, wanted):
        self.checks.equal(f"{self.name}: {name}", got, wanted)

    def owner(self, session):
        """By the rule that the configurations have."""
        return int(session[-2:], 16) * SHARDS // 256 + 1

    async def play(self):
        tls = ssl.create_default_context(cafile=self.folder / "certificate.pem")
        secure = f"https://127.0.0.1:{self.proxy.secure}"
        parties = {
            "Python over wss": Party(secure, self.count, tls),
            "Node over wss": NodeParty(secure, self.count, self.options.node, self.folder / "certificate.pem"),
        }
        status, _ = get(f"{secure}/_mock/health", context=tls)
        self.equal("the control API is not reachable through it", status, 404)
        self.control()
        ids = {}
        for who, party in parties.items():
            ids[who] = (await party.begin())["sessions"]
            told = await party.talk(3)
            self.equal(f"{who}: every message has its echo, once", (told["closed"], told["lost"], told["twice"]),
                       ([], [], []))
        everyone = [session for sessions in ids.values() for session in sessions]
        self.where_they_are(everyone)
        for who, party in parties.items():
            back = (await party.come_back())["back"]
            self.equal(f"{who}: who comes back finds its session and history", sorted(back), sorted(ids[who]))
        self.where_they_are(everyone, "after they came back, still")
        self.routes()
        self.addresses()
        await self.wrong_shard(everyone)
        await self.sdk()
        await self.reload(parties)
        await self.kill(parties, ids)
        for party in parties.values():
            await party.end()

    def where_they_are(self, everyone, when="each session"):
        held = {shard.number: shard.sessions() for shard in self.shards}
        wrong = [session for session in everyone if session not in held[self.owner(session)]]
        self.equal(f"{when} is on the shard of its digits", wrong, [])
        if not self.options.quick:
            used = {self.owner(session) for session in everyone}
            self.equal("all shards have sessions", sorted(used), list(range(1, SHARDS + 1)))

    def control(self):
        """Whatever spelling and Host a stranger uses, the proxy answers, and as it does a plain request."""
        asked = [("GET", "/_mock"), ("GET", "/_mock/"), ("GET", "/_mock/health"), ("GET", "/_mock?x=1"),
                 ("GET", "/_mock/sessions"), ("GET", "/%5Fmock/sessions"), ("GET", "/%5fmock"),
                 ("GET", "/%2F_mock/../_mock/sessions"), ("GET", "/x/../_mock/sessions"), ("GET", "/./_mock/sessions"),
                 ("GET", "/x%2F%2e%2E%2f%5F%6Dock/sessions"), ("GET", "/x%3F/../_mock/sessions"),
                 ("POST", "/%5Fmock/reset"), ("POST", "/x/%2E./_mock/reset")]
        plain = f"http://127.0.0.1:{self.proxy.plain}"
        refusal = get(f"{plain}/_mock/sessions")
        passed = []
        for method, target in asked:
            answer = get(f"{plain}{target}", method, {"Host": "localhost", "X-Mock-Control": "1"})
            if answer != refusal:
                passed.append((method, target, answer[0]))
        self.equal("nor by another spelling and a forged Host", (refusal[0], passed), (404, []))

    def routes(self):
        """Requests that name nobody who is there: which shard was asked shows in its record."""
        some = "d82d6727-c159-4643-ab31-84ba5a5a1c"
        asked = [
            (f"/ws?access_token=x&session_id={some}3f", {}, 1), (f"/ws?session_id={some}40&cursor=0", {}, 2),
            (f"/contact/attributes/i/{some}9a", {}, 3), (f"/contact/attributes/{some}00/{some}ff", {}, 4),
            ("/connect/ws?AuthToken=7fabc", {}, 2), ("/connect/file/c1abcdef", {}, 4),
            (f"/connect/upload/{some}00?X-Amz-Signature=80zz", {}, 3),
            ("/participant/message", {"X-Amz-Bearer": "bfxyz"}, 3),
            ("/ag-ui/desk@shard=2", {}, 2), ("/ag-ui/mock:desk%40shard%3D4", {}, 4),
        ]
        for number, (target, headers, _) in enumerate(asked):
            get(f"http://127.0.0.1:{self.proxy.plain}{target}", headers={**headers, "X-Mark": f"mark-{number}-"})
        records = [get(f"{shard.url}/_mock/wire")[1].decode() for shard in self.shards]
        wrong = [
            (target, [place + 1 for place, record in enumerate(records) if f"mark-{number}-" in record], wanted)
            for number, (target, _, wanted) in enumerate(asked)
            if [place + 1 for place, record in enumerate(records) if f"mark-{number}-" in record] != [wanted]]
        self.equal("paths, queries, bearers and links lead to the shard of their digits", wrong, [])

    def addresses(self):
        """A client cannot claim an address: the proxy says what it saw."""
        get(f"http://127.0.0.1:{self.proxy.plain}/api/v1/access-token", "POST", {"X-Forwarded-For": "203.0.113.9"})
        rows = [row for shard in self.shards for row in json.loads(get(f"{shard.url}/_mock/wire")[1])["rows"]]
        told = [row["raw"] for row in rows if row.get("dir") == "in" and "orwarded" in row.get("raw", "")]
        self.check("the shards are told the client's address", any("127.0.0.1" in text for text in told), told[-1:])
        self.equal("an address that a client claims does not pass", [t for t in told if "203.0.113.9" in t], [])

    async def wrong_shard(self, everyone):
        """Past the proxy, at a shard that does not own the session: as if there were no such session."""
        session = everyone[0]
        owner = self.owner(session)
        other = self.shards[owner % SHARDS]
        member = Member(self.shards[owner - 1].url)
        headers = {"X-Token": "shards", "X-Host": "app.example"}
        # Made by one shard, taken by another: they have one key.
        token = member.post("/api/v1/access-token", headers, {})["access_token"]

        async def ask(which):
            address = f"{other.url.replace('http', 'ws')}/ws?session_id={which}&access_token={token}"
            try:
                await (await connect(address)).close()
                return "let in"
            except InvalidStatus as refusal:
                return refusal.response.status_code, json.loads(refusal.response.body).get("error_code")

        unknown = "00000000-0000-4000-8000-0000000000" + f"{(other.number - 1) * 256 // SHARDS:02x}"
        self.equal("a session on the wrong shard is answered as one that there is not",
                   await ask(session), await ask(unknown))
        self.equal("and with the protocol's own error", await ask(session), (404, "SESSION_NOT_FOUND"))
        told = f"{session} belongs to shard {owner} of {SHARDS}, this is shard {other.number}"
        self.check("the log says whose it is", told in other.log.read_text(), other.log.read_text()[-300:])
        self.check("and no token", token not in other.log.read_text())

    async def run(self, *words):
        process = await asyncio.create_subprocess_exec(
            self.options.binary, *map(str, words), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, cwd=self.folder)
        output, errors = await asyncio.wait_for(process.communicate(), 120)
        return process.returncode, output.decode(), errors.decode()

    async def sdk(self):
        """The SDK, as `polymock chat` and `polymock load` have it."""
        plain = f"http://127.0.0.1:{self.proxy.plain}"
        code, output, errors = await self.run(
            "chat", "--url", plain, "--token", "mock:webchat@pace=instant", "--say", "hello", "--json")
        self.check("the SDK over ws: a message has its answer", code == 0, errors + output[-300:])
        talk = ["--say", "hello", "--echo-only", "--sessions", 4 * self.count, "--messages", 20 * self.count,
                "--duration", "60s", "--token", "shards", "--quiet", "--json"]
        code, output, errors = await self.run("load", plain, *talk)
        told = json.loads(output or "{}")
        self.equal("the SDK over ws: a load has no errors", (code, told.get("errors", {}).get("count")), (0, 0))
        urls = [shard.url for shard in self.shards]
        code, output, errors = await self.run("load", *urls, "--processes", 2, *talk)
        told = json.loads(output or "{}")
        each = [shard["messages"]["echoed"] for shard in told.get("shards", [])]
        self.equal("a load of two processes on all shards adds up", (code, len(each), sum(each)),
                   (0, SHARDS, 20 * self.count))

    async def reload(self, parties):
        for party in parties.values():
            await party.start()
        for _ in range(1 if self.options.quick else 3):
            await asyncio.sleep(0.5)
            before = self.proxy.workers()
            self.proxy.reload()
            limit = time.monotonic() + PATIENCE
            # The worker of an earlier reload ends with its last connection, whenever that is.
            while not self.proxy.workers() - before and time.monotonic() < limit:
                await asyncio.sleep(0.05)
            now = self.proxy.workers()
            self.check("a reload starts a new worker next to an old one", now - before and now & before, (before, now))
            await asyncio.sleep(0.5)
        for who, party in parties.items():
            told = await party.stop()
            self.equal(f"{who}: a reload closes no connection and loses no message",
                       (told["closed"], told["lost"], told["twice"]), ([], [], []))
        for who, party in parties.items():
            told = await party.talk(2)
            self.equal(f"{who}: they go on afterwards", (told["closed"], told["lost"]), ([], []))

    async def kill(self, parties, ids):
        for party in parties.values():
            await party.start()
        await asyncio.sleep(0.3)
        owners = [self.owner(session) for sessions in ids.values() for session in sessions]
        number = max(owners, key=owners.count)
        dead = self.shards[number - 1]
        dead.stop(signal.SIGKILL)
        await asyncio.sleep(1)
        for who, party in parties.items():
            mine = sorted(session for session in ids[who] if self.owner(session) == number)
            told = await party.stop()
            self.equal(f"{who}: a shard that is killed takes its sessions and no other", sorted(told["closed"]), mine)
            self.equal(f"{who}: the others lose nothing", (told["lost"], told["twice"]), ([], []))
            back = (await party.come_back())["back"]
            self.equal(f"{who}: all others can come back", sorted(back), sorted(set(ids[who]) - set(mine)))
        fresh = Party(f"http://127.0.0.1:{self.proxy.plain}", self.count)
        sessions = (await fresh.begin())["sessions"]
        told = await fresh.talk(1)
        self.check("new sessions go to the shards that are left",
                   number not in map(self.owner, sessions) and not told["closed"] and not told["lost"], told)
        await fresh.end()
        urls = [shard.url for shard in self.shards]
        code, output, _ = await self.run(
            "load", *urls, "--say", "hello", "--echo-only", "--sessions", 8, "--duration", "2s", "--quiet", "--json",
            "--token", "shards")
        answers = {shard["url"]: (shard["answers"], shard["sessions"]["opened"] > 0)
                   for shard in json.loads(output or "{}").get("shards", [])}
        self.equal("a load names the dead shard, and only its sessions fail", (code, answers), (1, {
            shard.url: (shard is not dead, shard is not dead) for shard in self.shards}))


def certificate(folder):
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
         "-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost", "-keyout", folder / "key.pem",
         "-out", folder / "certificate.pem"], check=True, stderr=subprocess.DEVNULL)
    (folder / "proxy.pem").write_bytes(
        (folder / "key.pem").read_bytes() + (folder / "certificate.pem").read_bytes())


def main():
    parser = argparse.ArgumentParser()
    for name in ("binary", "node", "nginx", "haproxy"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    checks = Checks()
    for name in ("nginx", "haproxy"):
        with tempfile.TemporaryDirectory(prefix="polymock-shards-") as path:
            folder = pathlib.Path(path)
            certificate(folder)
            (folder / "key").touch(0o600)
            (folder / "key").write_bytes(os.urandom(32))
            (folder / "hears.json5").write_text(FIXTURE)
            try:
                with Stage(name, options, folder, checks) as stage:
                    asyncio.run(asyncio.wait_for(stage.play(), 300))
            except Exception as problem:  # what it was is told, and the other proxy has its turn
                checks.that(f"{name}: the run goes on to its end", False, f"{type(problem).__name__}: {problem}")
    print(f"{checks.passed} passed, {checks.failed} failed")
    sys.exit(1 if checks.failed else 0)


if __name__ == "__main__":
    main()
