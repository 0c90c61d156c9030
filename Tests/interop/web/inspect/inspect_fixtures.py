import os
import re
import shutil
import tempfile

from desk import clipboard, copied, inspector
from playwright.sync_api import expect
from rig import check
from talker import Talker

TEXT = """{
  fixture: 1,
  name: "Hours",
  greeting: [ { say: "Hello" } ],
  anywhere: [
    { name: "hours", hears: ["opening hours", "open"], replies: [ { say: "From noon." } ] },
    { name: "once", hears: "secret", limit: 1, replies: [ { say: "Only once." } ] },
  ],
  otherwise: [ { replies: [ { say: "Pardon?" } ] } ],
  examples: [ { name: "closed", talk: ["user: good evening", "agent: Pardon?"] } ],
}
"""


def shelf(tools, text=TEXT):
    """A server with a folder of one fixture."""
    folder = tempfile.mkdtemp(prefix="polymock-fixtures-")
    tools.closing.callback(shutil.rmtree, folder, ignore_errors=True)
    path = os.path.join(folder, "hours.json5")
    write(path, text)
    tools.own_server("--fixtures", folder, "--fixture", "hours")
    return path


def write(path, text):
    with open(path + ".new", "w") as file:
        file.write(text)
    os.replace(path + ".new", path)


def hears(tools, text):
    talker = Talker(tools.server, "mock:hours")
    talker.wait("POLY_AGENT_MESSAGE")
    return talker.say(text, wait="POLY_AGENT_MESSAGE")["payload"]["text"]


def reload(page, path, text, seen):
    """Writes a text and lets the page look; the server may have looked by itself before, and told the page."""
    write(path, text)
    page.get_by_role("button", name="Reload now").click()
    expect(seen.first).to_be_visible()


@check("I-049", "a file with a mistake leaves the version before in force, and the page says so")
def broken(tools):
    path = shelf(tools)
    page = inspector(tools, "#/fixtures/hours")
    reload(page, path, TEXT.replace("greeting: [", "greeting: [["), page.get_by_text("previous version active"))
    expect(page.get_by_role("list", name="Fixture files")).to_contain_text("error")
    assert hears(tools, "open?") == "From noon."


@check("I-050", "a mended file is heard by new sessions, and not by those under way")
def mended(tools):
    path = shelf(tools)
    page = inspector(tools, "#/fixtures/hours")
    before = Talker(tools.server, "mock:hours")
    before.wait("POLY_AGENT_MESSAGE")
    write(path, TEXT.replace("From noon.", "From eleven."))
    page.get_by_role("button", name="Reload now").click()
    # The server may have looked by itself before.
    expect(page.get_by_role("status", name="Notices")).to_contain_text(re.compile("hours|Nothing changed"))
    assert hears(tools, "open?") == "From eleven."
    assert before.say("open?", wait="POLY_AGENT_MESSAGE")["payload"]["text"] == "From noon."


@check("I-051", "a misspelt name is answered with the likely one")
def misspelt(tools):
    path = shelf(tools)
    page = inspector(tools, "#/fixtures/hours")
    reload(page, path, TEXT.replace("replies: [ { say: \"From", "repplies: [ { say: \"From"), page.get_by_role("table", name="Fixture problems"))
    expect(page.get_by_role("table", name="Fixture problems")).to_contain_text("replies")
    expect(page.get_by_role("table", name="Fixture problems").get_by_role("rowheader").first).to_contain_text("6:")


@check("I-053", "a message is tried without being sent")
def tried(tools):
    shelf(tools)
    page = inspector(tools, "#/fixtures/hours")
    tab, box = page.get_by_role("tab", name="Try"), page.get_by_role("textbox", name="Try message")
    expect(tab.or_(box).first).to_be_visible()
    if tab.is_visible():
        tab.click()
    page.get_by_role("textbox", name="Try message").fill("are you open?")
    page.get_by_role("textbox", name="Try message").press("Enter")
    result = page.get_by_role("status", name="Result")
    expect(result).to_contain_text("hours")
    expect(result.get_by_role("link", name="hours.json5:6")).to_be_visible()
    expect(result).to_contain_text("From noon.")
    assert tools.server.get("wire", last=0)["last"] == 0


@check("I-055", "an unmatched message is counted and explained by its three nearest rules")
def unmatched(tools):
    talker = Talker(tools.server, "mock:booking")
    talker.wait("POLY_AGENT_MESSAGE")
    talker.say("a tabel please", wait="POLY_AGENT_MESSAGE")
    page = inspector(tools, f"#/sessions/{talker.session}/unmatched")
    entry = page.get_by_role("article", name="Unmatched a tabel please")
    near = entry.get_by_role("list", name="Nearest rules").get_by_role("listitem")
    expect(near).to_have_count(3)
    expect(near.first).to_contain_text("book")
    tools.shot("inspect-unmatched")


@check("I-056", "a rule that misses by a letter names both words and how many letters differ")
def letter(tools):
    talker = Talker(tools.server, "mock:booking")
    talker.wait("POLY_AGENT_MESSAGE")
    talker.say("a tabel please", wait="POLY_AGENT_MESSAGE")
    page = inspector(tools, f"#/sessions/{talker.session}/unmatched")
    near = page.get_by_role("list", name="Nearest rules").get_by_role("listitem").first
    expect(near).to_contain_text('"table" is one letter away from "tabel"')
    expect(near.locator("del")).to_be_visible()
    expect(near.locator("ins")).to_be_visible()


@check("I-057", "a rule of another stage is named with that stage; the present one stands above")
def stage(tools):
    talker = Talker(tools.server, "mock:booking")
    talker.wait("POLY_AGENT_MESSAGE")
    talker.say("four of us", wait="POLY_AGENT_MESSAGE")
    page = inspector(tools, f"#/sessions/{talker.session}/unmatched")
    entry = page.get_by_role("article", name="Unmatched four of us")
    expect(entry).to_contain_text("stage start")
    expect(entry.get_by_role("list", name="Nearest rules")).to_contain_text('belongs to stage "people"')


@check("I-058", "a rule that is used up says how often it has answered")
def usedUp(tools):
    shelf(tools)
    talker = Talker(tools.server, "mock:hours")
    talker.wait("POLY_AGENT_MESSAGE")
    for _ in range(2):
        talker.say("the secret", wait="POLY_AGENT_MESSAGE")
    page = inspector(tools, f"#/sessions/{talker.session}/unmatched")
    entry = page.get_by_role("article", name="Unmatched the secret")
    entry.get_by_text("Report", exact=True).click()
    expect(entry).to_contain_text("has answered 1 time already")


@check("I-059", "the copied rule, put into the fixture, hears the message")
def copyRule(tools):
    path = shelf(tools)
    talker = Talker(tools.server, "mock:hours")
    talker.wait("POLY_AGENT_MESSAGE")
    talker.say("where are you", wait="POLY_AGENT_MESSAGE")
    page = inspector(tools, f"#/sessions/{talker.session}/unmatched", **clipboard())
    page.get_by_role("button", name="Copy rule for this message").click()
    expect(page.get_by_role("status", name="Notices")).to_contain_text("Rule copied")
    write(path, TEXT.replace("  anywhere: [\n", "  anywhere: [\n    " + copied(page) + "\n"))
    page.goto(f"{tools.server.base}/inspect#/fixtures/hours")
    page.get_by_role("button", name="Reload now").click()
    # The server may have looked by itself before.
    expect(page.get_by_role("status", name="Notices")).to_contain_text(re.compile("hours|Nothing changed"))
    assert hears(tools, "where are you") == "An answer."
