import time

from desk import chat, detail, inspector, lines, row, say, until, wire_of
from playwright.sync_api import expect
from rig import check
from talker import Talker


def inject(tools, page, kind, at=None, effect=None, times=None, chance=None):
    """Adds a fault for the session of the page, by its form."""
    form = page.get_by_role("region", name="New fault")
    form.get_by_role("combobox", name="Fault").select_option(kind)
    if effect is not None:
        form.get_by_text("As JSON").click()
    for label, value in (("At", at), ("Effect as JSON", effect), ("Times", times), ("Chance", chance)):
        if value is not None:
            form.get_by_label(label, exact=True).last.fill(value)
    before = len(tools.server.get("faults")["faults"])
    form.get_by_role("button", name="Add").click()
    expect(page.get_by_role("table", name="Active faults").get_by_role("button", name="Remove")).to_have_count(before + 1)


def desk(tools, token="mock:hello"):
    tools.own_server()
    talker = Talker(tools.server, token)
    return talker, inspector(tools, f"#/sessions/{talker.session}/faults")


@check("I-033", "a dropped connection: it fires, row of kind fault, and Remove")
def drop(tools):
    talker, page = desk(tools)
    inject(tools, page, "Drop connection", at="reply 2")
    talker.wait("POLY_AGENT_MESSAGE")
    try:
        talker.say("hello", wait="CLOSE")
    except (AssertionError, ConnectionError):
        pass
    table = page.get_by_role("table", name="Active faults")
    expect(table.get_by_role("row").nth(1).get_by_role("cell").nth(3)).to_have_text("1")
    talker.buffer = b""
    talker.connect(cursor=3)
    assert tools.server.wire(f"session:{talker.session} kind:fault")
    table.get_by_role("button", name="Remove").click()
    expect(page.get_by_text("No fault is active").first).to_be_visible()


@check("I-033a", "forms are grids: each label stands above its field, and fields of a line begin at one height")
def grid(tools):
    tools.own_server()
    page = inspector(tools, "#/faults")
    lines = """all => all.filter((one) => one.offsetParent).map((one) => {
        const [label, control] = [one.firstElementChild, one.querySelector("input, select")].map((each) => each.getBoundingClientRect());
        return [one.textContent, one.getBoundingClientRect().top, label.bottom <= control.top, control.top];
    })"""
    for place, name in (("#/faults", "New fault"), ("#/clock", "Steer the clock")):
        page.goto(tools.server.base + "/inspect" + place)
        found = page.get_by_role("region", name=name).locator(".field")
        expect(found.first).to_be_visible()
        fields = found.evaluate_all(lines)
        assert len(fields) >= 2 and all(above for _, _, above, _ in fields), fields
        for _, top, _, control in fields:
            assert len({each[3] for each in fields if each[1] == top}) == 1, fields


@check("I-034", "a close with 4001 is told with its code")
def close(tools):
    talker, page = desk(tools)
    inject(tools, page, "Close", at="user message 1", effect='{"close":4001}')
    talker.say("hello")
    assert talker.wait("CLOSE") == 4001
    page.get_by_role("tab", name="Wire").click()
    expect(row(page.get_by_role("table", name="Wire timeline"), "CLOSE 4001").first).to_be_visible()


@check("I-035", "delayed frames are late until the fault is cleared; the bar shows a chip")
def delay(tools):
    talker, page = desk(tools)
    talker.wait("POLY_AGENT_MESSAGE")
    inject(tools, page, "Delay outgoing")
    expect(page.get_by_role("banner").get_by_role("link", name="1 fault")).to_be_visible()
    began = time.monotonic()
    talker.say("hello", wait="USER_MESSAGE")
    late = time.monotonic() - began
    assert late >= 0.45, late
    page.get_by_role("button", name="Remove all faults").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Remove all").click()
    expect(page.get_by_role("banner").get_by_role("link", name="fault")).to_have_count(0)
    talker.say("hello again", wait="USER_MESSAGE")
    echo = tools.server.wire(f"session:{talker.session} dir:out type:USER_MESSAGE")
    assert echo[0]["lat"] >= 450 > echo[-1]["lat"], echo


@check("I-036", "a muted echo is lost, the next one is not")
def mute(tools):
    talker, page = desk(tools)
    talker.wait("POLY_AGENT_MESSAGE")
    inject(tools, page, "Mute echoes")
    talker.say("hello", wait="POLY_AGENT_MESSAGE")
    assert not any(frame["type"].endswith("USER_MESSAGE") for frame in talker.frames)
    talker.say("hello", wait="USER_MESSAGE")


@check("I-037", "a repeated event is marked in the wire")
def repeat(tools):
    talker, page = desk(tools)
    talker.wait("POLY_AGENT_MESSAGE")
    inject(tools, page, "Duplicate", at="user message 1")
    talker.say("hello", wait="POLY_AGENT_MESSAGE")
    page.goto(f"{tools.server.base}/inspect#/sessions/{talker.session}/wire?filter=is:faulted dir:out")
    table = page.get_by_role("table", name="Wire timeline")
    expect(table.locator(".in")).to_have_count(0)
    row(table, "USER_MESSAGE").first.click()
    expect(detail(page).get_by_role("list", name="Cause")).to_contain_text("Fault")


