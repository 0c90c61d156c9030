"""Does the schema that editors use say the same as the program that loads fixtures?

    check_schema.py BINARY [--seed N] [--count N] [--keep FOLDER]

Takes the fixtures the repository ships, spoils copies of them one way each (a misspelt key, a wrong type, a missing
part, two verbs in a step ...), and asks two judges about every copy: the schema, through the `jsonschema` validator
from PyPI, and `polymock check`. The `json5` package from PyPI reads the shipped files, so that a third opinion on
their syntax comes for free. Where the judges differ, the check fails and shows both opinions.

What a schema can know: the findings of STRUCTURAL, without those of UNKNOWABLE (a length of time over 24 hours, chunks
or pieces that do not add up to what stands beside them, numbers that never end, results of a client's tool, or of a
call that a list leaves out). It knows nothing of findings of other codes: names
that point to each other (stages, slots, handoffs, paces, faults), what is inside phrases, patterns and links,
repeated keys, limits of size, and every warning. The program, for its part, does not look at the value of a slot that
nobody declared (unknown-slot), so in such a copy the schema may find more.
"""

import argparse
import copy
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

import json5
import jsonschema

STRUCTURAL = {
    "unknown-name", "one-verb", "missing-replies", "missing-hears", "missing-part", "wrong-type", "version",
    "duration", "queue-position", "reserved-name",
}
UNKNOWABLE = ("is too long: nothing in a fixture takes over", "The chunks do not add up", "must be a number that ends",
              "The pieces do not add up", "leaves out call", "The client gives the results of")
VERBS = {
    "say": "Hello", "think": "1s", "wait": "1s", "leave": "done", "giveBack": "done", "transfer": "x", "receipt": "read", "presence": "idle", "end": "natural", "system": "high load",
    "language": "fr", "emit": {"type": "EVENT_TYPE_X"}, "forget": "x", "handoff": "x", "fault": "x",
    "tool": "x", "phase": "x", "phaseEnds": "x", "subagent": "x", "subagentEnds": "x", "reason": "x", "state": {"a": 1}, "patch": [], "ask": {"name": "x"}, "cancel": True,
    "returns": {"a": 1}, "fail": "x",
}
# Steps of runs, right and wrong.
RUN_STEPS = [
    {"cancel": True}, {"cancel": False}, {"messages": True}, {"messages": False}, {"tool": "zz", "silent": False},
    {"patch": [{"op": "replace", "path": "/a", "value": None}]}, {"patch": [{"op": "replace", "path": "/a"}]},
    {"patch": [{"op": "copy", "path": "/a", "from": "/b"}]}, {"patch": [{"op": "copy", "path": "/a", "from": "b"}]},
    {"patch": [{"op": "move", "path": "/a"}]}, {"patch": [{"op": "remove", "path": ""}]}, {"patch": [{"op": "test"}]},
    {"usage": [{"model": "m", "totalTokens": 0}]}, {"usage": [{"inputTokens": "3"}]}, {"usage": [{"inputTokens": -1}]},
    {"usage": [{"inputTokes": 3}]}, {"usage": [{"provider": None}]}, {"usage": [3]}, {"usage": [{}]},
    {"result": "zz", "gives": 1}, {"result": "zz"}, {"together": []}, {"together": [{"tool": "zz"}]},
    {"together": [{"tool": "zz"}, {"tool": "zz"}], "results": [2, 1]},
    {"together": [{"tool": "zz"}, {"tool": "zz"}], "results": [1, 1]},
    {"together": [{"tool": "zz", "with": {}, "text": "a"}]},
    {"tool": "zz", "with": {}, "text": "a"}, {"tool": "zz", "text": "a"}, {"tool": "zz", "pieces": []},
    {"tool": "zz", "pieces": ["a"]}, {"reason": "a", "pieces": []}, {"tool": "zz", "parts": [{"type": "text"}]},
    {"tool": "zz", "parts": [{"type": "text", "text": "a"}]}, {"tool": "zz", "parts": [{"type": "video"}]},
    {"tool": "zz", "parts": [{"type": "vidoe", "source": {"type": "url", "value": "a"}}]},
    {"tool": "zz", "parts": [{"type": "image", "source": {"type": "url", "value": "a"}}]},
    {"tool": "zz", "parts": [{"type": "image", "source": {"type": "data", "value": "a"}}]},
    {"tool": "zz", "parts": [{"type": "binary", "url": "a"}]}, {"tool": "zz", "parts": ["a"]},
]
ROOT = pathlib.Path(__file__).resolve().parents[3]


# ---- spoiling a fixture ----

