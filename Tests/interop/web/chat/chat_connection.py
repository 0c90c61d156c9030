"""Lost connections, endings, idle and language."""

import json

from playwright.sync_api import expect
from chat_page import Chat, calls, contains, count, holds, near
from rig import check


def connection(chat):
    return chat.status("Connection")


@check("C-086", "a drop says so, takes nothing away and comes back")
def drop(tools):
    chat = Chat(tools, "quiet", clock=True)
    chat.say("before")
    expect(chat.article("before")).to_have_attribute("data-delivery", "sent")
    chat.pause()
    chat.drop()
    chat.run(0.05)
    contains(connection(chat), "Reconnecting… attempt 1")
    expect(chat.textbox).to_be_enabled()
    tools.shot("reconnecting")
    chat.page.clock.resume()
    chat.phase("open")
    expect(connection(chat)).to_have_text("")
    count(chat.articles, 1)


@check("C-087", "offline is said above what the socket does")
def offline(tools):
    chat = Chat(tools, "quiet")
    tools.last.set_offline(True)
    contains(connection(chat), "You're offline")
    contains(connection(chat), "Reconnecting")
    lines = connection(chat).locator("span").all_inner_texts()
    holds(lines[0] == "You're offline", lines)
    tools.last.set_offline(False)
    chat.phase("open")


@check("C-088", "three messages written offline arrive in order, each once; so do those cut off before their echo")
def queue(tools):
    tools.expects.append("ERR_INTERNET_DISCONNECTED")
    chat = Chat(tools, "quiet")
    tools.last.set_offline(True)
    contains(connection(chat), "You're offline")
    for text in ("one", "two", "three"):
        chat.say(text)
    tools.last.set_offline(False)
    count(chat.page.locator("article[data-delivery=sent]"), 3)
    holds([each["payload"]["text"] for each in chat.heard("USER_MESSAGE", 3)] == ["one", "two", "three"], "order")
    chat.fault("user message 4", {"drop": "connection"})
    for text in ("four", "five"):
        chat.say(text)
    count(chat.page.locator("article[data-delivery=sent]"), 5)
    holds(chat.texts() == ["one", "two", "three", "four", "five"], chat.texts())
    texts = [each["payload"]["text"] for each in chat.sent("USER_MESSAGE")]
    holds(texts.count("four") == 1, texts)


@check("C-089", "with a budget of two there are two more handshakes, then the page says so")
def budget(tools):
    tools.own_server()
    chat = Chat(tools, "quiet", clock=True, reconnects=2)
    chat.say("keep me")
    expect(chat.article("keep me")).to_have_attribute("data-delivery", "sent")
    tools.server.post("faults", at="connect 1", do={"close": 1011}, times=100, tag=tools.tag)
    before = len(tools.server.wire('type:"GET /ws" dir:in'))
    chat.drop()
    chat.turn_until("document.querySelector('#chat').dataset.phase === 'failed'")
    expect(chat.page.get_by_role("region", name="Connection problem")).to_be_visible()
    after = len(tools.server.wire('type:"GET /ws" dir:in'))
    holds(after - before == 2, f"{after - before} handshakes")


@check("C-090", "\"Try again\" comes back to the same session with its transcript")
def again(tools):
    tools.own_server()
    chat = Chat(tools, "quiet", clock=True, reconnects=1)
    chat.say("keep me")
    expect(chat.article("keep me")).to_have_attribute("data-delivery", "sent")
    session = chat.session
    tools.server.post("faults", at="connect 1", do={"close": 1011}, times=100, tag=tools.tag)
    chat.drop()
    chat.turn_until("document.querySelector('#chat').dataset.phase === 'failed'")
    tools.server.delete("faults")
    chat.button("Try again").click()
    chat.phase("open")
    holds(chat.session == session, "another session")
    count(chat.article("keep me"), 1)


@check("C-091", "close 4001 or a refused upgrade brings a new session, and the page says so")
def renewed(tools):
    tools.expects += ["WebSocket connection", "401", "403", "404"]
    chat = Chat(tools, "quiet")
    first = chat.session
    chat.fault("any event", {"close": 4001})
    chat.push("POLY_AGENT_THINKING")
    expect(chat.note("A new conversation was started")).to_be_visible()
    chat.phase("open")
    second = chat.session
    holds(second != first, "the same session")
    tools.server.post("faults", at="handshake 1", do={"refuse": 403}, times=100, session=second)
    chat.drop()
    chat.until("id => !Object.values(sessionStorage).some(each => each.includes(id))", arg=second)
    chat.phase("open")
    holds(chat.session != second, "the same session after a refusal")
    expect(chat.note("A new conversation was started")).to_be_visible()


@check("C-092", "close 1000 is the end")
def closed(tools):
    chat = Chat(tools, "quiet", clock=True)
    before = len(tools.server.wire('type:"GET /ws" dir:in'))
    chat.fault("any event", {"close": 1000})
    chat.push("POLY_AGENT_THINKING")
    expect(chat.page.get_by_role("region", name="Conversation ended")).to_be_visible()
    chat.run(40)
    holds(len(tools.server.wire('type:"GET /ws" dir:in')) == before, "it came back")


@check("C-093", "the pauses between attempts double", edge=True)
def backoff(tools):
    tools.own_server()
    # From the end of one socket to the next: what a handshake takes does not count.
    chat = Chat(tools, "quiet", clock=True, reconnects=5, before=lambda page: page.add_init_script("""window.pauses = []; let lost = 0;
        const Real = WebSocket; window.WebSocket = class extends Real { constructor(...all) { super(...all); if (lost) pauses.push((Date.now() - lost) / 1000);
            this.addEventListener('close', () => lost = Date.now()); } };"""))
    tools.server.post("faults", at="connect 1", do={"close": 1011}, times=100, tag=tools.tag)
    chat.pause()
    chat.drop()
    chat.turn_until("pauses.length >= 3")
    pauses = chat.page.evaluate("pauses")
    for pause, wanted in zip(pauses, (1, 2, 4)):
        holds(wanted * 0.8 - 0.11 <= pause <= wanted * 1.2 + 0.11, f"pauses {pauses}")


