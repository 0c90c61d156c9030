"""Following, reading upwards, and long histories."""

from playwright.sync_api import expect
from chat_page import Chat, contains, count, holds, near
from rig import check


def long_talk(tools, messages=24, **more):
    chat = Chat(tools, "quiet", **more)
    for index in range(messages):
        chat.agent_says(f"Message {index} " + "with words " * (index % 5 * 4 + 3))
    contains(chat.articles.last, f"Message {messages - 1}")
    return chat


@check("C-051", "at the end, a new message is in view")
def follows(tools):
    chat = long_talk(tools)
    chat.agent_says("The newest one")
    contains(chat.articles.last, "The newest one")
    chat.idle()
    near(chat.distance(), 0, 2, "distance")


@check("C-052", "scrolled up, nothing moves and the button counts")
def stays(tools):
    chat = long_talk(tools)
    chat.scroll_up(400)
    top = chat.top()
    chat.agent_says("The newest one")
    expect(chat.button("Jump to latest, 1 new")).to_be_visible()
    near(chat.top(), top, 0.5, "scrollTop")
    tools.shot("jump")


@check("C-053", "30 px of wheel stop the following while a reply grows")
def detaches(tools):
    chat = long_talk(tools)
    chat.chunk("s", 1, "A reply that grows. ")
    contains(chat.article("A reply that grows"), "grows")
    chat.scroll_up(30)
    id, top = chat.first_visible()
    for index in range(2, 12):
        chat.chunk("s", index, "More words for the reply. " * 6, last=index == 11)
    expect(chat.article("A reply that grows")).not_to_have_attribute("aria-busy", "true")
    near(chat.top_of(id), top, 1, "first visible row")


@check("C-054", "the button leads to the end, goes, and leaves the focus somewhere")
def jump(tools):
    chat = long_talk(tools)
    chat.scroll_up(400)
    chat.button("Jump to latest").click()
    expect(chat.button("Jump to latest")).to_be_hidden()
    near(chat.distance(), 0, 2, "distance")
    holds(chat.focused() not in ("BODY", None), "the focus is on the page")


@check("C-055", "scrolled up, sending leads to the end")
def send(tools):
    chat = long_talk(tools)
    chat.scroll_up(400)
    chat.say("mine")
    contains(chat.articles.last, "mine")
    chat.idle()
    near(chat.distance(), 0, 2, "distance")


@check("C-056", "the wheel over a scrolling code block leaves the log following", edge=True)
def inner(tools):
    chat = long_talk(tools, 6)
    chat.agent_says("```\n" + "\n".join(f"line {i}" for i in range(80)) + "\n```")
    pre = chat.page.locator("pre")
    expect(pre).to_be_visible()
    pre.evaluate("e => e.scrollTop = 400")
    pre.hover()
    chat.page.mouse.wheel(0, -80)
    pre.evaluate("e => new Promise(done => { const look = () => e.scrollTop < 400 ? done() : requestAnimationFrame(look); look(); })")
    expect(chat.button("Jump to latest")).to_be_hidden()
    chat.agent_says("After the code")
    contains(chat.articles.last, "After the code")
    chat.idle()
    near(chat.distance(), 0, 2, "distance")


def history(tools):
    chat = Chat(tools, "history-500")
    contains(chat.log, "You are welcome. Until next time!")
    chat.until("document.querySelector('article:last-of-type')?.dataset.id === 'past-500'")
    return chat


@check("C-057", "500 messages: at most 200 articles, the last one in view")
def windowed(tools):
    chat = history(tools)
    holds(chat.articles.count() <= 200, f"{chat.articles.count()} articles")
    near(chat.distance(), 0, 2, "distance")
    chat.reload()
    chat.until("document.querySelector('article:last-of-type')?.dataset.id === 'past-500'")
    holds(chat.articles.count() <= 200, f"{chat.articles.count()} articles")


# Puts the log somewhere as a scrollbar does, and remembers where the uppermost article then is.
SCROLL = """async to => { const log = document.querySelector('[role=log]'), frame = () => new Promise(requestAnimationFrame);
    log.dispatchEvent(new WheelEvent('wheel', { deltaY: -10 }));
    log.scrollTop = to; await frame(); await frame(); await frame(); }"""