@check("I-038", "a damaged frame shows what it was before")
def corrupt(tools):
    talker, page = desk(tools)
    talker.wait("POLY_AGENT_MESSAGE")
    inject(tools, page, "Corrupt", at="user message 1")
    talker.say("hello", wait="POLY_AGENT_MESSAGE")
    page.goto(f"{tools.server.base}/inspect#/sessions/{talker.session}/wire?filter=is:faulted dir:out")
    table = page.get_by_role("table", name="Wire timeline")
    row(table, "USER_MESSAGE").first.click()
    detail(page).get_by_role("tab", name="Diff").click()
    text = detail(page).locator(".diff").inner_text()
    assert any(line.startswith("- ") for line in text.splitlines()), text


@check("I-039", "a token past its life is refused, and the row is an error")
def expire(tools):
    tools.own_server()
    text = "{ fixture: 1, name: 'Short', session: { tokenLife: '10m' }, greeting: [ { say: 'Hi' } ], otherwise: [ { replies: [ { say: 'Hm' } ] } ] }"
    tools.server.post("fixtures", name="short", text=text)
    talker = Talker(tools.server, "mock:short")
    tools.server.post("clock", advance="11m")
    try:
        talker.call("sessions", {}, {"Authorization": "Bearer " + talker.access})
        raise AssertionError("it was not refused")
    except OSError as error:
        assert getattr(error, "code", 0) == 401, error
    page = inspector(tools, "#/log?filter=is:error")
    expect(row(page.get_by_role("table", name="Wire timeline"), "401").first).to_contain_text("POST /api/v1/sessions")


@check("I-043", "the same seed draws the same firings")
def seeded(tools):
    tools.own_server()
    fired = []
    tools.server.post("faults", at="any event", do={"delay": "1ms"}, times=1000, chance="40%")
    for _ in range(2):
        talker = Talker(tools.server, "mock:hello@seed=7")
        talker.wait("POLY_AGENT_MESSAGE")
        for text in ("one", "two", "three"):
            talker.say(text, wait="POLY_AGENT_MESSAGE")
        page, table = wire_of(tools, talker.session)
        expect(row(table, "three").last).to_be_visible()
        fired.append([line["type"] for line in lines(table) if "fault" in line["summary"]])
    assert fired[0] and fired[0] == fired[1], fired


@check("I-044", "after Remove all, no chip is left and traffic is clean")
def clearAll(tools):
    talker, page = desk(tools)
    talker.wait("POLY_AGENT_MESSAGE")
    for name in ("lift", "train"):
        page.get_by_role("region", name="Presets").get_by_role("button", name=name).click()
    expect(page.get_by_role("banner").get_by_role("link", name="faults")).to_be_visible()
    page.get_by_role("button", name="Remove all faults").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Remove all").click()
    expect(page.get_by_role("banner").get_by_role("link", name="fault")).to_have_count(0)
    talker.say("hello", wait="POLY_AGENT_MESSAGE")
    assert not tools.server.wire(f"session:{talker.session} is:faulted")


@check("I-040", "refused calls: the rows of the handshake and of the session say when to come again")
def refused(tools):
    tools.own_server()
    for moment in ("handshake 1", "session"):
        tools.server.post("faults", at=moment, do={"refuse": 429, "retryAfter": "5s"})
    for _ in range(2):
        try:
            Talker(tools.server, "mock:hello")
            raise RuntimeError("it was not refused")
        except (AssertionError, OSError) as error:
            assert "429" in str(error), error
    page = inspector(tools, "#/log?filter=status:429")
    table = page.get_by_role("table", name="Wire timeline")
    for path in ("POST /api/v1/sessions", "GET /ws"):
        row(table, path).first.click()
        detail(page).get_by_role("tab", name="Headers").click()
        expect(page.get_by_role("table", name="Headers").get_by_role("row").filter(has_text="Retry-After")).to_contain_text("5")


@check("I-042", "the preset tunnel takes the chat page offline, and lets it come back")
def tunnel(tools):
    tools.own_server()
    tools.expects.append("WebSocket")
    visitor = chat(tools, "mock:hello")
    visitor.evaluate("() => { const root = document.getElementById('chat'); window.phases = []; new MutationObserver(() => phases.push(root.dataset.phase)).observe(root, { attributeFilter: ['data-phase'] }); }")
    session = tools.server.get("sessions")["sessions"][0]["id"]
    page = inspector(tools, f"#/sessions/{session}/faults")
    page.get_by_role("region", name="Presets").get_by_role("button", name="tunnel").click()
    expect(page.get_by_role("table", name="Active faults").get_by_role("button", name="Remove").first).to_be_visible()
    tools.server.post("clock", mode="frozen")
    say(visitor, "hello")
    tools.server.wait(f"session:{session} dir:in type:USER_MESSAGE")
    tools.server.post("clock", advance="30s")
    until(visitor, "phases.includes('reconnecting') && phases.at(-1) === 'open'")
