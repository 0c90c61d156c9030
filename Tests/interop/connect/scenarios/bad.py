"""Bad input: B-1 to B-9."""

import http.client
import json

from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect as dial

import judge
from rig import check, expect, require
from scenarios.native import raw
from talk import SUBSCRIBE, Talk, message

START = {"InstanceId": "i", "ContactFlowId": "mock:silent", "ParticipantDetails": {"DisplayName": "Jane"}}
KINDS = ("InvalidRequestException", "InvalidParameterException")


@check("B-1", "Bodies that are no JSON, no object, or of other types are refused with the service's own error")
def no_json(tools):
    with Talk(tools.server, "silent") as talk:
        for body in (
            b"{",
            b"[]",
            b'"text"',
            b"\xff\xfe",
            b'{"ContentType":5,"Content":"a"}',
            b'{"ContentType":"text/plain","Content":["a"]}',
            b'{"ContentType":"text/plain"}',
            b'{"ContentType":null,"Content":"a"}',
            b"[" * 5000,
        ):
            answer = tools.server.ask("message", body, talk.token)
            answer.refused(400, "ValidationException")
        for body in (
            {"MaxResults": "ten"},
            {"ScanDirection": "SIDEWAYS"},
            {"SortOrder": "forward"},
            {"StartPosition": []},
            {"NextToken": 5},
        ):
            tools.server.ask("transcript", body, talk.token).refused(400, "ValidationException")
        for body in (
            {},
            {"Type": []},
            {"Type": ["WEBRTC_CONNECTION"]},
            {"Type": "WEBSOCKET"},
            {"Type": ["websocket"]},
            {"ConnectParticipant": "true"},
        ):
            tools.server.ask("connection", body, talk.participant_token).refused(400, "ValidationException")
        for body in (
            {"ContentType": "text/plain"},
            {"ContentType": judge.EVENT + "chat.ended"},
            {"ContentType": judge.EVENT + "message.read", "Content": "{"},
            {"ContentType": judge.EVENT + "message.read"},
        ):
            tools.server.ask("event", body, talk.token).refused(400, "ValidationException")


@check("B-2", "A contact that is asked for wrongly is refused, and says what to change")
def wrong_starts(tools):
    wrong = (
        {"ParticipantDetails": {"DisplayName": ""}},
        {"ParticipantDetails": {"DisplayName": "x" * 257}},
        {"ChatDurationInMinutes": 59},
        {"ChatDurationInMinutes": 10081},
        {"Attributes": {"a b": "c"}},
        {"Attributes": {"a": "x" * 32768}},
        {"SupportedMessagingContentTypes": ["text/markdown"]},
        {"SupportedMessagingContentTypes": ["text/plain", "image/png"]},
        {"InitialMessage": {"ContentType": "text/plain", "Content": ""}},
        {"RelatedContactId": "a", "PersistentChat": {"RehydrationType": "FROM_SEGMENT", "SourceContactId": "b"}},
        {"ConnectionTypes": []},
        {"ParticipantConfiguration": {"ResponseMode": "SOMETIMES"}},
        {"DisconnectOnCustomerExit": ["CUSTOMER"]},
        {"InstanceId": ""},
        {"ContactFlowId": 5},
    )
    taken = []
    for change in wrong:
        answer = tools.server.request("PUT", "/contact/chat", {**START, **change})
        if answer.status == 200:
            taken.append(change)
        else:
            require(answer.field("x-amzn-ErrorType") in KINDS, (change, answer))
            answer.refused(400, answer.field("x-amzn-ErrorType"))
    expect([str(each)[:60] for each in taken], [])


@check("B-3", "A ContactFlowId that is a misspelt line is refused with the likely spelling; any other value is taken")
def misspelt(tools):
    for line, likely in (("mock:silnt", "silent"), ("mock:desk+tunel", "tunnel"), ("mock:desk@sed=7", "seed")):
        answer = tools.server.request("PUT", "/contact/chat", {**START, "ContactFlowId": line})
        answer.refused(400, "InvalidParameterException")
        require(likely in answer.json["message"], answer.json)
    for line in ("12345678-1234-1234-1234-123456789012", "arn:aws:connect:eu-west-2:1:instance/i/contact-flow/f", "x" * 500):
        expect(tools.server.request("PUT", "/contact/chat", {**START, "ContactFlowId": line}).status, 200, line[:40])


