"""S1 to S3: the agents that play the examples, seen by the models, the validator and two clients; S8: profiles."""

import examples
import models
import pages
from ag_ui.core import EventType
from rig import check, equal, for_each
from transcripts import STATES, TRANSCRIPTS

KNOWN = set(examples.STEMS)
# What the page must do before the thread goes on.
OPEN_ENDS = {"12a-frontend-tool": pages.submit_result, "v1-02-pending-frontend-calls": pages.submit_result, "13a-interrupt": pages.resolve}


@for_each(examples.STEMS, "S1", "{}: the agent sends the file, byte for byte, and the models take it")
def encoded(tools, stem):
    answer, wanted = tools.play(stem)
    got = answer.lines
    for number, (one, other) in enumerate(zip(got, wanted), 1):
        equal(one, other, f"line {number}")
    equal(len(got), len(wanted), "number of events")
    tools.judge(got, stem)


@check("S1-list", "the list of agents has every example, with a sentence and an address that plays")
def listed(tools):
    agents = tools.server.call("GET", "/ag-ui")
    agents = agents if isinstance(agents, list) else agents["agents"]
    named = {each["name"]: each for each in agents}
    equal(KNOWN - named.keys(), set(), "examples that are not listed")
    for stem in sorted(KNOWN):
        assert len(named[stem].get("description", "")) > 10, f"{stem} has no sentence: {named[stem]}"
        assert named[stem]["url"].endswith(f"/ag-ui/{stem}"), named[stem]["url"]


@check("S2-types", "the streams of all agents together have 30 of the 31 types of 1.0, and the 5 retired ones")
def types(tools):
    seen = {each["type"] for stem in examples.STEMS for each in tools.play(stem)[0].events}
    retired = {each for each in seen if each.startswith("THINKING_")}
    known = {each.value for each in EventType}
    equal(len(retired), 5, "retired types")
    equal(known - seen, {"SUBAGENT_ERROR"}, "types that no agent sends")


@for_each(examples.bodies(), "S2", "{}.input.json: the body is taken, and the run is told under its ids")
def body_taken(tools, stem):
    body = examples.bodies()[stem]
    judged = models.refused_body(body), tools.old.ask(do="body", body=body)
    equal([bool(each) for each in judged], [False, stem in examples.ONLY_V1_BODIES], "what the two lines' models say of the body")
    body = body | {"threadId": tools.fresh("thread")}
    answer = tools.told(stem, body)
    equal(answer.lines, examples.asked(stem, body["threadId"], body["runId"]), "the run")


def visited(tools, stem):
    return tools.pages.ask(stem, OPEN_ENDS.get(stem))


@for_each([*examples.VALID, *examples.VERSIONED], "S3", "{}: live, ag-ui-validate, two clients", early=visited)
def live(tools, stem):
    versioned = stem in examples.VERSIONED
    found = tools.validate(stem, tools.body(**({"protocolVersion": "1.0"} if versioned else {})))
    equal(found["error"], examples.findings(stem), "errors that ag-ui-validate finds")
    if not versioned and stem[:2] != "14":
        reply = tools.old.ask(do="ask", url=f"{tools.base}/ag-ui/{stem}", say="Hello", thread=tools.fresh("thread"))
        equal("".join(reply["text"].split()), "".join(examples.text(stem).split()), "the reply that agent-framework-ag-ui reads")
        equal(bool(reply["errors"]), any(each["type"] == "RUN_ERROR" for each in examples.events(stem)), "an error in that client")
    visit = visited(tools, stem).result(pages.PATIENCE)
    equal(visit.findings, [], "findings of the page")
    equal(visit.transcript[:len(TRANSCRIPTS[stem])], TRANSCRIPTS[stem], "the transcript of client 1.0.1")
    extra = 1 if OPEN_ENDS.get(stem) is pages.submit_result else 0
    equal(len(visit.transcript), len(TRANSCRIPTS[stem]) + extra, "messages of client 1.0.1")
    equal(visit.next["state"], STATES.get(stem, {}), "the state of client 1.0.1")


@for_each(examples.INVALID, "S3", "{}: the page and ag-ui-validate find the fault that the agent is there for", early=visited)
def faulty(tools, stem):
    found = tools.validate(stem)
    equal(found["warning" if examples.short(stem) in examples.WARNED else "error"] & examples.findings(stem), examples.findings(stem), "what ag-ui-validate finds")
    wanted = examples.PAGE_FINDINGS[examples.short(stem)]
    visit = visited(tools, stem).result(pages.PATIENCE)
    equal(visit.findings, [wanted] if wanted else [], "findings of the page")
    if not stem.startswith("invalid-14"):
        # There the outcome had come before the fault; whether it still counts is a matter of one read or two.
        equal(visit.outcome.get("kind"), "success" if stem.startswith("invalid-19") else "unknown", "the outcome that client 1.0.1 has")


