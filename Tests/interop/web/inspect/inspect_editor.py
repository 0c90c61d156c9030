"""The editor of fixtures. Where the server does not tell texts yet, these checks answer for it, in the words the page asks with."""

import hashlib
import json
import re

from desk import WIDE, inspector, until
from inspect_fixtures import TEXT, shelf, write
from playwright.sync_api import expect
from rig import check


class Shelf:
    """Answers for GET and PUT fixtures/hours and POST fixtures/check, over the file that the server plays."""

    ROUTES = [("GET", "fixtures/{name}"), ("PUT", "fixtures/{name}"), ("POST", "fixtures/check")]

    def __init__(self, tools, path):
        self.tools, self.path, self.saved = tools, path, []
        known = {(each["method"], each["path"].removeprefix("/_mock/")) for each in tools.server.get("")["routes"]}
        self.isNeeded = not set(self.ROUTES) <= known

    def context(self):
        context = self.tools.context(viewport=WIDE)
        if self.isNeeded:
            context.route("**/_mock/", self.index)
            context.route("**/_mock/fixtures/hours", self.one)
            context.route("**/_mock/fixtures/check", lambda route: route.fulfill(json={"findings": self.findings(route.request.post_data_json["text"])}))
        return context

    def index(self, route):
        body = route.fetch().json()
        body["routes"] += [{"method": method, "path": "/_mock/" + path, "about": "", "query": []} for method, path in self.ROUTES]
        route.fulfill(json=body)

    @staticmethod
    def findings(text):
        found = re.search(r"repplies", text)
        line = text[: found.start()].count("\n") + 1 if found else 0
        return [{"file": "hours.json5", "line": line, "column": 12, "severity": "error", "code": "unknown-name", "message": 'A rule has nothing called "repplies". Did you mean "replies"?', "fix": None, "details": []}] if found else []

    def now(self):
        text = open(self.path).read()
        return text, hashlib.sha256(text.encode()).hexdigest()

    def one(self, route):
        text, version = self.now()
        if route.request.method == "GET":
            rules = [{"name": "hours", "line": 6, "column": 5, "endLine": 6, "where": "anywhere", "hears": '"opening hours" or "open"', "says": "From noon.", "uses": 1, "lastUse": {"time": "2026-01-15T09:30:00.000Z", "session": "s", "row": 1}},
                     {"name": "once", "line": 7, "column": 5, "endLine": 7, "where": "anywhere", "hears": '"secret"', "says": "Only once.", "uses": 0, "lastUse": None}]
            return route.fulfill(json={"name": "hours", "title": "Hours", "about": None, "standard": True, "source": "file", "file": self.path, "writable": True, "text": text, "version": version,
                                       "inForce": not self.findings(text), "findings": self.findings(text), "stages": [], "troubles": [], "handoffs": [], "rules": rules})
        body = route.request.post_data_json
        if body["version"] != version and not body.get("force"):
            return route.fulfill(status=409, json={"error": {"message": "hours.json5 changed on disk."}, "version": version, "text": text})
        write(self.path, body["text"])
        text, version = self.now()
        return route.fulfill(json={"name": "hours", "file": self.path, "version": version, "inForce": not self.findings(text), "findings": self.findings(text)})


def opened(tools, place="#/fixtures/hours"):
    path = shelf(tools)
    page = inspector(tools, place, context=Shelf(tools, path).context())
    return page, page.get_by_role("textbox", name="Text of hours"), path


@check("I-085", "a fixture opens at its line, is linted while typing, saved, and heard by the next session")
def edit(tools):
    from inspect_fixtures import hears
    page, editor, path = opened(tools, "#/fixtures/hours?line=6")
    expect(editor).to_be_focused()
    chosen = editor.evaluate("box => box.value.slice(box.selectionStart, box.selectionEnd)")
    assert 'name: "hours"' in chosen, chosen
    editor.fill(TEXT.replace('replies: [ { say: "From', 'repplies: [ { say: "From'))
    problems = page.get_by_role("table", name="Fixture problems")
    expect(problems).to_contain_text('Did you mean "replies"?')
    expect(problems.get_by_role("rowheader").first).to_contain_text("6:")
    editor.fill(TEXT.replace("From noon.", "From eleven."))
    expect(problems).to_have_count(0)
    editor.press("Control+s")
    expect(page.get_by_role("status", name="Notices")).to_contain_text("Saved")
    until(page, "fetch('/_mock/fixtures/reload', {method: 'POST', headers: {'X-Mock-Control': '1'}}).then(() => true)")
    assert hears(tools, "open?") == "From eleven."
    tools.shot("inspect-editor", page)


@check("I-086", "a file that changed on disk is not overwritten without a question")
def conflict(tools):
    tools.expects.append("409")
    page, editor, path = opened(tools)
    expect(editor).to_have_value(TEXT)
    write(path, TEXT.replace("Pardon?", "From another editor"))
    editor.fill(TEXT.replace("From noon.", "Mine."))
    page.get_by_role("button", name="Save").click()
    question = page.get_by_role("dialog", name="Changed on disk")
    expect(question).to_contain_text("From another editor")
    question.get_by_role("button", name="Keep editing").click()
    assert "From another editor" in open(path).read()
    page.get_by_role("button", name="Save").click()
    page.get_by_role("dialog").get_by_role("button", name="Overwrite").click()
    expect(page.get_by_role("status", name="Notices")).to_contain_text("Saved")
    assert "Mine." in open(path).read()


@check("I-054", "rules with their places and uses; those never used can be chosen")
def rules(tools):
    page, editor, path = opened(tools)
    page.get_by_role("tab", name="Rules").click()
    table = page.get_by_role("table", name="Rules")
    expect(table.get_by_role("row")).to_have_count(3 if Shelf(tools, path).isNeeded else table.get_by_role("row").count())
    page.get_by_role("switch", name="Never used").check()
    expect(table).to_contain_text("once")
    page.get_by_role("switch", name="Never used").uncheck()
    table.get_by_role("button", name="6", exact=True).click()
    expect(editor).to_be_focused()
    assert json.dumps("hours") in editor.evaluate("box => box.value.slice(box.selectionStart, box.selectionEnd)")


@check("I-060", "why not this rule: the reason of a chosen rule, also when it is not among the nearest")
def whyNot(tools):
    path = shelf(tools)
    stub = Shelf(tools, path)
    context = stub.context()

    def asked(route):
        body = route.request.post_data_json
        rule = body.pop("rule", None)
        answer = route.fetch(post_data=json.dumps(body)).json()
        if rule:
            answer["asked"] = {"rule": rule, "file": path, "line": 7, "why": "no word in common", "advice": None}
        route.fulfill(json=answer)

    if stub.isNeeded:
        context.route("**/_mock/fixtures/try", asked)
    page = inspector(tools, "#/fixtures/hours", context=context)
    page.get_by_role("tab", name="Try").click()
    page.get_by_role("textbox", name="Try message").fill("where are you")
    page.get_by_role("textbox", name="Why not this rule?").fill("once")
    page.get_by_role("button", name="Try", exact=True).click()
    result = page.get_by_role("status", name="Result")
    expect(result).to_contain_text("Why not this rule")
    expect(result.get_by_role("link", name="hours.json5:7").first).to_be_visible()
