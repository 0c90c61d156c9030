"""S4 and S5: scripts that break the order of events; S12: faults on the way. The fixture is faults.json5."""

import json
import pathlib
import re
import subprocess
import tempfile
import time

import examples
import pages
import wire
from rig import JSON, check, equal, for_each, path

# The events between the boundaries that break the order, the first of them that does, and words the finding must have.
# invalid-01, 14, 15 and 18 break it at the boundaries, which no script writes; their agents are seen in S3.
SCRIPTS = {
    "02": (0, "TEXT_MESSAGE_START"), "03": (0, "TEXT_MESSAGE_START"), "04": (1, "open"), "05": (None, "TEXT_MESSAGE_END"),
    "06": (0, "TOOL_CALL_START"), "07": (0, "TOOL_CALL_START"), "08": (1, "open"), "09": (None, "TOOL_CALL_END"),
    "10": (None, "STEP_FINISHED"), "11": (0, "STEP_STARTED"), "12": (1, "open"), "13": (0, "RUN_STARTED"),
    "16": (0, "id"), "17": (0, "name"), "20": (0, "reasoning"), "21": (None, "easoning"),
}
NUMBERS = {f"invalid-{number}" for number in SCRIPTS}
STEMS = [stem for stem in examples.INVALID if examples.short(stem) in NUMBERS]


def scripted(stem, marked):
    """A fixture that tells the events of an example, each in a line of its own from the fourth on."""
    steps = [
        f"    {{ event: {json.dumps(escaped(each), ensure_ascii=False)}" + (", unchecked: true" if marked else "") + " },"
        for each in examples.events(stem)[1:-1]
    ]
    head = ["{", '  fixture: 1, name: "Order", about: "Breaks the order.", pace: "instant",', '  anywhere: [ { hears: "*", replies: [']
    tail = ["  ] } ],", '  examples: [ { name: "It runs", talk: ["user: go"] } ],', "}"]
    return "\n".join([*head, *steps, *tail]) + "\n"


def escaped(event):
    """Texts of a fixture have gaps in braces."""
    return {name: value.replace("{", "{{") if isinstance(value, str) else value for name, value in event.items()}


def checked(tools, text):
    """What `polymock check` says, and its exit status."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "order.json5")
        file.write_text(text, encoding="utf-8")
        done = subprocess.run([tools.binary, "check", str(file)], capture_output=True, text=True, timeout=30)
        return done.returncode, done.stdout + done.stderr


@for_each(STEMS, "S4", "{}: `polymock check` refuses the script, names what is broken, and where")
def refused(tools, stem):
    culprit, words = SCRIPTS[examples.short(stem).removeprefix("invalid-")]
    status, said = checked(tools, scripted(stem, False))
    found = re.findall(r"order\.json5:(\d+):(\d+): error: (.*)", said)
    assert status == 1 and found, f"status {status}: {said[:300]}"
    line, _, message = found[0]
    last = 3 + len(examples.events(stem)) - 2
    wanted = range(4, last + 1) if culprit is None else [4 + culprit]
    assert int(line) in wanted, f"line {line}, expected {list(wanted)}: {message}"
    assert words in message, f"{words!r} is not in {message!r}"


@for_each(STEMS, "S5", "{}: marked as a fault it loads, is told as it stands, and ag-ui-validate finds it")
def marked(tools, stem):
    text = scripted(stem, True)
    status, said = checked(tools, text)
    equal(status, 0, f"status of check: {said[:300]}")
    server = tools.marked_faults({f"{examples.short(each)}": scripted(each, True) for each in STEMS})
    body = tools.body()
    answer = tools.told(examples.short(stem), body, base=server.base)
    first, *_, last = examples.asked(stem, body["threadId"], body["runId"])
    # The boundaries are the server's, with the ids of the request; what the script has stands as it is.
    equal(answer.lines, [first, *examples.lines(stem)[1:-1], last], "the events")
    found = tools.validate(examples.short(stem), base=server.base)
    kind = "warning" if examples.short(stem) in examples.WARNED else "error"
    equal(found[kind] & examples.findings(stem), examples.findings(stem), f"{kind}s that ag-ui-validate finds")


@check("S5-unknown", "an event that is none, and one whose fields are of wrong types, are refused without a mark")
def malformed(tools):
    for event in ({"type": "TEXT_MESSAGE_STRAT", "messageId": "m-1"}, {"type": "TEXT_MESSAGE_START"}, {"type": "STATE_DELTA", "delta": {}}):
        text = scripted("invalid-02-content-without-start", False)
        text = re.sub(r"\{ event: .* \},", lambda _: f"{{ event: {json.dumps(event)} }},", text)
        status, said = checked(tools, text)
        assert status == 1 and "order.json5:4:" in said, f"{event}: status {status}: {said[:300]}"


# ---- faults on the way

WHOLE = ["RUN_STARTED", "TEXT_MESSAGE_START", *["TEXT_MESSAGE_CONTENT"] * 5, "TEXT_MESSAGE_END", "RUN_FINISHED"]
SAID = "one two three four five"


def fired(tools, fault, whole=True):
    """The answer to a run with that fault; one that breaks off is given as far as it came."""
    with wire.Connection(tools.own().base) as connection:
        connection.send("POST", path(f"faults+{fault}"), JSON, json.dumps(tools.body()).encode())
        answer = wire.Answer(200, {})

        def keep(so_far):
            nonlocal answer
            answer = so_far
            return False

        try:
            answer = connection.receive(until=keep)
        except ConnectionError:
            assert not whole, "the connection broke"
        equal(answer.is_whole, whole, "the body has its end")
        return answer


def in_the_page(tools, fault):
    return tools.pages.ask(f"faults+{fault}", base=tools.own().base)


def seen(tools, fault):
    """What client 1.0.1 makes of it: the outcome, the page's findings, the text it keeps."""
    visit = in_the_page(tools, fault).result(pages.PATIENCE)
    kept = [each.get("content") for each in visit.next["messages"] if each["role"] == "assistant"]
    return visit.outcome.get("kind"), visit.findings, kept[0] if kept else None