# These wait for people, or by themselves for long.
PATIENT = {"chatter", "idle", "handoff-fail", "handoff-ok", "handoff-timeout"}


@check("S3-shipped", "every other agent of the list answers a message: the models and ag-ui-validate take it")
def shipped(tools):
    names = {each["name"] for each in tools.server.call("GET", "/ag-ui")["agents"]} - KNOWN
    assert {"webchat", "weather"} <= names, sorted(names)
    for name in sorted(names - PATIENT):
        line = f"mock:{name}@pace=instant"
        answer = tools.told(line)
        tools.judge(answer.lines)
        equal((answer.types[0], answer.types[-1]), ("RUN_STARTED", "RUN_FINISHED"), f"{name}: the boundaries")
        equal(tools.validate(line)["error"], set(), f"{name}: errors that ag-ui-validate finds")


def weather(tools):
    return tools.pages.ask("weather", say="weather in Leeds")


@check("S3-weather", "a shipped fixture with a tool, in both clients", early=weather)
def weather_in_clients(tools):
    reply = tools.old.ask(do="ask", url=f"{tools.base}/ag-ui/weather", say="weather in Leeds", thread=tools.fresh("thread"))
    equal((len(reply["calls"]), len(reply["results"]), reply["errors"]), (1, 1, []), "calls, results, errors of agent-framework-ag-ui")
    visit = weather(tools).result(60)
    equal((visit.findings, visit.outcome.get("kind")), ([], "success"), "findings of the page, outcome")
    texts = [each["content"] for each in visit.next["messages"] if each["role"] == "assistant" and each.get("content")]
    equal(" ".join(texts).split(), reply["text"].split(), "the reply, in both")


@check("S3-same", "twenty threads with the same line and the same words are told the same bytes, but for the ids sent")
def same(tools):
    found = set()
    for _ in range(20):
        body = tools.body("weather in Leeds", messages=[{"id": "u-1", "role": "user", "content": "weather in Leeds"}])
        lines = tools.told("mock:weather@seed=7@pace=instant", body).lines
        found.add("\n".join(line.replace(body["threadId"], "T").replace(body["runId"], "R") for line in lines))
    equal(len(found), 1, f"different streams, such as {[each[-300:] for each in list(found)[:2]]}")


@for_each(["v1-01-declared-version", "v1-02-pending-frontend-calls", "v1-03-cancelled", "v1-04-tool-result-parts", "v1-05-subagent"],
          "S8-without", "{}: asked without a version it has nothing that 0.1.20 does not know")
def unversioned(tools, stem):
    answer, _ = tools.play(stem, versioned=False)
    tools.judge(answer.lines)
    events, kinds = answer.events, answer.types
    assert "protocolVersion" not in events[0], f"the first event is {events[0]}"
    strange = [each for each in events if "subagentRunId" in each or each["type"].startswith("SUBAGENT_")]
    equal(strange, [], "events of the other profile")
    last = events[-1]
    assert set(last.get("outcome", {})) <= {"type"}, f"the outcome of a v0 run is {last['outcome']}"
    if "v1-03" in stem:
        equal((kinds[-2:], last.get("code")), (["TEXT_MESSAGE_END", "RUN_ERROR"], "cancelled"), "how a cancelled run ends")
    if "v1-04" in stem:
        content = next(each["content"] for each in events if each["type"] == "TOOL_CALL_RESULT")
        one, two = content.split("\n")
        equal(one, "Invoice INV-2", "the text part")
        assert "document" in two and "https://example.test/INV-2.pdf" in two, f"the document's line is {two!r}"
    if "v1-05" in stem:
        equal([each.get("stepName") for each in events if each["type"].startswith("STEP_")], ["researcher"] * 2, "the step in place of the subagent")
        equal(answer.text(), "Found them.Open 10 to 4.", "the texts")


@for_each(examples.VERSIONED, "S8-with", "{}: asked with 1.0 and with 1.7 it is told in its own shape; with 2.0 as 1.0")
def versioned(tools, stem):
    for version in ("1.0", "1.7", "2.0"):
        body = tools.body(protocolVersion=version)
        equal(tools.told(stem, body).lines, examples.asked(stem, body["threadId"], body["runId"]), f"asked with {version}")


@for_each([stem for stem in examples.VALID if stem[:2] in ("01", "02", "04", "12", "13")], "S8-with", "{}: asked with 1.0 it declares the version")
def raised(tools, stem):
    body = tools.body(protocolVersion="1.0")
    answer = tools.told(stem, body)
    equal(answer.events[0].get("protocolVersion"), "1.0", "the version of the first event")
    tools.judge(answer.lines, old=False)
