"""S9: requests that clients in use send, and must be answered; S10: requests that are wrong; S15: the bytes of a stream."""

import json
import re

import examples
import wire
from rig import JSON, Server, check, equal, path

AGENT = "01-text-only"
TEXT = "Yes, from 10:00 to 16:00."
LIMIT = 16 << 20
MINIMAL = ("threadId", "runId", "messages")


def told(tools, body, **options):
    """A run of the text agent that is told whole."""
    answer = tools.told(AGENT, body, **options)
    equal((answer.types[0], answer.types[-1], answer.text()), ("RUN_STARTED", "RUN_FINISHED", TEXT), "the run")
    return answer


def text(body):
    return json.dumps(body).encode()


@check("S9-01", "keys in snake case, at every level")
def snake_case(tools):
    body = tools.body(None) | {"thread_id": "snake", "run_id": "r-1", "parent_run_id": "r-0", "forwarded_props": {"a_b": 1}, "messages": [
        {"id": "u-1", "role": "user", "content": "Hello"},
        {"id": "m-1", "role": "assistant", "tool_calls": [{"id": "tc-1", "type": "function", "function": {"name": "f", "arguments": "{}"}}]},
        {"id": "t-1", "role": "tool", "tool_call_id": "tc-1", "content": "1"},
        {"id": "u-2", "role": "user", "content": "Hello"}]}
    for name in ("threadId", "runId", "forwardedProps"):
        del body[name]
    answer = tools.told("echo", body, base=tools.own().base)
    first = answer.events[0]
    equal((first["threadId"], first["runId"], first.get("parentRunId")), ("snake", "r-1", "r-0"), "the ids")
    equal(answer.text(), "You said: Hello", "the reply")


@check("S9-02", "only threadId, runId and messages")
def minimal(tools):
    told(tools, {name: value for name, value in tools.body().items() if name in MINIMAL})


@check("S9-03", "unknown keys at every level; those of the agent framework")
def unknown_keys(tools):
    message = {"id": "u-1", "role": "user", "content": "Hello", "mood": {"x": [1]}, "authorName": None}
    tool = {"name": "f", "description": "d", "parameters": {"type": "object"}, "strict": True}
    told(tools, tools.body(messages=[message], tools=[tool], context=[{"description": "d", "value": "v", "weight": 1}],
                           availableInterrupts=[], agentId="x", nested={"a": [{"b": None}]}))


@check("S9-04", "camel case wins over snake case")
def both_spellings(tools):
    body = tools.body(thread_id="wrong", run_id="wrong")
    first = told(tools, body).events[0]
    equal((first["threadId"], first["runId"]), (body["threadId"], body["runId"]), "the ids")


@check("S9-05", "every Accept that asks for an event stream, or for anything, or for nothing")
def accepted(tools):
    for value in ("*/*", "text/event-stream", "text/event-stream, application/x-ndjson", "application/json, text/event-stream;q=0.9",
                  "application/vnd.ag-ui.event+proto, text/event-stream", "text/*", None):
        told(tools, tools.body(), headers={"Accept": value})


@check("S9-06", "Expect: 100-continue is answered before the body comes")
def expects(tools):
    told(tools, tools.body(), headers={"Expect": "100-continue"}, waits=True)


@check("S9-07", "a body in many packets: of one byte, of seven, and in chunks")
def in_packets(tools):
    told(tools, tools.body(), pieces=1)
    told(tools, tools.body("Hello " * 200), pieces=7)
    sent = text(tools.body())
    chunks = b"".join(b"%x\r\n%b\r\n" % (len(part), part) for part in (sent[:5], sent[5:6], sent[6:])) + b"0\r\n\r\n"
    answer = tools.run(AGENT, chunks, headers={"Content-Length": None, "Transfer-Encoding": "chunked"})
    equal((answer.status, answer.text()), (200, TEXT), "the run")


@check("S9-08", "a user's text in parts: text parts are joined by newlines, pictures and files passed over")
def parts(tools):
    content = [{"type": "text", "text": "one"}, {"type": "image", "source": {"type": "url", "value": "https://example.test/a.png"}},
               {"type": "binary", "mimeType": "text/plain", "data": "eA=="}, {"type": "document", "source": {"type": "data", "value": "eA==", "mimeType": "a/b"}},
               {"type": "audio", "source": {"type": "file", "value": "f-1", "provider": "p"}}, {"type": "text", "text": "two", "id": "p-1", "metadata": {}}]
    server = tools.own()
    answer = tools.told("echo", tools.body(messages=[{"id": "u-1", "role": "user", "content": content}]), base=server.base)
    equal(answer.text(), "You said: one\ntwo", "what the agent heard")


