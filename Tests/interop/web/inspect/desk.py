"""How checks of the inspector open it and read its tables.

Requests of a page stand still while a check waits for the server by itself, since the rig looks at each of them: a
check waits for what the page shows first.
"""

import json
import urllib.request

from playwright.sync_api import expect

WIDE = {"width": 1360, "height": 840}
CELLS = "table => [...table.querySelectorAll('tbody tr:not(.space)')].map(row => [...row.children].map(cell => cell.textContent.trim()))"
COLUMNS = ["n", "time", "delta", "direction", "kind", "type", "seq", "size", "latency", "summary"]


def inspector(tools, place="", **options):
    page = tools.page("/inspect" + place, **{"viewport": WIDE, **options})
    expect(page.get_by_role("status", name="Feed")).to_have_text("Live", timeout=20_000)
    return page


def wire_of(tools, session, query="", **options):
    page = inspector(tools, f"#/sessions/{session}/wire{query}", **options)
    return page, page.get_by_role("table", name="Wire timeline")


def lines(table):
    """The rows in sight of a session's wire, as objects."""
    return [dict(zip(COLUMNS, cells)) for cells in table.evaluate(CELLS)]


def row(table, text):
    return table.get_by_role("row").filter(has_text=text)


def detail(page):
    return page.get_by_role("region", name="Frame detail")


def copied(page):
    return page.evaluate("navigator.clipboard.readText()")


def clipboard():
    return {"permissions": ["clipboard-read", "clipboard-write"]}


def chat(tools, token):
    """The chat page in a profile of its own."""
    page = tools.page("/chat?start=new&token=" + token.replace("+", "%2B").replace("@", "%40"))
    expect(page.get_by_role("article").first).to_be_visible(timeout=15_000)
    return page


def say(page, text):
    page.get_by_role("textbox", name="Message").fill(text)
    page.get_by_role("textbox", name="Message").press("Enter")


def until(page, expression, argument=None):
    """Waits until an expression is true. The page's policy keeps Playwright from waiting inside of it."""
    for _ in range(200):
        if page.evaluate(expression, argument):
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"never true: {expression}")


def upload(tools, lines):
    """Rows as a session to look at; what the server says of it."""
    request = urllib.request.Request(
        tools.server.base + "/_mock/import", data=lines.encode(), method="POST", headers={"Content-Type": "application/x-ndjson"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)
