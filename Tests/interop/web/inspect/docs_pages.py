"""The documentation at /docs: every page, every link, the search, the keyboard, a phone."""

from urllib.parse import unquote

from chat_looks import serious
from playwright.sync_api import expect
from rig import check

READ = """() => ({ title: document.querySelector('main h1').textContent.trim(), ids: [...document.querySelectorAll('main [id]')].map(each => each.id),
    links: [...document.querySelectorAll('main a')].map(each => each.getAttribute('href')), over: document.documentElement.scrollWidth - innerWidth })"""


def walk(tools, **options):
    """Opens each page by its address; (the pages by theirs, the browser's page)."""
    page = tools.page("/docs", bypass_csp=True, **options)
    expect(page.get_by_role("heading", level=1)).to_have_text("polymock")
    found = {}
    for place, title in page.evaluate("[...document.querySelectorAll('nav a')].map(each => [each.hash, each.textContent])"):
        page.evaluate("place => { location.hash = place }", place)
        expect(page).to_have_title(f"{title} – polymock")
        found[place] = page.evaluate(READ)
        assert found[place]["title"] == title, (place, found[place]["title"])
        assert found[place]["over"] <= 0, f"{place} is {found[place]['over']} px too wide"
    return found, page


@check("I-091", "the documentation: each page opens, each link leads to a page and a heading that are there; the search finds")
def pages(tools):
    found, page = walk(tools, viewport={"width": 1280, "height": 860})
    assert len(found) > 40, len(found)
    links = [(place, link) for place, each in found.items() for link in each["links"]]
    search = page.get_by_role("searchbox", name="Search the documentation")
    for words in ("cursor", "fault", "token expiry"):
        search.fill(words)
        expect(page.get_by_role("status")).to_contain_text("found")
        links += [(words, link) for link in page.evaluate(READ)["links"]]
    for place, link in links:
        name, _, heading = link[1:].partition("#")
        assert link.startswith("https://") or link.startswith("http://") or "#" + name in found, f"{place}: {link}"
        assert not heading or not link.startswith("#") or unquote(heading) in found["#" + name]["ids"], f"{place}: {link}"


@check("I-092", "the documentation by the keyboard: to the content, to the search, to the first hit and back")
def keyboard(tools):
    page = tools.page("/docs", bypass_csp=True, viewport={"width": 1280, "height": 860})
    main = page.get_by_role("main")
    expect(page.get_by_role("heading", level=1)).to_have_text("polymock")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to content")).to_be_focused()
    page.keyboard.press("Enter")
    expect(main).to_be_focused()
    page.keyboard.press("/")
    page.keyboard.type("cursor")
    expect(page.get_by_role("status")).to_contain_text("found")
    page.keyboard.press("Enter")
    expect(main.get_by_role("link").first).to_be_focused()
    page.keyboard.press("Enter")
    expect(main).to_be_focused()
    expect(page).not_to_have_title("Search: cursor – polymock")
    page.go_back()
    expect(page).to_have_title("Search: cursor – polymock")
    expect(page.get_by_role("searchbox")).to_have_value("cursor")
    problems = serious(page)
    assert not problems, problems


@check("I-092a", "the documentation on a phone, dark: no page is wider than the screen", edge=True)
def phone(tools):
    _, page = walk(tools, viewport={"width": 390, "height": 844}, color_scheme="dark")
    tools.shot("docs-phone", page)
    problems = serious(page)
    assert not problems, problems
