"""Presentation, accessibility and budgets."""

import json
import pathlib
import shutil
import tempfile
import zlib

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect
from chat_page import Chat, contains, count, holds, near
from rig import check

CONTRAST = """() => {
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    const rgb = text => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = text; canvas.fillRect(0, 0, 1, 1); return [...canvas.getImageData(0, 0, 1, 1).data]; };
    const light = c => c.slice(0, 3).map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4).reduce((s, v, i) => s + v * [0.2126, 0.7152, 0.0722][i], 0);
    const ground = e => { for (; e; e = e.parentElement) { const c = rgb(getComputedStyle(e).backgroundColor); if (c[3] === 255) return c; } };
    return Object.fromEntries(['.bubble', '[data-kind=user] .bubble', '.name', '.meta', '.divider', '.pill', 'h1', '.presence', 'textarea'].map(s => {
        const e = document.querySelector(s); if (!e) return [s, null];
        const [a, b] = [light(rgb(getComputedStyle(e).color)), light(ground(e))].sort((x, y) => y - x);
        return [s, (a + 0.05) / (b + 0.05)];
    }));
}"""


def talk(tools, **more):
    """A talk with one row of each kind."""
    chat = Chat(tools, "hello", **more)
    contains(chat.articles.first, "Hello from Ada")
    chat.push("SYSTEM_MESSAGE", {"level": "WARNING", "message": "Replies may take a little longer today."})
    chat.textbox.fill("Could you **please** look at https://example.com/a-long-path/that-goes-on?and=on for me?")
    chat.textbox.press("Enter")
    contains(chat.articles.last, "You said:")
    chat.agent_says("There is **one** more thing:\n\n- a list\n- with `code`\n\nAnd [a link](https://example.com).", suggestions=["Tell me more", "No, thank you"])
    contains(chat.articles.last, "And a link")
    chat.idle()
    return chat


@check("C-126", "dark: its own ground, and enough contrast")
def dark(tools):
    chat = talk(tools, options={"color_scheme": "dark"})
    tools.shot("dark")
    holds(chat.page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(18, 20, 23)", "another ground")
    found = chat.page.evaluate(CONTRAST)
    low = {name: value for name, value in found.items() if value and value < 4.5}
    holds(len([v for v in found.values() if v]) >= 6 and not low, found)


@check("C-127", "forced colours give bubbles a border", edge=True)
def forced(tools):
    chat = talk(tools, options={"forced_colors": "active"})
    tools.shot("forced-colours")
    for selector in ("[data-kind=user] .bubble", "[data-agent-kind=poly] .bubble"):
        border = chat.page.locator(selector).first.evaluate("e => [getComputedStyle(e).borderTopWidth, getComputedStyle(e).borderTopColor, getComputedStyle(e).backgroundColor]")
        holds(border[0] != "0px" and border[1] != border[2], border)


@check("C-128", "from right to left: own bubbles on the left, the icon turned")
def right_to_left(tools):
    chat = Chat(tools, "rtl", lang="ar", wait=None)
    expect(chat.root).to_have_attribute("data-phase", "open")
    chat.page.get_by_role("textbox").fill("مرحبا iPhone 15")
    chat.page.get_by_role("textbox").press("Enter")
    bubble = chat.page.locator("article[data-kind=user] .bubble")
    expect(bubble).to_have_text("مرحبا iPhone 15")
    box, width = bubble.bounding_box(), chat.page.viewport_size["width"]
    holds(box["x"] + box["width"] / 2 < width / 2, box)
    turned = chat.page.locator(".send .icon").evaluate("e => getComputedStyle(e).transform")
    holds(turned.startswith("matrix(-1"), turned)
    chat.idle()
    tools.shot("right-to-left")


@check("C-129", "320 x 568: nothing is cut off")
def small(tools):
    chat = talk(tools, options={"viewport": {"width": 320, "height": 568}})
    tools.shot("320")
    wide = chat.page.evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth, document.querySelector('[role=log]').scrollWidth - document.querySelector('[role=log]').clientWidth]")
    holds(wide[0] == wide[1] and wide[2] <= 0, wide)
    expect(chat.textbox).to_be_in_viewport(ratio=1)
    expect(chat.send).to_be_in_viewport(ratio=1)
    box = chat.send.bounding_box()
    holds(box["width"] >= 44 and box["height"] >= 44, box)


