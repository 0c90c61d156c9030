"""A page of another origin, with a browser library's calls: P-1 to P-11."""

import os
import pathlib

from rig import Skipped, check, expect, require
from talk import EVENT

LIBRARY = """async ({ endpoint, contactId, participantId, participantToken }) => {
    connect.ChatSession.setGlobalConfig({ region: 'eu-west-2', endpoint, features: { messageReceipts: { shouldSendMessageReceipts: true } } });
    const chat = connect.ChatSession.create({
        chatDetails: { contactId, participantId, participantToken }, type: 'CUSTOMER', options: { region: 'eu-west-2' }, disableCSM: true });
    window.seen = { messages: [], typing: 0, ended: 0, established: 0, lost: 0 };
    chat.onMessage(({ data }) => data.Type === 'MESSAGE' && seen.messages.push(data.Content));
    chat.onTyping(() => { seen.typing += 1; });
    chat.onEnded(() => { seen.ended += 1; });
    chat.onConnectionLost(() => { seen.lost += 1; });
    chat.onConnectionEstablished(() => { seen.established += 1; });
    window.chat = chat;
    await chat.connect();
}"""


@check("P-1", "Every call of the library passes its preflight, and the answer can be read", page=True)
def calls(tools):
    widget = tools.widget().connect()
    widget.until("session.shown.includes('Welcome to the desk.')", "the welcome")
    said = widget.run("session.send('hi')")
    expect((said["status"], sorted(said["value"])), (200, ["AbsoluteTime", "Id"]))
    require(said["id"], "x-amzn-RequestId cannot be read")
    widget.until(f"session.items.some(item => item.Id === '{said['value']['Id']}')", "the echo")
    widget.until("session.shown.includes('You said: hi')", "the reply")
    expect(widget.run("session.typing()")["status"], 200)
    got = widget.run("session.transcript()")
    expect((got["status"], got["value"]["Transcript"][-1]["Content"]), (200, "You said: hi"))
    require("twice" not in widget.log, widget.log)


@check("P-2", "An error's type can be read by the page, on every operation", page=True)
def types(tools):
    widget = tools.widget("silent").connect()
    for path in (
        "message",
        "event",
        "transcript",
        "disconnect",
        "attachment",
        "start-attachment-upload",
        "complete-attachment-upload",
        "connection",
    ):
        got = widget.run(f"call(session.endpoint, '/participant/{path}', 'wrong', {{}})")
        expect((got["status"], got["type"]), (403, "AccessDeniedException"), path)
    expect(widget.run("session.send('')")["type"], "ValidationException")
    expect(widget.run("session.view('nobody/knows=')")["type"], "ResourceNotFoundException")


@check("P-3", "A second socket is there before the first one goes, and no item is missed or told twice", page=True)
def make_before_break(tools):
    widget = tools.widget("silent").connect()
    widget.run("session.connect()")
    widget.until("session.log.includes('close 1000')", "the first socket's end")
    expect(widget.run("session.sockets.map(socket => socket.readyState)"), [3, 1])
    widget.run("session.send('after')")
    widget.until("session.shown.includes('after')", "the echo")
    require("lost" not in widget.log and widget.run("session.state") == "established", widget.log)


@check("P-4", "A socket that the server closes is lost and comes back by another connection", page=True)
def server_closes(tools):
    widget = tools.widget("silent").connect()
    fault = tools.server.inject("any event", {"close": 1011}, tag=widget.talk.tag, times=1)
    widget.run("session.send('break')")
    widget.until("session.log.includes('lost') && session.state === 'established'", "a new connection")
    tools.server.control("DELETE", f"faults/{fault}")
    widget.run("session.send('mended')")
    widget.until("session.shown.includes('mended')", "the echo")
    kept = widget.run("session.transcript()")["value"]["Transcript"]
    expect([item["Content"] for item in kept if item["Type"] == "MESSAGE"], ["break", "mended"])


@check("P-5", "A chat that ended while the page was away answers 403, and the page knows that it is over", page=True)
def ended_away(tools):
    widget = tools.widget("silent").connect()
    widget.run("session.sockets[0].dropped = true; session.sockets[0].close(1000)")
    widget.until("session.sockets[0].readyState === 3", "the close")
    tools.server.control("POST", f"sessions/{widget.talk.session}/end", {})
    widget.run("session.state = 'lost'; session.connect()")
    widget.until("session.state === 'ended'", "the end")
    require("refused 403 AccessDeniedException" in widget.log, widget.log)


@check("P-6", "A file goes up and comes down from another origin, and its tag can be read", page=True)
def file(tools):
    widget = tools.widget("silent").connect()
    got = widget.run("session.file('plan.png', Array.from({ length: 70000 }, (_, at) => at % 251), 'image/png')")
    expect((got["status"], got["put"], got["same"]), (200, 200, True))
    require(got["tag"], "ETag cannot be read")
    widget.until(f"session.items.some(item => item.Attachments?.[0].AttachmentId === '{got['id']}')", "the attachment")


