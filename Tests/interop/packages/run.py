#!/usr/bin/env python3
"""Takes this package into other packages, the ways that Shared/Docs/packages.md shows.

    Tests/interop/packages/run.py [--quick] [BINARY]

Everything is made in a temporary folder: a snapshot of the working tree as a git repository with a tag, a package that
has the published SDK's target name, and packages of an app with the very lines of the page. Nothing is fetched from
anywhere. First the package graphs of all combinations are loaded, where SwiftPM finds names that collide. Then a few are
built and run; --quick stops after the SDK and, with the built program, the project of its `init`. Exit status 0: nothing failed.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
PAGE = ROOT / "Shared/Docs/packages.md"
URL, FOLDER, TAG = "https://git.example.com/polymock.git", "../polymock", "0.1.0"
LIMIT = 1800

PUBLISHED_MANIFEST = """// swift-tools-version: 5.9
import PackageDescription
let package = Package(
    name: "poly_messaging_ios", products: [.library(name: "PolyMessaging", targets: ["PolyMessaging"])],
    targets: [.target(name: "PolyMessaging")])
"""
# Ours: only the names an app would use. Its types have those of our SDK, so that the linker has something to confuse.
PUBLISHED_SOURCE = """
public enum PolyMessaging { public static let version = "published" }
public struct Configuration { public init() {} }
public final class ChatSession { public init() {} }
public enum PolyError: Error { case notOurs }
"""
SDK_MAIN = """
import Foundation
import PolyMessaging

struct Quiet: Connection {
    var status: ConnectionStatus { get async { .idle } }
    let openEvents = AsyncStream<Void> { $0.finish() }
    let closeEvents = AsyncStream<ConnectionCloseEvent> { $0.finish() }
    let messages = AsyncStream<MessagingEvent> { $0.finish() }
    let batchEvents = AsyncStream<[MessagingEvent]> { $0.finish() }
    let rawFrames = AsyncStream<Data> { $0.finish() }
    let errors = AsyncStream<PolyError> { $0.finish() }
    func connect(url: URL) async {}
    func disconnect(code: Int, reason: String) async {}
    func send(_ event: OutgoingEvent) async {}
    func sendRaw(_ data: Data) async throws { throw PolyError.transport(.notConnected) }
}

let chat = PolyMessaging.chat(
    Configuration(
        connectorToken: "demo",
        environment: .custom(
            restBaseURL: URL(string: "https://mock.test/api/v1")!, wsBaseURL: URL(string: "wss://mock.test/ws")!)))
let own: any Connection = Quiet()
do { try await own.sendRaw(Data()) } catch { print("own connection: \\(String(reflecting: error))") }
print("PolyMessaging", PolyMessaging.version, chat.messages.count)
await chat.client.shutdown()
"""
SERVER_MAIN = """
import MockServer
import PolyMessaging

let server = try await MockServer.start()
print("app on", PolyMessaging.version, "with a server:", server.url.hasPrefix("http://127.0.0.1:"))
await server.stop()
"""
SWIFT_TESTING = """
import PolyMessaging
import PolyMockTesting
import Testing

@Suite(.mock("booking"))
struct BookingTests {
    @Test func aTableForTwo() async throws {
        #expect(PolyMessaging.version == "VERSION")
        let mock = Mock.current
        let chat = try await mock.chat()
        try await chat.say("a table, please")
        try await mock.expect(.reply("For how many"), within: .seconds(5))
    }
}
"""
XC_TEST = """
import PolyMessaging
import PolyMockTesting
import XCTest

final class BookingCase: MockTestCase {
    override var fixture: String { "booking" }

