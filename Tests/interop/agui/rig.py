"""What the checks are made of: a registry by number, the server, requests of a run, and the judges.

    @check("S9-01", "keys in snake case")
    def snake_case(tools):
        answer = tools.run("01-text-only", {"thread_id": …})

A check fails by an exception. A check that cannot be made here raises `LeftOut` with the reason.
"""

import asyncio
import importlib.util
import itertools
import json
import pathlib
import subprocess
import tempfile
import urllib.parse
from dataclasses import dataclass
from typing import Callable

import examples
import models
import wire
from ag_ui_validate import ValidatorOptions
from ag_ui_validate.transport import TransportOptions, validate_endpoint

HERE = pathlib.Path(__file__).parent
CHECKS: list["Check"] = []
JSON = {"Content-Type": "application/json"}


def _server_of_the_pages():
    spec = importlib.util.spec_from_file_location("web_rig", HERE.parent / "web" / "rig.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.Server


Server = _server_of_the_pages()


class LeftOut(Exception):
    pass


@dataclass
class Check:
    number: str
    sentence: str
    function: Callable
    early: Callable | None


def check(number, sentence, early=None):
    """`early` begins what takes long in the background, before the first check."""

    def register(function):
        assert number not in {each.number for each in CHECKS}, f"{number} is there already"
        CHECKS.append(Check(number, sentence, function, early))
        return function

    return register


def for_each(stems, scenario, sentence, early=None):
    """One check for each example, numbered by it: S3-04."""

    def register(function):
        for stem in stems:
            begin = early and (lambda tools, stem=stem: early(tools, stem))
            check(f"{scenario}-{examples.short(stem)}", sentence.format(stem), begin)(lambda tools, stem=stem: function(tools, stem))
        return function

    return register


def equal(got, wanted, what):
    assert got == wanted, f"{what}: got {got!r}, expected {wanted!r}"


class OldLine:
    """The environment of the v0 line: see old_line.py."""

    def __init__(self, python):
        self.process = subprocess.Popen(
            [python, str(HERE / "old_line.py")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

    def ask(self, **wanted):
        self.process.stdin.write(json.dumps(wanted) + "\n")
        self.process.stdin.flush()
        said = json.loads(self.process.stdout.readline() or '{"error": "it is gone"}')
        if "error" in said:
            raise AssertionError(f"the v0 line: {said['error']}")
        return said["answer"]

    def stop(self):
        self.process.stdin.close()
        self.process.wait(10)


class Tools:
    """One server and its judges, for all checks."""

    def __init__(self, binary, old_python):
        self.binary = binary
        self.folder = HERE / "fixtures"
        self.server = Server(binary, "--log", "text", "--seed", "7")
        self.base = self.server.base
        self.old = OldLine(old_python)
        self.pages = None
        self.counter = itertools.count(1)
        self._own = {}

    def close(self):
        for server in [self.server, *self._own.values()]:
            server.stop()
        self.old.stop()

    def own(self, *flags):
        """A server with these flags, and the fixtures of this folder; the same one for all that ask alike."""
        if flags not in self._own:
            self._own[flags] = Server(self.binary, "--log", "text", "--seed", "7", "--fixtures", str(self.folder), *flags)
        return self._own[flags]

    def marked_faults(self, fixtures):
        """A server that plays these texts, by their names."""
        if "faults" not in self._own:
            self._texts = tempfile.TemporaryDirectory(prefix="polymock-agui-")
            for name, text in fixtures.items():
                pathlib.Path(self._texts.name, f"{name}.json5").write_text(text, encoding="utf-8")
            self._own["faults"] = Server(self.binary, "--log", "text", "--fixtures", self._texts.name)
        return self._own["faults"]

    def fresh(self, kind):
        return f"{kind}-{next(self.counter)}"

    def body(self, say="Hello", **more):
        """A request as the v0 line makes it; `more` are keys to replace, None takes one away."""
        whole = {
            "threadId": self.fresh("thread"), "runId": self.fresh("run"), "state": {},
            "messages": [] if say is None else [{"id": self.fresh("u"), "role": "user", "content": say}],
            "tools": [], "context": [], "forwardedProps": {},
        } | more
        return {name: value for name, value in whole.items() if value is not None}

    def run(self, agent, body=None, base=None, headers=None, action="", **options):
        """One run; what the answer is, whatever it is."""
        sent = body if isinstance(body, bytes) else json.dumps(self.body() if body is None else body, ensure_ascii=False).encode()
        return wire.ask(base or self.base, "POST", path(agent) + action, JSON | (headers or {}), sent, **options)

    def told(self, agent, body=None, **options):
        """One run that must be told."""
        answer = self.run(agent, body, **options)
        assert answer.status == 200, f"{answer.status} {answer.body[:300]!r}"
        equal(answer.headers.get("content-type", "").partition(";")[0], "text/event-stream", "Content-Type")
        return answer

    def play(self, stem, versioned=None):
        """The run of an example's agent, and the lines that it must have."""
        versioned = stem in examples.VERSIONED if versioned is None else versioned
        body = self.body(**({"protocolVersion": "1.0"} if versioned else {}))
        answer = self.told(stem, body)
        return answer, examples.asked(stem, body["threadId"], body["runId"])

    def judge(self, lines, stem="", old=True, new=True):
        """Both lines of the published models take every event; those that only one line has aside."""
        if new and stem not in examples.ONLY_V0:
            equal(models.refused_events(lines), [], "refused by the models of 1.0.0")
        if old and stem not in examples.ONLY_V1:
            equal(self.old.ask(do="events", lines=lines), [], "refused by the models of 0.1.20")

    def validate(self, agent, body=None, base=None):
        """What ag-ui-validate finds in a live run, by severity."""
        options = TransportOptions(validator=ValidatorOptions(), input=body or self.body(), timeout_ms=20_000)
        result = asyncio.run(validate_endpoint((base or self.base) + path(agent), options))
        found = {"error": set(), "warning": set(), "info": set()}
        for each in result.report.diagnostics:
            found[each.severity].add(each.rule)
        return found


def path(agent):
    return "/ag-ui" + ("/" + urllib.parse.quote(agent, safe="") if agent else "")
