"""The example streams of Tests/Data/ag-ui: what the agents of their names must send, and what the judges say of them."""

import json
import os
import pathlib

FOLDER = pathlib.Path(os.environ.get("AGUI_EXAMPLES") or pathlib.Path(__file__).parents[2] / "Data" / "ag-ui")
STEMS = sorted(path.stem for path in FOLDER.glob("*.jsonl"))
VALID = [stem for stem in STEMS if stem[0].isdigit()]
INVALID = [stem for stem in STEMS if stem.startswith("invalid-")]
VERSIONED = [stem for stem in STEMS if stem.startswith("v1-")]

# Lines that a published line of models refuses, though it is the other line that has them.
ONLY_V0 = {"legacy-01-thinking"}
ONLY_V1 = {"v1-03-cancelled", "v1-04-tool-result-parts", "v1-05-subagent"}
ONLY_V1_BODIES = {"v1-01-declared-version"}

# What ag-ui-validate says, beside information. Those of valid streams are stricter than the protocol:
# a run may fail before it starts, a resumed run answers a call of the run before, a result may have parts.
FINDINGS = {
    "11-run-error-first": {"AGUI001"}, "13b-resume": {"AGUI207"}, "13c-resume-cancelled": {"AGUI207"},
    "v1-04-tool-result-parts": {"AGUI504"},
    "invalid-01": {"AGUI001"}, "invalid-02": {"AGUI101"}, "invalid-03": {"AGUI102"}, "invalid-04": {"AGUI106"},
    "invalid-05": {"AGUI103"}, "invalid-06": {"AGUI201"}, "invalid-07": {"AGUI202"}, "invalid-08": {"AGUI205"},
    "invalid-09": {"AGUI203"}, "invalid-10": {"AGUI007"}, "invalid-11": {"AGUI006"}, "invalid-12": {"AGUI007"},
    "invalid-13": {"AGUI002"}, "invalid-14": {"AGUI004"}, "invalid-15": {"AGUI004"}, "invalid-16": {"AGUI504"},
    "invalid-17": {"AGUI504"}, "invalid-18": {"AGUI003"}, "invalid-19": {"AGUI008"}, "invalid-20": {"AGUI401"},
    "invalid-21": {"AGUI402"},
}
WARNED = {"invalid-19", "invalid-21"}

# What the inspector's page, with client 1.0.1, finds in the invalid streams. The client fails a bad first chunk
# without a finding of the page, and takes a run that finishes under another id.
PAGE_FINDINGS = {
    "invalid-01": "sequence.first-event", "invalid-02": "sequence.text-message-not-open",
    "invalid-03": "sequence.text-message-not-open", "invalid-04": "sequence.text-message-already-open",
    "invalid-05": "sequence.run-finished-while-open", "invalid-06": "sequence.tool-call-not-open",
    "invalid-07": "sequence.tool-call-not-open", "invalid-08": "sequence.tool-call-already-open",
    "invalid-09": "sequence.run-finished-while-open", "invalid-10": "sequence.run-finished-while-open",
    "invalid-11": "sequence.step-not-open", "invalid-12": "sequence.step-already-open",
    "invalid-13": "sequence.run-started-while-active", "invalid-14": "sequence.event-after-run-finished",
    "invalid-15": "sequence.event-after-run-error", "invalid-16": None, "invalid-17": None,
    "invalid-18": "terminal.missing", "invalid-19": None, "invalid-20": "sequence.reasoning-message-not-open",
    "invalid-21": "sequence.run-finished-while-open",
}


def lines(stem):
    return (FOLDER / f"{stem}.jsonl").read_text(encoding="utf-8").splitlines()


def events(stem):
    return [json.loads(line) for line in lines(stem)]


def bodies():
    return {path.name.removesuffix(".input.json"): json.loads(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*.input.json"))}


def short(stem):
    """The number of a stream: 04, 13b, v1-02, invalid-07."""
    first, *rest = stem.split("-")
    return f"{first}-{rest[0]}" if first in ("invalid", "legacy", "v1") else first


def findings(stem):
    return FINDINGS.get(stem) or FINDINGS.get(short(stem)) or set()


def asked(stem, thread, run):
    """The lines of an example as they must come when the request names this thread and run."""
    first = next((each for each in events(stem) if "threadId" in each), None)
    if first is None:
        return lines(stem)
    replaced = {f'"threadId":"{first["threadId"]}"': f'"threadId":"{thread}"', f'"runId":"{first["runId"]}"': f'"runId":"{run}"',
                f'"parentRunId":"{first["runId"]}"': f'"parentRunId":"{run}"'}
    return [_replace(line, replaced) for line in lines(stem)]


def _replace(line, replaced):
    for old, new in replaced.items():
        line = line.replace(old, new)
    return line


def text(stem):
    """What a client that knows the triads, but not the chunks, reads."""
    return "".join(each["delta"] for each in events(stem) if each["type"] == "TEXT_MESSAGE_CONTENT")
