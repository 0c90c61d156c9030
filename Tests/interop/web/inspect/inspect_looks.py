import pathlib

from axe_playwright_python.sync_playwright import Axe
from desk import WIDE, detail, inspector, row, until, upload, wire_of
from playwright.sync_api import expect
from rig import check
from talker import Talker

PLACES = ["#/sessions", "#/fixtures", "#/faults", "#/clock", "#/metrics", "#/log", "#/import", "#/violations", "#/unmatched"]


def talk(tools):
    tools.own_server()
    talker = Talker(tools.server, "mock:booking@tag=looks")
    talker.wait("POLY_AGENT_MESSAGE")
    for text in ("a tabel please", "a table please"):
        talker.say(text, wait="POLY_AGENT_MESSAGE")
    talker.send("NONSENSE")
    talker.wait("SYSTEM_MESSAGE")
    tools.server.post("faults", name="tunnel")
    return talker


def serious(page, where):
    found = Axe().run(page).response["violations"]
    return [f"{where}: {each['id']} {each['nodes'][0]['html'][:160]}" for each in found if each["impact"] in ("serious", "critical")]


@check("I-068", "the keyboard alone: filter, rows, detail, pause, help")
def keyboard(tools):
    talker = Talker(tools.server, "mock:booking")
    talker.wait("POLY_AGENT_MESSAGE")
    talker.say("a table please", wait="POLY_AGENT_MESSAGE")
    page, table = wire_of(tools, talker.session)
    expect(row(table, "For how many people?")).to_be_visible()
    page.keyboard.press("/")
    expect(page.get_by_role("searchbox", name="Filter wire")).to_be_focused()
    page.keyboard.type("dir:out kind:ws")
    page.keyboard.press("Enter")
    until(page, "location.hash.includes('dir')")
    expect(table.locator(".in")).to_have_count(0)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("j")
    expect(table.locator("[aria-current=true]")).to_be_focused()
    focus = "getComputedStyle(document.activeElement).outlineStyle !== 'none'"
    assert page.evaluate(focus)
    page.keyboard.press("Enter")
    until(page, "document.activeElement.closest('.detail')")
    page.keyboard.press("Escape")
    expect(detail(page)).to_be_hidden()
    page.keyboard.press("p")
    expect(page.get_by_role("status", name="Feed")).to_have_text("Paused")
    page.keyboard.press("p")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Help")).to_be_visible()
    page.keyboard.press("Escape")
    for key, heading in (("t", "Faults"), ("c", "Clock"), ("m", "Metrics"), ("f", "Fixtures"), ("l", "Server log"), ("s", "Sessions")):
        page.keyboard.press("g")
        page.keyboard.press(key)
        expect(page.get_by_role("heading", level=2, name=heading)).to_be_visible()


def over(page, place, name):
    """Opens what is named at a place: a dialog or a menu."""
    page.evaluate("place => { location.hash = place }", place)
    if name == "?":
        page.wait_for_timeout(250)
        page.keyboard.press("?")
    else:
        page.get_by_role("button", name=name, exact=True).first.click()
    shown = page.locator("[popover]:popover-open, dialog[open], [role=menu]").first
    expect(shown).to_be_visible()
    return shown


def looked_at(tools, name, options, size=None):
    """Every view and everything that opens over one: what axe finds, and what is wider than the window."""
    talker = talk(tools)
    own = [f"#/sessions/{talker.session}/{tab}" for tab in ("conversation", "wire?row=8", "state", "agent", "faults", "unmatched")]
    overlays = [("#/sessions", "?"), (own[3], "Add…"), (own[3], "More steps…"), (own[3], "Send an event…"), (own[0], "Session actions"), (own[0], "Export"), ("#/import", "Reset server"), ("#/faults", "Remove all faults")]
    problems = []
    page = inspector(tools, **{"viewport": WIDE, **options})
    if size:
        page.evaluate("size => { document.documentElement.style.fontSize = size }", size)
    for place in PLACES + own:
        page.evaluate("place => { location.hash = place }", place)
        page.wait_for_timeout(250)
        problems += serious(page, place)
        tools.shot(f"inspect-{name}-{place.replace(talker.session, 'session').strip('#/').replace('/', '-').split('?')[0]}", page)
        wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        if wide > 0:
            problems.append(f"{place}: {wide} px wider than the window")
    for place, button in overlays:
        # Where there is no room, its items are in the menu of the session.
        if button == "Export" and page.evaluate("matchMedia('(max-width: 900px)').matches"):
            continue
        shown = over(page, place, button)
        problems += serious(page, f"{place}, {button}")
        tools.shot(f"inspect-{name}-over-{button.strip('…?').replace(' ', '-') or 'keys'}", page)
        page.keyboard.press("Escape")
        expect(shown).to_be_hidden()
    assert not problems, "\n".join(problems).replace(talker.session, "ID")


for number, name, options, size in (
    ("I-074", "light", {}, None), ("I-074a", "dark", {"color_scheme": "dark"}, None), ("I-074b", "320", {"viewport": {"width": 320, "height": 640}}, None),
    ("I-074c", "text", {"viewport": {"width": 900, "height": 700}}, "26px"), ("I-074d", "forced-colours", {"forced_colors": "active"}, None),
):
    check(number, f"no serious finding of axe in any view, menu or dialog: {name}", edge=number != "I-074")(
        lambda tools, name=name, options=options, size=size: looked_at(tools, name, options, size))


