"""Scenarios 14 to 18: GetTranscript."""

from rig import check, expect, refused, require
from talk import Talk, event


def filled(server, count=25):
    """A contact with this many messages of the customer, all told."""
    talk = Talk(server, "silent")
    last = [talk.say(f"message {number}") for number in range(count)][-1]
    talk.socket.one(lambda item: item["Id"] == last["Id"], "the last echo")
    return talk


def pages(talk, **words):
    """Follows NextToken to the end."""
    found, more = [], {}
    while True:
        got = talk.page(**words, **more)
        found.append(got["Transcript"])
        expect(got["InitialContactId"], talk.contact)
        require(len(found) < 20, "NextToken has no end")
        if "NextToken" not in got:
            return found
        more = {"NextToken": got["NextToken"]}


def stamps(items):
    return [item["AbsoluteTime"] for item in items]


@check("14", "BACKWARD, DESCENDING, 10 at a time: each item once, strictly descending, the last page without NextToken")
def descending(tools):
    with filled(tools.server) as talk:
        told = [item["Id"] for item in talk.socket.settle() if item["Type"] in ("MESSAGE", "EVENT") and not event("typing")(item)]
        found = pages(talk, ScanDirection="BACKWARD", SortOrder="DESCENDING", MaxResults=10)
        expect([len(page) for page in found], [10, 10, len(told) - 20])
        items = sum(found, [])
        expect([item["Id"] for item in items], told[::-1])
        expect(stamps(items), sorted(set(stamps(items)), reverse=True))
        require(all(item["ContactId"] == talk.contact and "InitialContactId" not in item for item in items), items[0])
        # Neither direction nor size nor order has to be told.
        expect([item["Id"] for item in talk.page()["Transcript"]], told[::-1][:10])
        expect([item["Id"] for item in talk.page(MaxResults=0)["Transcript"]], told[::-1][:10])


@check("15", "BACKWARD, ASCENDING: each page ascends, and the pages go back in time")
def ascending(tools):
    with filled(tools.server) as talk:
        found = pages(talk, ScanDirection="BACKWARD", SortOrder="ASCENDING", MaxResults=10)
        expect([len(page) for page in found[:2]], [10, 10])
        for page in found:
            expect(stamps(page), sorted(stamps(page)))
        for newer, older in zip(found, found[1:]):
            require(stamps(older)[-1] < stamps(newer)[0], (stamps(older)[-1], stamps(newer)[0]))


@check("16", "FORWARD from an Id begins with that item, and so do an instant and MostRecent with theirs")
def forward(tools):
    with filled(tools.server) as talk:
        every = talk.transcript()
        ids = [item["Id"] for item in every]
        middle = every[12]

        def walk(**words):
            return [item["Id"] for item in sum(pages(talk, **words), [])]

        words = {"ScanDirection": "FORWARD", "SortOrder": "ASCENDING", "MaxResults": 4}
        expect(walk(StartPosition={"Id": middle["Id"]}, **words), ids[12:])
        expect(walk(StartPosition={"AbsoluteTime": middle["AbsoluteTime"]}, **words), ids[12:])
        expect(walk(StartPosition={"MostRecent": 5}, **words), ids[-5:])
        expect(walk(StartPosition={"MostRecent": 100}, **words), ids)
        words["ScanDirection"] = "BACKWARD"
        for position in ({"Id": middle["Id"]}, {"AbsoluteTime": middle["AbsoluteTime"]}):
            expect(sorted(walk(StartPosition=position, **words)), sorted(ids[:13]))
        # With a StartPosition the direction is FORWARD unless told.
        expect(
            [item["Id"] for item in talk.page(StartPosition={"Id": middle["Id"]}, MaxResults=3)["Transcript"]], ids[12:15][::-1]
        )


@check("17", "FORWARD without a start is refused, an unknown Id is empty; an empty StartPosition is like none")
def no_start(tools):
    with filled(tools.server, 12) as talk:
        for words in ({}, {"StartPosition": {}}):
            refused("ValidationException", talk.page, ScanDirection="FORWARD", **words)
        for words in (
            {"StartPosition": {"Id": "00000000-0000-7000-8000-000000000000"}},
            {"ScanDirection": "BACKWARD", "StartPosition": {"Id": "nobody-knows-this"}},
        ):
            got = talk.page(**words)
            expect((got["Transcript"], "NextToken" in got), ([], False), words)
        none = talk.page(MaxResults=5)
        like = talk.page(MaxResults=5, StartPosition={})
        expect([item["Id"] for item in like["Transcript"]], [item["Id"] for item in none["Transcript"]])
        require("NextToken" in like, "no NextToken")


@check("18", "MaxResults 101 is refused")
def too_many(tools):
    with Talk(tools.server, "silent", opened=False) as talk:
        refused(
            "ValidationException",
            tools.server.client("connectparticipant", checked=False).get_transcript,
            MaxResults=101,
            ConnectionToken=talk.token,
        )
        tools.server.ask("transcript", {"MaxResults": 101}, talk.token).refused(400, "ValidationException")
        tools.server.ask("transcript", {"MaxResults": -1}, talk.token).refused(400, "ValidationException")


@check("18b", "The id of a typing item is a StartPosition: the first item behind it that is kept")
def transient(tools):
    with Talk(tools.server, "silent") as talk:
        talk.say("before")
        typing = talk.tell("typing")["Id"]
        talk.socket.one(lambda item: item["Id"] == typing, "typing")
        after = talk.say("after")["Id"]
        got = talk.page(ScanDirection="FORWARD", SortOrder="ASCENDING", MaxResults=30, StartPosition={"Id": typing})["Transcript"]
        expect([item["Id"] for item in got], [after])


@check("18c", "A NextToken of the other direction, of another contact, or of nobody is refused")
def foreign_tokens(tools):
    with filled(tools.server, 12) as talk, Talk(tools.server, "silent") as other:
        token = talk.page(ScanDirection="BACKWARD", MaxResults=5)["NextToken"]
        refused("ValidationException", talk.page, NextToken=token, ScanDirection="FORWARD")
        refused("ValidationException", other.page, NextToken=token)
        for wrong in ("garbage", token[:-1] + ("A" if token[-1] != "A" else "B")):
            refused("ValidationException", talk.page, NextToken=wrong)
        # StartPosition is ignored beside a NextToken.
        got = talk.page(ScanDirection="BACKWARD", MaxResults=5, NextToken=token, StartPosition={"MostRecent": 1})
        expect(len(got["Transcript"]), 5)
        for position in ({"MostRecent": 101}, {"AbsoluteTime": "yesterday"}):
            answer = tools.server.ask("transcript", {"StartPosition": position}, talk.token)
            answer.refused(400, "ValidationException")