@check("C-130", "text of twice the size: header and composer are whole")
def large(tools):
    chat = talk(tools)
    chat.page.evaluate("document.documentElement.style.fontSize = '200%'")
    tools.shot("200-percent")
    cut = chat.page.evaluate("""[...document.querySelectorAll('header *, .foot *')].filter(e => e.checkVisibility() && !e.closest('svg, .avatar'))
        .filter(e => e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflowX !== 'visible' && e.clientWidth || e.getBoundingClientRect().right > innerWidth + 1).map(e => e.className || e.tagName)""")
    holds(not cut, cut)


@check("C-129a", "long names and words wrap, in a small window, too", edge=True)
def long_names(tools):
    name = "Dr. Maximiliane-Theresia von und zu Hohenstauffen-Schellenberg of the Department of Everything"
    for number, size in enumerate(({"width": 900, "height": 720}, {"width": 320, "height": 568})):
        chat = Chat(tools, "quiet", tag=f"long-{number}", config={"header": name, "agent": name}, options={"viewport": size})
        chat.person("takeOver")
        chat.person("join", name=name)
        chat.person("send", text="Donaudampfschifffahrtsgesellschaftskapitän" * 4)
        chat.say("https://example.com/" + "a-very-long-path/" * 12)
        chat.agent_says("Choose", suggestions=["An answer that is as long as answers may be when nobody thinks of a small window " * 2])
        expect(chat.suggestions).to_be_visible()
        chat.idle()
        tools.shot(f"long-names-{size['width']}")
        wide = chat.page.evaluate("[document.documentElement.scrollWidth - innerWidth, document.querySelector('[role=log]').scrollWidth - document.querySelector('[role=log]').clientWidth]")
        holds(max(wide) <= 0, wide)


@check("C-131", "everything that can be used has a name; ids are unique; the focus is seen")
def names(tools):
    chat = talk(tools)
    nameless = chat.page.evaluate("""[...document.querySelectorAll('button, a[href], textarea, [role=menuitem]')].filter(e => e.checkVisibility())
        .filter(e => !(e.getAttribute('aria-label') || e.innerText || '').trim()).map(e => e.outerHTML.slice(0, 80))""")
    holds(not nameless, nameless)
    ids = chat.page.eval_on_selector_all("[id]", "all => all.map(e => e.id)")
    holds(len(ids) == len(set(ids)), ids)
    chat.page.evaluate("document.activeElement.blur()")
    for _ in range(8):
        chat.page.keyboard.press("Tab")
        seen = chat.page.evaluate("""() => { const e = document.activeElement; if (e === document.body) return true; const own = getComputedStyle(e), box = e.closest('form') && getComputedStyle(e.closest('form'));
            return (own.outlineStyle !== 'none' && parseFloat(own.outlineWidth) >= 2) || (e.tagName === 'TEXTAREA' && box.boxShadow !== 'none'); }""")
        holds(seen, "no ring at " + str(chat.focused()))


@check("C-132", "Tab goes menu, log, suggestions, composer, Send")
def tab_order(tools):
    chat = Chat(tools, "suggest")
    expect(chat.suggestions).to_be_visible()
    chat.textbox.fill("x")
    chat.page.evaluate("document.activeElement.blur(); getSelection().removeAllRanges(); document.body.tabIndex = -1; document.body.focus(); document.body.removeAttribute('tabindex')")
    order = []
    for _ in range(7):
        chat.page.keyboard.press("Tab")
        order.append(chat.focused())
    holds(order == ["Conversation menu", "Conversation", "Book a table", "Opening hours", "Talk to a person", "Message", "Send message"], order)


