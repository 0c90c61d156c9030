"""Conversations that other programs recorded, as fixtures: run.py BINARY [PART ...]. The parts are PARTS below."""

import asyncio
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import traceback
from xml.etree import ElementTree

import rig
from damages import CONNECT, DAMAGES, MESSAGING
from rig import SCRATCH, Tool, checks, proxy

FIXTURES = ["--fixtures", rig.HERE / "fixtures", "--fixture", "counter"]


def lifted(file, name, *flags):
    """Record, check and compare: no difference."""
    code, text, said = Tool.run("record", file, *flags)
    fixture = SCRATCH / f"{name.replace(' ', '-')}.json5"
    fixture.write_text(text)
    checks.ok(code == 0, f"{name}: becomes a fixture that sends the same", said)
    secrets = [word for word in ("access_token", "eyJ", "127.0.0.1", "X-Amz-") if word in text]
    checks.ok(not secrets, f"{name}: no token and no address is in the fixture", secrets)
    code, out, said = Tool.run("check", "--strict", fixture)
    checks.ok(code == 0, f"{name}: check --strict passes", out + said)
    code, out, said = Tool.run("compare", file, *flags)
    checks.ok(code == 0 and "no difference" in said, f"{name}: compare finds no difference", out + said)


def captures():
    """The HAR that mitmproxy keeps of three talks over TLS, and the ids of their sessions."""
    file = SCRATCH / "talks.har"
    if not file.exists():
        with Tool.serve(*FIXTURES) as server:
            with proxy(server.address, "--set", f"hardump={file}") as between:
                base = f"https://{between.address}"
                captures.whole = asyncio.run(rig.session(base, "mock:counter@seed=101", False))
                captures.streamed = asyncio.run(rig.session(base, "mock:counter@seed=102", True))
                captures.contact = asyncio.run(rig.contact(base, "mock:counter@seed=103"))
    return file


def mitmproxy():
    """websockets and boto3, through mitmproxy and TLS."""
    file = captures()
    lifted(file, "messages", "--session", captures.whole)
    lifted(file, "chunks", "--session", captures.streamed)
    lifted(file, "contact", "--session", captures.contact)


def against(address, session, scenario):
    code, out, said = Tool.run(
        "compare", captures(), "--session", session, "--against", f"http://{address}", "--token", scenario, "--json",
        "--timeout", "60s")
    return code, [json.loads(line) for line in out.splitlines()], said


def damages():
    """The wire spoilt in 25 ways; 0 leaves it alone."""
    captures()
    with Tool.serve(*FIXTURES) as server, proxy(server.address, "-s", rig.HERE / "damage.py") as between:

        def compare(number):
            session = captures.whole if number <= len(MESSAGING) else captures.contact
            return against(between.address, session, f"mock:counter@seed={number}")

        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            found = list(pool.map(compare, range(len(DAMAGES) + 2)))
    for number, (code, differences, said) in enumerate(found):
        if not 0 < number <= len(DAMAGES):
            checks.ok(code == 0, f"damage {number}: an undamaged wire has no difference", f"{differences} {said}")
            continue
        damage = DAMAGES[number - 1]
        kind = damage["kind"]
        events = {each["event"] for each in differences}
        wanted = {kind, damage["rename"]} if "rename" in damage else {kind}
        fields = {each.get("field", "") for each in differences}
        checks.ok(
            code == 1 and events == wanted and fields == {damage["field"]},
            f"damage {number}: {kind} {damage['field'] or [key for key in damage if key not in ('kind', 'field')][0]}",
            f"{code} {differences} {said}")


def drift():
    """Another polymock: one with another seed and no difference, one with a knob turned."""
    captures()
    with Tool.serve(*FIXTURES, "--seed", "9") as server:
        for session in (captures.streamed, captures.contact):
            code, differences, said = against(server.address, session, "mock:counter")
            checks.ok(code == 0, "drift: another seed makes no difference", f"{differences} {said}")
    turned = (rig.HERE / "fixtures/counter.json5").read_text().replace("fixture: 1,", 'fixture: 1, session: { heartbeat: "45s" },')
    (SCRATCH / "turned").mkdir()
    (SCRATCH / "turned/counter.json5").write_text(turned)
    with Tool.serve("--fixtures", SCRATCH / "turned", "--fixture", "counter") as server:
        code, differences, said = against(server.address, captures.whole, "mock:counter")
        found = [(each["event"], each.get("field"), each["mock"], each["statement"]) for each in differences]
        wanted = ("SESSION_START", "payload.capabilities.heartbeat_interval_seconds", "45", "protocol.md#event-session-start")
        checks.ok(code == 1 and found == [wanted], "drift: a knob that was turned is all that differs", f"{found} {said}")


