"""How checks of the inspector open it and read its tables."""

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


def until(page, condition, argument=None):
    page.wait_for_function(condition, arg=argument, timeout=10_000)
