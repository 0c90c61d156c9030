"""The chat page as a check sees it: by role and name."""

import json
import re
import urllib.parse

from playwright.sync_api import expect

CONTROL = "EVENT_TYPE_"


class Chat:
    """Opens /chat with a fixture; `params` are the page's own parameters."""

    def __init__(self, tools, fixture="hello", page=None, context=None, wait="open", config=None, clock=False, before=None, tag=None, **params):
        self.tools, self.server = tools, tools.server
        self.tag = tag or tools.tag
        options = params.pop("options", {})
        self.page = page or tools.page(context=context, go=False, **options)
        if clock:
            self.page.clock.install()
        if config is not None:
            self.page.route("**/pages/config.json", lambda route: route.fulfill(json={"header": "Chat", "token": "demo", **config}))
        if before:
            before(self.page)
        token = params.pop("token", None) or (f"mock:{fixture}@tag={self.tag}" if fixture else None)
        query = {"tz": "UTC", "motion": "off", **params}
        if token:
            query["token"] = token
        self.address = tools.server.base + "/chat?" + urllib.parse.urlencode(query)
        self.answer = self.page.goto(self.address)
        if wait:
            self.phase(wait)

    # Parts
    @property
    def root(self):
        return self.page.locator("#chat")

    @property
    def log(self):
        return self.page.get_by_role("log", name="Conversation")

    @property
    def textbox(self):
        return self.page.get_by_role("textbox", name="Message")

    @property
    def send(self):
        return self.page.get_by_role("button", name="Send message")

    @property
    def articles(self):
        return self.log.get_by_role("article")

    @property
    def suggestions(self):
        return self.page.get_by_role("group", name="Suggested replies")

    def article(self, text):
        return self.articles.filter(has_text=text)

    def note(self, text):
        return self.log.get_by_role("note").filter(has_text=text)

    def status(self, name):
        return self.page.get_by_role("status", name=name)

    def button(self, name, exact=True):
        return self.page.get_by_role("button", name=name, exact=exact)

    # Deeds
    def phase(self, name):
        expect(self.root).to_have_attribute("data-phase", name)

    def idle(self):
        expect(self.root).to_have_attribute("data-idle", "true")

    def say(self, text):
        self.textbox.fill(text)
        self.send.click()

    def reload(self, wait="open"):
        self.page.reload()
        if wait:
            self.phase(wait)

    def menu(self, item):
        self.button("Conversation menu").click()
        self.page.get_by_role("menuitem", name=item, exact=True).click()

    def run(self, seconds):
        """Turns the page's clock."""
        self.page.clock.run_for(int(seconds * 1000))

    def pause(self):
        """The page's clock stands still from now on, but for run()."""
        self.page.clock.pause_at(self.page.evaluate("Date.now()") / 1000 + 0.5)

    def until(self, expression, arg=None):
        """Waits until an expression is true. The page's policy keeps Playwright from waiting inside of it."""
        for _ in range(200):
            if self.page.evaluate(expression, arg):
                return
            self.page.wait_for_timeout(50)
        raise AssertionError(f"never true: {expression}")

    def turn_until(self, condition, most=60):
        """Turns the page's clock in small steps until the page says so; `most` seconds of it."""
        for _ in range(most * 10):
            if self.page.evaluate(condition):
                return
            self.run(0.1)
        raise AssertionError(f"{condition} did not come within {most} s of the page's clock")

    # Facts
    def distance(self):
        return self.log.evaluate("e => e.scrollHeight - e.scrollTop - e.clientHeight")

    def top(self):
        return self.log.evaluate("e => e.scrollTop")

    def scroll_up(self, by=400):
        self.log.hover()
        before = self.top()
        self.page.mouse.wheel(0, -by)
        self.until("([e, b]) => e.scrollTop < b", arg=[self.log.element_handle(), before])

    def first_visible(self):
        """The id and top of the first article that can be seen."""
        return self.log.evaluate(
            """e => { const top = e.getBoundingClientRect().top;
            const a = [...e.querySelectorAll('article')].find(a => a.getBoundingClientRect().top >= top);
            return [a.dataset.id, a.getBoundingClientRect().top]; }""")

    def top_of(self, id):
        return self.page.evaluate("id => document.querySelector(`article[data-id='${id}']`)?.getBoundingClientRect().top", id)

    def texts(self):
        return self.log.locator("article .bubble").all_inner_texts()

    def focused(self):
        return self.page.evaluate("document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.tagName")

    # The server's side
    @property
    def session(self):
        return self.server.sessions(self.tag)[-1]

    def sent(self, type, filter=""):
        """Payloads of frames that the page sent, oldest first."""
        rows = self.server.wire(f"dir:in kind:ws session:{self.session} type:{type} {filter}")
        return [json.loads(row["raw"]) for row in rows]

    def heard(self, type, count=1):
        """Waits until the server has heard the page's frames."""
        self.server.wait(f"dir:in kind:ws session:{self.session} type:{type}", count=count)
        return self.sent(type)

    def push(self, type, payload=None):
        self.server.post(f"sessions/{self.session}/events", **{"as": "raw", "type": type, "payload": payload or {}})

    def frame(self, text):
        self.server.post(f"sessions/{self.session}/events", **{"as": "raw", "frame": text if isinstance(text, str) else json.dumps(text)})

    def agent_says(self, text, **more):
        self.server.post(f"sessions/{self.session}/events", **{"as": "agent", "text": text, **more})

    def person(self, action, **more):
        self.server.post(f"sessions/{self.session}/takeover", action=action, **more)

    def fault(self, at, do, **more):
        scope = {} if "session" in more or "tag" in more else {"session": self.session}
        return self.server.post("faults", at=at, do=do, **scope, **more)

    def drop(self, push=True):
        """Breaks the connection at the next thing that the server sends."""
        self.fault("any event", {"drop": "connection"})
        if push:
            self.push("POLY_AGENT_THINKING")

    def chunk(self, id, index, text, last=False, **more):
        self.push("POLY_AGENT_MESSAGE_CHUNK", {
            "message_id": id, "chunk_index": index, "is_complete": last, "text": text, "attachments": [], "response_suggestions": [], **more})


def calls(server, path):
    """Requests of clients to a path, in order."""
    return [row for row in server.wire("dir:in kind:rest") if path in row.get("type", "")]


def contains(locator, text):
    expect(locator).to_contain_text(text)


def count(locator, number):
    expect(locator).to_have_count(number)


def near(actual, expected, by, what=""):
    assert abs(actual - expected) <= by, f"{what}: {actual}, expected {expected} within {by}"


def holds(condition, what):
    assert condition, what


def names(pattern):
    return re.compile(pattern)