@check("S9-09", "a state of null, and none; a version that is not known; every role of a message in the history")
def odd_but_right(tools):
    told(tools, tools.body(state=None))
    told(tools, tools.body() | {"state": None, "forwardedProps": None})
    history = [{"id": f"h-{role}", "role": role, "content": "x"} for role in ("developer", "system", "user", "assistant", "reasoning")]
    history += [{"id": "h-a", "role": "activity", "activityType": "SEARCH", "content": {"a": 1}}, {"id": "h-u", "role": "user", "content": "Hello"}]
    told(tools, tools.body(messages=history, protocolVersion="1.9"))


@check("S9-10", "threadId and runId come back byte for byte, the parent's id with them")
def ids_are_echoed(tools):
    for number, strange in enumerate(["a", "Ä ö/?#&%20+", "\u0007\"\\\n", "👩‍🚒", "x" * 2000, "../../etc"]):
        body = tools.body(threadId=f"{strange}{number}", runId=strange, parentRunId=f"parent {strange}")
        events = tools.told("echo", body, base=tools.own().base).events
        equal([events[0][name] for name in ("threadId", "runId", "parentRunId")], [body[name] for name in ("threadId", "runId", "parentRunId")], "RUN_STARTED")
        equal([events[-1][name] for name in ("threadId", "runId")], [body[name] for name in ("threadId", "runId")], "RUN_FINISHED")


@check("S9-11", "behind a stream the connection goes on, or its head said that it will not")
def kept_open(tools):
    with wire.Connection(tools.base) as connection:
        for _ in range(3):
            connection.send("POST", path(AGENT), JSON, text(tools.body()))
            answer = connection.receive()
            equal((answer.text(), answer.is_whole), (TEXT, True), "the run")
            if answer.headers.get("connection", "").lower() == "close":
                equal(connection.socket.recv(1), b"", "what comes behind the stream")
                return


@check("S9-12", "a charset behind the content type; a body of 15 MiB; an agent's name in percent signs; the agent of /ag-ui")
def larger(tools):
    told(tools, tools.body(), headers={"Content-Type": "application/json; charset=utf-8"})
    told(tools, tools.body(forwardedProps={"x": "y" * (15 << 20)}))
    equal(wire.ask(tools.base, "POST", "/ag-ui/%30%31-text-only", JSON, text(tools.body())).text(), TEXT, "the run")
    equal(tools.told("", tools.body()).types[0], "RUN_STARTED", "the first event")


@check("S9-13", "a browser's preflight: any origin, and the headers it lists")
def preflight(tools):
    asked = {"Origin": "https://app.example", "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization,content-type,x-team"}
    for where in (path(AGENT), "/ag-ui", path(AGENT) + "/connect"):
        answer = wire.ask(tools.base, "OPTIONS", where, asked)
        assert answer.status in (200, 204), f"{where}: {answer.status}"
        assert answer.headers.get("access-control-allow-origin") in ("*", "https://app.example"), answer.headers
        allowed = {each.strip().lower() for each in answer.headers.get("access-control-allow-headers", "").split(",")}
        equal({"authorization", "content-type", "x-team"} - allowed, set(), f"{where}: headers that are not allowed")
    answer = tools.told(AGENT, headers={"Origin": "https://app.example"})
    assert answer.headers.get("access-control-allow-origin") in ("*", "https://app.example"), answer.headers


@check("S9-14", "capabilities are a JSON object that says yes to streams, tools and interrupts")
def capabilities(tools):
    told = wire.ask(tools.base, "GET", path(AGENT) + "/capabilities")
    equal(told.status, 200, "status")
    equal([told.json["transport"]["streaming"], told.json["tools"]["supported"], told.json["humanInTheLoop"]["interrupts"]], [True] * 3, "capabilities")


