from desk import inspector, row, until
from playwright.sync_api import expect
from rig import check
from talker import Talker


@check("I-045", "a frozen clock holds the chunks back; each second gives one")
def frozen(tools):
    tools.own_server()
    page = inspector(tools, "#/clock")
    talker = Talker(tools.server, "mock:stream-slow", streaming=True)
    page.get_by_role("radiogroup", name="Mode").get_by_label("Frozen").check()
    expect(page.get_by_role("banner").get_by_role("link", name="clock frozen")).to_be_visible()
    page.get_by_role("button", name="Run until idle").click()
    ran = page.get_by_role("status", name="What ran")
    expect(ran).not_to_be_empty()
    talker.say("go", wait="USER_MESSAGE")
    chunks = f"session:{talker.session} type:POLY_AGENT_MESSAGE_CHUNK dir:out rule:*"
    before = len(tools.server.wire(chunks))
    page.get_by_role("textbox", name="Advance by").fill("500ms")
    page.get_by_role("textbox", name="Advance by").press("Enter")
    expect(ran).to_contain_text("thinking")
    tools.server.wait(chunks, count=before + 1)
    page.get_by_role("button", name="+1 s", exact=True).click()
    expect(ran).to_contain_text("chunk")
    tools.server.wait(chunks, count=before + 2)
    assert len(tools.server.wire(chunks)) == before + 2


@check("I-046", "the next timer runs, and the table follows")
def next(tools):
    tools.own_server()
    talker = Talker(tools.server, "mock:booking")
    talker.wait("POLY_AGENT_MESSAGE")
    page = inspector(tools, "#/clock")
    page.get_by_role("radiogroup", name="Mode").get_by_label("Frozen").check()
    table = page.get_by_role("table", name="Pending timers")
    expect(table).to_contain_text("idle timeout")
    page.get_by_role("button", name="Run next timer").click()
    expect(page.get_by_role("status", name="What ran")).to_contain_text("Ran:")


@check("I-046a", "who is at a button of a timer stays there while timers come and go")
def held(tools):
    tools.own_server()
    talker = Talker(tools.server, "mock:booking")
    talker.wait("POLY_AGENT_MESSAGE")
    page = inspector(tools, "#/clock")
    cancel = page.get_by_role("table", name="Pending timers").get_by_role("button", name="Cancel").first
    cancel.focus()
    talker.say("a table please", wait="POLY_AGENT_MESSAGE")
    Talker(tools.server, "mock:hello").say("hello", wait="POLY_AGENT_MESSAGE")
    until(page, "fetch('/_mock/timers', {headers: {'X-Mock-Control': '1'}}).then(() => true)")
    page.wait_for_timeout(600)
    assert page.evaluate("document.activeElement.textContent") == "Cancel"


@check("I-047", "ten minutes of silence end a talk")
def idle(tools):
    tools.own_server()
    talker = Talker(tools.server, "mock:idle")
    talker.wait("POLY_AGENT_MESSAGE")
    page = inspector(tools, "#/clock")
    page.get_by_role("radiogroup", name="Mode").get_by_label("Frozen").check()
    page.get_by_role("button", name="+10 min", exact=True).click()
    asked = page.get_by_role("alertdialog", name="This ends 1 open session")
    asked.get_by_role("button", name="Advance").click()
    expect(page.get_by_role("status", name="What ran")).to_contain_text("Ran:")
    talker.wait("SESSION_END")
    page.goto(f"{tools.server.base}/inspect#/sessions/{talker.session}/wire")
    ended = row(page.get_by_role("table", name="Wire timeline"), "SESSION_END")
    ended.click()
    expect(page.get_by_role("list", name="Cause")).to_contain_text("idle timeout")


@check("I-048", "Reset goes on in real time, and not back")
def reset(tools):
    tools.own_server()
    page = inspector(tools, "#/clock")
    page.get_by_role("radiogroup", name="Mode").get_by_label("Frozen").check()
    page.get_by_role("button", name="+1 h", exact=True).click()
    expect(page.get_by_role("status", name="What ran")).to_be_visible()
    until(page, "fetch('/_mock/clock').then(a => a.json()).then(c => Date.parse(c.now) > Date.now() + 3000000)")
    before = tools.server.get("clock")["nanoseconds"]
    page.get_by_role("button", name="Reset", exact=True).click()
    expect(page.get_by_role("radiogroup", name="Mode").get_by_label("Real time")).to_be_checked()
    expect(page.get_by_role("banner").get_by_role("link", name="ahead")).to_be_visible()
    after = tools.server.get("clock")
    assert after["mode"] == "real" and after["nanoseconds"] >= before


@check("I-077", "the wait of the control API returns a frame that comes later, and says what came when none does")
def wait(tools):
    talker = Talker(tools.server, "mock:booking")
    talker.say("a table please")
    found = tools.server.wait(f"session:{talker.session} type:POLY_AGENT_MESSAGE $.payload.text=*people*")
    assert found["rows"]
    try:
        tools.server.wait(f"session:{talker.session} type:NEVER", timeout="200ms")
        raise AssertionError("it returned")
    except AssertionError as error:
        assert "408" in str(error) and "NEVER" in str(error), error
