"""Runs of agents in the inspector: trees, answers, and one talk by all protocols."""

import json
import urllib.request

from desk import inspector
from inspect_looks import serious
from playwright.sync_api import expect
from rig import check
from talker import Talker

LOOKS = {
    "light": {}, "dark": {"color_scheme": "dark"}, "phone": {"viewport": {"width": 390, "height": 780}, "has_touch": True},
}


def ask(tools, thread, text, agent="weather", number=1):
    """One run over AG-UI; the text of its stream."""
    body = {"threadId": thread, "runId": f"{thread}-{number}", "messages": [{"id": f"u-{number}", "role": "user", "content": text}]}
    request = urllib.request.Request(
        f"{tools.server.base}/ag-ui/{agent}", data=json.dumps(body).encode(), method="POST", headers={"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        return answer.read().decode()


def place(tools, thread):
    """Where the runs of a thread are: a session has it as a second name."""
    return f"#/sessions/{tools.server.get(f'sessions/{thread}')['id']}/runs"


def go(tools, page, thread):
    page.evaluate("place => { location.hash = place }", place(tools, thread))


def runs(tools, session, **options):
    page = inspector(tools, place(tools, session), **options)
    expect(page.get_by_role("tab", name="Runs")).to_be_visible()
    return page


def node(page, title):
    """A node of a tree, with all below it."""
    return page.locator("details").filter(has=page.locator(f"summary strong:text-is('{title}')")).last


def opened(page, title):
    found = node(page, title)
    found.locator("> summary").click()
    return found


def asking(tools):
    """A Messaging client that is asked whether it approves."""
    talker = Talker(tools.server, "mock:refunds")
    talker.wait("POLY_AGENT_MESSAGE")
    talker.say("refund order 19")
    while "Approve" not in talker.wait("POLY_AGENT_MESSAGE")["payload"]["text"]:
        pass
    return talker


@check("R-001", "a run is a tree in time: steps, tools with arguments and results, state, text")
def shape(tools):
    ask(tools, "r-001", "trip to Porto")
    page = runs(tools, "r-001")
    tree = page.get_by_role("list", name="Run 1")
    expect(tree).to_contain_text("done")
    step = node(page, "look-up")
    for title in ("State", "Weather", "Tides", "replace /trip/status"):
        expect(step.locator(f"summary strong:text-is('{title}')")).to_be_visible()
    expect(tree.locator("summary strong:text-is('assistant')")).to_be_visible()
    weather = opened(page, "Weather")
    expect(weather).to_contain_text("Arguments")
    expect(weather).to_contain_text("Porto")
    expect(weather).to_contain_text("overcast")
    bars = tree.locator(".run-bar i").evaluate_all("all => all.map(each => each.getBoundingClientRect().left)")
    assert bars[0] <= min(bars) and max(bars) > bars[0] + 10, bars


@check("R-002", "beside each part stands what every protocol is told of it, and the frames that were sent")
def beside(tools):
    stream = ask(tools, "r-002", "weather in Leeds")
    page = runs(tools, "r-002")
    weather = opened(page, "Weather")
    told = weather.locator("summary", has_text="TOOL_CALL_RESULT")
    expect(weather.get_by_role("heading", name="As AG-UI sends it")).to_be_visible()
    told.click()
    shown = weather.locator("pre", has_text="TOOL_CALL_RESULT").last.inner_text()
    assert shown in stream, shown
    said = opened(page, "assistant")
    for heading in ("Messaging", "Connect", "AG-UI"):
        expect(said.get_by_role("heading", name=f"As {heading} sends it")).to_be_visible()
    weather.get_by_role("link", name="on the wire").click()
    table = page.get_by_role("table", name="Wire timeline")
    expect(table.get_by_role("row").filter(has_text="TOOL_CALL_START")).to_be_visible()


@check("R-003", "one talk side by side: engine, Messaging, Connect, AG-UI")
def sides(tools):
    ask(tools, "r-003", "weather in Leeds")
    page = runs(tools, "r-003")
    page.get_by_role("tab", name="Side by side").click()
    table = page.get_by_role("table", name="The talk by protocol")
    for head in ("Engine", "Messaging", "Connect", "AG-UI"):
        expect(table.get_by_role("columnheader", name=head)).to_be_visible()
    said = table.get_by_role("row").filter(has_text="Here is the weather of Leeds.").filter(has_text="agentMessage")
    for column, word in ((1, "POLY_AGENT_MESSAGE"), (2, "MESSAGE")):
        cell = said.get_by_role("cell").nth(column)
        expect(cell).to_contain_text(word)
        cell.locator("summary").first.click()
        expect(cell.locator("pre").first).to_contain_text("Here is the weather of Leeds.")
    delta = table.get_by_role("row").filter(has_text="textDelta")
    expect(delta.get_by_role("cell").nth(3)).to_contain_text("TEXT_MESSAGE_CONTENT ×")
    tools.shot("runs-side-by-side", page)


@check("R-004", "an approval is answered by its words, and the client hears what comes of it")
def approve(tools):
    talker = asking(tools)
    page = runs(tools, talker.session)
    asked = page.get_by_role("group", name="The agent asks")
    expect(asked).to_contain_text("Approve a £24.00 refund for O-19?")
    asked.get_by_role("button", name="Approve", exact=True).click()
    assert "on its way" in talker.wait("POLY_AGENT_MESSAGE")["payload"]["text"]
    expect(asked).to_be_hidden()
    expect(page.get_by_role("list", name="Run 2")).to_be_visible()


@check("R-005", "a question is answered as JSON that its schema suggests, or refused; drafts stay while the talk goes on")
def payload(tools):
    ask(tools, "r-005", "Refund order 19", "refunds")
    page = runs(tools, "r-005")
    box = page.get_by_role("textbox", name="Answer to refund")
    expect(box).to_have_value('{"approved":true}')
    box.fill('{"approved": true, "note": "fine"}')
    tools.server.call("POST", "/_mock/sessions/r-005/events", {"as": "agent", "text": "Still there?"})
    page.wait_for_timeout(400)
    expect(box).to_have_value('{"approved": true, "note": "fine"}')
    page.get_by_role("button", name="Send JSON").click()
    expect(page.get_by_role("list", name="Run 2")).to_contain_text("The refund is on its way.")
    ask(tools, "r-005b", "Refund order 19", "refunds")
    go(tools, page, "r-005b")
    page.get_by_role("button", name="Cancel it").click()
    expect(page.get_by_role("list", name="Run 2")).to_contain_text("No refund, then.")


@check("R-006", "a tool of the client is answered in its place, or declined")
def client_tool(tools):
    for thread, button, words in (("r-006", "Send result", "The van comes on 2026-12-03."), ("r-006b", "Decline", "Then ring us")):
        ask(tools, thread, "pick up my parcel", "refunds")
        page = runs(tools, thread)
        expect(node(page, "Calendar")).to_contain_text("waits")
        page.get_by_role("textbox", name="Result of pick_date").fill("2026-12-03")
        page.get_by_role("button", name=button).click()
        expect(page.get_by_role("list", name="Run 2")).to_contain_text(words)


@check("R-007", "failures, of tools and of runs, stand out; a run under way grows while it is looked at")
def failures(tools):
    ask(tools, "r-007", "weather in Atlantis")
    page = runs(tools, "r-007")
    expect(node(page, "Weather").locator(".chip").first).to_have_text("failed")
    ask(tools, "r-007b", "please fail", "mishaps")
    go(tools, page, "r-007b")
    expect(page.locator("strong:text-is('The provider gave up.')")).to_be_visible()
    ask(tools, "r-007b", "long", "mishaps", number=2)
    expect(page.get_by_role("list", name="Run 2")).to_be_visible()


@check("R-008", "a session without a run has no tab for it, and loads nothing of it")
def none(tools):
    talker = Talker(tools.server, "mock:hello")
    page = tools.page(go=False)
    loaded = []
    page.on("request", lambda request: loaded.append(request.url))
    page.goto(f"{tools.server.base}/inspect#/sessions/{talker.session}/conversation")
    expect(page.get_by_role("tab", name="Wire")).to_be_visible()
    expect(page.get_by_role("tab", name="Runs")).to_have_count(0)
    assert not [url for url in loaded if "run" in url.rsplit("/", 1)[1]], loaded
    page.evaluate("id => { location.hash = `#/sessions/${id}/runs` }", talker.session)
    expect(page.get_by_text("The fixture has no tools, state or questions.")).to_be_visible()


@check("R-009", "what the reader opened stays open while more comes, by the keyboard alone")
def stays(tools):
    ask(tools, "r-009", "weather in Leeds")
    page = runs(tools, "r-009")
    weather = node(page, "Weather")
    weather.locator("> summary").focus()
    page.keyboard.press("Enter")
    expect(weather).to_contain_text("Arguments")
    ask(tools, "r-009", "weather in Oslo", number=2)
    expect(page.get_by_role("list", name="Run 2")).to_be_visible()
    first = page.get_by_role("list", name="Run 1").locator("details").filter(has=page.locator("summary strong:text-is('Weather')")).last
    expect(first).to_contain_text("Arguments")
    assert page.evaluate("document.activeElement.textContent").startswith("Weather")


def contact(tools, text):
    """A contact of Amazon Connect whose customer says so; its id."""
    def call(method, path, body, bearer=None):
        headers = {"Content-Type": "application/json"} | ({"X-Amz-Bearer": bearer} if bearer else {})
        request = urllib.request.Request(tools.server.base + path, data=json.dumps(body).encode(), method=method, headers=headers)
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)
    start = {"InstanceId": "i", "ContactFlowId": "mock:hello@pace=instant", "ParticipantDetails": {"DisplayName": "Jane"}}
    begun = call("PUT", "/contact/chat", start)
    connection = {"Type": ["CONNECTION_CREDENTIALS"], "ConnectParticipant": True}
    bearer = call("POST", "/participant/connection", connection, begun["ParticipantToken"])["ConnectionCredentials"]["ConnectionToken"]
    call("POST", "/participant/message", {"ContentType": "text/plain", "Content": text}, bearer)
    return begun["ContactId"]


@check("R-013", "the conversation of a run and of a contact is shown as one of Messaging is")
def conversations(tools):
    ask(tools, "r-013", "weather in Leeds")
    page = inspector(tools, place(tools, "r-013").replace("/runs", "/conversation"))
    talk = page.get_by_role("log", name="Conversation")
    expect(talk).to_contain_text("weather in Leeds")
    expect(talk).to_contain_text("Here is the weather of Leeds.")
    page = inspector(tools, f"#/sessions/{contact(tools, 'good morning')}/conversation")
    talk = page.get_by_role("log", name="Conversation")
    expect(talk).to_contain_text("good morning")
    expect(talk.get_by_role("article")).not_to_have_count(1)


for number, (name, options) in enumerate(LOOKS.items(), 10):
    @check(f"R-{number:03}", f"axe and looks of runs: {name}")
    def looks(tools, name=name, options=options):
        thread = f"looks-{name}"
        ask(tools, thread, "trip to Porto")
        ask(tools, thread, "weather in Atlantis", number=2)
        page = runs(tools, thread, bypass_csp=True, **options)
        opened(page, "Weather")
        problems = serious(page, "tree")
        tools.shot(f"runs-tree-{name}", page)
        page.get_by_role("tab", name="Side by side").click()
        expect(page.get_by_role("table", name="The talk by protocol")).to_be_visible()
        problems += serious(page, "side by side")
        tools.shot(f"runs-side-{name}", page)
        ask(tools, thread + "-asks", "Refund order 19", "refunds")
        go(tools, page, thread + "-asks")
        expect(page.get_by_role("group", name="The agent asks")).to_be_visible()
        page.get_by_role("tab", name="Tree").click()
        problems += serious(page, "asks")
        tools.shot(f"runs-asks-{name}", page)
        wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0, f"{wide} px too wide"
        assert not problems, problems
