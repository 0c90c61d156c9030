"""What a page of another origin can do: F-001 to F-006.

The page comes from a port of its own, by `127.0.0.1` (same site, another origin) and by `localhost` (another site). Each
attempt is made in the page; what came of it is looked up at the server.
"""

import base64
import contextlib
import http.server
import json
import threading
import urllib.error
import urllib.request

from playwright.sync_api import Error, expect
from rig import check

DOT = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==")
ATTACK = (
    "for (const frame of [parent, opener]) frame && frame.postMessage('ran in ' + self.origin, '*');"
    "fetch('/_mock/faults', {method: 'POST', headers: {'Content-Type': 'application/json'}, body: '{\"name\":\"lift\"}'});"
)
HTML = f"<!doctype html><script>{ATTACK}</script>".encode()
SVG = f'<svg xmlns="http://www.w3.org/2000/svg"><script>{ATTACK}</script></svg>'.encode()
XHTML = f'<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><script>{ATTACK}</script></html>'.encode()
PDF = b"%PDF-1.4\n1 0 obj<</Type/Catalog/OpenAction<</S/JavaScript/JS(app.alert(1))>>>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF" + HTML
FILES = [
    ("a.txt", "text/html", HTML), ("a.csv", "TEXT/HTML; charset=utf-16", HTML), ("a.png", "image/svg+xml", SVG),
    ("a.txt", "text/xml", XHTML), ("a.pdf", "application/xhtml+xml", XHTML), ("a.docx", "application/xml", XHTML),
    ("a.txt", "text/plain", HTML), ("a.png", "image/png", HTML), ("a.pdf", "application/pdf", PDF), ("a.mp4", "video/mp4", HTML),
    ("a.txt", "multipart/x-mixed-replace; boundary=x", b"--x\r\nContent-Type: text/html\r\n\r\n" + HTML + b"\r\n--x--"),
]


class Contact:
    """A customer of Amazon Connect chat, as a back end starts it."""

    def __init__(self, server):
        self.server = server
        start = {"InstanceId": "i", "ContactFlowId": "mock:quiet", "ParticipantDetails": {"DisplayName": "Jane"}}
        begun = server.call("PUT", "/contact/chat", start)
        self.id, self.participant = begun["ContactId"], begun["ParticipantToken"]
        opened = server.call(
            "POST", "/participant/connection", {"Type": ["CONNECTION_CREDENTIALS"], "ConnectParticipant": True},
            {"X-Amz-Bearer": self.participant})
        self.bearer = {"X-Amz-Bearer": opened["ConnectionCredentials"]["ConnectionToken"]}

    def link(self, name, kind, data):
        """Of an uploaded file that is asked for INLINE."""
        announced = self.server.call(
            "POST", "/participant/start-attachment-upload",
            {"ContentType": kind, "AttachmentName": name, "AttachmentSizeInBytes": len(data)}, self.bearer)
        request = urllib.request.Request(announced["UploadMetadata"]["Url"], data=data, method="PUT")
        urllib.request.urlopen(request, timeout=30).close()
        file = announced["AttachmentId"]
        self.server.call("POST", "/participant/complete-attachment-upload", {"AttachmentIds": [file]}, self.bearer)
        return self.server.call(
            "POST", "/participant/attachment", {"AttachmentId": file, "UrlContentDisposition": "INLINE"}, self.bearer)["Url"]

    @property
    def goes_on(self):
        return "DisconnectTimestamp" not in self.server.call("GET", f"/contacts/i/{self.id}")["Contact"]


@contextlib.contextmanager
def stranger(tools):
    """The origins of a page that is not the server's: another port, and another site."""
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            body = b"<!doctype html><meta charset=utf-8><title>a stranger</title><link rel=icon href='data:,'><p>stranger</p>"
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *words):
            pass

    pages = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=pages.serve_forever, daemon=True).start()
    try:
        yield [f"http://{host}:{pages.server_port}" for host in ("127.0.0.1", "localhost")]
    finally:
        pages.shutdown()
        pages.server_close()


@contextlib.contextmanager
def shown(tools, origin):
    """A page of that origin, with nothing in its way."""
    context = tools.rig.browser.new_context()
    context.set_default_timeout(20_000)
    try:
        page = context.new_page()
        page.goto(origin + "/")
        page.evaluate("window.heard = []; addEventListener('message', each => heard.push(String(each.data)))")
        yield page
    finally:
        context.close()


ATTEMPT = """([url, options]) => Promise.race([
    fetch(url, options).then(answer => answer.type === 'opaque' ? 'opaque' : 'read ' + answer.status, () => 'blocked'),
    new Promise(done => setTimeout(() => done('waits'), 8000))])"""


