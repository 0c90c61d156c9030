"""What is measured. A case names its contenders and measures one of them once."""

import contextlib
import json
import os
import threading
import urllib.request

from contenders import CHUNKS, PROMPT, UNWATCHED, stripped_bytes

ECHO = "EVENT_TYPE_USER_MESSAGE"
JOIN = '{"type":"EVENT_TYPE_REQUEST_POLY_AGENT_JOIN","payload":{}}'
TALKING = ["-s", "bench", "-j", "-x", ECHO]


def anonymous_bytes(pid):
    """Resident memory of a process that is in no file."""
    with open(f"/proc/{pid}/status") as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith("RssAnon"))


class Case:
    """The doc comment explains the figures; `shown` are (key, unit, digits) of what a row prints."""

    rounds = None  # at most so many

    def __init__(self, tools):
        self.tools = tools

    def measure(self, contender):
        raise NotImplementedError

    def close(self):
        pass

    def load(self, mode, server, *options):
        return self.tools.load(mode, "-p", server.port, "-P", server.pid, *options)

    def seconds(self, warm_up=0.2):
        return ["-d", self.tools.seconds, "-w", warm_up]

    def load_mock(self, mode, *options):
        """The Node mock, which has a second to compile what it runs often."""
        with self.tools.contenders.node_mock() as server:
            return self.load(mode, server, *options, *self.seconds(1))


class Echo(Case):
    """Every server sends a text of 180 bytes back as it came, unread: ours at /_mock/echo, each peer with the least
    work that its library allows; libwebsockets (C) on its libev loop, uWebSockets (C++) on libuv."""

    shown = [("rate", "/s", 0), ("p50_us", "µs p50", 0), ("p99_us", "µs p99", 0), ("us_per_message", "µs CPU", 2),
             ("user_us", "user", 2), ("system_us", "system", 2)]

    def __init__(self, tools, connections):
        super().__init__(tools)
        self.name, self.connections = f"echo-{connections}", connections
        self.title = f"WebSocket echo, {connections:,} connection{'s' if connections > 1 else ''}"
        self.contenders = ["ours"] + (["libwebsockets"] if tools.contenders.lws else [])
        self.contenders += (["uWebSockets"] if tools.contenders.uws else []) + ["node"]
        if connections == 64:
            self.contenders += ["websockets", "aiohttp"]

    def measure(self, contender):
        people = self.tools.contenders
        server = {"ours": people.ours, "node": people.node_server, "libwebsockets": people.lws_server,
                  "uWebSockets": people.uws_server}.get(contender, lambda: people.python_server(contender))()
        path = "/_mock/echo" if contender == "ours" else "/echo"
        with server:
            if self.tools.wsload:
                got = self.tools.run_wsload(
                    server, "-m", "echo", "-c", self.connections, "-p", path, "-L", *self.seconds())
                return {"rate": got["rate"], "p50_us": got["p50"], "p99_us": got["p99"],
                        "us_per_message": got["srv_us_per_msg"]}
            return self.load("talk", server, "-u", path, "-c", self.connections, *self.seconds())


class RoundTrip(Case):
    """A USER_MESSAGE is parsed, journaled and told with its own id, sequence and stamp to its session's client, by ours
    (which keeps rows and protocol rules besides) and by the Node mock; "node, plain echo" sends the same text back unread."""

    name = "round-trip-64"
    title = "protocol round trip, 64 sessions"
    contenders = ["ours", "ours, unwatched", "ours, unheard", "ours, plain echo", "node mock",
                  "node, plain echo"]
    shown = [("rate", "/s", 0), ("p50_us", "µs p50", 0), ("p99_us", "µs p99", 0), ("us_per_message", "µs CPU", 2),
             ("user_us", "user", 2), ("system_us", "system", 2)]

    def measure(self, contender):
        people = self.tools.contenders
        talking = [*TALKING, "-c", 64, *self.seconds()]
        if contender == "node, plain echo":
            with people.node_server() as server:
                return self.load("talk", server, "-u", "/echo", "-c", 64, *self.seconds())
        if contender == "node mock":
            return self.load_mock("talk", *TALKING, "-c", 64)
        fixture = "silent" if contender == "ours, unheard" else "hears"
        settings = UNWATCHED if contender == "ours, unwatched" else None
        with people.ours(fixture, settings) as server:
            if contender == "ours, plain echo":
                return self.load("talk", server, "-u", "/_mock/echo", "-c", 64, *self.seconds())
            return self.load("talk", server, *talking)


