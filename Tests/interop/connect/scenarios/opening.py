"""Scenarios 1 to 6, 26 to 28, 40: starting a contact, and its sockets."""

import json
import re
import time

from rig import check, expect, refused, require
from talk import SUBSCRIBE, SUBSCRIBE_IOS, Talk, event, message, names

ACKNOWLEDGED = {"topic": "aws/subscribe", "content": {"status": "success", "topics": ["aws/chat"]}}
MINIMAL = {"InstanceId": "i", "ContactFlowId": "any-flow", "ParticipantDetails": {"DisplayName": "Jane"}}


def moment(stamp):
    """Milliseconds of a day."""
    hours, minutes, seconds, thousandths = map(int, re.fullmatch(r".*T(\d\d):(\d\d):(\d\d)\.(\d{3})Z", stamp).groups())
    return ((hours * 60 + minutes) * 60 + seconds) * 1000 + thousandths


@check("1", "A contact that is started with nothing but what must be has three ids and no connection")
def start(tools):
    got = tools.server.connect.start_chat_contact(**MINIMAL)
    expect(sorted(set(got) - {"ResponseMetadata"}), ["ContactId", "ParticipantId", "ParticipantToken"])
    require(all(got[name] for name in ("ContactId", "ParticipantId", "ParticipantToken")), got)


@check("2", "ConnectionTypes bring a socket's address that can be dialled and a token that works")
def with_connection(tools):
    with Talk(tools.server, connection=False, ConnectionTypes=["WEBSOCKET", "CONNECTION_CREDENTIALS"]) as talk:
        url = talk.started["Websocket"]["Url"]
        require(url.startswith("ws://127.0.0.1:"), url)
        talk.socket = talk.open(url)
        talk.token = talk.started["ConnectionCredentials"]["ConnectionToken"]
        said = talk.say("hi")
        talk.socket.one(lambda item: item["Id"] == said["Id"], "the echo")
    with Talk(tools.server, connection=False, ConnectionTypes=["CONNECTION_CREDENTIALS"]) as talk:
        require("Websocket" not in talk.started and "ConnectionCredentials" in talk.started, talk.started)


@check("3", "A contact without a DisplayName is refused, and boto3 can read it")
def no_name(tools):
    kinds = ("InvalidRequestException", "InvalidParameterException")
    body = {**MINIMAL, "ParticipantDetails": {}}
    answer = tools.server.request("PUT", "/contact/chat", body, {"Content-Type": "application/json"})
    require(answer.field("x-amzn-ErrorType") in kinds, answer)
    answer.refused(400, answer.field("x-amzn-ErrorType"))
    refused(answer.field("x-amzn-ErrorType"), tools.server.client("connect", checked=False).start_chat_contact, **body)


@check("4", "Subscribing is acknowledged; the customer joins and is welcomed within a second")
def subscribe(tools):
    with Talk(tools.server, opened=False) as talk:
        socket = talk.open(talk.url, subscribe=None)
        require(not socket.connection.protocol.extensions, "the socket compresses")
        time_before = len(socket.items)
        expect(json.loads(socket.ask(SUBSCRIBE, lambda frame: frame["topic"] == "aws/subscribe")), ACKNOWLEDGED)
        expect(time_before, 0, "items before the subscription")
        joined = socket.one(event("participant.joined"), "joined")
        welcome = socket.one(message("SYSTEM", "Welcome"), "the welcome")
        expect((joined["ParticipantId"], joined["ParticipantRole"], joined["DisplayName"]), (talk.me, "CUSTOMER", "Jane"))
        expect(names(socket.items)[0], "joined CUSTOMER")
        require(welcome["DisplayName"] in ("BOT", "SYSTEM_MESSAGE"), welcome)
        expect((welcome["ContactId"], welcome["InitialContactId"]), (talk.contact, talk.contact))
        require(0 < moment(welcome["AbsoluteTime"]) - moment(joined["AbsoluteTime"]) <= 1000, (joined, welcome))


