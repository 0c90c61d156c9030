from desk import chat, inspector, say
from playwright.sync_api import expect
from rig import check
from talker import Talker


def seats(tools, token="mock:booking"):
    """A chat page, and the live agent's tab of its session."""
    visitor = chat(tools, f"{token}@tag={tools.tag}")
    page = inspector(tools, f"#/sessions/{tools.server.sessions(tools.tag)[0]}/agent")
    page.get_by_role("button", name="Take over").click()
    expect(page.get_by_role("status", name="Who answers")).to_contain_text("You answer as agent")
    return visitor, page


def chosen(page, button, item):
    page.get_by_role("button", name=button).click()
    page.get_by_role("menuitem", name=item).click()


def join(page, name="Sam"):
    page.get_by_role("button", name="Trigger handoff").click()
    page.get_by_role("button", name="Accept").click()
    page.get_by_role("textbox", name="Your name").fill(name)
    page.get_by_role("button", name="Join as live agent").click()


@check("I-026", "a handoff by hand: the chat page shows its notes and the person")
def handoff(tools):
    visitor, page = seats(tools)
    page.get_by_role("button", name="Trigger handoff").click()
    page.get_by_role("button", name="Accept").click()
    chosen(page, "More steps…", "Update queue…")
    page.get_by_role("spinbutton", name="Position").fill("3")
    page.get_by_role("dialog").get_by_role("button", name="Send").click()
    expect(visitor.get_by_role("note").filter(has_text="3").first).to_be_visible()
    page.get_by_role("textbox", name="Your name").fill("Sam")
    page.get_by_role("button", name="Join as live agent").click()
    expect(visitor.get_by_role("heading", level=1, name="Sam")).to_be_visible()
    expect(page.get_by_role("list", name="Handoff").locator("[aria-current=step]")).to_have_text("Live agent is here")
    expect(page.get_by_role("status", name="Who answers")).to_have_text("You are live agent Sam")
    tools.shot("inspect-agent", page)


@check("I-027", "typing is told while the reply is written, and stops when it rests")
def typing(tools):
    visitor, page = seats(tools)
    join(page)
    page.get_by_role("textbox", name="Reply").press_sequentially("One mom")
    expect(visitor.get_by_role("status", name="Agent activity")).to_contain_text("Sam is typing")
    expect(visitor.get_by_role("status", name="Agent activity")).to_be_empty(timeout=9_000)


@check("I-028", "Enter sends the reply of the person")
def reply(tools):
    visitor, page = seats(tools)
    join(page)
    page.get_by_role("textbox", name="Reply").fill("Good evening")
    page.get_by_role("textbox", name="Reply").press("Enter")
    expect(visitor.get_by_role("article", name="Sam, live agent")).to_contain_text("Good evening")
    assert tools.server.wire(f"session:{tools.server.sessions(tools.tag)[0]} type:LIVE_AGENT_MESSAGE dir:out")


@check("I-029", "the user's typing is told")
def visitorTypes(tools):
    talker = Talker(tools.server, "mock:booking")
    page = inspector(tools, f"#/sessions/{talker.session}/agent")
    talker.send("USER_TYPING", {"state": "TYPING_STATE_STARTED"})
    expect(page.get_by_role("status", name="User")).to_have_text("User is typing")
    talker.say("done")
    expect(page.get_by_role("status", name="User")).to_contain_text("last seen")


@check("I-030", "a step out of order is done after a warning")
def outOfOrder(tools):
    talker = Talker(tools.server, "mock:booking")
    talker.wait("POLY_AGENT_MESSAGE")
    page = inspector(tools, f"#/sessions/{talker.session}/agent")
    page.get_by_role("button", name="Accept").click()
    warning = page.get_by_role("alertdialog", name="Out of order")
    expect(warning).to_be_visible()
    warning.get_by_role("button", name="Send anyway").click()
    expect(page.get_by_role("list", name="Handoff").locator("[aria-current=step]")).to_have_text("Accepted")
    tools.server.wait(f"session:{talker.session} type:*HANDOFF_ACCEPTED dir:out")


@check("I-031", "suggestions and an image go with the next reply")
def parts(tools):
    visitor, page = seats(tools)
    chosen(page, "Add…", "Suggestions…")
    page.get_by_role("dialog").get_by_role("textbox").fill("Yes, No")
    page.get_by_role("dialog").get_by_role("button", name="Add").click()
    chosen(page, "Add…", "Attachment…")
    page.get_by_role("dialog").get_by_role("textbox", name="Title").fill("The garden")
    page.get_by_role("dialog").get_by_role("textbox", name="Image address").fill("data:image/gif;base64,R0lGODlhAQABAAAAACw=")
    page.get_by_role("dialog").get_by_role("button", name="Add").click()
    page.get_by_role("textbox", name="Reply").fill("In the garden?")
    page.get_by_role("textbox", name="Reply").press("Enter")
    expect(visitor.get_by_role("group", name="Suggested replies").get_by_role("button")).to_have_text(["Yes", "No"])
    expect(visitor.get_by_role("button", name="The garden")).to_be_visible()


