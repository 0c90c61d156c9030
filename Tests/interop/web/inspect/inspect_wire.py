import json
import os
import re

from desk import clipboard, copied, detail, inspector, lines, row, until, upload, wire_of
from playwright.sync_api import expect
from rig import check
from talker import Talker


@check("I-008", "the rows of a first exchange, in their order")
def order(tools):
    talker = Talker(tools.server, "mock:hello")
    talker.wait("POLY_AGENT_MESSAGE")
    page, table = wire_of(tools, talker.session)
    expect(row(table, "POLY_AGENT_MESSAGE")).to_be_visible()
    types = [(each["direction"], each["type"].split(" 200")[0]) for each in lines(table)]
    wanted = ["↑received POST /api/v1/sessions", "↓sent POST /api/v1/sessions", "↑received GET /ws", "↓sent EVENT_BATCH", "↑received REQUEST_POLY_AGENT_JOIN",
              "↓sent REQUEST_POLY_AGENT_JOIN", "↓sent POLY_AGENT_JOINED", "↓sent POLY_AGENT_THINKING", "↓sent POLY_AGENT_MESSAGE"]
    assert [" ".join(each) for each in types] == wanted, types


@check("I-009", "each row says its direction in words, and its sequence as in its envelope")
def directions(tools):
    talker = Talker(tools.server, "mock:booking")
    talker.say("a table please", wait="POLY_AGENT_MESSAGE")
    page, table = wire_of(tools, talker.session)
    expect(row(table, "For how many people?")).to_be_visible()
    rows = {each["n"]: each for each in tools.server.wire(f"session:{talker.session}")}
    for line in lines(table):
        told = rows[int(line["n"])]
        assert line["direction"][1:] == {"in": "received", "out": "sent", "int": "inside"}[told["dir"]], line
        envelope = json.loads(told["raw"]) if told["kind"] == "ws" else {}
        assert line["seq"] == str(envelope.get("sequence") or ""), line


@check("I-010", "the tab Raw has the bytes that the client got")
def raw(tools):
    talker = Talker(tools.server, "mock:booking")
    talker.wait("POLY_AGENT_MESSAGE")
    answer = talker.say("a table please", wait="POLY_AGENT_MESSAGE")
    page, table = wire_of(tools, talker.session)
    row(table, "For how many people?").click()
    detail(page).get_by_role("tab", name="Raw").click()
    expect(detail(page).get_by_label("Raw text")).to_have_text(answer["bytes"])


@check("I-011", "Pretty folds, and copies a path that finds the value")
def pretty(tools):
    talker = Talker(tools.server, "mock:booking")
    talker.say("a table please", wait="POLY_AGENT_MESSAGE")
    page, table = wire_of(tools, talker.session, **clipboard())
    row(table, "For how many people?").click()
    panel = detail(page)
    panel.get_by_role("button", name="Copy path $.payload.text").click()
    expect(page.get_by_role("status", name="Notices")).to_contain_text("Path copied")
    path = copied(page)
    assert path == "$.payload.text"
    assert tools.server.wire(f'session:{talker.session} {path}="With pleasure. For how many people?"')
    panel.get_by_role("button", name="Fold $.payload", exact=True).click()
    expect(panel.get_by_role("button", name="Copy path $.payload.text")).to_be_hidden()


@check("I-012", "the latency of a delayed echo is shown")
def latency(tools):
    talker = Talker(tools.server, "mock:hello")
    tools.server.post("faults", at="user message 1", do={"delay": "300ms"}, session=talker.session)
    talker.say("hello", wait="USER_MESSAGE")
    page, table = wire_of(tools, talker.session)
    echo = [each for each in lines(table) if each["type"] == "USER_MESSAGE" and each["direction"].endswith("sent")]
    assert 300 <= float(echo[0]["latency"].split()[0]) < 450, echo


