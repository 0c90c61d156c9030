"""The checks T-01 to T-16 of the terminal client."""

import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import time

from terminal import Program

BINARY = sys.argv[1]
CHOSEN = sys.argv[2:]
CHECKS = []
FOLDER = tempfile.TemporaryDirectory()
FIXTURES = os.path.join(FOLDER.name, "fixtures")
ENVIRONMENT = {
    "PATH": os.environ["PATH"], "HOME": FOLDER.name, "XDG_STATE_HOME": FOLDER.name + "/state",
    "LANG": "C.UTF-8", "TERM": "xterm-256color",
}

FAULTY = """
{ fixture: 1, name: "Faulty", agent: { name: "Ada" },
  pace: "brisk", paces: { brisk: { think: "100ms", chunk: "2 words", every: "150ms" } },
  greeting: [ { say: "Hello" } ],
  anywhere: [
    { name: "long", hears: "long",
      replies: [ { say: "one two three four five six seven eight nine ten" } ] },
    { name: "wide", hears: "wide",
      replies: [ { say: "\\u6f22\\u5b57\\u304b\\u306a\\u4ea4\\u3058\\u308a\\u6587 cafe\\u0301 \\ud83d\\ude00 and words \
that go on and on, \\u6f22\\u5b57\\u304b\\u306a\\u4ea4\\u3058\\u308a\\u6587 until there is an end of it all" } ] },
    { name: "evil", hears: "evil",
      replies: [ { say: "bell \\u0007 colour \\u001b[31mred clear \\u001b[2J turn \\u202egnp.exe end" } ] },
  ],
  otherwise: [ { name: "echo", replies: [ { say: "You said: {message}" } ] } ],
  faults: {
    tunnel: { at: "reply 2 chunk 3", do: { drop: "connection" } },
  },
}
"""


def check(number, sentence):
    def register(function):
        CHECKS.append((number, sentence, function))
        return function
    return register


def chat(*flags, token="mock:hello", said=None, patience=40, environment=None):
    """Runs in pipes; standard input is empty unless something is said."""
    return subprocess.run(
        [BINARY, "chat", "--url", URL, "--token", token, *flags], input=said or "", text=True,
        capture_output=True, timeout=patience, env=environment or ENVIRONMENT)


def screen(*flags, token="mock:hello", columns=100, rows=30, **variables):
    words = [BINARY, "chat", "--url", URL, "--new", "--token", token, *flags]
    return Program(words, {**ENVIRONMENT, **variables}, columns, rows)


def expect(truth, about):
    if not truth:
        raise AssertionError(str(about))


def events(text):
    return [json.loads(line) for line in text.splitlines()]


@check("T-01", "A line on standard input is said, and the reply is printed without escapes")
def pipe():
    run = chat("--until", "reply", said="hi\n")
    expect("You said: hi" in run.stdout and "\x1b" not in run.stdout and "\r" not in run.stdout, run)
    expect(run.returncode == 0, run)


@check("T-02", "With --json every line of standard output is an object")
def json_lines():
    run = chat("--json", "--progressive", "--say", "hi")
    seen = events(run.stdout)
    expect(seen[-1]["ev"] == "agent" and seen[-1]["text"] == "You said: hi", run.stdout)
    expect(all({"t", "ev", "session"} <= set(event) for event in seen), run.stdout)
    pieces = [event for event in seen if event["ev"] == "chunk"]
    whole = "".join(piece["text"] for piece in pieces if piece["messageId"] == seen[-1]["messageId"])
    expect(whole == "You said: hi", run.stdout)


@check("T-03", "What is said second waits for the first reply")
def order():
    seen = events(chat("--json", "--say", "a", "--say", "b").stdout)
    talk = [event["text"] for event in seen if event["ev"] in ("user", "agent")]
    expect(talk[-4:] == ["a", "You said: a", "b", "You said: b"], talk)


@check("T-04", "An expectation that is not met ends with 3 and names both sides")
def expectation():
    run = chat("--say", "hi", "--expect", "^Hello")
    expect(run.returncode == 3 and "^Hello" in run.stderr and "You said: hi" in run.stderr, run)
    expect(chat("--say", "hi", "--expect", "said: h.$").returncode == 0, "an expectation that is met")


@check("T-05", "A server that is down ends with 2 and a reason")
def down():
    start = time.monotonic()
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}"
    run = chat("--url", url, "--say", "hi", "--timeout", "20")
    expect(run.returncode == 1 and run.stderr.strip() and not run.stdout, run)
    expect(time.monotonic() - start < 20, "later than the timeout")


