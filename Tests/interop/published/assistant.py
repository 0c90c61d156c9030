#!/usr/bin/env python3
"""Compiles the Swift of CometChat's page about AI agents against our AssistantEvents, with the import changed.

    assistant.py [--pages FOLDER] -- WORD...

The words behind -- go to swiftc. The page, cometchat-ai-agents.txt, is looked for in FOLDER, in the folder that
POLYMOCK_PUBLISHED names, and in ../shared/published beside the checkout; without it nothing is checked, and the last line
says so. It is no part of this repository.
Exit status: 0 all compiled, or no page; 1 something does not compile, or the page has other code than it had.
"""
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
PAGE = "cometchat-ai-agents.txt"
THEIRS, OURS = "import CometChatSDK", "import AssistantEvents"


def snippets(text):
    """From each import to the bracket that closes the class behind it."""
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


def compiled(code, words, folder):
    path = folder / "Snippet.swift"
    path.write_text(code, encoding="utf-8")
    command = ["swiftc", "-swift-version", "5", "-typecheck", "-parse-as-library", "-module-cache-path", str(folder)]
    run = subprocess.run([*command, *words, str(path)], capture_output=True, text=True, timeout=600)
    return run.returncode == 0, run.stderr


def main():
    words = sys.argv[1:]
    extra = words[words.index("--") + 1:] if "--" in words else []
    words = words[:words.index("--")] if "--" in words else words
    folder = words[words.index("--pages") + 1] if "--pages" in words else None
    places = [folder, os.environ.get("POLYMOCK_PUBLISHED"), ROOT.parent / "shared/published"]
    page = next((Path(place) / PAGE for place in places if place and (Path(place) / PAGE).is_file()), None)
    if page is None:
        print(f"CometChat's page: skipped, no {PAGE} in $POLYMOCK_PUBLISHED or ../shared/published")
        return 0
    found = snippets(page.read_text(encoding="utf-8"))
    failures = 0 if len(found) == 2 else 1
    if failures:
        print(f"FAIL the page has {len(found)} snippets, not 2")
    with tempfile.TemporaryDirectory() as scratch:
        for number, code in enumerate(found, 1):
            fine, told = compiled(code.replace(THEIRS, OURS), extra, Path(scratch))
            if not fine:
                failures += 1
                print(f"FAIL snippet {number}\n{told}")
        # A compiler that takes everything proves nothing.
        fine, _ = compiled(f"{OURS}\nlet event: AIAssistantBaseEvent = 1\n", extra, Path(scratch))
        if fine:
            failures += 1
            print("FAIL the compiler takes nonsense")
    print(f"CometChat's page: {len(found)} snippets compiled" if not failures else f"{failures} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
