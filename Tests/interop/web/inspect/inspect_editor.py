"""The editor of fixtures."""

import json

from desk import inspector, until
from inspect_fixtures import TEXT, hears, shelf, write
from playwright.sync_api import expect
from rig import check


def opened(tools, place="#/fixtures/hours"):
    path = shelf(tools)
    page = inspector(tools, place)
    return page, page.get_by_role("textbox", name="Text of hours"), path


@check("I-085", "a fixture opens at its line, is linted while typing, saved, and heard by the next session")
def edit(tools):
    page, editor, path = opened(tools, "#/fixtures/hours?line=6")
    expect(editor).to_be_focused()
    chosen = editor.evaluate("box => box.value.slice(box.selectionStart, box.selectionEnd)")
    assert 'name: "hours"' in chosen, chosen
    editor.fill(TEXT.replace('replies: [ { say: "From', 'repplies: [ { say: "From'))
    problems = page.get_by_role("table", name="Fixture problems")
    expect(problems).to_contain_text('Did you mean "replies"?')
    expect(problems.get_by_role("rowheader").first).to_contain_text("6:")
    editor.fill(TEXT.replace("From noon.", "From eleven."))
    expect(page.get_by_role("status", name="Fixture problems")).to_have_text("No problem found")
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
    expect(table.get_by_role("row")).to_have_count(4)
    page.get_by_role("switch", name="Never used").check()
    expect(table).to_contain_text("once")
    page.get_by_role("switch", name="Never used").uncheck()
    table.get_by_role("button", name="6", exact=True).click()
    expect(editor).to_be_focused()
    assert json.dumps("hours") in editor.evaluate("box => box.value.slice(box.selectionStart, box.selectionEnd)")


@check("I-060", "why not this rule: the reason of a chosen rule, also when it is not among the nearest")
def whyNot(tools):
    shelf(tools)
    page = inspector(tools, "#/fixtures/hours")
    page.get_by_role("tab", name="Try").click()
    page.get_by_role("textbox", name="Try message").fill("where are you")
    page.get_by_role("textbox", name="Why not this rule?").fill("once")
    page.get_by_role("button", name="Try", exact=True).click()
    result = page.get_by_role("status", name="Result")
    expect(result).to_contain_text("Why not this rule")
    expect(result.get_by_role("link", name="hours.json5:7").first).to_be_visible()


@check("I-052", "a rule that never answers is told with the one that answers before it")
def shadowed(tools):
    page, editor, path = opened(tools)
    editor.fill(TEXT.replace("  ],\n  otherwise", '    { name: "late", hears: "open", replies: [ { say: "Too late." } ] },\n  ],\n  otherwise'))
    problem = page.get_by_role("table", name="Fixture problems").get_by_role("row").filter(has_text="8:")
    expect(problem).to_contain_text("line 6")