@check("C-133", "no console error and no violation of the policy in a whole talk; each check looks for them, too")
def clean(tools):
    chat = talk(tools)
    chat.menu("Show times") if chat.page.get_by_role("menuitem", name="Show times").count() else None
    chat.reload()
    holds(not tools.last.strangers or all("example.com" in url for url in tools.last.strangers), tools.last.strangers)
    policy = chat.answer.headers.get("content-security-policy", "")
    holds("require-trusted-types-for 'script'" in policy, policy)


# A visit of everything but what is asked for later (menus, dialogs, other languages). It may not grow unnoticed.
BUDGET, COMPRESSED = 130 * 1024, 47 * 1024


@check("C-134", f"a visit transfers at most {BUDGET // 1024} KB, {COMPRESSED // 1024} KB compressed")
def transferred(tools):
    sizes, small = {}, []
    def note(response):
        path = response.url.split("?")[0].removeprefix(tools.server.base)
        if path == "/chat" or path.startswith("/pages/") and not path.endswith("config.json"):
            sizes[path] = len(response.body())
            small.append(len(zlib.compress(response.body())))
    chat = Chat(tools, before=lambda page: page.on("response", note))
    contains(chat.articles.first, "Hello")
    print(f"   {sum(sizes.values())} bytes in {len(sizes)} files, {sum(small)} compressed")
    holds(sum(small) <= COMPRESSED, f"{sum(small)} bytes compressed")
    holds(sum(sizes.values()) <= BUDGET, f"{sum(sizes.values())} bytes: " + json.dumps(dict(sorted(sizes.items(), key=lambda x: -x[1]))))


@check("C-135", "out of sight: the title counts, and a divider stands before what is new")
def hidden(tools):
    chat = Chat(tools)
    contains(chat.articles.first, "Hello")
    # A greeting that ends out of sight would count as well.
    chat.idle()
    see = "hidden => { Object.defineProperty(document, 'hidden', { value: hidden, configurable: true }); document.dispatchEvent(new Event('visibilitychange')); }"
    chat.page.evaluate(see, True)
    chat.agent_says("While you were away")
    expect(chat.page).to_have_title("(1) Ada")
    chat.page.evaluate(see, False)
    expect(chat.page).to_have_title("Ada")
    expect(chat.log.get_by_role("separator", name="New messages")).to_be_visible()
    tools.shot("unread")


@check("C-135a", "what came while the page was closed stands behind the divider", edge=True)
def returned(tools):
    chat = Chat(tools)
    contains(chat.articles.first, "Hello")
    chat.idle()
    chat.page.goto("about:blank")
    chat.agent_says("While the page was closed")
    chat.page.goto(chat.address)
    contains(chat.articles.last, "While the page was closed")
    expect(chat.log.get_by_role("separator", name="New messages")).to_be_visible()
    count(chat.log.get_by_role("separator"), 2)


@check("C-060a", "an address with #m- leads to its message", edge=True)
def linked(tools):
    chat = Chat(tools, "history-500")
    chat.until("document.querySelector('article:last-of-type')?.dataset.id === 'past-500'")
    chat.page.goto("about:blank")
    chat.page.goto(chat.address + "#m-past-250")
    article = chat.page.locator("article[data-id='past-250']")
    expect(article).to_be_in_viewport()
    expect(article).to_be_focused()


