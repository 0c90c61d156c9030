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
    chat.page.wait_for_function("document.querySelector('article:last-of-type')?.dataset.id === 'past-500'")
    return chat


@check("C-057", "500 messages: at most 200 articles, the last one in view, drawn at once")
def windowed(tools):
    chat = history(tools)
    holds(chat.articles.count() <= 200, f"{chat.articles.count()} articles")
    near(chat.distance(), 0, 2, "distance")
    chat.reload()
    chat.page.wait_for_function("document.querySelector('article:last-of-type')?.dataset.id === 'past-500'")
    long = chat.page.evaluate("performance.getEntriesByType('longtask')?.length ?? 0")
    holds(chat.articles.count() <= 200 and long == 0, f"{chat.articles.count()} articles")


@check("C-058", "loading earlier messages at the top keeps the view")
def earlier(tools):
    chat = history(tools)
    chat.log.hover()
    chat.log.evaluate("e => { e.dispatchEvent(new WheelEvent('wheel', { deltaY: -10 })); }")
    before = chat.page.locator("article").first.get_attribute("data-id")
    chat.page.evaluate("""id => new Promise(done => { const log = document.querySelector('[role=log]'); log.scrollTop = 0;
        window.was = document.querySelector(`article[data-id='${id}']`).getBoundingClientRect().top; requestAnimationFrame(done); })""", before)
    chat.page.wait_for_function("id => document.querySelector('article').dataset.id !== id", arg=before)
    was = chat.page.evaluate("was")
    near(chat.top_of(before), was, 2, "the first row")


@check("C-059", "loading in the middle keeps the view", edge=True)
def middle(tools):
    chat = history(tools)
    first = chat.page.locator("article").first.get_attribute("data-id")
    chat.log.evaluate("e => e.dispatchEvent(new WheelEvent('wheel', { deltaY: -10 }))")
    chat.log.evaluate("e => { e.scrollTop = 260; }")
    id, top = chat.first_visible()
    chat.log.evaluate("e => { e.scrollTop = 150; }")
    chat.page.wait_for_function("id => document.querySelector('article').dataset.id !== id", arg=first)
    near(chat.top_of(id), top + 110, 2, "the row that was on top")


@check("C-060", "all 500 can be reached, none twice, and the start is told")
def everything(tools):
    chat = history(tools)
    chat.page.evaluate("""() => { const note = () => { const ids = [...document.querySelectorAll('article')].map(e => e.dataset.id); ids.forEach(id => seen.add(id));
        most = Math.max(most, ids.length); if (new Set(ids).size < ids.length) doubled += 1; };
        window.seen = new Set(); window.most = window.doubled = 0; note(); new MutationObserver(note).observe(document.querySelector('.rows'), { childList: true }); }""")
    chat.log.evaluate("e => e.dispatchEvent(new WheelEvent('wheel', { deltaY: -10 }))")
    for _ in range(12):
        first = chat.page.locator("article").first.get_attribute("data-id")
        if first == "past-1":
            break
        chat.log.evaluate("e => { e.scrollTop = 0; }")
        chat.page.wait_for_function("id => document.querySelector('article').dataset.id !== id", arg=first)
    holds(chat.page.evaluate("[seen.size, doubled, most <= 200]") == [500, 0, True], chat.page.evaluate("[seen.size, doubled, most]"))
    expect(chat.note("Start of conversation")).to_be_attached()
    count(chat.button("Load earlier messages"), 0)


@check("C-061", "PageUp in the textbox scrolls the log and keeps the focus")
def page_up(tools):
    chat = long_talk(tools)
    chat.textbox.focus()
    top = chat.top()
    chat.textbox.press("PageUp")
    chat.page.wait_for_function("t => document.querySelector('[role=log]').scrollTop < t", arg=top)
    expect(chat.textbox).to_be_focused()


@check("C-062", "End in the log leads to the end")
def end(tools):
    chat = long_talk(tools)
    chat.log.focus()
    chat.log.press("Home")
    chat.page.wait_for_function("document.querySelector('[role=log]').scrollTop < 5")
    chat.log.press("End")
    chat.page.wait_for_function("(() => { const e = document.querySelector('[role=log]'); return e.scrollHeight - e.scrollTop - e.clientHeight <= 2; })()")


@check("C-063", "a shorter window keeps end and textbox in view")
def shorter(tools):
    chat = long_talk(tools)
    chat.page.set_viewport_size({"width": 900, "height": 420})
    expect(chat.textbox).to_be_in_viewport()
    chat.page.wait_for_function("(() => { const e = document.querySelector('[role=log]'); return e.scrollHeight - e.scrollTop - e.clientHeight <= 2; })()")


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