def places(value, path=()):
    """Every value inside, as (container, key, path)."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in items:
        yield value, key, path + (key,)
        yield from places(child, path + (key,))


def blocks(fixture, inside=None):
    """Every block in { }; with `inside`, those in lists of that name."""
    if inside is None:
        yield fixture, ()
    for container, key, path in places(fixture):
        if isinstance(container[key], dict):
            if inside is None or len(path) > 1 and path[-2] in inside and isinstance(path[-1], int):
                yield container[key], path


def pick(chance, found):
    found = list(found)
    return chance.choice(found) if found else None


def misspell(chance, fixture):
    found = pick(chance, ((block, path) for block, path in blocks(fixture) if block))
    block, path = found
    key = chance.choice(sorted(block))
    place = chance.randrange(len(key))
    wrong = chance.choice([key[:place] + key[place + 1:], key[:place] + key[place] + key[place:], key.upper(), key + "s"])
    if wrong in block:
        return None
    value = block.pop(key)
    block[wrong] = value
    return f"{dotted(path + (key,))} is called {wrong!r}"


def wrong_type(chance, fixture):
    container, key, path = pick(chance, places(fixture))
    others = ["text", 4, 1.5, True, None, [], {}, ["text"], {"text": "text"}]
    container[key] = chance.choice([other for other in others if type(other) is not type(container[key])])
    return f"{dotted(path)} is {json.dumps(container[key])}"


def missing(chance, fixture):
    found = pick(chance, ((block, path) for block, path in blocks(fixture) if block))
    block, path = found
    key = chance.choice(sorted(block))
    del block[key]
    return f"{dotted(path + (key,))} is gone"


def missing_from_rule(chance, fixture):
    found = pick(chance, ((block, path) for block, path in blocks(fixture) if "replies" in block or "talk" in block))
    if found is None:
        return None
    block, path = found
    key = chance.choice(sorted(block))
    del block[key]
    return f"{dotted(path + (key,))} is gone"


def extra(chance, fixture):
    block, path = pick(chance, blocks(fixture))
    key = chance.choice(["colour", "say", "name", "text", "then", "wait", "hears", "pace", "2nd", "a b", "now"])
    if key in block:
        return None
    block[key] = chance.choice(["red", "1s", 1, None, []])
    return f"{dotted(path)} also has {key!r}: {json.dumps(block[key])}"


def duration(chance, fixture):
    found = pick(chance, ((container, key, path) for container, key, path in places(fixture)
                          if isinstance(container[key], str) and "payload" not in path
                          and re.fullmatch(r"[0-9.]+(ms|s|m|h)", container[key])))
    if found is None:
        return None
    container, key, path = found
    container[key] = chance.choice(["1 second", "2", "", "5min", "-1s", "1.s", ".5s", "2S", " 2s", "1s ", "1e3ms", 5, "1.5s", "0h"])
    return f"{dotted(path)} is {container[key]!r}"


def two_verbs(chance, fixture):
    found = pick(chance, blocks(fixture, inside=("replies", "greeting", "opens")))
    if found is None:
        return None
    block, path = found
    verb = chance.choice(sorted(VERBS))
    if verb in block:
        return None
    block[verb] = VERBS[verb]
    return f"{dotted(path)} also has {verb!r}"


def lone_part(chance, fixture):
    found = pick(chance, blocks(fixture, inside=("replies", "greeting", "opens")))
    if found is None:
        return None
    block, path = found
    part = chance.choice(["suggest", "attach", "call", "pace", "chunks"])
    block[part] = ["One"] if part in ("suggest", "chunks") else "instant" if part == "pace" else []
    if part == "chunks":
        block.pop("say", None)
    return f"{dotted(path)} has {part!r}"


def empty(chance, fixture):
    found = pick(chance, ((container, key, path) for container, key, path in places(fixture)
                          if isinstance(container[key], (list, dict)) and container[key]))
    container, key, path = found
    container[key] = type(container[key])()
    return f"{dotted(path)} is empty"


def wrong_word(chance, fixture):
    words = {"outcome", "mode", "end", "level", "system", "agentError", "do", "at", "chunk", "jitter", "chance", "drop",
             "lose", "repeat", "swap", "garble", "clock", "language", "positions", "times", "limit", "close", "refuse",
             "known", "atLeast", "fixture", "reason", "route", "seed", "connections", "receipt", "presence"}
    found = pick(chance, ((container, key, path) for container, key, path in places(fixture)
                          if key in words or len(path) > 1 and path[-2] == "positions"))
    if found is None:
        return None
    container, key, path = found
    container[key] = chance.choice([
        "joins", "client", "natural", "info", "high load", "reply 0", "reply 2 chunk 1", "queue update 7", "sesion",
        "3 words", "0 words", "2 pages", "100%", "101%", "5", "event", "connection", "scaled 0", "scaled 2", "en_GB",
        "en-GB", 0, -1, 1.5, 1, 404, 1004, 1011, 4999, 5000, "", "1s", True])
    return f"{dotted(path)} is {json.dumps(container[key])}"


def bad_line(chance, fixture):
    found = pick(chance, ((container, key, path) for container, key, path in places(fixture)
                          if len(path) > 1 and path[-2] == "talk"))
    if found is None:
        return None
    container, key, path = found
    container[key] = chance.choice([
        "Hello?", "users: Hello", "user:", "agent: exactly:", "agent: exactly:  x", "queue: 0", "queue: 7", "queue: two",
        "end: bored", "end: user", "end:natural", "live agent:\tHello", "", 4])
    return f"{dotted(path)} is {json.dumps(container[key])}"


def run_step(chance, fixture):
    found = pick(chance, ((container[key], path) for container, key, path in places(fixture)
                          if key == "replies" and isinstance(container[key], list)))
    if found is None:
        return None
    steps, path = found
    fixture.setdefault("tools", {})["zz"] = {}
    step = chance.choice(RUN_STEPS)
    steps.append(copy.deepcopy(step))
    return f"{dotted(path)} also has {json.dumps(step)}"


SPOILERS = [misspell, wrong_type, missing, missing_from_rule, extra, duration, two_verbs, lone_part, empty, wrong_word,
            bad_line, run_step]


def dotted(path):
    return ".".join(str(part) for part in path) or "the file"


# ---- the two judges ----

def schema_says(validator, fixture):
    return [f"{dotted(error.absolute_path)}: {error.message[:160]}" for error in validator.iter_errors(fixture)][:5]


def binary_says(binary, files):
    """By file: the structural errors, and the slots nobody declared. One run for all the copies takes a second."""
    run = subprocess.run([binary, "check", "--json", *map(str, files)], capture_output=True, text=True, timeout=300)
    if run.returncode not in (0, 1):
        sys.exit(f"polymock check failed with status {run.returncode}:\n{run.stderr}{run.stdout}")
    errors = {str(file): [] for file in files}
    unknown_slots = {str(file): False for file in files}
    for line in run.stdout.splitlines():
        finding = json.loads(line)
        is_knowable = not any(words in finding["message"] for words in UNKNOWABLE)
        if finding["severity"] == "error" and finding["code"] in STRUCTURAL and is_knowable:
            errors[finding["file"]].append(f"{finding['code']}: {finding['message'][:160]}")
        unknown_slots[finding["file"]] |= finding["code"] == "unknown-slot"
    return errors, unknown_slots


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("binary")
    arguments.add_argument("--seed", type=int, default=2026)
    arguments.add_argument("--count", type=int, default=100)
    arguments.add_argument("--keep", type=pathlib.Path)
    options = arguments.parse_args()

    schema = json.loads((ROOT / "fixtures/fixture-1.schema.json").read_text())
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)
    shipped = {file: json5.loads(file.read_text()) for file in sorted((ROOT / "fixtures").glob("*.json5"))}

    cases = [(file, "as it is shipped", fixture) for file, fixture in shipped.items()]
    chance = random.Random(options.seed)
    while len(cases) < len(shipped) + options.count:
        spoil = SPOILERS[len(cases) % len(SPOILERS)]
        file = chance.choice(list(shipped))
        fixture = copy.deepcopy(shipped[file])
        # A spoiler may find nothing to spoil in this file; then another file is tried.
        if what := spoil(chance, fixture):
            cases.append((file, what, fixture))

    with tempfile.TemporaryDirectory() as scratch:
        folder = options.keep or pathlib.Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        copies = []
        for number, (file, what, fixture) in enumerate(cases):
            spoilt = folder / f"{number:03}-{file.name}"
            spoilt.write_text(json.dumps(fixture, ensure_ascii=False, indent=1))
            copies.append(spoilt)
        findings, unknown_slots = binary_says(options.binary, copies)

    passed, failed, refused = 0, 0, 0
    for spoilt, (file, what, fixture) in zip(copies, cases):
        by_schema, by_binary = schema_says(validator, fixture), findings[str(spoilt)]
        agree = bool(by_schema) == bool(by_binary) or by_schema and unknown_slots[str(spoilt)]
        refused += bool(by_schema)
        if agree and not (by_schema and fixture is shipped[file]):
            passed += 1
            print(f"ok {'refused' if by_schema else 'accepted'}: {file.name}, {what}")
        else:
            failed += 1
            print(f"FAIL {file.name}, {what}")
            print(f"     schema: {by_schema or 'nothing'}")
            print(f"     polymock check: {by_binary or 'nothing'}")
    # A check in which everything is accepted, or everything refused, would prove little.
    if options.count >= 50:
        is_mixed = options.count // 4 <= refused <= options.count * 9 // 10
        passed, failed = passed + is_mixed, failed + (not is_mixed)
        print(f"{'ok' if is_mixed else 'FAIL'} {refused} of {len(cases)} are refused, the others accepted")
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed > 0)


main()
