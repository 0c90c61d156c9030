"""S14: splitting texts; S19: joining a thread again."""

import re

import examples
import pages
from rig import check, equal, for_each
from transcripts import STATES, TRANSCRIPTS

CUTS = ["pace", "words", "characters", "tokens", "sentences", "lines", "whole"]


@for_each(CUTS, "S14", "the text of 19, cut by {}: joined it is the same, and each delta stands alone")
def split(tools, cut):
    wanted = examples.text("19-unicode")
    answer = tools.told(f"mock:unicode@chunks={cut}", base=tools.own().base)
    deltas = [each["delta"] for each in answer.events if each["type"] == "TEXT_MESSAGE_CONTENT"]
    equal("".join(deltas), wanted, "the text")
    assert all(deltas), f"an empty delta in {deltas}"
    for delta in deltas:
        delta.encode("utf-8")
    # No escape stands for half of a character outside of the first plane.
    equal([line for line in answer.lines if re.search(r"\\u[dD][89a-fA-F]", line)], [], "lines with half a character")
    if cut in ("characters", "words", "pace"):
        assert len(deltas) > 3, f"{cut} left {deltas}"
    if cut == "whole":
        equal(len(deltas), 1, "deltas")
    tools.judge(answer.lines)


def joined(tools, thread, agent, base=None):
    """What /connect tells of a thread: its messages, one line each, and its state."""
    body = tools.body(None, threadId=thread)
    answer = tools.told(agent, body, base=base, action="/connect")
    equal(answer.types, ["RUN_STARTED", "MESSAGES_SNAPSHOT", "STATE_SNAPSHOT", "RUN_FINISHED"], "the events")
    tools.judge(answer.lines, new=True, old=not agent.startswith("v1-"))
    return answer.events[1]["messages"], answer.events[2]["snapshot"]


@for_each(examples.VALID, "S19", "{}: joined again, the thread has the transcript and the state of the live client")
def again(tools, stem):
    body = tools.body()
    tools.told(stem, body)
    messages, state = joined(tools, body["threadId"], stem)
    equal(pages.rows(messages), TRANSCRIPTS[stem], "the messages")
    if stem[:3] not in ("15-", "13a"):
        # These replace what the user said by a snapshot.
        equal([each["content"] for each in messages if each["role"] == "user"][:1], ["Hello"], "what the user said")
    equal(state, STATES.get(stem, {}), "the state")


@check("S19-unknown", "a thread that nobody knows is empty")
def unknown(tools):
    equal(joined(tools, tools.fresh("nobody"), "01-text-only"), ([], {}), "messages and state")


@check("S19-three", "three runs on one thread: all of them, in their order, each once, with the history that the client brought")
def three(tools):
    server = tools.own()
    history = [{"id": "old-1", "role": "user", "content": "Before"}, {"id": "old-2", "role": "assistant", "content": "Long ago"}]
    thread, messages = tools.fresh("thread"), list(history)
    for word in ("one", "two", "three"):
        messages.append({"id": f"u-{word}", "role": "user", "content": word})
        answer = tools.told("echo", tools.body(threadId=thread, messages=messages), base=server.base)
        messages.append({"id": answer.events[1]["messageId"], "role": "assistant", "content": answer.text()})
    told, _ = joined(tools, thread, "echo", server.base)
    equal(pages.rows(told), pages.rows(messages), "the agent's messages")
    equal([each["id"] for each in told], [each["id"] for each in messages], "the ids of all messages")


@check("S19-state", "the state that the client sends is taken over, and what the request brings reaches the talk")
def state(tools):
    base, thread = tools.own().base, tools.fresh("thread")
    sent = {"plan": {"status": "draft", "items": [1, {"a": None}]}, "ä": "ü"}
    context = [{"description": "city", "value": "Leeds"}]
    answer = tools.told("desk", tools.body("what do you know", threadId=thread, state=sent, forwardedProps={"team": {"name": "blue"}}, context=context), base=base)
    equal(answer.text(), "draft, blue, Leeds.", "what the talk knows")
    equal(joined(tools, thread, "desk", base)[1], sent, "the state")


@check("S19-asked", "joined while a question is open, the thread has the call that it is about, and no result")
def asked(tools):
    base, thread = tools.own().base, tools.fresh("thread")
    tools.told("desk", tools.body("refund", threadId=thread), base=base)
    messages, state = joined(tools, thread, "desk", base)
    equal([each["role"] for each in messages], ["user", "assistant"], "the messages")
    equal(messages[1]["toolCalls"][0]["function"], {"name": "issue_refund", "arguments": '{"order":"O-19","gbp":"24.00"}'}, "the call")
    equal(state, {"refund": {"order": "O-19", "status": "awaiting_approval"}}, "the state")