@check("I-013", "heartbeats are hidden and counted, until their switch shows them")
def heartbeats(tools):
    talker = Talker(tools.server, "mock:quiet")
    for _ in range(3):
        talker.send("HEARTBEAT")
        talker.wait("HEARTBEAT")
    page, table = wire_of(tools, talker.session)
    expect(row(table, "REQUEST_POLY_AGENT_JOIN").first).to_be_visible()
    expect(row(table, "HEARTBEAT")).to_have_count(0)
    expect(page.get_by_role("status", name="Rows")).to_contain_text("6 heartbeats")
    page.get_by_role("switch", name="Heartbeats").check()
    expect(row(table, "HEARTBEAT")).to_have_count(6)


@check("I-014", "a filter chooses rows, stands in the address, and outlives a reload")
def filters(tools):
    talker = Talker(tools.server, "mock:booking")
    talker.say("a table please", wait="POLY_AGENT_MESSAGE")
    page, table = wire_of(tools, talker.session)
    page.get_by_role("searchbox", name="Filter wire").fill("type:USER_MESSAGE dir:in")
    expect(table).to_have_attribute("aria-rowcount", "1")
    until(page, "location.hash.includes('filter=')")
    page.reload()
    expect(page.get_by_role("searchbox", name="Filter wire")).to_have_value("type:USER_MESSAGE dir:in")
    expect(table).to_have_attribute("aria-rowcount", "1")
    talker.say("four")
    expect(table).to_have_attribute("aria-rowcount", "2")


@check("I-015", "a wrong filter says why in the server's words and keeps the rows")
def wrong(tools):
    tools.expects.append("400")
    talker = Talker(tools.server, "mock:booking")
    page, table = wire_of(tools, talker.session)
    box = page.get_by_role("searchbox", name="Filter wire")
    box.fill("dir:in")
    expect(page.get_by_text("sent", exact=True)).to_have_count(0)
    before = table.get_attribute("aria-rowcount")
    box.fill("/[/")
    expect(page.get_by_text("the regular expression opens a class and never closes it")).to_be_visible()
    expect(box).to_have_attribute("aria-invalid", "true")
    assert table.get_attribute("aria-rowcount") == before
    box.fill("dri:in")
    expect(page.get_by_text('there is no field "dri"')).to_be_visible()
    box.fill('"order 42')
    expect(page.get_by_text("filter, character 1:")).to_be_visible()
    assert table.get_attribute("aria-rowcount") == before


@check("I-016", "a path of the JSON chooses exactly the frames with that value")
def paths(tools):
    talker = Talker(tools.server, "mock:booking")
    talker.say("hi", wait="POLY_AGENT_MESSAGE")
    talker.say("hi there", wait="POLY_AGENT_MESSAGE")
    page, table = wire_of(tools, talker.session)
    page.get_by_role("searchbox", name="Filter wire").fill("$.payload.text=hi")
    expect(table).to_have_attribute("aria-rowcount", "2")
    assert {each["type"] for each in lines(table)} == {"USER_MESSAGE"}


@check("I-017", "a filter by latency takes the slow rows alone")
def slow(tools):
    talker = Talker(tools.server, "mock:booking")
    talker.say("a table please", wait="POLY_AGENT_MESSAGE")
    page, table = wire_of(tools, talker.session)
    page.get_by_role("searchbox", name="Filter wire").fill("lat:>200ms")
    # The reply may still have rows to come: page and server agree once it is whole.
    for _ in range(50):
        wanted = len(tools.server.wire(f"lat:>200ms session:{talker.session}"))
        if wanted and table.get_attribute("aria-rowcount") == str(wanted):
            break
        page.wait_for_timeout(100)
    expect(table).to_have_attribute("aria-rowcount", str(wanted))
    assert wanted and all(float(each["latency"].split()[0]) > 0.2 for each in lines(table))


@check("I-019", "who reads above stays there while rows arrive, and is told how many")
def follow(tools):
    talker = Talker(tools.server, "mock:hello")
    for number in range(30):
        talker.say(f"hello {number}", wait="POLY_AGENT_MESSAGE")
    page, table = wire_of(tools, talker.session)
    until(page, "document.querySelector('.scroller')?.scrollTop > 300")
    page.evaluate("document.querySelector('.scroller').scrollTop = 280")
    top = "(() => { const box = document.querySelector('.scroller').getBoundingClientRect(); return document.elementFromPoint(box.x + 20, box.y + 50).textContent })()"
    page.wait_for_timeout(100)
    before = page.evaluate(top)
    talker.say("hello again", wait="POLY_AGENT_MESSAGE")
    more = page.get_by_role("button", name="new row")
    expect(more).to_be_visible()
    assert page.evaluate(top) == before
    more.click()
    expect(row(table, "hello again").first).to_be_in_viewport()
    expect(more).to_be_hidden()


