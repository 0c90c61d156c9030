"""Scenarios 7 to 13, 29, 30, 38: messages, events, receipts, streamed replies, choices."""

import json

from rig import check, expect, refused, require
from talk import INTERACTIVE, Talk, event, message, names

ALL_TYPES = ["text/plain", "text/markdown", "application/json", INTERACTIVE, INTERACTIVE + ".response"]


@check("7", "The answer to SendMessage has the echo's id and instant; typing comes before the reply")
def turn(tools):
    with Talk(tools.server) as talk:
        talk.socket.one(message("SYSTEM", "Welcome"), "the welcome")
        said = talk.say("hello")
        echo = talk.socket.one(lambda item: item["Id"] == said["Id"], "the echo")
        expect(
            (echo["AbsoluteTime"], echo["Content"], echo["ParticipantRole"], echo["ParticipantId"]),
            (said["AbsoluteTime"], "hello", "CUSTOMER", talk.me),
        )
        talk.socket.one(message("SYSTEM", "You said: hello"), "the reply")
        tail = names(talk.socket.settle()[talk.socket.items.index(echo) :])
        tail = [each for each in tail if each != "MESSAGEMETADATA"]
        expect((tail[0], tail[1], tail[-1]), ("MESSAGE CUSTOMER", "typing SYSTEM", "MESSAGE SYSTEM"))
        stamps = [item["AbsoluteTime"] for item in talk.transcript()]
        expect(stamps, sorted(set(stamps)), "instants, strictly increasing")


@check("8", "The same ClientToken and body twice is one message; with another body it is two")
def once(tools):
    with Talk(tools.server, "silent") as talk:
        first, again = (talk.say("once", ClientToken="a") for _ in range(2))
        expect((again["Id"], again["AbsoluteTime"]), (first["Id"], first["AbsoluteTime"]))
        other = talk.say("twice", ClientToken="a")
        require(other["Id"] != first["Id"], other)
        talk.socket.one(lambda item: item["Id"] == other["Id"], "the echo")
        expect([item["Content"] for item in talk.socket.settle() if item["Type"] == "MESSAGE"], ["once", "twice"])
        expect([item["Content"] for item in talk.transcript() if item["Type"] == "MESSAGE"], ["once", "twice"])


@check("8b", "StartChatContact with the same ClientToken and body is one contact")
def one_contact(tools):
    body = {
        "InstanceId": "i",
        "ContactFlowId": "mock:silent",
        "ParticipantDetails": {"DisplayName": "Jane"},
        "ClientToken": "c-8b",
    }
    first, again = (tools.server.connect.start_chat_contact(**body) for _ in range(2))
    expect(again["ContactId"], first["ContactId"])
    other = tools.server.connect.start_chat_contact(**{**body, "InstanceId": "j"})
    require(other["ContactId"] != first["ContactId"], other)


@check("9", "16,384 bytes are a message, one more is none")
def size(tools):
    with Talk(tools.server, "silent") as talk:
        said = talk.say("é" * 8192)
        echo = talk.socket.one(lambda item: item["Id"] == said["Id"], "the echo")
        expect(len(echo["Content"].encode()), 16384)
        unchecked = tools.server.client("connectparticipant", checked=False).send_message
        for text in ("é" * 8192 + "x", "x" * 16385, ""):
            refused("ValidationException", unchecked, ContentType="text/plain", Content=text, ConnectionToken=talk.token)


@check("10", "text/markdown is refused unless the contact listed it")
def markdown(tools):
    with Talk(tools.server, "silent") as talk:
        for kind in ("text/markdown", "application/json", INTERACTIVE + ".response", "image/png"):
            refused("ValidationException", talk.say, text="*hi*", kind=kind)
    with Talk(tools.server, "silent", SupportedMessagingContentTypes=["text/plain", "text/markdown"]) as talk:
        said = talk.say("*hi*", "text/markdown")
        expect(talk.socket.one(lambda item: item["Id"] == said["Id"], "the echo")["ContentType"], "text/markdown")
    with Talk(tools.server, SupportedMessagingContentTypes=["text/plain", "text/markdown"]) as talk:
        expect(talk.socket.one(message("SYSTEM", "Welcome"), "the welcome")["ContentType"], "text/markdown")


