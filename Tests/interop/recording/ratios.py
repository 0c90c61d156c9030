"""What recordings cost, as ratios within one run: ratios.py BINARY. Compared by hand, never a gate.

  lifting   100,000 messages: time and memory of `record`, by those of `import`; allowed are 2 and 3
  loading   1,000 turns: `check`, and a start of the server, by those of a fixture written by hand; allowed is 1.5
  comparing ten minutes: `compare`, by `replay` in mock time; allowed is 1.2
"""

import json
import os
import pathlib
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

BINARY = str(pathlib.Path(sys.argv[1]).resolve())
HERE = pathlib.Path(tempfile.mkdtemp())
START = 1_768_469_400
SAID = "Number {} of my questions"
ANSWER = "Here is the answer to question number {}, in a sentence."


def har(name, turns, seconds):
    """A talk of so many turns, each that long, as a browser keeps it. Its file and its number of messages."""
    messages = []

    def add(kind, at, event, **payload):
        frame = {"type": f"EVENT_TYPE_{event}", "payload": payload}
        if kind == "receive":
            number = len(messages) + 1
            counted = None if event == "POLY_AGENT_THINKING" else number
            frame |= {"id": f"0190f1c2-5f0a-7c11-8a61-{number:012x}", "sequence": counted}
            frame["timestamp"] = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(at))
        messages.append({"type": kind, "time": at, "opcode": 1, "data": json.dumps(frame)})

    capabilities = {
        "streaming": True, "max_message_size_bytes": 131072, "max_reconnect_attempts": 5, "heartbeat_interval_seconds": 30}
    add("receive", START, "SESSION_START", capabilities=capabilities)
    add("send", START, "REQUEST_POLY_AGENT_JOIN")
    add("receive", START, "REQUEST_POLY_AGENT_JOIN")
    add("receive", START, "POLY_AGENT_JOINED", agent_name="Ada")
    for turn in range(turns):
        at = START + 1 + turn * seconds
        add("send", at, "USER_MESSAGE", text=SAID.format(turn))
        add("receive", at, "USER_MESSAGE", message_id=f"msg_u_{turn}", text=SAID.format(turn))
        add("receive", at, "POLY_AGENT_THINKING")
        add("receive", at + seconds / 2, "POLY_AGENT_MESSAGE_CHUNK", message_id=f"msg_{turn}", chunk_index=0, is_complete=True,
            text=ANSWER.format(turn), attachments=[], response_suggestions=[])
    talk = {
        "startedDateTime": "2026-01-15T09:30:00.000Z", "time": 1, "_webSocketMessages": messages,
        "request": {"method": "GET", "url": "ws://h/ws?access_token=t&session_id=s-1", "headers": []},
        "response": {"status": 101, "headers": [], "content": {"size": 0}},
    }
    file = HERE / name
    file.write_text(json.dumps({"log": {"version": "1.2", "entries": [talk]}}))
    return file, len(messages)


def run(*words, codes=(0,)):
    """Seconds of the processor, highest resident bytes, and output of the binary."""
    out = HERE / "out"
    with out.open("wb") as pipe, (HERE / "said").open("wb") as said:
        process = subprocess.Popen([BINARY, *map(str, words)], cwd=HERE, stdout=pipe, stderr=said)
        _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode in codes, (words, (HERE / "said").read_text()[-500:])
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss << 10, out.read_text()


def serve(*flags):
    process = subprocess.Popen(
        [BINARY, "--port", "0", *map(str, flags)], cwd=HERE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    line = process.stdout.readline()
    return process, re.search(r"http://\S+", line)[0]


def stop(process):
    """Seconds of the processor, since the start of the process."""
    process.send_signal(signal.SIGINT)
    process.stdout.close()
    _, process.returncode, usage = os.wait4(process.pid, 0)
    return usage.ru_utime + usage.ru_stime


def highest(process):
    return int(re.search(r"VmHWM:\s+(\d+)", pathlib.Path(f"/proc/{process.pid}/status").read_text())[1]) << 10


def tell(name, ours, other, allowed):
    print(f"{name}: {ours:.3g} by {other:.3g} = {ours / other:.2f}, allowed {allowed}", flush=True)


def lifting():
    file, count = har("long.har", 25_000, 1)
    print(f"lifting {count} messages, {file.stat().st_size >> 20} MiB")
    times, growth = [], []
    for _ in range(3):
        server, address = serve()
        before = highest(server)
        seconds = run("import", file, "--url", address)[0]
        growth.append(highest(server) - before)
        times.append(seconds + stop(server))
    idle = run("--version")[1]
    # A fixture of so many turns is larger than a server loads: `record` writes it, says so, and plays nothing.
    lifted = [run("record", file, codes=(1,)) for _ in range(3)]
    assert lifted[0][2].count("hears") == 25_000, "a turn is missing"
    tell("lifting, seconds", statistics.median(one[0] for one in lifted), statistics.median(times), 2)
    tell("lifting, MiB", (statistics.median(one[1] for one in lifted) - idle) / 2**20, statistics.median(growth) / 2**20, 3)


def loading():
    file, _ = har("thousand.har", 1_000, 1)
    text = run("record", file)[2]
    rules = "".join(
        f'      {{ hears: "{SAID.format(turn)}", replies: [ {{ say: "{ANSWER.format(turn)}" }} ] }},\n' for turn in range(1_000))
    talk = "".join(f'    "user: {SAID.format(turn)}", "agent: {ANSWER.format(turn)}",\n' for turn in range(1_000))
    hand = (
        f'{{\n  fixture: 1,\n  name: "By hand",\n  agent: {{ name: "Ada" }},\n  stages: {{\n    start: [\n{rules}    ],\n  }},\n'
        f'  examples: [ {{ name: "All", talk: [\n{talk}  ] }} ],\n}}\n')
    checks, starts = [], []
    for name, fixture in (("lifted", text), ("hand", hand)):
        (HERE / f"{name}.json5").write_text(fixture)
        checks.append(statistics.median(run("check", f"{name}.json5")[0] for _ in range(5)))
        starts.append([])
        for _ in range(5):
            server, _ = serve("--fixtures", HERE, "--fixture", name)
            starts[-1].append(stop(server))
        (HERE / f"{name}.json5").rename(HERE / f"{name}.kept")
    tell("checking, seconds", *checks, 1.5)
    tell("loading, seconds", *map(statistics.median, starts), 1.5)


def comparing():
    file, _ = har("minutes.har", 300, 2)
    text = run("record", file)[2]
    (HERE / "minutes.json5").write_text(text)
    compared = statistics.median(run("compare", file)[0] for _ in range(5))
    says = [word for turn in range(300) for word in ("--say", SAID.format(turn))]
    replayed = statistics.median(
        run("replay", "mock:minutes", "--fixtures", HERE, *says)[0] for _ in range(5))
    tell("comparing, seconds", compared, replayed, 1.2)


try:
    lifting()
    loading()
    comparing()
finally:
    shutil.rmtree(HERE)
