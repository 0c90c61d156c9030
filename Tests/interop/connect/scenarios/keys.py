"""The keys of the connect block, each with what it changes: K-1 to K-12."""

import json

from rig import check, expect, refused, require
from scenarios.files import announce, complete, link, put
from talk import INTERACTIVE, Talk, event, message, names


@check("K-1", "botRole CUSTOM_BOT: the bot joins as a participant, and leaves when a person comes")
def bot_role(tools):
    server = tools.own_server(connect={"botRole": "CUSTOM_BOT"})
    with Talk(server) as talk:
        welcome = talk.socket.one(message("CUSTOM_BOT", "Welcome"), "the welcome")
        joined = talk.socket.one(lambda item: item.get("ParticipantId") == welcome["ParticipantId"], "the bot joins")
        expect(names([joined]), ["joined CUSTOM_BOT"])
        talk.say("a person")
        talk.socket.one(message("AGENT", "Robin here."), "the person")
        require("left CUSTOM_BOT" in names(talk.socket.items), names(talk.socket.items))


@check("K-2", "strictContentTypes false: every documented type is taken")
def lenient_types(tools):
    server = tools.own_server(connect={"strictContentTypes": False})
    with Talk(server, "silent") as talk:
        for kind in ("text/markdown", "application/json", INTERACTIVE + ".response"):
            said = talk.say("{}", kind)
            expect(talk.socket.one(lambda item, wanted=said["Id"]: item["Id"] == wanted, "the echo")["ContentType"], kind)
        refused("ValidationException", talk.say, text="hi", kind="image/png")


@check("K-3", "incremental always and never: whatever the contact asked for")
def incremental(tools):
    whole = "Once upon a time, and that is all."
    for key, mode, parts in (("always", "COMPLETE", True), ("never", "INCREMENTAL", False)):
        server = tools.own_server(connect={"incremental": key})
        with Talk(server, ParticipantConfiguration={"ResponseMode": mode}) as talk:
            talk.say("a story")
            told = talk.socket.one(message("SYSTEM", whole), "the story")
            expect("ChunkNumber" in told.get("MessageMetadata", {}), parts, key)
            expect(sum(item["Id"] == told["Id"] for item in talk.socket.settle()) > 1, parts, key)


@check("K-4", "announcesScans and scanDelay: IN_PROGRESS first, the verdict under the same Id, no link before it")
def scans(tools):
    server = tools.own_server(connect={"announcesScans": True, "scanDelay": "30s"})
    server.control("POST", "clock", {"mode": "frozen"})
    with Talk(server, "silent") as talk:
        announced = announce(talk)
        put(talk, announced)
        complete(talk, announced)
        first = talk.socket.one(lambda item: item["Type"] == "ATTACHMENT", "the attachment")
        expect(first["Attachments"][0]["Status"], "IN_PROGRESS")
        # The specification does not say which error that is; only approved ones can be had.
        answer = server.ask("attachment", {"AttachmentId": announced["AttachmentId"]}, talk.token)
        require(answer.field("x-amzn-ErrorType") in ("ValidationException", "AccessDeniedException"), answer)
        server.advance("31s")
        told = talk.socket.all(lambda item: item["Type"] == "ATTACHMENT", 2, "the verdict")
        expect(
            [(item["Id"], item["Attachments"][0]["Status"]) for item in told],
            [(first["Id"], "IN_PROGRESS"), (first["Id"], "APPROVED")],
        )
        link(talk, announced["AttachmentId"])
        kept = [item["Attachments"][0]["Status"] for item in talk.transcript() if item["Type"] == "ATTACHMENT"]
        expect(kept, ["APPROVED"])


@check("K-5", "scanDelay alone: one item, when the verdict is known")
def quiet_scan(tools):
    server = tools.own_server(connect={"scanDelay": "30s"})
    server.control("POST", "clock", {"mode": "frozen"})
    with Talk(server, "silent") as talk:
        announced = announce(talk)
        put(talk, announced)
        complete(talk, announced)
        require(not any(item["Type"] == "ATTACHMENT" for item in talk.socket.settle()), names(talk.socket.items))
        server.advance("31s")
        expect(talk.socket.one(lambda item: item["Type"] == "ATTACHMENT", "the verdict")["Attachments"][0]["Status"], "APPROVED")