@check("11", "Typing is told at once and is no part of the transcript")
def typing(tools):
    with Talk(tools.server, "silent") as talk:
        got = talk.tell("typing")
        require(got["Id"] and got["AbsoluteTime"], got)
        item = talk.socket.one(event("typing"), "typing")
        expect((item["ParticipantId"], item["ParticipantRole"], item["DisplayName"]), (talk.me, "CUSTOMER", "Jane"))
        require(not any(event("typing")(each) for each in talk.transcript()), names(talk.transcript()))
        talk.join()
        talk.agent("typing", state="started")
        talk.socket.one(lambda each: event("typing")(each) and each["ParticipantRole"] == "AGENT", "the agent's typing")


def receipts(socket, message_id, count):
    """The receipts of this message as they came, one frame each."""
    frames = socket.all(
        lambda item: item["Type"] == "MESSAGEMETADATA" and item["MessageMetadata"]["MessageId"] == message_id, count, "a receipt"
    )
    return [frame["MessageMetadata"]["Receipts"][0] for frame in frames]


@check("12", "Two read receipts with one constant ClientToken are two receipts")
def constant_token(tools):
    with Talk(tools.server, "silent") as talk:
        talk.join()
        said = [talk.agent_says(text)["Id"] for text in ("first", "second")]
        for each in said:
            talk.tell("message.read", {"messageId": each}, ClientToken="INCOMING_READ_RECEIPT")
        stored = {item["Id"]: item for item in talk.transcript()}
        for each in said:
            told = receipts(talk.socket, each, 1)[0]
            expect(told["RecipientParticipantId"], talk.me)
            kept = stored[each]["MessageMetadata"]
            expect((kept["MessageId"], kept["Receipts"]), (each, [told]))


@check("13", "Delivered, then read: the first frame has no ReadTimestamp, the second has both")
def delivered_then_read(tools):
    with Talk(tools.server, "silent") as talk:
        talk.join()
        said, other = (talk.agent_says(text)["Id"] for text in ("news", "more"))
        talk.tell("message.delivered", {"messageId": said}, ClientToken="INCOMING_DELIVERED_RECEIPT")
        first = receipts(talk.socket, said, 1)[0]
        require("DeliveredTimestamp" in first and "ReadTimestamp" not in first, first)
        talk.tell("message.read", {"messageId": said}, ClientToken="INCOMING_READ_RECEIPT")
        second = receipts(talk.socket, said, 2)[1]
        expect(second["DeliveredTimestamp"], first["DeliveredTimestamp"])
        require(second["ReadTimestamp"] >= first["DeliveredTimestamp"], second)
        # Read at once is delivered as well, and the content may ask for no throttle.
        talk.tell("message.read", {"messageId": other, "disableThrottle": True})
        alone = receipts(talk.socket, other, 1)[0]
        expect(alone["DeliveredTimestamp"], alone["ReadTimestamp"])
        # One for one's own message and one for nobody's: 200, and nothing comes of it.
        mine = talk.say("mine")["Id"]
        before = [item["Id"] for item in talk.socket.settle() if item["Type"] == "MESSAGEMETADATA"]
        talk.tell("message.read", {"messageId": "00000000-0000-7000-8000-000000000000"})
        talk.tell("message.read", {"messageId": mine})
        told = [item for item in talk.socket.settle() if item["Type"] == "MESSAGEMETADATA" and item["Id"] not in before]
        require(all(item["MessageMetadata"]["Receipts"][0]["RecipientParticipantId"] != talk.me for item in told), told)


@check("13b", "Who has taken over receives what the customer says at once, and reads it after a second")
def agent_reads(tools):
    server = tools.own_server()
    server.control("POST", "clock", {"mode": "frozen"})
    with Talk(server, "silent") as talk:
        talk.join()
        said = talk.say("are you there?")["Id"]
        first = receipts(talk.socket, said, 1)[0]
        require("DeliveredTimestamp" in first and "ReadTimestamp" not in first, first)
        server.advance("1s")
        require("ReadTimestamp" in receipts(talk.socket, said, 2)[1], "no ReadTimestamp")


def is_part(item):
    return "ChunkNumber" in item.get("MessageMetadata", {})


