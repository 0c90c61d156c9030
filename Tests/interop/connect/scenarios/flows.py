"""Flows and rules of sockets that no scenario has: F-1 to F-14."""

import concurrent.futures
import datetime

from rig import Skipped, check, expect, refused, require
from scenarios.ending import happened, timers
from scenarios.files import announce, complete, put, upload
from talk import INTERACTIVE, Talk, event, message, names

NOBODY = "00000000-0000-4000-8000-000000000000"


def frozen(tools, **keys):
    server = tools.own_server(**keys)
    server.control("POST", "clock", {"mode": "frozen"})
    return server


def seconds(stamp):
    return datetime.datetime.fromisoformat(stamp.replace("Z", "+00:00")).timestamp()


@check("F-1", "A connection lasts an hour, its token a day, a link as long as was asked for")
def lifetimes(tools):
    server = frozen(tools)
    with Talk(server, "silent", connection=False) as talk:
        got = server.participant.create_participant_connection(
            Type=["WEBSOCKET", "CONNECTION_CREDENTIALS"], ParticipantToken=talk.participant_token
        )
        talk.token = got["ConnectionCredentials"]["ConnectionToken"]
        now = seconds(server.control("GET", "clock")["now"])
        expect(round(seconds(got["Websocket"]["ConnectionExpiry"]) - now), 3600)
        expect(round(seconds(got["ConnectionCredentials"]["Expiry"]) - now), 86400)
        attachment = upload(talk)
        for words, wanted in (({}, 300), ({"UrlExpiryInSeconds": 5}, 5)):
            link = server.participant.get_attachment(AttachmentId=attachment, ConnectionToken=talk.token, **words)
            expect(round(seconds(link["UrlExpiry"]) - now), wanted)


@check("F-2", "After the end a socket stays for two seconds, and is closed with 1000")
def last_seconds(tools):
    server = frozen(tools)
    with Talk(server, "silent") as talk:
        talk.disconnect()
        talk.socket.one(event("chat.ended"), "the end")
        server.advance("1900ms")
        talk.socket.settle()
        server.advance("200ms")
        expect(talk.socket.ended()[0], 1000)


@check("F-3", "A socket that has not subscribed, or no longer, is told nothing")
def unsubscribed(tools):
    with Talk(tools.server, "silent") as talk:
        silent = talk.open(subscribe=None)
        left = talk.open()
        left.send('{"topic":"aws/unsubscribe","content":{"topics":["aws/chat"]}}')
        left.settle()
        said = talk.say("who hears?")["Id"]
        talk.socket.one(lambda item: item["Id"] == said, "the echo")
        for socket in (silent, left):
            require(not any(item["Id"] == said for item in socket.settle()), "it came")


@check("F-4", "A message before the customer is connected connects the customer")
def implicit(tools):
    with Talk(tools.server, opened=False) as talk:
        said = talk.say("hello")["Id"]
        kept = talk.transcript()
        expect(names(kept)[0], "joined CUSTOMER")
        require(any(item["Id"] == said for item in kept), names(kept))
        talk.socket = talk.open(talk.url)
        require("joined CUSTOMER" not in names(talk.socket.settle()), names(talk.socket.items))


@check("F-5", "Timers run only while an agent is there, with what was set when they came")
def only_with_agent(tools):
    server = frozen(tools)
    with Talk(server, "silent") as talk:
        timers(talk, ("CUSTOMER", "IDLE", 2))
        server.advance("5m")
        require(not any(event("participant.idle")(item) for item in talk.socket.settle()), names(talk.socket.items))
        talk.join()
        server.advance("119s")
        require(not any(event("participant.idle")(item) for item in talk.socket.settle()), names(talk.socket.items))
        server.advance("2s")
        talk.socket.one(event("participant.idle"), "idle")


@check("F-6", "DISCONNECT_NONCUSTOMER without IDLE runs from the start; an agent who is idle is named")
def other_timers(tools):
    server = frozen(tools)
    with Talk(server, "silent") as talk:
        timers(talk, ("CUSTOMER", "DISCONNECT_NONCUSTOMER", 3), ("AGENT", "IDLE", 2))
        talk.join()
        since = len(talk.socket.items)
        server.advance("3m")
        talk.socket.one(event("chat.ended"), "the end")
        expect(happened(talk, since), ["idle AGENT", "autodisconnection CUSTOMER", "left AGENT", "chat.ended"])


@check("F-7", "An attachment brings its sender back as a message does; Unset takes a timer away")
def attachment_returns(tools):
    server = frozen(tools)
    with Talk(server, "silent") as talk:
        timers(talk, ("CUSTOMER", "IDLE", 2), ("CUSTOMER", "DISCONNECT_NONCUSTOMER", 2))
        talk.join()
        server.advance("2m")
        talk.socket.one(event("participant.idle"), "idle")
        announced = announce(talk)
        put(talk, announced)
        complete(talk, announced)
        talk.socket.one(event("participant.returned"), "returned")
    with Talk(server, "silent") as talk:
        timers(talk, ("CUSTOMER", "IDLE", 2))
        server.connect.update_participant_role_config(
            InstanceId="i",
            ContactId=talk.contact,
            ChannelConfiguration={
                "Chat": {
                    "ParticipantTimerConfigList": [
                        {"ParticipantRole": "CUSTOMER", "TimerType": "IDLE", "TimerValue": {"ParticipantTimerAction": "Unset"}}
                    ]
                }
            },
        )
        talk.join()
        server.advance("8m")
        require(not any(event("participant.idle")(item) for item in talk.socket.settle()), names(talk.socket.items))


