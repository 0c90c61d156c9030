"""What a hostile service of Amazon Connect chat does to `polymock chat --connect`."""

import json
import time

from .cases import case
from .connect_server import ConnectServer, framed, item, stamp

TELLS = "tells"
ANSWERS = "answers"
EITHER = "either"


def contact(name, expects, **rest):
    case("connect: " + name, expects, server=ConnectServer, flags=("--connect",), **rest)


def refusal(status, *fields, body=b"", after=None):
    """Answers with a status; `after` does something first."""
    def answer(server, connection, request):
        if after:
            after(server, request)
        connection.answer(status, body, *fields)
    return answer


def silent(server, connection, request):
    connection.wait()


def dripping(server, connection, request):
    for piece in ["HTTP/1.1 200 OK\r\n"] + ["X-Drip: y\r\n"] * 600:
        connection.write(piece.encode())
        time.sleep(0.5)


def cut(server, connection, request):
    connection.reset()


def rows(run, event):
    found = []
    for line in run.output.splitlines():
        try:
            fact = json.loads(line)
        except ValueError:
            continue
        if fact.get("ev") == event:
            found.append(fact)
    return found


def one_row(run):
    said, fates = rows(run, "user"), [fact.get("state") for fact in rows(run, "delivery")]
    return None if len(said) == 1 and "failed" not in fates else f"{len(said)} rows of one message, {fates}"


def in_time(run):
    return None if run.seconds < run.case.timeout + 1.5 else f"{run.seconds:.1f} s with --timeout {run.case.timeout}"


def most(step, number):
    return lambda run: (None if run.server.counts[step] <= number else
                        f"{run.server.counts[step]} requests of {step}, at most {number}")


def texts(*wanted):
    def check(run):
        heard = list(run.replies())
        return None if [text for text in heard if text in wanted] == list(wanted) else f"heard {heard}"[:160]
    return check


# A message that was taken, whatever the answer says.
for status in (500, 502, 503, 504, 599):
    contact(f"taken, and answered with {status}", ANSWERS, timeout=8, check=one_row,
            message=refusal(status, after=ConnectServer.take))


def taken_and_cut(server, connection, request):
    server.take(request)
    connection.reset()


def taken_then_refused(server, connection, request):
    """The first try is carried out and lost, the next are refused."""
    server.take(request)
    connection.answer(500 if server.counts["message"] == 1 else 400, {"__type": "ValidationException", "message": "no"})


def taken_and_garbled(server, connection, request):
    server.take(request)
    connection.answer(200, b"<html>")


contact("taken, and cut", ANSWERS, timeout=8, check=one_row, message=taken_and_cut)
contact("taken, lost, then refused", ANSWERS, timeout=8, check=one_row, message=taken_then_refused)
contact("taken, and answered with HTML", ANSWERS, timeout=8, check=one_row, message=taken_and_garbled)
contact("refused with 400", TELLS, says="Content is bad.*400",
        message=refusal(400, body={"__type": "ValidationException", "message": "Content is bad"}))
contact("refused with 403", TELLS, says="403", message=refusal(403))


# Pages that fail.
def failing(times, status):
    """After the first connection was cut, so many pages fail; what was said meanwhile is in them alone."""
    def page(server, connection, request):
        server.failed = getattr(server, "failed", 0)
        if server.counts["socket"] > 1 and server.failed < times:
            server.failed += 1
            if status:
                return connection.answer(status, {"__type": "InternalServerException", "message": "x"})
            connection.reset()
        server.good_transcript(connection, request)
    return page


def missed(server, connection):
    if server.counts["socket"] == 1:
        server.push(item("one"))
        time.sleep(0.3)
        server.live.clear()
        server.push(item("missed"))
        connection.reset()


for times, status in ((5, 500), (4, 503), (4, None), (7, 429)):
    contact(f"{times} pages fail with {status or 'a cut'}", EITHER, timeout=20, check=texts("one", "missed"),
            words=(), until="ended", transcript=failing(times, status), story=missed)


def endless_token(server, connection, request):
    connection.answer(200, {"InitialContactId": "c", "Transcript": server.items, "NextToken": "again"})


contact("a NextToken without an end", EITHER, timeout=8, check=most("transcript", 12), words=(), until="ended",
        transcript=endless_token, story=missed)

# Lives that are short.
for life in (-3600, 0.5, 5, 59, 60.05, 60.3, 61, 75):
    contact(f"a socket that lives {life} s", EITHER, timeout=8, check=most("connection", 3), words=(), until="ended",
            life=life)
    contact(f"a token that lives {life} s", EITHER, timeout=8, check=most("connection", 3), words=(), until="ended",
            token_life=life)

# Handshakes that fail.
for status in (200, 302, 400, 401, 403, 404, 410):
    contact(f"a socket that is answered with {status}", TELLS, says=str(status), timeout=8,
            socket=refusal(status, "Location: http://127.0.0.1:1/"))
for status in (500, 503):
    contact(f"a socket that is answered with {status}", TELLS, says=str(status), timeout=5, socket=refusal(status))
