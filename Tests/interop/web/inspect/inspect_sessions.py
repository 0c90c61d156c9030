import re

from desk import chat, inspector, row, until
from playwright.sync_api import expect
from rig import check
from talker import Talker


@check("I-001", "an empty server: heading, seven views, an empty table with a link to the chat page")
def empty(tools):
    tools.own_server()
    page = inspector(tools)
    expect(page.get_by_role("heading", level=1, name="Mock server inspector")).to_be_visible()
    links = page.get_by_role("navigation", name="Views").get_by_role("link")
    expect(links).to_have_text(["Sessions", "Fixtures", "Faults", "Clock", "Metrics", "Server log", "Import"])
    expect(page.get_by_role("table", name="Sessions")).to_have_attribute("aria-rowcount", "0")
    expect(page.get_by_text("No sessions yet")).to_be_visible()
    expect(page.get_by_role("link", name="Open chat page")).to_have_attribute("href", "/chat")
    tools.shot("inspect-empty")


@check("I-002", "a session appears without a reload, with its status and socket")
def appears(tools):
    tools.own_server()
    page = inspector(tools)
    talker = Talker(tools.server, "mock:hello")
    talker.say("hello", wait="POLY_AGENT_MESSAGE")
    found = row(page.get_by_role("table", name="Sessions"), talker.session[:4])
    expect(found).to_contain_text("agent")
    expect(found.get_by_role("cell").nth(2)).to_have_text("1")


@check("I-003", "a client that drops leaves its row, with no socket")
def drops(tools):
    tools.own_server()
    talker = Talker(tools.server, "mock:hello")
    page = inspector(tools)
    sockets = row(page.get_by_role("table", name="Sessions"), talker.session[:4]).get_by_role("cell").nth(2)
    expect(sockets).to_have_text("1")
    talker.drop()
    expect(sockets).to_have_text("0")


@check("I-004", "sorting sets aria-sort and the order; the filter counts")
def sorts(tools):
    tools.own_server()
    for token in ("mock:booking@tag=one", "mock:booking@tag=two", "mock:shop@tag=three"):
        talker = Talker(tools.server, token)
        if "two" in token:
            talker.say("xyzzy", wait="POLY_AGENT_MESSAGE")
    page = inspector(tools)
    table = page.get_by_role("table", name="Sessions")
    expect(table).to_have_attribute("aria-rowcount", "3")
    table.get_by_role("button", name="Unmatched").click()
    expect(table.get_by_role("columnheader", name="Unmatched")).to_have_attribute("aria-sort", "descending")
    expect(table.get_by_role("row").nth(1)).to_contain_text("two")
    table.get_by_role("button", name="Unmatched").click()
    expect(table.get_by_role("columnheader", name="Unmatched")).to_have_attribute("aria-sort", "ascending")
    page.get_by_role("searchbox", name="Filter sessions").fill("booking")
    expect(table).to_have_attribute("aria-rowcount", "2")
    expect(page.get_by_role("status", name="Sessions shown")).to_have_text("2 of 3 sessions")


@check("I-088", "who is at a button of a row stays there while the list changes")
def stays(tools):
    tools.own_server()
    talker = Talker(tools.server, "mock:hello")
    page = inspector(tools)
    table = page.get_by_role("table", name="Sessions")
    button = row(table, talker.session[:4]).get_by_role("button")
    button.focus()
    talker.say("hello", wait="POLY_AGENT_MESSAGE")
    Talker(tools.server, "mock:hello")
    expect(table).to_have_attribute("aria-rowcount", "2")
    page.wait_for_timeout(600)
    expect(button).to_be_focused()


@check("I-005", "a thousand sessions: fewer than 200 rows in the page", edge=True)
def thousand(tools):
    tools.own_server()
    first = Talker(tools.server, "mock:hello", connect=False)
    for _ in range(999):
        first.call("sessions", {"platform": "web"}, {"Authorization": "Bearer " + first.access})
    page = inspector(tools)
    table = page.get_by_role("table", name="Sessions")
    expect(table).to_have_attribute("aria-rowcount", "1000")
    assert table.get_by_role("row").count() < 200
    page.keyboard.press("j")
    page.keyboard.press("End")
    until(page, "document.querySelector('tr.current')?.getAttribute('aria-rowindex') === '1001'")
    assert table.get_by_role("row").count() < 200


