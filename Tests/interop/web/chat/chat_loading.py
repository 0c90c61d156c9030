"""Loading, sessions, resume and tabs."""

import re

from playwright.sync_api import expect
from chat_page import Chat, calls, contains, count, holds
from rig import check


@check("C-001", "one main, one banner, one heading level 1, a title and a language")
def landmarks(tools):
    chat = Chat(tools)
    holds(chat.answer.status == 200, f"status {chat.answer.status}")
    for role in ("main", "banner"):
        count(chat.page.get_by_role(role), 1)
    count(chat.page.get_by_role("heading", level=1), 1)
    holds(chat.page.title(), "no title")
    holds(chat.page.evaluate("document.documentElement.lang"), "no lang")


@check("C-002", "a held handshake shows the skeleton, and the textbox can be used; C-003 follows")
def skeleton(tools):
    tools.own_server()
    fault = tools.server.post("faults", at="handshake 1", do={"stall": "forever"})
    chat = Chat(tools, wait=None)
    part = chat.page.locator("[data-part=skeleton]")
    expect(part).to_be_visible()
    expect(part).to_have_attribute("aria-hidden", "true")
    expect(chat.textbox).to_be_enabled()
    chat.phase("connecting")
    tools.shot("loading")
    tools.server.delete("faults")
    chat.phase("open")


@check("C-003", "released, the skeleton goes and the greeting comes")
def released(tools):
    tools.own_server()
    tools.server.post("faults", at="handshake 1", do={"stall": "forever"})
    chat = Chat(tools, wait=None)
    expect(chat.page.locator("[data-part=skeleton]")).to_be_visible()
    tools.server.delete("faults")
    contains(chat.articles.first, "Hello from Ada")
    expect(chat.page.locator("[data-part=skeleton]")).to_be_hidden()
    chat.phase("open")


@check("C-004", "a fast connection never says that it connects")
def quietly(tools):
    tools.context().add_init_script("""window.said = []; document.addEventListener('DOMContentLoaded', () =>
        new MutationObserver(() => { const e = document.querySelector('[aria-label=Connection]'); if (e?.textContent) said.push(e.textContent); })
            .observe(document.body, { subtree: true, childList: true, characterData: true }))""")
    chat = Chat(tools, context=tools.last)
    contains(chat.articles.first, "Hello from Ada")
    holds(chat.page.evaluate("said") == [], f"said {chat.page.evaluate('said')}")


@check("C-005", "one token, one session, one socket, one join, in that order")
def order(tools):
    server = tools.own_server()
    chat = Chat(tools)
    chat.heard("REQUEST_POLY_AGENT_JOIN")
    rows = [row["type"] for row in server.wire("dir:in") if row["kind"] == "rest" or "JOIN" in row["type"]]
    wanted = ["POST /api/v1/access-token", "POST /api/v1/sessions", "GET /ws", "REQUEST_POLY_AGENT_JOIN"]
    holds(rows == wanted, rows)


@check("C-006", "a reload keeps session and articles, and joins no second time")
def reload(tools):
    chat = Chat(tools)
    chat.say("a")
    contains(chat.articles.last, "You said: a")
    session, before = chat.session, chat.articles.count()
    chat.reload()
    contains(chat.articles.last, "You said: a")
    count(chat.articles, before)
    holds(tools.server.sessions(tools.tag) == [session], "another session")
    count_joins = len(chat.sent("REQUEST_POLY_AGENT_JOIN"))
    holds(count_joins == 1, f"{count_joins} joins")
    ids = chat.page.eval_on_selector_all("[id]", "all => all.map(e => e.id)")
    holds(len(ids) == len(set(ids)), f"doubled ids in {ids}")