class Followed(Case):
    """The same round trip of ours while inspectors follow: each asks for 2,000 rows a second at most, and reads all it
    is told."""

    name = "followed-64"
    title = "protocol round trip, 64 sessions, inspectors follow"
    contenders = ["ours", "ours, 1 inspector", "ours, 3 inspectors"]
    shown = RoundTrip.shown

    def measure(self, contender):
        count = {"ours, 1 inspector": 1, "ours, 3 inspectors": 3}.get(contender, 0)
        talking = [*TALKING, "-c", 64, *self.seconds()]
        with self.tools.contenders.ours("hears") as server, self.tools.contenders.followers(server, count):
            return self.load("talk", server, *talking)


class Cold(Case):
    """Both go from before the process exists to the agent's greeting in a new session; 50 ms of ours are the delays
    before a handshake and before a history, which "prompt" switches off."""

    name = "cold"
    title = "greeting from cold"
    contenders = ["ours", "ours, prompt", "node"]
    shown = [("median_ms", "ms", 1), ("min_ms", "ms least", 1)]

    def measure(self, contender):
        people = self.tools.contenders
        command = people.node_command() if contender == "node" else people.ours_command(
            settings=PROMPT if contender == "ours, prompt" else None)
        return self.tools.load("cold", "-n", 3, "-s", "mock:webchat@pace=instant", "--", *command)


class Pace(Case):
    """A streamed answer of frames 25 ms apart in every session: ours and the Node mock journal each with its own id,
    sequence and stamp, "node" only makes the text. How late are they? See load.c for the reckoning. "followed" has
    `polymock wire --follow` beside it, which writes a line per frame to a file."""

    def __init__(self, tools, sessions):
        super().__init__(tools)
        self.name, self.sessions = f"pace-{sessions}", sessions
        self.title = f"streaming, {sessions:,} sessions at 25 ms"
        self.contenders = ["ours", "ours, unwatched", "ours, followed"] if sessions < 2000 else ["ours"]
        self.contenders += ["node mock", "node"]

    shown = [("p50_ms", "ms p50", 3), ("p99_ms", "ms p99", 3), ("p999_ms", "ms p999", 2),
             ("arrived", "of the frames", 3), ("us_per_message", "µs CPU", 2),
             ("user_us", "user", 2), ("system_us", "system", 2)]

    def measure(self, contender):
        people = self.tools.contenders
        common = ["-c", self.sessions, "-x", "MESSAGE_CHUNK", "-m", 140, "-g", 25, "-t", JOIN,
                  "-d", 1.5 if not self.tools.is_quick else 1, "-w", 0.3]
        if contender == "node":
            with people.node_server() as server:
                return self.load("pace", server, "-u", "/stream", *common)
        if contender == "node mock":
            with people.node_mock(CHUNKS) as server:
                return self.load("pace", server, "-s", "bench", *common)
        settings = UNWATCHED if contender == "ours, unwatched" else None
        with people.ours("streams", settings) as server:
            with people.wire_reader(server) if "followed" in contender else contextlib.nullcontext():
                return self.load("pace", server, "-s", "bench", *common)


class Replay(Case):
    """Ours alone: a new connection asks for a journal of 10,000 entries, from its request to the last byte. "prompt"
    waits neither before the handshake nor before the history, which by default takes 50 ms on purpose."""

    name = "replay"
    title = "replay of 10,000 events"
    contenders = ["ours, prompt", "ours", "ours, prompt, unwatched"]
    shown = [("median_ms", "ms", 2), ("min_ms", "ms least", 2), ("max_ms", "ms most", 2),
             ("after_101_ms", "ms after 101", 2)]

    def measure(self, contender):
        settings = {"ours": None, "ours, prompt": PROMPT}.get(contender, {**PROMPT, **UNWATCHED})
        with self.tools.contenders.ours("hears", settings) as server:
            return self.load("replay", server, "-s", "bench", "-x", ECHO, "-n", 10_000, "-k", 15)


