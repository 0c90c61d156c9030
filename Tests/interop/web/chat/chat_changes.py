"""Edits, reactions, quotes, receipts and files, where the page asks for the extensions."""

import pathlib

from playwright.sync_api import expect
from chat_looks import serious
from chat_page import Chat, holds
from rig import check

FIXTURES = pathlib.Path(__file__).parents[2] / "extensions"
ALL = "changes,receipts,files"


def talk(tools, **more):
    if tools.server is tools.rig.server:
        tools.own_server("--fixtures", str(FIXTURES))
    asked = {} if more.pop("plain", False) else {"extensions": ALL}
    return Chat(tools, "second-thoughts", **asked, **more)


def whole(chat):
    problems = serious(chat.page)
    holds(not problems, problems)


def choose(chat, text, action):
    chat.article(text).hover()
    chat.article(text).get_by_role("button", name="Message actions").click()
    chat.page.get_by_role("menuitem", name=action, exact=True).click()


def two(tools):
    """Two windows of one talk."""
    # axe brings its source in by a way that the page's policy does not allow.
    context = tools.context(bypass_csp=True)
    one = talk(tools, context=context, persist="browser")
    return one, talk(tools, context=context, persist="browser")


@check("C-116a", "what the agent edits, withdraws and reacts to is shown as such")
def of_the_agent(tools):
    chat = talk(tools, options={"bypass_csp": True})
    chat.say("book")
    article = chat.article("At half past seven.")
    expect(article).to_be_visible()
    expect(article.get_by_text("Edited")).to_be_visible()
    chat.say("rude")
    expect(chat.article("Deleted")).to_be_visible()
    expect(chat.article("Nonsense")).to_have_count(0)
    expect(chat.article("Pardon me.")).to_be_visible()
    tools.shot("changes-agent")
    whole(chat)


@check("C-117a", "a message is quoted, reacted to, edited and withdrawn by its menu, and another window shows it")
def by_the_menu(tools):
    one, other = two(tools)
    choose(one, "Welcome", "React 👍")
    for chat in (one, other):
        reaction = chat.article("Welcome").get_by_role("group", name="React").get_by_role("button", name="👍 1")
        expect(reaction).to_have_attribute("aria-pressed", "true")
    other.article("Welcome").get_by_role("button", name="👍 1").click()
    expect(one.article("Welcome").get_by_role("group", name="React")).to_have_count(0)
    choose(one, "Welcome", "Reply")
    expect(one.page.get_by_role("status").filter(has_text="Reply: ")).to_be_visible()
    one.say("good evening")
    for chat in (one, other):
        expect(chat.article("good evening").get_by_role("blockquote")).to_contain_text("Welcome")
    choose(one, "good evening", "Edit")
    dialog = one.page.get_by_role("dialog", name="Edit")
    dialog.get_by_role("textbox", name="Message").fill("good morning")
    dialog.get_by_role("button", name="Edit").click()
    for chat in (one, other):
        expect(chat.article("good morning").get_by_text("Edited")).to_be_visible()
    tools.shot("changes", one.page)
    whole(one)
    choose(one, "good morning", "Unsend")
    for chat in (one, other):
        expect(chat.article("Deleted")).to_be_visible()
        expect(chat.article("good morning")).to_have_count(0)


@check("C-118a", "a file is sent by its button; its name and state are in both windows, and after a reload")
def files(tools):
    one, other = two(tools)
    expect(one.button("Attachments")).to_be_visible()
    one.page.locator("input[type=file]").set_input_files({"name": "cat.png", "mimeType": "image/png", "buffer": b"meow"})
    for chat in (one, other):
        file = chat.log.get_by_role("list", name="Attachments").get_by_role("listitem")
        expect(file).to_contain_text("cat.png")
        expect(file).to_have_attribute("data-state", "ready")
        expect(chat.article("A picture.")).to_be_visible()
    one.reload()
    expect(one.log.get_by_role("list", name="Attachments").get_by_role("listitem")).to_contain_text("cat.png")
    tools.shot("changes-file", one.page)
    whole(one)
    before = one.log.get_by_role("article").count()
    one.page.locator("input[type=file]").set_input_files({"name": "empty.txt", "mimeType": "text/plain", "buffer": b""})
    expect(one.page.get_by_role("status").filter(has_text="Not available")).to_have_count(1)
    expect(one.log.get_by_role("article")).to_have_count(before)
    tools.problems[:] = [each for each in tools.problems if "status of 400" not in each]


@check("C-119a", "receipts: a message is read, and the page tells what its reader has seen")
def receipts(tools):
    chat = talk(tools)
    chat.say("hello")
    expect(chat.article("hello")).to_have_attribute("data-delivery", "read")
    expect(chat.article("hello")).to_contain_text("Read")
    tools.server.wait("type:USER_READ_MESSAGE dir:in", count=2)


@check("C-119b", "a page that asks for nothing loads nothing of it")
def plain(tools):
    loaded = []
    chat = talk(tools, plain=True, before=lambda page: page.on("request", lambda each: loaded.append(each.url)))
    chat.say("book")
    expect(chat.article("At seven.")).to_be_visible()
    expect(chat.button("Attachments")).to_have_count(0)
    holds(not [each for each in loaded if "changes" in each], "it loads the changes")
