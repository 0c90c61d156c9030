"""S6: tools that the client has; S7: questions to a person. The fixture is desk.json5."""

import json

import pages
from rig import Server, check, equal

TOOLS = [{"name": name, "description": "d", "parameters": {"type": "object", "properties": {"min": {"type": "string"}}}} for name in ("pick_date", "pick_room")]


class Thread:
    """A client's thread, as the models of v0 have it: it sends all it knows with each request."""

    def __init__(self, tools, base=None, agent="desk", **more):
        self.tools, self.agent, self.more = tools, agent, more
        self.base = base or tools.own().base
        self.id, self.messages, self.state = tools.fresh("thread"), [], {}

    def send(self, say=None, answers=(), resume=None, **more):
        """One run. What it told is taken over into the messages and the state; its events are returned."""
        if say:
            self.messages.append({"id": self.tools.fresh("u"), "role": "user", "content": say})
        self.messages += [{"id": self.tools.fresh("t"), "role": "tool"} | each for each in answers]
        body = {"threadId": self.id, "runId": self.tools.fresh("run"), "state": self.state, "messages": self.messages, "tools": TOOLS,
                "context": [], "forwardedProps": {}} | ({"resume": resume} if resume is not None else {}) | self.more | more
        told = self.tools.told(self.agent, body, base=self.base)
        self.tools.judge(told.lines, old="protocolVersion" not in body)
        events = told.events
        equal((events[0]["type"], events[0]["runId"]), ("RUN_STARTED", body["runId"]), "the first event")
        for each in events:
            self._keep(each)
        return events

    def _keep(self, event):
        def owner(id):
            found = next((each for each in self.messages if each["id"] == id), None)
            if not found:
                found = {"id": id, "role": "assistant"}
                self.messages.append(found)
            return found

        match event["type"]:
            case "TEXT_MESSAGE_CONTENT":
                message = owner(event["messageId"])
                message["content"] = message.get("content", "") + event["delta"]
            case "TOOL_CALL_START":
                owner(event.get("parentMessageId", event["toolCallId"])).setdefault("toolCalls", []).append(
                    {"id": event["toolCallId"], "type": "function", "function": {"name": event["toolCallName"], "arguments": ""}})
            case "TOOL_CALL_ARGS":
                for message in self.messages:
                    for call in message.get("toolCalls", []):
                        call["function"]["arguments"] += event["delta"] if call["id"] == event["toolCallId"] else ""
            case "TOOL_CALL_RESULT":
                self.messages.append({"id": event["messageId"], "role": "tool", "toolCallId": event["toolCallId"], "content": event["content"]})
            case "STATE_SNAPSHOT":
                self.state = event["snapshot"]
            case "MESSAGES_SNAPSHOT":
                self.messages = event["messages"]


def kinds(events):
    return [each["type"] for each in events]


def text(events):
    return "".join(each.get("delta", "") for each in events if each["type"] == "TEXT_MESSAGE_CONTENT")


def calls(events):
    """Names, ids and whole arguments of the calls that got no result in this run."""
    answered = {each["toolCallId"] for each in events if each["type"] == "TOOL_CALL_RESULT"}
    found = {each["toolCallId"]: [each["toolCallName"], ""] for each in events if each["type"] == "TOOL_CALL_START"}
    for each in events:
        if each["type"] == "TOOL_CALL_ARGS":
            found[each["toolCallId"]][1] += each["delta"]
    return {name: (id, json.loads(arguments)) for id, (name, arguments) in found.items() if id not in answered}


def finished(events, **wanted):
    """A run that ended well, its outcome as told."""
    equal(events[-1]["type"], "RUN_FINISHED", f"the end of {kinds(events)}")
    equal(events[-1].get("outcome", {}), wanted, "the outcome")


@check("S6-01", "a call for the client: complete, without a result; the run ends, and its answer leads on")
def front_end(tools):
    thread = Thread(tools)
    first = thread.send("Book me in")
    finished(first)
    assert "TOOL_CALL_RESULT" not in kinds(first), kinds(first)
    (name, (call, arguments)), = calls(first).items()
    equal((name, arguments), ("pick_date", {"min": "2026-12-01"}), "the call")
    second = thread.send(answers=[{"toolCallId": call, "content": "2026-12-04"}])
    finished(second)
    equal(text(second), "You are booked for 2026-12-04.", "the reply")
    equal([each for each in kinds(second) if each.startswith("TOOL_")], [], "events of tools in the second run")


