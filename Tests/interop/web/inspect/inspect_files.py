import json
import re
import urllib.error
import urllib.request

from desk import chat, inspector, row, say
from playwright.sync_api import expect
from rig import check
from talker import Talker


def booked(tools, *texts):
    talker = Talker(tools.server, f"mock:booking@tag={tools.tag}")
    talker.wait("POLY_AGENT_MESSAGE")
    for text in texts or ("a table please", "four"):
        talker.say(text, wait="POLY_AGENT_MESSAGE")
    return talker


def exported(tools, page, item):
    page.get_by_role("button", name="Export", exact=True).click()
    with page.expect_download() as file:
        page.get_by_role("menuitem", name=item).click()
    return file.value.path()


@check("I-062", "an export in JSON lines, imported: the same rows, read-only")
def roundTrip(tools):
    tools.own_server()
    talker = booked(tools)
    page = inspector(tools, f"#/sessions/{talker.session}/wire")
    path = exported(tools, page, "Export wire (JSON lines)")
    rows = [json.loads(line) for line in open(path)][1:]
    page.goto(f"{tools.server.base}/inspect#/import")
    page.get_by_label("File to import").set_input_files({"name": "talk.jsonl", "mimeType": "application/x-ndjson", "buffer": open(path, "rb").read()})
    expect(page.get_by_role("status", name="Import")).to_contain_text(f"{len(rows)} rows as imported-1")
    page.get_by_role("link", name="imported-1").click()
    expect(page.get_by_text("imported, read-only")).to_be_visible()
    expect(page.get_by_role("table", name="Wire timeline")).to_have_attribute("aria-rowcount", str(len(rows)))
    expect(row(page.get_by_role("table", name="Wire timeline"), "a table please").first).to_be_visible()


@check("I-063", "HAR 1.2 with one WebSocket, its messages counted and directed")
def har(tools):
    talker = booked(tools)
    page = inspector(tools, f"#/sessions/{talker.session}/wire")
    log = json.load(open(exported(tools, page, "Export HAR")))["log"]
    assert log["version"] == "1.2"
    sockets = [entry for entry in log["entries"] if entry.get("_resourceType") == "websocket"]
    assert len(sockets) == 1
    messages = sockets[0]["_webSocketMessages"]
    frames = tools.server.wire(f"session:{talker.session} kind:ws")
    assert [each["type"] for each in messages] == [{"in": "send", "out": "receive"}[each["dir"]] for each in frames]


@check("I-064", "the transcript in JSON is the talk that is seen, without a token")
def transcript(tools):
    talker = booked(tools)
    page = inspector(tools, f"#/sessions/{talker.session}/conversation")
    expect(page.get_by_role("article").filter(has_text="Which day")).to_be_visible()
    seen = page.evaluate("[...document.querySelectorAll('article .bubble')].map(bubble => bubble.textContent)")
    text = open(exported(tools, page, "Export transcript (JSON)")).read()
    assert talker.access not in text
    assert [each["text"] for each in json.loads(text)["messages"]] == seen


@check("I-065", "a fixture made from an imported talk replies as the talk did")
def made(tools):
    tools.own_server()
    talker = booked(tools)
    said = [frame["payload"]["text"] for frame in talker.frames if frame["type"].endswith("POLY_AGENT_MESSAGE")]
    page = inspector(tools, f"#/sessions/{talker.session}/wire")
    path = exported(tools, page, "Export wire (JSON lines)")
    page.goto(f"{tools.server.base}/inspect#/import")
    page.get_by_label("File to import").set_input_files({"name": "talk.jsonl", "mimeType": "application/x-ndjson", "buffer": open(path, "rb").read()})
    with page.expect_download():
        page.get_by_role("button", name="Make fixture from this").click()
    expect(page.get_by_role("status", name="Notices")).to_contain_text("mock:imported-1 plays it")
    again = Talker(tools.server, "mock:imported-1")
    again.wait("POLY_AGENT_MESSAGE")
    for text in ("a table please", "four"):
        again.say(text, wait="POLY_AGENT_MESSAGE")
    assert [frame["payload"]["text"] for frame in again.frames if frame["type"].endswith("POLY_AGENT_MESSAGE")] == said