@check("C-136", "messages six minutes apart have their times between them")
def times(tools):
    chat = Chat(tools, "quiet")
    def frame(n, time):
        return {"id": f"x{n}", "sequence": 100 + n, "timestamp": time, "type": "EVENT_TYPE_POLY_AGENT_MESSAGE",
                "payload": {"message_id": f"m{n}", "text": f"Message {n}", "attachments": [], "response_suggestions": []}}
    for n, time in enumerate(["2026-01-14T15:42:00.000Z", "2026-01-15T09:30:00.000Z", "2026-01-15T09:33:00.000Z", "2026-01-15T09:39:30.000Z"], 1):
        chat.frame(frame(n, time))
    contains(chat.articles.last, "Message 4")
    chat.idle()
    labels = chat.log.get_by_role("separator").evaluate_all("all => all.map(e => e.getAttribute('aria-label'))")
    holds(labels == ["Yesterday 15:42", "Today 09:30", "Today 09:39"], labels)


@check("C-137", "the strip of debug=1 tells the server's last sequence")
def diagnostics(tools):
    chat = Chat(tools, debug=1)
    chat.say("count")
    contains(chat.articles.last, "You said: count")
    last = max(each["sequence"] for each in tools.server.get(f"sessions/{chat.session}/journal")["entries"])
    contains(chat.page.locator("[data-part=diagnostics]"), f"sequence {last} ")


@check("C-137a", "the settings of debug=1 begin a talk with them", edge=True)
def panel(tools):
    chat = Chat(tools, debug=1)
    first = chat.session
    chat.page.get_by_text("Settings").click()
    form = chat.page.get_by_role("form", name="Settings of the next conversation")
    form.get_by_label("Platform").fill("ios")
    form.get_by_label("Streaming").select_option("0")
    form.get_by_label("Theme").select_option("dark")
    tools.shot("debug")
    form.get_by_role("button").click()
    chat.page.wait_for_url("**platform=ios**")
    chat.phase("open")
    contains(chat.articles.first, "Hello from Ada")
    holds(chat.session != first, "the same talk")
    expect(chat.page.locator("html")).to_have_attribute("data-theme", "dark")
    raw = tools.server.wire(f"dir:in kind:rest session:{chat.session} type:sessions")[0]["raw"]
    holds('"platform":"ios"' in raw and '"streaming_enabled":false' in raw, raw)


@check("C-001d", "inputs without text: suggestions alone", edge=True)
def no_text(tools):
    chat = Chat(tools, "suggest", inputs="files")
    expect(chat.suggestions).to_be_visible()
    expect(chat.textbox).to_be_hidden()
    chat.button("Opening hours").click()
    contains(chat.articles.filter(has=chat.page.locator(":scope[data-kind=user]")).last, "Opening hours")
    holds(chat.focused() == "Conversation", chat.focused())
    # The configuration says the same, and the page's own parameter wins.
    chat = Chat(tools, "suggest", config={"inputs": "files"})
    expect(chat.suggestions).to_be_visible()
    expect(chat.textbox).to_be_hidden()
    expect(Chat(tools, "suggest", config={"inputs": "files"}, inputs="text").textbox).to_be_visible()


def serious(page):
    found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    return [f"{each['id']}: {each['nodes'][0]['target']} {each['nodes'][0].get('failureSummary', '')[:160]}" for each in found if each["impact"] in ("serious", "critical")]


def axe(number, sentence, options, after=None, edge=True):
    @check(number, "axe: " + sentence, edge=edge)
    def run(tools):
        # axe brings its source in by a way that the page's policy does not allow; only here is it off.
        chat = talk(tools, options={"bypass_csp": True, **options})
        if after:
            after(chat)
        problems = serious(chat.page)
        holds(not problems, problems)
    return run


def keyed(chat, *keys):
    chat.log.focus()
    for key in keys:
        chat.page.keyboard.press(key)


# What opens over the talk, and how; Escape closes it.
OVERLAYS = {
    "menu": lambda chat: chat.button("Conversation menu").click(),
    "alertdialog": lambda chat: chat.menu("End conversation"),
    "actions": lambda chat: keyed(chat, "ArrowUp", "Shift+F10"),
    "details": lambda chat: (keyed(chat, "ArrowUp", "Shift+F10"), chat.page.get_by_role("menuitem", name="Message details").click()),
    "shortcuts": lambda chat: keyed(chat, "?"),
    "viewer": lambda chat: chat.button("Green hills").click(),
}
PICTURE = "data:image/svg+xml,<svg xmlns=%27http://www.w3.org/2000/svg%27 width=%27440%27 height=%27280%27><rect width=%27440%27 height=%27280%27 fill=%27%232e7d32%27/></svg>"