def framework(tools, fault):
    return tools.old.ask(do="ask", url=f"{tools.own().base}/ag-ui/faults+{fault}", say="Hello", thread=tools.fresh("thread"))


def fault(number, sentence, fault):
    """A check of one fault, which the page meets in the background."""
    return check(f"S12-{number:02}", sentence, early=lambda tools: in_the_page(tools, fault))


@fault(1, "a refusal in place of a stream: 503 with Retry-After, JSON; both clients fail", "refused")
def not_now(tools):
    answer = fired(tools, "refused")
    equal((answer.status, answer.headers.get("retry-after")), (503, "2"), "status and Retry-After")
    assert len(answer.json["error"]["message"]) > 5, answer.body
    visit = in_the_page(tools, "refused").result(pages.PATIENCE)
    equal(visit.session["exchanges"][0]["status"], 503, "the status that the page has")
    try:
        framework(tools, "refused")
        raise LookupError("agent-framework-ag-ui did not fail")
    except AssertionError as problem:
        assert "Error" in str(problem) or "ResponseNotRead" in str(problem), problem


@fault(2, "headers that come 300 ms late: the run is whole", "late")
def late(tools):
    began = time.monotonic()
    answer = fired(tools, "late")
    assert answer.pieces[0][0] - began >= 0.29, f"the first event came after {answer.pieces[0][0] - began:.3f} s"
    equal((answer.types, answer.text()), (WHOLE, SAID), "the run")
    equal(seen(tools, "late"), ("success", [], SAID), "client 1.0.1")


@fault(3, "the connection breaks before the fourth event: three came, and both clients fail", "cut")
def cut(tools):
    equal(fired(tools, "cut", whole=False).types, WHOLE[:3], "events that came")
    visit = in_the_page(tools, "cut").result(pages.PATIENCE)
    equal(visit.session["exchanges"][0]["transport"], "transport-error", "the transport in the page")
    assert visit.findings and set(visit.findings) <= {"transport.failed", "terminal.missing"}, visit.findings
    try:
        framework(tools, "cut")
        raise LookupError("agent-framework-ag-ui did not fail")
    except AssertionError as problem:
        assert "Error" in str(problem), problem


@fault(4, "the stream ends without an end of the run: the body has its end, and client 1.0.1 misses the last event", "ended")
def ended(tools):
    equal(fired(tools, "ended").types, WHOLE[:3], "events that came")
    kind, findings, kept = seen(tools, "ended")
    equal((kind, findings, kept), ("unknown", ["terminal.missing"], "one "), "client 1.0.1")


@fault(5, "a pause of 300 ms: all of it comes, later", "stalled")
def stalled(tools):
    answer = fired(tools, "stalled")
    gaps = [later - before for (before, _), (later, _) in zip(answer.pieces, answer.pieces[1:])]
    assert max(gaps) >= 0.27, f"the longest gap is {max(gaps) * 1000:.0f} ms"
    equal((answer.types, answer.text()), (WHOLE, SAID), "the run")
    equal(seen(tools, "stalled"), ("success", [], SAID), "client 1.0.1")


