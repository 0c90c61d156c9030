"""Scenarios 19 to 22: attachments and views."""

import urllib.parse

from rig import check, expect, refused, require
from talk import Talk

BYTES = bytes(range(256)) * 80
META = {
    "Content-Type",
    "Content-Length",
    "Content-Disposition",
    "x-amz-acl",
    "x-amz-meta-account_id",
    "x-amz-meta-contact_id",
    "x-amz-meta-initial_contact_id",
    "x-amz-meta-organization_id",
}
# The header names that the iOS SDK sends on, compared by it letter for letter.
SENT_BY_IOS = META | {
    "x-amz-expected-bucket-owner",
    "x-amz-server-side-encryption",
    "x-amz-server-side-encryption-aws-kms-key-id",
    "x-amz-server-side-encryption-context",
    "Content-Encoding",
    "x-aws-waf-token",
    "X-Amz-Bearer",
}


def announce(talk, name="plan.png", size=len(BYTES), kind="image/png", token=None, **more):
    return talk.server.participant.start_attachment_upload(
        ContentType=kind,
        AttachmentName=name,
        AttachmentSizeInBytes=size,
        ClientToken=f"{name}-{len(more)}-{size}"[:400],
        ConnectionToken=token or talk.token,
        **more,
    )


def put(talk, announced, data=BYTES, method="PUT"):
    # http.client counts the bytes; the length that was handed out is compared by the checks that want it.
    fields = {name: value for name, value in announced["UploadMetadata"]["HeadersToInclude"].items() if name != "Content-Length"}
    return talk.server.request(method, announced["UploadMetadata"]["Url"], data, fields)


def complete(talk, announced, token=None, **more):
    return talk.server.participant.complete_attachment_upload(
        AttachmentIds=[announced["AttachmentId"]],
        ClientToken="complete-" + announced["AttachmentId"],
        ConnectionToken=token or talk.token,
        **more,
    )


def upload(talk, **words):
    announced = announce(talk, **words)
    expect(put(talk, announced).status, 200)
    complete(talk, announced)
    return announced["AttachmentId"]


def link(talk, attachment, token=None, **more):
    return talk.server.participant.get_attachment(AttachmentId=attachment, ConnectionToken=token or talk.token, **more)


@check("19", "A file goes up and comes down with the same bytes, and its item is APPROVED")
def round_trip(tools):
    with Talk(tools.server, "silent") as talk:
        announced = announce(talk)
        fields = announced["UploadMetadata"]["HeadersToInclude"]
        require(META <= set(fields) <= SENT_BY_IOS, fields)
        expect(
            (fields["Content-Type"], fields["Content-Length"], fields["x-amz-meta-contact_id"]),
            ("image/png", str(len(BYTES)), talk.contact),
        )
        require(announced["UploadMetadata"]["Url"].startswith(tools.server.base), announced)
        answer = put(talk, announced)
        expect((answer.status, answer.body), (200, b""))
        require(answer.field("ETag"), answer.fields)
        complete(talk, announced)
        item = talk.socket.one(lambda each: each["Type"] == "ATTACHMENT", "the attachment")
        file = {
            "AttachmentId": announced["AttachmentId"],
            "AttachmentName": "plan.png",
            "ContentType": "image/png",
            "Status": "APPROVED",
        }
        expect((item["Attachments"], item["ParticipantRole"], item["ParticipantId"]), ([file], "CUSTOMER", talk.me))
        expect([each["Attachments"] for each in talk.transcript() if each["Type"] == "ATTACHMENT"], [[file]])
        for words, disposition in (({}, "attachment"), ({"UrlContentDisposition": "INLINE"}, "inline")):
            got = link(talk, announced["AttachmentId"], **words)
            expect(got["AttachmentSizeInBytes"], len(BYTES))
            loaded = tools.server.request("GET", got["Url"], headers={"Origin": "http://elsewhere.example"})
            expect((loaded.status, loaded.field("Content-Type"), loaded.body == BYTES), (200, "image/png", True))
            require((loaded.field("Content-Disposition") or "").startswith(disposition), loaded.fields)
            require(loaded.field("Access-Control-Allow-Origin") in ("*", "http://elsewhere.example"), loaded.fields)


