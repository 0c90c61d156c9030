"""What checks of the pages are made of: a registry by number, servers, a browser, and the control API.

A check is a function of a module below chat/ or inspect/:

    @check("C-001", "the page has one main and one heading")
    def landmarks(tools):
        page = tools.page("/chat?token=mock:hello")
        ...

Each gets a browser context of its own. It fails when the page wrote an error to its console or broke its policy,
unless `tools.expects` says that it may. `edge=True` keeps a check out of --fast.
"""

import contextlib
import json
import os
import pathlib
import re
import select
import subprocess
import tempfile
import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass
from typing import Callable

from playwright.sync_api import sync_playwright

CHECKS: list["Check"] = []


@dataclass
class Check:
    number: str
    sentence: str
    edge: bool
    function: Callable


def check(number, sentence, edge=False):
    def register(function):
        assert number not in {each.number for each in CHECKS}, f"{number} is there already"
        CHECKS.append(Check(number, sentence, edge, function))
        return function

    return register


def matches(number, words):
    folders = {"chat": "C-", "inspect": "I-", "runs": "R-", "foreign": "F-"}
    return not words or any(number == word or number.startswith(folders.get(word, "-")) for word in words)


def chosen(words, fast):
    named = [word for word in words if word not in ("chat", "inspect", "runs", "foreign")]
    found = [each for each in CHECKS if matches(each.number, words) and (named or not (fast and each.edge))]
    return sorted(found, key=lambda each: each.number)


def asked():
    """Numbers of the specification that are to be checked: README.md beside this has their ranges, and those left out."""
    ranges = {"C": [*range(1, 116), *range(126, 138)], "I": range(1, 81)}
    return {f"{page}-{number:03}" for page, numbers in ranges.items() for number in numbers}


def left_out(fast, words):
    """What is not run, and why, by the table of README.md; and what should be, but nobody made it."""
    text = (pathlib.Path(__file__).parent / "README.md").read_text()
    table = text.split("## Left out", 1)[1].split("\n## ", 1)[0]
    reasons = {number: row.split("|")[2].strip() for row in table.splitlines() for number in re.findall(r"[CI]-\d{3}", row.partition("|")[2].partition("|")[0])}
    made = {each.number for each in CHECKS}
    assert not made & reasons.keys(), f"both made and left out: {made & reasons.keys()}"
    missing = {number for number in asked() - made - reasons.keys() if matches(number, words)}
    rows = [(number, reason) for number, reason in reasons.items() if matches(number, words)]
    if fast and set(words) <= {"chat", "inspect"}:
        rows += [(each.number, "an edge case; without --fast it runs") for each in CHECKS if each.edge and matches(each.number, words)]
    return sorted(rows), sorted(missing)