@check("C-094", "429 waits as long as it says", edge=True)
def busy(tools):
    tools.expects.append("429")
    tools.own_server()
    tools.server.post("faults", at="session", do={"refuse": 429, "retryAfter": "5s"})
    chat = Chat(tools, "quiet", clock=True, wait="failed")
    contains(chat.page.get_by_role("region", name="Connection problem"), "busy")
    chat.pause()
    chat.run(4)
    holds(len([row for row in calls(tools.server, "/sessions")]) == 1 and not tools.server.wire('type:"GET /ws"'), "too early")
    chat.page.clock.resume()
    chat.run(2)
    chat.phase("open")


@check("C-095", "gaps, doubles and swapped frames come out in order", edge=True)
def order(tools):
    chat = Chat(tools, "quiet")
    def frame(n, text):
        return {"id": f"x{n}", "sequence": n, "timestamp": "2026-01-15T09:30:00.000Z", "type": "EVENT_TYPE_POLY_AGENT_MESSAGE",
                "payload": {"message_id": f"m{n}", "text": text, "attachments": [], "response_suggestions": []}}
    for n, text in [(100, "one"), (103, "three"), (102, "two"), (103, "three"), (110, "four")]:
        chat.frame(frame(n, text))
    contains(chat.articles.last, "four")
    holds(chat.texts() == ["one", "two", "three", "four"], chat.texts())


@check("C-096", "a frame that is no frame is counted, and the talk goes on")
def malformed(tools):
    chat = Chat(tools, "quiet", debug=1)
    chat.frame("{ this is no frame")
    contains(chat.page.locator("[data-part=diagnostics]"), "errors 1")
    chat.agent_says("Still here")
    contains(chat.articles.last, "Still here")
    tools.shot("debug")


@check("C-097", "ending asks first, and \"Cancel\" sends nothing")
def cancelled(tools):
    chat = Chat(tools)
    chat.menu("End conversation")
    dialog = chat.page.get_by_role("alertdialog", name="End conversation?")
    expect(dialog).to_be_visible()
    tools.shot("confirm")
    dialog.get_by_role("button", name="Cancel").click()
    expect(dialog).to_have_count(0)
    chat.phase("open")
    holds(not chat.sent("USER_END_SESSION"), "it was ended")


@check("C-098", "confirmed, it ends once and quietly")
def confirmed(tools):
    chat = Chat(tools)
    chat.say("bye")
    chat.menu("End conversation")
    chat.page.get_by_role("alertdialog").get_by_role("button", name="End conversation").click()
    expect(chat.page.get_by_role("region", name="Conversation ended")).to_be_visible()
    count(chat.textbox, 0)
    count(chat.log.get_by_role("note"), 0)
    holds(len(chat.sent("USER_END_SESSION")) == 1, "not once")
    holds(chat.focused() != "BODY", "the focus is on the page")
    tools.shot("ended")


@check("C-099", "the agent's end is told in the log")
def natural(tools):
    chat = Chat(tools)
    contains(chat.articles.first, "Hello")
    tools.server.post(f"sessions/{chat.session}/end", reason="natural")
    expect(chat.note("ended the conversation")).to_be_visible()
    expect(chat.page.get_by_role("region", name="Conversation ended")).to_be_visible()


@check("C-100", "\"Start new conversation\" begins with nothing and a focused textbox")
def start_new(tools):
    chat = Chat(tools, "quiet")
    chat.say("old")
    first = chat.session
    tools.server.post(f"sessions/{first}/end", reason="natural")
    chat.button("Start new conversation").click()
    chat.phase("open")
    count(chat.articles, 0)
    count(chat.log.get_by_role("note"), 0)
    holds(chat.session != first, "the same session")
    expect(chat.textbox).to_be_focused()


@check("C-103", "the transcript as a file has each message with speaker and time")
def transcript(tools):
    chat = Chat(tools)
    chat.say("for the record")
    contains(chat.articles.last, "You said: for the record")
    with chat.page.expect_download() as waiting:
        chat.menu("Download transcript")
    text = open(waiting.value.path(), encoding="utf-8").read()
    for line in ("Ada: Hello from Ada", "You: for the record", "Ada: You said: for the record"):
        holds(line in text, text)
    holds(text.count("[") == 3, text)


@check("C-104", "an idle warning counts down, and \"Stay\" sends a heartbeat")
def idle(tools):
    chat = Chat(tools, "quiet", clock=True)
    chat.push("SESSION_IDLE_WARNING")
    note = chat.note("This chat closes in")
    contains(note, "30 s")
    tools.shot("idle")
    chat.run(3)
    holds("27 s" in note.inner_text() or "26 s" in note.inner_text(), note.inner_text())
    chat.button("Stay in the chat").click()
    chat.heard("HEARTBEAT")
    count(note, 0)


@check("C-105", "another language turns the page around")
def language(tools):
    chat = Chat(tools, "quiet")
    chat.push("LANGUAGE_CHANGED", {"language_code": "ar"})
    expect(chat.page.locator("html")).to_have_attribute("dir", "rtl")
    expect(chat.page.locator("html")).to_have_attribute("lang", "ar")
    count(chat.page.get_by_role("textbox", name="الرسالة"), 1)