class Fan(Case):
    """One connection speaks, ten hear it, then the next message: ours and the Node mock parse, journal and tell it to
    the session's connections, "node" sends the text unread to all sockets it has."""

    name = "fan-10"
    title = "fan-out to 10 connections"
    contenders = ["ours", "ours, unwatched", "node mock", "node"]
    shown = [("rate", "messages/s", 0), ("all_p50_us", "µs until all, p50", 0), ("all_p99_us", "µs p99", 0),
             ("us_per_message", "µs CPU", 1),
             ("user_us", "user", 1), ("system_us", "system", 1)]

    def measure(self, contender):
        people = self.tools.contenders
        if contender == "node":
            with people.node_server() as server:
                return self.load("fan", server, "-u", "/fan", "-c", 10, *self.seconds())
        if contender == "node mock":
            return self.load_mock("fan", *TALKING, "-1", "-c", 10)
        with people.ours("hears", UNWATCHED if contender == "ours, unwatched" else None) as server:
            return self.load("fan", server, *TALKING, "-1", "-c", 10, *self.seconds())


class HTTP(Case):
    """POST access-token, then POST sessions with it, on 64 connections that stay open: ours and the Node mock sign a
    token (HS256), check it and make a session; "node" and nginx send the same bytes again and again."""

    name = "http-64"
    title = "token and session over HTTP"
    contenders = ["ours", "ours, unwatched", "node mock", "node", "nginx"]
    shown = [("rate", "pairs/s", 0), ("p50_us", "µs p50", 0), ("p99_us", "µs p99", 0),
             ("us_per_message", "µs CPU", 1),
             ("user_us", "user", 1), ("system_us", "system", 1)]

    def measure(self, contender):
        people = self.tools.contenders
        if contender == "node mock":
            return self.load_mock("http", "-s", "bench", "-c", 64)
        server = {"node": people.node_server, "nginx": people.nginx_server}.get(
            contender, lambda: people.ours("hears", UNWATCHED if contender == "ours, unwatched" else None))()
        with server:
            return self.load("http", server, "-s", "bench", "-c", 64, *self.seconds())


class Connect(Case):
    """Both accept a connection, upgrade it for an echo and see it reset; 64 at once."""

    name = "connect"
    title = "connect and upgrade"
    contenders = ["ours", "node"]
    shown = [("rate", "/s", 0), ("p50_us", "µs p50", 0), ("us_per_message", "µs CPU", 1),
             ("user_us", "user", 1), ("system_us", "system", 1)]

    def measure(self, contender):
        if not self.tools.wsload:
            self.tools.skip(self.name, "it needs wsload")
            return None
        people = self.tools.contenders
        server = people.ours() if contender == "ours" else people.node_server()
        with server:
            got = self.tools.run_wsload(
                server, "-m", "conn", "-c", 64, "-L", "-p", "/_mock/echo" if contender == "ours" else "/echo",
                *self.seconds())
            return {"rate": got["rate"], "p50_us": got["p50"], "us_per_message": got["srv_us_per_msg"]}


class Idle(Case):
    """Resident memory per connection, 10,000 of them; ours has a session and its token for each, the peers have
    connections only. "joined" has an agent in each session as well."""

    name = "idle-10000"
    title = "idle memory per connection"
    rounds = 2
    contenders = ["ours", "ours, joined", "ours, unwatched", "node", "websockets"]
    shown = [("kb_each", "KB each", 2), ("kb_per_session", "KB of them the session", 2), ("after_kb", "KB in all", 0)]

    def measure(self, contender):
        people = self.tools.contenders
        wait = ["-c", 10_000, "-d", 0.5]
        if not self.tools.has_descriptors:
            self.tools.skip(self.name, "no 10,000 descriptors: raise `ulimit -n`")
            return None
        if contender in ("node", "websockets"):
            with people.node_server() if contender == "node" else people.python_server(contender) as server:
                return self.load("idle", server, "-u", "/echo", *wait)
        with people.ours("hears", UNWATCHED if contender == "ours, unwatched" else None) as server:
            return self.load("idle", server, "-s", "bench", *wait, *(["-j"] if "joined" in contender else []))