@check("I-020", "a pause stops the page, not the record")
def pause(tools):
    talker = Talker(tools.server, "mock:hello")
    talker.wait("POLY_AGENT_MESSAGE")
    page, table = wire_of(tools, talker.session)
    expect(row(table, "POLY_AGENT_MESSAGE")).to_be_visible()
    before = table.get_attribute("aria-rowcount")
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("status", name="Feed")).to_have_text("Paused")
    talker.say("hello", wait="POLY_AGENT_MESSAGE")
    expect(page.get_by_role("status", name="Rows")).to_contain_text("waiting")
    assert table.get_attribute("aria-rowcount") == before
    page.get_by_role("button", name="Resume").click()
    wanted = len(tools.server.wire(f"session:{talker.session}"))
    expect(table).to_have_attribute("aria-rowcount", str(wanted))


@check("I-021", "rows that were cleared come back with Undo")
def clear(tools):
    talker = Talker(tools.server, "mock:hello")
    talker.wait("POLY_AGENT_MESSAGE")
    page, table = wire_of(tools, talker.session)
    expect(row(table, "POLY_AGENT_MESSAGE")).to_be_visible()
    before = table.get_attribute("aria-rowcount")
    page.get_by_role("button", name="Clear", exact=True).click()
    expect(table).to_have_attribute("aria-rowcount", "0")
    page.get_by_role("status", name="Notices").get_by_role("button", name="Undo").click()
    expect(table).to_have_attribute("aria-rowcount", before)


@check("I-022", "the chunks of a message are one line, and all of them again")
def chunks(tools):
    talker = Talker(tools.server, "mock:booking", streaming=True)
    talker.say("a table please")
    tools.server.wait(f"session:{talker.session} $.payload.is_complete=true", count=2)
    page, table = wire_of(tools, talker.session)
    expect(row(table, "MESSAGE_CHUNK").first).to_be_visible()
    every = row(table, "MESSAGE_CHUNK").count()
    page.get_by_role("switch", name="Join chunks").check()
    expect(row(table, "MESSAGE_CHUNK")).to_have_count(0)
    joined = page.get_by_role("button", name="Message (2 chunks)")
    joined.click()
    expect(row(table, "MESSAGE_CHUNK")).to_have_count(2)
    page.get_by_role("switch", name="Join chunks").uncheck()
    expect(row(table, "MESSAGE_CHUNK")).to_have_count(every)


@check("I-023", "two selected rows are compared with marks that are text")
def compare(tools):
    talker = Talker(tools.server, "mock:booking")
    talker.say("a table please", wait="POLY_AGENT_MESSAGE")
    page, table = wire_of(tools, talker.session)
    both = row(table, "a table please")
    both.nth(0).click()
    both.nth(1).click(modifiers=["Control"])
    expect(detail(page).get_by_role("tab", name="Diff")).to_have_attribute("aria-selected", "true")
    text = detail(page).locator(".diff").inner_text()
    assert any(line.startswith("+ ") and "message_id" in line for line in text.splitlines()), text


@check("I-024", "a server that holds few rows says how many it let go")
def dropped(tools):
    config = os.path.join(tools.rig.shots, "rows.json5")
    with open(config, "w") as file:
        file.write("{ limits: { rows: 100 } }")
    tools.own_server("--config", config)
    os.remove(config)
    talker = Talker(tools.server, "mock:hello")
    while tools.server.get("wire", last=0)["last"] < 150:
        talker.say("hello", wait="POLY_AGENT_MESSAGE")
    page, table = wire_of(tools, talker.session)
    note = page.get_by_role("status", name="Rows")
    expect(note).to_contain_text("older rows dropped by the server")
    told = int(re.search(r"(\d+) older rows", note.inner_text())[1])
    assert 50 <= told <= tools.server.get("wire", last=0)["dropped"], told


