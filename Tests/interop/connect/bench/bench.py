"""What contacts cost, as ratios of one run with verdicts: see ../bench.sh.

Every figure comes from a server that was started for it. Rounds take the contenders in another order; a ratio is the
median of what each round alone says. Nothing fails because of a figure.
"""

import argparse
import http.client
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent.parent / "bench"))

from cases import JOIN, TALKING  # noqa: E402
from contenders import CHUNKS, SPACING_MS, Contenders, Server  # noqa: E402

MEGABYTE = 1 << 20
UPLOAD = 20 * MEGABYTE


def resident_kb(pid):
    text = pathlib.Path(f"/proc/{pid}/status").read_text()
    return int(text.split("VmRSS:")[1].split()[0])


class Caller:
    """One kept connection to a server."""

    def __init__(self, server):
        self.port = server.port
        self.connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)

    def ask(self, method, path, body, bearer="", **fields):
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.connection.request(method, path, data, {"Content-Type": "application/json", "X-Amz-Bearer": bearer, **fields})
        answer = self.connection.getresponse()
        got = answer.read()
        if answer.status != 200:
            raise SystemExit(f"{method} {path}: {answer.status} {got[:200]}")
        return json.loads(got) if got else {}

    def contact(self, flow="bench", **more):
        """Connection token and path of the socket."""
        started = self.ask(
            "PUT",
            "/contact/chat",
            {"InstanceId": "i", "ContactFlowId": flow, "ParticipantDetails": {"DisplayName": "Jane"}, **more},
        )
        got = self.ask(
            "POST", "/participant/connection", {"Type": ["WEBSOCKET", "CONNECTION_CREDENTIALS"]}, started["ParticipantToken"]
        )
        return got["ConnectionCredentials"]["ConnectionToken"], "/" + got["Websocket"]["Url"].split("/", 3)[3]