class Kept(Case):
    """What a short message with its echo keeps in memory: an entry of the journal, and in "rows" two rows of what
    crossed the wire as well."""

    name = "kept-message"
    title = "memory per message and echo"
    rounds = 2
    contenders = ["ours", "ours, rows"]
    shown = [("bytes_per_message", "bytes", 0)]

    def measure(self, contender):
        rows = 0 if contender == "ours" else 10_000_000
        limits = {"journalEntries": 10_000_000, "journalBytes": 1 << 40, "rows": rows}
        with self.tools.contenders.ours("hears", {"limits": limits}) as server:
            talking = ["talk", server, *TALKING, "-c", 4, "-w", 0, "-d", 0.4]
            self.load(*talking)
            before = anonymous_bytes(server.pid)
            count = self.load(*talking)["count"]
            return {"bytes_per_message": (anonymous_bytes(server.pid) - before) / count}


class File(Case):
    """A file of 20 MB that a client uploads: the memory it takes beyond its size, and how late the frames of 500 other
    sessions are while another one comes in."""

    name = "file-20"
    title = "a file of 20 MB"
    rounds = 3
    contenders = ["ours"]
    shown = [("extra_mb", "MB beyond its size", 2), ("p99_ms", "ms p99 of others", 3)]
    size = 20_000_000

    def measure(self, contender):
        with self.tools.contenders.ours("streams") as server:
            def ask(method, url, body, **headers):
                request = urllib.request.Request(url, body, headers, method=method)
                with urllib.request.urlopen(request, timeout=20) as answer:
                    return json.loads(answer.read() or b"null")

            def post(path, body, **headers):
                base = f"http://127.0.0.1:{server.port}/api/v1/"
                return ask("POST", base + path, json.dumps(body).encode(), **{"Content-Type": "application/json"}, **headers)

            token = post("access-token", {}, **{"X-Token": "bench", "X-Host": "bench"})["access_token"]
            mine = {"Authorization": f"Bearer {token}"}
            session = post("sessions", {"platform": "ios", "extensions": ["files"]}, **mine)["session_id"]
            wish = {"name": "film.mp4", "type": "video/mp4", "size": self.size}

            def upload():
                place = post(f"sessions/{session}/files", wish, **mine)
                ask("PUT", place["upload_url"], bytes(self.size), **{"Content-Type": "video/mp4"})

            before = anonymous_bytes(server.pid)
            upload()
            extra = anonymous_bytes(server.pid) - before - self.size
            later = threading.Timer(0.8, upload)
            later.start()
            got = self.load("pace", server, "-s", "bench", "-c", 500, "-x", "MESSAGE_CHUNK", "-m", 140, "-g", 25,
                            "-t", JOIN, "-d", 1.5, "-w", 0.3)
            later.join()
            return {"extra_mb": extra / 1e6, "p99_ms": got["p99_ms"]}


class Allocations(Case):
    """Ours alone: allocations per round trip, counted by a library that is loaded before the others; the first second
    is left out."""

    name = "allocations-64"
    title = "allocations per round trip"
    rounds = 2
    contenders = ["ours"]
    shown = [("per_message", "allocations", 1)]

    def measure(self, contender):
        if not self.tools.allocations:
            self.tools.skip(self.name, "the library that counts could not be built")
            return None
        folder = self.tools.contenders.folder
        path = folder / "allocations"
        environment = {**os.environ, "LD_PRELOAD": self.tools.allocations, "ALLOCATIONS": str(path)}
        with self.tools.contenders.ours("hears", environment=environment) as server:
            talking = ["talk", server, *TALKING, "-c", 64, "-w", 0, "-d", 1]
            self.load(*talking)
            before = int.from_bytes(path.read_bytes(), "little")
            count = self.load(*talking)["count"]
            return {"per_message": (int.from_bytes(path.read_bytes(), "little") - before) / count}


