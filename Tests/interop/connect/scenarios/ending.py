"""Scenarios 23 to 25, 31 to 33, 39: endings, timers, past chats, transfer, a bot beside a person."""

from rig import check, expect, refused, require
from talk import Talk, event, message, names

CALLS = ("message", "event", "transcript", "disconnect", "start-attachment-upload", "complete-attachment-upload", "attachment")
BODIES = {
    "message": {"ContentType": "text/plain", "Content": "late"},
    "event": {"ContentType": "application/vnd.amazonaws.connect.event.typing"},
    "start-attachment-upload": {
        "ContentType": "text/plain",
        "AttachmentName": "a.txt",
        "AttachmentSizeInBytes": 1,
        "ClientToken": "c",
    },
    "complete-attachment-upload": {"AttachmentIds": ["7c2f9e36-0000-4000-8000-000000000000"], "ClientToken": "c"},
    "attachment": {"AttachmentId": "7c2f9e36-0000-4000-8000-000000000000"},
}


def is_over(talk):
    """Every call of the participant is refused, and so is the way back."""
    for call in CALLS:
        body = {**BODIES.get(call, {}), **({"ClientToken": "other"} if call == "disconnect" else {})}
        talk.server.ask(call, body, talk.token).refused(403, "AccessDeniedException")
    body = {"Type": ["WEBSOCKET", "CONNECTION_CREDENTIALS"]}
    talk.server.ask("connection", body, talk.participant_token).refused(403, "AccessDeniedException")


def tail(talk, count):
    talk.socket.one(event("chat.ended"), "the end")
    return names(talk.socket.items)[-count:]


@check("23", "DisconnectParticipant: left, ended, the socket closed with 1000, and nothing goes any more")
def disconnect(tools):
    with Talk(tools.server, "silent") as talk:
        words = {"ConnectionToken": talk.token, "ClientToken": "bye"}
        got = tools.server.participant.disconnect_participant(**words)
        expect(sorted(set(got) - {"ResponseMetadata"}), [])
        expect(tail(talk, 2), ["left CUSTOMER", "chat.ended"])
        expect(talk.socket.ended()[0], 1000)
        tools.server.participant.disconnect_participant(**words)
        is_over(talk)


@check("23b", "With DisconnectOnCustomerExit the agent leaves first, and the chat ends")
def agent_goes_too(tools):
    with Talk(tools.server, "silent", DisconnectOnCustomerExit=["AGENT"]) as talk:
        talk.join()
        talk.disconnect()
        expect([each for each in tail(talk, 99) if each in ("left AGENT", "chat.ended")], ["left AGENT", "chat.ended"])


@check("24", "When the agent leaves, the chat ends behind that")
def agent_ends(tools):
    with Talk(tools.server) as talk:
        talk.say("a person")
        talk.socket.one(message("AGENT", "Robin here."), "the person")
        require(
            any(event("participant.joined")(item) and item["DisplayName"] == "Robin" for item in talk.socket.items),
            names(talk.socket.items),
        )
        talk.say("bye")
        expect(tail(talk, 2), ["left AGENT", "chat.ended"])
        expect(talk.socket.ended()[0], 1000)
        is_over(talk)
    with Talk(tools.server, "silent") as talk:
        talk.join()
        talk.agent("leave", ends=True)
        expect(tail(talk, 2), ["left AGENT", "chat.ended"])


@check("24b", "The end of the script ends the chat, and so does the end from outside")
def script_ends(tools):
    with Talk(tools.server) as talk:
        talk.say("the end")
        talk.socket.one(message("SYSTEM", "Goodbye."), "the last word")
        expect(tail(talk, 1), ["chat.ended"])
        is_over(talk)
    with Talk(tools.server, "silent") as talk:
        talk.socket.close()
        tools.server.control("POST", f"sessions/{talk.session}/end", {})
        is_over(talk)


@check("25", "StopContact ends the chat; of a contact that is unknown it is a 410")
def stop(tools):
    with Talk(tools.server, "silent") as talk:
        tools.server.connect.stop_contact(ContactId=talk.contact, InstanceId="instance")
        expect(tail(talk, 1), ["chat.ended"])
        is_over(talk)
    problem = refused(
        "ContactNotFoundException",
        tools.server.connect.stop_contact,
        ContactId="00000000-0000-4000-8000-000000000000",
        InstanceId="instance",
    )
    expect(problem.response["ResponseMetadata"]["HTTPStatusCode"], 410)