@check("K-6", "transcriptGrace: the transcript can be read so long after the end, and nothing else can be done")
def grace(tools):
    server = tools.own_server(connect={"transcriptGrace": "1m"})
    with Talk(server, "silent") as talk:
        said = talk.say("kept")["Id"]
        talk.disconnect()
        talk.socket.one(event("chat.ended"), "the end")
        require(any(item["Id"] == said for item in talk.transcript()), "the message is gone")
        server.ask("message", {"ContentType": "text/plain", "Content": "late"}, talk.token).refused(403, "AccessDeniedException")
        server.advance("61s")
        server.ask("transcript", {}, talk.token).refused(403, "AccessDeniedException")


@check("K-7", "startChatProxy: another path, or none")
def proxy(tools):
    body = {"InstanceId": "i", "ContactFlowId": "mock:silent", "ParticipantDetails": {"DisplayName": "Jane"}}
    server = tools.own_server(connect={"startChatProxy": "/connect/begin"})
    require(server.request("POST", "/connect/begin", body).json["data"]["startChatResult"]["ParticipantToken"], "no token")
    server.request("POST", "/connect/start-chat", body).refused(404, "UnknownOperationException")
    server = tools.own_server(connect={"startChatProxy": ""})
    server.request("POST", "/connect/start-chat", body).refused(404, "UnknownOperationException")


@check("K-8", "isOn false: the Messaging API has its words for every path, as without this protocol")
def off(tools):
    server = tools.own_server(connect={"isOn": False})
    answer = server.request("PUT", "/contact/chat", {"InstanceId": "i"})
    other = server.request("PUT", "/nothing/at-all", {"InstanceId": "i"})
    expect((answer.status, answer.field("x-amzn-ErrorType")), (other.status, None))
    expect(answer.json["error_message"], other.json["error_message"])
    # And where it is on, it has its own paths alone.
    answer = tools.server.request("PUT", "/nothing/at-all", {"InstanceId": "i"})
    expect((answer.status, answer.field("x-amzn-ErrorType")), (other.status, None))


@check("K-9", "enforcesRates: a 429 with each service's type, and no more when the clock has moved on")
def rates(tools):
    server = tools.own_server(connect={"enforcesRates": True})
    server.control("POST", "clock", {"mode": "frozen"})
    with Talk(server, "silent") as talk:
        body = {"ContentType": "text/plain", "Content": "hi"}
        answers = [server.ask("message", body, talk.token) for _ in range(40)]
        over = [answer for answer in answers if answer.status != 200]
        # SendMessage: a burst of 15.
        expect(len(over), 25)
        for answer in over:
            answer.refused(429, "ThrottlingException")
        server.advance("1s")
        expect([server.ask("message", body, talk.token).status for _ in range(11)], [200] * 10 + [429])
        server.advance("1m")
        refused_ones = [server.ask("disconnect", {"ClientToken": str(number)}, "wrong").status for number in range(8)]
        require(set(refused_ones) <= {403, 429}, refused_ones)


@check("K-10", "A key that is misspelt keeps the server from starting, with the likely spelling")
def misspelt(tools):
    try:
        tools.own_server(connect={"botRol": "SYSTEM"})
    except AssertionError as problem:
        require("botRole" in str(problem), problem)
    else:
        raise AssertionError("it started")


@check("K-11", "A server that enforces nothing takes forty messages at once")
def no_rates(tools):
    with Talk(tools.server, "silent") as talk:
        body = json.dumps({"ContentType": "text/plain", "Content": "hi"}).encode()
        expect({tools.server.ask("message", body, talk.token).status for _ in range(40)}, {200})


@check("K-12", "A file that the scanner rejects has no link; its item says so")
def rejected(tools):
    with Talk(tools.server, "silent") as talk:
        announced = announce(talk, "eicar.txt", 1, "text/plain")
        put(talk, announced, b"x")
        complete(talk, announced)
        expect(talk.socket.one(lambda item: item["Type"] == "ATTACHMENT", "the verdict")["Attachments"][0]["Status"], "REJECTED")
        answer = tools.server.ask("attachment", {"AttachmentId": announced["AttachmentId"]}, talk.token)
        require(answer.field("x-amzn-ErrorType") in ("ValidationException", "AccessDeniedException"), answer)