def addresses():
    """Servers that are none: each comparison ends by itself, and says why."""
    captures()

    def read(connection):
        connection.recv(65_536)

    def stall(connection):
        read(connection)
        connection.recv(1)

    def flood(connection):
        read(connection)
        connection.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        block = b"%x\r\n%s\r\n" % (1 << 16, b" " * (1 << 16))
        while True:
            connection.sendall(block)

    def page(connection):
        read(connection)
        text = b"<html><body>Welcome</body></html>"
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n%s" % (len(text), text))

    def hang_up(connection):
        read(connection)

    kinds = {
        "stalls": (stall, "did not answer in 15 seconds|does not answer"), "floods": (flood, "bytes|large"),
        "answers HTML": (page, "without JSON"), "hangs up": (hang_up, "closed|ended|hung up"),
    }
    with concurrent.futures.ThreadPoolExecutor(len(kinds)) as pool:

        def ask(kind):
            with rig.Listener(kinds[kind][0]) as listener:
                return against(listener.address, captures.whole, "demo")

        for kind, (code, differences, said) in zip(kinds, pool.map(ask, kinds)):
            checks.ok(
                code == 2 and not differences and re.search(kinds[kind][1], said),
                f"addresses: a server that {kind} ends the comparison, which says so", f"{code} {differences} {said}")
    with rig.Listener(hang_up) as listener:
        address = listener.address
    code, _, said = against(address, captures.whole, "demo")
    checks.ok(code == 2 and address in said or "refused" in said, "addresses: one that refuses is named", f"{code} {said}")
    code, _, said = against("192.0.2.1:80", captures.whole, "demo")
    checks.ok(code == 2 and "--yes-i-own" in said, "addresses: another host needs a word of its owner", f"{code} {said}")


def reports():
    """The reports for CI systems, read by ElementTree and validated with the schema of Jenkins's xunit plugin."""
    file = captures()
    env = pathlib.Path(os.environ["POLYMOCK_RECORDING_ENVS"]) / "schema"
    odd = SCRATCH / "odd \u0007 & \u00e9\U0001f44d.json5"
    odd.write_text("{ fixture: 1, '<na\u0001me>': \"&]]>\" }")
    verbs = [
        ("check", rig.HERE / "fixtures/counter.json5", odd), ("simulate", "booking", "--users", "20"),
        ("sweep", "hello", "--cut", "2"), ("compare", file, "--session", captures.whole),
    ]
    for verb, *words in verbs:
        report = SCRATCH / f"{verb}.xml"
        code, out, said = Tool.run(verb, *words, "--junit", report)
        problems = []
        try:
            suite = ElementTree.parse(report).getroot().find("testsuite")
            cases = suite.findall("testcase")
            counts = (len(cases), len(suite.findall("testcase/failure")))
            if counts != (int(suite.get("tests")), int(suite.get("failures"))) or not cases:
                problems.append(f"{counts} {suite.attrib}")
            if (counts[1] > 0) != (code != 0):
                problems.append(f"{counts[1]} failures, exit code {code}")
        except (OSError, ElementTree.ParseError) as error:
            problems.append(f"{error} {out[:200]} {said[:200]}")
        checks.ok(not problems, f"reports: {verb} --junit is read by ElementTree, and has true counts", problems)
    if not (env / "junit-10.xsd").exists():
        return checks.skip("reports: the schema of Jenkins", "PyPI does not give it")
    wrong = SCRATCH / "wrong.xml"
    wrong.write_text(report.read_text().replace("<testcase ", "<testcase line='1' "))
    names = [f"{verb}.xml" for verb, *_ in verbs] + [wrong.name]
    done = subprocess.run(
        [env / "bin/xmlschema-validate", "--schema", env / "junit-10.xsd", *names], cwd=SCRATCH, capture_output=True, text=True)
    wanted = [f"{name} is valid" for name in names[:-1]]
    checks.ok(
        done.stdout.splitlines() == wanted and "wrong.xml is not valid" in done.stderr,
        "reports: all are valid by the schema of Jenkins, and a wrong one is not", done.stdout + done.stderr[-300:])