@check("19b", "A file is heard by the rule for its type, after its scan; others and a rejected one are not answered")
def heard(tools):
    with Talk(tools.server, "desk@pace=instant") as talk:
        upload(talk, name="notes.txt", kind="text/plain")
        upload(talk, name="eicar.png")
        upload(talk, name="passport.png")
        talk.socket.one(lambda item: item.get("Content") == "passport.png is at the desk, thank you.", "the answer")
        said = [item["Content"] for item in talk.transcript() if item["Type"] == "MESSAGE" and item["ParticipantRole"] == "SYSTEM"]
        expect(sum("at the desk" in text for text in said), 1)
        missed = [one["text"] for one in tools.server.control("GET", "unmatched")["unmatched"]]
        require(any("notes.txt" in text for text in missed), missed)
        require(not any("passport.png" in text for text in missed), missed)


@check("20", "Completing twice, or before any byte; 21 MB; the 36th file: refused, each with its type")
def refusals(tools):
    with Talk(tools.server, "silent") as talk:
        twice = announce(talk)
        put(talk, twice)
        complete(talk, twice)
        refused(
            "ConflictException",
            talk.server.participant.complete_attachment_upload,
            AttachmentIds=[twice["AttachmentId"]],
            ClientToken="another",
            ConnectionToken=talk.token,
        )
        refused("ValidationException", complete, talk=talk, announced=announce(talk, "never.png"))
        refused("ValidationException", announce, talk=talk, size=21 * 1024 * 1024)
        refused("ValidationException", announce, talk=talk, kind="application/x-msdownload", name="virus.exe")
        unchecked = tools.server.client("connectparticipant", checked=False)
        for wrong in ([], [twice["AttachmentId"], "another"]):
            refused(
                "ValidationException",
                unchecked.complete_attachment_upload,
                AttachmentIds=wrong,
                ClientToken="c",
                ConnectionToken=talk.token,
            )
    with Talk(tools.server, "silent") as talk:
        for number in range(35):
            announced = announce(talk, f"{number}.txt", 1, "text/plain")
            expect(put(talk, announced, b"x").status, 200)
            complete(talk, announced)
        talk.socket.all(lambda item: item["Type"] == "ATTACHMENT", 35, "35 attachments")
        problem = refused("ServiceQuotaExceededException", announce, talk=talk, name="36.txt", size=1, kind="text/plain")
        expect(problem.response["ResponseMetadata"]["HTTPStatusCode"], 402)


@check("20b", "A body that is not as long as announced is a 400; a link that was changed is a 403")
def wrong_bodies(tools):
    with Talk(tools.server, "silent") as talk:
        announced = announce(talk)
        for data in (BYTES[:-1], BYTES + b"x", b""):
            expect(put(talk, announced, data).status, 400, f"{len(data)} bytes")
        url = announced["UploadMetadata"]["Url"]
        parts = urllib.parse.urlsplit(url)
        for wrong in (
            url[:-1] + ("0" if url[-1] != "0" else "1"),
            parts._replace(query="").geturl(),
            url.replace(announced["AttachmentId"], "7c2f9e36-0000-4000-8000-000000000000"),
        ):
            answer = tools.server.request("PUT", wrong, BYTES)
            expect(answer.status, 403, wrong)
            require("html" not in (answer.field("Content-Type") or ""), answer.fields)
        expect(put(talk, announced).status, 200, "the file itself, after all that")
        complete(talk, announced)
        talk.socket.one(lambda item: item["Type"] == "ATTACHMENT", "the attachment")
        got = link(talk, announced["AttachmentId"])["Url"]
        expect(tools.server.request("GET", got[:-1] + ("0" if got[-1] != "0" else "1")).status, 403, "a changed link")


