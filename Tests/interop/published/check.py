#!/usr/bin/env python3
"""Compiles the Swift of the published SDK's pages against our PolyMessaging.

    check.py linux|apple [--pages FOLDER] [--list] -- WORD...

The words behind -- go to swiftc: where our modules are, and for Apple's targets the target and its library. The pages,
polymessaging-ios*.txt, are looked for in FOLDER, in the folder that POLYMOCK_PUBLISHED names, and in ../shared/published
beside the checkout; where there are none, nothing is checked, and the last line says so. They are no part of this
repository, and neither is what is cut out of them: it lives in a temporary folder while this runs.

For Apple's targets, views come from ChatViews, under the names that the pages call them by, and SwiftUI and UIKit are
those of Tests/AppleCheck. Elsewhere all of them are the stand-ins in standins/.
Exit status: 0 all compiled or rightly left out, 1 something does not compile, 2 the stand-ins do not.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from blocks import Block, bare, blocks, depth

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
TYPES = re.compile(r"^((public|private|final|@objc|@MainActor) )*(struct|class|enum|extension|protocol|func|override func)\b")
MEMBERS = re.compile(r"^(@StateObject|@State|@ObservedObject)\b|^var body: some View")
VIEW = re.compile(r"^[A-Z]\w*\s*[({]")
CANARY = "Canary.swift"
# Where the published page is older than the published SDK, and ours does as the SDK does.
EDITS = [
    (re.compile(r"(?<!try )await raw\.sendRaw\("), "try await raw.sendRaw(", "sendRaw throws, as since 0.9: `try` added"),
]


def left_out(block, is_apple):
    """Why the block is not for this compiler; None when it is."""
    code = "\n".join(bare(line) for line in block.lines)
    if re.search(r"^\s*\.package\(|^\s*dependencies: \[", code, re.M):
        return "a piece of a package manifest: Tests/interop/packages builds our own"
    if not is_apple and re.search(r"\.\$\w+|\bAnyCancellable\b", code):
        return "needs Combine: compiled for iOS"
    if not is_apple and "@objc" in code:
        return "needs Objective-C: compiled for iOS"
    if not is_apple and "MarkdownParsingOptions" in code:
        return "Foundation reads no Markdown here: compiled for iOS"
    return None


def segments(block):
    """Declarations of types and functions, members of a view, and statements: the runs of lines of each."""
    parts = {"types": [], "members": [], "statements": []}
    kind, level = "statements", 0
    for line in block.lines:
        words = line.strip()
        if level == 0 and words and not words.startswith("//") and not words.startswith("."):
            kind = "members" if MEMBERS.match(words) else "types" if TYPES.match(words) else "statements"
        parts[kind].append(line)
        level = max(0, level + depth(line))
    return {name: lines for name, lines in parts.items() if any(bare(line).strip() for line in lines)}


def wrapped(block, name, text):
    """A file in which the block can stand: where the app would have it."""
    parts = segments(block)
    user = re.search(r"\bm\.(delivery|draftId)\b|case \.user", text)
    person = "UserMessage" if user else "AgentMessage"
    statements = parts.get("statements", [])
    first = next((bare(line).strip() for line in statements if bare(line).strip()), "")
    calls = first.startswith(("PolyMessaging.", "Task "))
    shows = not calls and (block.kit == "SwiftUI" or VIEW.match(first))
    body = "\n".join(statements)
    types, members = "\n".join(parts.get("types", [])), "\n".join(parts.get("members", []))
    out = ["import Foundation", "import PolyMessaging", "import SwiftUI", "#if canImport(Combine)", "import ChatViews", "import Combine", "#endif"]
    if re.search(r"iOS 16\+", text):
        out.append("@available(iOS 16, macOS 13, *)")
    if block.kit == "UIKit" and (statements or "session." in types) and "UIViewController" not in types:
        out += [f"final class {name}: Screen {{", types]
        around = f"_ m: {person}, _ message: ChatMessage"
        out += [f"func block({around}) async throws {{", body, "}", "}"] if statements else ["}"]
    elif members or (shows and statements) or not statements:
        out += [f"struct {name}: View {{", types, members]
        if members:
            if "session" not in re.sub(r"session\.", "", members):
                out.append("@StateObject var session = PolyMessaging.chat()")
            out += ['@State var input = ""', "@State var text = \"\""]
            if "var body" not in members:
                out.append("var body: some View { EmptyView() }")
        else:
            out += ["let session: ChatSession", "let message: ChatMessage", f"let m: {person}", "let isLast: Bool",
                    '@State var text = ""', "var body: some View {", body or "EmptyView()", "}"]
        out.append("}")
    else:
        out += ["extension Surroundings {", f"func {name}(_ m: {person}) async throws {{", body, "}", "}"]
        out += [f"enum {name}Types {{", types, "}"] if types else []
    return "\n".join(out) + "\n"


def reads_blocks():
    """The rules on a page of our own, which is there when the published ones are not."""
    page = """A page about cats
The cat.purr() method (or cat.meow()) makes a sound — use it often, with care.
// SwiftUI
if cat.isAwake { CatView(cat: cat) }
// UIKit
cat.$name
    .sink { [weak self] name in

        self?.label.text = name
    }