    func testATableForTwo() async throws {
        XCTAssertEqual(PolyMessaging.version, "VERSION")
        let chat = try await mock.chat()
        try await chat.say("a table, please")
        try await mock.expect(.reply("For how many"), within: .seconds(5))
    }
}
"""


def run(words, folder, limit=LIMIT, **environment):
    """The status and everything that was said."""
    clean = {name: value for name, value in os.environ.items() if name not in ("POLYMOCK_STRICT", "SWIFT_EXEC")}
    found = subprocess.run(
        [str(word) for word in words], cwd=folder, timeout=limit, text=True, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, env={**clean, **environment})
    return found.returncode, found.stdout


class Page:
    """The lines that the page tells its readers to write."""

    def __init__(self):
        text = PAGE.read_text(encoding="utf-8")
        self.blocks = re.findall(r"```swift\n(.*?)```", text, re.S)
        lines = [re.sub(r"\s+//.*$", "", line).strip().rstrip(",") for block in self.blocks for line in block.split("\n")]
        self.lines = [line for line in lines if line.startswith(".")]

    def line(self, *parts):
        """The only line that has all of `parts`."""
        found = sorted({line for line in self.lines if all(part in line for part in parts)})
        if len(found) != 1:
            sys.exit(f"{PAGE.name}: {len(found)} lines with {' and '.join(parts)}, where there should be one: {found}")
        return found[0]


class Lab:
    def __init__(self, scratch):
        self.scratch, self.page, self.failed, self.passed = scratch, Page(), 0, 0
        self.cache = ["--cache-path", scratch / "cache", "--disable-sandbox"]

    def note(self, name, is_good, told, began):
        self.passed, self.failed = self.passed + is_good, self.failed + (not is_good)
        print(f"{'ok' if is_good else 'FAIL'} {name} ({time.time() - began:.0f} s)", flush=True)
        if not is_good:
            print("    " + "\n    ".join(told.strip().split("\n")[-25:]), flush=True)

    # What there is to depend on.

    def snapshot(self):
        """The working tree, as somebody would have cloned it, in two places; one has a tag."""
        names = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, capture_output=True,
            check=True).stdout.decode().split("\0")
        self.checkout = self.scratch / "apps" / "their-mock"
        for name in filter(None, names):
            if (ROOT / name).is_file():
                (self.checkout / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, self.checkout / name)
        self.remote = self.scratch / "remotes" / "polymock.git"
        self.remote.mkdir(parents=True)
        git = ["git", "-c", "user.name=test", "-c", "user.email=test@localhost", "-c", "init.defaultBranch=main"]
        there = ["--git-dir", self.remote, "--work-tree", self.checkout]
        self.must([*git, "init", "-q", "--bare", self.remote])
        self.must([*git, *there, "add", "-A", "."])
        self.must([*git, *there, "commit", "-q", "-m", "A snapshot"])
        self.must([*git, *there, "tag", TAG])

    def published(self):
        folder = self.scratch / "apps" / "poly_messaging_ios"
        (folder / "Sources/PolyMessaging").mkdir(parents=True)
        (folder / "Package.swift").write_text(PUBLISHED_MANIFEST)
        (folder / "Sources/PolyMessaging/PolyMessaging.swift").write_text(PUBLISHED_SOURCE)

    def must(self, words):
        status, told = run(words, self.checkout)
        if status:
            sys.exit(f"{' '.join(map(str, words))}: {told}")

    # Packages of an app.

    def dependency(self, way):
        """The page's line for a way, with this folder's places in it."""
        line = {
            "path": lambda: self.page.line(".package(name:", FOLDER), "url": lambda: self.page.line(URL, "from:"),
            "branch": lambda: self.page.line(URL, "branch:"),
        }[way]()
        return line.replace(URL, f"file://{self.remote}").replace(FOLDER, str(self.checkout)).replace('"0.1.0"', f'"{TAG}"')

    def app(self, name, way, products, beside=False, main=None, tests=None, extra=""):
        """A package that depends on ours; `products` are lines of the page. Returns its folder."""
        folder = self.scratch / "apps" / name
        dependencies = [self.dependency(way) if way in ("path", "url", "branch") else way]
        if beside:
            dependencies.append(f'.package(path: "{self.scratch}/apps/poly_messaging_ios")')
            products = [*products, '.product(name: "PolyMessaging", package: "poly_messaging_ios")']
        listed = ", ".join(products)
        targets = []
        if main:
            targets.append(f'.executableTarget(name: "App", dependencies: [{listed}])')
            (folder / "Sources/App").mkdir(parents=True)
            (folder / "Sources/App/main.swift").write_text(main)
        for kind, source in (tests or {}).items():
            targets.append(f'.testTarget(name: "{kind}", dependencies: [{listed}])')
            (folder / "Tests" / kind).mkdir(parents=True)
            (folder / "Tests" / kind / f"{kind}.swift").write_text(source)
        (folder / "Package.swift").parent.mkdir(parents=True, exist_ok=True)
        (folder / "Package.swift").write_text(
            "// swift-tools-version: 6.2\nimport PackageDescription\nlet package = Package(\n"
            f'    name: "{name}", platforms: [.macOS(.v13)], dependencies: [{", ".join(dependencies)}],\n'
            f'    targets: [{", ".join(targets)}])\n{extra}')
        return folder

    def wrapper(self):
        """The page's package for Xcode projects, word for word but for the address; the line that depends on it."""
        block, = [block for block in self.page.blocks if 'name: "Mocks",' in block]
        folder = self.scratch / "apps" / "Mocks"
        (folder / "Sources/Mocks").mkdir(parents=True)
        (folder / "Sources/Mocks/Mocks.swift").write_text("@_exported import PolyMockTesting\n")
        (folder / "Package.swift").write_text(
            "// swift-tools-version: 6.2\nimport PackageDescription\n" + block.replace(URL, f"file://{self.remote}"))
        return f'.package(path: "{folder}")'

    # Checks.

    def graph(self, name, folder, refusal=None):
        """SwiftPM loads the graph, or refuses it with these words."""
        began = time.time()
        status, told = run(["swift", "package", *self.cache, "show-dependencies"], folder)
        is_good = (refusal in told and status != 0) if refusal else (status == 0 and "error:" not in told)
        self.note(name, is_good, told, began)

    def program(self, name, folder, expected, *flags):
        began = time.time()
        status, told = run(["swift", "run", *self.cache, *flags, "App"], folder)
        self.note(name, status == 0 and all(words in told for words in expected), told, began)

    def tests(self, name, folder, expected, *flags):
        began = time.time()
        status, told = run(["swift", "test", *self.cache, *flags], folder)
        self.note(name, status == 0 and all(words in told for words in expected), told, began)

    def tool(self, name, folder, *flags):
        began = time.time()
        status, told = run(["swift", "run", *self.cache, *flags, "polymock", "--help"], folder)
        self.note(name, status == 0 and "--fixture" in told, told, began)