@check("I-066", "metrics: connections, rates, and a histogram whose table agrees with it")
def metrics(tools):
    tools.own_server()
    talker = booked(tools)
    page = inspector(tools, "#/metrics")
    expect(page.get_by_role("region", name="Connections")).to_contain_text("1open sessions")
    echo = page.get_by_role("region", name="Latency: Echo")
    expect(echo.get_by_role("img")).to_be_visible()
    told = echo.get_by_role("img").get_attribute("aria-label")
    total = int(re.search(r"(\d+) answers? in the rows", echo.inner_text())[1])
    page.get_by_role("button", name="Show as table").click()
    table = page.get_by_role("table", name="Echo histogram")
    counts = [int(text) for text in table.locator("td").all_inner_texts()]
    assert sum(counts) == total == sum(int(number) for number in re.findall(r"(\d+) [≤>]", told)), (told, counts, total)
    broken = page.locator(".bigs dd:first-child").evaluate_all(
        "all => all.filter((one) => one.getClientRects().length > 1 || one.scrollHeight > 1.6 * parseFloat(getComputedStyle(one).fontSize))"
        ".map((one) => one.textContent)")
    assert not broken, f"numbers on more than one line: {broken}"
    tools.shot("inspect-metrics")
    del talker


@check("I-067", "the numbers for Prometheus have the names of those in JSON")
def prometheus(tools):
    text = tools.server.get("metrics")
    lines = [re.fullmatch(r'([a-z_]+)(\{kind="[a-z]+"\})? \d+', line) for line in text.splitlines() if line and line[0] != "#"]
    assert all(lines), text
    assert {line[1] for line in lines} == {each["name"] for each in tools.server.get("metrics.json")["metrics"]}


def status(tools, method, path, body=None, **headers):
    request = urllib.request.Request(tools.server.base + path, data=body, method=method, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        return error.code


@check("I-071", "a foreign Host or Origin changes nothing")
def foreign(tools):
    json_type = {"Content-Type": "application/json"}
    assert status(tools, "POST", "/_mock/faults", b'{"name":"lift"}', Host="evil.example", **json_type) == 403
    assert status(tools, "POST", "/_mock/faults", b'{"name":"lift"}', Origin="http://evil.example", **json_type) == 403
    assert status(tools, "GET", "/_mock/sessions", Host="evil.example") == 403
    assert not [each for each in tools.server.get("faults")["faults"] if each["name"].startswith("lift")]


@check("I-072", "writes need a JSON body or the control field")
def writes(tools):
    assert status(tools, "POST", "/_mock/fixtures/reload") == 403
    assert status(tools, "POST", "/_mock/fixtures/reload", b"{}", **{"Content-Type": "text/plain"}) == 415
    assert status(tools, "POST", "/_mock/fixtures/reload", b"{}", **{"Content-Type": "application/json"}) == 200


@check("I-076", "a reset of the server from the page")
def reset(tools):
    tools.own_server()
    booked(tools)
    tools.server.post("faults", name="lift")
    tools.server.post("clock", mode="frozen")
    page = inspector(tools, "#/import")
    page.get_by_role("button", name="Reset server").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Reset").click()
    expect(page.get_by_role("banner").get_by_role("link")).to_have_count(0)
    assert not tools.server.get("sessions")["sessions"] and not tools.server.get("faults")["faults"]
    assert not tools.server.get("wire")["rows"] and tools.server.get("clock")["mode"] == "real"


@check("I-073", "without the control API there is no inspector, but a health and a chat page")
def closed(tools):
    tools.own_server("--no-control")
    assert status(tools, "GET", "/inspect") == 404
    assert status(tools, "GET", "/_mock/health") == 200
    page = chat(tools, "mock:hello")
    say(page, "hello")
    expect(page.get_by_role("article").filter(has_text="You said: hello")).to_be_visible()
