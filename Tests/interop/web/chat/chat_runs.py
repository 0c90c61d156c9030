"""Agents with tools, as the chat page shows them: a Messaging client like any other, which asks the control API."""

from chat_page import Chat
from playwright.sync_api import expect
from rig import check

TOOLS = """{
  fixture: 1, name: "Slow tools", agent: { name: "Isla" }, pace: "instant",
  tools: {
    weather: { title: "Weather", label: "Checking the weather", takes: "2s", results: [{ gives: { sky: "clear" } }] },
    tide: { title: "Tides", label: "Reading the tide table", takes: "3s", results: [{ gives: { high: "14:20" } }] },
  },
  greeting: [{ say: "Where to?" }],
  stages: { start: [
    { name: "trip", hears: "trip", replies: [{ together: [{ tool: "weather" }, { tool: "tide" }] }, { say: "Go in the morning." }] },
  ] },
}"""


def slow(tools, **more):
    tools.server.post("fixtures", name="slow-tools", text=TOOLS)
    chat = Chat(tools, "slow-tools", **more)
    expect(chat.article("Where to?")).to_be_visible()
    return chat


def say(chat, text):
    chat.textbox.fill(text)
    chat.textbox.press("Enter")


@check("R-101", "tools at work are told in their own words, seen and read out, until the agent speaks")
def at_work(tools):
    chat = slow(tools)
    say(chat, "trip")
    typing = chat.page.locator(".typing")
    expect(typing).to_contain_text("Checking the weather, Reading the tide table")
    expect(chat.page.get_by_role("status", name="Agent activity")).to_have_text("Checking the weather, Reading the tide table")
    tools.shot("chat-tools", chat.page)
    expect(typing).to_have_text("Reading the tide table")
    expect(chat.article("Go in the morning.")).to_be_visible()
    expect(typing).to_be_hidden()


@check("R-102", "an approval is asked for in words, with its answers as buttons")
def approval(tools):
    chat = Chat(tools, "refunds")
    say(chat, "refund order 19")
    expect(chat.article("Approve a £24.00 refund for O-19?")).to_be_visible()
    tools.shot("chat-approval", chat.page)
    chat.suggestions.get_by_role("button", name="Approve", exact=True).click()
    expect(chat.article("The refund is on its way.")).to_be_visible()


@check("R-103", "without the control API, or with a token for it, nobody is asked: there is the sign alone")
def no_control(tools):
    for flags in (["--no-control"], ["--control-token", "secret"]):
        tools.own_server(*flags)
        asked = []
        chat = Chat(tools, "weather", before=lambda page: page.on("request", lambda request: asked.append(request.url)))
        say(chat, "weather in Leeds")
        expect(chat.article("Here is the weather of Leeds.")).to_be_visible()
        assert not [url for url in asked if "/_mock" in url or "runs.js" in url], asked


@check("R-104", "of a fixture without tools it is asked once, and no more")
def once(tools):
    asked = []
    chat = Chat(tools, "booking", before=lambda page: page.on("request", lambda request: asked.append(request.url)))
    for text, words in (("book a table", "For how many people?"), ("4", "Which day")):
        say(chat, text)
        expect(chat.article(words)).to_be_visible()
    assert len([url for url in asked if "/_mock" in url]) == 1, asked
    assert not [url for url in asked if "runs.js" in url], asked


@check("R-105", "tools at work, dark and on a phone: nothing is cut off or too wide")
def looks(tools):
    chat = slow(tools, options={"color_scheme": "dark", "viewport": {"width": 320, "height": 640}})
    say(chat, "trip")
    expect(chat.page.locator(".typing")).to_contain_text("Checking the weather")
    box = chat.page.locator(".typing").bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= 320, box
    assert chat.page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    tools.shot("chat-tools-phone", chat.page)