def all_overlays(number, sentence, options, size=None, edge=True):
    @check(number, f"axe: {sentence}, with every menu and dialog", edge=edge)
    def run(tools):
        chat = talk(tools, options={"bypass_csp": True, **options})
        if size:
            chat.page.evaluate("size => { document.documentElement.style.fontSize = size }", size)
        chat.agent_says("Look at this", attachments=[{"title": "Green hills", "image": PICTURE}], suggestions=["More of these"])
        expect(chat.button("Green hills")).to_be_visible()
        problems = serious(chat.page)
        for name, open_it in OVERLAYS.items():
            open_it(chat)
            shown = chat.page.locator("[popover]:popover-open, dialog[open]")
            expect(shown).to_be_visible()
            box, view = shown.bounding_box(), chat.page.viewport_size
            if box["x"] < 0 or box["y"] < 0 or box["x"] + box["width"] > view["width"] + 1 or box["y"] + box["height"] > view["height"] + 1:
                problems.append(f"{name} is not whole in the window: {box}")
            problems += [f"{name}: {each}" for each in serious(chat.page)]
            tools.shot(f"{sentence.replace(' ', '-')}-{name}")
            chat.page.keyboard.press("Escape")
            # Not only closed: what closes gives the focus back as it goes.
            expect(chat.page.locator(".menu, dialog")).to_have_count(0)
        holds(not problems, problems)
    return run


all_overlays("C-131a", "light", {}, edge=False)
all_overlays("C-131b", "dark", {"color_scheme": "dark"}, edge=False)
all_overlays("C-131c", "320 px", {"viewport": {"width": 320, "height": 568}})
all_overlays("C-131d", "text of twice the size", {}, size="200%")


@check("C-134a", "after 1,000 messages and a new talk the page has the nodes of a fresh one", edge=True)
def nodes(tools):
    chat = Chat(tools, "quiet")
    def count_nodes():
        chat.idle()
        return chat.page.evaluate("document.querySelectorAll('*').length")
    fresh = count_nodes()
    def frame(n):
        return {"id": f"x{n}", "sequence": 100 + n, "timestamp": "2026-01-15T09:30:00.000Z", "type": "EVENT_TYPE_POLY_AGENT_MESSAGE",
                "payload": {"message_id": f"m{n}", "text": f"Message **{n}**", "attachments": [], "response_suggestions": []}}
    for start in range(0, 1000, 250):
        events = [frame(n) for n in range(start, start + 250)]
        chat.frame({"id": f"b{start}", "sequence": None, "timestamp": "2026-01-15T09:30:00.000Z", "type": "EVENT_TYPE_EVENT_BATCH", "payload": {"events": events}})
    contains(chat.articles.last, "Message 999")
    holds(chat.articles.count() <= 200, f"{chat.articles.count()} articles")
    chat.menu("Start new conversation")
    chat.phase("open")
    count(chat.articles, 0)
    after = count_nodes()
    holds(after <= fresh * 1.1, f"{fresh} nodes, then {after}")


@check("C-039a", "a reply of 200 pieces keeps the page free", edge=True)
def tasks(tools):
    chat = Chat(tools, "stream-long")
    contains(chat.articles.first, "Say anything")
    chat.page.evaluate("window.long = []; new PerformanceObserver(all => long.push(...all.getEntries().map(e => e.duration))).observe({ type: 'longtask' })")
    chat.say("Tell me")
    contains(chat.page.locator("article[data-kind=agent]").nth(1), "The end.")
    # Told, never judged: a busy machine makes long tasks of short ones.
    print(f"   tasks over 50 ms: {chat.page.evaluate('long')}")


