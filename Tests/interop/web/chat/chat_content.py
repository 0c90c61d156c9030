"""Suggestions, rich content and what is hostile."""

import pathlib
import re

from playwright.sync_api import expect
from chat_page import Chat, contains, count, holds, near
from rig import check


@check("C-065", "three suggestions stand below the last message")
def suggestions(tools):
    chat = Chat(tools, "suggest")
    count(chat.suggestions.get_by_role("button"), 3)
    order = chat.page.evaluate("""() => { const a = [...document.querySelectorAll('article')].at(-1), g = document.querySelector('[role=group]');
        return Boolean(a.compareDocumentPosition(g) & Node.DOCUMENT_POSITION_FOLLOWING); }""")
    holds(order, "the group is not behind the last article")
    tools.shot("suggestions")


@check("C-066", "a choice takes the group away before its echo")
def chosen(tools):
    chat = Chat(tools, "suggest")
    expect(chat.suggestions).to_be_visible()
    chat.fault("user message 1", {"stall": "forever"})
    chat.suggestions.get_by_role("button", name="Opening hours").click()
    expect(chat.suggestions).to_be_hidden()
    expect(chat.article("Opening hours")).to_have_attribute("data-delivery", "pending")


@check("C-067", "another message takes it away, too")
def typed(tools):
    chat = Chat(tools, "suggest")
    expect(chat.suggestions).to_be_visible()
    chat.fault("user message 1", {"stall": "forever"})
    chat.say("something else")
    expect(chat.suggestions).to_be_hidden()


@check("C-068", "an ended talk suggests nothing")
def over(tools):
    chat = Chat(tools, "suggest")
    expect(chat.suggestions).to_be_visible()
    tools.server.post(f"sessions/{chat.session}/end", reason="natural")
    chat.phase("ended")
    expect(chat.suggestions).to_be_hidden()


@check("C-069", "by keyboard the focus goes to the textbox and is never lost")
def kept(tools):
    chat = Chat(tools, "suggest")
    expect(chat.suggestions).to_be_visible()
    chat.page.evaluate("window.lost = 0; window.watch = setInterval(() => document.activeElement === document.body && lost++, 5)")
    chat.suggestions.get_by_role("button", name="Opening hours").focus()
    chat.page.keyboard.press("Enter")
    contains(chat.articles.last, "From nine to six")
    expect(chat.textbox).to_be_focused()
    holds(chat.page.evaluate("lost") == 0, "the focus was on the page")


@check("C-070", "a tap opens no keyboard")
def tapped(tools):
    chat = Chat(tools, "suggest", options={"has_touch": True, "is_mobile": True, "viewport": {"width": 390, "height": 700}})
    expect(chat.suggestions).to_be_visible()
    tools.shot("phone")
    chat.suggestions.get_by_role("button", name="Opening hours").tap()
    contains(chat.articles.last, "From nine to six")
    expect(chat.textbox).not_to_be_focused()


@check("C-071", "of a history only the last message suggests")
def history(tools):
    chat = Chat(tools, "suggest")
    chat.say("book")
    contains(chat.articles.last, "A table it is")
    chat.reload()
    contains(chat.articles.last, "A table it is")
    count(chat.page.get_by_role("group", name="Suggested replies"), 1)
    count(chat.suggestions.get_by_role("button"), 3)


@check("C-072", "Alt+2 sends the second one")
def by_number(tools):
    chat = Chat(tools, "suggest")
    expect(chat.suggestions).to_be_visible()
    chat.page.keyboard.press("Alt+2")
    contains(chat.articles.last, "From nine to six")


@check("C-073", "the sampler is shown as it is meant")
def sampler(tools):
    chat = Chat(tools, "rich")
    first = chat.articles.first
    for selector, text in {"strong": "A sampler", "em": "slanted", "code": "code", "pre": "let greeting", "ul > li": "a list", "ul ul > li": "and one inside", "ol > li": "first"}.items():
        contains(first.locator(selector).first, text)
    expect(first.get_by_role("link", name="the handbook", exact=True)).to_have_attribute("href", "https://example.com/handbook")
    tools.shot("rich")


@check("C-074", "the HTML subset is line breaks and emphasis, never tags")
def html(tools):
    chat = Chat(tools, "quiet")
    chat.agent_says("<p>One<br>two</p><p><b>three</b> <i>four</i></p><ul><li>five</li></ul><div>six</div>")
    contains(chat.articles.first, "six")
    text = chat.articles.first.locator(".bubble").inner_text()
    holds("<" not in text and "One\ntwo" in text, repr(text))
    contains(chat.articles.first.locator("strong"), "three")
    contains(chat.articles.first.locator("li"), "five")


