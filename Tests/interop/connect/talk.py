"""A contact and its sockets, as a client of the service has them."""

import itertools
import json
import threading

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect as dial

import judge
from rig import expect, require

SUBSCRIBE = '{"topic":"aws/subscribe","content":{"topics":["aws/chat"]}}'
# As the iOS SDK sends it, with the parenthesis behind it.
SUBSCRIBE_IOS = '{"topic": "aws/subscribe", "content": {"topics": ["aws/chat"]}})'
EVENT = judge.EVENT
INTERACTIVE = judge.INTERACTIVE
PATIENCE = 15
TAGS = itertools.count(1)


def event(name):
    return lambda item: item.get("ContentType") == EVENT + name


def message(role=None, text=None):
    return (
        lambda item: item["Type"] == "MESSAGE"
        and role in (None, item["ParticipantRole"])
        and (text is None or text in item["Content"])
    )


def names(items):
    """What happened, in short: "joined CUSTOMER", "MESSAGE SYSTEM"."""
    return [
        " ".join(
            filter(
                None,
                [
                    (
                        item.get("ContentType", "").removeprefix(EVENT + "participant.").removeprefix(EVENT)
                        if item["Type"] == "EVENT"
                        else item["Type"]
                    ),
                    item.get("ParticipantRole"),
                ],
            )
        )
        for item in items
    ]


class Socket:
    """A WebSocket of a participant. Every chat item that comes is judged."""

    def __init__(self, url, subscribe=SUBSCRIBE, **options):
        self.connection = dial(url, open_timeout=PATIENCE, close_timeout=5, max_size=None, **options)
        self.frames, self.items, self.faults = [], [], []
        self.closed = None
        self.changed = threading.Condition()
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()
        if subscribe:
            self.send(subscribe)
            self.frame(lambda frame: frame.get("topic") == "aws/subscribe", "the acknowledgement")

    def _read(self):
        try:
            for text in self.connection:
                with self.changed:
                    self._take(text)
                    self.changed.notify_all()
        except ConnectionClosed:
            pass
        finally:
            with self.changed:
                self.closed = (self.connection.close_code, self.connection.close_reason)
                self.changed.notify_all()

    def _take(self, text):
        self.frames.append(text)
        frame = json.loads(text)
        if frame.get("topic") != "aws/chat":
            return
        if (
            set(frame) != {"content", "contentType", "topic"}
            or frame["contentType"] != "application/json"
            or not isinstance(frame["content"], str)
        ):
            self.faults.append(f"the envelope is {text[:120]}")
        item = json.loads(frame["content"]) if isinstance(frame["content"], str) else frame["content"]
        self.faults += [f"{names([item])[0]}: {fault}" for fault in judge.item(item)]
        self.items.append(item)

    def send(self, text):
        self.connection.send(text)

    def _wait(self, found, what, patience=PATIENCE):
        with self.changed:
            if not self.changed.wait_for(lambda: found() or self.closed or self.faults, patience) or not found():
                require(not self.faults, f"items that are wrong: {self.faults[:3]}")
                rest = [text for text in self.frames if "aws/chat" not in text][-3:]
                state = f", closed {self.closed}" if self.closed else ""
                raise AssertionError(f"waited for {what}; came {names(self.items)[-12:]}, other frames {rest}{state}")
            return found()

    def frame(self, holds, what, after=0):
        return self._wait(lambda: next((each for each in map(json.loads, self.frames[after:]) if holds(each)), None), what)

    def all(self, holds, count, what):
        def found():
            taken = [item for item in self.items if holds(item)]
            return taken if len(taken) >= count else None

        return self._wait(found, what)

    def one(self, holds, what):
        """The first item that holds."""
        return self.all(holds, 1, what)[0]

    def ask(self, text, holds, what="the answer"):
        """The text of the frame that answers this one."""
        before = len(self.frames)
        self.send(text)
        return self._wait(lambda: next((each for each in self.frames[before:] if holds(json.loads(each))), None), what)

    def settle(self):
        """All that was sent before this has come: a heartbeat is answered in its turn."""
        self.ask('{"topic":"aws/heartbeat"}', lambda frame: frame.get("topic") == "aws/heartbeat", "the heartbeat")
        require(not self.faults, f"items that are wrong: {self.faults[:3]}")
        return self.items

    def ended(self, patience=PATIENCE):
        with self.changed:
            require(self.changed.wait_for(lambda: self.closed, patience), "the socket was not closed")
            return self.closed

    def close(self, code=1000, reason=""):
        self.connection.close(code, reason)
        self.reader.join(PATIENCE)


