"""The editor of fixtures."""

import json
import pathlib
import re
import shutil
import tempfile
import time

from desk import detail, inspector, row, until, wire_of
from inspect_fixtures import TEXT, hears, shelf, write
from playwright.sync_api import expect
from rig import check
from talker import Talker

BOOKING = pathlib.Path(__file__).parents[4] / "fixtures/booking.json5"


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
    expect(page.get_by_role("status", name="Save")).to_contain_text("Saved")
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
    expect(page.get_by_role("status", name="Save")).to_contain_text("Saved")
    assert "Mine." in open(path).read()


@check("I-085a", "news of another's change: an editor without changes shows it, another keeps what was typed")
def others(tools):
    page, editor, path = opened(tools)
    expect(editor).to_have_value(TEXT)
    other = TEXT.replace("Pardon?", "From another editor")
    write(path, other)
    page.get_by_role("button", name="Reload now").click()
    expect(editor).to_have_value(other)
    typed = other.replace("From noon.", "Mine.")
    editor.fill(typed)
    write(path, TEXT.replace("greeting: [", "greeting: [["))
    page.get_by_role("button", name="Reload now").click()
    expect(page.get_by_text("previous version active").first).to_be_visible()
    expect(editor).to_have_value(typed)


KEPT = """() => {
    const box = document.querySelector("textarea.editor");
    return [box.scrollTop, box.selectionStart, box === document.activeElement];
}"""


@check("I-085b", "a save, good or bad, leaves caret, scroll and focus, and undo goes back behind it; it is told once")
def place(tools):
    path = shelf(tools, TEXT + "// a line\n" * 120)
    page = inspector(tools, "#/fixtures/hours")
    editor = page.get_by_role("textbox", name="Text of hours")
    editor.click()
    editor.press("Control+End")
    for words, told in (("// good", "Saved. New sessions play it"), ("\n[[", "Saved. It has 1 error, so sessions still play the previous version.")):
        editor.press_sequentially(words)
        before = page.evaluate(KEPT)
        assert before[0] > 500 and before[2], before
        editor.press("Control+s")
        expect(page.get_by_role("status", name="Save")).to_contain_text(told)
        until(page, "fetch('/_mock/fixtures/hours', {headers: {'X-Mock-Control': '1'}}).then((answer) => answer.ok)")
        assert page.evaluate(KEPT) == before
        assert open(path).read().endswith(words)
        expect(page.get_by_role("status", name="Notices")).to_be_empty()
    for _ in range(3):
        editor.press("Control+z")
    assert not editor.input_value().endswith("[[")


@check("I-085c", "what is not saved is there again after another view, and the list says which file it is of")
def unsaved(tools):
    page, editor, path = opened(tools)
    expect(editor).to_have_value(TEXT)
    editor.press_sequentially("// mine ")
    page.get_by_role("navigation", name="Views").get_by_role("link", name="Clock").click()
    expect(page.get_by_role("heading", name="Clock", exact=True)).to_be_visible()
    page.go_back()
    expect(editor).to_have_value("// mine " + TEXT)
    expect(page.get_by_role("list", name="Fixture files").get_by_role("link", name="hours")).to_contain_text("not saved")
    expect(page.get_by_role("button", name="Save")).to_be_enabled()
    assert open(path).read() == TEXT


@check("I-085d", "a likely spelling is put in its place by a button, and Ctrl+Z takes it back")
def replaced(tools):
    page, editor, path = opened(tools)
    wrong = TEXT.replace('replies: [ { say: "From', 'repplies: [ { say: "From')
    editor.fill(wrong)
    page.get_by_role("button", name="Replace by replies").click()
    expect(editor).to_have_value(TEXT)
    expect(page.get_by_role("status", name="Fixture problems")).to_have_text("No problem found")
    editor.press("Control+z")
    expect(editor).to_have_value(wrong)


@check("I-085e", "a new fixture begins with a template that checks without a finding; a duplicate with the text of another")
def begun(tools):
    page, editor, path = opened(tools)
    page.get_by_role("button", name="New", exact=True).click()
    page.get_by_role("textbox", name="Name").fill("lunch")
    page.get_by_role("button", name="Create").click()
    expect(page.get_by_role("textbox", name="Text of lunch")).to_have_value(re.compile("from nine to five"))
    expect(page.get_by_role("status", name="Fixture problems")).to_have_text("No problem found")
    page.get_by_role("link", name="hours").click()
    page.get_by_role("button", name="More for this fixture").click()
    page.get_by_role("menuitem", name="Duplicate").click()
    page.get_by_role("button", name="Create").click()
    expect(page.get_by_role("textbox", name="Text of hours-2")).to_have_value(TEXT)
    assert (pathlib.Path(path).parent / "hours-2.json5").read_text() == TEXT


@check("I-085f", "where nothing can be saved, the page says so before anything is typed, and offers the text as a file")
def readonly(tools):
    folder = tempfile.mkdtemp(prefix="polymock-fixtures-")
    tools.closing.callback(shutil.rmtree, folder, ignore_errors=True)
    file = pathlib.Path(folder, "one.json5")
    file.write_text(TEXT)
    tools.own_server("--fixture", str(file))
    page = inspector(tools, "#/fixtures")
    files = page.get_by_role("list", name="Fixture files").get_by_role("link")
    # The file that the server was started with can be saved, those in the program cannot.
    files.filter(has_text="default").click()
    expect(page.get_by_text("read only")).to_have_count(0)
    files.filter(has_text="booking").first.click()
    expect(page.get_by_text("read only")).to_be_visible()
    expect(page.get_by_role("button", name="Download")).to_be_visible()
    expect(page.get_by_role("button", name="Save")).to_have_count(0)