# The largest step of the uppermost article that is no step of the reader, while they scroll up by 90 px a frame.
STEPS = """async frames => { const log = document.querySelector('[role=log]'), frame = () => new Promise(requestAnimationFrame);
    log.dispatchEvent(new WheelEvent('wheel', { deltaY: -10 }));
    let most = 0;
    for (let i = 0; i < frames; i++) {
        const edge = log.getBoundingClientRect().top, row = [...log.querySelectorAll('article')].find(e => e.getBoundingClientRect().top >= edge);
        const top = row.getBoundingClientRect().top, before = log.scrollTop;
        log.scrollTop -= 90;
        const own = before - log.scrollTop;
        await frame(); await frame();
        if (row.isConnected) most = Math.max(most, Math.abs(row.getBoundingClientRect().top - top - own));
    }
    return [most, document.querySelector('article').dataset.id]; }"""


def articles_in_sight(chat):
    return chat.log.evaluate("""e => { const { top, bottom } = e.getBoundingClientRect();
        return [...e.querySelectorAll('article')].filter(a => a.getBoundingClientRect().bottom > top && a.getBoundingClientRect().top < bottom).map(a => a.dataset.id); }""")


@check("C-058", "at the top: the first messages, and the start of the talk is told")
def earlier(tools):
    chat = history(tools)
    chat.page.evaluate(SCROLL, 0)
    chat.until("document.querySelector('article').dataset.id === 'past-1'")
    expect(chat.note("Start of conversation")).to_be_in_viewport()
    holds("past-1" in articles_in_sight(chat), articles_in_sight(chat))
    holds(chat.articles.count() <= 200, f"{chat.articles.count()} articles")


@check("C-059", "reading upwards, nothing moves but by the reader's hand", edge=True)
def middle(tools):
    chat = history(tools)
    first = chat.page.locator("article").first.get_attribute("data-id")
    most, shown = chat.page.evaluate(STEPS, 60)
    holds(most <= 2 and shown != first, f"{most} px, from {first} to {shown}")
    chat.page.set_viewport_size({"width": 600, "height": 720})
    id, top = chat.first_visible()
    chat.page.set_viewport_size({"width": 600, "height": 500})
    near(chat.top_of(id), top, 1, "the uppermost row of a shorter window")


@check("C-060", "all 500 can be reached, none twice, at most 200 at once")
def everything(tools):
    chat = history(tools)
    found = chat.page.evaluate("""async () => { const log = document.querySelector('[role=log]'), seen = new Set(); let most = 0, doubled = 0;
        log.dispatchEvent(new WheelEvent('wheel', { deltaY: -10 }));
        for (let i = 0; i < 400 && !seen.has('past-1'); i++) {
            const ids = [...document.querySelectorAll('article')].map(e => e.dataset.id);
            ids.forEach(id => seen.add(id));
            most = Math.max(most, ids.length);
            if (new Set(ids).size < ids.length) doubled += 1;
            log.scrollTop -= 400;
            await new Promise(requestAnimationFrame);
            await new Promise(requestAnimationFrame);
        }
        return [seen.size, doubled, most]; }""")
    holds(found[:2] == [500, 0] and found[2] <= 200, found)


def ten_thousand(chat, count=10_000):
    """Many messages at once, as a long history would bring them."""
    def frame(n):
        text = f"Message **{n}** " + "with more words " * (n * 7 % 12)
        return {"id": f"x{n}", "sequence": None, "timestamp": "2026-01-15T09:30:00.000Z", "type": "EVENT_TYPE_POLY_AGENT_MESSAGE",
                "payload": {"message_id": f"m{n}", "text": text, "attachments": [], "response_suggestions": []}}
    for start in range(0, count, 250):
        chat.frame({"id": f"b{start}", "sequence": None, "timestamp": "2026-01-15T09:30:00.000Z", "type": "EVENT_TYPE_EVENT_BATCH",
                    "payload": {"events": [frame(n) for n in range(start, min(count, start + 250))]}})
    contains(chat.articles.last, f"Message {count - 1}")