@check("29", "An INCREMENTAL contact is told fragments 1 to n, and then the whole under the same id")
def incremental(tools):
    with Talk(tools.server, ParticipantConfiguration={"ResponseMode": "INCREMENTAL"}) as talk:
        talk.socket.one(message("SYSTEM", "Welcome"), "the welcome")
        talk.say("a story")
        whole = "Once upon a time, and that is all."
        last = talk.socket.one(lambda item: is_part(item) and item["Content"] == whole, "the whole text")
        parts = [item for item in talk.socket.settle() if item["Id"] == last["Id"]]
        expect([item["MessageMetadata"]["ChunkNumber"] for item in parts], list(range(1, len(parts) + 1)))
        expect([item["MessageMetadata"]["MessageCompleted"] for item in parts], [False] * (len(parts) - 1) + [True])
        expect([item["Content"] for item in parts], ["Once ", "upon a ", "time, ", "and that ", "is all.", whole])
        require(
            all(item["MessageMetadata"]["MessageId"] == item["Id"] and item["ParticipantRole"] == "SYSTEM" for item in parts),
            parts,
        )
        kept = [item for item in talk.transcript() if item["Id"] == last["Id"]]
        expect([item["Content"] for item in kept], [whole])
        require(not any(is_part(item) for item in kept), kept)


@check("30", "A COMPLETE contact is told the same reply as one message")
def complete(tools):
    for extra in ({}, {"ParticipantConfiguration": {"ResponseMode": "COMPLETE"}}):
        with Talk(tools.server, **extra) as talk:
            talk.socket.one(message("SYSTEM", "Welcome"), "the welcome")
            talk.say("a story")
            talk.socket.one(message("SYSTEM", "is all."), "the story")
            told = [item for item in talk.socket.settle() if message("SYSTEM")(item)]
            expect([item["Content"] for item in told], ["Welcome to the desk.", "Once upon a time, and that is all."])
            require(not any(is_part(item) for item in told), told)


def template(item):
    expect(item["ContentType"], INTERACTIVE)
    content = json.loads(item["Content"])
    expect(content["version"], "1.0")
    return content["templateType"], content["data"]["content"]


@check("38", "Choices are a QuickReply where the contact supports that, else a text with its list; a title answers")
def choices(tools):
    with Talk(tools.server, SupportedMessagingContentTypes=ALL_TYPES) as talk:
        talk.socket.one(message("SYSTEM", "Welcome"), "the welcome")
        for asked, kind, title, count in (
            ("two", "QuickReply", "Which table?", 2),
            ("six", "ListPicker", "Which day?", 6),
            ("eight", "Panel", "Which number?", 8),
        ):
            talk.say(f"{asked} choices")
            found, content = template(talk.socket.one(message("SYSTEM", title), title))
            expect((found, content["title"], len(content["elements"])), (kind, title, count))
            require(all(set(each) >= {"title"} for each in content["elements"]), content)
        expect(sum(message("SYSTEM", "Which table?")(item) for item in talk.socket.settle()), 1, "items for one question")
        talk.say("Window")
        talk.socket.one(message("SYSTEM", "The window it is."), "the answer to a choice")
    with Talk(tools.server) as talk:
        talk.say("two choices")
        text = talk.socket.one(message("SYSTEM", "Which table?"), "the question")
        expect(text["ContentType"], "text/plain")
        require("Window" in text["Content"] and "Quiet corner" in text["Content"], text)
        talk.say("Window")
        talk.socket.one(message("SYSTEM", "The window it is."), "the answer to a choice")


@check("38b", "The keys separate and text give choices their other forms")
def forms(tools):
    for form in ("separate", "text"):
        server = tools.own_server(connect={"suggestions": form})
        with Talk(server, SupportedMessagingContentTypes=ALL_TYPES) as talk:
            talk.socket.one(message("SYSTEM", "Welcome"), "the welcome")
            talk.say("two choices")
            if form == "text":
                item = talk.socket.one(message("SYSTEM", "Quiet corner"), "the question")
                require(item["ContentType"] != INTERACTIVE and "Which table?" in item["Content"], item)
            else:
                choice = talk.socket.one(lambda item: item.get("ContentType") == INTERACTIVE, "the choices")
                expect(template(choice)[0], "QuickReply")
                items = talk.socket.items
                require(message("SYSTEM", "Which table?")(items[items.index(choice) - 1]), names(items))