def attempt(page, url, **options):
    return page.evaluate(ATTEMPT, [url, options])


def untouched(server):
    assert not server.get("faults")["faults"], server.get("faults")


@check("F-001", "a file that a stranger uploaded runs no script here: framed, embedded, opened, or gone to")
def files(tools):
    server = tools.own_server()
    with stranger(tools) as origins:
        for origin in origins:
            contact = Contact(server)
            links = [(name, kind, contact.link(name, kind, data)) for name, kind, data in FILES]
            with shown(tools, origin) as page:
                page.evaluate(
                    """links => Promise.all(links.flatMap(link => ['iframe', 'object', 'embed', 'script', 'img'].map(tag => new Promise(done => {
                        const frame = document.createElement(tag);
                        frame.onload = frame.onerror = done;
                        frame[tag === 'object' ? 'data' : 'src'] = link;
                        document.body.append(frame);
                        setTimeout(done, 3000);
                    }))))""", [link for _, _, link in links])
                assert not page.evaluate("heard"), page.evaluate("heard")
                untouched(server)
                for name, kind, link in links:
                    try:
                        page.goto(link, timeout=5_000)
                    except Error:   # a download ends the navigation
                        continue
                    # A policy with `sandbox` makes an origin of its own. Chromium shows a PDF in a viewer of its own, whose
                    # page keeps the address's origin; scripts of a PDF reach neither that page nor its cookies.
                    seen = page.evaluate("[self.origin, document.contentType]")
                    assert seen == ["null", kind.split(";")[0]] or seen[1] == "application/pdf", (name, kind, seen)
                untouched(server)


@check("F-002", "nothing under /_mock/ answers or obeys a foreign page: fetches with and without CORS, forms, images, sockets")
def controls(tools):
    server = tools.own_server("--echo")
    Contact(server)
    held = server.get("sessions")["sessions"]
    description = server.get("openapi.json")
    paths = [path.replace("{id}", "1").replace("{name}", "hello") for path in description["paths"]]
    assert len(paths) > 20, paths
    with stranger(tools) as origins:
        for origin in origins:
            with shown(tools, origin) as page:
                for path in sorted({path if path.startswith("/_mock") else "/_mock" + path for path in paths} - {"/_mock/health"}):
                    for options in ({}, {"mode": "no-cors"}, {"mode": "no-cors", "method": "POST", "body": '{"name":"lift"}'}):
                        seen = attempt(page, server.base + path, **options)
                        assert seen == "blocked", (path, options, seen)
                assert attempt(page, server.base + "/_mock/wait?timeout=1h&filter=type:NOBODY", mode="no-cors") == "blocked"
                for method in ("PUT", "DELETE", "POST"):
                    json_type = {"Content-Type": "application/json"}
                    for path in ("/_mock/fixtures/hello", "/_mock/faults", "/_mock/reset"):
                        assert attempt(page, server.base + path, method=method, headers=json_type, body="{}") == "blocked"
                for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
                    for path in ("/_mock/reset", "/_mock/faults", "/_mock/clock"):
                        page.evaluate(
                            """([action, enctype]) => new Promise(done => {
                                const frame = document.createElement('iframe');
                                frame.name = 'target' + Math.random();
                                document.body.append(frame);
                                frame.onload = done;
                                const form = Object.assign(document.createElement('form'), {action, enctype, method: 'post', target: frame.name});
                                form.innerHTML = `<input name='{"name":"lift","x":"' value='"}'>`;
                                document.body.append(form);
                                form.submit();
                                setTimeout(done, 2000);
                            })""", [server.base + path, kind])
                for path in ("/_mock/feed", "/_mock/echo"):
                    closed = page.evaluate(
                        """url => new Promise(done => {
                            const socket = new WebSocket(url);
                            socket.onopen = () => done('open');
                            socket.onclose = each => done(each.code);
                        })""", server.base.replace("http", "ws") + path)
                    assert closed == 1006, (path, closed)
            untouched(server)
            assert server.get("clock")["mode"] == "real"
            assert [each["id"] for each in server.get("sessions")["sessions"]] == [each["id"] for each in held]