@check("F-8", "Operations on a contact that nobody knows say so")
def unknown(tools):
    connect = tools.server.connect
    timer = {"ParticipantRole": "CUSTOMER", "TimerType": "IDLE", "TimerValue": {"ParticipantTimerDurationInMinutes": 2}}
    words = {"InstanceId": "i", "ContactId": NOBODY}
    for call, more in (
        (connect.create_participant, {**words, "ParticipantDetails": {"ParticipantRole": "CUSTOM_BOT", "DisplayName": "Robo"}}),
        (
            connect.update_participant_role_config,
            {**words, "ChannelConfiguration": {"Chat": {"ParticipantTimerConfigList": [timer]}}},
        ),
        (connect.describe_contact, words),
        (connect.get_contact_attributes, {"InstanceId": "i", "InitialContactId": NOBODY}),
        (connect.update_contact_attributes, {"InstanceId": "i", "InitialContactId": NOBODY, "Attributes": {"a": "b"}}),
        (
            connect.start_contact_streaming,
            {**words, "ChatStreamingConfiguration": {"StreamingEndpointArn": "arn:aws:sns:eu-west-2:1:t"}, "ClientToken": "c"},
        ),
    ):
        refused("ResourceNotFoundException", call, **more)


@check("F-9", "ENTIRE_PAST_SESSION goes on from the last contact of the session that its first one names")
def entire(tools):
    def chat(text, **more):
        with Talk(tools.server, "silent", **more) as talk:
            said = talk.say(text)["Id"]
            talk.socket.one(lambda item: item["Id"] == said, "the echo")
            before = [item["Content"] for item in talk.transcript() if item["Type"] == "MESSAGE"]
            talk.disconnect()
            talk.socket.one(event("chat.ended"), "the end")
            return talk, before

    first, _ = chat("one")
    second, _ = chat("two", PersistentChat={"RehydrationType": "FROM_SEGMENT", "SourceContactId": first.contact})
    third, heard = chat("three", PersistentChat={"RehydrationType": "ENTIRE_PAST_SESSION", "SourceContactId": first.contact})
    expect(third.started["ContinuedFromContactId"], second.contact)
    expect(heard, ["one", "two", "three"])


@check("F-10", "An initial message that is interactive is refused")
def initial(tools):
    words = {"ContentType": INTERACTIVE, "Content": "{}"}
    body = {"InstanceId": "i", "ContactFlowId": "f", "ParticipantDetails": {"DisplayName": "J"}, "InitialMessage": words}
    expect(tools.server.request("PUT", "/contact/chat", body).status, 400)


@check("F-11", "Messages of ten senders at once: every socket is told all, once, in the transcript's order")
def at_once(tools):
    with Talk(tools.server, "silent") as talk:
        others = [talk.open() for _ in range(3)]
        with concurrent.futures.ThreadPoolExecutor(10) as pool:
            said = {each["Id"] for each in pool.map(lambda number: talk.say(f"{number}"), range(100))}
        expect(len(said), 100)
        kept = [item["Id"] for item in talk.transcript() if item["Type"] == "MESSAGE"]
        for socket in (talk.socket, *others):
            socket.all(message("CUSTOMER"), 100, "a hundred messages")
            expect([item["Id"] for item in socket.settle() if message("CUSTOMER")(item)], kept)


@check("F-12", "DescribeContact and the transcript know where a transfer led")
def after_transfer(tools):
    with Talk(tools.server, "silent") as talk:
        before = talk.say("before")["Id"]
        talk.join("Maria")
        talk.join("Enzo")
        current = talk.socket.items[-1]["ContactId"]
        got = tools.server.connect.describe_contact(InstanceId="i", ContactId=current)["Contact"]
        expect((got["Id"], got["InitialContactId"], got["PreviousContactId"]), (current, talk.contact, talk.contact))
        page = talk.page(MaxResults=100)
        expect(page["InitialContactId"], talk.contact)
        require(any(item["Id"] == before for item in page["Transcript"]), names(page["Transcript"]))
        tools.server.connect.stop_contact(ContactId=current, InstanceId="i")
        talk.socket.one(event("chat.ended"), "the end")


@check("F-13", "Sockets of contacts are never compressed, also where those of others are")
def never_compressed(tools):
    try:
        server = tools.own_server("--deflate")
    except AssertionError as problem:
        if "zlib" in str(problem):
            raise Skipped("this binary was built without zlib") from None
        raise
    with Talk(server) as talk:
        require(not talk.socket.connection.protocol.extensions, talk.socket.connection.protocol.extensions)
        talk.socket.one(message("SYSTEM", "Welcome"), "the welcome")


@check("F-14", "Customer and bot speak at the same instants, on a clock that runs ahead: the order told is that of the stamps")
def together(tools):
    server = tools.own_server()
    with Talk(server) as talk:
        talk.socket.one(message("SYSTEM", "Welcome"), "the welcome")
        server.control("POST", "clock", {"mode": "scaled", "scale": 20})
        for number in range(60):
            talk.say(f"number {number}")
        server.control("POST", "clock", {"mode": "real"})
        talk.socket.all(message("SYSTEM", "You said: number"), 60, "all replies")
        told = [(item["AbsoluteTime"], item["Content"]) for item in talk.socket.settle() if item["Type"] == "MESSAGE"]
        expect([pair for pair in zip(told, told[1:]) if pair[0] >= pair[1]][:2], [], "told in another order than stamped")
        expect([item["Content"] for item in talk.transcript() if item["Type"] == "MESSAGE"], [text for _, text in told])