@check("S6-02", "the client declines: the branch for it is taken")
def declined(tools):
    thread = Thread(tools)
    (call, _), = calls(thread.send("Book me in")).values()
    equal(text(thread.send(answers=[{"toolCallId": call, "content": "", "error": "declined by user"}])), "No problem, we can do it later.", "the reply")


@check("S6-03", "two calls, answered one by one and in the other order: the talk goes on when both are")
def partial(tools):
    thread = Thread(tools)
    open_calls = calls(thread.send("date and room"))
    equal(sorted(open_calls), ["pick_date", "pick_room"], "the calls")
    one = thread.send(answers=[{"toolCallId": open_calls["pick_room"][0], "content": "the garden"}])
    finished(one)
    equal(text(one), "", "what is said while one is missing")
    equal(text(thread.send(answers=[{"toolCallId": open_calls["pick_date"][0], "content": "Friday"}])), "Friday in the garden.", "the reply")
    thread = Thread(tools)
    open_calls = calls(thread.send("date and room"))
    both = [{"toolCallId": open_calls[name][0], "content": content} for name, content in (("pick_room", "the cellar"), ("pick_date", "Monday"))]
    equal(text(thread.send(answers=both)), "Monday in the cellar.", "the reply to both at once")


@check("S6-04", "a new message of the user abandons the call; a late answer to it does no harm")
def ignored(tools):
    thread = Thread(tools)
    (call, _), = calls(thread.send("Book me in")).values()
    equal(text(thread.send("Something else")), "I can book and refund.", "the reply")
    late = thread.send(answers=[{"toolCallId": call, "content": "2026-12-04"}])
    assert "booked" not in text(late), f"the late answer was taken: {text(late)!r}"
    equal(text(thread.send("Something else")), "I can book and refund.", "the reply afterwards")


@check("S6-05", "a fixture knows which tools the client offers")
def offered(tools):
    equal(text(Thread(tools).send("calendar")), "You have a calendar.", "with the tool")
    equal(text(Thread(tools).send("calendar", tools=[])), "You have no calendar.", "without it")


@check("S6-06", "asked with 1.0, the end names the calls that are left")
def pending(tools):
    thread = Thread(tools, protocolVersion="1.0")
    events = thread.send("date and room")
    ids = [call for call, _ in calls(events).values()]
    finished(events, type="success", pendingToolCallIds=ids)
    left = thread.send(answers=[{"toolCallId": ids[0], "content": "x"}])
    equal(left[-1].get("outcome", {}).get("pendingToolCallIds"), ids[1:], "the calls that are left then")


@check("S6-07", "agent-framework-ag-ui runs its own function and asks again with the result")
def framework(tools):
    known = [TOOLS[0] | {"returns": "2026-12-04"}]
    reply = tools.old.ask(do="ask", url=f"{tools.own().base}/ag-ui/desk", say="Book me in", thread=tools.fresh("thread"), tools=known)
    assert "You are booked for 2026-12-04." in reply["text"], reply


async def pick(page):
    await page.get_by_label("Result for pick_date").fill("2026-12-04")
    await page.get_by_label("Submit result for").click()


def picked(tools):
    return tools.pages.ask("desk", pick, tools.own().base, "Book me in")


@check("S6-08", "client 1.0.1 waits for the result, sends it, and shows the reply", early=picked)
def in_the_page(tools):
    visit = picked(tools).result(pages.PATIENCE)
    equal(visit.findings, [], "findings of the page")
    equal([(each["role"], each["content"]) for each in visit.next["messages"][-1:]], [("tool", "2026-12-04")], "what the client sent")
    said = "".join(each.get("delta", "") for each in visit.frames)
    assert said.endswith("You are booked for 2026-12-04."), said


# ---- questions to a person


def asked(thread, say="refund"):
    events = thread.send(say)
    equal((events[-1]["type"], events[-1].get("outcome", {}).get("type")), ("RUN_FINISHED", "interrupt"), "the end")
    return events, events[-1]["outcome"]["interrupts"]


def resolved(interrupt, **payload):
    return {"interruptId": interrupt["id"], "status": "resolved", "payload": payload}


