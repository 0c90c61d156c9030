"""What the native SDKs send, without boto3: N-1 to N-8."""

import json
import socket

from rig import check, expect, require
from scenarios.files import BYTES, announce, complete
from talk import EVENT, Talk, event, names

IOS = {"Content-Type": "application/x-amz-json-1.1", "User-Agent": "AmazonConnectChatIOS"}


@check("N-1", "A contact lives by x-amz-json-1.1 and without a signature")
def unsigned(tools):
    server = tools.server
    with Talk(server, "silent", connection=False) as talk:
        body = {"Type": ["WEBSOCKET", "CONNECTION_CREDENTIALS"]}
        got = server.request("POST", "/participant/connection", body, {**IOS, "X-Amz-Bearer": talk.participant_token}).json
        talk.token = got["ConnectionCredentials"]["ConnectionToken"]
        talk.socket = talk.open(got["Websocket"]["Url"])
        said = server.request(
            "POST",
            "/participant/message",
            {"ContentType": "text/plain", "Content": "hi", "ClientToken": "1"},
            {**IOS, "X-Amz-Bearer": talk.token},
        )
        expect((said.status, sorted(said.json)), (200, ["AbsoluteTime", "Id"]))
        talk.socket.one(lambda item: item["Id"] == said.json["Id"], "the echo")
        page = server.request(
            "POST",
            "/participant/transcript",
            {"MaxResults": 30, "ScanDirection": "BACKWARD", "SortOrder": "ASCENDING"},
            {**IOS, "X-Amz-Bearer": talk.token},
        ).json
        expect(page["Transcript"][-1]["Id"], said.json["Id"])


@check("N-2", "An event with an empty Content is taken")
def empty_content(tools):
    with Talk(tools.server, "silent") as talk:
        answer = tools.server.ask("event", {"ContentType": EVENT + "typing", "Content": "", "ClientToken": "1"}, talk.token)
        expect((answer.status, sorted(answer.json)), (200, ["AbsoluteTime", "Id"]))
        talk.socket.one(event("typing"), "typing")


@check("N-3", "An upload by the method put is one by PUT")
def lower_case(tools):
    with Talk(tools.server, "silent") as talk:
        announced = announce(talk)
        fields = announced["UploadMetadata"]["HeadersToInclude"]
        path = announced["UploadMetadata"]["Url"].removeprefix(tools.server.base)
        head = f"put {path} HTTP/1.1\r\nHost: 127.0.0.1:{tools.server.port}\r\nConnection: close\r\n" + "".join(
            f"{name}: {value}\r\n" for name, value in fields.items()
        )
        expect(raw(tools.server, head.encode() + b"\r\n" + BYTES).split(b" ")[1], b"200")
        complete(talk, announced)
        talk.socket.one(lambda item: item["Type"] == "ATTACHMENT", "the attachment")


def raw(server, data):
    """What the server says to these bytes until it closes."""
    with socket.create_connection(("127.0.0.1", server.port), 15) as connection:
        connection.settimeout(15)
        connection.sendall(data)
        found = b""
        while piece := connection.recv(65536):
            found += piece
        return found


@check("N-4", "The bearer is found in any spelling; the error's header has exactly one")
def spelling(tools):
    with Talk(tools.server, "silent") as talk:
        body = json.dumps({"ContentType": "text/plain", "Content": "hi"})
        for name in ("x-amz-bearer", "X-Amz-Bearer", "X-AMZ-BEARER"):
            for bearer, wanted in ((talk.token, "200"), ("wrong", "403")):
                head = (
                    f"POST /participant/message HTTP/1.1\r\nHost: participant.connect.eu-west-2.amazonaws.com\r\nConnection: close\r\n"
                    f"{name}: {bearer}\r\nContent-Length: {len(body)}\r\n\r\n{body}"
                )
                got = raw(tools.server, head.encode()).decode()
                expect(got.split(" ")[1], wanted)
                expect("\r\nx-amzn-ErrorType: AccessDeniedException\r\n" in got, wanted == "403", got[:300])
                require("\r\nx-amzn-RequestId: " in got, got[:300])


@check("N-5", "An iOS client catches up FORWARD from the last item it showed, page by page")
def catch_up(tools):
    with Talk(tools.server, "silent") as talk:
        shown = talk.say("shown")["Id"]
        talk.socket.close(1001, "App backgrounded")
        missed = [talk.say(f"missed {number}")["Id"] for number in range(35)]
        talk.socket = talk.open(subscribe='{"topic": "aws/subscribe", "content": {"topics": ["aws/chat"]}})')
        found, more = [], {"StartPosition": {"Id": shown}}
        while True:
            page = tools.server.ask(
                "transcript", {"ScanDirection": "FORWARD", "SortOrder": "ASCENDING", "MaxResults": 30, **more}, talk.token
            ).json
            found += [item["Id"] for item in page["Transcript"]]
            require("InitialContactId" in page and page.get("NextToken") != "", page.get("NextToken"))
            if "NextToken" not in page:
                break
            more = {"NextToken": page["NextToken"]}
        expect(found, [shown, *missed])


@check("N-6", "An Android client pings, closes with 4000, and comes back")
def android(tools):
    with Talk(tools.server, "silent") as talk:
        require(talk.socket.connection.ping(b"minute").wait(15), "no pong")
        talk.socket.close(4000, "background")
        talk.socket = talk.open()
        said = talk.say("back")
        talk.socket.one(lambda item: item["Id"] == said["Id"], "the echo")
        expect(names(talk.transcript()).count("left CUSTOMER"), 0)


@check("N-7", "An empty body is {}, an unknown member is ignored, and so is a signature")
def lenient(tools):
    with Talk(tools.server, "silent") as talk:
        signed = {
            "Authorization": "AWS4-HMAC-SHA256 Credential=/20260115/eu-west-2/execute-api/aws4_request, SignedHeaders=host, Signature=00",
            "X-Amz-Date": "20260115T093000Z",
            "x-amz-content-sha256": "UNSIGNED-PAYLOAD",
            "Content-Type": "text/plain",
        }
        expect(
            tools.server.ask(
                "message", {"ContentType": "text/plain", "Content": "hi", "Unknown": [1]}, talk.token, **signed
            ).status,
            200,
        )
        expect(tools.server.ask("transcript", b"", talk.token).status, 200)
        expect(
            (tools.server.ask("disconnect", b"", talk.token).status, tools.server.ask("message", b"", talk.token).status),
            (200, 403),
        )


@check("N-8", "ConnectParticipant alone connects without a socket and answers {}; connection.acknowledged does as well")
def without_socket(tools):
    for way in ("ConnectParticipant", "acknowledged"):
        with Talk(tools.server, "silent", connection=False) as talk:
            body = {"ConnectParticipant": True} if way == "ConnectParticipant" else {"Type": ["CONNECTION_CREDENTIALS"]}
            answer = tools.server.ask("connection", body, talk.participant_token)
            expect(answer.status, 200)
            if way == "ConnectParticipant":
                expect(answer.json, {})
            talk.token = talk.connection()[1]
            if way == "acknowledged":
                expect(names(talk.transcript()), [])
                talk.tell("connection.acknowledged")
            expect(names(talk.transcript()), ["joined CUSTOMER"])
            talk.socket = talk.open()
            expect(names(talk.socket.settle()), [])
