"""Further operations, and what a talk has besides the scenarios: M-1 to M-12."""

import json

from rig import check, expect, refused, require
from talk import Talk, event, message, names


@check("M-1", "An initial message is the customer's, behind joined and before the welcome")
def initial(tools):
    with Talk(tools.server, InitialMessage={"ContentType": "text/plain", "Content": "hello there"}) as talk:
        talk.socket.one(message("SYSTEM", "Welcome"), "the welcome")
        first = [item for item in talk.socket.items if not event("typing")(item)][:3]
        expect(names(first), ["joined CUSTOMER", "MESSAGE CUSTOMER", "MESSAGE SYSTEM"])
        expect(first[1]["Content"], "hello there")


@check("M-2", "Attributes are kept and merged, and DescribeContact tells of the contact")
def attributes(tools):
    connect = tools.server.connect
    with Talk(tools.server, "silent", Attributes={"plan": "gold", "seat": "1"}) as talk:
        where = {"InstanceId": "i", "InitialContactId": talk.contact}
        expect(connect.get_contact_attributes(**where)["Attributes"], {"plan": "gold", "seat": "1"})
        connect.update_contact_attributes(**where, Attributes={"seat": "2", "meal": "none"})
        expect(connect.get_contact_attributes(**where)["Attributes"], {"plan": "gold", "seat": "2", "meal": "none"})
        got = connect.describe_contact(InstanceId="i", ContactId=talk.contact)["Contact"]
        expect((got["Id"], got["Channel"], got["InitiationMethod"]), (talk.contact, "CHAT", "API"))
        require(hasattr(got["InitiationTimestamp"], "year") and "DisconnectTimestamp" not in got, got)
        talk.disconnect()
        talk.socket.one(event("chat.ended"), "the end")
        require("DisconnectTimestamp" in connect.describe_contact(InstanceId="i", ContactId=talk.contact)["Contact"], got)
    refused(
        "ResourceNotFoundException", connect.describe_contact, InstanceId="i", ContactId="00000000-0000-4000-8000-000000000000"
    )


@check("M-3", "Streaming to AWS is accepted and does nothing")
def streaming(tools):
    connect = tools.server.connect
    with Talk(tools.server, "silent") as talk:
        where = {"InstanceId": "i", "ContactId": talk.contact}
        arn = {"StreamingEndpointArn": "arn:aws:sns:eu-west-2:1:topic"}
        got = connect.start_contact_streaming(**where, ChatStreamingConfiguration=arn, ClientToken="c")
        connect.stop_contact_streaming(**where, StreamingId=got["StreamingId"])
    with Talk(tools.server, "silent", ChatStreamingConfiguration=arn) as talk:
        require(talk.started["StreamingId"], talk.started)


@check("M-4", "A past chat is linked to a running one")
def association(tools):
    with Talk(tools.server, "silent") as past:
        past.say("past")
        past.disconnect()
        past.socket.one(event("chat.ended"), "the end")
    with Talk(tools.server, "silent") as talk:
        got = tools.server.connect.create_persistent_contact_association(
            InstanceId="i", InitialContactId=talk.contact, RehydrationType="ENTIRE_PAST_SESSION", SourceContactId=past.contact
        )
        expect(got["ContinuedFromContactId"], past.contact)
        talk.socket.one(event("chat.rehydrated"), "rehydrated")
        require(any(item.get("RelatedContactId") == past.contact for item in talk.transcript()), names(talk.transcript()))


@check("M-5", "An authentication begins with its event; its address needs the session; cancelling is told, and once")
def authentication(tools):
    participant = tools.server.client("connectparticipant", checked=False)
    with Talk(tools.server, "silent") as talk:
        for session in ("short", "0" * 37):
            refused(
                "ValidationException",
                participant.get_authentication_url,
                SessionId=session,
                RedirectUri="https://a.example",
                ConnectionToken=talk.token,
            )
        refused(
            "ValidationException",
            participant.get_authentication_url,
            SessionId="0" * 36,
            RedirectUri="",
            ConnectionToken=talk.token,
        )
    participant = tools.server.client("connectparticipant")
    with Talk(tools.server) as talk:
        for ending in ("succeeded", "cancelled"):
            talk.say("sign in")
            begun = talk.socket.all(event("authentication.initiated"), 1 + (ending == "cancelled"), "the beginning")[-1]
            session = json.loads(begun["Content"])["SessionId"]
            asked = {"SessionId": session, "ConnectionToken": talk.token}
            url = participant.get_authentication_url(RedirectUri="https://a.example/?b=c", **asked)["AuthenticationUrl"]
            require(session in url and "https%3A%2F%2Fa.example%2F%3Fb%3Dc" in url, url)
            if ending == "cancelled":
                participant.cancel_participant_authentication(**asked)
            else:
                talk.say("signed")
            talk.socket.one(event("authentication." + ending), ending)
            refused("AccessDeniedException", participant.cancel_participant_authentication, **asked)
        kinds = [item["ContentType"] for item in talk.transcript() if "ContentType" in item]
        require(not any("authentication" in kind for kind in kinds), kinds)