@check("I-074e", "on a phone controls are 40 px high, the head of a session leaves room, and a fixture is a screen of its own")
def phone(tools):
    talker = talk(tools)
    small = """() => [...document.querySelectorAll("button, select, input:not([type=checkbox], [type=radio]), summary, textarea, nav a, .files a")]
        .filter((each) => each.checkVisibility() && !each.closest("table, .message, .tree, .skip") && !each.matches(".link"))
        .map((each) => [each.getBoundingClientRect().height, each.getAttribute("aria-label") ?? each.textContent]).filter(([height]) => height < 40)"""
    page = inspector(tools, **{"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True})
    for place in PLACES + [f"#/sessions/{talker.session}/{tab}" for tab in ("conversation", "wire", "state", "agent", "faults", "unmatched")]:
        page.evaluate("place => { location.hash = place }", place)
        page.wait_for_timeout(250)
        assert page.evaluate(small) == [], place
    page.evaluate("place => { location.hash = place }", f"#/sessions/{talker.session}/conversation")
    log = page.get_by_role("log", name="Conversation")
    expect(log).to_be_visible()
    assert log.bounding_box()["y"] <= 260, log.bounding_box()
    page.evaluate("location.hash = '#/fixtures'")
    page.get_by_role("list", name="Fixture files").get_by_role("link", name="booking").click()
    expect(page.get_by_role("textbox", name="Text of booking")).to_be_visible()
    expect(page.get_by_role("list", name="Fixture files")).to_be_hidden()
    page.get_by_role("link", name="All fixtures").click()
    expect(page.get_by_role("list", name="Fixture files")).to_be_visible()


@check("I-075", "nothing but the server is asked, and the page's own scripts load no markup")
def alone(tools):
    talker = talk(tools)
    page = inspector(tools)
    for place in PLACES + [f"#/sessions/{talker.session}/{tab}" for tab in ("conversation", "wire", "state", "agent", "faults", "unmatched")]:
        page.evaluate("place => { location.hash = place }", place)
        page.wait_for_timeout(150)
    assert not tools.last.strangers, tools.last.strangers
    folder = pathlib.Path(__file__).parents[4] / "Server/Pages/web/inspect"
    for file in folder.glob("*.js"):
        text = file.read_text()
        assert not any(word in text for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "DOMParser", "eval(", "new Function", "document.write")), file.name


LINE = (
    '{"n":1,"t":"2026-01-15T09:30:00.000Z","mt":"2026-01-15T09:30:00.000Z","dir":"in","kind":"ws","session":"s","socket":1,"type":"USER_MESSAGE","size":61,'
    '"raw":"{\\"type\\":\\"EVENT_TYPE_USER_MESSAGE\\",\\"payload\\":{\\"text\\":\\"Hi\\"}}"}\n')


@check("I-083", "ten thousand rows: first paint within 1.5 times that of a hundred, 120 rows in the page", edge=True)
def many(tools):
    tools.own_server()
    times = []
    for number in (100, 10_000):
        tools.server.call("POST", "/_mock/reset", {"log": True})
        upload(tools, LINE * number)
        best = 1e9
        for _ in range(3):
            page = inspector(tools, "#/sessions")
            until(page, "number => fetch('/_mock/wire?last=0').then(a => a.json()).then(a => a.last >= number)", number)
            page.wait_for_timeout(1200)
            best = min(best, page.evaluate("""() => new Promise(done => {
                const start = performance.now()
                location.hash = '#/log'
                const look = () => document.querySelector('.wire-table tbody th') ? requestAnimationFrame(() => done(performance.now() - start)) : requestAnimationFrame(look)
                look()
            })"""))
        times.append(best)
        assert page.locator(".wire-table tbody tr").count() <= 120
    print(f"# first paint of the wire: 100 rows {times[0]:.0f} ms, 10,000 rows {times[1]:.0f} ms")
    tools.shot("inspect-10000")


def caught_up(page, last):
    """The page asks for 2,000 rows a second; what was left out comes when it is asked for."""
    for _ in range(400):
        if page.evaluate("last => Number(document.querySelector('.wire-table tbody tr:nth-last-child(2) th')?.textContent) === last", last):
            return
        # It goes when they are there, perhaps between a look and a click.
        page.evaluate("[...document.querySelectorAll('.foot button:not([hidden])')].find(each => each.textContent.includes('left out'))?.click()")
        page.wait_for_timeout(50)
    raise AssertionError(f"row {last} never came")


@check("I-087", "thirty thousand rows while it follows: rows, nodes and memory stay bounded", edge=True)
def bounded(tools):
    tools.own_server()
    page = inspector(tools, "#/log")
    table = page.get_by_role("table", name="Wire timeline")
    sizes = []
    for bunch in range(1, 7):
        upload(tools, LINE * 5000)
        caught_up(page, bunch * 5000)
        sizes.append((page.evaluate("document.querySelectorAll('*').length"), page.evaluate("performance.memory.usedJSHeapSize") >> 20))
        assert table.get_by_role("row").count() <= 121
        assert int(table.get_attribute("aria-rowcount")) <= 10_500
    print(f"# nodes and MB of the heap after each 5,000 rows: {sizes}")
    assert sizes[-1][0] < sizes[1][0] * 1.2, sizes