@check("I-085h", "the chosen file is in sight, also at the end of the list and after a save; the server's own has the tag default")
def in_sight(tools):
    page, editor, path = opened(tools, "#/fixtures")
    files = page.get_by_role("list", name="Fixture files").get_by_role("link")
    expect(files.filter(has_text="default")).to_have_count(1)
    last = files.last
    last.click()
    expect(last).to_have_attribute("aria-current", "page")
    expect(last).to_be_in_viewport(ratio=1)
    page.reload()
    expect(page.get_by_role("list", name="Fixture files").locator("[aria-current]")).to_be_in_viewport(ratio=1)
    page.get_by_role("list", name="Fixture files").get_by_role("link", name="hours").click()
    editor.press_sequentially("// one ")
    editor.press("Control+s")
    expect(page.get_by_role("status", name="Save")).to_contain_text("Saved")
    expect(page.get_by_role("list", name="Fixture files").locator("[aria-current]")).to_be_in_viewport(ratio=1)


@check("I-085i", "Save stays at its place while one types, after a save that has errors, and after one more letter")
def stays(tools):
    page, editor, path = opened(tools)
    expect(editor).to_have_value(TEXT)
    save = page.get_by_role("button", name="Save", exact=True)

    def place():
        """A redraw takes the button out for a moment, in which it has no box."""
        while not (box := save.bounding_box()):
            page.wait_for_timeout(10)
        return box

    places = [place()]
    editor.press("Control+End")
    for key in ("[", "Control+s", "x"):
        editor.press(key)
        if key == "Control+s":
            expect(page.get_by_role("status", name="Save")).to_contain_text("Saved. It has")
        expect(save).to_be_visible()
        places.append(place())
    assert all(one == places[0] for one in places), places


@check("I-085g", "arrows on Text, Rules and Try keep the focus on the tab, and the tab names its panel")
def arrows(tools):
    page, editor, path = opened(tools)
    page.get_by_role("tab", name="Text").focus()
    for name in ("Rules", "Try", "Text"):
        page.keyboard.press("ArrowRight")
        expect(page.get_by_role("tab", name=name)).to_be_focused()
        expect(page.get_by_role("tabpanel", name=name)).to_be_visible()


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


@check("I-090", "the line of booking that a frame leads to is edited, saved, and heard in the next session within 200 ms", edge=True)
def heard_at_once(tools):
    folder = tempfile.mkdtemp(prefix="polymock-fixtures-")
    tools.closing.callback(shutil.rmtree, folder, ignore_errors=True)
    shutil.copy(BOOKING, folder)
    tools.own_server("--fixtures", folder, "--fixture", "booking")
    asked = "With pleasure. For how many people?"

    def answer():
        talker = Talker(tools.server, "mock:booking@pace=instant")
        return talker, talker.say("a table please", wait="POLY_AGENT_MESSAGE")["payload"]["text"]

    talker, said = answer()
    while said != asked:
        said = talker.wait("POLY_AGENT_MESSAGE")["payload"]["text"]
    page, table = wire_of(tools, talker.session)
    row(table, asked).last.click()
    detail(page).get_by_role("list", name="Cause").get_by_role("link", name="booking.json5:").first.click()
    editor = page.get_by_role("textbox", name="Text of booking")
    expect(editor).to_be_focused()
    text = editor.input_value()
    line = editor.evaluate("box => box.value.slice(0, box.selectionStart).split('\\n').length")
    assert asked in "\n".join(text.splitlines()[line - 1 : line + 4]), f"line {line} does not lead to the words"
    times = []
    for words in ("How many of you?", "A table for how many?", asked):
        editor.fill(editor.input_value().replace(said, words))
        editor.evaluate("box => { box.isTyped = true; box.setSelectionRange(7, 7) }")
        expect(page.get_by_role("button", name="Save")).to_be_enabled()
        with page.expect_response(lambda answer: answer.request.method == "PUT") as saved:
            editor.press("Control+s")
        assert saved.value.ok and saved.value.json()["inForce"], saved.value.status
        began = time.monotonic()
        talker, said = answer()
        while said not in (words, asked):
            said = talker.wait("POLY_AGENT_MESSAGE")["payload"]["text"]
        times.append((time.monotonic() - began) * 1000)
        assert said == words, f"the next session says {said!r}"
        # The box and its caret after the news of the own save: the same element, so that typing goes on.
        until(page, "fetch('/_mock/fixtures/booking', {headers: {'X-Mock-Control': '1'}}).then((answer) => answer.ok)")
        kept = page.evaluate("() => { const box = document.querySelector('textarea.editor'); return [box?.isTyped, box?.selectionStart, box === document.activeElement] }")
        assert kept == [True, 7, True], f"the editor after a save: {kept}"
    print(f"I-090 heard {', '.join(f'{each:.0f} ms' for each in times)} after the save", flush=True)
    assert sorted(times)[1] <= 200, times