@check("20c", "Names with quotes, line ends and other scripts break no header and come back as they were")
def names_of_files(tools):
    with Talk(tools.server, "silent") as talk:
        for name in ('say "hi".png', "two\r\nSet-Cookie: a=b.png", "план 計画 🗺.png", "a;b=c\\d.png", "..\\..\\etc.png", "é.png"):
            announced = announce(talk, name)
            fields = announced["UploadMetadata"]["HeadersToInclude"]
            for field, value in fields.items():
                require(len(field) <= 128 and len(value) <= 256, (field, value))
                value.encode("latin-1")
                require("\r" not in value and "\n" not in value, (field, value))
            expect(put(talk, announced).status, 200, name)
            complete(talk, announced)
            item = talk.socket.one(
                lambda each, wanted=announced["AttachmentId"]: each["Type"] == "ATTACHMENT"
                and each["Attachments"][0]["AttachmentId"] == wanted,
                name,
            )
            expect(item["Attachments"][0]["AttachmentName"], name)
            loaded = tools.server.request("GET", link(talk, announced["AttachmentId"])["Url"])
            expect((loaded.status, loaded.body == BYTES, loaded.field("Set-Cookie")), (200, True, None), name)


@check("20d", "A file of the agent is on the shelf, and the customer downloads it")
def of_the_agent(tools):
    with Talk(tools.server) as talk:
        talk.say("a picture")
        item = talk.socket.one(lambda each: each["Type"] == "ATTACHMENT", "the picture")
        expect((item["ParticipantRole"], item["Attachments"][0]["Status"]), ("SYSTEM", "APPROVED"))
        got = link(talk, item["Attachments"][0]["AttachmentId"])
        loaded = tools.server.request("GET", got["Url"])
        expect((loaded.status, len(loaded.body)), (200, got["AttachmentSizeInBytes"]))


@check("21", "A link that has expired is a 403")
def expired(tools):
    server = tools.own_server()
    with Talk(server, "silent") as talk:
        attachment = upload(talk)
        late = announce(talk, "late.png")
        url = link(talk, attachment, UrlExpiryInSeconds=5)["Url"]
        server.advance("4s")
        expect(server.request("GET", url).status, 200)
        server.advance("2s")
        expect(server.request("GET", url).status, 403)
        for wrong in (4, 301):
            server.ask("attachment", {"AttachmentId": attachment, "UrlExpiryInSeconds": wrong}, talk.token).refused(
                400, "ValidationException"
            )
        refused("ValidationException", link, talk=talk, attachment="nobody-knows-this")
        server.advance("1h")
        expect(put(talk, late).status, 403, "an upload after its link's expiry")


@check("22", "A view is described by a token with / and = in it")
def view(tools):
    token = "a/b=="
    server = tools.own_server(
        connect={
            "views": {
                token: {
                    "Id": "form",
                    "Name": "Form",
                    "Content": {"InputSchema": "{}", "Template": "{}", "Actions": ["Submit", "Cancel"]},
                }
            }
        }
    )
    with Talk(server, "silent") as talk:
        got = server.participant.describe_view(ViewToken=token, ConnectionToken=talk.token)["View"]
        expect((got["Name"], got["Content"]["Actions"]), ("Form", ["Submit", "Cancel"]))
        require(isinstance(got["Content"]["Template"], str) and isinstance(got["Content"]["InputSchema"], str), got)


@check("22b", "A view that nobody knows is not found")
def no_view(tools):
    with Talk(tools.server, "silent") as talk:
        problem = refused(
            "ResourceNotFoundException",
            tools.server.participant.describe_view,
            ViewToken="nobody/knows=",
            ConnectionToken=talk.token,
        )
        expect(problem.response["ResponseMetadata"]["HTTPStatusCode"], 404)
        require("ResourceType" in problem.response and "ResourceId" in problem.response, problem.response)
