"""Scenarios 34 to 37: throttling, every error, bearers, and what pages of other origins may read."""

import judge
from rig import check, expect, refused, require
from talk import Talk

PARTICIPANT = {
    "ValidationException": 400,
    "AccessDeniedException": 403,
    "ConflictException": 409,
    "ServiceQuotaExceededException": 402,
    "ThrottlingException": 429,
    "InternalServerException": 500,
    "ResourceNotFoundException": 404,
}
CONNECT = {
    "InvalidRequestException": 400,
    "InvalidParameterException": 400,
    "ResourceNotFoundException": 404,
    "ContactNotFoundException": 410,
    "LimitExceededException": 429,
    "ThrottlingException": 429,
    "AccessDeniedException": 403,
    "ConflictException": 409,
    "ServiceQuotaExceededException": 402,
    "IdempotencyException": 409,
    "InternalServiceException": 500,
}
PREFLIGHT = (
    "authorization,content-type,x-amz-bearer,x-amz-content-sha256,x-amz-date,x-amz-user-agent",
    "content-disposition,x-amz-acl,x-amz-meta-account_id,x-amz-meta-contact_id,x-amz-meta-initial_contact_id,x-amz-meta-organization_id",
)
ORIGIN = "http://page.example:8000"


@check("34", "Three throttled attempts reach whoever called boto3, two do not")
def throttling(tools):
    patient = tools.server.client("connectparticipant", attempts=3)
    words = {"ContentType": "text/plain", "Content": "hi"}
    for times in (3, 2):
        with Talk(tools.server, "silent") as talk:
            fault = tools.server.inject(
                "request SendMessage 1", {"refuse": 429, "type": "ThrottlingException"}, times=times, tag=talk.tag
            )
            if times == 3:
                problem = refused("ThrottlingException", patient.send_message, ConnectionToken=talk.token, **words)
                expect(problem.response["ResponseMetadata"]["RetryAttempts"], 2)
            else:
                got = patient.send_message(ConnectionToken=talk.token, **words)
                expect(got["ResponseMetadata"]["RetryAttempts"], 2)
                talk.socket.one(lambda item: item["Id"] == got["Id"], "the echo")
            tools.server.control("DELETE", f"faults/{fault}")


def scripted(client, call, operation, words, kind, status, server):
    fault = server.inject(f"request {operation} 1", {"refuse": status, "type": kind}, times=100, per="token")
    try:
        problem = refused(kind, getattr(client, call), **words)
        expect(problem.response["ResponseMetadata"]["HTTPStatusCode"], status, kind)
        sent = problem.response["ResponseMetadata"]["HTTPHeaders"]
        expect(sent.get("x-amzn-errortype"), kind)
    finally:
        server.control("DELETE", f"faults/{fault}")


@check("35", "Every error of both services has the class of its type's name in boto3")
def every_error(tools):
    server = tools.own_server()
    with Talk(server, "silent") as talk:
        for kind, status in PARTICIPANT.items():
            if kind == "ResourceNotFoundException":
                call, operation, words = "describe_view", "DescribeView", {"ViewToken": "nobody"}
            else:
                call, operation, words = "send_message", "SendMessage", {"ContentType": "text/plain", "Content": "hi"}
            scripted(server.participant, call, operation, {**words, "ConnectionToken": talk.token}, kind, status, server)
        for kind, status in CONNECT.items():
            scripted(
                server.connect,
                "stop_contact",
                "StopContact",
                {"ContactId": talk.contact, "InstanceId": "i"},
                kind,
                status,
                server,
            )
        words = {"InstanceId": "i", "ContactFlowId": "mock:silent", "ParticipantDetails": {"DisplayName": "Jane"}}
        scripted(server.connect, "start_chat_contact", "StartChatContact", words, "LimitExceededException", 429, server)
        # Header letter for letter, bare type name, no __type.
        fault = server.inject("request SendMessage 1", {"refuse": 429, "type": "ThrottlingException"}, times=100)
        server.ask("message", {"ContentType": "text/plain", "Content": "hi"}, talk.token).refused(429, "ThrottlingException")
        server.control("DELETE", f"faults/{fault}")