@check("25b", "A contact that nobody connects to ends after five minutes, one that lasts when its time is over")
def lifetimes(tools):
    server = tools.own_server()
    with Talk(server, "silent", connection=False) as talk:
        server.advance("6m")
        server.ask("connection", {"Type": ["WEBSOCKET"]}, talk.participant_token).refused(403, "AccessDeniedException")
    with Talk(server, "silent", ChatDurationInMinutes=60) as talk:
        server.advance("59m")
        # A socket on which nothing came for so long may be closed; the chat goes on without one.
        talk.socket = talk.open()
        talk.say("still here")
        server.advance("2m")
        expect(tail(talk, 1), ["chat.ended"])


def timers(talk, *rows, checked=True):
    talk.server.client("connect", checked=checked).update_participant_role_config(
        InstanceId="instance",
        ContactId=talk.contact,
        ChannelConfiguration={
            "Chat": {
                "ParticipantTimerConfigList": [
                    {"ParticipantRole": role, "TimerType": kind, "TimerValue": {"ParticipantTimerDurationInMinutes": minutes}}
                    for role, kind, minutes in rows
                ]
            }
        },
    )


CUSTOMER_TIMERS = (("CUSTOMER", "IDLE", 2), ("CUSTOMER", "DISCONNECT_NONCUSTOMER", 2))
IDLE_END = ["idle CUSTOMER", "autodisconnection CUSTOMER", "left AGENT", "chat.ended"]


def happened(talk, since):
    return [each for each in names(talk.socket.items[since:]) if each not in ("MESSAGEMETADATA", "typing AGENT")]


@check("31", "polymock clock advance 10m: idle, autodisconnection, left AGENT, ended, in this order")
def idle(tools):
    server = tools.own_server()
    server.control("POST", "clock", {"mode": "frozen"})
    with Talk(server, "silent") as talk:
        timers(talk, *CUSTOMER_TIMERS)
        talk.join()
        since = len(talk.socket.items)
        server.verb("clock", "advance", "10m")
        talk.socket.one(event("chat.ended"), "the end")
        expect(happened(talk, since), IDLE_END)
        stamps = [item["AbsoluteTime"] for item in talk.socket.items]
        expect(stamps, sorted(set(stamps)))
        is_over(talk)


@check("31b", "A message restarts the timers and brings the idle one back; none of it is in the transcript")
def returned(tools):
    server = tools.own_server()
    server.control("POST", "clock", {"mode": "frozen"})
    with Talk(server, "silent") as talk:
        timers(talk, *CUSTOMER_TIMERS)
        talk.join()
        since = len(talk.socket.items)
        server.advance("1m")
        talk.say("early")
        server.advance("90s")
        talk.socket.settle()
        expect(happened(talk, since), ["MESSAGE CUSTOMER"], "a message before the time restarts it")
        server.advance("1m")
        talk.socket.one(event("participant.idle"), "idle")
        talk.say("late")
        back = talk.socket.one(event("participant.returned"), "returned")
        expect(back["ParticipantId"], talk.me)
        server.advance("90s")
        require(not any(event("participant.autodisconnection")(item) for item in talk.socket.settle()), names(talk.socket.items))
        kept = names(talk.transcript())
        require(not any(word.split(" ")[0] in ("idle", "returned", "autodisconnection") for word in kept), kept)
        server.advance("3m")
        talk.socket.one(event("chat.ended"), "the end")
        expect(happened(talk, since)[-4:], IDLE_END)


@check("31c", "The key minute shortens the unit, in real time")
def short_minute(tools):
    server = tools.own_server(connect={"minute": "100ms"})
    with Talk(server, "silent") as talk:
        timers(talk, *CUSTOMER_TIMERS)
        talk.join()
        since = len(talk.socket.items)
        talk.socket.one(event("chat.ended"), "the end")
        expect(happened(talk, since), IDLE_END)


@check("31d", "Timers outside of 2 to 480 minutes, and the same one twice, are refused")
def wrong_timers(tools):
    with Talk(tools.server, "silent") as talk:
        for rows in ([("CUSTOMER", "IDLE", 2)] * 2, [("CUSTOMER", "IDLE", 481)], [("CUSTOMER", "IDLE", 1)]):
            try:
                timers(talk, *rows, checked=False)
            except Exception as problem:
                require(type(problem).__name__ in ("InvalidRequestException", "InvalidParameterException"), repr(problem))
            else:
                raise AssertionError(f"{rows} was taken")