class Bench:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.people = Contenders(options.binary, folder, python=sys.executable)
        self.seconds = 0.6 if options.quick else 1.5

    def ours(self, fixture="hears", **settings):
        return self.people.ours(fixture, settings or None)

    def peer(self):
        return Server("aiohttp", [sys.executable, str(HERE / "peer.py")], log=self.folder / "peer.log")

    def contacts(self, server, count):
        caller = Caller(server)
        return [caller.contact() for _ in range(count)]

    def load(self, mode, server, contacts, *more):
        text = "".join(f"{token} {path}\n" for token, path in contacts)
        command = [
            self.options.load,
            mode,
            "-p",
            str(server.port),
            "-P",
            str(server.pid),
            "-d",
            str(self.seconds),
            *map(str, more),
        ]
        return self.finished(subprocess.run(command, input=text, capture_output=True, text=True, timeout=120))

    def session_load(self, mode, server, *more):
        command = [self.options.session_load, mode, "-p", str(server.port), "-P", str(server.pid), *map(str, more)]
        return self.finished(subprocess.run(command, capture_output=True, text=True, timeout=120))

    @staticmethod
    def finished(done):
        if done.returncode:
            raise SystemExit(f"{' '.join(done.args)[:200]}: {done.stderr.strip()[-400:]}")
        return json.loads(done.stdout)

    # what is measured

    def send(self):
        """Rates of 64: our SendMessage to answer and frame, the same of aiohttp, and our own round trip of the Messaging API."""

        def ours():
            with self.ours() as server:
                return self.load("send", server, self.contacts(server, 64))

        def peer():
            with self.peer() as server:
                return self.load("send", server, self.contacts(server, 64))

        def messaging():
            with self.ours() as server:
                return self.session_load("talk", server, *TALKING, "-c", 64, "-d", self.seconds, "-w", 0.3)

        rounds = self.rounds({"ours": ours, "aiohttp": peer, "round trip": messaging})
        for name in ("ours", "aiohttp", "round trip"):
            got = [each[name] for each in rounds]
            delays = ", ".join(f"{middle(got, key + '_us'):.0f} µs {key}" for key in ("p50", "p99"))
            print(f"  {name}: {middle(got, 'rate'):,.0f}/s, {delays}, {middle(got, 'us_per_message'):.1f} µs CPU")
        cost = "us_per_message"
        verdict("processor time of a SendMessage, in round trips", ratio(rounds, "ours", "round trip", cost), 2.4)
        verdict(
            "processor time of a SendMessage, aiohttp's against ours", ratio(rounds, "aiohttp", "ours", cost), 4.5, least=True
        )

    def page(self):
        """A page of 100 items out of 10,000 against one out of 200, at either end."""
        with self.ours() as server:
            caller, filled = Caller(server), {}
            for count in (200, 10_000):
                filled[count] = token, _ = caller.contact()
                for number in range(count):
                    caller.ask(
                        "POST", "/participant/message", {"ContentType": "text/plain", "Content": f"message {number}"}, token
                    )
            first = {}
            for count, (token, _) in filled.items():
                got = caller.ask(
                    "POST",
                    "/participant/transcript",
                    {"MaxResults": 1, "ScanDirection": "FORWARD", "StartPosition": {"AbsoluteTime": "2000-01-01T00:00:00.000Z"}},
                    token,
                )
                first[count] = got["Transcript"][0]["Id"]

            def measured(count, end):
                body = {"MaxResults": 100, "ScanDirection": "BACKWARD"}
                if end == "oldest":
                    body = {"MaxResults": 100, "ScanDirection": "FORWARD", "StartPosition": {"Id": first[count]}}
                return lambda: self.load("page", server, [filled[count]], "-b", json.dumps(body))

            for end in ("newest", "oldest"):
                rounds = self.rounds({count: measured(count, end) for count in filled})
                for count in filled:
                    print(
                        f"  {end} 100 of {count:,}: {middle([each[count] for each in rounds], 'us_per_message'):.0f} µs CPU, "
                        f"{middle([each[count] for each in rounds], 'p50_us'):.0f} µs p50"
                    )
                verdict(f"the {end} page of 10,000 items against one of 200", ratio(rounds, 10_000, 200, "us_per_message"), 1.5)

    def idle(self):
        """Resident memory of a contact with its socket against that of a session with its own."""
        count = 500 if self.options.quick else 2000

        def contacts():
            with self.ours() as server:
                # What any first contact and first socket bring along is not what each one costs.
                self.load("send", server, self.contacts(server, 8))
                before = resident_kb(server.pid)
                made = self.contacts(server, count)
                command = [self.options.load, "idle", "-p", str(server.port)]
                with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as client:
                    client.stdin.write("".join(f"{token} {path}\n" for token, path in made))
                    client.stdin.close()
                    if client.stdout.readline() != "ready\n":
                        raise SystemExit("the idle contacts did not open")
                    time.sleep(0.5)
                    after = resident_kb(server.pid)
                    client.stdout.close()
                return {"kb": (after - before) / count}

        def sessions():
            with self.ours() as server:
                self.session_load("talk", server, *TALKING, "-c", 8, "-d", 0.3, "-w", 0.1)
                return {"kb": self.session_load("idle", server, "-s", "bench", "-j", "-c", count, "-d", 0.5)["kb_each"]}

        rounds = self.rounds({"contacts": contacts, "sessions": sessions})
        for name in ("contacts", "sessions"):
            print(f"  {name}: {middle([each[name] for each in rounds], 'kb'):.1f} KB each, of {count:,}")
        verdict("memory of an idle contact against an idle session", ratio(rounds, "contacts", "sessions", "kb"), 1.5)

    def upload(self):
        """What 20 MB on the shelf weigh, whether they go with their contact, and what they cost others' chunks."""
        data = bytes(range(256)) * (UPLOAD // 256)

        def announce(caller, token):
            got = caller.ask(
                "POST",
                "/participant/start-attachment-upload",
                {
                    "ContentType": "application/pdf",
                    "AttachmentName": "a.pdf",
                    "AttachmentSizeInBytes": UPLOAD,
                    "ClientToken": str(time.monotonic_ns()),
                },
                token,
            )
            return got["AttachmentId"], "/" + got["UploadMetadata"]["Url"].split("/", 3)[3]

        with self.ours() as server:
            caller = Caller(server)
            token, _ = caller.contact()
            caller.ask("POST", "/participant/message", {"ContentType": "text/plain", "Content": "hi"}, token)
            before = resident_kb(server.pid)
            identifier, path = announce(caller, token)
            caller.ask("PUT", path, data)
            caller.ask(
                "POST", "/participant/complete-attachment-upload", {"AttachmentIds": [identifier], "ClientToken": "c"}, token
            )
            added = resident_kb(server.pid) - before
            verdict("memory that a 20 MB upload adds, in MB beyond its size", (added - UPLOAD / 1024) / 1024, 1)
            session = next(each["id"] for each in caller.ask("GET", "/_mock/sessions", b"")["sessions"])
            caller.ask("DELETE", f"/_mock/sessions/{session}", b"")
            time.sleep(1)
            verdict("memory left when its contact is gone, in MB", (resident_kb(server.pid) - before) / 1024, 1)

        def paced(busy):
            def measure():
                with self.ours("streams") as server:
                    caller = Caller(server)
                    over = threading.Event()

                    def uploads():
                        while not over.is_set():
                            token, _ = caller.contact()
                            caller.ask("PUT", announce(caller, token)[1], data)
                            over.wait(0.2)

                    thread = threading.Thread(target=uploads)
                    if busy:
                        thread.start()
                    try:
                        words = ["-x", "MESSAGE_CHUNK", "-m", CHUNKS, "-g", SPACING_MS, "-t", JOIN, "-d", 1.5, "-w", 0.3]
                        return self.session_load("pace", server, "-s", "bench", "-c", 200, *words)
                    finally:
                        over.set()
                        if busy:
                            thread.join()

            return measure

        rounds = self.rounds({"alone": paced(False), "beside": paced(True)})
        for name in ("alone", "beside"):
            print(f"  chunks of 200 sessions, {name}: {middle([each[name] for each in rounds], 'p99_ms'):.2f} ms p99")
        verdict(
            "what uploads add to the p99 of others' chunks, in ms",
            statistics.median(each["beside"]["p99_ms"] - each["alone"]["p99_ms"] for each in rounds),
            5,
        )

    def rounds(self, contenders):
        """Each round in another order."""
        found = []
        for number in range(self.options.rounds):
            names = list(contenders)
            names = names[number % len(names) :] + names[: number % len(names)]
            found.append({name: contenders[name]() for name in names})
        return found


def middle(got, key):
    return statistics.median(each[key] for each in got)


def ratio(rounds, over, under, key):
    return statistics.median(each[over][key] / each[under][key] for each in rounds)


def verdict(name, value, wanted, least=False):
    met = value >= wanted if least else value <= wanted
    print(f"{'met   ' if met else 'MISSED'} {name}: {value:.2f} ({'at least' if least else 'at most'} {wanted})", flush=True)


def main():
    parser = argparse.ArgumentParser(prog="bench.sh")
    parser.add_argument("--binary", required=True)
    parser.add_argument("--load", required=True)
    parser.add_argument("--session-load", required=True)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--case", action="append", choices=["send", "page", "idle", "upload"])
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="polymock-connect-bench-") as folder:
        bench = Bench(options, pathlib.Path(folder))
        for case in options.case or ["send", "page", "idle", "upload"]:
            print(f"\n{case}: {getattr(bench, case).__doc__}", flush=True)
            getattr(bench, case)()


main()