@check("B-4", "Unknown paths are a 404, other methods a 405 with Allow, all in this service's words")
def paths(tools):
    for path in (
        "/participant/nothing",
        "/contact",
        "/contact/nothing",
        "/contacts/a",
        "/participant",
        "/participant/views",
        "/connect/nothing",
    ):
        answer = tools.server.request("POST", path, b"{}")
        answer.refused(404, "UnknownOperationException")
    for method, path in (
        ("GET", "/participant/message"),
        ("DELETE", "/contact/chat"),
        ("POST", "/contact/chat"),
        ("PUT", "/participant/transcript"),
        ("POST", "/participant/views/a"),
    ):
        answer = tools.server.request(method, path, None if method == "GET" else b"{}")
        expect(answer.status, 405, f"{method} {path}")
        require(answer.field("Allow") and answer.field("x-amzn-ErrorType"), answer.fields)


@check("B-5", "A body that is too large and a request that is none are refused in this service's form")
def refused_early(tools):
    with Talk(tools.server, "silent") as talk:
        answer = tools.server.ask("message", b"{" + b" " * (1 << 20) + b"}", talk.token)
        expect(answer.status, 413)
        require(answer.field("x-amzn-ErrorType") and answer.json["message"] == answer.json["Message"], answer)
    got = raw(tools.server, b"POST /participant/message HTTP/1.1\r\nHost: a\r\nContent-Length: 5x\r\n\r\n").decode()
    require(
        got.startswith("HTTP/1.1 400") and "x-amzn-ErrorType: " in got and '"Message"' in got and "html" not in got, got[:400]
    )


@check("B-6", "Frames of unknown topics are forbidden; half JSON and binary frames are ignored; the socket lives on")
def frames(tools):
    with Talk(tools.server, "silent", opened=False) as talk:
        socket = talk.open(talk.url, subscribe=None)
        for text in ('{"topic":', "hello", "[]", "{}", '{"topic":5}', ""):
            socket.send(text)
        socket.connection.send(b"\x00\x01binary")
        got = json.loads(socket.ask('{"topic":"aws/unknown"}', lambda frame: "message" in frame, "the refusal"))
        expect((got["message"], sorted(got)), ("Forbidden", ["connectionId", "message", "requestId"]))
        socket.ask(SUBSCRIBE, lambda frame: frame["topic"] == "aws/subscribe")
        said = talk.say("alive")
        socket.one(lambda item: item["Id"] == said["Id"], "the echo")
        require(json.loads(socket.frames[-1])["topic"] == "aws/chat", socket.frames)


def status_of(url):
    try:
        dial(url, open_timeout=15).close()
    except InvalidStatus as problem:
        return problem.response.status_code
    return 101


@check("B-7", "An upgrade with a wrong secret, with none, or after the end is refused with 403")
def upgrades(tools):
    with Talk(tools.server, "silent") as talk:
        head, secret = talk.url.split("=", 1)
        for url in (f"{head}=garbage", head.split("?")[0], f"{head}={secret[:-2]}xx", f"{head}={talk.token}"):
            expect(status_of(url), 403, url)
        url = talk.connection()[0]
        talk.disconnect()
        expect(status_of(url), 403, "after the end")


@check("B-8", "Two thousand refused requests and three hundred refused sockets cost no other client")
def flood(tools):
    with Talk(tools.server) as talk:
        talk.socket.one(message("SYSTEM", "Welcome"), "the welcome")
        connection = http.client.HTTPConnection("127.0.0.1", tools.server.port, timeout=30)
        for number in range(2000):
            connection.request("POST", "/participant/connection", b'{"Type":["WEBSOCKET"]}', {"X-Amz-Bearer": f"wrong-{number}"})
            answer = connection.getresponse()
            answer.read()
            expect(answer.status, 403)
            if number % 500 == 0:
                talk.say(f"meanwhile {number}")
                talk.socket.one(message("SYSTEM", f"You said: meanwhile {number}"), "the reply meanwhile")
        connection.close()
        wrong = f"ws://127.0.0.1:{tools.server.port}/connect/ws?AuthToken=wrong"
        expect({status_of(wrong) for _ in range(300)}, {403})
        talk.say("afterwards")
        talk.socket.one(message("SYSTEM", "You said: afterwards"), "the reply afterwards")


@check("B-9", "The proxy for widgets starts a contact without a signature")
def proxy(tools):
    answer = tools.server.request(
        "POST", "/connect/start-chat", START, {"Content-Type": "application/json", "Origin": "http://page.example"}
    )
    expect(answer.status, 200, answer.body[:200])
    got = answer.json["data"]["startChatResult"]
    require(all(got[name] for name in ("ContactId", "ParticipantId", "ParticipantToken")), got)
    connected = tools.server.ask("connection", {"Type": ["WEBSOCKET", "CONNECTION_CREDENTIALS"]}, got["ParticipantToken"])
    expect(connected.status, 200)