@check("32", "A chat goes on FROM_SEGMENT: rehydrated, and past items behind the current ones")
def persistent(tools):
    server = tools.server
    with Talk(server, "silent") as past:
        refused(
            "InvalidRequestException",
            Talk,
            server=server,
            fixture="silent",
            PersistentChat={"RehydrationType": "FROM_SEGMENT", "SourceContactId": past.contact},
        )
        said = [past.say(f"past {number}")["Id"] for number in range(3)]
        past.disconnect()
        past.socket.one(event("chat.ended"), "the end")
    with Talk(server, "silent", PersistentChat={"RehydrationType": "FROM_SEGMENT", "SourceContactId": past.contact}) as talk:
        expect(talk.started["ContinuedFromContactId"], past.contact)
        talk.socket.one(event("chat.rehydrated"), "rehydrated")
        here = talk.say("here")["Id"]
        talk.socket.one(lambda item: item["Id"] == here, "the echo")
        first = talk.page(ScanDirection="BACKWARD", SortOrder="DESCENDING", MaxResults=100)
        require("NextToken" in first, "no NextToken after the current items")
        require(
            all(item.get("ContactId") == talk.contact and "RelatedContactId" not in item for item in first["Transcript"]),
            first["Transcript"][-1],
        )
        items = talk.transcript()
        before = [item for item in items if "RelatedContactId" in item]
        require(all(item["RelatedContactId"] == past.contact and "ContactId" not in item for item in before), before[:1])
        expect([item["Id"] for item in before if item["Type"] == "MESSAGE"], said)
        require(not any(event("chat.rehydrated")(item) for item in items), names(items))
    refused(
        "ResourceNotFoundException",
        Talk,
        server=server,
        fixture="silent",
        PersistentChat={"RehydrationType": "FROM_SEGMENT", "SourceContactId": "00000000-0000-4000-8000-000000000000"},
    )


@check("33", "A transfer: another ContactId, the same InitialContactId")
def transfer(tools):
    with Talk(tools.server, "silent") as talk:
        talk.join("Maria")
        since = len(talk.socket.items)
        talk.join("Enzo")
        happened_then = talk.socket.items[since:]
        expect(names(happened_then), ["left AGENT", "transfer.succeeded AGENT", "joined AGENT"])
        joined = happened_then[-1]
        require(joined["ContactId"] != talk.contact, joined)
        expect(joined["InitialContactId"], talk.contact)
        after = talk.say("still me")
        echo = talk.socket.one(lambda item: item["Id"] == after["Id"], "the echo")
        expect((echo["ContactId"], echo["InitialContactId"]), (joined["ContactId"], talk.contact))
        kept = names(talk.transcript())
        require("transfer.succeeded AGENT" in kept, kept)


@check("39", "A CUSTOM_BOT joins and speaks, also beside a person; it gets no attachment")
def custom_bot(tools):
    server = tools.server
    with Talk(server, "silent") as talk:
        for beside in (False, True):
            if beside:
                talk.join()
            who, bearer, _ = talk.bot(f"Robo {beside}")
            joined = talk.socket.one(lambda item, wanted=who: item.get("ParticipantId") == wanted, "the bot joins")
            expect((names([joined])[0], joined["DisplayName"]), ("joined CUSTOM_BOT", f"Robo {beside}"))
            said = talk.say("beep", token=bearer)
            told = talk.socket.one(lambda item, wanted=said["Id"]: item["Id"] == wanted, "what the bot says")
            expect((told["ParticipantRole"], told["ParticipantId"], told["Content"]), ("CUSTOM_BOT", who, "beep"))
            refused(
                "AccessDeniedException",
                server.participant.get_attachment,
                AttachmentId="7c2f9e36-0000-4000-8000-000000000000",
                ConnectionToken=bearer,
            )
        spoken = talk.agent_says("and I am here")
        expect(spoken["DisplayName"], "Maria")
        # Three are active now, so a receipt has no one to be for.
        refused("ConflictException", talk.tell, name="message.read", content={"messageId": spoken["Id"]})
        for role in ("AGENT", "SUPERVISOR"):
            refused(
                "InvalidRequestException",
                server.connect.create_participant,
                InstanceId="i",
                ContactId=talk.contact,
                ParticipantDetails={"ParticipantRole": role, "DisplayName": "No"},
            )