class Start(Case):
    """Both go from before the process exists to the answer of their first request, with memory 30 ms later; median of
    20."""

    name = "start"
    title = "start-up"
    shown = [("median_ms", "ms", 2), ("min_ms", "ms least", 2), ("rss_kb", "KB resident", 0),
             ("private_kb", "KB its own", 0)]

    def __init__(self, tools):
        super().__init__(tools)
        self.contenders = ["ours"] + (["ours, static"] if tools.static else []) + ["node"]

    def measure(self, contender):
        people = self.tools.contenders
        count = max(4, -(-20 // self.tools.rounds))
        if contender == "node":
            return self.tools.load("start", "-n", count, "-u", "/", "--", *people.node_command())
        binary = self.tools.static if contender == "ours, static" else None
        command = people.ours_command(binary=binary)
        return self.tools.load("start", "-n", count, "-u", "/_mock/health", "--", *command)


class Size(Case):
    """Ours alone: bytes of the binary."""

    name = "size"
    title = "size of the binary"
    rounds = 1
    shown = [("mb", "MB as built", 1), ("stripped_mb", "MB stripped", 1)]

    def __init__(self, tools):
        super().__init__(tools)
        self.contenders = ["ours"] + (["ours, static"] if tools.static else [])

    def measure(self, contender):
        binary = self.tools.contenders.binary if contender == "ours" else self.tools.static
        got = {"mb": os.path.getsize(binary) / 1e6}
        stripped = stripped_bytes(binary, self.tools.contenders.folder)
        return {**got, "stripped_mb": stripped / 1e6} if stripped else got


class Growth(Case):
    """Ours alone: processor time per message with more and more sessions in memory: 64 of them talk, or 1,000 in turn
    with 64 messages under way; the others are held and silent. The largest server lives through all rounds."""

    name = "growth"
    title = "cost per message, by sessions in memory"
    shown = [("us_per_message", "µs CPU", 2), ("rate", "/s", 0), ("rss_kb", "KB resident", 0)]

    def __init__(self, tools):
        super().__init__(tools)
        self.sizes = [1_000, 50_000] if tools.is_quick else [1_000, 10_000, 50_000]
        self.contenders = [f"{size:,}, {who}" for size in self.sizes for who in ("64 talk", "1,000 in turn")]
        self.largest = None

    def measure(self, contender):
        size, takes_turns = int(contender.split(", ")[0].replace(",", "")), "in turn" in contender
        who = ["-c", 1_000, "-i", 64] if takes_turns else ["-c", 64]
        if size < self.sizes[-1]:
            with self.filled(size - who[1]) as server:
                return self.load("talk", server, *TALKING, *who, *self.seconds())
        if self.largest is None:
            self.largest = self.filled(size - who[1])
        return self.load("talk", self.largest, *TALKING, *who, *self.seconds())

    def filled(self, count):
        server = self.tools.contenders.ours("hears")
        try:
            if count:
                self.load("idle", server, "-s", "bench", "-n", count, "-c", 1, "-d", 0)
        except Exception:
            server.stop()
            raise
        return server

    def close(self):
        if self.largest:
            self.largest.stop()


class Shards(Case):
    """Messages of 64 sessions to their echoes, with all servers on one core and the client on another: one process of
    ours, four with a quarter of the sessions each, and the four behind nginx, whose processor time is told apart."""

    name = "shards-4"
    title = "four shards on one core"
    contenders = ["ours, four shards", "ours, one process", "ours, four behind nginx"]
    shown = [("rate", "/s", 0), ("p50_us", "µs p50", 0), ("p99_us", "µs p99", 0), ("us_per_message", "µs CPU", 2),
             ("front_us_per_message", "µs CPU of nginx", 2)]

    def measure(self, contender):
        people = self.tools.contenders
        cores = sorted(os.sched_getaffinity(0))
        if len(cores) < 2:
            self.tools.skip(self.name, "servers and client need a core each")
            return None
        if "nginx" in contender and not people.knows_shards():
            self.tools.skip(f"{self.name} behind nginx", "the binary has no --shard")
            return None
        count = 1 if contender == "ours, one process" else 4
        with people.shards("hears", count, cores[0], "nginx" in contender) as (shards, front):
            os.sched_setaffinity(0, cores[1:])
            try:
                return self.tools.load(
                    "talk", "-p", front.port if front else commas(shard.port for shard in shards),
                    "-P", commas(shard.pid for shard in shards), "-Q", front.pid if front else 0,
                    *TALKING, "-c", 64, *self.seconds())
            finally:
                os.sched_setaffinity(0, cores)


def commas(numbers):
    return ",".join(map(str, numbers))


def all_cases(tools):
    return [
        Echo(tools, 1), Echo(tools, 64), Echo(tools, 1_000), RoundTrip(tools), Followed(tools), Fan(tools), HTTP(tools),
        Connect(tools), Shards(tools), Cold(tools), Start(tools), Size(tools), Replay(tools), Idle(tools),
        Kept(tools), File(tools), Allocations(tools), Growth(tools), Pace(tools, 500), Pace(tools, 2_000),
    ]