@check("S7-01", "the run that asks: the call without a result, state and messages, then the interrupt")
def interrupted(tools):
    thread = Thread(tools)
    events, interrupts = asked(thread)
    equal(kinds(events)[-3:], ["STATE_SNAPSHOT", "MESSAGES_SNAPSHOT", "RUN_FINISHED"], "the last events")
    (name, (call, arguments)), = calls(events).items()
    equal((name, arguments), ("issue_refund", {"order": "O-19", "gbp": "24.00"}), "the call")
    one, = interrupts
    equal([one.get(key) for key in ("reason", "message", "toolCallId")], ["tool_call", "Approve a £24.00 refund for O-19?", call], "the interrupt")
    equal((one["responseSchema"]["required"], one["expiresAt"][10], one["expiresAt"][-1]), (["approved"], "T", "Z"), "schema and expiry")
    equal(thread.state, {"refund": {"order": "O-19", "status": "awaiting_approval"}}, "the state")
    equal([each["role"] for each in thread.messages], ["user", "assistant"], "the messages of the snapshot")
    found = tools.validate("desk", tools.body("refund"), tools.own().base)
    equal(found["error"], set(), "errors that ag-ui-validate finds")


@check("S7-02", "approved: the result of the first call, without the call again, then the rest")
def approved(tools):
    thread = Thread(tools)
    events, (one,) = asked(thread)
    (call, _), = calls(events).values()
    again = thread.send(resume=[resolved(one, approved=True)])
    finished(again)
    equal([(each["type"], each.get("toolCallId")) for each in again if each["type"].startswith("TOOL_")], [("TOOL_CALL_RESULT", call)], "events of the tool")
    equal(json.loads(next(each["content"] for each in again if each["type"] == "TOOL_CALL_RESULT")), {"refundId": "rf-5"}, "the result")
    equal([each["delta"] for each in again if each["type"] == "STATE_DELTA"], [[{"op": "replace", "path": "/refund/status", "value": "done"}]], "the change of the state")
    equal(text(again), "The refund is on its way.", "the reply")


@check("S7-03", "cancelled, and resolved with no: the branch for it, with a result that says so")
def not_approved(tools):
    for answer in (lambda one: {"interruptId": one["id"], "status": "cancelled"}, lambda one: resolved(one, approved=False)):
        thread = Thread(tools)
        _, (one,) = asked(thread)
        again = thread.send(resume=[answer(one)])
        result = next(each for each in again if each["type"] == "TOOL_CALL_RESULT")
        equal((json.loads(result["content"])["error"]["code"], text(again)), ("not_approved", "I have not refunded it."), "the result and the reply")


def failed(events, code):
    equal((events[-1]["type"], events[-1].get("code")), ("RUN_ERROR", code), f"the end of {kinds(events)}")


@check("S7-04", "an unknown interrupt: RUN_ERROR for v0, 1.0 goes on")
def unknown(tools):
    thread = Thread(tools)
    asked(thread)
    failed(thread.send(resume=[resolved({"id": "nobody"}, approved=True)]), "unknown_interrupt")
    thread = Thread(tools, protocolVersion="1.0")
    _, (one,) = asked(thread)
    again = thread.send(resume=[resolved({"id": "nobody"}), resolved(one, approved=True)])
    equal((again[-1]["type"], text(again)), ("RUN_FINISHED", "The refund is on its way."), "the end and the reply")


@check("S7-05", "two questions, one answer: interrupt_not_covered; both: the talk goes on")
def uncovered(tools):
    thread = Thread(tools)
    _, (one, two) = asked(thread, "refund and mail")
    equal((one["reason"], two["reason"]), ("confirmation", "input_required"), "reasons")
    failed(thread.send(resume=[resolved(one)]), "interrupt_not_covered")
    thread = Thread(tools)
    _, (one, two) = asked(thread, "refund and mail")
    equal(text(thread.send(resume=[resolved(two), resolved(one)])), "Both are decided.", "the reply")


@check("S7-06", "an answer behind its expiry, on a clock that was moved: interrupt_expired")
def expired(tools):
    server = Server(tools.binary, "--log", "text", "--fixtures", str(tools.folder))
    try:
        thread = Thread(tools, server.base)
        _, (one,) = asked(thread)
        server.post("clock", advance="3m")
        failed(thread.send(resume=[resolved(one, approved=True)]), "interrupt_expired")
        equal(text(thread.send("Something else")), "I can book and refund.", "the thread afterwards")
    finally:
        server.stop()