@check("I-025", "a feed that was lost goes on where it was")
def lost(tools):
    tools.expects.append("WebSocket")
    context = tools.context(viewport={"width": 1360, "height": 840})
    sockets = []

    def through(socket):
        sockets.append(socket)
        socket.connect_to_server()

    context.route_web_socket(lambda url: "/_mock/feed" in url, through)
    talker = Talker(tools.server, "mock:hello")
    talker.wait("POLY_AGENT_MESSAGE")
    page = tools.page(f"/inspect#/sessions/{talker.session}/wire", context=context)
    state = page.get_by_role("status", name="Feed")
    expect(state).to_have_text("Live", timeout=20_000)
    sockets[-1].close()
    expect(state).to_have_text("Disconnected")
    talker.say("hello", wait="POLY_AGENT_MESSAGE")
    expect(state).to_have_text("Live")
    table = page.get_by_role("table", name="Wire timeline")
    wanted = [str(each["n"]) for each in tools.server.wire(f"session:{talker.session}")]
    expect(table).to_have_attribute("aria-rowcount", str(len(wanted)))
    assert [each["n"] for each in lines(table)] == wanted


@check("I-061", "the session call as curl, run with the token call before it, makes a session; no token of a row is in it")
def curl(tools):
    import subprocess

    talker = Talker(tools.server, f"mock:hello@tag={tools.tag}")
    page, table = wire_of(tools, talker.session, **clipboard())
    row(table, "POST /api/v1/sessions").first.click()
    detail(page).get_by_role("button", name="Copy as").click()
    page.get_by_role("menuitem", name="Copy as curl").click()
    expect(page.get_by_role("status", name="Notices")).to_contain_text("Command copied")
    command = copied(page)
    assert talker.access not in command and "***" not in command
    done = subprocess.run(["bash", "-c", command.replace(tools.server.base, tools.server.base)], capture_output=True, text=True, timeout=30)
    assert '"session_id"' in done.stdout, done
    assert len(tools.server.sessions(tools.tag)) == 2


@check("I-022a", "on wish a column shows when a reply began and how long it streamed")
def timeline(tools):
    talker = Talker(tools.server, "mock:stream-slow", streaming=True)
    talker.say("go", wait="USER_MESSAGE")
    tools.server.wait(f"session:{talker.session} type:POLY_AGENT_MESSAGE_CHUNK dir:out rule:*", count=3)
    page, table = wire_of(tools, talker.session)
    heading = table.get_by_role("columnheader", name="Timeline")
    expect(heading).to_be_hidden()
    page.get_by_role("switch", name="Timeline").check()
    expect(heading).to_be_visible()
    expect(row(table, "MESSAGE_CHUNK").last).to_contain_text(re.compile(r"after .*, for "))
    page.get_by_role("switch", name="Timeline").uncheck()
    expect(heading).to_be_hidden()


@check("I-025a", "what changes while the page loads is shown")
def meanwhile(tools):
    tools.own_server()
    page = tools.page(go=False, viewport={"width": 1360, "height": 840})
    held = []
    page.route("**/_mock/wire*", lambda route: held.append(route))
    page.goto(tools.server.base + "/inspect#/clock", wait_until="commit")
    while not held:
        page.wait_for_timeout(20)
    tools.server.post("clock", mode="frozen")
    tools.server.post("faults", name="lift")
    for route in held:
        route.continue_()
    page.unroute_all()
    bar = page.get_by_role("banner")
    expect(bar.get_by_role("link", name="clock frozen")).to_be_visible()
    expect(bar.locator("a[href='#/faults']")).to_be_visible()


