"""What the scenarios are made of: a registry by number, servers, requests, and the control API."""

import http.client
import json
import os
import pathlib
import re
import select
import subprocess
import tempfile
import threading
import urllib.parse
from dataclasses import dataclass
from typing import Callable

import boto3
from botocore import UNSIGNED
from botocore.config import Config

import judge

HERE = pathlib.Path(__file__).parent
CHECKS: list["Check"] = []


@dataclass
class Check:
    number: str
    sentence: str
    function: Callable
    page: bool


def check(number, sentence, page=False):
    """A function of a module below scenarios/ with this number; 1 to 40 are the scenarios that there must be."""

    def register(function):
        assert number not in {each.number for each in CHECKS}, f"{number} is there already"
        CHECKS.append(Check(number, sentence, function, page))
        return function

    return register


class Skipped(Exception):
    """Why a check could not be made."""


def expect(got, wanted, what=""):
    if got != wanted:
        where = f"{what}: " if what else ""
        raise AssertionError(f"{where}got {json.dumps(got, default=str)[:400]}, expected {json.dumps(wanted, default=str)[:400]}")


def require(truth, what):
    if not truth:
        raise AssertionError(str(what)[:600])


@dataclass
class Answer:
    status: int
    fields: list
    body: bytes

    def field(self, name):
        """The value of a header of exactly this spelling."""
        return next((value for key, value in self.fields if key == name), None)

    @property
    def json(self):
        return json.loads(self.body)

    def refused(self, status, kind):
        """An error as the service words it: status, header letter for letter, the text twice, no __type, never HTML."""
        expect((self.status, self.field("x-amzn-ErrorType")), (status, kind), self.body[:200])
        found = judge.headers(self.fields, self.status)
        body = self.json
        require(body.get("message") and body.get("message") == body.get("Message") and "__type" not in body, body)
        require(not found, found)
        return self


class Server:
    """A polymock of its own, on a free port, in an empty folder, with the fixtures of this folder."""

    clients_lock = threading.Lock()
    session = boto3.session.Session()

    def __init__(self, binary, *flags, connect=None):
        self.binary = binary
        self.folder = tempfile.TemporaryDirectory(prefix="polymock-connect-")
        self.log = open(os.path.join(self.folder.name, "log"), "w")
        work = os.path.join(self.folder.name, "cwd")
        os.mkdir(work)
        words = ["--port", "0", "--log", "text", "--seed", "7", "--fixtures", str(HERE / "fixtures"), "--fixture", "desk", *flags]
        if connect is not None:
            path = os.path.join(self.folder.name, "config.json5")
            pathlib.Path(path).write_text(json.dumps({"connect": connect}))
            words += ["--config", path]
        self.process = subprocess.Popen(
            [binary, *words], cwd=work, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self.log, text=True
        )
        line = self.process.stdout.readline() if select.select([self.process.stdout], [], [], 30)[0] else ""
        found = re.search(r"polymock listening on (http://\S+)", line)
        if not found:
            said = pathlib.Path(self.log.name).read_text()[-300:]
            self.stop()
            raise AssertionError(f"the server did not start: {line!r} {said!r}")
        self.base = found[1].rstrip("/")
        self.port = int(self.base.rsplit(":", 1)[1])
        self.clients = {}

    def stop(self):
        """The exit status, and all that was left behind is gone."""
        self.process.terminate()
        try:
            status = self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            status = self.process.wait()
        self.process.stdout.close()
        self.log.close()
        self.folder.cleanup()
        return status

    # boto3

    def client(self, service, attempts=1, checked=True, signed=True):
        """A judged boto3 client. `checked` false sends what the model forbids."""
        key = (service, attempts, checked, signed)
        with Server.clients_lock:
            if key not in self.clients:
                settings = {
                    "retries": {"mode": "standard", "total_max_attempts": attempts},
                    "parameter_validation": checked,
                    "read_timeout": 30,
                    "max_pool_connections": 40,
                }
                keys = {"aws_access_key_id": "x", "aws_secret_access_key": "y"} if signed else {}
                if not signed:
                    settings["signature_version"] = UNSIGNED
                client = Server.session.client(
                    service, endpoint_url=self.base, region_name="eu-west-2", config=Config(**settings), **keys
                )
                judge.watch(client)
                self.clients[key] = client
            return self.clients[key]

    @property
    def connect(self):
        return self.client("connect")

    @property
    def participant(self):
        return self.client("connectparticipant")

    # plain HTTP

    def request(self, method, path, body=None, headers=None):
        """A request as it stands. `path` may be a whole address of this server."""
        path = path.removeprefix(self.base)
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            data = json.dumps(body).encode() if isinstance(body, (dict, list)) else body
            connection.request(method, path, data, headers or {})
            answer = connection.getresponse()
            return Answer(answer.status, answer.getheaders(), answer.read())
        finally:
            connection.close()

    def ask(self, operation, body, bearer, **headers):
        """An operation of the participant service without an SDK."""
        return self.request(
            "POST", f"/participant/{operation}", body, {"X-Amz-Bearer": bearer, "Content-Type": "application/json", **headers}
        )

    # the control API

    def control(self, method, path, body=None, **query):
        path = "/_mock/" + path + ("?" + urllib.parse.urlencode(query) if query else "")
        answer = self.request(
            method, path, body if body is None else json.dumps(body).encode(), {"Content-Type": "application/json"}
        )
        require(answer.status < 300, f"{method} {path}: {answer.status} {answer.body[:300]}")
        return json.loads(answer.body) if answer.body else None

    def inject(self, at, do, **more):
        return self.control("POST", "faults", {"at": at, "do": do, **more})["faults"][0]["id"]

    def advance(self, length):
        return self.control("POST", "clock", {"advance": length})

    def verb(self, *words):
        """A verb of the program against this server; its output."""
        run = subprocess.run([self.binary, *words, "--url", self.base], capture_output=True, text=True, timeout=60)
        require(run.returncode == 0, f"polymock {' '.join(words)}: {run.returncode} {run.stderr}")
        return run.stdout


def refused(kind, call, /, **arguments):
    """The exception of this name that boto3 raises; what it says is not empty."""
    try:
        got = call(**arguments)
    except Exception as problem:
        if isinstance(problem, AssertionError):
            raise
        expect(type(problem).__name__, kind, str(problem))
        require(problem.response["Error"]["Message"], "the error has no text")
        return problem
    raise AssertionError(f"{kind} was expected, it answered {json.dumps(got, default=str)[:300]}")