@check("S9-15", "the published model reads capabilities; name, tools and subagents are the fixture's")
def fixtures_capabilities(tools):
    from ag_ui.core.capabilities import AgentCapabilities

    desk = AgentCapabilities.model_validate(wire.ask(tools.own().base, "GET", path("desk") + "/capabilities").json)
    equal((desk.identity.type, [each.name for each in desk.multi_agent.subagents]), ("desk", ["researcher"]), "desk")
    weather = AgentCapabilities.model_validate(wire.ask(tools.base, "GET", path("weather") + "/capabilities").json)
    equal([each.name for each in weather.tools.items], ["get_weather", "get_tide"], "tools")
    equal(weather.multi_agent.supported, False, "subagents")


def refused(tools, status, body=b"{}", method="POST", where=None, headers=None, again=True):
    """A refusal in JSON, a page of another origin can read it, and the connection goes on."""
    where = where or path(AGENT)
    with wire.Connection(tools.base) as connection:
        connection.send(method, where, (JSON if headers is None else headers) | {"Origin": "https://app.example"}, body)
        answer = connection.receive()
        equal(answer.status, status, f"{method} {where[:60]} {body[:60]!r}: status")
        equal(answer.headers.get("content-type", "").partition(";")[0], "application/json", "Content-Type")
        error = answer.json["error"]
        assert isinstance(error["code"], str) and len(error["message"]) > 10, f"the error is {error}"
        assert answer.headers.get("access-control-allow-origin"), "no Access-Control-Allow-Origin"
        if again:
            connection.send("POST", path(AGENT), JSON, text(tools.body()))
            equal(connection.receive().text(), TEXT, "a run on the same connection")
        return answer, error


@check("S10-01", "a body that is not JSON: 400")
def not_json(tools):
    whole = text(tools.body())
    for body in (b"", b"hello", whole[:-1], whole + b"}", b"[]", b"null", b"7", b'"x"', b"\xff\xfe" + whole, whole.replace(b"Hello", b"\xc3\x28"),
                 b"[" * 100_000, b"\x00" + whole, b"data: {}\n\n"):
        refused(tools, 400, body)


@check("S10-02", "a body without threadId, runId or messages: 400, and the message names what is missing")
def missing(tools):
    for name in MINIMAL:
        _, error = refused(tools, 400, text({key: value for key, value in tools.body().items() if key != name}))
        assert name in error["message"], f"{name} is not in {error['message']!r}"


@check("S10-03", "wrong types: 400, and the message names the key")
def wrong_types(tools):
    user = {"id": "u-1", "role": "user", "content": "Hello"}
    for more, name in [
        ({"threadId": 7}, "threadId"), ({"threadId": ""}, "threadId"), ({"runId": ["x"]}, "runId"), ({"messages": {}}, "messages"),
        ({"messages": ["x"]}, "messages"), ({"messages": [user | {"role": 1}]}, "role"), ({"messages": [user | {"role": "robot"}]}, "role"),
        ({"messages": [user | {"content": 7}]}, "content"), ({"messages": [{"id": "t", "role": "tool", "content": "x"}]}, "toolCallId"),
        ({"tools": "x"}, "tools"), ({"tools": [{"description": "no name"}]}, "name"), ({"context": [7]}, "context"),
        ({"resume": {}}, "resume"), ({"resume": [{"status": "resolved"}]}, "interruptId"), ({"resume": [{"interruptId": "i", "status": "maybe"}]}, "status"),
        ({"protocolVersion": 1}, "protocolVersion"), ({"parentRunId": 3}, "parentRunId"),
    ]:
        _, error = refused(tools, 400, text(tools.body() | more))
        assert name in error["message"], f"{name} is not in {error['message']!r}"


@check("S10-04", "other methods: 405 with Allow")
def methods(tools):
    for method in ("GET", "PUT", "DELETE", "PATCH"):
        answer, _ = refused(tools, 405, b"" if method == "GET" else b"{}", method=method)
        assert "POST" in answer.headers.get("allow", ""), f"Allow: {answer.headers.get('allow')}"


@check("S10-05", "other content types: 415; an Accept for the binary form alone: 406")
def media(tools):
    for value in ("text/plain", "application/x-www-form-urlencoded", "application/xml", "multipart/form-data; boundary=x"):
        refused(tools, 415, text(tools.body()), headers={"Content-Type": value})
    refused(tools, 406, text(tools.body()), headers=JSON | {"Accept": "application/vnd.ag-ui.event+proto"})