@check("T-06", "A connection that drops in the middle of a reply gives one complete reply")
def drop():
    run = chat("--say", "long", token="mock:faulty+tunnel")
    lines = [line for line in run.stdout.splitlines() if "one two" in line]
    expect(lines == ["Ada: one two three four five six seven eight nine ten"], run)
    expect(run.returncode == 0, run)


@check("T-07", "The number of a suggestion sends it; with a space in front it is text")
def suggestion():
    program = screen(token="mock:suggest")
    try:
        program.wait("2. Opening hours")
        program.type("2\r")
        program.wait("you Opening hours")
        program.wait("From nine to six")
        program.wait("2. Opening hours")
        program.type(" 2\r")
        program.wait("you 2 ")
    finally:
        program.close()


@check("T-08", "A resize while a reply is streamed leaves no broken line")
def resize():
    program = screen(token="mock:faulty")
    try:
        program.wait("Hello")
        program.type("wide\r")
        program.wait("\u6f22")
        program.resize(40, 20)
        program.wait(lambda shown: re.search(r"end of it\s+all", shown.text()))
        expect(not program.screen.broken, program.screen.broken)
        expect(not program.screen.unknown, program.screen.unknown)
        expect("caf\u00e9" in program.screen.text() or "cafe\u0301" in program.screen.text(), program.screen.text())
    finally:
        program.close()


@check("T-09", "Control-C twice leaves, and the terminal is as it was")
def interrupt():
    program = screen()
    try:
        program.wait("Hello from Ada")
        expect(program.modes() != program.modes_before, "raw mode was never entered")
        program.type("\x03")
        program.wait("end conversation? y/n")
        program.type("\x03")
        expect(program.leave() == 130, program.process.returncode)
        expect(program.modes() == program.modes_before, "other modes than before")
        expect("?1049" not in program.screen.modes and "?2004" not in program.screen.modes, "modes left on")
    finally:
        program.close()


@check("T-09b", "A signal that kills brings the terminal back too")
def killed():
    program = screen()
    try:
        program.wait("Hello from Ada")
        os.kill(program.process.pid, 11)
        program.leave()
        expect(program.modes() == program.modes_before, "other modes than before")
        expect("\x1b[?1049l" in program.raw, "the alternate screen stays")
    finally:
        program.close()


@check("T-10", "NO_COLOR leaves no colour in a terminal")
def no_color():
    for variables, colored in (({"NO_COLOR": "1"}, False), ({}, True)):
        program = screen(**variables)
        try:
            program.wait("Hello from Ada")
            expect(bool(re.search(r"\x1b\[[\d;]*m", program.raw)) == colored, repr(program.raw))
        finally:
            program.close()


@check("T-11", "A message without an echo fails, and /retry sends it once more")
def retry():
    # An echo that is neither sent nor kept for a replay.
    config = os.path.join(FOLDER.name, "mute.json5")
    with open(config, "w") as file:
        file.write('{ replies: { droppedEchoes: [1] }, sessions: { journaling: { userMessage: false } } }')
    with Server("--config", config) as url:
        retry_at(url)


def retry_at(url):
    program = screen("--url", url, token="mock:faulty")
    try:
        program.wait("Hello")
        program.type("anyone\r")
        program.wait("! not delivered: /retry 1", patience=30)
        program.type("/retry 1\r")
        program.wait(lambda shown: "\u2713" in shown.text() and "not delivered" not in shown.text())
        expect(program.screen.text().count("you anyone") == 1, program.screen.text())
    finally:
        program.close()


@check("T-12", "A reader that leaves early is no error")
def broken_pipe():
    run = subprocess.run(
        f'"{BINARY}" chat --url {URL} --token mock:hello --say a --say b --say c | head -1; '
        'echo "${PIPESTATUS[0]}"', shell=True, executable="/bin/bash", text=True, capture_output=True,
        timeout=30, env=ENVIRONMENT)
    expect(run.stderr == "" and run.stdout.splitlines()[-1] == "0", run)


@check("T-13", "The end of standard input waits for the reply")
def end_of_input():
    run = chat(said="hi")
    expect(run.stdout.splitlines()[-1] == "Ada: You said: hi" and run.returncode == 0, run)


