"""What runs cost, as ratios within one run: beside Starlette and Node, beside our own WebSocket and token request.

    Tests/interop/agui/run.sh BINARY bench [--rounds N] [--quick] [--case NAME]...

Takes a release build. Every figure comes from a process started for it, the contenders take turns, and a ratio is the
median of each round's ratio. Prints the figures, then the targets as met or missed; the exit status tells only whether
everything could be measured. Starlette and Node send the events that ours sent: the same bytes.
"""

import argparse
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "bench"))

from contenders import FIXTURES as OLDER  # noqa: E402
from contenders import UNWATCHED, Broken, Server  # noqa: E402

BODY = {
    "threadId": "thread-" + "#" * 20, "runId": "run-" + "#" * 20, "state": {}, "tools": [], "context": [],
    "forwardedProps": {}, "messages": [{"id": "u-1", "role": "user", "content": "Hello"}],
}
DELTAS = 200
FIXTURES = {
    "burst": '{ fixture: 1, name: "Burst", about: "A text without pauses.", memory: { count: %d },'
    ' pace: "burst", paces: { burst: { think: "0ms", chunk: "1 word", every: "0ms" } },'
    ' anywhere: [ { hears: "*", replies: [ { say: "{count.words}" } ] } ] }' % DELTAS,
    "echo": '{ fixture: 1, name: "Echo", about: "Says it again.", pace: "instant",'
    ' anywhere: [ { hears: "*", replies: [ { say: "{message}" } ] } ] }',
    "silent": '{ fixture: 1, name: "Silent", about: "Hears, says nothing.", memory: { said: null },'
    ' anywhere: [ { hears: "*", replies: [ { remember: { said: "yes" } } ] } ] }',
    "slow": '{ fixture: 1, name: "Slow", about: "A word every 100 ms.", memory: { count: 300 },'
    ' pace: "slow", paces: { slow: { think: "0ms", chunk: "1 word", every: "100ms" } },'
    ' anywhere: [ { hears: "*", replies: [ { say: "{count.words}" } ] } ] }',
    "even": '{ fixture: 1, name: "Even", about: "A word every 25 ms.", memory: { count: 140 },'
    ' pace: "even", paces: { even: { think: "0ms", chunk: "1 word", every: "25ms" } },'
    ' anywhere: [ { hears: "*", replies: [ { say: "{count.words}" } ] } ] }',
    "streams": OLDER["streams"],
}
JOIN = '{"type":"EVENT_TYPE_REQUEST_POLY_AGENT_JOIN","payload":{}}'


class Tools:
    def __init__(self, options, folder):
        self.binary, self.folder, self.quick = str(pathlib.Path(options.binary).resolve()), folder, options.quick
        self.node = shutil.which("node")
        for name, text in FIXTURES.items():
            (folder / f"{name}.json5").write_text(text)
        (folder / "body.json").write_text(json.dumps(BODY))
        for name, source in (("streams", HERE / "bench/streams.c"), ("load", HERE.parent / "bench/load.c")):
            subprocess.run(["cc", "-O2", "-std=gnu11", "-o", str(folder / name), str(source)], check=True)

    def ours(self, fixture=None, settings=None):
        command = [self.binary, "--port", "0", "--log", "quiet", "--fixtures", str(self.folder)]
        if settings:
            (self.folder / "settings.json5").write_text(json.dumps(settings))
            command += ["--config", str(self.folder / "settings.json5")]
        return Server("ours", command + (["--fixture", fixture] if fixture else []), log=self.folder / "ours.log")

    def starlette(self):
        command = [sys.executable, str(HERE / "bench/starlette_peer.py"), str(self.recorded())]
        return Server("starlette", command, log=self.folder / "starlette.log")

    def node_http(self):
        return Server("node", [self.node, str(HERE / "bench/http_peer.mjs"), str(self.recorded())], log=self.folder / "node.log")

    def recorded(self):
        """The events of one run of ours, in a file for the peers."""
        path = self.folder / "burst.jsonl"
        if not path.exists():
            with self.ours() as server:
                body = json.dumps(BODY).replace("#", "0").encode()
                request = urllib.request.Request(f"http://127.0.0.1:{server.port}/ag-ui/burst", body, {"Content-Type": "application/json"})
                with urllib.request.urlopen(request, timeout=20) as answer:
                    lines = [line[6:] for line in answer.read().decode().splitlines() if line.startswith("data: ")]
            path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return path

    def streams(self, server, mode, where, *options):
        return self._run("streams", mode, "-p", server.port, "-P", server.pid, "-u", where, "-b", self.folder / "body.json", *options)

    def load(self, server, mode, *options):
        return self._run("load", mode, "-p", server.port, "-P", server.pid, *options)

    def _run(self, *command):
        done = subprocess.run([str(self.folder / command[0]), *map(str, command[1:])], capture_output=True, text=True, timeout=150)
        if done.returncode:
            raise Broken(f"{' '.join(map(str, command))[:300]}\n  {done.stderr.strip()[-600:]}")
        return json.loads(done.stdout)

    @property
    def seconds(self):
        return ["-d", 0.5 if self.quick else 1, "-w", 0.3]