@check("I-006", "the conversation has the chat page's articles, in order and text")
def conversation(tools):
    from desk import say
    visitor = chat(tools, f"mock:booking@tag={tools.tag}")
    say(visitor, "a table please")
    expect(visitor.get_by_role("article").filter(has_text="For how many people?")).to_be_visible()
    page = inspector(tools, f"#/sessions/{tools.server.sessions(tools.tag)[0]}/conversation")
    expect(page.get_by_role("article").filter(has_text="For how many people?")).to_be_visible()
    texts = "() => [...document.querySelectorAll('article .bubble')].map(bubble => bubble.textContent)"
    assert page.evaluate(texts) == visitor.evaluate(texts)
    tools.shot("inspect-conversation", page)


@check("I-006c", "the conversation shows edits, withdrawn messages, reactions, quotes, files and receipts, as they come and afterwards")
def extensions(tools):
    import chat_changes
    visitor = chat_changes.talk(tools, options={"bypass_csp": True})
    page = inspector(tools, f"#/sessions/{tools.server.sessions(tools.tag)[0]}/conversation", bypass_csp=True)
    visitor.say("book")
    expect(visitor.article("At half past seven.")).to_be_visible()
    visitor.say("rude")
    expect(visitor.article("Pardon me.")).to_be_visible()
    chat_changes.choose(visitor, "Welcome", "React 👍")
    chat_changes.choose(visitor, "Welcome", "Reply")
    visitor.say("good evening")
    visitor.page.locator("input[type=file]").set_input_files({"name": "cat.png", "mimeType": "image/png", "buffer": b"meow"})
    expect(visitor.article("A picture.")).to_be_visible()
    for _ in ("as they come", "afterwards"):
        articles = page.get_by_role("log", name="Conversation").get_by_role("article")
        expect(articles.filter(has_text="At half past seven.")).to_contain_text("Edited")
        expect(articles.filter(has_text="Deleted")).to_have_count(1)
        expect(articles.filter(has_text="Nonsense")).to_have_count(0)
        expect(articles.filter(has_text="👍 1").get_by_role("button", name="👍 1")).to_be_disabled()
        said = articles.filter(has_text="good evening")
        expect(said.get_by_role("blockquote")).to_contain_text("Welcome")
        expect(said).to_have_attribute("data-delivery", "read")
        expect(articles.get_by_role("listitem").filter(has_text="cat.png")).to_have_attribute("data-state", "ready")
        expect(page.locator(".gutter .mark").filter(has_text="read").first).to_be_visible()
        tools.shot("inspect-changes", page)
        page.reload()
    problems = chat_changes.serious(page)
    assert not problems, problems


@check("I-006a", "of a long talk only the rows around the reader are in the page; the way to the start, and back to the newest")
def windowed(tools):
    talker = Talker(tools.server, "mock:hello@pace=instant")
    for number in range(150):
        talker.say(f"number {number}", wait="POLY_AGENT_MESSAGE")
    page = inspector(tools, f"#/sessions/{talker.session}/conversation")
    talk = page.get_by_role("log", name="Conversation")
    expect(talk.get_by_role("article").last).to_contain_text("number 149")
    assert talk.get_by_role("article").count() <= 100
    talk.evaluate("log => { log.scrollTop = 0 }")
    expect(talk.get_by_role("article").nth(1)).to_contain_text("number 0")
    assert talk.get_by_role("article").count() < 200
    page.get_by_role("button", name="Newest").click()
    expect(talk.get_by_role("article").last).to_contain_text("number 149")
    tools.server.post(f"sessions/{talker.session}/events", **{"as": "raw"}, type="EVENT_TYPE_SYSTEM_MESSAGE", payload={"level": "SYSTEM_MESSAGE_LEVEL_INFO", "message": "Lunch is ready"})
    expect(talk.get_by_role("note").filter(has_text="Lunch is ready")).to_be_visible()