@check("35b", "Each operation of both services is hit by its name")
def each_operation(tools):
    server = tools.own_server()
    nobody = "00000000-0000-4000-8000-000000000000"
    participant = {
        "CreateParticipantConnection": "connection",
        "SendMessage": "message",
        "SendEvent": "event",
        "GetTranscript": "transcript",
        "StartAttachmentUpload": "start-attachment-upload",
        "CompleteAttachmentUpload": "complete-attachment-upload",
        "GetAttachment": "attachment",
        "GetAuthenticationUrl": "authentication-url",
        "CancelParticipantAuthentication": "cancel-authentication",
        "DisconnectParticipant": "disconnect",
    }
    connect = {
        "StartChatContact": ("PUT", "/contact/chat"),
        "StopContact": ("POST", "/contact/stop"),
        "CreateParticipant": ("POST", "/contact/create-participant"),
        "UpdateParticipantRoleConfig": ("PUT", f"/contact/participant-role-config/i/{nobody}"),
        "CreatePersistentContactAssociation": ("POST", f"/contact/persistent-contact-association/i/{nobody}"),
        "GetContactAttributes": ("GET", f"/contact/attributes/i/{nobody}"),
        "UpdateContactAttributes": ("POST", "/contact/attributes"),
        "DescribeContact": ("GET", f"/contacts/i/{nobody}"),
        "StartContactStreaming": ("POST", "/contact/start-streaming"),
        "StopContactStreaming": ("POST", "/contact/stop-streaming"),
    }
    missing = []

    def fired(operation, method, path, bearer, kind):
        fault = server.inject(f"request {operation} 1", {"refuse": 500, "type": kind}, times=100, per="token")
        words = {"InstanceId": "i", "ContactId": talk.contact, "InitialContactId": talk.contact}
        answer = server.request(
            method, path.replace(nobody, talk.contact), None if method == "GET" else words, {"X-Amz-Bearer": bearer}
        )
        if (answer.status, answer.field("x-amzn-ErrorType")) != (500, kind):
            missing.append((operation, answer.status, answer.field("x-amzn-ErrorType")))
        server.control("DELETE", f"faults/{fault}")

    with Talk(server, "silent") as talk:
        for operation, path in participant.items():
            bearer = talk.participant_token if path == "connection" else talk.token
            fired(operation, "POST", f"/participant/{path}", bearer, "InternalServerException")
        fired("DescribeView", "GET", "/participant/views/a%2Fb", talk.token, "InternalServerException")
        for operation, (method, path) in connect.items():
            fired(operation, method, path, "", "InternalServiceException")
    expect(missing, [])


@check("36", "A bearer that is missing, garbage or of the wrong kind is a 403")
def bearers(tools):
    with Talk(tools.server, "silent") as talk:
        body = {"ContentType": "text/plain", "Content": "hi"}
        send = tools.server.participant.send_message
        for wrong in ("garbage", talk.participant_token, talk.token[:-2] + "xx"):
            refused("AccessDeniedException", send, ConnectionToken=wrong, **body)
            tools.server.ask("message", body, wrong).refused(403, "AccessDeniedException")
        tools.server.request("POST", "/participant/message", body).refused(403, "AccessDeniedException")
        tools.server.request("POST", "/participant/message", body, {"Authorization": "Bearer " + talk.token}).refused(
            403, "AccessDeniedException"
        )
        connect = {"Type": ["WEBSOCKET", "CONNECTION_CREDENTIALS"]}
        for wrong in ("garbage", talk.token, ""):
            tools.server.ask("connection", connect, wrong).refused(403, "AccessDeniedException")


@check("36b", "A connection token lives a day, by the server's clock")
def a_day(tools):
    server = tools.own_server()
    with Talk(server, "silent") as talk:
        server.advance("23h")
        talk.say("still")
        server.advance("90m")
        server.ask("message", {"ContentType": "text/plain", "Content": "late"}, talk.token).refused(403, "AccessDeniedException")
        url, fresh = talk.connection()
        talk.say("again", token=fresh)
        server.advance("101s")
        answer = server.request(
            "GET",
            url.replace("ws://", "http://"),
            headers={
                "Connection": "Upgrade",
                "Upgrade": "websocket",
                "Sec-WebSocket-Version": "13",
                "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
            },
        )
        expect(answer.status, 403, "a socket's address after 100 s")
        require("html" not in (answer.field("Content-Type") or ""), answer.fields)


def allows(answer, origin):
    require(answer.field("Access-Control-Allow-Origin") in ("*", origin), answer.fields)


def words_of(text):
    return {each.strip().lower() for each in (text or "").split(",")}


@check("37", "Preflights list every header that was asked for; errors can be read by pages of other origins")
def preflight(tools):
    for path in (
        "/participant/message",
        "/participant/connection",
        "/connect/upload/7c2f9e36",
        "/participant/views/a%2Fb",
        "/connect/start-chat",
    ):
        for asked in PREFLIGHT:
            answer = tools.server.request(
                "OPTIONS",
                path,
                headers={
                    "Origin": ORIGIN,
                    "Access-Control-Request-Method": "PUT" if "upload" in path else "POST",
                    "Access-Control-Request-Headers": asked,
                },
            )
            expect((answer.status, answer.body), (204, b""), path)
            allows(answer, ORIGIN)
            require(words_of(asked) <= words_of(answer.field("Access-Control-Allow-Headers")), (path, answer.fields))
            require(
                {"get", "post", "put", "options"} <= words_of(answer.field("Access-Control-Allow-Methods")), (path, answer.fields)
            )
            require(answer.field("Access-Control-Max-Age"), answer.fields)
    for method, path in (("OPTIONS", "/contact/chat"), ("PUT", "/contact/chat"), ("POST", "/contact/stop")):
        answer = tools.server.request(method, path, b"", {"Origin": ORIGIN, "Access-Control-Request-Method": "PUT"})
        expect((answer.status, answer.field("Access-Control-Allow-Origin")), (403, None), path)
    for path in ("/participant/message", "/participant/nothing", "/contact/nothing"):
        answer = tools.server.request("POST", path, b"{", {"Origin": ORIGIN})
        allows(answer, ORIGIN)
        require(
            {"x-amzn-errortype", "x-amzn-requestid", "etag"} <= words_of(answer.field("Access-Control-Expose-Headers")),
            (path, answer.fields),
        )
        require(not judge.headers(answer.fields, answer.status), (path, answer.fields))
