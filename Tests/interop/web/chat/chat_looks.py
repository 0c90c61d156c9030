"""Presentation, accessibility and budgets."""

import json
import zlib

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect
from chat_page import Chat, contains, count, holds, near
from rig import check, leave_out

leave_out("C-101 C-102", "the survey is an extension that the page does not show")
leave_out("C-116 C-117 C-118 C-119 C-120 C-121 C-122 C-123 C-124 C-125", "extensions that the page does not show")

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


@check("C-133", "no console error and no breach of the policy in a whole talk; each check looks for them, too")
def clean(tools):
    chat = talk(tools)
    chat.menu("Show times") if chat.page.get_by_role("menuitem", name="Show times").count() else None
    chat.reload()
    holds(not tools.last.strangers or all("example.com" in url for url in tools.last.strangers), tools.last.strangers)
    policy = chat.answer.headers.get("content-security-policy", "")
    holds("require-trusted-types-for 'script'" in policy, policy)


# A visit of everything but what is asked for later (menus, dialogs, other languages). It may not grow unnoticed.
BUDGET, COMPRESSED = 126 * 1024, 46 * 1024


@check("C-134", f"a visit transfers at most {BUDGET // 1024} KB, {COMPRESSED // 1024} KB compressed")
def transferred(tools):
    sizes, small = {}, []
    def note(response):
        path = response.url.split("?")[0].removeprefix(tools.server.site)
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
    see = "hidden => { Object.defineProperty(document, 'hidden', { value: hidden, configurable: true }); document.dispatchEvent(new Event('visibilitychange')); }"
    chat.page.evaluate(see, True)
    chat.agent_says("While you were away")
    expect(chat.page).to_have_title("(1) Chat")
    chat.page.evaluate(see, False)
    expect(chat.page).to_have_title("Chat")
    expect(chat.log.get_by_role("separator", name="New messages")).to_be_visible()
    tools.shot("unread")


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


def serious(page):
    found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    return [f"{each['id']}: {each['nodes'][0]['target']} {each['nodes'][0].get('failureSummary', '')[:160]}" for each in found if each["impact"] in ("serious", "critical")]


def axe(number, sentence, options, after=None):
    @check(number, "axe: " + sentence, edge=number not in ("C-131a", "C-131b"))
    def run(tools):
        # axe brings its source in by a way that the page's policy does not allow; only here is it off.
        chat = talk(tools, options={"bypass_csp": True, **options})
        if after:
            after(chat)
        problems = serious(chat.page)
        holds(not problems, problems)
    return run


def dialog_open(chat):
    chat.menu("End conversation")
    expect(chat.page.get_by_role("alertdialog")).to_be_visible()


def menu_open(chat):
    chat.button("Conversation menu").click()
    expect(chat.page.get_by_role("menu")).to_be_visible()


axe("C-131a", "light", {})
axe("C-131b", "dark", {"color_scheme": "dark"})
axe("C-131c", "320 px", {"viewport": {"width": 320, "height": 568}})
axe("C-131d", "text of twice the size", {}, lambda chat: chat.page.evaluate("document.documentElement.style.fontSize = '200%'"))
axe("C-131e", "an open dialog", {}, dialog_open)
axe("C-131f", "an open menu", {}, menu_open)