@check("38d", "Times, menus and forms of a script are templates; what they answer reaches the rules of plain buttons")
def templates(tools):
    with Talk(tools.server, SupportedMessagingContentTypes=ALL_TYPES) as talk:
        talk.socket.one(message("SYSTEM", "Welcome"), "the welcome")
        talk.say("times")
        found, content = template(talk.socket.one(message("SYSTEM", "When?"), "the times"))
        times = [("2026-01-31T18:00+00:00", 30), ("2026-01-31T20:00+00:00", 60)]
        expect((found, content["title"]), ("TimePicker", "When?"))
        expect([(slot["date"], slot["duration"]) for slot in content["timeslots"]], times)
        talk.say(times[1][0])
        talk.socket.one(message("SYSTEM", "At eight it is."), "the answer to a time")
        talk.say("menu")
        found, content = template(talk.socket.one(message("SYSTEM", "Which dish?"), "the menus"))
        expect((found, content["title"]), ("Carousel", "Which dish?"))
        for panel, (heading, dish) in zip(content["elements"], (("Starters", "Soup"), ("Mains", "Fish")), strict=True):
            require(set(panel) == {"templateType", "templateIdentifier", "version", "data"}, panel)
            expect((panel["templateType"], panel["version"]), ("Panel", "1.0"))
            expect(panel["data"]["content"], {"title": heading, "elements": [{"title": dish}]})
        talk.say("form")
        item = talk.socket.one(lambda item: "ViewResource" in item.get("Content", ""), "the form")
        expect(template(item), ("ViewResource", {"viewId": "sign/here=", "viewToken": "sign/here=", "viewData": {}}))


@check("38e", "Choices of a streamed reply come with its last part, in the same message")
def streamed_choices(tools):
    start = {"SupportedMessagingContentTypes": ALL_TYPES, "ParticipantConfiguration": {"ResponseMode": "INCREMENTAL"}}
    with Talk(tools.server, **start) as talk:
        talk.socket.one(message("SYSTEM", "Welcome"), "the welcome")
        talk.say("two choices")
        last = talk.socket.one(lambda item: item.get("ContentType") == INTERACTIVE, "the choices")
        expect(template(last)[1]["title"], "Which table?")
        parts = [item for item in talk.socket.settle() if item["Id"] == last["Id"]]
        expect([item["MessageMetadata"]["ChunkNumber"] for item in parts], list(range(1, len(parts) + 1)))
        expect([item["MessageMetadata"]["MessageCompleted"] for item in parts], [False] * (len(parts) - 1) + [True])
        require(len(parts) > 1, parts)
        expect("".join(item["Content"] for item in parts[:-1]), "Which table?")
        kept = [item for item in talk.transcript() if "Which table?" in item.get("Content", "")]
        expect([(item["Id"], item["Content"]) for item in kept], [(last["Id"], last["Content"])])


@check("38c", "An answer of an interactive message reaches the engine, and its echo keeps what was sent")
def response(tools):
    with Talk(tools.server, SupportedMessagingContentTypes=ALL_TYPES) as talk:
        talk.socket.one(message("SYSTEM", "Welcome"), "the welcome")
        carousel = json.dumps({"templateIdentifier": "t1", "listTitle": "Tables", "selectionText": "Window"})
        said = talk.say(carousel)
        expect(talk.socket.one(lambda item: item["Id"] == said["Id"], "the echo")["Content"], carousel)
        talk.socket.one(message("SYSTEM", "The window it is."), "the answer to a choice")
        view = json.dumps({"action": "Submit", "data": {"name": "Jane"}, "templateType": "ViewResource", "version": "1.0"})
        said = talk.say(view, INTERACTIVE + ".response")
        echo = talk.socket.one(lambda item: item["Id"] == said["Id"], "the echo")
        expect((echo["Content"], echo["ContentType"]), (view, INTERACTIVE + ".response"))
        talk.socket.one(message("SYSTEM", "You said: Submit"), "the reply")
