"""A page of another origin in Chromium, for the checks of scenarios/browser.py."""

import contextlib
import functools
import http.server
import os
import pathlib
import threading

from playwright.sync_api import sync_playwright

from talk import Talk

HERE = pathlib.Path(__file__).parent


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


class Browser:
    """Chromium, and a server for the page: another port is another origin."""

    def __enter__(self):
        self.closing = contextlib.ExitStack()
        self.pages = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(HERE / "web")))
        threading.Thread(target=self.pages.serve_forever, daemon=True).start()
        self.closing.callback(self.pages.shutdown)
        self.origin = f"http://127.0.0.1:{self.pages.server_port}"
        play = self.closing.enter_context(sync_playwright())
        self.chromium = play.chromium.launch(
            executable_path=os.environ.get("POLYMOCK_CHROMIUM", "/usr/bin/chromium"),
            args=["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking"],
        )
        self.closing.callback(self.chromium.close)
        return self

    def __exit__(self, *_):
        self.closing.close()

    def tools(self, tools):
        tools.page = functools.partial(page, self, tools)
        tools.widget = functools.partial(Widget, self, tools)
        return tools


def page(browser, tools):
    """A page in a profile of its own."""
    context = browser.chromium.new_context()
    tools.closing.callback(context.close)
    context.set_default_timeout(15_000)
    shown = context.new_page()
    shown.goto(browser.origin + "/index.html")
    shown.wait_for_function("window.ready")
    return shown


class Widget:
    """A contact that was started outside, as applications do, and its session in the page as `session`."""

    def __init__(self, browser, tools, fixture="desk", server=None, heartbeat=10_000, **extra):
        self.talk = Talk(server or tools.server, fixture, connection=False, **extra)
        self.page = page(browser, tools)
        self.run(f"window.session = new Session({self.talk.server.base!r}, {self.talk.participant_token!r}, {heartbeat})")

    def run(self, expression, *arguments):
        return self.page.evaluate(expression, *arguments)

    def connect(self):
        self.run("session.connect()")
        self.until("session.state === 'established'", "established")
        return self

    def until(self, expression, what):
        try:
            self.page.wait_for_function(expression)
        except Exception:
            kinds = "session.items.map(item => item.ContentType ?? item.Type)"
            said = self.run(f"({{ state: session.state, log: session.log, items: {kinds}, shown: session.shown }})")
            raise AssertionError(f"waited for {what}: {said}") from None

    @property
    def log(self):
        return self.run("session.log")