@check("S10-06", "an unknown agent: 404 with the likely spelling; a line with an unknown fault")
def unknown_agent(tools):
    _, error = refused(tools, 404, text(tools.body()), where=path("01-text-onyl"))
    assert "01-text-only" in error["message"], error
    refused(tools, 404, text(tools.body()), where=path("01-text-only") + "/nothing")
    answer = tools.run("mock:booking+tunel")
    assert 400 <= answer.status < 500 and "tunnel" in answer.json["error"]["message"], f"{answer.status} {answer.body[:200]!r}"


@check("S10-07", "17 MiB: 413, announced or in chunks; and the server goes on")
def too_large(tools):
    with wire.Connection(tools.base) as connection:
        connection.send("POST", path(AGENT), JSON | {"Content-Length": str(17 << 20)}, b"")
        answer = connection.receive()
        equal((answer.status, sorted(answer.json)), (413, ["error"]), "announced")
    with wire.Connection(tools.base) as connection:
        connection.send("POST", path(AGENT), JSON | {"Content-Length": None, "Transfer-Encoding": "chunked"})
        try:
            for _ in range(18):
                connection.socket.sendall(b"100000\r\n" + b" " * (1 << 20) + b"\r\n")
        except (ConnectionError, TimeoutError):
            pass
        equal(connection.receive().status, 413, "in chunks")
    told(tools, tools.body())


FRAME = re.compile(rb'(?:data: \{"type":"[A-Z_]+"[^\n\r]*\}\n\n|: [^\n\r]*\n\n)')


@check("S15-01", "every agent's stream: LF only, one space, type first, no byte order mark, no [DONE]")
def bytes_of_a_stream(tools):
    for stem in examples.STEMS:
        answer, _ = tools.play(stem)
        equal(FRAME.sub(b"", answer.body), b"", f"{stem}: bytes outside of frames")
        assert b"[DONE]" not in answer.body and b"\r" not in answer.body, stem
        answer.body.decode("utf-8")


@check("S15-02", "the answer's head: an event stream, not cached, without a length, not compressed")
def head_of_a_stream(tools):
    answer = tools.told(AGENT, headers={"Accept-Encoding": "gzip, deflate, br"})
    equal(answer.headers["cache-control"], "no-cache", "Cache-Control")
    equal([name for name in ("content-length", "content-encoding") if name in answer.headers], [], "headers that must not be there")
    equal(answer.headers.get("transfer-encoding"), "chunked", "Transfer-Encoding")


@check("S15-03", "each event comes as soon as it is there, in a piece of its own")
def flushed(tools):
    answer = tools.told("steady", base=tools.own().base)
    whole = [piece for _, piece in answer.pieces if FRAME.fullmatch(piece)]
    equal(len(whole), len(answer.events), "events that came in a piece of their own")
    spread = answer.pieces[-1][0] - answer.pieces[0][0]
    assert spread > 0.1, f"thirty pieces, 5 ms apart, came within {spread * 1000:.0f} ms"


@check("S15-04", "the body ends within 100 ms behind the last event, after RUN_FINISHED and after RUN_ERROR")
def closed(tools):
    for stem in ("01-text-only", "10-run-error", "11-run-error-first", "13a-interrupt"):
        spans = []
        for _ in range(5):
            answer = tools.told(stem)
            spans.append(answer.ended - answer.pieces[-1][0])
        assert sorted(spans)[2] < 0.1, f"{stem}: {[round(span * 1000) for span in spans]} ms"


@check("S15-05", "a comment every 15 s while nothing is said, on the server's clock")
def kept_alive(tools):
    server = Server(tools.binary, "--log", "text", "--fixtures", str(tools.folder))
    try:
        with wire.Connection(server.base) as connection:
            connection.send("POST", path("pause"), JSON, text(tools.body()))
            stream = connection.receive(until=lambda answer: b"TEXT_MESSAGE_END" in answer.body)
            for _ in range(4):
                server.post("clock", advance="16s")
                # One thing at a time: the next comment, or the end.
                stream = connection.receive(stream, until=lambda answer, so_far=len(stream.pieces): len(answer.pieces) > so_far)
            stream = stream if stream.is_whole else connection.receive(stream)
        comments = [frame for frame in stream.body.split(b"\n\n") if frame.startswith(b":")]
        equal(len(comments), 3, f"comments in {stream.body[-300:]!r}")
        equal(stream.text(), "Before.After.", "the text")
        equal(FRAME.sub(b"", stream.body), b"", "bytes outside of frames")
    finally:
        server.stop()
