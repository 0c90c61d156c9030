"""Odd values in every member of every request: B-10 and B-11."""

import copy
import http.client
import json
import random

import judge
from rig import Answer, check, require
from talk import Talk

NOBODY = "00000000-0000-4000-8000-000000000000"
ODD = (
    None,
    True,
    0,
    -1,
    1 << 63,
    1e300,
    "",
    " ",
    "x" * 20000,
    "\x00",
    "\ud7ff\u202e",
    [],
    {},
    [[]],
    {"Id": {}},
    ["WEBSOCKET", 5],
)
PARTICIPANT = {
    "connection": {"Type": ["WEBSOCKET"], "ConnectParticipant": False},
    "message": {"ContentType": "text/plain", "Content": "hi", "ClientToken": "c"},
    "event": {"ContentType": judge.EVENT + "message.read", "Content": '{"messageId":"m"}', "ClientToken": "c"},
    "transcript": {
        "ContactId": "c",
        "MaxResults": 5,
        "NextToken": "t",
        "ScanDirection": "BACKWARD",
        "SortOrder": "ASCENDING",
        "StartPosition": {"Id": "i", "AbsoluteTime": "2026-01-15T09:30:00.000Z", "MostRecent": 1},
    },
    "start-attachment-upload": {
        "ContentType": "text/plain",
        "AttachmentName": "a",
        "AttachmentSizeInBytes": 1,
        "ClientToken": "c",
    },
    "complete-attachment-upload": {"AttachmentIds": ["a"], "ClientToken": "c"},
    "attachment": {"AttachmentId": "a", "UrlExpiryInSeconds": 5, "UrlContentDisposition": "INLINE"},
    "authentication-url": {"SessionId": "s" * 36, "RedirectUri": "https://a.example"},
    "cancel-authentication": {"SessionId": "s" * 36},
}
TIMER = {"ParticipantRole": "CUSTOMER", "TimerType": "IDLE", "TimerValue": {"ParticipantTimerDurationInMinutes": 2}}
PAST = {"RehydrationType": "FROM_SEGMENT", "SourceContactId": NOBODY}
CONNECT = {
    ("PUT", "/contact/chat"): {
        "InstanceId": "i",
        "ContactFlowId": "mock:silent",
        "ParticipantDetails": {"DisplayName": "Jane"},
        "ParticipantConfiguration": {"ResponseMode": "COMPLETE"},
        "Attributes": {"a": "b"},
        "InitialMessage": {"ContentType": "text/plain", "Content": "hi"},
        "ChatDurationInMinutes": 60,
        "SupportedMessagingContentTypes": ["text/plain"],
        "PersistentChat": PAST,
        "SegmentAttributes": {"connect:Subtype": {"ValueString": "connect:Guide"}},
        "DisconnectOnCustomerExit": ["AGENT"],
        "ConnectionTypes": ["WEBSOCKET"],
        "ChatStreamingConfiguration": {"StreamingEndpointArn": "arn"},
    },
    ("POST", "/contact/stop"): {"InstanceId": "i", "ContactId": NOBODY, "DisconnectReason": {"Code": "c"}},
    ("POST", "/contact/create-participant"): {
        "InstanceId": "i",
        "ContactId": "CONTACT",
        "ParticipantDetails": {"ParticipantRole": "CUSTOM_BOT", "DisplayName": "Robo"},
    },
    ("PUT", "/contact/participant-role-config/i/CONTACT"): {
        "ChannelConfiguration": {"Chat": {"ParticipantTimerConfigList": [TIMER]}}
    },
    ("POST", "/contact/persistent-contact-association/i/CONTACT"): PAST,
    ("POST", "/contact/attributes"): {"InstanceId": "i", "InitialContactId": "CONTACT", "Attributes": {"a": "b"}},
    ("POST", "/contact/start-streaming"): {"InstanceId": "i", "ContactId": "CONTACT", "ChatStreamingConfiguration": {}},
    ("POST", "/contact/stop-streaming"): {"InstanceId": "i", "ContactId": "CONTACT", "StreamingId": "s"},
}


def spoilt(body, chance):
    """The text of a body with one or two odd members, at any depth; a tenth of them break off."""
    body = copy.deepcopy(body)
    for _ in range(chance.randint(1, 2)):
        place = body
        while chance.random() < 0.4:
            inner = [value for value in place.values() if isinstance(value, dict) and value]
            if not inner:
                break
            place = chance.choice(inner)
        place[chance.choice(list(place) or ["Odd"])] = copy.deepcopy(chance.choice(ODD))
    text = json.dumps(body).encode()
    return text[: chance.randrange(len(text))] if chance.random() < 0.1 else text


def ask_all(talk, requests, model, seed, count=2000):
    """Two thousand spoilt requests on one connection; what came back in another form than the service's."""
    chance = random.Random(seed)
    errors = {shape.name: shape for shape in model.error_shapes}
    connection = http.client.HTTPConnection("127.0.0.1", talk.server.port, timeout=30)
    wrong = []
    for _ in range(count):
        method, path, body, bearer = chance.choice(requests)
        text = spoilt(body, chance).replace(b"CONTACT", talk.contact.encode())
        connection.request(method, path.replace("CONTACT", talk.contact), text, {"X-Amz-Bearer": bearer})
        answer = connection.getresponse()
        got = Answer(answer.status, answer.getheaders(), answer.read())
        kind = got.field("x-amzn-ErrorType")
        found = judge.headers(got.fields, got.status)
        if got.status != 200:
            found += judge.error(kind, got.status, got.json, errors)
        if found or got.status >= 500:
            wrong.append((path, text[:200].decode(), got.status, kind, found))
    connection.close()
    require(not wrong, f"{len(wrong)}: {wrong[:3]}")
    said = talk.say("still here")
    talk.socket.one(lambda item: item["Id"] == said["Id"], "the echo")


@check("B-10", "Odd values in members of the participant service: 200 or one of its errors, never a 500, and the chat goes on")
def participant(tools):
    with Talk(tools.server, "silent") as talk:
        bearers = {"connection": talk.participant_token}
        requests = [("POST", f"/participant/{path}", body, bearers.get(path, talk.token)) for path, body in PARTICIPANT.items()]
        ask_all(talk, requests, judge.PARTICIPANT, 7)


@check("B-11", "Odd values in members of the other service: 200 or one of its errors, never a 500, and the chat goes on")
def connect(tools):
    with Talk(tools.own_server(), "silent") as talk:
        ask_all(talk, [(method, path, body, "") for (method, path), body in CONNECT.items()], judge.CONNECT, 8)