def reset(server):
    """Ends all sessions."""
    request = urllib.request.Request(f"http://127.0.0.1:{server.port}/_mock/reset", b"{}", {"Content-Type": "application/json"})
    urllib.request.urlopen(request, timeout=20).close()
    time.sleep(0.3)


def resident(server):
    lines = pathlib.Path(f"/proc/{server.pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))


def descriptors(server):
    return len(os.listdir(f"/proc/{server.pid}/fd"))


def burst(tools):
    """Runs without pauses on 64 connections: events a second."""
    figures = {}
    for name, start, where in (("ours", tools.ours, "/ag-ui/burst"), ("starlette", tools.starlette, "/run"), ("node", tools.node_http, "/run")):
        with start() as server:
            got = tools.streams(server, "runs", where, "-c", 64, *tools.seconds)
            figures[name], figures[f"{name}, µs CPU each"] = got["rate"], got["us_per_event"]
            figures[f"{name}, bytes a run"] = got["bytes"] / max(got["asked"], 1)
    return figures


def pace(tools):
    """500 runs, a delta every 25 ms, against 500 WebSocket sessions with the same text and pace: the slowest percent."""
    wait = ["-c", 500, "-m", 130, "-g", 25, "-d", 1 if tools.quick else 1.5, "-w", 1.1]
    with tools.ours() as server:
        runs = tools.streams(server, "pace", "/ag-ui/even", *wait)
    with tools.ours("streams") as server:
        sockets = tools.load(server, "pace", *wait[:-1], 0.3, "-s", "bench", "-x", "MESSAGE_CHUNK", "-t", JOIN)
    return {"runs, ms p99": runs["p99_ms"], "sockets, ms p99": sockets["p99_ms"], "runs, µs CPU": runs["us_per_event"]}


def first(tools):
    """From a request to its first event, and from a token request to its answer; one after the other."""
    with tools.ours() as server:
        runs = tools.streams(server, "first", "/ag-ui/echo", *tools.seconds)
    with tools.ours() as server:
        tokens = tools.streams(server, "first", "/api/v1/access-token", "-H", "X-Token: mock:echo\r\nX-Host: bench.example\r\n", *tools.seconds)
    return {"first event, µs": runs["p50_us"], "token, µs": tokens["p50_us"]}


def memory(tools):
    """What a finished run keeps of the bytes it sent, and what a thread weighs beside an idle session."""
    count = 1000 if tools.quick else 4000
    kept = {}
    for agent in ("burst", "silent"):
        with tools.ours() as server:
            tools.streams(server, "fill", f"/ag-ui/{agent}", "-n", 200, "-c", 16)
            got = tools.streams(server, "fill", f"/ag-ui/{agent}", "-n", count, "-c", 16)
            kept[agent] = (got["rss_kb"] - got["before_kb"]) * 1024 / count, got["bytes"] / count
    with tools.ours() as server:
        tools.load(server, "idle", "-s", "mock:silent", "-n", 200, "-c", 1, "-d", 0)
        idle = tools.load(server, "idle", "-s", "mock:silent", "-n", count, "-c", 1, "-d", 0)
    (large, sent), (small, little) = kept["burst"], kept["silent"]
    return {
        "bytes kept of a run": large - small, "bytes sent by it": sent - little,
        "bytes of a thread": small, "bytes of an idle session": (idle["sessions_kb"] - idle["before_kb"]) * 1024 / count,
    }


def leaving(tools):
    """A thousand runs whose clients leave behind the third event, after four thousand others; a reset ends the sessions.

    Without rows: until their ring is full, they grow by what they are for."""
    with tools.ours(settings=UNWATCHED) as server:
        for _ in range(4):
            tools.streams(server, "leave", "/ag-ui/slow", "-n", 1000, "-c", 100)
            reset(server)
        before = resident(server), descriptors(server)
        tools.streams(server, "leave", "/ag-ui/slow", "-n", 1000, "-c", 100)
        reset(server)
        return {"more KB": resident(server) - before[0], "more descriptors": descriptors(server) - before[1]}


CASES = {"burst": burst, "pace": pace, "first": first, "memory": memory, "leaving": leaving}
# Name, case, the figure of one round, the bound, and whether it is a least one.
TARGETS = [
    ("events per second of 64 runs, against Starlette", "burst", lambda it: it["ours"] / it["starlette"], 10, True),
    ("events per second of 64 runs, against Node's http", "burst", lambda it: it["ours"] / it["node"], 1.5, True),
    ("lateness p99 of 500 runs, against 500 WebSockets", "pace", lambda it: it["runs, ms p99"] / it["sockets, ms p99"], 1.2, False),
    ("request to first event, against our token request", "first", lambda it: it["first event, µs"] / it["token, µs"], 1.2, False),
    ("bytes that a finished run keeps, of those it sent", "memory", lambda it: it["bytes kept of a run"] / it["bytes sent by it"], 2, False),
    ("a thread without a stream, against an idle session", "memory", lambda it: it["bytes of a thread"] / it["bytes of an idle session"], 1.5, False),
    ("KB more after a thousand runs that were left", "leaving", lambda it: it["more KB"], 256, False),
    ("descriptors more after them", "leaving", lambda it: it["more descriptors"], 0, False),
]


def main():
    parser = argparse.ArgumentParser(prog="run.sh BINARY bench")
    parser.add_argument("binary")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--case", action="append", choices=CASES)
    options = parser.parse_args()
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="polymock-bench-") as name:
        tools = Tools(options, pathlib.Path(name))
        print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, {options.rounds} rounds", flush=True)
        results = {case: [] for case in options.case or CASES}
        for number in range(options.rounds):
            for case, rounds in results.items():
                rounds.append(CASES[case](tools))
                print(f"round {number + 1} {case}", flush=True)
    for case, rounds in results.items():
        print(f"\n{case}: {CASES[case].__doc__.split(chr(10))[0]}")
        for figure in rounds[0]:
            print(f"  {figure:28} {statistics.median(each[figure] for each in rounds):14,.1f}")
    print()
    for name, case, figure, wanted, is_least in TARGETS:
        if case in results:
            value = statistics.median(figure(each) for each in results[case])
            is_met = value >= wanted if is_least else value <= wanted
            print(f"{'met   ' if is_met else 'MISSED'} {name}: {value:.2f}, {'at least' if is_least else 'at most'} {wanted}")
    print(f"{time.monotonic() - began:.0f} s; load {os.getloadavg()[0]:.1f}")


main()
