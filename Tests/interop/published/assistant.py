#!/usr/bin/env python3
"""Compiles the Swift of CometChat's page about AI agents against our AssistantEvents, with the import changed, and runs it
against polymock: the lines that the page's two listeners print are compared with those below.

    assistant.py [--pages FOLDER] [--show] BINARY -- WORD...

The words after -- go to swiftc; BINARY is a polymock, with the objects of the modules in folders next to it. The page,
cometchat-ai-agents.txt, is looked for in FOLDER, in the folder that POLYMOCK_PUBLISHED names, and in ../shared/published
next to the checkout; without it nothing is checked, and the last line says so. It is no part of this repository.
Exit status: 0 compiled and printed as expected, or no page; 1 something does not compile, or other lines.
"""
import os
import re
import select
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
PAGE = "cometchat-ai-agents.txt"
THEIRS, OURS = "import CometChatSDK", "import AssistantEvents"

# The callbacks of each run, in the order of the guide: the start, tool calls, texts, the end, then the stored messages.
# A repeated callback stands here once.
RUNS = {
    "weather": [
        "run_started", "tool_call_start", "tool_call_args", "tool_call_end", "tool_call_result", "text_message_start",
        "text_message_content", "text_message_end", "run_finished", "arguments", "result", "assistant"],
    # The question to the user is a text of the agent. The tool has its result after the answer, in the next run.
    "refunds": [
        "run_started", "tool_call_start", "tool_call_args", "tool_call_end", "text_message_start", "text_message_content",
        "text_message_end", "run_finished", "arguments", "assistant"],
    "refunds, approved": [
        "run_started", "tool_call_result", "text_message_start", "text_message_content", "text_message_end",
        "run_finished", "result", "assistant"],
    "mishaps+cut": ["run_started", "text_message_start", "text_message_content", "run_finished", "assistant"],
}
STORED = {"AIToolArgumentMessage": "arguments", "AIToolResultMessage": "result", "AIAssistantMessage": "assistant"}


def snippets(text):
    """From each import to the bracket that closes the class after it."""
    found, lines, level, seen = [], None, 0, False
    for line in text.splitlines():
        if line.strip() == THEIRS:
            lines, level, seen = [], 0, False
        if lines is None:
            continue
        code = line.split("//")[0]
        level += code.count("{") - code.count("}")
        seen = seen or "{" in code
        if seen and level <= 0:
            # The page glues what follows to the last bracket.
            lines.append(line[:line.rindex("}") + 1])
            found.append("\n".join(lines) + "\n")
            lines = None
        else:
            lines.append(line)
    return found


def compiled(words, *sources):
    command = ["swiftc", "-swift-version", "5", "-parse-as-library", *words, *map(str, sources)]
    run = subprocess.run(command, capture_output=True, text=True, timeout=600)
    return run.returncode == 0, run.stderr


def objects(name, build, seen):
    """The objects of a module and of those that its sources import."""
    folder = next((ROOT / side / name for side in ("Client", "Shared") if (ROOT / side / name).is_dir()), None)
    if name in seen or folder is None:
        return []
    seen.add(name)
    files = sorted(folder.rglob("*.swift"))
    text = "\n".join(path.read_text(encoding="utf-8") for path in files)
    # Named by the sources: the folder keeps the objects of former ones.
    found = [str(build / f"{name}.build" / f"{path.name}.o") for path in files]
    for used in sorted(set(re.findall(r"^\s*(?:(?:@_exported|public|package) )*import (\w+)", text, re.M))):
        found += objects(used, build, seen)
    return found


def run(program, binary, folder):
    """What the program printed, against a server of its own."""
    with open(folder / "log", "w") as log:
        server = subprocess.Popen(
            [binary, "--port", "0", "--seed", "7"], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log, text=True)
        try:
            if not select.select([server.stdout], [], [], 30)[0]:
                return "no address within 30 s"
            address = re.search(r"listening on (http://\S+)", server.stdout.readline())[1].rstrip("/")
            return subprocess.run([program, address], capture_output=True, text=True, timeout=120).stdout
        finally:
            server.terminate()
            server.wait(30)


def callbacks(printed):
    """The callbacks of each run, repeated ones once, and the runs whose events did not all have one id."""
    runs, kinds, ids, mixed = {}, [], set(), []
    for line in printed.splitlines():
        if line.startswith("-- "):
            runs[line[3:]] = kinds
            mixed += [line[3:]] if len(ids) != 1 else []
            kinds, ids = [], set()
        elif event := re.search(r": (\w+) for Run ID: (\d+)$", line):
            ids.add(event[2])
            kinds += [event[1]] if event[1] not in kinds[-1:] else []
        elif message := re.search(r": AssistantEvents\.(\w+)$", line):
            kinds.append(STORED[message[1]])
    return runs, mixed, kinds


def main():
    words = sys.argv[1:]
    extra = words[words.index("--") + 1:] if "--" in words else []
    words = words[:words.index("--")] if "--" in words else words
    folder = words.pop(words.index("--pages") + 1) if "--pages" in words else None
    binary = next((word for word in words if not word.startswith("--")), None)
    if binary is None:
        sys.exit(__doc__)
    binary = Path(binary).resolve()
    places = [folder, os.environ.get("POLYMOCK_PUBLISHED"), ROOT.parent / "shared/published"]
    page = next((Path(place) / PAGE for place in places if place and (Path(place) / PAGE).is_file()), None)
    if page is None:
        print(f"CometChat's page: skipped, no {PAGE} in $POLYMOCK_PUBLISHED or ../shared/published")
        return 0
    found = snippets(page.read_text(encoding="utf-8"))
    failures = [] if len(found) == 2 else [f"the page has {len(found)} snippets, not 2"]
    with tempfile.TemporaryDirectory() as scratch:
        scratch = Path(scratch)
        extra = ["-module-cache-path", str(scratch / "cache"), *extra]
        sources = []
        for number, code in enumerate(found, 1):
            sources.append(scratch / f"Snippet{number}.swift")
            sources[-1].write_text(code.replace(THEIRS, OURS), encoding="utf-8")
        program = scratch / "run"
        fine, told = compiled(
            ["-o", str(program), "-module-name", "Guide", *extra, *objects("AssistantEvents", binary.parent, set())],
            HERE / "AssistantRun.swift", *sources)
        if not fine:
            failures.append(f"the snippets do not compile\n{told[-4000:]}")
        else:
            printed = run(program, binary, scratch)
            runs, mixed, late = callbacks(printed)
            if "--show" in words:
                print(printed)
            failures += [f"{name}: {runs.get(name)}, not {kinds}" for name, kinds in RUNS.items() if runs.get(name) != kinds]
            failures += [f"{name}: events with several ids, or none" for name in mixed]
            failures += [f"a removed listener received {late}"] if late else []
        # A compiler that takes everything proves nothing.
        nonsense = scratch / "Nonsense.swift"
        nonsense.write_text(f"{OURS}\nlet event: AIAssistantBaseEvent = 1\n", encoding="utf-8")
        if compiled(["-typecheck", *extra], nonsense)[0]:
            failures.append("the compiler takes nonsense")
    for failure in failures:
        print(f"FAIL {failure}")
    print(f"CometChat's page: {len(found)} snippets compiled and run, {len(RUNS)} runs as the guide lists" if not failures
          else f"{len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