@check("C-060b", "10,000 messages: at most 200 in the page, wherever the reader goes", edge=True)
def many(tools):
    chat = Chat(tools, "quiet")
    ten_thousand(chat)
    holds(chat.articles.count() <= 200, f"{chat.articles.count()} articles")
    near(chat.distance(), 0, 2, "distance")
    high = chat.log.evaluate("e => e.scrollHeight")
    for part in (0.5, 0.1, 0.8, 0):
        chat.page.evaluate(SCROLL, high * part)
        seen = articles_in_sight(chat)
        holds(seen and chat.articles.count() <= 200, f"at {part}: {seen}, {chat.articles.count()} articles")
        near(int(seen[0][1:]) / 10_000, part, 0.08, "place in the talk")
        if part == 0.5:
            tools.shot("10000-rows")
    most, _ = chat.page.evaluate(STEPS, 3)
    chat.agent_says("The newest one")
    expect(chat.button("Jump to latest", exact=False)).to_be_visible()
    chat.button("Jump to latest", exact=False).click()
    contains(chat.articles.last, "The newest one")
    chat.idle()
    near(chat.distance(), 0, 2, "distance")


@check("C-060c", "layout=comments: the newest on top, below the box", edge=True)
def comments(tools):
    chat = Chat(tools, "history-500", layout="comments")
    chat.until("document.querySelector('article')?.dataset.id === 'past-500'")
    holds(chat.textbox.bounding_box()["y"] < chat.articles.first.bounding_box()["y"], "the box is below")
    holds(chat.top() <= 1, chat.top())
    tools.shot("comments")
    chat.log.hover()
    chat.page.mouse.wheel(0, 600)
    chat.until("document.querySelector('[role=log]').scrollTop > 300")
    id, top = chat.first_visible()
    chat.agent_says("The newest one")
    expect(chat.button("Jump to latest, 1 new")).to_be_visible()
    near(chat.top_of(id), top, 1, "first visible row")
    chat.button("Jump to latest, 1 new").click()
    contains(chat.articles.first, "The newest one")
    chat.until("document.querySelector('[role=log]').scrollTop <= 1")
    chat.page.evaluate("async () => { const log = document.querySelector('[role=log]'); log.dispatchEvent(new WheelEvent('wheel', { deltaY: 10 })); for (let i = 0; i < 6; i++) { log.scrollTop = log.scrollHeight; await new Promise(requestAnimationFrame); await new Promise(requestAnimationFrame); } }")
    holds("past-1" in articles_in_sight(chat), articles_in_sight(chat))


@check("C-061", "PageUp in the textbox scrolls the log and keeps the focus")
def page_up(tools):
    chat = long_talk(tools)
    chat.textbox.focus()
    top = chat.top()
    chat.textbox.press("PageUp")
    chat.until("t => document.querySelector('[role=log]').scrollTop < t", arg=top)
    expect(chat.textbox).to_be_focused()


@check("C-062", "End in the log leads to the end")
def end(tools):
    chat = long_talk(tools)
    chat.log.focus()
    chat.log.press("Home")
    chat.until("document.querySelector('[role=log]').scrollTop < 5")
    chat.log.press("End")
    chat.until("(() => { const e = document.querySelector('[role=log]'); return e.scrollHeight - e.scrollTop - e.clientHeight <= 2; })()")


@check("C-063", "a shorter window keeps end and textbox in view")
def shorter(tools):
    chat = long_talk(tools)
    chat.page.set_viewport_size({"width": 900, "height": 420})
    expect(chat.textbox).to_be_in_viewport()
    chat.until("(() => { const e = document.querySelector('[role=log]'); return e.scrollHeight - e.scrollTop - e.clientHeight <= 2; })()")


@check("C-064", "pictures that come late or never move nothing", edge=True)
def pictures(tools):
    chat = long_talk(tools, clock=True)
    chat.agent_says("Pictures", attachments=[{"title": "gone", "image": "https://images.example.invalid/x.png"}])
    contains(chat.articles.last, "Pictures")
    chat.scroll_up(300)
    id, top = chat.first_visible()
    expect(chat.button("Retry image")).to_be_attached()
    chat.run(6)
    near(chat.top_of(id), top, 1, "first visible row")
