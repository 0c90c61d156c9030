"""What the published SDK shows of a served talk: checks.py URL."""

import sys

from sdk import OWN, PUBLISHED, Client, Server

server = Server(sys.argv[1])
failed = []


def check(name, holds, detail=""):
    print(("ok " if holds else "FAIL ") + name + ("" if holds else f": {str(detail)[:300]}"), flush=True)
    if not holds:
        failed.append(name)


def chat(token, **settings):
    client = Client(server, token, **settings)
    client.connect()
    return client


def opened(token, **settings):
    client = chat(token, **settings)
    client.until("greeting", lambda: any(row["who"] == "agent" for row in client.rows))
    return client


def greetings():
    """The greeting has its suggestions as soon as it has a row, however its replies are cut."""
    for token, agent in [("mock:webchat", PUBLISHED), ("mock:webchat@chunks=pace", PUBLISHED), ("mock:webchat", OWN),
                         ("mock:booking@chunks=pace", OWN), ("mock:suggest@chunks=pace", OWN)]:
        client = opened(token, agent=agent)
        row = client.rows[0]
        check(f"greeting-suggestions {token} {agent.split(' ')[-1]}", bool(row["suggestions"]), row)
        client.lose()


TALKS = {
    "webchat": ["show me everything", "count to 20", "what a day"],
    "storyteller": ["Begin", "on", "on", "on"],
    "shop": ["Show me kettles"],
    "rich": ["Only text"],
}


def texts():
    """Rows read as the reply was written: while they grow, when they are complete, and in both SDKs."""
    for fixture, words in TALKS.items():
        said = {}
        for name, settings in {
            "whole": {"streaming": False},
            "published": {"agent": PUBLISHED},
            "own": {"agent": OWN, "joiner": ""},
        }.items():
            client = opened(f"mock:{fixture}@seed=7@pace=instant", **settings)
            client.until("greeting", lambda: client.replies())
            for word in words:
                client.ask(word)
            said[name] = [row["text"] for row in client.replies()]
            grown = [text for row in client.replies() for text in row["growing"]
                     if not row["text"].startswith(text)]
            check(f"growing-text {fixture} {name}", not grown, grown)
            client.lose()
        for name in ("published", "own"):
            check(f"complete-text {fixture} {name}", said[name] == said["whole"], (said[name], said["whole"]))
    # Lines grow, and the blank between them is not seen.
    client = opened("mock:webchat@chunks=lines@pace=instant")
    client.ask("show me everything")
    row = client.replies()[-1]
    check("lines-grow", len(row["growing"]) > 3, row["growing"])
    check("lines-read-well", "  " not in row["text"] and "\n " not in row["text"], row["text"])
    client.lose()


def repairs():
    """A new session is a repair: what is to happen once happens once."""
    client = opened("mock:errors+closed-door@tag=repair")
    check("refused-handshake-heals", client.refusals == [401] and client.sessions == 2,
          (client.refusals, client.sessions))
    client.lose()
    for moment, effect in [("handshake 1", {"refuse": 401}), ("handshake 1", {"refuse": 503}),
                           ("connect 1", {"drop": "connection"})]:
        added = server.control("POST", "faults", {"at": moment, "do": effect, "times": 1})["faults"][0]
        client = chat("mock:hello")
        if moment == "connect 1":
            client.until("break", lambda: client.closes)
            client.begin()
            client.connect()
        client.until("greeting", lambda: client.replies())
        check(f"added-fault-heals {moment} {list(effect.values())[0]}", client.sessions == 2, client.sessions)
        client.lose()
        other = opened("mock:hello")
        listed = server.control("GET", "faults")["faults"][0]
        check(f"fires-within-times {moment} {list(effect.values())[0]}",
              listed["fired"] == 1 and listed["times"] == 1 and listed["per"] == "token", listed)
        other.lose()
        server.control("DELETE", f"faults/{added['id']}")
    client = chat("mock:booking+bad-deploy@pace=instant")
    client.until("greeting", lambda: client.replies())
    client.say("a table, please")
    client.until("restart", lambda: client.closes)
    check("bad-deploy-restarts", client.closes == [1012], client.closes)
    client.connect()
    client.until("greeting", lambda: client.replies())
    client.ask("a table, please")
    check("bad-deploy-heals", "For how many" in client.replies()[-1]["text"] and 503 in client.refusals,
          (client.texts(), client.refusals))
    client.lose()


def histories():
    """A long history comes in whole batches, none of them with one event behind others."""
    client = chat("mock:silent")
    client.until("agent", lambda: client.has_agent)
    for number in range(103):
        client.say(f"{number} " + "x" * 20_000)
    client.until("echoes", lambda: len(client.rows) == 103)
    client.lose()
    again = Client(server, "mock:silent")
    again.access, again.session = client.access, client.session
    for attempt in range(3):
        again.rows, again.seen, again.cursor, again.frames = [], set(), 0, []
        again.connect()
        again.until("history", lambda: len(again.rows) == 103)
        order = [int(text.split(" ")[0]) for text in again.texts()]
        check(f"history-in-order {attempt + 1}", order == list(range(103)), order)
        again.lose()
    counts = [count for _, count in again.frames]
    check("history-has-no-single", len(counts) > 3 and min(counts) > 1, again.frames)
    check("history-fits-its-batches", max(size for size, _ in again.frames) < 512 * 1024, again.frames)


def resuming():
    """What is said right behind a history does not overtake it. At a twelfth of the speed, so that the first live event
    is 312 ms behind the history: a busy machine makes this client slower by tens of milliseconds."""
    whole = [f"word{number}" for number in range(60)]
    broken = overtaken = 0
    server.control("POST", "clock", {"mode": "scaled", "scale": 0.08})
    try:
        for attempt in range(12):
            client = chat("mock:babble@chunks=pace", batch_lag=0.15)
            client.until("greeting", lambda: client.replies())
            client.say("talk")
            client.until("first words", lambda: len(client.rows) > 2 and len(client.rows[2]["growing"]) > 2 + attempt)
            client.lose()
            client.connect()
            # The history has some twenty words; those behind it come one at a time.
            client.until("rest", lambda: len(client.replies()) == 2)
            broken += client.replies()[1]["text"].split() != whole
            overtaken += bool(client.overtaken)
            client.lose()
    finally:
        server.control("POST", "clock", {"mode": "real"})
    check("resumed-replies-are-whole", broken == 0, f"{broken} of 12")
    check("history-is-not-overtaken", overtaken == 0, f"{overtaken} of 12")


for part in (greetings, texts, repairs, histories, resuming):
    try:
        part()
    except AssertionError as problem:
        check(part.__name__, False, problem)
sys.exit(1 if failed else 0)