State Meaning
.asleep the cat does not move
let cat = Cat(
    name: "Tom"
)Cats are small animals.
cat.feed() // as often as you likeIn a house:
func play() {
cat.jump()
}
"""
    found = [(block.line, block.kit, len(block.lines)) for block in blocks(page)]
    return found == [(3, "SwiftUI", 2), (5, "UIKit", 6), (14, None, 3), (17, None, 1), (18, None, 3)] or found


class Compiler:
    def __init__(self, words, scratch, is_apple):
        self.scratch, self.is_apple = scratch, is_apple
        self.words = ["swiftc", "-swift-version", "5", "-module-cache-path", str(scratch / "cache"), "-I", str(scratch), *words]

    def run(self, *words):
        found = subprocess.run([*self.words, *map(str, words)], capture_output=True, text=True, timeout=600)
        return found.returncode, found.stderr

    def stand_in(self, name):
        status, told = self.run(
            "-emit-module", "-parse-as-library", "-module-name", name, "-o", self.scratch / f"{name}.swiftmodule",
            HERE / "standins" / f"{name}.swift")
        if status:
            print(told[-4000:])
            print(f"the stand-in of {name} does not compile")
            sys.exit(2)

    def check(self, files):
        """The errors, by file."""
        app = [HERE / "standins/App.swift", *([] if self.is_apple else [HERE / "standins/Views.swift"])]
        status, told = self.run("-typecheck", "-parse-as-library", "-module-name", "Published", *app, *files)
        errors = {}
        for path, line, text in re.findall(r"^(\S+?\.swift):(\d+):\d+: error: (.*)$", told, re.M):
            errors.setdefault(Path(path).name, []).append(f"{line}: {text}")
        if status and not errors:
            print(told[-4000:])
            sys.exit(2)
        return errors


def pages(folder):
    for place in [folder, os.environ.get("POLYMOCK_PUBLISHED"), ROOT.parent / "shared/published"]:
        found = sorted(Path(place).glob("polymessaging-ios*.txt")) if place else []
        if found:
            return found
    return []


def main():
    words = sys.argv[1:]
    extra = words[words.index("--") + 1:] if "--" in words else []
    words = words[:words.index("--")] if "--" in words else words
    lists = "--list" in words
    folder = words[words.index("--pages") + 1] if "--pages" in words else None
    if not words or words[0] not in ("linux", "apple"):
        sys.exit(__doc__)
    is_apple = words[0] == "apple"
    if (read := reads_blocks()) is not True:
        print(f"FAIL the rules read our own page as {read}")
        return 1
    found = pages(folder)
    if not found:
        print("published pages: skipped, no polymessaging-ios*.txt in $POLYMOCK_PUBLISHED or ../shared/published")
        return 0
    started, scratch = time.time(), Path(tempfile.mkdtemp())
    try:
        return check(found, extra, scratch, is_apple, lists, started)
    finally:
        shutil.rmtree(scratch)


def check(found, words, scratch, is_apple, lists, started):
    compiler = Compiler(words, scratch, is_apple)
    for name in () if is_apple else ("UIKit", "SwiftUI"):
        compiler.stand_in(name)
    places, reasons, edited, total = {}, {}, [], 0
    for index, page in enumerate(found):
        for block in blocks(page.read_text(encoding="utf-8")):
            total += 1
            place = f"{page.name}:{block.line}"
            reason = left_out(block, is_apple)
            if reason:
                reasons.setdefault(reason, []).append(place)
                continue
            for pattern, replacement, why in EDITS:
                changed = [pattern.sub(replacement, line) for line in block.lines]
                if changed != block.lines:
                    block.lines = changed
                    edited.append(f"{place}: {why}")
            name = f"Page{index}Line{block.line}"
            (scratch / f"{name}.swift").write_text(wrapped(block, name, block.text))
            places[f"{name}.swift"] = place
    # A block that must be refused, or this would check nothing.
    canary = Block(1, ["session.client.noSuchMember()"])
    (scratch / CANARY).write_text(wrapped(canary, "Canary", canary.text))
    if "noSuchMember" not in " ".join(compiler.check([scratch / CANARY]).get(CANARY, [])):
        print("FAIL the planted mistake was not refused")
        return 1
    # An error in one file may hide those in others: without the files that have one, once more.
    errors = {}
    while new := compiler.check([scratch / name for name in places if name not in errors]):
        errors.update(new)
    for name, place in places.items():
        if lists or name in errors:
            print(f"{'FAIL' if name in errors else 'ok'} {place}")
        for error in errors.get(name, []):
            print(f"    {error}")
        if name in errors and lists:
            print((scratch / name).read_text())
    for reason, where in reasons.items():
        print(f"left out, {len(where)}: {reason} ({', '.join(where)})")
    for line in edited:
        print(f"edited: {line}")
    for name in set(errors) - set(places):
        print(f"FAIL {name}: {errors[name]}")
    count = len(set(places) - set(errors))
    print(f"published pages ({'iOS' if is_apple else 'Linux'}): {total} blocks, {count} compiled ({len(edited)} of them edited), "
          f"{total - len(places)} left out, {len(errors)} refused; {time.time() - started:.0f} s")
    return 1 if errors or not count else 0


if __name__ == "__main__":
    sys.exit(main())