@check("C-007", "start=ask offers both ways and opens no socket yet")
def ask(tools):
    chat = Chat(tools)
    chat.say("keep this")
    contains(chat.articles.last, "keep this")
    before = len(tools.server.wire("type:\"GET /ws\""))
    chat.page.goto(chat.address + "&start=ask")
    expect(chat.button("Resume chat")).to_be_visible()
    expect(chat.button("Start new chat")).to_be_visible()
    tools.shot("ask")
    holds(len(tools.server.wire("type:\"GET /ws\"")) == before, "a socket was opened")


@check("C-008", "\"Start new chat\" begins another session with an empty log")
def start_new(tools):
    chat = Chat(tools)
    chat.say("old words")
    contains(chat.articles.last, "old words")
    old = chat.session
    chat.page.goto(chat.address + "&start=ask")
    chat.button("Start new chat").click()
    chat.phase("open")
    contains(chat.articles.first, "Hello from Ada")
    holds(chat.session != old, "the same session")
    count(chat.article("old words"), 0)


@check("C-009", "a refused token shows what is wrong, once")
def refused(tools):
    tools.expects.append("401")
    tools.own_server()
    tools.server.post("faults", at="token", do={"refuse": 401}, times=100)
    chat = Chat(tools, wait="failed")
    expect(chat.page.get_by_role("region", name="Connection problem")).to_be_visible()
    expect(chat.page.get_by_role("heading", name="Can't connect", level=2)).to_be_visible()
    expect(chat.button("Try again")).to_be_visible()
    count(chat.textbox, 0)
    tools.shot("failed")
    holds(len(calls(tools.server, "access-token")) == 1, "more than one token call")


@check("C-010", "\"Try again\" connects when the token is accepted")
def fixed(tools):
    tools.expects.append("401")
    tools.own_server()
    tools.server.post("faults", at="token", do={"refuse": 401}, times=100)
    chat = Chat(tools, wait="failed")
    tools.server.delete("faults")
    chat.button("Try again").click()
    chat.phase("open")
    contains(chat.articles.first, "Hello from Ada")
    expect(chat.textbox).to_be_focused()


@check("C-011", "an empty talk says how to begin")
def empty(tools):
    chat = Chat(tools, "quiet", config={"starters": ["What can you do?"]})
    expect(chat.page.get_by_text("Say hello to start")).to_be_visible()
    count(chat.articles, 0)
    tools.shot("empty")


@check("C-012", "an expired session is dropped, and the page says so")
def expired(tools):
    chat = Chat(tools, clock=True)
    chat.say("before")
    contains(chat.articles.last, "before")
    old = chat.session
    chat.page.goto("about:blank")
    tools.server.delete(f"sessions/{old}")
    chat.page.clock.fast_forward("02:00:00")
    chat.page.goto(chat.address)
    chat.phase("open")
    holds(chat.session != old, "the same session")
    contains(chat.log.get_by_role("note").first, "expired")


@check("C-013", "two tabs share a session and its token; local storage has no token")
def tabs(tools):
    tools.own_server()
    first = Chat(tools, persist="browser")
    contains(first.articles.first, "Hello from Ada")
    second = Chat(tools, persist="browser", page=tools.last.new_page())
    contains(second.articles.first, "Hello from Ada")
    second.say("x")
    count(first.article(re.compile("^.*You said: x")), 1)
    own = first.page.locator("article[data-kind=user]")
    count(own, 1)
    holds(len(tools.server.sessions(tools.tag)) == 1 and len(calls(tools.server, "access-token")) == 1, "not shared")
    kept = first.page.evaluate("JSON.stringify({...localStorage})")
    holds("eyJ" not in kept and "token" not in kept, kept)


@check("C-014", "close 4000 offers to use the chat here")
def replaced(tools):
    chat = Chat(tools)
    contains(chat.articles.first, "Hello from Ada")
    chat.fault("any event", {"close": 4000})
    chat.push("POLY_AGENT_THINKING")
    expect(chat.page.get_by_text("This chat is open in another window")).to_be_visible()
    chat.button("Use here").click()
    chat.phase("open")
    contains(chat.articles.first, "Hello from Ada")
