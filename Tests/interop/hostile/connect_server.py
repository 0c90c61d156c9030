"""A service of Amazon Connect chat for one customer, that behaves well until a case says otherwise."""

import json
import time
import uuid

from .server import Connection, Gone, Server, text

CONTACT = "3e2e7db1-0000-4000-8000-000000000001"


def stamp(ahead=0.0):
    """`yyyy-MM-ddTHH:mm:ss.SSSZ`, so many seconds from now."""
    at = time.time() + ahead
    return time.strftime("%Y-%m-%dT%H:%M:%S.", time.gmtime(at)) + f"{int(at % 1 * 1000):03}Z"


def item(content, role="SYSTEM", at=None, **fields):
    made = {"AbsoluteTime": at or stamp(), "Content": content, "ContentType": "text/plain", "Id": str(uuid.uuid4()),
            "Type": "MESSAGE", "ParticipantId": "me" if role == "CUSTOMER" else "bot", "DisplayName": role.title(),
            "ParticipantRole": role, "InitialContactId": CONTACT, "ContactId": CONTACT}
    made.update(fields)
    return made


def framed(value):
    """An item as a frame of the topic of chats; text is taken for the item's JSON."""
    content = value if isinstance(value, str) else json.dumps(value)
    return text({"topic": "aws/chat", "contentType": "application/json", "content": content})


class ConnectServer(Server):
    """Hooks: start, connection, transcript, message, socket (all of a connection), story (once it is subscribed)."""

    PATHS = {"/contact/chat": "start", "/participant/connection": "connection",
             "/participant/transcript": "transcript", "/participant/message": "message", "/socket": "socket"}

    def __init__(self, url=None, life=3600, token_life=86400, **hooks):
        self.items, self.live, self.tokens = [], [], set()
        self.url, self.life, self.token_life = url, life, token_life
        super().__init__()
        self.hooks = hooks
        self.counts = {step: 0 for step in (*self.PATHS.values(), "other")}

    def handle(self, sock):
        connection = Connection(sock)
        try:
            request = connection.request()
            self.requests.append(request)
            step = self.PATHS.get(request["target"].partition("?")[0], "other")
            self.counts[step] += 1
            if step == "connection":
                self.times.append(time.monotonic())
            (self.hooks.get(step) or getattr(ConnectServer, "good_" + step))(self, connection, request)
            connection.wait()
        except (Gone, OSError, ValueError):
            pass
        finally:
            with self.lock:
                self.live = [one for one in self.live if one is not connection]
            sock.close()

    def push(self, *items):
        """Keeps items, and tells them on all sockets."""
        self.items += items
        for socket in list(self.live):
            for one in items:
                try:
                    socket.write(framed(one))
                except Gone:
                    pass

    def good_start(self, connection, request):
        connection.answer(200, {"ContactId": CONTACT, "ParticipantId": "me", "ParticipantToken": "p"})

    def good_connection(self, connection, request):
        url = self.url if self.url is not None else f"ws://127.0.0.1:{self.port}/socket"
        connection.answer(200, {
            "Websocket": {"Url": url, "ConnectionExpiry": stamp(self.life)},
            "ConnectionCredentials": {"ConnectionToken": "t", "Expiry": stamp(self.token_life)}})

    def good_transcript(self, connection, request):
        body = json.loads(request["body"])
        items, start = list(self.items), (body.get("StartPosition") or {}).get("Id")
        known = [one["Id"] for one in items]
        if body.get("ScanDirection") == "FORWARD" and start in known:
            items = items[known.index(start) + 1:]
        connection.answer(200, {"InitialContactId": CONTACT, "Transcript": items, "NextToken": ""})

    def take(self, request):
        """Keeps a message, once for each ClientToken, and has it answered."""
        body = json.loads(request["body"])
        if body["ClientToken"] in self.tokens:
            return
        self.tokens.add(body["ClientToken"])
        self.push(item(body["Content"], "CUSTOMER"))
        self.push(item("fine"))

    def good_message(self, connection, request):
        self.take(request)
        connection.answer(200, {"Id": self.items[-2]["Id"], "AbsoluteTime": self.items[-2]["AbsoluteTime"]})

    def good_other(self, connection, request):
        connection.answer(200, {})

    def good_socket(self, connection, request):
        connection.accept(request)
        while True:
            topic = connection.hear().get("topic")
            if topic == "aws/subscribe":
                connection.write(text({"topic": topic, "content": {"status": "success", "topics": ["aws/chat"]}}))
                self.live.append(connection)
                if "story" in self.hooks:
                    self.hooks["story"](self, connection)
            else:
                connection.write(text({"topic": topic, "statusCode": 200, "statusContent": "OK"}))
