"""Handoffs and menus of messages."""

from playwright.sync_api import expect
from chat_page import Chat, contains, count, holds
from rig import check


def handed_over(tools):
    chat = Chat(tools, "handoff-ok")
    chat.say("help")
    expect(chat.note("Robin joined")).to_be_visible(timeout=15_000)
    return chat


@check("C-106", "a handoff is told in order, C-107 the queue in one row")
def order(tools):
    chat = handed_over(tools)
    events = chat.page.eval_on_selector_all("[role=note]", "all => all.map(e => e.dataset.event)")
    holds(events == ["triggeredHandoff", "handoffAccepted", "queueStatus", "liveAgentJoined"], events)
    tools.shot("handoff")


@check("C-107", "five updates, one row, the latest text")
def queue(tools):
    chat = Chat(tools, "quiet")
    chat.person("takeOver")
    chat.person("accept", queue="Front desk")
    for position in (5, 4, 3, 2, 1):
        chat.person("updateQueue", queue="Front desk", position=position, waitSeconds=position * 60)
    row = chat.page.locator("[data-event=queueStatus]")
    expect(row).to_have_attribute("aria-label", "Position 1 in line, about 1 min")
    count(row, 1)
    row.get_by_text("4 updates before").click()
    expect(row.get_by_role("listitem").first).to_contain_text("Position 5 in line")
    tools.shot("queue")


def live(tools, **more):
    chat = Chat(tools, "hello", **more)
    contains(chat.articles.first, "Hello from Ada")
    chat.person("takeOver")
    chat.person("join", name="Sam", id="p1")
    chat.person("send", text="Sam speaking")
    contains(chat.articles.last, "Sam speaking")
    return chat


@check("C-108", "a person's message is named and coloured as one")
def person(tools):
    chat = live(tools)
    article = chat.article("Sam speaking")
    contains_name = article.get_attribute("aria-label")
    holds("Sam, live agent" in contains_name, contains_name)
    expect(article).to_have_attribute("data-agent-kind", "live")
    colours = [each.locator(".bubble").evaluate("e => getComputedStyle(e).backgroundColor") for each in (chat.articles.first, article)]
    holds(colours[0] != colours[1], colours)
    tools.shot("person")


@check("C-109", "the heading is the person's name while they are here")
def heading(tools):
    chat = live(tools)
    title = chat.page.get_by_role("heading", level=1)
    expect(title).to_have_text("Sam")
    chat.person("leave")
    expect(title).to_have_text("Ada")


@check("C-109a", "the heading is the agent's name, and its dot follows the connection: green, amber while it reconnects")
def dot(tools):
    tools.expects.append("WebSocket")
    chat = Chat(tools, "hello")
    expect(chat.page.get_by_role("heading", level=1)).to_have_text("Ada")
    colour = "getComputedStyle(document.querySelector('.presence'), '::before').backgroundColor"
    green = chat.page.evaluate(colour)
    chat.drop()
    expect(chat.page.get_by_role("status", name="Connection")).to_contain_text("Reconnecting")
    holds(chat.page.evaluate(colour) != green, green)


@check("C-110", "when the person leaves, the live chat has ended")
def left(tools):
    chat = live(tools)
    chat.person("leave", ends=True)
    region = chat.page.get_by_role("region", name="Conversation ended")
    contains(region, "The live chat has ended")
    count(chat.textbox, 0)


@check("C-111", "a transfer that fails is told, and the talk goes on")
def fails(tools):
    chat = Chat(tools, "handoff-fail")
    chat.say("help")
    note = chat.note("Transfer failed")
    expect(note).to_be_visible(timeout=15_000)
    expect(note).to_have_attribute("data-level", "error")
    expect(chat.textbox).to_be_enabled()
    tools.shot("handoff-failed")


@check("C-112", "a place to go on is a link that waits for a click")
def elsewhere(tools):
    chat = Chat(tools, "handoff-client")
    address = chat.page.url
    chat.say("help")
    link = chat.page.get_by_role("link", name="Continue in example.com")
    expect(link).to_have_attribute("href", "https://example.com/contact")
    holds(chat.page.url == address, chat.page.url)


@check("C-113", "a script is no place to go")
def script(tools):
    chat = Chat(tools, "quiet")
    chat.push("CLIENT_HANDOFF_REQUIRED", {"reason": "POLICY", "route": "javascript:alert(1)"})
    expect(chat.note("Please continue with support")).to_be_visible()
    count(chat.log.get_by_role("link"), 0)


@check("C-114", "what the user says to a person gets there and is shown")
def spoken(tools):
    chat = live(tools)
    chat.say("to Sam")
    expect(chat.article("to Sam")).to_have_attribute("data-delivery", "sent")
    holds(chat.heard("USER_MESSAGE")[-1]["payload"]["text"] == "to Sam", "not heard")


@check("C-115", "a message offers to be copied and looked at, no more")
def actions(tools):
    chat = Chat(tools, context=tools.context(permissions=["clipboard-read", "clipboard-write"]))
    article = chat.articles.first
    article.focus()
    chat.page.keyboard.press("Shift+F10")
    menu = chat.page.get_by_role("menu", name="Message actions")
    expect(menu).to_be_visible()
    tools.shot("menu")
    holds(menu.get_by_role("menuitem").all_inner_texts() == ["Copy", "Message details"], menu.inner_text())
    chat.page.keyboard.press("Escape")
    expect(menu).to_have_count(0)
    expect(article).to_be_focused()
    chat.page.keyboard.press("c")
    contains(chat.status("Announcements"), "Copied")
    holds(chat.page.evaluate("navigator.clipboard.readText()") == "Hello from Ada", "not copied")


@check("C-115a", "a long press opens the menu, where text is selected", edge=True)
def long_press(tools):
    chat = Chat(tools, options={"has_touch": True, "is_mobile": True, "viewport": {"width": 390, "height": 800}})
    contains(chat.articles.first, "Hello from Ada")
    chat.articles.first.evaluate("""e => { const touch = new Touch({ identifier: 1, target: e.querySelector('p'), clientX: 80, clientY: 200 });
        e.querySelector('p').dispatchEvent(new TouchEvent('touchstart', { bubbles: true, touches: [touch] })); }""")
    menu = chat.page.get_by_role("menu", name="Message actions")
    expect(menu).to_be_visible()
    tools.shot("sheet")
    menu.get_by_role("menuitem", name="Select text").click()
    holds(chat.page.evaluate("getSelection().toString().trim()") == "Hello from Ada", chat.page.evaluate("getSelection().toString()"))