@check("F-003", "what back ends ask for is closed to foreign pages, with and without a preflight")
def back_ends(tools):
    server = tools.own_server()
    contact = Contact(server)
    count = len(server.get("sessions")["sessions"])
    start = json.dumps({"InstanceId": "i", "ContactFlowId": "f", "ParticipantDetails": {"DisplayName": "J"}})
    stop = json.dumps({"InstanceId": "i", "ContactId": contact.id})
    with stranger(tools) as origins:
        for origin in origins:
            with shown(tools, origin) as page:
                assert attempt(page, server.base + "/contact/chat", method="PUT", body=start) == "blocked"
                for path, body in (("/contact/stop", stop), ("/contact/attributes", stop), ("/contact/create-participant", stop)):
                    for options in ({}, {"mode": "no-cors"}, {"headers": {"Content-Type": "application/json"}}):
                        assert attempt(page, server.base + path, method="POST", body=body, **options) == "blocked", (path, options)
                assert attempt(page, f"{server.base}/contacts/i/{contact.id}") == "blocked"
                page.evaluate("([url, body]) => navigator.sendBeacon(url, body)", [server.base + "/contact/stop", stop])
    assert contact.goes_on
    assert len(server.get("sessions")["sessions"]) == count


@check("F-004", "what participants ask for works from another origin: calls, an upload, a picture")
def participants(tools):
    server = tools.own_server()
    contact = Contact(server)
    picture = contact.link("dot.png", "image/png", DOT)
    with stranger(tools) as origins:
        for origin in origins:
            with shown(tools, origin) as page:
                bearer = {"Content-Type": "application/json", **contact.bearer}
                said = {"method": "POST", "headers": bearer, "body": json.dumps({"ContentType": "text/plain", "Content": "hello"})}
                assert attempt(page, server.base + "/participant/message", **said) == "read 200"
                assert attempt(page, server.base + "/api/v1/access-token", method="POST") == "read 401"
                assert attempt(page, server.base + "/ag-ui") == "read 200"
                file = {"ContentType": "image/png", "AttachmentName": "a.png", "AttachmentSizeInBytes": 3}
                announced = server.call("POST", "/participant/start-attachment-upload", file, contact.bearer)
                put = {"method": "PUT", "body": "abc", "headers": {"Content-Type": "image/png"}}
                assert attempt(page, announced["UploadMetadata"]["Url"], **put) == "read 200"
                assert attempt(page, picture) == "read 200"
                width = page.evaluate(
                    """link => new Promise((done, failed) => {
                        const image = new Image();
                        image.onload = () => done(image.naturalWidth);
                        image.onerror = () => failed(new Error('no picture'));
                        image.src = link;
                    })""", picture)
                assert width == 1


@check("F-005", "the server's own pages stand in no foreign frame, and their files in no foreign page")
def frames(tools):
    server = tools.server
    with stranger(tools) as origins:
        for origin in origins:
            for path in ("/", "/inspect", "/chat", "/_mock/"):
                with shown(tools, origin) as page:
                    page.evaluate(
                        """url => new Promise(done => {
                            const frame = document.createElement('iframe');
                            frame.onload = done;
                            frame.src = url;
                            document.body.append(frame);
                        })""", server.base + path)
                    framed = [frame for frame in page.frames if frame != page.main_frame]
                    assert all("polymock" not in frame.content() for frame in framed), (path, [each.url for each in framed])
            with shown(tools, origin) as page:
                for path in ("/pages/chat/chat.js", "/pages/config.json", "/_mock/sessions"):
                    outcome = page.evaluate(
                        """url => new Promise(done => {
                            const script = document.createElement('script');
                            script.onload = () => done('loaded');
                            script.onerror = () => done('blocked');
                            script.src = url;
                            document.body.append(script);
                        })""", server.base + path)
                    assert outcome == "blocked", (path, outcome)


@check("F-006", "the start page and the list of controls look as they should under their policy")
def plain_pages(tools):
    for path, words in (("/", "A mock messaging server"), ("/_mock/", "Each route with its query")):
        page = tools.page(path)
        assert words in page.inner_text("body")
        assert page.evaluate("getComputedStyle(document.body).fontFamily").startswith("system-ui"), path


@check("F-007", "the start page: three jobs, three protocols, light and dark, and no line wider than its box")
def start_page(tools):
    backs = set()
    for scheme, width in (("light", 1280), ("dark", 390)):
        page = tools.page("/", color_scheme=scheme, viewport={"width": width, "height": 900})
        for heading in ("I write an app", "I test", "I write conversations", "PolyAI Messaging", "Amazon Connect chat", "AG-UI"):
            expect(page.get_by_role("heading", name=heading)).to_be_visible()
        expect(page.get_by_role("link", name="Open the chat")).to_have_attribute("href", "/chat")
        assert page.evaluate("[...document.querySelectorAll('pre, body')].every((box) => box.scrollWidth <= box.clientWidth)")
        backs.add(page.evaluate("getComputedStyle(document.body).backgroundColor"))
        tools.shot(f"start-{scheme}", page)
    assert len(backs) == 2, backs