@check("M-6", "A reply above 16,384 bytes comes in pieces that are none")
def long_reply(tools):
    with Talk(tools.server) as talk:
        talk.socket.one(message("SYSTEM", "Welcome"), "the welcome")
        text = "é" * 8192
        talk.say(text)
        talk.socket.all(message("SYSTEM"), 3, "two pieces of the reply")
        pieces = [item["Content"] for item in talk.socket.settle() if message("SYSTEM")(item)][1:]
        require(all(len(piece.encode()) <= 16384 for piece in pieces), [len(piece.encode()) for piece in pieces])
        expect("".join(pieces), "You said: " + text)


@check("M-7", "A handoff: queue and person by their items, typing of the agent, and messages that are never parts")
def handoff(tools):
    with Talk(tools.server, ParticipantConfiguration={"ResponseMode": "INCREMENTAL"}) as talk:
        talk.say("a person")
        talk.socket.one(message("AGENT", "Robin here."), "the person")
        queue = [item for item in talk.socket.items if message("SYSTEM")(item) and item["DisplayName"] == "SYSTEM_MESSAGE"]
        require(len(queue) >= 2, names(talk.socket.items))
        require(
            all("ChunkNumber" not in item.get("MessageMetadata", {}) for item in talk.socket.items if message("AGENT")(item)),
            "an agent's message came in parts",
        )
        talk.say("hm")
        talk.socket.one(message("AGENT", "I see."), "the agent's answer")


@check("M-8", "boto3 without credentials, so without any signature")
def unsigned(tools):
    connect, participant = (tools.server.client(name, signed=False) for name in ("connect", "connectparticipant"))
    got = connect.start_chat_contact(InstanceId="i", ContactFlowId="mock:silent", ParticipantDetails={"DisplayName": "Jane"})
    made = participant.create_participant_connection(Type=["CONNECTION_CREDENTIALS"], ParticipantToken=got["ParticipantToken"])
    bearer = made["ConnectionCredentials"]["ConnectionToken"]
    require(participant.send_message(ContentType="text/plain", Content="hi", ConnectionToken=bearer)["Id"], "no Id")


@check("M-9", "While a bot thinks, its typing comes again every eight seconds")
def thinking(tools):
    server = tools.own_server()
    server.control("POST", "clock", {"mode": "frozen"})
    with Talk(server, "slow") as talk:
        talk.say("think")
        typing = lambda item: event("typing")(item) and item["ParticipantRole"] == "SYSTEM"  # noqa: E731
        talk.socket.one(typing, "typing")
        for count in (2, 3):
            server.advance("8s")
            talk.socket.all(typing, count, f"typing, {count} times")
        server.advance("10s")
        talk.socket.one(message("SYSTEM", "Done."), "the reply")
        before = sum(map(typing, talk.socket.settle()))
        server.advance("20s")
        expect(sum(map(typing, talk.socket.settle())), before, "typing after the reply")


@check("M-10", "What one participant sees: the bot has its own socket, and is told all items as the customer is")
def both_sockets(tools):
    with Talk(tools.server, "silent") as talk:
        _, bearer, other = talk.bot(opened=True)
        ids = [talk.say("from me")["Id"], talk.say("from the bot", token=bearer)["Id"]]
        for socket in (talk.socket, other):
            socket.all(lambda item: item["Id"] in ids, 2, "both messages")
        expect([item["Id"] for item in talk.page(token=bearer)["Transcript"][:2]], ids[::-1])
        # A receipt of the customer for what the bot said.
        talk.tell("message.read", {"messageId": ids[1]})
        told = other.one(
            lambda item: item["Type"] == "MESSAGEMETADATA" and item["MessageMetadata"]["MessageId"] == ids[1], "the receipt"
        )
        expect(told["MessageMetadata"]["Receipts"][0]["RecipientParticipantId"], talk.me)


@check("M-11", "A bot that disconnects leaves, and the chat goes on")
def bot_leaves(tools):
    with Talk(tools.server, "silent") as talk:
        _, bearer, _ = talk.bot()
        tools.server.participant.disconnect_participant(ConnectionToken=bearer)
        talk.socket.one(lambda item: names([item]) == ["left CUSTOM_BOT"], "the bot leaves")
        refused("AccessDeniedException", talk.say, text="late", token=bearer)
        talk.say("still here")
        require(not any(event("chat.ended")(item) for item in talk.socket.settle()), names(talk.socket.items))


@check("M-12", "Past chats add up: a third chat reaches the items of the first")
def chain(tools):
    said, source = [], None
    for number in range(3):
        more = {"PersistentChat": {"RehydrationType": "FROM_SEGMENT", "SourceContactId": source}} if source else {}
        with Talk(tools.server, "silent", **more) as talk:
            said.append(talk.say(f"chat {number}")["Id"])
            kept = [item["Id"] for item in talk.transcript() if item["Type"] == "MESSAGE"]
            expect(kept, said)
            talk.disconnect()
            talk.socket.one(event("chat.ended"), "the end")
            source = talk.contact
