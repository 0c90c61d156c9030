"""Typing and streaming."""

import re

from playwright.sync_api import expect
from chat_page import Chat, contains, count, holds
from rig import check


def activity(chat):
    return chat.status("Agent activity")


@check("C-032", "thinking is told")
def thinking(tools):
    chat = Chat(tools, "quiet")
    chat.push("POLY_AGENT_THINKING")
    contains(activity(chat), "Ada is typing")
    tools.shot("typing")


@check("C-033", "a message ends it")
def answered(tools):
    chat = Chat(tools, "quiet")
    chat.push("POLY_AGENT_THINKING")
    contains(activity(chat), "is typing")
    chat.agent_says("Done")
    expect(activity(chat)).to_have_text("")


@check("C-034", "ten seconds end it")
def forgotten(tools):
    chat = Chat(tools, "quiet", clock=True)
    chat.push("POLY_AGENT_THINKING")
    contains(activity(chat), "is typing")
    chat.run(10.5)
    expect(activity(chat)).to_have_text("")


@check("C-035", "a person who stops typing ends it at once")
def stopped(tools):
    chat = Chat(tools, "quiet")
    chat.person("takeOver")
    chat.person("join", name="Sam")
    chat.person("typing", state="started")
    contains(activity(chat), "Sam is typing")
    chat.person("typing", state="stopped")
    expect(activity(chat)).to_have_text("")


@check("C-036", "typing is told at most every three seconds, and its end five seconds after the last key")
def own(tools):
    chat = Chat(tools, "quiet", clock=True)
    chat.pause()
    for _ in range(10):
        chat.textbox.press("x")
        chat.run(0.5)
    chat.run(4)
    states = [each["payload"]["state"] for each in chat.heard("USER_TYPING", 2)]
    holds(states == ["TYPING_STATE_STARTED"] * 2, states)
    chat.run(1)
    states = [each["payload"]["state"] for each in chat.heard("USER_TYPING", 3)]
    holds(states == ["TYPING_STATE_STARTED"] * 2 + ["TYPING_STATE_STOPPED"], states)


@check("C-037", "a reload does not bring it back")
def not_replayed(tools):
    chat = Chat(tools, "quiet")
    chat.push("POLY_AGENT_THINKING")
    contains(activity(chat), "is typing")
    chat.reload()
    expect(activity(chat)).to_have_text("")


WATCH = """() => {
    const log = document.querySelector('[role=log]'), told = document.querySelector('[aria-label=Announcements]');
    window.seen = { removed: 0, told: [], brackets: 0 };
    new MutationObserver(all => { for (const m of all) for (const n of m.removedNodes) {
        const bubble = m.target.nodeType === 1 && m.target.closest('article[data-streaming] .bubble');
        if (!bubble || n.nodeType !== 1) continue;
        const block = m.target === bubble ? null : [...bubble.children].find(b => b.contains(m.target));
        if (block && block !== bubble.lastElementChild) seen.removed += 1;
        if (!block && m.nextSibling) seen.removed += 1;
    } if (log.textContent.includes('](')) seen.brackets += 1; }).observe(log, { subtree: true, childList: true, characterData: true });
    new MutationObserver(() => told.textContent && seen.told.push(told.textContent)).observe(told, { subtree: true, childList: true, characterData: true });
}"""


@check("C-038", "a long stream grows in one article: C-039 busy, C-040 finished blocks stay, C-049 told once")
def long_stream(tools):
    chat = Chat(tools, "stream-long")
    contains(chat.articles.first, "Say anything")
    chat.page.evaluate(WATCH)
    chat.say("Tell me")
    article = chat.page.locator("article[data-kind=agent]").nth(1)
    expect(article).to_have_attribute("data-streaming", "")
    handle = article.element_handle()
    expect(article).to_have_attribute("aria-busy", "true")
    tools.shot("streaming")
    expect(article).not_to_have_attribute("aria-busy", "true", timeout=20_000)
    holds(handle.evaluate("e => e.isConnected && e === document.querySelectorAll('article[data-kind=agent]')[1]"), "another node")
    seen = chat.page.evaluate("seen")
    holds(seen["removed"] == 0, f"{seen['removed']} nodes of finished blocks were removed")
    holds(seen["brackets"] == 0, "half a link was shown")
    chat.until("seen.told.length")
    holds(len([text for text in seen["told"] or chat.page.evaluate("seen.told") if text.startswith("Ada:")]) == 1, seen["told"])
    contains(article, "Ninety, then.")
    tools.shot("streamed")


@check("C-039", "busy while it grows, not after")
def busy(tools):
    chat = Chat(tools, "quiet")
    chat.chunk("m1", 1, "One ")
    article = chat.article("One")
    expect(article).to_have_attribute("aria-busy", "true")
    expect(article).to_have_attribute("data-streaming", "")
    chat.chunk("m1", 2, "two", last=True)
    expect(article).not_to_have_attribute("aria-busy", "true")
    expect(article).not_to_have_attribute("data-streaming", "")