@check("I-006b", "times of the conversation have 24 hours in any language, and a note is as high as its text")
def times(tools):
    talker = Talker(tools.server, "mock:handoff-ok@pace=instant")
    talker.say("a person", wait="LIVE_AGENT_JOINED")
    page = inspector(tools, f"#/sessions/{talker.session}/conversation", locale="en-US")
    talk = page.get_by_role("log", name="Conversation")
    expect(talk.locator("time").first).to_have_text(re.compile(r"^\d\d:\d\d$"))
    pills = talk.locator(".pill:not(:has(details))")
    expect(pills.first).to_be_visible()
    assert all(pill.bounding_box()["height"] < 40 for pill in pills.all())


@check("I-007", "a row of the conversation leads to its frame in the wire")
def toFrame(tools):
    talker = Talker(tools.server, "mock:booking")
    answer = talker.say("a table please", wait="POLY_AGENT_MESSAGE")
    page = inspector(tools, f"#/sessions/{talker.session}/conversation")
    page.get_by_role("article").filter(has_text=answer["payload"]["text"]).locator(".bubble").click()
    expect(page.get_by_role("tab", name="Wire")).to_have_attribute("aria-selected", "true")
    chosen = page.get_by_role("table", name="Wire timeline").locator("[aria-current=true]")
    expect(chosen).to_contain_text("POLY_AGENT_MESSAGE")
    expect(chosen).to_contain_text(str(answer["sequence"]))


@check("I-018", "the search of everything finds a session and a word inside a frame, and opens it")
def search(tools):
    talker = Talker(tools.server, "mock:booking")
    talker.say("a zanzibar please", wait="POLY_AGENT_MESSAGE")
    page = inspector(tools)
    page.get_by_role("searchbox", name="Search everything").fill("zanzibar")
    results = page.get_by_role("region", name="Search results")
    found = results.get_by_role("link").filter(has_text="USER_MESSAGE").first
    expect(found).to_contain_text(talker.session[:4])
    found.click()
    expect(page.get_by_role("table", name="Wire timeline").locator("[aria-current=true]")).to_contain_text("zanzibar")


@check("I-079", "the state shows memory, stage and counts as they change, and no token")
def state(tools):
    talker = Talker(tools.server, "mock:booking")
    page = inspector(tools, f"#/sessions/{talker.session}/state")
    talker.say("a table please", wait="POLY_AGENT_MESSAGE")
    session = page.get_by_role("region", name="Session", exact=True)
    expect(session).to_contain_text("people")
    expect(session).to_contain_text("1 user message")
    talker.say("four", wait="POLY_AGENT_MESSAGE")
    expect(page.get_by_role("table", name="Memory")).to_contain_text("4")
    expect(session).to_contain_text("when")
    assert talker.access not in page.content()
    tools.shot("inspect-state")


@check("I-080", "two inspectors show the same rows and faults")
def two(tools):
    tools.own_server()
    talker = Talker(tools.server, "mock:hello")
    pages = [inspector(tools, f"#/sessions/{talker.session}/wire") for _ in range(2)]
    talker.say("hello", wait="POLY_AGENT_MESSAGE")
    pages[0].evaluate("fetch('/_mock/faults', {method: 'POST', headers: {'Content-Type': 'application/json'}, body: '{\"name\": \"lift\"}'})")
    for page in pages:
        expect(page.get_by_role("banner").get_by_role("link", name="fault")).to_be_visible()
        expect(page.get_by_role("table", name="Wire timeline").get_by_role("row").filter(has_text="POLY_AGENT_MESSAGE").last).to_be_visible()
    wanted = " ".join(str(each["n"]) for each in tools.server.wire(f"session:{talker.session}"))
    for page in pages:
        until(page, "wanted => [...document.querySelectorAll('.wire-table tbody th')].map(cell => cell.textContent).join(' ') === wanted", wanted)