@check("C-013a", "a browser that keeps nothing still chats", edge=True)
def blocked(tools):
    chat = Chat(tools, before=lambda page: page.add_init_script(
        "for (const name of ['sessionStorage', 'localStorage']) Object.defineProperty(window, name, { get() { throw new DOMException('no', 'SecurityError'); } });"))
    chat.say("hi")
    contains(chat.articles.last, "You said: hi")


@check("C-001a", "a chat without a token says that it is not set up", edge=True)
def unset(tools):
    chat = Chat(tools, fixture=None, config={"token": None}, wait="failed")
    contains(chat.page.get_by_role("region", name="Connection problem"), "not set up")


@check("C-001q", "the look that the README has: heading, picture of the program and accent")
def look(tools):
    text = (pathlib.Path(__file__).parents[4] / "Server/Pages/web/README.md").read_text()
    folder = tempfile.mkdtemp(prefix="polymock-look-")
    tools.closing.callback(shutil.rmtree, folder, ignore_errors=True)
    file = pathlib.Path(folder, "look.json5")
    file.write_text(text.split("```json5\n")[1].split("```")[0])
    tools.own_server("--fixture", "booking", "--config", str(file))
    page = tools.page("/chat?start=new")
    expect(page.get_by_role("heading", name="Lucia's")).to_be_visible()
    picture = page.get_by_role("banner").locator("img")
    expect(picture).to_be_visible()
    assert picture.evaluate("image => image.complete && image.naturalWidth > 0")
    assert page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--chat-accent')") == "#7a3fb5"
    tools.shot("chat-look", page)


@check("C-001b", "consent comes before anything is sent; accent, header and words are those of the configuration", edge=True)
def configured(tools):
    server = tools.own_server()
    chat = Chat(tools, wait=None, config={
        "header": "Trattoria Lucia", "accent": "#8a2be2", "disclaimer": "Replies come from a machine.", "strings": {"en": {"composer.placeholder": "Ask Lucia"}},
        "links": [{"text": "Privacy", "url": "https://example.com/privacy"}], "consent": {"text": "May we talk?", "button": "Yes, let us talk"}})
    chat.phase("consent")
    tools.shot("consent")
    holds(not server.wire("kind:rest"), "something was sent")
    chat.button("Yes, let us talk").click()
    chat.phase("open")
    expect(chat.page.get_by_role("heading", level=1)).to_have_text("Trattoria Lucia")
    expect(chat.textbox).to_have_attribute("placeholder", "Ask Lucia")
    expect(chat.page.get_by_role("region", name="Notice").get_by_role("link", name="Privacy")).to_be_visible()
    holds(chat.page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--chat-accent')") == "#8a2be2", "another accent")
    tools.shot("configured")


@check("C-001c", "layout=widget is a panel with a button", edge=True)
def widget(tools):
    chat = Chat(tools, layout="widget")
    contains(chat.articles.first, "Hello from Ada")
    box = chat.root.bounding_box()
    holds(box["width"] == 400 and box["height"] <= 640, box)
    tools.shot("widget")
    chat.page.locator(".launcher").click()
    expect(chat.root).to_be_hidden()
    chat.page.locator(".launcher").click()
    expect(chat.root).to_be_visible()


def failed_view(chat):
    chat.fault("any event", {"close": 4000})
    chat.push("POLY_AGENT_THINKING")
    chat.phase("replaced")


def ended_view(chat):
    chat.server.post(f"sessions/{chat.session}/end", reason="natural")
    chat.phase("ended")


axe("C-131g", "the ended talk", {}, ended_view)
axe("C-131h", "the talk that is open elsewhere, dark", {"color_scheme": "dark"}, failed_view)
axe("C-131i", "from right to left", {}, lambda chat: (chat.push("LANGUAGE_CHANGED", {"language_code": "ar"}), expect(chat.page.locator("html")).to_have_attribute("dir", "rtl")))