@check("C-040", "no node outside of the last block is removed")
def blocks(tools):
    chat = Chat(tools, "quiet")
    chat.page.evaluate(WATCH)
    for index, text in enumerate(["First **para", "graph**.\n\nSec", "ond.\n\n- a\n- b", "\n- c\n\n```\ncode", "\nmore\n```\n\nEnd", " of it."], 1):
        chat.chunk("m1", index, text, last=index == 6)
    contains(chat.articles.first, "End of it.")
    holds(chat.page.evaluate("seen.removed") == 0, "nodes were removed")


@check("C-041", "a mark cut in two is one mark")
def bold(tools):
    chat = Chat(tools, "quiet")
    chat.chunk("m1", 1, "**bo")
    contains(chat.articles.first, "bo")
    chat.chunk("m1", 2, "ld**", last=True)
    expect(chat.articles.first.locator("strong")).to_have_text("bold")
    holds("*" not in chat.texts()[0], chat.texts())


@check("C-042", "a link and a fence cut in pieces come out whole")
def link_and_fence(tools):
    chat = Chat(tools, "quiet")
    chat.page.evaluate(WATCH)
    pieces = ["See [t", "he map](htt", "ps://example.com/m", "ap?a=b", "&c=d).\n\n``", "`text\nx = 1\n``", "`\n\nDone."]
    for index, text in enumerate(pieces, 1):
        chat.chunk("m1", index, text, last=index == len(pieces))
    contains(chat.articles.first, "Done.")
    expect(chat.articles.first.get_by_role("link", name="the map")).to_have_attribute("href", "https://example.com/map?a=b&c=d")
    count(chat.articles.first.locator("pre"), 1)
    expect(chat.articles.first.locator("pre")).to_have_text("x = 1")
    holds(chat.page.evaluate("seen.brackets") == 0, "half a link was shown")


@check("C-043", "a family of emoji cut in pieces is whole at the end")
def emoji(tools):
    chat = Chat(tools, "quiet")
    pieces = ["A family 👩", "\u200d👩", "\u200d👧", "\u200d👦 here"]
    for index, text in enumerate(pieces, 1):
        chat.chunk("m1", index, text, last=index == len(pieces))
    contains(chat.articles.first, "here")
    holds(chat.texts() == ["".join(pieces)], chat.texts())


@check("C-044", "pieces in the order 1, 3, 2 come out in order")
def out_of_order(tools):
    chat = Chat(tools, "quiet")
    for index, text, last in [(1, "one ", False), (3, "three", True), (2, "two ", False)]:
        chat.chunk("m1", index, text, last=last)
    expect(chat.articles.first.locator(".bubble")).to_have_text("one two three")


@check("C-045", "a piece that comes twice is there once")
def twice(tools):
    chat = Chat(tools, "quiet")
    for index, text, last in [(1, "one ", False), (2, "two ", False), (2, "two ", False), (3, "three", True)]:
        chat.chunk("m1", index, text, last=last)
    expect(chat.articles.first.locator(".bubble")).to_have_text("one two three")


@check("C-046", "attachments wait for the end of their message")
def attachments(tools):
    chat = Chat(tools, "quiet")
    card = {"content_type": "ATTACHMENT_CONTENT_TYPE_URL", "content_url": "https://example.com/x", "title": "Card", "call_to_action_text": "Open"}
    chat.chunk("m1", 1, "Here ", attachments=[card])
    contains(chat.articles.first, "Here")
    count(chat.page.get_by_role("link", name="Card"), 0)
    chat.chunk("m1", 2, "it is", last=True)
    expect(chat.page.get_by_role("link", name="Card")).to_be_visible()


@check("C-047", "progressive=0 waits for the whole reply")
def whole(tools):
    chat = Chat(tools, "quiet", progressive=0)
    chat.chunk("m1", 1, "One ")
    contains(activity(chat), "is typing")
    count(chat.articles, 0)
    chat.chunk("m1", 2, "two", last=True)
    contains(chat.articles.first, "One two")


@check("C-048", "a drop in the middle of a stream loses nothing")
def dropped(tools):
    chat = Chat(tools, "quiet")
    chat.chunk("m1", 1, "One ")
    contains(chat.articles.first, "One")
    chat.fault("any event", {"drop": "connection"})
    chat.chunk("m1", 2, "two ")
    chat.chunk("m1", 3, "three", last=True)
    expect(chat.articles.first.locator(".bubble")).to_have_text("One two three")
    count(chat.articles, 1)


@check("C-049", "a streamed reply is announced once")
def announced(tools):
    chat = Chat(tools, "quiet")
    chat.page.evaluate(WATCH)
    for index in range(1, 9):
        chat.chunk("m1", index, f"{index} ", last=index == 8)
    chat.until("seen.told.length")
    contains(chat.articles.first, "8")
    told = chat.page.evaluate("seen.told")
    holds(len(told) == 1 and "1 2 3 4 5 6 7 8" in told[0], told)


@check("C-050", "reduced motion: nothing runs")
def still(tools):
    chat = Chat(tools, "quiet", options={"reduced_motion": "reduce"}, motion="")
    chat.chunk("m1", 1, "One ")
    contains(chat.articles.first, "One")
    chat.push("POLY_AGENT_THINKING")
    contains(activity(chat), "is typing")
    holds(chat.page.evaluate("document.getAnimations().filter(a => a.playState === 'running').length") == 0, "animations run")
