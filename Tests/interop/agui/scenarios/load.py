"""S11: clients that leave; S13: many runs at once, and one reader that does not read."""

import asyncio
import json
import os
import pathlib
import statistics
import socket
import tempfile
import time
import urllib.parse

import wire
from rig import JSON, Server, check, equal, path

LEAVERS = 200
RUNS = 100


def descriptors(server):
    return len(os.listdir(f"/proc/{server.process.pid}/fd"))


def settles(figure, wanted, seconds=5):
    """Waits until a figure is at most the wanted one, for so long; the last figure."""
    until = time.monotonic() + seconds
    while (now := figure()) > wanted and time.monotonic() < until:
        time.sleep(0.02)
    return now


def request(base, agent, body, action=""):
    sent = json.dumps(body).encode()
    host = urllib.parse.urlsplit(base).netloc
    head = f"POST {path(agent)}{action} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: {len(sent)}\r\n\r\n"
    return head.encode() + sent


async def opened(base, agent, body, action=""):
    address = urllib.parse.urlsplit(base)
    reader, writer = await asyncio.open_connection(address.hostname, address.port)
    writer.write(request(base, agent, body, action))
    assert b" 200 " in await reader.readline()
    while await reader.readline() != b"\r\n":
        pass
    return reader, writer


async def events(reader):
    """Each event of the stream with the instant it came."""
    while line := await reader.readline():
        if line.startswith(b"data: "):
            yield time.monotonic(), json.loads(line[6:])
        elif line == b"0\r\n":
            return


async def leave(base, body, resets):
    reader, writer = await opened(base, "slow", body)
    seen = 0
    async for _ in events(reader):
        seen += 1
        if seen == 3:
            break
    if resets:
        writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        writer.transport.abort()
    else:
        writer.close()


@check("S11-01", f"{LEAVERS} clients leave behind the third event, half of them with a reset: no descriptor, no timer is left")
def leaving(tools):
    server = tools.own()
    tools.told("echo", base=server.base)
    server.post("reset")
    before = descriptors(server)

    async def everyone():
        await asyncio.gather(*(leave(server.base, tools.body(), number % 2) for number in range(LEAVERS)))

    asyncio.run(everyone())
    # A connection of the check before may still have been open.
    equal(settles(lambda: max(descriptors(server) - before, 0), 0), 0, "descriptors more than before")
    equal(settles(lambda: len(timers(server)), 0), 0, f"timers of scripts, such as {timers(server)[:2]}")
    equal(tools.told("echo", base=server.base).text(), "You said: Hello", "the server afterwards")


def timers(server):
    """What will happen by itself because a script wants it."""
    return [each for each in server.get("timers")["timers"] if each["script"]]


@check("S11-02", "a run whose client left stops, which the log says; the next run of the thread does not wait for it")
def cancelled(tools):
    server = tools.own()
    server.post("reset")
    body = tools.body()
    asyncio.run(leave(server.base, body, False))
    equal(settles(lambda: int("the client is gone: its run stops" not in log_of(server)), 0), 0, "lines of the log that are missing")
    # The thread is free again: the next run on it does not wait for the rest of the first one.
    began = time.monotonic()
    with wire.Connection(server.base) as connection:
        connection.send("POST", path("slow"), JSON, json.dumps(body | {"runId": "next"}).encode())
        first = connection.receive(until=lambda answer: b"TEXT_MESSAGE_CONTENT" in answer.body)
    equal(first.events[0]["runId"], "next", "the first run that is told")
    assert time.monotonic() - began < 5, "the next run waited for the one that nobody reads"


@check("S11-03", "what was told until then is kept: /connect has the piece of the text; the history does not wait for a run either")
def kept(tools):
    base = tools.own().base

    def joined(thread):
        answer = tools.told("slow", tools.body(None, threadId=thread), base=base, action="/connect")
        return [each.get("content") for each in answer.events[1]["messages"] if each["role"] == "assistant"]

    body = tools.body()
    asyncio.run(leave(base, body, False))
    settles(lambda: int(not joined(body["threadId"])), 0)
    said, = joined(body["threadId"])
    assert said.startswith("one ") and "ten" not in said, f"the text is {said!r}"

    async def beside():
        _, writer = await opened(base, "slow", running)
        began = time.monotonic()
        reader, second = await opened(base, "slow", tools.body(None, threadId=running["threadId"]), "/connect")
        async for _, event in events(reader):
            if event["type"] == "MESSAGES_SNAPSHOT":
                break
        second.close()
        writer.close()
        return event["messages"], time.monotonic() - began

    running = tools.body()
    messages, seconds = asyncio.run(beside())
    equal([each["content"] for each in messages], ["Hello"], "the history")
    assert seconds < 5, "the history waited for the run"


