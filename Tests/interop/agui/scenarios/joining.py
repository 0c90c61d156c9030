"""S21: joining a thread during a run; S22: the routes of CopilotKit's runtime; S23: a message that is a picture alone."""

import json
import threading
import urllib.request

from rig import JSON, check, equal

AGENT = "goes-on"


def stream(base, path, body):
    """The events of an answer, one after the other, as they come."""
    request = urllib.request.Request(base + path, json.dumps(body).encode(), JSON)
    with urllib.request.urlopen(request, timeout=30) as answer:
        for line in answer:
            if line.startswith(b"data: "):
                yield json.loads(line[6:])


def types(events):
    return [event["type"] for event in events]


def after_snapshots(events):
    return events[types(events).index("STATE_SNAPSHOT") + 1:]


def joined(tools, version, join=f"/ag-ui/{AGENT}/connect", at=3):
    """A run, and what a second client gets that joins at a word of it."""
    base, body = tools.own().base, tools.body(**({"protocolVersion": version} if version else {}))
    second, threads, first = [], [], []
    for event in stream(base, f"/ag-ui/{AGENT}", body):
        first.append(event)
        if types(first).count("TEXT_MESSAGE_CONTENT") == at and not threads:
            asked = tools.body(None, threadId=body["threadId"], **({"protocolVersion": version} if version else {}))
            threads.append(threading.Thread(target=lambda: second.extend(stream(base, join, asked))))
            threads[0].start()
    threads[0].join(30)
    return body, first, second


@check("S21-01", "joining during a run: the history, then the run's events to its end")
def during(tools):
    for version in (None, "1.0"):
        body, first, second = joined(tools, version)
        equal(types(second[:3]), ["RUN_STARTED", "MESSAGES_SNAPSHOT", "STATE_SNAPSHOT"], "the beginning")
        equal([message["content"] for message in second[1]["messages"]], ["Hello"], "the history")
        own = {"runId": second[0]["runId"]}
        equal(after_snapshots(second), [event | own if "runId" in event else event for event in first[1:]], "the rest")
        tools.judge([json.dumps(event) for event in second], old=version is None, new=version is not None)


@check("S21-02", "who joins sees the same messages as who asked")
def afterwards(tools):
    body, first, second = joined(tools, None)
    again = list(stream(tools.own().base, f"/ag-ui/{AGENT}/connect", tools.body(None, threadId=body["threadId"])))
    equal([message["role"] for message in again[1]["messages"]], ["user", "assistant", "tool"], "the roles")
    equal(again[1]["messages"][1]["content"], "one two three four five six seven eight", "the text")
    equal(types(again)[-1], "RUN_FINISHED", "the end")


@check("S21-03", "who joined may leave: the run goes on")
def leaves(tools):
    base, body, first = tools.own().base, tools.body(), []
    for event in stream(base, f"/ag-ui/{AGENT}", body):
        first.append(event)
        if types(first).count("TEXT_MESSAGE_CONTENT") == 2:
            next(stream(base, f"/ag-ui/{AGENT}/connect", tools.body(None, threadId=body["threadId"])))
    equal(types(first)[-1], "RUN_FINISHED", "the end")


@check("S22-01", "CopilotKit's runtime: what it is")
def info(tools):
    found = tools.own().call("GET", "/ag-ui/info")
    equal((found["mode"], found["audioFileTranscriptionEnabled"]), ("sse", False), "the runtime")
    agent = found["agents"][AGENT]
    equal((agent["name"], agent["className"]), (AGENT, "HttpAgent"), "the agent")
    assert "default" in found["agents"] and found["version"], found


@check("S22-02", "CopilotKit's runtime: run and connect do as the paths of the agent")
def runtime(tools):
    run = f"/ag-ui/agent/{AGENT}"
    body = tools.body()
    events = list(stream(tools.own().base, run + "/run", body))
    equal("".join(event.get("delta", "") for event in events if event["type"] == "TEXT_MESSAGE_CONTENT"),
          "one two three four five six seven eight", "the text")
    equal(types(joined(tools, None, run + "/connect")[2])[-1], "RUN_FINISHED", "the end")
    equal(types(stream(tools.own().base, "/ag-ui/agent/default/run", tools.body()))[0], "RUN_STARTED", "the server's own")


@check("S23-01", "a picture alone is heard by its media type")
def picture(tools):
    for source in ({"type": "data", "value": "aGk=", "mimeType": "image/png"}, {"type": "url", "value": "https://a.example/x.png"}):
        parts = [{"type": "image", "source": source}]
        for words, reply in (([], "A picture."), ([{"type": "text", "text": "Look"}], "one two")):
            body = tools.body(messages=[{"id": tools.fresh("u"), "role": "user", "content": words + parts}])
            events = stream(tools.own().base, f"/ag-ui/{AGENT}", body)
            text = "".join(event.get("delta", "") for event in events if event["type"] == "TEXT_MESSAGE_CONTENT")
            assert text.startswith(reply), text
