"""What the program's own tools show of contacts, and what faults do to them: T-1 to T-12."""

import json
import subprocess

from rig import check, expect, refused, require
from scenarios.bad import status_of
from talk import SUBSCRIBE, Talk, event, message, names


@check("T-1", "sessions, session, journal and wire show a contact like any session")
def verbs(tools):
    server = tools.server
    with Talk(server) as talk:
        talk.say("look at me")
        talk.socket.one(message("SYSTEM", "You said: look at me"), "the reply")
        session = talk.session
        shown = server.verb("session", session)
        require(session[:8] in shown and talk.tag in shown, shown)
        require("look at me" in server.verb("journal", session), "the journal")
        rows = server.control("GET", "wire", filter=f"session:{session}", limit=500)["rows"]
        said = [row["type"] for row in rows]
        for wanted in ("PUT /contact/chat", "POST /participant/connection", "POST /participant/message"):
            require(wanted in said, said)
        require(any(row["kind"] == "ws" and row["dir"] == "out" for row in rows), said)
        require("look at me" in server.verb("export", session, "--format", "transcript"), "the transcript")


@check("T-2", "No token and no secret of a link shows in rows, exports or the log")
def secrets(tools):
    server = tools.own_server()
    with Talk(server) as talk:
        talk.say("hi")
        got = server.participant.start_attachment_upload(
            ContentType="text/plain", AttachmentName="a.txt", AttachmentSizeInBytes=1, ClientToken="c", ConnectionToken=talk.token
        )
        server.request("PUT", got["UploadMetadata"]["Url"], b"x")
        hidden = {
            "participant token": talk.participant_token,
            "connection token": talk.token,
            "socket": talk.url.split("=", 1)[1],
        }
        seen = {
            "rows": json.dumps(server.control("GET", "wire", limit=500)),
            "export": server.verb("export"),
            "har": server.verb("export", "--format", "har"),
        }
        seen["log"] = open(server.log.name).read()
        found = [f"{what} in {where}" for what, secret in hidden.items() for where, text in seen.items() if secret in text]
        expect(found, [])


@check("T-3", "polymock takeover is an AGENT: its lines are messages, /leave ends")
def agent(tools):
    server = tools.server
    with Talk(server, "silent") as talk:
        said = "/join Maria\nHello, Maria here.\n/quit\n"
        words = [server.binary, "takeover", talk.session, "--url", server.base]
        run = subprocess.run(words, input=said, capture_output=True, text=True, timeout=60)
        require(run.returncode == 0, run.stderr)
        told = talk.socket.one(message("AGENT", "Hello, Maria here."), "the line")
        expect(told["DisplayName"], "Maria")
        require("joined AGENT" in names(talk.socket.items), names(talk.socket.items))


@check("T-4", "polymock push speaks as the bot and as the user")
def push(tools):
    with Talk(tools.server) as talk:
        talk.socket.one(message("SYSTEM", "Welcome"), "the welcome")
        tools.server.control("POST", f"sessions/{talk.session}/events", {"as": "agent", "text": "By the way"})
        talk.socket.one(message("SYSTEM", "By the way"), "what was pushed")
        tools.server.control("POST", f"sessions/{talk.session}/events", {"as": "user", "text": "a story"})
        talk.socket.one(message("CUSTOMER", "a story"), "what the user said")
        talk.socket.one(message("SYSTEM", "is all."), "the answer")


@check("T-5", "A talk that keeps to the protocol breaks no protocol rule")
def lawful(tools):
    server = tools.own_server()
    with Talk(server) as talk:
        talk.socket.one(message("SYSTEM", "Welcome"), "the welcome")
        talk.say("a story")
        talk.socket.one(message("SYSTEM", "is all."), "the story")
        talk.tell("typing")
        talk.transcript()
        talk.open().settle()
        talk.disconnect()
        talk.socket.one(event("chat.ended"), "the end")
    expect([(violation["protocolRule"], violation["detail"]) for violation in server.control("GET", "violations")["violations"]], [])


@check("T-6", "A lost, a repeated and a damaged item; a closed, a cut and a refused socket")
def wire_faults(tools):
    server = tools.server

    def added(at, do, then):
        with Talk(server, "silent") as talk:
            talk.socket.settle()
            fault = server.inject(at, do, tag=talk.tag)
            said = talk.say("fired")["Id"]
            then(talk, said)
            server.control("DELETE", f"faults/{fault}")

    def lost(talk, said):
        require(not any(item["Id"] == said for item in talk.socket.settle()), "it came")
        require(any(item["Id"] == said for item in talk.transcript()), "it is not in the transcript")

    def repeated(talk, said):
        talk.socket.all(lambda item: item["Id"] == said, 2, "it twice")

    def closed(talk, said):
        expect(talk.socket.ended()[0], 1011)
        require(any(item["Id"] == said for item in talk.transcript()), "it is not in the transcript")

    def cut(talk, said):
        expect(talk.socket.ended()[0], 1006)
        talk.socket = talk.open()
        talk.say("again")

    added("any event", {"lose": "event"}, lost)
    added("any event", {"repeat": "event"}, repeated)
    added("any event", {"close": 1011}, closed)
    added("any event", {"drop": "connection"}, cut)
    with Talk(server, "silent", opened=False) as talk:
        fault = server.inject("handshake 1", {"refuse": 503}, tag=talk.tag)
        expect((status_of(talk.url), status_of(talk.connection()[0])), (503, 101))
        server.control("DELETE", f"faults/{fault}")