@check("5", "Subscribing as the iOS SDK does, with its stray parenthesis, is acknowledged the same")
def stray(tools):
    with Talk(tools.server, opened=False) as talk:
        socket = talk.open(talk.url, subscribe=None)
        expect(json.loads(socket.ask(SUBSCRIBE_IOS, lambda frame: frame["topic"] == "aws/subscribe")), ACKNOWLEDGED)
        socket.one(message("SYSTEM", "Welcome"), "the welcome")


@check("6", "Both heartbeats are answered letter for letter within 100 ms, and so is a ping of RFC 6455")
def heartbeats(tools):
    with Talk(tools.server) as talk:
        quickest = {}
        for _ in range(8):
            for asked, wanted in (
                ("ping", '{"topic":"aws/ping","statusCode":200,"statusContent":"OK"}'),
                ("heartbeat", '{"topic":"aws/heartbeat"}'),
            ):
                began = time.monotonic()
                got = talk.socket.ask(f'{{"topic":"aws/{asked}"}}', lambda frame, topic=asked: frame["topic"] == "aws/" + topic)
                quickest[asked] = min(quickest.get(asked, 9), time.monotonic() - began)
                expect(got, wanted)
        require(talk.socket.connection.ping().wait(15), "no pong")
        # The quickest of eight: the machine may be busy.
        require(max(quickest.values()) < 0.1, quickest)


@check("26", "Two sockets of one participant are told each item once")
def two_sockets(tools):
    with Talk(tools.server) as talk:
        talk.socket.one(message("SYSTEM", "Welcome"), "the welcome")
        second = talk.open(talk.connection()[0])
        said = talk.say("both")
        for socket in (talk.socket, second):
            socket.one(message("SYSTEM", "You said: both"), "the reply")
            later = [item["Id"] for item in socket.settle() if item["Type"] == "MESSAGE"]
            expect(len(later), len(set(later)), "messages, each once")
            require(said["Id"] in later, later)
        # What happened before the subscription of the second is not told to it.
        require(not any(message("SYSTEM", "Welcome")(item) for item in second.items), names(second.items))


@check("27", "What was missed without a socket is in the transcript, and nobody joins again")
def missed(tools):
    with Talk(tools.server, "silent") as talk:
        before = talk.say("before")
        talk.socket.one(lambda item: item["Id"] == before["Id"], "the echo")
        _, bearer, _ = talk.bot()
        talk.socket.one(event("participant.joined"), "somebody")
        talk.socket.close()
        missing = [talk.say(text, token=bearer)["Id"] for text in ("one", "two")]
        again = talk.open()
        after = talk.say("after")
        again.one(lambda item: item["Id"] == after["Id"], "the echo")
        again.settle()
        require(not any(item["Id"] in missing for item in again.items), "a missed item came by the socket")
        got = talk.page(ScanDirection="FORWARD", SortOrder="ASCENDING", MaxResults=30, StartPosition={"Id": before["Id"]})[
            "Transcript"
        ]
        expect([item["Content"] for item in got if item["Type"] == "MESSAGE"], ["before", "one", "two", "after"])
        expect(names(talk.transcript()).count("joined CUSTOMER"), 1, "joined CUSTOMER")


@check("28", "A second connection leaves the first socket and the first token as they are")
def second_connection(tools):
    with Talk(tools.server, "silent") as talk:
        url, token = talk.connection()
        second = talk.open(url)
        for bearer in (talk.token, token):
            said = talk.say("hi", token=bearer)
            for socket in (talk.socket, second):
                socket.one(lambda item: item["Id"] == said["Id"], "the echo")


@check("40", "The sixth socket of a participant closes the oldest with 1001, and no other")
def sixth(tools):
    with Talk(tools.server, "silent") as talk:
        rest = [talk.open() for _ in range(4)]
        said = talk.say("five")
        for socket in (talk.socket, *rest):
            socket.one(lambda item: item["Id"] == said["Id"], "the echo")
        rest.append(talk.open())
        expect(talk.socket.ended()[0], 1001)
        said = talk.say("six")
        for socket in rest:
            socket.one(lambda item: item["Id"] == said["Id"], "the echo")