def files():
    """Files that are no recordings: each is refused with its place, and none makes a fixture."""
    har = captures().read_bytes()
    bad = {
        "empty": b"", "HTML": b"<html><body>sign in</body></html>", "cut": har[: len(har) // 2], "binary": os.urandom(4096),
        "without messages": har.replace(b"_webSocketMessages", b"_others").replace(b'"websocket"', b'"other"'),
        "of 200 MiB": b'{"log": {"entries": [' + b" " * (200 << 20) + b"]}}",
    }
    for name, text in bad.items():
        file = SCRATCH / "bad.har"
        file.write_bytes(text)
        for verb in ("record", "compare", "replay"):
            code, out, said = Tool.run(verb, file, *(["--port", "0"] if verb == "replay" else []))
            checks.ok(
                code == 2 and not out and len(said) < 400 and "bad.har" in said, f"files: {verb} refuses one that is {name}",
                f"{code} {out[:200]} {said[:400]}")
        file.unlink()


def chromium():
    """The log that Chromium keeps of a talk on the chat page."""
    try:
        from playwright.sync_api import sync_playwright

        play = sync_playwright().start()
    except Exception as error:
        return checks.skip("chromium", error)
    file = SCRATCH / "page.har"
    with Tool.serve(*FIXTURES) as server:
        try:
            browser = play.chromium.launch(executable_path=os.environ.get("POLYMOCK_CHROMIUM"), args=["--no-sandbox"])
        except Exception as error:
            play.stop()
            return checks.skip("chromium", error)
        context = browser.new_context(record_har_path=file)
        page = context.new_page()
        page.goto(f"http://{server.address}/chat?token=mock:counter")
        for words, answer in [("Opening hours", "From noon"), ("A person", "Hello, Marta"), ("thanks", "My pleasure")]:
            box = page.get_by_role("textbox", name="Message")
            box.fill(words)
            box.press("Enter")
            page.get_by_text(answer).first.wait_for()
        context.close()
        browser.close()
        play.stop()
    lifted(file, "chromium")


async def ask_again(page):
    await page.get_by_placeholder("Message the agent").fill("weather in Rome")
    await page.get_by_label("Send message").click()


def typescript(client, base, name):
    """Two runs on one thread, by the published TypeScript client in the page of agui-inspector."""
    visit = client.ask(name, then=ask_again, base=base, say="weather in Rome").result(120)
    runs = visit.session["runs"]
    said = "".join(frame.get("delta", "") for frame in visit.frames if frame.get("type") == "TEXT_MESSAGE_CONTENT")
    ends = [run.get("outcome", {}).get("kind") for run in runs]
    users = [message for message in visit.next["messages"] if message["role"] == "user"]
    checks.ok(
        len(runs) == 2 and len(set(ends)) == 1 and said.count("18 degrees") == 2 and len(users) == 2
        and not visit.findings,
        f"{name}: the TypeScript client plays two runs on one thread, and finds nothing",
        f"{ends} {visit.findings} {said[:200]} {len(users)}")


def agents():
    """Agents of published back ends, recorded, and their fixtures recorded again and played to a client."""
    envs = pathlib.Path(os.environ["POLYMOCK_RECORDING_ENVS"])
    sys.path.append(str(rig.HERE.parent / "agui"))
    from pages import Pages

    client = Pages(None)
    try:
        recorded(envs, client)
    finally:
        client.close()


def recorded(envs, client):
    for name in ("pydantic-ai", "langgraph", "google-adk", "agent-framework"):
        env = envs / ("framework" if name == "agent-framework" else "backends")
        if not (env / "wanted").exists():
            checks.skip(name, "it is not installed")
            continue
        fixture = SCRATCH / f"{name}.json5"
        with rig.Process([env / "bin/python", rig.HERE / "agents.py", name], r"serving at (\S+)\s") as agent:
            code, text, said = Tool.run("record", f"http://{agent.address}/", "--say", "weather in Rome")
        fixture.write_text(text)
        checks.ok(code == 0, f"{name}: becomes a fixture that sends the same", said)
        code, out, said = Tool.run("check", "--strict", fixture)
        checks.ok(code == 0, f"{name}: check --strict passes", out + said)
        with Tool.serve("--fixture", fixture) as server:
            address = f"http://{server.address}/ag-ui/{name}"
            code, again, said = Tool.run("record", address, "--say", "weather in Rome", "--lines")
            checks.ok(code == 0 and "18 degrees" in again.replace('"', ""), f"{name}: the fixture answers", said)
            try:
                typescript(client, f"http://{server.address}", name)
            except Exception as error:
                checks.ok(False, f"{name}: the TypeScript client", repr(error))


PARTS = {
    "mitmproxy": mitmproxy, "damages": damages, "drift": drift, "addresses": addresses, "reports": reports,
    "files": files,
    "chromium": chromium, "agents": agents,
}


def main():
    Tool.path = str(pathlib.Path(sys.argv[1]).resolve())
    for name in sys.argv[2:] or PARTS:
        try:
            PARTS[name]()
        except Exception:
            checks.ok(False, name, traceback.format_exc())
    shutil.rmtree(SCRATCH, ignore_errors=True)
    print(f"{checks.passed} passed, {checks.failed} failed, {checks.skipped} skipped")
    sys.exit(1 if checks.failed else 0)


main()
