import Fixtures
import SocketTransport
import Texts

/// `polymock init`: makes a folder with a fixture, its schema, editor settings and a first test that passes.
package struct ProjectInit: Equatable, Sendable {
    package enum Language: String, CaseIterable, Sendable {
        case swift, python, node
    }

    package var folder: String
    package var language: Language
    /// Address or folder of polymock's package, for Swift. Nil for the checkout that built this program.
    package var package: String?
    /// Path of this program, which the tests start.
    package var program: String

    package init(
        folder: String, language: Language, package: String? = nil,
        program: String = ProcessInfoLite.program ?? "polymock"
    ) {
        self.folder = folder
        self.language = language
        self.package = package
        self.program = program
    }

    package func run() -> ToolAnswer {
        // A repository without files is an empty folder, as for `cargo init`.
        let isEmpty = Files.isFolder(folder) && Files.list(folder).allSatisfy { $0 == ".git" }
        if Files.exists(folder), !isEmpty {
            let here = "this folder is not empty; name a new one, such as: polymock init demo"
            return .misuse(isHere ? here : "\"\(folder)\" is there already, and not empty; name a new folder")
        }
        let files: [(path: String, text: String)]
        switch language {
        case .swift:
            guard let package = package ?? checkout else {
                return .misuse(
                    "this program is outside of its checkout; say where the package is: --package ../polymock"
                )
            }
            files = swiftFiles(package)
        case .python: files = [("tests/test_agent.py", pythonTest)]
        case .node: files = [("package.json", Self.nodePackage), ("tests/agent.test.mjs", nodeTest)]
        }
        let common = [
            ("fixtures/agent.json5", Self.fixture), ("fixtures/fixture-1.schema.json", FixtureSchema.text),
            (".vscode/settings.json", Self.editorSettings),
        ]
        for (path, text) in common + files {
            let whole = folder + "/" + path
            let parent = String(whole[..<(whole.lastIndex(of: "/") ?? whole.startIndex)])
            if let fault = Files.makeFolder(parent) ?? Files.replace(whole, with: Array(text.utf8)) {
                return ToolAnswer(talk: ["polymock: \(whole) cannot be written: \(fault)"], code: 1)
            }
        }
        let test: String
        switch language {
        case .swift: test = "swift test"
        case .python: test = "python3 -m pytest"
        case .node: test = "node --test tests/*.mjs"
        }
        return ToolAnswer(
            lines: [
                "\(isHere ? "This folder" : folder) has an agent, fixtures/agent.json5, and a first test:",
                "",
            ] + (isHere ? [] : ["  cd \(folder)"]) + [
                "  \(test)", "",
            ] + (language == .python ? ["Without pytest: python3 -m pip install pytest", ""] : []) + [
                "Talk to the agent with: polymock --fixture fixtures/agent.json5 --open"
            ])
    }

    private var isHere: Bool { folder == "." }

    /// Folder of the package that built this program, found by the program's path.
    private var checkout: String? {
        let path = Files.resolved(program)
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard let end = parts.dropLast().firstIndex(of: ".build"), end > 0 else { return nil }
        let folder = parts[..<end].joined(separator: "/")
        return Files.exists(folder + "/Package.swift") ? folder : nil
    }

    /// Returns `text` as a literal of Swift, Python or JavaScript. The literal is invalid in Swift if `text` contains
    /// control characters that JSON writes as `\b`, `\f` or `\u`.
    private static func quoted(_ text: String) -> String {
        var bytes: [UInt8] = []
        JSONWriter.string(text, into: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    // MARK: Files

    private static let fixture = """
        // An agent of your own. Save a change, and new conversations follow it; "polymock check" explains mistakes.
        {
          $schema: "./fixture-1.schema.json",
          fixture: 1,
          name: "A first agent",
          about: "Says when a shop is open.",

          agent: { name: "Ada" },
          memory: { day: null },

          greeting: [ { say: "Hello from {agent.name}. What can I do for you?", suggest: ["Opening hours"] } ],

          anywhere: [
            { name: "hours-of-a-day", hears: "open on {day:day}", replies: [ { say: "On {day} we open at nine." } ] },
            { name: "hours", hears: ["opening hours", "are you open"],
              replies: [ { say: "We are open from nine to five." } ] },
          ],

          otherwise: [ { name: "lost", replies: [ { say: "I only know when we are open." } ] } ],

          examples: [
            { name: "hours", talk: [
                "agent: Hello from Ada",
                "user: Opening hours",          "agent: from nine to five",
                "user: Are you open on Friday?", "agent: On Friday we open at nine" ] },
          ],
        }

        """

    private static let editorSettings = """
        {
          "files.associations": { "*.json5": "jsonc" },
          "json.schemas": [{ "fileMatch": ["fixtures/*.json5"], "url": "./fixtures/fixture-1.schema.json" }]
        }

        """

    private func swiftFiles(_ package: String) -> [(path: String, text: String)] {
        let source =
            package.holds("://") || package.hasPrefix("git@")
            ? "url: \(Self.quoted(package)), branch: \"main\""
            : "name: \"polymock\", path: \(Self.quoted(package))"
        return [
            (
                "Package.swift",
                """
                // swift-tools-version: 6.2
                import PackageDescription

                let package = Package(
                    name: "AgentTests",
                    platforms: [.macOS(.v13)],
                    dependencies: [.package(\(source))],
                    targets: [
                        .testTarget(
                            name: "AgentTests",
                            dependencies: [.product(name: "PolyMockTesting", package: "polymock")], path: "Tests")
                    ])

                """
            ),
            (
                "Tests/AgentTests.swift",
                """
                import PolyMockTesting
                import Testing

                @Suite("The agent", .mock("fixtures/agent.json5"))
                struct AgentTests {
                    @Test("Says when the shop is open")
                    func hours() async throws {
                        let mock = Mock.current
                        let chat = try await mock.chat()
                        try await chat.say("When are you open?")
                        try await mock.expect(.reply("from nine to five"))
                    }
                }

                """
            ),
        ]
    }

    private var pythonTest: String {
        """
        # python3 -m pip install pytest; then: python3 -m pytest
        import json, os, subprocess, tempfile, threading, urllib.request
        from uuid import uuid4

        import pytest

        POLYMOCK = os.environ.get("POLYMOCK", \(Self.quoted(program)))
        FIXTURE = os.path.join(os.path.dirname(__file__), "..", "fixtures", "agent.json5")


        @pytest.fixture(scope="session")
        def server():
            command = [POLYMOCK, "--port", "0", "--log", "json", "--fixture", FIXTURE]
            errors = tempfile.TemporaryFile("w+")
            try:
                program = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True)
            except OSError as error:
                pytest.fail(f"{POLYMOCK} cannot be run; set POLYMOCK to your polymock: {error}", pytrace=False)
            line = next((line for line in program.stdout if '"listening"' in line), None)
            if line is None:
                errors.seek(0)
                pytest.fail("polymock did not start: " + errors.read(), pytrace=False)
            threading.Thread(target=program.stdout.read, daemon=True).start()  # else its log fills the pipe
            yield json.loads(line)["url"]
            program.terminate()
            program.wait()


        def why(server):
            \"""The rules that answered the last conversation, and the messages that no rule matched.\"""
            with urllib.request.urlopen(server + "/_mock/sessions/last") as answer:
                uses = json.load(answer)["ruleUses"]
            command = [POLYMOCK, "unmatched", "--url", server]
            rules = [f"answered by rule {use['rule']}, {use['file']}:{use['line']}" for use in uses]
            return "\\n".join(rules + [subprocess.run(command, capture_output=True, text=True).stdout])


        def say(server, text, thread=None):
            \"""One run of the agent (AG-UI): the text of its reply. Without a thread, a conversation of its own.\"""
            message = {"id": str(uuid4()), "role": "user", "content": text}
            run = {"threadId": thread or str(uuid4()), "runId": str(uuid4()), "messages": [message]}
            body = json.dumps(run).encode()
            request = urllib.request.Request(server + "/ag-ui", body, {"Content-Type": "application/json"})
            with urllib.request.urlopen(request, timeout=60) as stream:
                events = [json.loads(line[6:]) for line in stream if line.startswith(b"data: ")]
            return "".join(event["delta"] for event in events if event["type"] == "TEXT_MESSAGE_CONTENT")


        def test_opening_hours(server):
            assert "from nine to five" in say(server, "When are you open?"), why(server)

        """
    }

    private static let nodePackage = """
        {
          "private": true,
          "type": "module",
          "scripts": { "test": "node --test tests/*.mjs" }
        }

        """

    private var nodeTest: String {
        """
        import assert from "node:assert/strict";
        import { spawn, spawnSync } from "node:child_process";
        import { randomUUID } from "node:crypto";
        import { once } from "node:events";
        import { createInterface } from "node:readline";
        import { after, before, test } from "node:test";
        import { fileURLToPath } from "node:url";

        const polymock = process.env.POLYMOCK ?? \(Self.quoted(program));
        const fixture = fileURLToPath(new URL("../fixtures/agent.json5", import.meta.url));
        let program, server;

        before(async () => {
            program = spawn(polymock, ["--port", "0", "--log", "json", "--fixture", fixture]);
            let reason = "";
            program.stderr.on("data", (data) => { reason += data; });
            const started = new Promise((found) => createInterface({ input: program.stdout })
                .on("line", (line) => line.includes('"listening"') && found(JSON.parse(line).url)));
            const ended = once(program, "close").then(() => { throw new Error("polymock did not start: " + reason); },
                (error) => { throw new Error(`${polymock} cannot be run; set POLYMOCK to your polymock: ${error.message}`); });
            server = await Promise.race([started, ended]);
        });
        after(() => program.kill());

        /** The rules that answered the last conversation, and the messages that no rule matched. */
        async function why() {
            const { ruleUses } = await (await fetch(server + "/_mock/sessions/last")).json();
            const rules = ruleUses.map((use) => `answered by rule ${use.rule}, ${use.file}:${use.line}\\n`);
            return rules.join("") + spawnSync(polymock, ["unmatched", "--url", server], { encoding: "utf8" }).stdout;
        }

        /** One run of the agent (AG-UI): the text of its reply. Without a thread, a conversation of its own. */
        async function say(text, threadId = randomUUID()) {
            const messages = [{ id: randomUUID(), role: "user", content: text }];
            const body = { threadId, runId: randomUUID(), messages };
            const answer = await fetch(server + "/ag-ui", {
                method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
            });
            return (await answer.text()).split("\\n")
                .filter((line) => line.startsWith("data: ")).map((line) => JSON.parse(line.slice(6)))
                .filter((event) => event.type === "TEXT_MESSAGE_CONTENT").map((event) => event.delta).join("");
        }

        test("says when the shop is open", async () => {
            const answer = await say("When are you open?");
            assert.match(answer, /from nine to five/, `${answer}\\n${await why()}`);
        });

        """
    }
}
