"""S20: what the rows of the wire keep of a run, and a run that was recorded and is played again."""

import json
import pathlib
import subprocess
import tempfile

import examples
from rig import Server, check, equal

# Ten runs that an ordinary script can tell: everything but faults, snapshots of old threads, and written-out chunks.
TEN = [stem for stem in examples.VALID if stem[:2] in ("01", "02", "03", "05", "06", "07", "08", "09", "10", "19")]
IDS = ("threadId", "runId", "parentRunId", "messageId", "parentMessageId", "toolCallId", "entityId")


def masked(events):
    """The events with their ids by order of appearance, and without stamps."""
    seen = {}
    found = []
    for event in events:
        found.append({name: seen.setdefault(value, f"id-{len(seen)}") if name in IDS else value for name, value in event.items() if name != "timestamp"})
    return found


@check("S20-rows", "the rows of the wire have each frame of a run as it was sent")
def rows(tools):
    for stem in ("02-backend-tool", "19-unicode", "10-run-error"):
        body = tools.body()
        answer = tools.told(stem, body)
        kept = [each for each in tools.server.get("wire", last=60)["rows"] if each["kind"] == "stream" and each["dir"] == "out" and "raw" in each]
        session = next(each["session"] for each in kept if body["threadId"] in each["raw"])
        equal("".join(each["raw"] for each in kept if each["session"] == session), answer.body.decode(), f"{stem}: the rows")


@check("S20-record", f"{len(TEN)} runs, recorded as event streams and as lines, lint clean and play again, equal but for ids and stamps")
def record(tools):
    with tempfile.TemporaryDirectory() as folder:
        told = {}
        for stem in TEN:
            answer = tools.told(stem, tools.body())
            name = f"r{examples.short(stem)}"
            for kind, text in (("sse", answer.body.decode()), ("jsonl", "\n".join(answer.lines) + "\n")):
                capture = pathlib.Path(folder, f"{name}.{kind}")
                capture.write_text(text, encoding="utf-8")
                done = subprocess.run([tools.binary, "record", str(capture)], capture_output=True, text=True, timeout=30)
                equal(done.returncode, 0, f"record {capture.name}: {done.stderr[:300]}")
                fixture = pathlib.Path(folder, f"{name}{kind}.json5")
                fixture.write_text(done.stdout, encoding="utf-8")
                linted = subprocess.run([tools.binary, "check", "--strict", str(fixture)], capture_output=True, text=True, timeout=30)
                assert linted.returncode == 0 and "nothing to complain about" in linted.stderr, f"{fixture.name}: {linted.stdout[:300]}"
                told[fixture.stem] = answer.events
        server = Server(tools.binary, "--log", "text", "--fixtures", folder)
        try:
            for name, events in told.items():
                again = tools.told(name, base=server.base).events
                equal(json.dumps(masked(again)), json.dumps(masked(events)), name)
        finally:
            server.stop()
