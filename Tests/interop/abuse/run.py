"""Runs the bad clients of abuse.py against a server and judges what the good one saw.

    run.py --tool PATH/abuse.py --base http://127.0.0.1:PORT --pid PID [--talk] [--quick] [--attacks A,B] [--ahead]

Before the start the server's timeline is filled to its bound, 10,000 rows or 32 MiB: rows are kept on purpose, those of
attacks like others, and a ring that fills up would look like a leak. Then it has to hold:

- the good client gets every answer, in every phase;
- the slowest of a hundred of its round trips takes at most five times what it takes in the quiet (5 ms count as quiet:
  three programs share the processors); a phase that takes longer is run again, twice at most, since whatever else the
  machine does shows there first;
- the memory at the end is within a tenth of that at the start, once the good client's own sessions are deleted;
- the server lives.

--talk lets the good client hold a conversation; otherwise it echoes. --quick leaves out what differs little, and does
not judge times: its phases are too short for that. --ahead comes before the machine's other work (Linux, as root).
"""

import argparse
import http.client
import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
QUICK = "ws-never-read,ws-frame-bomb,ws-zip-bomb,ws-nasty-json,http-slow-headers,http-big-body"
QUIET_MS = 5.0
FACTOR = 5
REPEATS = 2
GROWTH = 1.1
RETURN_SECONDS = 15
WARM_REQUESTS, WARM_BYTES = 6_000, 6_000


def warm_up(base):
    """Fills the timeline: each request makes two rows, and all of them together more bytes than it keeps."""
    body = json.dumps({"padding": "x" * WARM_BYTES})
    connection = http.client.HTTPConnection(base.removeprefix("http://"), timeout=20)
    headers = {"X-Token": "webchat", "X-Host": "example.com", "Content-Type": "application/json"}
    for _ in range(WARM_REQUESTS):
        connection.request("POST", "/api/v1/access-token", body, headers)
        connection.getresponse().read()
    connection.close()


def forget_sessions(base):
    """What was said is kept on purpose as well."""
    connection = http.client.HTTPConnection(base.removeprefix("http://"), timeout=20)
    connection.request("GET", "/_mock/sessions")
    sessions = json.load(connection.getresponse())["sessions"]
    for session in sessions:
        connection.request("DELETE", f"/_mock/sessions/{session['id']}", headers={"X-Mock-Control": "1"})
        connection.getresponse().read()
    connection.close()


def resident(pid):
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    return 0.0


def ahead():
    """Nice values count within a group of processes; the group has one too (sched(7))."""
    pathlib.Path("/proc/self/autogroup").write_text("-19")


def run(options, attacks, report):
    base = options.base
    sockets = base.replace("http", "ws", 1)
    good = f"{sys.executable} {HERE / 'talk.py'} {base} 25"
    if not options.talk:
        good = f"{sys.executable} {options.tool} --good-client {sockets}/_mock/echo 50"
    if options.ahead:
        good = "sh -c " + shlex.quote(f"echo -19 >/proc/self/autogroup; exec {good}")
    command = [
        sys.executable, options.tool, "--ws", f"{sockets}/_mock/echo", "--http", base, "--get", "/_mock/health",
        "--post", "/api/v1/access-token", "--pid", str(options.pid), "--good", good, "--min-success", "1",
        "--settle", "1", "--json", report]
    if options.quick:
        command += ["--seconds", "1.5"]
    if attacks:
        command += ["--attacks", attacks]
    status = subprocess.run(command).returncode
    found = json.loads(pathlib.Path(report).read_text())
    return status, found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tool", required=True)
    parser.add_argument("--base", required=True)
    parser.add_argument("--pid", type=int, required=True)
    parser.add_argument("--talk", action="store_true")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--ahead", action="store_true")
    parser.add_argument("--attacks", default="")
    options = parser.parse_args()
    if options.ahead:
        ahead()
    warm_up(options.base)
    before = resident(options.pid)
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        report = str(pathlib.Path(folder) / "report.json")
        status, found = run(options, options.attacks or (QUICK if options.quick else ""), report)
        if status != 0:
            failures += found["problems"] or [f"abuse.py ended with {status}"]
        quiet = max(QUIET_MS, found["phases"][0]["p99_ms"] or 0)
        slow = [p for p in found["phases"][1:] if not options.quick and (p["p99_ms"] or 0) > FACTOR * quiet]
        for phase in slow:
            name = phase["phase"]
            taken = phase["p99_ms"]
            single = "" if name in ("all together", "quiet end") else name
            for _ in range(REPEATS):
                if taken <= FACTOR * quiet:
                    break
                print(f"abuse: again, for the p99 of {taken} ms: {name}", flush=True)
                status, again = run(options, single or QUICK, report)
                if status != 0:
                    failures += again["problems"]
                quiet = max(quiet, again["phases"][0]["p99_ms"] or 0)
                taken = max(p["p99_ms"] or 0 for p in again["phases"] if p["phase"] == name)
            if taken > FACTOR * quiet:
                failures.append(f"{name}: a p99 of {taken} ms, {FACTOR} times the quiet one is {FACTOR * quiet:.1f}")
    forget_sessions(options.base)
    # The server looks every few seconds whether it has memory to give back.
    until = time.monotonic() + RETURN_SECONDS
    while resident(options.pid) > before * GROWTH and time.monotonic() < until:
        time.sleep(0.5)
    after = resident(options.pid)
    if os.path.exists(f"/proc/{options.pid}") and after > before * GROWTH:
        failures.append(f"memory grew from {before:.1f} to {after:.1f} MiB")
    worst = max(p["p99_ms"] or 0 for p in found["phases"][1:])
    print(f"abuse: memory {before:.1f} -> {after:.1f} MiB, quiet p99 {found['phases'][0]['p99_ms']} ms, "
          f"worst of the first run {worst} ms")
    for failure in failures:
        print(f"FAIL {failure}")
    return 1 if failures else 0


sys.exit(main())
