"""Sending, delivery and the composer."""

import json

from playwright.sync_api import expect
from chat_page import Chat, contains, count, holds, names, near
from rig import check


def box(chat, text):
    return chat.article(text).locator(".bubble").bounding_box()


@check("C-015", "a message is there at once, pending")
def at_once(tools):
    chat = Chat(tools, "quiet")
    chat.fault("user message 1", {"delay": "3s"})
    chat.textbox.fill("hi")
    began = chat.page.evaluate("performance.now()")
    chat.send.click()
    article = chat.article("hi")
    expect(article).to_have_attribute("aria-label", names("^You, "))
    expect(article).to_have_attribute("data-delivery", "pending")
    # A generous bound: the machine may be busy.
    holds(chat.page.evaluate("performance.now()") - began < 1500, "late")


@check("C-016", "\"Sending…\" comes after half a second, and C-017 not a pixel moves with the echo")
def label(tools):
    chat = Chat(tools, "quiet", clock=True)
    chat.fault("user message 1", {"stall": "forever"})
    chat.pause()
    chat.textbox.fill("hi")
    chat.textbox.press("Enter")
    chat.run(0.3)
    holds("Sending…" not in chat.article("hi").inner_text(), "too early")
    chat.run(0.4)
    contains(chat.article("hi"), "Sending…")


@check("C-017", "the echo marks it sent, and the bubble stays where it is")
def echo(tools):
    chat = Chat(tools, "quiet")
    chat.fault("user message 1", {"stall": "forever"})
    chat.say("hi")
    article = chat.article("hi")
    contains(article, "Sending…")
    before = box(chat, "hi")
    tools.shot("sending")
    tools.server.delete("faults")
    expect(article).to_have_attribute("data-delivery", "sent")
    holds("Sending…" not in article.inner_text(), "still sending")
    after = box(chat, "hi")
    for side in ("x", "y", "width", "height"):
        near(after[side], before[side], 1, side)


def lost(tools, text="lost"):
    chat = Chat(tools, "quiet", clock=True)
    chat.fault("user message 1", {"lose": "event"})
    chat.say(text)
    chat.heard("USER_MESSAGE")
    chat.run(12.2)
    return chat, chat.article(text)


@check("C-018", "twelve seconds without an echo: not sent, one copy on the wire")
def failed(tools):
    chat, article = lost(tools)
    expect(article).to_have_attribute("data-delivery", "failed")
    contains(article, "Not sent")
    expect(chat.button("Retry sending")).to_be_visible()
    expect(chat.button("Delete unsent message")).to_be_visible()
    tools.shot("unsent")
    holds(len(chat.sent("USER_MESSAGE")) == 1, "more than one copy")


@check("C-019", "a retry is one message, the last one, under a new local id")
def retry(tools):
    chat, article = lost(tools)
    tools.server.delete("faults")
    chat.button("Retry sending").click()
    expect(article).to_have_attribute("data-delivery", "sent")
    count(article, 1)
    sent = chat.sent("USER_MESSAGE")
    ids = [each["metadata"]["custom"]["local_id"] for each in sent]
    holds(len(sent) == 2 and len(set(ids)) == 2, ids)


@check("C-020", "an unsent message can be deleted, and nothing is sent")
def deleted(tools):
    chat, article = lost(tools)
    chat.button("Delete unsent message").click()
    count(article, 0)
    holds(len(chat.sent("USER_MESSAGE")) == 1, "something was sent")


@check("C-021", "an echo after the failure still makes it sent")
def late(tools):
    chat = Chat(tools, "quiet", clock=True)
    chat.fault("user message 1", {"stall": "forever"})
    chat.say("late")
    chat.heard("USER_MESSAGE")
    chat.run(12.2)
    expect(chat.article("late")).to_have_attribute("data-delivery", "failed")
    tools.server.delete("faults")
    expect(chat.article("late")).to_have_attribute("data-delivery", "sent")
    count(chat.article("late"), 1)
    count(chat.button("Retry sending"), 0)


@check("C-022", "nothing to send: the button is off, and Enter sends nothing")
def blank(tools):
    chat = Chat(tools, "quiet")
    for text in ("", "  \n "):
        chat.textbox.fill(text)
        expect(chat.send).to_be_disabled()
        chat.textbox.press("Enter")
    chat.say("end")
    sent = chat.heard("USER_MESSAGE")
    holds([each["payload"]["text"] for each in sent] == ["end"], sent)


