#!/usr/bin/env python3
"""Compiles the Swift of the published Amazon Connect chat README against our ConnectChat.

    connect.py [--page FILE] [--list] -- WORD...

The words behind -- go to swiftc: where our modules are. The page, amazon-connect-chat-ios.md, is looked for in the folder
that POLYMOCK_PUBLISHED names and in ../shared/published beside the checkout; without it nothing is checked, and the last line
says so. It is no part of this repository, and neither is what is cut out of it: that lives in a temporary folder.

Edited are import lines alone. Statements are compiled in a class of their own and in one of the main actor; a signature has
to be one that ChatSession meets; of a type that the page declares, each member and case has to be one of ours. All in Swift 5
and Swift 6 mode. Exit status: 0 all compiled or rightly left out, 1 something does not compile.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
NAME = "amazon-connect-chat-ios.md"
IMPORT = re.compile(r"^\s*import (AmazonConnectChatIOS|AWSConnectParticipant|AWSCore)\s*$", re.M)
STAND_INS = """
func applyCustomFilters(_ text: String) -> String { text }
struct AppRequest: Sendable {}
func buildCustomRequest(endpoint: String, token: String) -> AppRequest { AppRequest() }
func executeRequest(_ request: AppRequest, _ done: @escaping (Result<ConnectionDetails, Error>) -> Void) {}
"""


def blocks(text):
    """Line and lines of each fenced block."""
    found, begin = [], None
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip().startswith("```"):
            if begin is None:
                begin, lines, margin = number, [], len(line) - len(line.lstrip())
            else:
                found.append((begin + 1, "\n".join(lines)))
                begin = None
        elif begin is not None:
            lines.append(line[margin:] if not line[:margin].strip() else line)
    return found


def left_out(code):
    """Why a block is not compiled; None when it is."""
    if "pod '" in code:
        return "a Podfile"
    if re.search(r"^\s*\.\.\.\s*$", code, re.M):
        return "a fragment with an ellipsis"
    if re.match(r"\s*fun ", code):
        return "Kotlin"
    if re.search(r"^func \w+\(.*\{$", code, re.M):
        return "a fragment that never compiled: it calls functions that no one has, or changes a constant"
    if "serverTrust" in code and sys.platform != "darwin":
        return "needs URLSession's trust, which this platform has not"
    if "SDKLogger.logger = logger" in code:
        return "the inside of the SDK"
    if not IMPORT.sub("", code).strip():
        return "only an import"
    return None


def members(code):
    """Uses of what a declaration of the page declares."""
    head = re.search(r"(?:public )?(struct|class|enum|protocol) (\w+)", code)
    kind, name = head.group(1), head.group(2)
    lines = []
    for line in code[head.end():].splitlines():
        line = line.strip()
        if match := re.match(r"case (\w+)(?: = (\".*\"))?$", line):
            lines.append(f"let _: ConnectChat.{name} = .{match.group(1)}")
            if match.group(2):
                lines.append(f"precondition(ConnectChat.{name}.{match.group(1)}.rawValue == {match.group(2)})")
        elif match := re.match(r"(?:@Published )?(?:public )?static var (\w+): (\w+)", line):
            lines.append(f"let _: {match.group(2)} = ConnectChat.{name}.{match.group(1)}")
        elif match := re.match(r"(?:@Published )?(?:public )?(?:var|let) (\w+): (.+?)$", line):
            lines.append(f"let _: {match.group(2)} = value.{match.group(1)}")
        elif match := re.match(r"(?:public )?func (\w+)\(\) -> (.+?)$", line):
            lines.append(f"let _: {match.group(2)} = value.{match.group(1)}()")
        elif match := re.match(r"func (\w+)\((\w+): (\w+)\)(?: -> Void)?$", line):
            lines.append(f"let _: ({match.group(3)}) -> Void = value.{match.group(1)}({match.group(2)}:)")
    if name == "SDKLoggerProtocol":
        body = re.sub(r"\)\n", ") {}\n", code[code.index("{"):])
        return "struct Page: SDKLoggerProtocol " + re.sub(r"\) \{\}\n(?=\s*\))", ")\n", body)
    of = f"any {name}" if kind == "protocol" else f"ConnectChat.{name}"
    return f"func page(_ value: {of}) {{\n" + "\n".join(lines) + "\n}" if lines else None


def wrapped(code):
    """Files in which the block can stand."""
    code = IMPORT.sub("", code).strip("\n")
    head = "import ConnectChat\nimport Foundation\n#if canImport(Combine)\nimport Combine\n#endif\n"
    first = next(line.strip() for line in code.splitlines() if line.strip() and not line.strip().startswith("//"))
    if re.match(r"func ", first) and "\npublic struct" in code:
        signature, rest = code.split("\npublic struct", 1)
        return wrapped(signature) + wrapped("public struct" + rest)
    if re.match(r"(func|var) ", first):
        return [head + "protocol Page {\n" + code + "\n}\nextension ChatSession: Page {}\n"]
    if first.startswith("public static func configureLogger"):
        return None
    if first.startswith("public ") or re.match(r"(struct|enum|protocol) ", first):
        uses = members(code)
        return [head + uses + "\n"] if uses else None
    if re.match(r"(final )?class ", first):
        app = "" if "MyCustomClient: AWSClient" in code else "class MyCustomClient: AWSClient, @unchecked Sendable {}\n"
        return [head + STAND_INS + app + code + "\n"]
    body = re.sub(r"^", "        ", code, flags=re.M)
    return [
        head + f"{actor}class App {{\n    private var chatSession = ChatSession.shared\n    func page() {{\n{body}\n    }}\n}}\n"
        for actor in ("", "@MainActor ")]


def compile(scratch, text, mode, words):
    path = scratch / "Page.swift"
    path.write_text(text)
    told = subprocess.run(
        ["swiftc", "-typecheck", "-parse-as-library", "-swift-version", mode, "-module-cache-path", str(scratch / "cache"),
         *words, str(path)], capture_output=True, text=True, timeout=600)
    return [] if told.returncode == 0 else re.findall(r"error: (.*)", told.stderr) or [told.stderr[-500:]]


def main():
    arguments = sys.argv[1:]
    words = arguments[arguments.index("--") + 1:] if "--" in arguments else []
    places = [arguments[arguments.index("--page") + 1]] if "--page" in arguments else []
    if os.environ.get("POLYMOCK_PUBLISHED"):
        places.append(Path(os.environ["POLYMOCK_PUBLISHED"]) / NAME)
    places.append(ROOT.parent / "shared/published" / NAME)
    page = next((Path(place) for place in places if Path(place).is_file()), None)
    if page is None:
        print(f"published Connect page: skipped, no {NAME} in $POLYMOCK_PUBLISHED or ../shared/published")
        return 0
    scratch, reasons, failed, count, total = Path(tempfile.mkdtemp()), {}, 0, 0, 0
    try:
        if not compile(scratch, wrapped("chatSession.noSuchMember()")[0], "6", words):
            print("FAIL the planted mistake was not refused")
            return 1
        for line, code in blocks(page.read_text(encoding="utf-8")):
            total += 1
            reason = left_out(code)
            files = None if reason else wrapped(code)
            if files is None:
                reasons.setdefault(reason or "the inside of the SDK", []).append(line)
                continue
            errors = [error for text in files for mode in ("5", "6") for error in compile(scratch, text, mode, words)]
            count += not errors
            failed += bool(errors)
            if errors or "--list" in arguments:
                print(f"{'FAIL' if errors else 'ok'} {page.name}:{line}")
            for error in dict.fromkeys(errors):
                print(f"    {error}")
            if errors and "--list" in arguments:
                print(files[0])
        for reason, lines in reasons.items():
            print(f"left out, {len(lines)}: {reason} (lines {', '.join(map(str, lines))})")
        print(f"published Connect page: {total} blocks, {count} compiled, {total - count - failed} left out, {failed} refused")
        return 1 if failed or not count else 0
    finally:
        shutil.rmtree(scratch)


if __name__ == "__main__":
    sys.exit(main())