@check("T-7", "swap changes the order of two items, and their stamps say so")
def swapped(tools):
    with Talk(tools.server, "silent") as talk:
        talk.socket.settle()
        talk.is_disordered = True
        fault = tools.server.inject("any event", {"swap": "event"}, tag=talk.tag)
        ids = [talk.say(text)["Id"] for text in ("one", "two")]
        talk.socket.one(lambda item: item["Id"] == ids[0], "the first")
        expect([item["Id"] for item in talk.socket.items if item["Id"] in ids], ids[::-1])
        tools.server.control("DELETE", f"faults/{fault}")


@check("T-8", "A heartbeat that is lost is not answered, the next one is")
def heartbeat(tools):
    with Talk(tools.server, "silent", opened=False) as talk:
        fault = tools.server.inject("heartbeat 1", {"lose": "event"}, tag=talk.tag)
        socket = talk.open(talk.url)
        socket.send('{"topic":"aws/heartbeat"}')
        socket.ask('{"topic":"aws/ping"}', lambda frame: frame["topic"] == "aws/ping")
        expect([frame for frame in socket.frames if "aws/heartbeat" in frame], [])
        socket.settle()
        tools.server.control("DELETE", f"faults/{fault}")


@check("T-9", "A token that is expired by a fault is refused; the socket stays, and a new connection works")
def expired(tools):
    with Talk(tools.server, "silent") as talk:
        talk.socket.settle()
        fault = tools.server.inject("any event", {"expire": "token"}, tag=talk.tag)
        talk.say("the last")
        talk.socket.one(message("CUSTOMER", "the last"), "the echo")
        tools.server.control("DELETE", f"faults/{fault}")
        refused("AccessDeniedException", talk.say, text="late")
        require(talk.socket.ask(SUBSCRIBE, lambda frame: frame["topic"] == "aws/subscribe"), "the socket is gone")
        talk.say("again", token=talk.connection()[1])


@check("T-10", "An operation fails as often as it is scripted to, also before a contact is there")
def start_fails(tools):
    server = tools.own_server()
    body = {"InstanceId": "i", "ContactFlowId": "mock:silent", "ParticipantDetails": {"DisplayName": "Jane"}}
    server.inject("request StartChatContact 1", {"refuse": 500, "type": "InternalServiceException"}, times=2)
    patient = server.client("connect", attempts=3)
    got = patient.start_chat_contact(**body)
    expect(got["ResponseMetadata"]["RetryAttempts"], 2)
    server.inject("request CreateParticipantConnection 1", {"refuse": 429, "type": "ThrottlingException"}, times=3)
    refused(
        "ThrottlingException",
        server.client("connectparticipant", attempts=3).create_participant_connection,
        Type=["WEBSOCKET"],
        ParticipantToken=got["ParticipantToken"],
    )


@check(
    "T-11",
    "Clients that send before they connect, page with foreign tokens, ignore throttles or an end, or storm, break a protocol rule each",
)
def protocol_rules(tools):
    server = tools.own_server()

    def broken(by):
        """The protocol rules that this broke, by their ids, each once."""
        before = len(server.control("GET", "violations")["violations"])
        by()
        return sorted({violation["protocolRule"] for violation in server.control("GET", "violations")["violations"][before:]})

    def early():
        with Talk(server, "silent", connection=False, ConnectionTypes=["CONNECTION_CREDENTIALS"]) as talk:
            talk.say("early", token=talk.started["ConnectionCredentials"]["ConnectionToken"])

    def foreign():
        with Talk(server, "silent") as talk, Talk(server, "silent") as other:
            talk.say("one")
            other.say("two")
            token = talk.page(MaxResults=1)["NextToken"]
            refused("ValidationException", other.page, NextToken=token)

    def impatient():
        with Talk(server, "silent") as talk:
            fault = server.inject("request SendMessage 1", {"refuse": 429, "type": "ThrottlingException"}, times=9, tag=talk.tag)
            for _ in range(6):
                server.ask("message", {"ContentType": "text/plain", "Content": "hi"}, talk.token)
            server.control("DELETE", f"faults/{fault}")

    def deaf():
        with Talk(server, "silent") as talk:
            talk.disconnect()
            for _ in range(12):
                server.ask("message", {"ContentType": "text/plain", "Content": "hi"}, talk.token)

    def storm():
        with Talk(server, "silent") as talk:
            for _ in range(40):
                server.ask("connection", {"Type": ["CONNECTION_CREDENTIALS"]}, talk.participant_token)

    expect(broken(early), ["connect-connect-first"])
    expect(broken(foreign), ["connect-own-next-token"])
    expect(broken(impatient), ["connect-wait-when-throttled"])
    expect(broken(deaf), ["connect-stop-when-over"])
    server.control("POST", "clock", {"mode": "frozen"})
    expect(broken(storm), ["connect-no-connection-storm"])


@check("T-12", "The protocol rules of contacts are listed with their statements, beside those of the Messaging API")
def listed(tools):
    known = {rule["id"]: rule for rule in tools.server.control("GET", "violations")["protocolRules"]}
    wanted = (
        "connect-connect-first",
        "connect-own-next-token",
        "connect-wait-when-throttled",
        "connect-stop-when-over",
        "connect-no-connection-storm",
    )
    expect([each for each in wanted if not known.get(each, {}).get("statement")], [], "protocol rules that are not listed")