@check("I-069", "markup and control characters are shown as text")
def hostile(tools):
    talker = Talker(tools.server, "mock:hello")
    talker.say("<img src=x onerror=alert(1)> \u202e\u0007evil", wait="USER_MESSAGE")
    page, table = wire_of(tools, talker.session)
    row(table, "onerror").first.click()
    expect(detail(page)).to_contain_text("<img src=x onerror=alert(1)>")
    expect(detail(page)).to_contain_text("U+202E")
    # Nothing turns a row of the table round, nor what the search finds.
    expect(row(table, "onerror").first).to_contain_text("U+202E")
    page.get_by_role("searchbox", name="Search everything").fill("onerror")
    expect(page.get_by_role("region", name="Search results")).to_contain_text("U+202E")
    assert "\u202e" not in page.locator("body").inner_text()
    assert page.locator("main img").count() == 0
    inspector_talk = inspector(tools, f"#/sessions/{talker.session}/conversation")
    expect(inspector_talk.get_by_role("article").filter(has_text="onerror")).to_be_visible()
    assert inspector_talk.locator("article .bubble img").count() == 0


@check("I-070", "a frame of 1 MB shows its first 64 KB, then all of it", edge=True)
def large(tools):
    tools.own_server()
    frame = json.dumps({"type": "EVENT_TYPE_BIG", "payload": {"text": "x" * 1_048_576}})
    line = {"n": 1, "t": "2026-01-15T09:30:00.000Z", "mt": "2026-01-15T09:30:00.000Z", "dir": "out", "kind": "ws", "socket": 1, "type": "BIG", "size": len(frame), "raw": frame}
    session = upload(tools, json.dumps(line) + "\n")["session"]
    page, table = wire_of(tools, session)
    row(table, "1.0 MB").click()
    expect(detail(page)).to_contain_text("First 64 KB of 1.0 MB")
    assert len(detail(page).get_by_label("Raw text").text_content()) == 65536
    detail(page).get_by_role("button", name="Show all").click()
    until(page, "length => document.querySelector('[aria-label=\"Raw text\"]').textContent.length === length", len(frame))
    page.get_by_role("tab", name="Cause").click()
    expect(detail(page).get_by_text("Why it is there")).to_be_visible()


@check("I-081", "each frame of a booking leads to its cause, and the rule to the line that answered")
def causes(tools):
    talker = Talker(tools.server, "mock:booking")
    talker.wait("POLY_AGENT_MESSAGE")
    for text in ("a table please", "four", "Friday at 7.30pm", "yes"):
        talker.say(text, wait="POLY_AGENT_MESSAGE")
    talker.wait("SESSION_END")
    page, table = wire_of(tools, talker.session)
    expect(row(table, "SESSION_END")).to_be_visible()
    page.keyboard.press("Home")
    bare = []
    for line in lines(table):
        if line["direction"].endswith("received"):
            continue
        row(table, line["n"]).filter(has=page.get_by_role("rowheader", name=line["n"], exact=True)).click()
        cause = detail(page).get_by_role("list", name="Cause")
        expect(cause.get_by_role("listitem").first).to_be_visible()
        if "by itself" in cause.inner_text():
            bare.append(line)
    assert not bare, bare
    row(table, "For how many people?").click()
    link = detail(page).get_by_role("list", name="Cause").get_by_role("link", name="booking.json5:")
    expect(link).to_be_visible()
    detail(page).get_by_role("list", name="Cause").get_by_role("button", name="USER_MESSAGE").click()
    expect(table.locator("[aria-current=true]")).to_contain_text("a table please")
    detail(page).get_by_role("tab", name="Cause").click()
    expect(detail(page).get_by_role("list").last).to_contain_text("POLY_AGENT_MESSAGE")


@check("I-082", "a violation of a protocol rule stands at the frame, with a link to the rule")
def violation(tools):
    talker = Talker(tools.server, "mock:booking")
    talker.send("NONSENSE")
    talker.wait("SYSTEM_MESSAGE")
    page, table = wire_of(tools, talker.session)
    guilty = row(table, "NONSENSE").filter(has_text="1 violation")
    guilty.click()
    detail(page).get_by_role("link", name="known-types").first.click()
    expect(page.get_by_role("heading", name="Protocol rules")).to_be_visible()
    expect(page.get_by_role("table", name="Violations of known-types")).to_contain_text(talker.session[:4])