@check("P-7", "Receipts of two messages go out under one constant ClientToken, and each comes back", page=True)
def receipts(tools):
    widget = tools.widget("silent").connect()
    widget.talk.agent("join", name="Maria", id="maria")
    for text in ("one", "two"):
        widget.talk.agent("send", text=text)
    widget.until("session.shown.includes('two')", "the agent")
    ids = widget.run(
        "session.items.filter(item => item.ParticipantRole === 'AGENT' && item.Type === 'MESSAGE').map(item => item.Id)"
    )
    for each in ids:
        for kind in ("delivered", "read"):
            expect(widget.run(f"session.receipt('{kind}', '{each}')")["status"], 200)
    metadata = "session.items.filter(item => item.Type === 'MESSAGEMETADATA').map(item => item.MessageMetadata)"
    widget.until(f"({metadata}).length >= 4", "four receipts")
    told = [(each["MessageId"], "ReadTimestamp" in each["Receipts"][0]) for each in widget.run(metadata)]
    expect(told, [(each, read) for each in ids for read in (False, True)])


@check("P-8", "A streamed reply grows in the page and ends as the whole", page=True)
def streamed(tools):
    widget = tools.widget(ParticipantConfiguration={"ResponseMode": "INCREMENTAL"}).connect()
    widget.until("session.shown.includes('Welcome to the desk.')", "the welcome")
    # What is shown of the welcome comes first, in parts of its own.
    widget.run("session.send('a story')")
    widget.until("session.shown.filter(text => text === 'Once upon a time, and that is all.').length === 2", "the whole story")
    shown = widget.run("session.shown")
    whole = "Once upon a time, and that is all."
    expect(
        shown[shown.index("a story") + 1 :],
        ["Once ", "Once upon a ", "Once upon a time, ", "Once upon a time, and that ", whole, whole],
    )


@check("P-9", "A heartbeat that is not answered brings a second socket, and the chat goes on", page=True)
def silence(tools):
    widget = tools.widget("silent", heartbeat=400)
    fault = tools.server.inject("heartbeat 1", {"lose": "event"}, tag=widget.talk.tag, times=4)
    widget.connect()
    widget.until("session.log.includes('silence')", "the silence")
    widget.until("session.sockets.length > 1 && session.sockets.at(-1).readyState === 1", "the second socket")
    tools.server.control("DELETE", f"faults/{fault}")
    widget.run("session.send('still here')")
    widget.until("session.shown.includes('still here')", "the echo")


@check("P-10", "The end by the customer and the end by the agent reach the page", page=True)
def endings(tools):
    widget = tools.widget("silent").connect()
    expect(widget.run("session.ask('disconnect', { ClientToken: 'bye' })")["status"], 200)
    widget.until("session.state === 'ended'", "the end")
    widget = tools.widget("silent").connect()
    widget.talk.agent("join", name="Maria", id="maria")
    widget.talk.agent("leave", ends=True)
    widget.until("session.state === 'ended'", "the end")
    kinds = widget.run("session.items.map(item => item.ContentType)")
    expect(kinds[-2:], [EVENT + "participant.left", EVENT + "chat.ended"])


@check("P-11", "The library itself connects, talks, loses its connection, comes back, and ends", page=True)
def library(tools):
    path = os.environ.get("CONNECT_CHATJS")
    if not path:
        raise Skipped("CONNECT_CHATJS names no file of amazon-connect-chatjs, which is neither in Debian nor in PyPI")
    require(pathlib.Path(path).is_file(), f"CONNECT_CHATJS: there is no file {path}")
    widget = tools.widget()
    widget.page.add_script_tag(path=path)
    talk = widget.talk
    widget.run(
        LIBRARY,
        {
            "endpoint": talk.server.base,
            "contactId": talk.contact,
            "participantId": talk.me,
            "participantToken": talk.participant_token,
        },
    )
    widget.page.wait_for_function("seen.messages.includes('Welcome to the desk.')")
    widget.run("chat.sendMessage({ contentType: 'text/plain', message: 'hi' }).then(() => true)")
    widget.page.wait_for_function("seen.messages.includes('You said: hi') && seen.typing > 0")
    fault = tools.server.inject("any event", {"close": 1011}, tag=talk.tag, times=1)
    widget.run("chat.sendMessage({ contentType: 'text/plain', message: 'break' }).then(() => true)")
    widget.page.wait_for_function("seen.lost > 0 && seen.established > 1")
    tools.server.control("DELETE", f"faults/{fault}")
    widget.run("chat.sendMessage({ contentType: 'text/plain', message: 'mended' }).then(() => true)")
    widget.page.wait_for_function("seen.messages.includes('You said: mended')")
    refused = widget.run(
        "chat.sendMessage({ contentType: 'text/markdown', message: '*hi*' }).then(() => 'taken', error => error.type ?? String(error))"
    )
    require("Validation" in refused, refused)
    widget.run("chat.disconnectParticipant().then(() => true)")
    widget.page.wait_for_function("seen.ended > 0")