@check("C-075", "hostile texts are text")
def hostile(tools):
    dialogs = []
    chat = Chat(tools, "xss", wait=None, before=lambda page: page.on("dialog", lambda each: (dialogs.append(each.message), each.dismiss())))
    chat.phase("open")
    chat.idle()
    for text in ("probe", "code", "everything", "more"):
        chat.say(text)
    chat.idle()
    tools.shot("hostile")
    holds(not dialogs, dialogs)
    probes = [url for url in tools.last.strangers if "probe.example.invalid" in url]
    pictures = [url for url in probes if not re.search(r"\.(png|jpg|svg)", url)]
    holds(not pictures, probes)
    bad = chat.page.evaluate("""[...document.querySelectorAll('[role=log] *')].filter(e => ['SCRIPT', 'IFRAME', 'STYLE', 'OBJECT', 'EMBED', 'LINK', 'FORM', 'INPUT'].includes(e.tagName)
        || (e.tagName === 'svg' && !e.classList.contains('icon')) || [...e.attributes].some(a => a.name.startsWith('on') || a.name === 'srcdoc')).map(e => e.outerHTML.slice(0, 80))""")
    holds(not bad, bad)
    links = chat.page.eval_on_selector_all("[role=log] a", "all => all.map(a => a.href).filter(h => !/^(https?|mailto|tel):/.test(h))")
    holds(not links, links)


@check("C-076", "links to scripts and data are text")
def schemes(tools):
    chat = Chat(tools, "quiet")
    chat.agent_says("[x](javascript:alert(1)) and [y](data:text/html,hi) and [z](/relative)")
    contains(chat.articles.first, "x and y and z")
    count(chat.articles.first.get_by_role("link"), 0)


@check("C-077", "links open elsewhere and tell nothing")
def rel(tools):
    chat = Chat(tools, "quiet")
    chat.agent_says("See https://example.com/a.")
    link = chat.articles.first.get_by_role("link")
    expect(link).to_have_attribute("target", "_blank")
    expect(link).to_have_attribute("href", "https://example.com/a")
    holds("noopener" in link.get_attribute("rel"), "no noopener")


@check("C-078", "what users write is literal")
def literal(tools):
    chat = Chat(tools, "quiet")
    chat.say("<b>x</b> **y**")
    expect(chat.articles.first.locator(".bubble")).to_have_text("<b>x</b> **y**")
    count(chat.articles.first.locator("strong"), 0)


@check("C-079", "pictures have words, and their boxes do not change")
def boxes(tools):
    chat = Chat(tools, "quiet")
    held = []
    # Held back until the box has been measured.
    chat.page.route("https://pictures.example/**", lambda route: held.append(route))
    chat.agent_says("Look", attachments=[{"title": "Green hills", "image": "https://pictures.example/hills.svg"}])
    picture = chat.page.get_by_role("img", name="Green hills")
    expect(picture).to_have_count(1)
    before = chat.page.locator(".frame").bounding_box()
    expect(chat.page.locator(".frame img")).to_have_attribute("src", "https://pictures.example/hills.svg")
    while not held:
        chat.page.evaluate("new Promise(requestAnimationFrame)")
    held[0].fulfill(content_type="image/svg+xml", body="<svg xmlns='http://www.w3.org/2000/svg' width='900' height='100'/>")
    chat.until("document.querySelector('.frame img').complete")
    after = chat.page.locator(".frame").bounding_box()
    for side in ("x", "y", "width", "height"):
        near(after[side], before[side], 0.5, side)


@check("C-080", "a broken picture is tried once more by itself, then by hand")
def broken(tools):
    chat = Chat(tools, "quiet", clock=True)
    asked = []
    chat.page.route("https://pictures.example/**", lambda route: (asked.append(1), route.abort()))
    chat.agent_says("Look", attachments=[{"title": "Gone", "image": "https://pictures.example/gone.png"}])
    expect(chat.button("Retry image")).to_be_visible()
    holds(len(asked) == 1, asked)
    chat.run(5.1)
    expect(chat.button("Retry image")).to_be_visible()
    chat.run(30)
    expect(chat.button("Retry image")).to_be_visible()
    holds(len(asked) == 2, f"{len(asked)} requests")


@check("C-081", "a card is one link with title and call to action")
def card(tools):
    chat = Chat(tools, "rich")
    link = chat.page.get_by_role("link", name=re.compile("The handbook.*Read it"))
    expect(link).to_have_attribute("href", "https://example.com/handbook")


@check("C-082", "an unknown attachment is not shown, and nothing fails")
def unknown(tools):
    chat = Chat(tools, "rich")
    article = chat.article("a kind that no client knows")
    expect(article).to_be_visible()
    holds("hologram" not in article.inner_text().lower(), "it is shown")


@check("C-083", "a number is a link that rings")
def call(tools):
    chat = Chat(tools, "rich")
    expect(chat.page.get_by_role("link", name="Call Front desk")).to_have_attribute("href", "tel:+44020794" + "6")


@check("C-084", "\"Copy code\" copies the code and says so")
def copy(tools):
    chat = Chat(tools, "rich", context=tools.context(permissions=["clipboard-read", "clipboard-write"]))
    chat.button("Copy code").click()
    contains(chat.status("Announcements"), "Copied")
    text = chat.page.evaluate("navigator.clipboard.readText()")
    holds(text == 'let greeting = "Hello, \\(name)"\nif 1 < 2 { print(greeting) }', repr(text))


@check("C-085", "the viewer shows one picture after the other and gives the focus back")
def viewer(tools):
    chat = Chat(tools, "rich")
    opener = chat.button("Green hills")
    opener.click()
    dialog = chat.page.get_by_role("dialog", name="Image viewer")
    expect(dialog.get_by_role("img", name="Green hills")).to_be_visible()
    chat.page.keyboard.press("ArrowRight")
    expect(dialog.get_by_role("img", name="The harbour")).to_be_visible()
    tools.shot("viewer")
    chat.page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(opener).to_be_focused()