class Talk:
    """A contact that was started, and its customer."""

    def __init__(self, server, fixture="desk", opened=True, connection=True, **extra):
        self.server, self.sockets = server, []
        # For checks that disturb the order themselves.
        self.is_disordered = False
        self.tag = f"t{next(TAGS)}"
        self.flow = f"mock:{fixture}@tag={self.tag}"
        self.started = server.connect.start_chat_contact(
            InstanceId="instance", ContactFlowId=self.flow, ParticipantDetails={"DisplayName": "Jane"}, **extra
        )
        self.contact, self.me, self.participant_token = (
            self.started[name] for name in ("ContactId", "ParticipantId", "ParticipantToken")
        )
        if connection:
            self.url, self.token = self.connection()
        if connection and opened:
            self.socket = self.open(self.url)

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        for socket in self.sockets:
            try:
                socket.close()
            except Exception:
                pass
        if kind is None:
            for socket in self.sockets:
                # Items that come again under their Id keep their instant; a metadata frame is about another item.
                kept = {item["Id"]: item["AbsoluteTime"] for item in socket.items if "MessageMetadata" not in item}
                stamps = list(kept.values())
                require(stamps == sorted(set(stamps)) or self.is_disordered, f"instants do not increase: {stamps}")
            require(not any(socket.faults for socket in self.sockets), [socket.faults[:2] for socket in self.sockets])

    def connection(self, token=None):
        got = self.server.participant.create_participant_connection(
            Type=["WEBSOCKET", "CONNECTION_CREDENTIALS"], ParticipantToken=token or self.participant_token
        )
        return got["Websocket"]["Url"], got["ConnectionCredentials"]["ConnectionToken"]

    def open(self, url=None, **options):
        socket = Socket(url or self.connection()[0], **options)
        self.sockets.append(socket)
        return socket

    def say(self, text, kind="text/plain", token=None, **more):
        return self.server.participant.send_message(ContentType=kind, Content=text, ConnectionToken=token or self.token, **more)

    def tell(self, name, content=None, token=None, **more):
        """SendEvent."""
        if content is not None:
            more["Content"] = content if isinstance(content, str) else json.dumps(content)
        return self.server.participant.send_event(ContentType=EVENT + name, ConnectionToken=token or self.token, **more)

    def page(self, token=None, **more):
        return self.server.participant.get_transcript(ConnectionToken=token or self.token, **more)

    def transcript(self):
        """All of it, oldest first, and once each."""
        items, more = [], {}
        while True:
            page = self.page(ScanDirection="BACKWARD", SortOrder="DESCENDING", MaxResults=100, **more)
            items += page["Transcript"]
            if "NextToken" not in page:
                break
            more = {"NextToken": page["NextToken"]}
        expect(len({item["Id"] for item in items}), len(items), "items of the transcript, each once")
        return items[::-1]

    def disconnect(self):
        return self.server.participant.disconnect_participant(ConnectionToken=self.token)

    # the other side

    @property
    def session(self):
        found = self.server.control("GET", "sessions", tag=self.tag)["sessions"]
        expect(len(found), 1, f"sessions with the tag {self.tag}")
        return found[0]["id"]

    def agent(self, action, **more):
        return self.server.control("POST", f"sessions/{self.session}/takeover", {"action": action, **more})

    def join(self, name="Maria"):
        self.agent("join", name=name, id=name.lower())
        return self.socket.one(lambda item: event("participant.joined")(item) and item["DisplayName"] == name, f"{name} joins")

    def agent_says(self, text):
        self.agent("send", text=text)
        return self.socket.one(message("AGENT", text), f"the agent's {text!r}")

    def bot(self, name="Robo", opened=False):
        """A participant of CreateParticipant: its id, its tokens, and a socket of its own where asked for."""
        made = self.server.connect.create_participant(
            InstanceId="instance",
            ContactId=self.contact,
            ParticipantDetails={"ParticipantRole": "CUSTOM_BOT", "DisplayName": name},
        )
        token = made["ParticipantCredentials"]["ParticipantToken"]
        got = self.server.participant.create_participant_connection(
            Type=["WEBSOCKET", "CONNECTION_CREDENTIALS"], ConnectParticipant=True, ParticipantToken=token
        )
        bearer = got["ConnectionCredentials"]["ConnectionToken"]
        return made["ParticipantId"], bearer, self.open(got["Websocket"]["Url"]) if opened else None