@fault(6, "a frame that is no JSON: agent-framework-ag-ui passes it over, client 1.0.1 fails", "json")
def bad_json(tools):
    frames = fired(tools, "json").body.decode().split("\n\n")
    broken = [number for number, frame in enumerate(frames) if frame and not parses(frame)]
    equal(broken, [3], "frames that do not parse")
    equal("".join(framework(tools, "json")["text"].split()), "onethreefourfive", "what agent-framework-ag-ui reads")
    kind, findings, _ = seen(tools, "json")
    assert kind != "success" or findings, f"client 1.0.1: {kind}, {findings}"


def parses(frame):
    try:
        return isinstance(json.loads(frame.removeprefix("data: ")), dict)
    except ValueError:
        return False


@fault(7, "bytes that are no UTF-8", "utf8")
def bad_utf8(tools):
    answer = fired(tools, "utf8")
    try:
        answer.body.decode()
        raise AssertionError("the stream is UTF-8")
    except UnicodeDecodeError:
        pass
    assert in_the_page(tools, "utf8").result(pages.PATIENCE).session["frames"], "the page has no frames"


@fault(8, "half a frame, then the connection breaks", "half")
def half(tools):
    body = fired(tools, "half", whole=False).body.decode()
    equal((body.count("\n\n"), body.endswith("\n\n")), (3, False), "whole frames, and whether the last is whole")
    assert "terminal.missing" in in_the_page(tools, "half").result(pages.PATIENCE).findings


@fault(9, "an event of an unknown type comes first: client 1.0.1 drops it and goes on", "strange")
def strange(tools):
    kinds = fired(tools, "strange").types
    equal([kind for kind in kinds if kind in WHOLE], WHOLE, "the known events")
    equal(len(kinds), len(WHOLE) + 1, "events")
    kind, findings, kept = seen(tools, "strange")
    equal((kind, findings, kept), ("success", ["schema.unknown-event-type"], SAID), "client 1.0.1")


@fault(10, "a huge frame", "huge")
def huge(tools):
    answer = fired(tools, "huge")
    assert max(map(len, answer.lines)) > 1 << 16, f"the largest event has {max(map(len, answer.lines))} characters"


@fault(11, "an event twice, two that changed places, one that is lost", "twice")
def moved(tools):
    words = ["one ", "two ", "three ", "four ", "five"]
    for fault, wanted in (("twice", [0, 1, 1, 2, 3, 4]), ("swapped", [0, 2, 1, 3, 4]), ("lost", [0, 2, 3, 4])):
        events = fired(tools, fault).events
        equal([each["delta"] for each in events if "delta" in each], [words[number] for number in wanted], fault)
        equal(events[-1]["type"], "RUN_FINISHED", "the last event")
    equal(seen(tools, "twice")[2], "one two two three four five", "the text of client 1.0.1")


@fault(12, "an event in three chunks, and a client that gets 2,000 bytes a second: nothing is missing", "split")
def slowly(tools):
    answer = fired(tools, "split")
    equal((answer.types, answer.text()), (WHOLE, SAID), "the run")
    equal(len(answer.pieces), len(WHOLE) + 2, "pieces")
    equal(seen(tools, "split"), ("success", [], SAID), "client 1.0.1")
    began = time.monotonic()
    answer = fired(tools, "throttled")
    equal((answer.types, answer.text()), (WHOLE, SAID), "the run")
    assert time.monotonic() - began > 0.2, "700 bytes at 2,000 a second came at once"


@fault(15, "each byte of an event in a chunk of its own: both clients read the run", "bytes")
def each_byte(tools):
    answer = fired(tools, "bytes")
    equal((answer.types, answer.text()), (WHOLE, SAID), "the run")
    equal([len(piece) for _, piece in answer.pieces].count(1), len(answer.body.split(b"\n\n")[3]) + 2, "chunks of one byte")
    equal(framework(tools, "bytes")["text"], SAID, "what agent-framework-ag-ui reads")
    equal(seen(tools, "bytes"), ("success", [], SAID), "client 1.0.1")


@check("S12-13", "an end that names another run, as a marked step: client 1.0.1 takes it, ag-ui-validate warns")
def wrong_run(tools):
    found = tools.validate("faults", tools.body("wrong run"), tools.own().base)
    assert "AGUI008" in found["warning"] | found["error"], found


@check("S12-14", "faults by name in the path need no escapes; the other runs are not hit")
def by_name(tools):
    base = tools.own().base
    equal(wire.ask(base, "POST", "/ag-ui/faults+refused@seed=3", JSON, json.dumps(tools.body()).encode()).status, 503, "status")
    equal(tools.told("faults", base=base).types, WHOLE, "the run without a fault")