@check("C-023", "600 pasted characters become 500, with a word about it")
def limit(tools):
    chat = Chat(tools, "quiet")
    chat.page.evaluate("""() => { window.told = []; new MutationObserver(() => { const t = document.querySelector('[aria-label=Announcements]').textContent; if (t) told.push(t); })
        .observe(document.querySelector('[aria-label=Announcements]'), { childList: true, characterData: true, subtree: true }); }""")
    chat.textbox.focus()
    chat.page.evaluate("document.execCommand('insertText', false, 'x'.repeat(600))")
    holds(len(chat.textbox.input_value()) == 500, "not cut")
    expect(chat.page.get_by_text("500 of 500")).to_be_visible()
    told = [text for text in chat.page.evaluate("told") if "500" in text]
    holds(len(told) == 1, told)


@check("C-024", "Shift+Enter is a new line, Enter sends")
def newline(tools):
    chat = Chat(tools, "quiet")
    chat.textbox.press_sequentially("a")
    chat.textbox.press("Shift+Enter")
    chat.textbox.press_sequentially("b")
    chat.textbox.press("Enter")
    sent = chat.heard("USER_MESSAGE")
    holds([each["payload"]["text"] for each in sent] == ["a\nb"], sent)


def key(chat, **more):
    chat.textbox.evaluate(
        "(e, more) => e.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, ...more }))", more)


@check("C-025", "Enter belongs to the input method while it composes")
def composing(tools):
    chat = Chat(tools, "quiet")
    chat.textbox.fill("にほん")
    chat.textbox.dispatch_event("compositionstart")
    key(chat, isComposing=True)
    chat.textbox.dispatch_event("compositionend")
    expect(chat.textbox).to_have_value("にほん")
    chat.textbox.press("Enter")
    chat.heard("USER_MESSAGE")
    count(chat.articles, 1)
    holds(len(chat.sent("USER_MESSAGE")) == 1, "not once")


@check("C-026", "key code 229 sends nothing", edge=True)
def safari(tools):
    chat = Chat(tools, "quiet")
    chat.textbox.fill("abc")
    key(chat, keyCode=229)
    expect(chat.textbox).to_have_value("abc")
    count(chat.articles, 0)


@check("C-027", "after sending by keyboard the textbox is empty and focused")
def focus(tools):
    chat = Chat(tools, "quiet")
    chat.textbox.fill("abc")
    chat.textbox.press("Enter")
    expect(chat.textbox).to_be_focused()
    expect(chat.textbox).to_have_value("")


@check("C-028", "a held Enter sends once")
def held(tools):
    chat = Chat(tools, "quiet")
    chat.textbox.fill("abc")
    for _ in range(6):
        chat.page.keyboard.down("Enter")
    chat.page.keyboard.up("Enter")
    chat.textbox.fill("end")
    chat.textbox.press("Enter")
    chat.heard("USER_MESSAGE", 2)
    holds([each["payload"]["text"] for each in chat.sent("USER_MESSAGE")] == ["abc", "end"], "more than one")


@check("C-029", "more than the wire takes stays in the box", edge=True)
def too_long(tools):
    chat = Chat(tools, "quiet", config={"maxLength": 400000})
    chat.textbox.focus()
    chat.page.evaluate("document.execCommand('insertText', false, 'é'.repeat(70000))")
    expect(chat.page.get_by_text("Message is too long")).to_be_visible()
    expect(chat.send).to_be_disabled()
    chat.textbox.press("Enter")
    holds(len(chat.textbox.input_value()) == 70000, "the text is gone")
    count(chat.articles, 0)


@check("C-030", "a draft outlives a reload, but not its sending")
def draft(tools):
    chat = Chat(tools, "quiet")
    chat.textbox.fill("draft")
    chat.reload()
    expect(chat.textbox).to_have_value("draft")
    chat.textbox.press("Enter")
    chat.heard("USER_MESSAGE")
    chat.reload()
    expect(chat.textbox).to_have_value("")


@check("C-031", "three quick messages keep their order")
def three(tools):
    chat = Chat(tools, "quiet")
    for text in ("one", "two", "three"):
        chat.textbox.fill(text)
        chat.textbox.press("Enter")
    chat.heard("USER_MESSAGE", 3)
    holds([each["payload"]["text"] for each in chat.sent("USER_MESSAGE")] == ["one", "two", "three"], "order")
    count(chat.articles, 3)
    holds(chat.texts() == ["one", "two", "three"], chat.texts())