def main():
    words = [word for word in sys.argv[1:] if word != "--quick"]
    if len(words) > 1 or any(word.startswith("-") for word in words):
        print(__doc__)
        return 2
    began = time.time()
    scratch = Path(tempfile.mkdtemp(prefix="polymock-packages-"))
    try:
        lab = Lab(scratch)
        lab.snapshot()
        lab.published()
        graphs(lab)
        builds(lab, "--quick" in sys.argv, words[0] if words else None)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    print(f"packages: {lab.passed} passed, {lab.failed} failed; {time.time() - began:.0f} s")
    return 1 if lab.failed else 0


def product(lab, name):
    return lab.page.line(f'.product(name: "{name}", package: "polymock")')


def alias(lab):
    return lab.page.line('.product(name: "PolyMessaging", package: "polymock", moduleAliases:')


def graphs(lab):
    for way in ("path", "url", "branch"):
        lines = [product(lab, name) for name in ("MockServer", "PolyMockTesting", "PolyMessaging")]
        lab.graph(f"graph by {way}", lab.app(f"graph-{way}", way, lines, main="print(1)"))
        for name in ("MockServer", "PolyMockTesting"):
            folder = lab.app(
                f"beside-{way}-{name}", way, [product(lab, name), alias(lab)], beside=True, main="print(1)")
            lab.graph(f"graph by {way}, {name} beside the published name", folder)
    folder = lab.app(
        "wrapped", lab.wrapper(), ['.product(name: "Mocks", package: "Mocks")'], beside=True, main="print(1)")
    lab.graph("graph with the package for Xcode projects", folder)
    folder = lab.app("collision", "path", [product(lab, "MockServer")], beside=True, main="print(1)")
    # When SwiftPM no longer refuses this, the page and its line are to be thought over.
    lab.graph("without the line SwiftPM refuses", folder, "conflicting name: 'PolyMessaging")


def begun(lab, binary):
    """The project in Swift that `polymock init` makes: its test passes at once."""
    folder = lab.scratch / "apps" / "begun"
    lab.must([os.path.abspath(binary), "init", folder, "--package", lab.checkout])
    lab.tests("a new project of polymock init", folder, ["1 test in 1 suite passed"])


def builds(lab, is_quick, binary):
    quiet = ["-Xswiftc", "-suppress-warnings"]  # what Xcode, and newer SwiftPM, say to dependencies
    folder = lab.app("app", "path", [product(lab, "PolyMessaging")], main=SDK_MAIN)
    lab.program(
        "the SDK, by path from a folder of another name", folder,
        ["own connection: ", "notConnected", "PolyMessaging 0.1.0 0"], *quiet)
    if binary:
        begun(lab, binary)
    if is_quick:
        print("packages: --quick, so nothing else is built")
        return
    tests = {"BookingTests": SWIFT_TESTING, "BookingCase": XC_TEST}
    tests = {name: source.replace("VERSION", "published") for name, source in tests.items()}
    folder = lab.app(
        "tested", "url", [product(lab, "PolyMockTesting"), product(lab, "MockServer"), alias(lab)], beside=True,
        main=SERVER_MAIN, tests=tests)
    lab.program(
        "MockServer beside the published name, by tag", folder, ["app on published with a server: true"], *quiet)
    lab.tests(
        "PolyMockTesting beside the published name, for Swift Testing and XCTest", folder,
        ["1 test in 1 suite passed", "Executed 1 test, with 0 failures"], *quiet)
    lab.tool("the tool, from a package that depends on it", folder, *quiet)


if __name__ == "__main__":
    sys.exit(main())