@check("T-14", "What could act on a terminal is shown, not obeyed")
def hostile():
    for flags in ([], ["--json"]):
        run = chat("--say", "evil", *flags, token="mock:faulty")
        expect("\x07" not in run.stdout and "\x1b" not in run.stdout and "\u202e" not in run.stdout, run)
    program = screen(token="mock:faulty")
    try:
        program.wait("Hello")
        program.type("evil\r")
        program.wait("\\u{1B}[31mred")
        program.wait("\\u{202E}gnp.exe end")
        expect("\x07" not in program.raw and "\x1b[31m" not in program.raw, repr(program.raw))
        expect(not program.screen.unknown, program.screen.unknown)
    finally:
        program.close()


@check("T-16", "A message that no rule hears ends with 5, and the nearest rule is named")
def unmatched():
    run = chat("--say", "a tabel, please", "--fail-on-unmatched", token="mock:booking")
    expect(run.returncode == 5, run)
    expect('nearest is "book"' in run.stderr and '"tabel"' in run.stderr, run)
    run = chat("--say", "a table, please", "--fail-on-unmatched", token="mock:booking")
    expect(run.returncode == 0 and "nearest" not in run.stderr, run)


@check("T-15", "The token shows nowhere, not even among the words of the process")
def secret():
    token = "mock:hello+secret-of-mine"
    run = chat("--say", "hi", "--json", "-v", token="mock:hello", environment=ENVIRONMENT)
    expect("mock:hello" not in run.stdout + run.stderr, run)
    run = chat("--say", "hi", "-v", token=token)
    expect("secret-of-mine" not in run.stdout + run.stderr, run)
    program = screen(token="mock:hello")
    try:
        program.wait("Hello from Ada")
        with open(f"/proc/{program.process.pid}/cmdline", "rb") as words:
            shown = words.read()
        expect(b"mock:hello" not in shown and b"--token" in shown, shown)
        expect("mock:hello" not in program.raw, "the token is on the screen")
    finally:
        program.close()


@check("X-01", "A command line that cannot be followed ends with 1 and the nearest flag")
def misuse():
    run = chat("--sya", "hi")
    expect(run.returncode == 2 and "--say" in run.stderr, run)


@check("X-02", "--no-wait says everything at once and still waits for the replies")
def no_wait():
    seen = events(chat("--json", "--no-wait", "--say", "a", "--say", "b").stdout)
    talk = [event["text"] for event in seen if event["ev"] in ("user", "agent")]
    expect(sorted(talk[:2]) == ["a", "b"] and talk[-1] == "You said: b", talk)


@check("X-03", "The full screen edits lines, ends conversations and exports them")
def lifecycle():
    path = os.path.join(FOLDER.name, "talk.txt")
    program = screen()
    try:
        program.wait("Hello from Ada")
        program.type("wrold\x1b[D\x1b[D\x1b[D\x1b[D\x1b[3~\x1b[Cr\x1b[H")
        program.type("hello \r")
        program.wait("You said: hello world")
        program.type("/export " + path + "\r")
        program.wait("written to")
        program.type("/end\r")
        program.wait(lambda shown: re.search(r"^ended", shown.text(), re.M))
        program.type("/new\r")
        program.wait(lambda shown: "hello world" not in shown.text() and "Hello from Ada" in shown.text())
        program.type("/quit\r")
        expect(program.leave() == 0, program.process.returncode)
        with open(path) as file:
            expect(file.read().splitlines()[-1] == "Ada: You said: hello world", "the export")
    finally:
        program.close()


class Server:
    def __init__(self, *flags):
        self.process = subprocess.Popen(
            [BINARY, "--port", "0", "--log", "quiet", "--fixtures", FIXTURES, *flags], text=True,
            stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, env=ENVIRONMENT, cwd=FOLDER.name)

    def __enter__(self):
        return self.process.stdout.readline().split()[-1]

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()


def main():
    global URL
    os.mkdir(FIXTURES)
    with open(os.path.join(FIXTURES, "faulty.json5"), "w") as file:
        file.write(FAULTY)
    passed = failed = 0
    with Server() as URL:
        for number, sentence, function in CHECKS:
            if CHOSEN and number not in CHOSEN:
                continue
            try:
                function()
                passed += 1
                print(f"ok   {number} {sentence}", flush=True)
            except Exception as problem:
                failed += 1
                print(f"FAIL {number} {sentence}\n{type(problem).__name__}: {problem}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