@check("S7-07", "a new message abandons the question; its answer is then unknown")
def abandoned(tools):
    thread = Thread(tools)
    _, (one,) = asked(thread)
    equal(text(thread.send("Something else")), "I can book and refund.", "the reply")
    failed(thread.send(resume=[resolved(one, approved=True)]), "unknown_interrupt")


async def stubborn(page):
    """Tries to go on without an answer, which the client does not let happen; then approves."""
    try:
        async with page.expect_request(lambda request: request.method == "POST", timeout=700):
            await pages.say_again(page, timeout=500)
        raise AssertionError("a run without an answer was asked for")
    except pages.TimedOut:
        await page.get_by_role("button", name="Resolve").click()


def answered(tools, how):
    return tools.pages.ask("desk", how, tools.own().base, "refund")


@check("S7-08", "client 1.0.1 begins no run while the question is open; it sends the approval, and shows the reply",
       early=lambda tools: answered(tools, stubborn))
def approved_in_the_page(tools):
    visit = answered(tools, stubborn).result(pages.PATIENCE)
    equal([each["status"] for each in visit.next["resume"]], ["resolved"], "what the client sent")
    equal(visit.findings, [], "findings of the page")
    equal(visit.outcome.get("kind"), "success", "the outcome")
    assert visit.frames[-2]["type"] == "TEXT_MESSAGE_END" and "TOOL_CALL_RESULT" in kinds(visit.frames), kinds(visit.frames)


@check("S7-09", "the same, and the question is cancelled", early=lambda tools: answered(tools, pages.cancel))
def cancelled_in_the_page(tools):
    visit = answered(tools, pages.cancel).result(pages.PATIENCE)
    equal([each["status"] for each in visit.next["resume"]], ["cancelled"], "what the client sent")
    said = "".join(each.get("delta", "") for each in visit.frames if each["type"] == "TEXT_MESSAGE_CONTENT")
    equal(said, "I have not refunded it.", "the reply")


@check("S7-10", "agent-framework-ag-ui resumes in its own words")
def framework_resumes(tools):
    thread = Thread(tools)
    _, (one,) = asked(thread)
    reply = tools.old.ask(do="ask", url=f"{thread.base}/ag-ui/desk", say="refund", thread=thread.id, resume=[resolved(one, approved=True)])
    equal(reply["text"], "The refund is on its way.", "the reply")


def planned(tools):
    return tools.pages.ask("desk", base=tools.own().base, say="plan the trip")


@check("S7-11", "a state told as the changes that lead there: client 1.0.1 has it, ag-ui-validate finds nothing", early=planned)
def state_as_patch(tools):
    visit = planned(tools).result(pages.PATIENCE)
    equal(visit.next["state"], {"plan": {"items": ["a", "new", "b"], "status": "ready"}}, "the state of client 1.0.1")
    equal(visit.findings, [], "the page's findings")
    deltas = [each["delta"] for each in visit.frames if each["type"] == "STATE_DELTA"]
    equal([[each["op"] for each in delta] for delta in deltas], [["remove", "add", "replace"]], "the operations")
    equal(tools.validate("desk", tools.body("plan the trip"), tools.own().base)["error"], set(), "errors that ag-ui-validate finds")


@check("S7-12", "a subagent: the models take its events, ag-ui-validate finds no error, version 0 sees a step")
def subagent(tools):
    base = tools.own().base
    body = tools.body("ask a helper", protocolVersion="1.0")
    told = tools.told("desk", body, base=base)
    tools.judge(told.lines, old=False)
    inside = [each["type"] for each in told.events if each.get("subagentRunId")]
    equal((inside[0], inside[-1]), ("SUBAGENT_STARTED", "SUBAGENT_FINISHED"), "the first and the last that are its own")
    assert "TEXT_MESSAGE_CONTENT" in inside, inside
    equal(tools.validate("desk", body, base)["error"], set(), "errors that ag-ui-validate finds")
    old = tools.told("desk", tools.body("ask a helper"), base=base)
    tools.judge(old.lines)
    equal([each["stepName"] for each in old.events if each["type"].startswith("STEP_")], ["researcher", "researcher"], "steps")