@check("I-028a", "the talk stands beside the reply; what is half written is there again after another tab")
def draft(tools):
    visitor, page = seats(tools)
    talk = page.get_by_role("log", name="Conversation")
    say(visitor, "for two people please")
    expect(talk.get_by_role("article").last).to_contain_text("for two people please")
    page.get_by_role("textbox", name="Reply").fill("With pleas")
    page.get_by_role("tab", name="Wire").click()
    page.get_by_role("tab", name="Live agent").click()
    expect(page.get_by_role("textbox", name="Reply")).to_have_value("With pleas")
    page.get_by_role("textbox", name="Reply").fill("With pleasure")
    page.get_by_role("textbox", name="Reply").press("Enter")
    expect(talk.get_by_role("article").last).to_contain_text("With pleasure")
    expect(page.get_by_role("textbox", name="Reply")).to_have_value("")


@check("I-028b", "a canned reply has the name of who sends it, and no gap")
def canned(tools):
    visitor, page = seats(tools, "mock:handoff-ok")
    join(page)
    first = page.get_by_role("list", name="Canned replies").get_by_role("button").first
    expect(first).to_contain_text("Sam")
    first.click()
    page.get_by_role("textbox", name="Reply").press("Enter")
    said = visitor.get_by_role("article", name="Sam, live agent").last
    expect(said).to_contain_text("Sam")
    expect(said).not_to_contain_text("{")


@check("I-028c", "Take over and Hand back keep the focus in their row while the user writes")
def focus(tools):
    visitor, page = seats(tools)
    page.get_by_role("button", name="Hand back").focus()
    say(visitor, "hello?")
    expect(page.get_by_role("log", name="Conversation").get_by_role("article").last).to_contain_text("hello?")
    expect(page.get_by_role("button", name="Hand back")).to_be_focused()


@check("I-032", "Leave and end ends the talk")
def leave(tools):
    visitor, page = seats(tools)
    join(page)
    chosen(page, "More steps…", "Leave and end")
    expect(visitor.get_by_role("region", name="Conversation ended")).to_be_visible()
    expect(page.get_by_role("region", name="Session").get_by_text("ended", exact=True).first).to_be_visible()


@check("I-041", "End session ends the talk of the chat page")
def end(tools):
    visitor = chat(tools, f"mock:booking@tag={tools.tag}")
    page = inspector(tools, f"#/sessions/{tools.server.sessions(tools.tag)[0]}/conversation")
    page.get_by_role("button", name="Session actions").click()
    page.get_by_role("menuitem", name="End session").click()
    expect(visitor.get_by_role("region", name="Conversation ended")).to_be_visible()


@check("I-078", "a frame that is held back is changed and let go; the wire has both texts")
def held(tools):
    visitor, page = seats(tools, "mock:hello")
    session = tools.server.sessions(tools.tag)[0]
    page.get_by_role("switch", name="Intercept").check()
    page.get_by_role("textbox", name="Reply").fill("Good morning")
    page.get_by_role("textbox", name="Reply").press("Enter")
    frames = page.get_by_role("region", name="Frames")
    message = frames.locator(".callout").filter(has_text="AGENT_MESSAGE")
    expect(message).to_have_count(1)
    assert visitor.get_by_role("article").filter(has_text="Good").count() == 0
    # They leave in order: what waits before it goes as it is.
    while "AGENT_MESSAGE" not in (first := frames.locator(".callout code").first.inner_text()):
        frames.get_by_role("button", name="Resume").first.click()
        expect(frames.locator(".callout code").filter(has_text=first)).to_have_count(0)
    message.get_by_role("button", name="Edit").click()
    text = page.get_by_role("dialog").get_by_role("textbox", name="Frame")
    text.fill(text.input_value().replace("Good morning", "Good evening"))
    page.get_by_role("dialog").get_by_role("button", name="Resume").click()
    expect(visitor.get_by_role("article").last).to_contain_text("Good evening")
    row = tools.server.wire(f"session:{session} dir:out kind:ws is:intercepted")[-1]
    assert "Good morning" in row["raw"] + row.get("mod", "") and "Good evening" in row["raw"] + row.get("mod", ""), row
    page.get_by_role("switch", name="Intercept").uncheck()


@check("I-089", "the inspector speaks as the user, and the script answers")
def as_user(tools):
    visitor = chat(tools, f"mock:hello@tag={tools.tag}")
    page = inspector(tools, f"#/sessions/{tools.server.sessions(tools.tag)[0]}/agent")
    chosen(page, "Send an event…", "Send as client…")
    page.get_by_role("dialog").get_by_role("textbox", name="Message of the user").fill("Hi there")
    page.get_by_role("dialog").get_by_role("button", name="Send").click()
    expect(visitor.get_by_role("article").last).to_contain_text("You said: Hi there")


@check("I-084", "chat and inspector stand side by side, and the talk appears in the sessions")
def beside(tools):
    tools.own_server()
    page = inspector(tools)
    # Pressed as soon as it is there, before the list of fixtures has come.
    late = []
    page.route("**/_mock/fixtures", lambda route: late.append(route))
    page.reload()
    page.get_by_role("button", name="Side chat").click()
    for route in late:
        route.continue_()
    page.unroute_all()
    inner = page.frame_locator("iframe[title='Chat page']")
    expect(inner.get_by_role("textbox", name="Message")).to_be_visible()
    expect(page.get_by_role("table", name="Sessions")).to_have_attribute("aria-rowcount", "1")
    tools.shot("inspect-beside")
    page.get_by_role("button", name="Side chat").click()
    expect(page.locator("iframe")).to_have_count(0)