def log_of(server):
    return pathlib.Path(server.folder.name, "log").read_text()


def flood(folder):
    """A fixture that says 660 KB, a thousand characters every 5 ms."""
    words = " ".join(f"word{number:06}" for number in range(60_000))
    text = {"fixture": 1, "name": "Flood", "about": "Says 660 KB.", "pace": "flood", "paces": {"flood": {"think": "0ms", "chunk": "1000 characters", "every": "5ms"}},
            "anywhere": [{"hears": "*", "replies": [{"say": words}]}]}
    pathlib.Path(folder, "flood.json5").write_text(json.dumps(text))
    pathlib.Path(folder, "steady.json5").write_text((pathlib.Path(__file__).parents[1] / "fixtures" / "steady.json5").read_text())


async def one_run(base, body):
    """The words of a run in the order they came, and how long they took."""
    reader, writer = await opened(base, "steady", body)
    said, stamps, ids = "", [], set()
    async for stamp, event in events(reader):
        stamps.append(stamp)
        ids.add(event.get("runId", body["runId"]))
        said += event.get("delta", "")
    writer.close()
    equal(ids, {body["runId"]}, "ids of runs in one stream")
    return said, stamps[-1] - stamps[0]


async def many(tools, base):
    return await asyncio.gather(*(one_run(base, tools.body()) for _ in range(RUNS)))


@check("S13-01", f"{RUNS} runs at once, a delta every 5 ms, beside one that asks for 660 KB and does not read: each in order, none later for it")
def at_once(tools):
    with tempfile.TemporaryDirectory() as folder:
        flood(folder)
        server = Server(tools.binary, "--log", "text", "--fixtures", folder)
        try:
            wanted = tools.told("steady", base=server.base).text()
            equal(len(wanted.split()), 60, "words of the run")
            alone = asyncio.run(many(tools, server.base))
            with wire.Connection(server.base) as reader:
                reader.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                reader.send("POST", path("flood"), JSON, json.dumps(tools.body()).encode())
                beside = asyncio.run(many(tools, server.base))
                reader.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
                slow = reader.receive()
                equal(slow.text().split()[::20_000], ["word000000", "word020000", "word040000"], "what the slow reader gets when it reads")
            equal({said for said, _ in alone + beside}, {wanted}, "what the runs said")
            one, two = (statistics.median(span for _, span in runs) for runs in (alone, beside))
            assert two < one * 1.5 + 0.1, f"the runs took {one * 1000:.0f} ms, and {two * 1000:.0f} ms beside a reader that does not read"
            equal(tools.told("steady", base=server.base).text(), wanted, "the server afterwards")
        finally:
            server.stop()


@check("S13-02", "a second run on a busy thread waits for its turn; the same id of a run again is taken")
def one_order(tools):
    base = tools.own().base
    body = tools.body()

    async def two():
        first, other = await opened(base, "steady", body)
        await anext(events(first))
        second, another = await opened(base, "steady", body)
        stamps = [[stamp async for stamp, _ in events(reader)] for reader in (first, second)]
        other.close()
        another.close()
        return stamps

    one, later = asyncio.run(two())
    equal(len(later), len(one) + 1, "events of the second run")
    assert later[0] >= one[-1], "the second run began before the first was over"


@check("S13-03", "a hundred and ten runs asked for on one busy thread: each is told, waits, or is refused in words")
def crowd(tools):
    base, thread = tools.own().base, tools.fresh("thread")
    connections = [wire.Connection(base, timeout=10) for _ in range(110)]
    try:
        for each in connections:
            each.send("POST", path("slow"), JSON, json.dumps(tools.body(threadId=thread)).encode())
        # The last one is answered at once if it is refused, and waits if it is not.
        last = connections[-1]
        last.socket.settimeout(1)
        try:
            answer = last.receive()
        except TimeoutError:
            return
        if answer.status == 200:
            equal(answer.types[-1:], ["RUN_ERROR"], "the end of a stream that ends at once")
        else:
            assert answer.status in (409, 429, 503) and len(answer.json["error"]["message"]) > 10, answer.body
    finally:
        for each in connections:
            each.socket.close()