contact("a socket that is cut", TELLS, says="(?i)connection", timeout=5, socket=cut)
for url, word in (("file:///etc/hostname", "file"), ("ws://127.0.0.1:99999/socket", "99999"), ("ws://127.0.0.1:0/", "port"),
                  ("gopher://127.0.0.1/", "gopher"), ("", "(?i)address"), ("ws:///socket", "(?i)host"),
                  ("ws://user:secret@127.0.0.1:99999/?X-Amz-Signature=secret", "99999")):
    contact(f"the address {url[:30]!r}", TELLS, says=word, timeout=8, url=url,
            check=lambda run: "a secret is shown" if "secret" in run.errors else None)

# Peers that are silent, or drip.
for step in ("start", "connection", "transcript", "message", "socket"):
    contact(f"{step} without an answer", EITHER, timeout=4, check=in_time, **{step: silent})
for step in ("start", "connection", "message", "socket"):
    contact(f"{step} that drips", EITHER, timeout=4, check=in_time, **{step: dripping})


# Items that are odd: each costs itself alone.
ODD = {
    "half an emoji in a name": {"DisplayName": "Bob \ud83d"},
    "half an emoji in a text": {"Content": "x \udc4d"},
    "no content": {"Content": None},
    "an attachment without a file": {"Type": "ATTACHMENT", "Content": None},
    "a content of another type": {"Content": ["x"]},
    "an id of another type": {"Id": 7},
    "a time of another type": {"AbsoluteTime": {"a": 1}},
    "no time": {"AbsoluteTime": None},
    "a type that nobody knows": {"Type": "HOLOGRAM"},
    "receipts of another type": {"MessageMetadata": "x"},
}


def odd(fields):
    def story(server, connection):
        server.push(item("before"))
        server.push(item("odd", **fields))
        server.push(item("after"))
    return story


for what, fields in ODD.items():
    contact("an item with " + what, ANSWERS, timeout=6, check=texts("before", "after", "fine"), story=odd(fields))


def bubbles(run):
    empty = [fact for fact in rows(run, "agent") if not fact.get("text")]
    return "an empty message is shown" if empty else None


contact("items without a word", ANSWERS, timeout=6, check=bubbles, story=lambda server, connection: server.push(
    item(""), item(None), item(None, Type="ATTACHMENT"), item("", Type="ATTACHMENT", Attachments=[])))


# Floods.
def rising(n):
    return item("x" * 50, at=stamp(n / 1000 - 3600), Id=f"i{n}")


def falling(n):
    return item("x" * 50, at=stamp(-n / 1000 - 3600), Id=f"i{n}")


def equal(n):
    return item("x" * 50, at="2026-01-02T03:04:05.678Z", Id=f"i{n}")


def own(n):
    return item("x" * 50, "CUSTOMER", at=stamp(n / 1000 - 3600), Id=f"i{n}")


def scattered(n):
    return item("x" * 50, at=stamp(n * 7919 % 10007 / 1000 - 3600), Id=f"i{n}")


def piece(n):
    return item("x" * 50, Id="one", MessageMetadata={"MessageId": "one", "ChunkNumber": n + 1, "MessageCompleted": False})


def begun(n):
    return item("x" * 50, Id=f"i{n}", MessageMetadata={"MessageId": f"i{n}", "ChunkNumber": 1, "MessageCompleted": False})


def typing(n):
    return item(None, "AGENT", Type="EVENT", ContentType="application/vnd.amazonaws.connect.event.typing",
                Id=f"i{n}", ParticipantId=f"p{n}")


def joining(n):
    return item(None, "AGENT", Type="EVENT", at=stamp(-n / 1000 - 3600), Id=f"i{n}",
                ContentType="application/vnd.amazonaws.connect.event.participant.joined")


def receipt(n):
    return item(None, "AGENT", Type="MESSAGEMETADATA", Id=f"i{n}", MessageMetadata={
        "MessageId": f"m{n}", "Receipts": [{"RecipientParticipantId": "a", "ReadTimestamp": stamp()}]})


def file(n):
    return item(None, "AGENT", Type="ATTACHMENT", Id=f"i{n}", at=stamp(n / 1000 - 3600),
                Attachments=[{"AttachmentId": f"f{n}", "AttachmentName": "x", "ContentType": "text/plain"}])


def flood(make, count):
    def story(server, connection):
        for start in range(0, count, 500):
            connection.write(b"".join(framed(make(n)) for n in range(start, start + 500)))
        # Some kinds of items show no line: the end shows that all of them were read.
        connection.write(framed(item("last")) + framed(item(
            None, "SYSTEM", Type="EVENT", ContentType="application/vnd.amazonaws.connect.event.chat.ended")))
    return story


def endless(make):
    def story(server, connection):
        n = 0
        while True:
            connection.write(b"".join(framed(make(n + k)) for k in range(200)))
            n += 200
    return story


for make in (rising, falling, equal, scattered, own, piece, begun, typing, joining, receipt, file):
    contact(f"8,000 items, {make.__name__}", EITHER, timeout=10, megabytes=100, seconds=4, heavy=True, words=(),
            until="ended", story=flood(make, 8000))
for make in (rising, falling, equal, piece, typing):
    contact(f"items without an end, {make.__name__}", EITHER, timeout=6, megabytes=200, heavy=True, words=(),
            until="ended", check=in_time, story=endless(make))