class Server:
    """A polymock of its own, on a free port, in an empty folder."""

    def __init__(self, binary, *flags):
        self.folder = tempfile.TemporaryDirectory(prefix="polymock-web-")
        self.log = open(os.path.join(self.folder.name, "log"), "w")
        work = os.path.join(self.folder.name, "cwd")
        os.mkdir(work)
        self.process = subprocess.Popen(
            [binary, "--port", "0", *flags], cwd=work, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self.log, text=True)
        self.base = self._address(self.process, r"polymock listening on (http://\S+)")

    @staticmethod
    def _address(process, expression):
        if not select.select([process.stdout], [], [], 30)[0]:
            raise RuntimeError("no address within 30 s")
        line = process.stdout.readline()
        found = re.search(expression, line)
        if not found:
            raise RuntimeError(f"the first line was {line!r}")
        return found[1].rstrip("/")

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.log.close()
        self.folder.cleanup()

    def call(self, method, path, body=None, headers=None):
        """A request to the server; its JSON (or text)."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data=data, method=method, headers={"Content-Type": "application/json", **(headers or {})})
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                text = answer.read().decode()
        except urllib.error.HTTPError as error:
            raise AssertionError(f"{method} {path}: {error.code} {error.read().decode()[:300]}") from None
        try:
            return json.loads(text)
        except ValueError:
            return text

    def expect_pages(self):
        try:
            urllib.request.urlopen(self.base + "/chat", timeout=30).close()
        except urllib.error.HTTPError as error:
            raise SystemExit(f"this binary serves no /chat: {error.code}") from None

    def get(self, path, **query):
        return self.call("GET", "/_mock/" + path + ("?" + urllib.parse.urlencode(query) if query else ""))

    def post(self, path, **body):
        return self.call("POST", "/_mock/" + path, body)

    def delete(self, path):
        return self.call("DELETE", "/_mock/" + path)

    def sessions(self, tag):
        return [each["id"] for each in self.get("sessions", tag=tag)["sessions"]]

    def wire(self, filter, **query):
        """Rows of the wire, as `polymock wire --filter` finds them."""
        return self.get("wire", filter=filter, **query)["rows"]

    def wait(self, filter, count=1, timeout="10s"):
        """Waits until the wire has `count` rows of this filter."""
        return self.get("wait", filter=filter, count=count, timeout=timeout)


class Rig:
    def __init__(self, binary, shots, flags=()):
        self.binary, self.shots, self.flags = binary, shots, ["--log", "quiet", *flags]
        self.closing = contextlib.ExitStack()

    def __enter__(self):
        play = self.closing.enter_context(sync_playwright())
        self.browser = play.chromium.launch(
            executable_path=os.environ.get("POLYMOCK_CHROMIUM", "/usr/bin/chromium"),
            args=["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking"])
        self.closing.callback(self.browser.close)
        self.server = Server(self.binary, *self.flags)
        self.closing.callback(self.server.stop)
        return self

    def __exit__(self, *error):
        self.closing.close()

    def run(self, each):
        with Tools(self, each) as tools:
            try:
                each.function(tools)
            except Exception as problem:
                problem.add_note("; ".join(tools.problems[:3]))
                raise
            tools.verdict()


class Tools:
    """One check's own things. `server` is shared; `own_server` starts one for what would disturb others."""

    def __init__(self, rig, check):
        self.rig, self.number = rig, check.number
        self.tag = check.number.lower()
        self.server = rig.server
        self.closing = contextlib.ExitStack()
        self.problems, self.expects = [], []

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        if error is not None:
            with contextlib.suppress(Exception):
                self.shot("failed-" + self.number)
        self.closing.close()

    def own_server(self, *flags):
        self.server = Server(self.rig.binary, *self.rig.flags, *flags)
        self.closing.callback(self.server.stop)
        return self.server

    def context(self, **options):
        """A browser profile of its own. Everything stays on this machine: other requests fail and are listed."""
        settings = {"locale": "en-GB", "timezone_id": "UTC", "viewport": {"width": 900, "height": 720}, **options}
        context = self.rig.browser.new_context(**settings)
        context.set_default_timeout(10_000)
        context.strangers = []
        def foreign(route):
            context.strangers.append(route.request.url)
            route.abort()
        context.route(lambda url: not url.startswith((self.server.base, "data:", "blob:")), foreign)
        context.on("console", lambda message: message.type == "error" and self.problems.append(f"console: {message.text}"))
        context.on("weberror", lambda error: self.problems.append(f"error: {error.error}"))
        context.add_init_script(
            "addEventListener('securitypolicyviolation', e => console.error('policy: ' + e.violatedDirective + ' ' + e.blockedURI))")
        self.closing.callback(context.close)
        self.last = context
        return context

    def page(self, path="", context=None, go=True, **options):
        page = (context or self.context(**options)).new_page()
        self.shown = page
        if go:
            page.goto(self.server.base + path)
        return page

    def shot(self, name, page=None):
        (page or self.shown).screenshot(path=str(self.rig.shots / f"{name}.png"))

    def verdict(self):
        # An address that was let through fails by our own hand; that is what `strangers` are for.
        noise = ("net::ERR_FAILED", *self.expects)
        left = [each for each in self.problems if not any(word in each for word in noise)]
        assert not left, "; ".join(left[:5])
