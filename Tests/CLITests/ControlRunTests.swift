import Clocks
import ControlClient
import Expectations
import FixtureTools
import MockServer
import TestSupport
import Testing
import Texts

@testable import CLI

@Suite("Verbs of a running server: what they do", .timeLimit(.minutes(5)))
struct ControlRunTests {
    private func code(_ server: CannedServer, _ words: String...) async -> Int32 {
        await code(words + ["--url", server.url])
    }

    private func code(_ words: [String]) async -> Int32 {
        guard case .control(let verb) = Invocation(words, environment: { _ in nil }) else { return -1 }
        return await ControlRun.run(verb)
    }

    @Test("Exit code 0 when it is done, 1 when it is refused or nobody answers, 2 for no address")
    func exitCodes() async throws {
        let server = try await CannedServer { request in
            request.method == "GET"
                ? .json(200, "{}") : .json(409, #"{"error":{"message":"The clock is the test's own."}}"#)
        }
        await expectEqual(code(server, "health"), 0)
        await expectEqual(code(server, "health", "--json"), 0)
        await expectEqual(code(server, "clock", "freeze"), 1)
        await expectEqual(code(server, "clock", "freeze", "--json"), 1)
        await expectEqual(code(["health", "--url", "ftp://x"]), 2)
        await server.stop()
        await expectEqual(code(server, "health"), 1)
    }

    @Test("health --wait asks until each server answers; what time does not change ends it at once")
    func healthWait() async throws {
        func server(_ answers: Int...) async throws -> CannedServer {
            let asked = Locked(0)
            return try await CannedServer { _ in
                let place = asked.withLock { count in
                    defer { count += 1 }
                    return min(count, answers.count - 1)
                }
                return .json(answers[place], #"{"status":"ok","error":{"message":"Not yet."}}"#)
            }
        }
        let (late, ready, other) = (
            try await server(503, 502, 200), try await server(200), try await server(404)
        )
        await expectEqual(code(late, "health", "--wait", "1h"), 0)
        #expect(late.requests.count >= 3)
        await expectEqual(code(["health", "--wait", "1h", "--url", late.url, "--url", ready.url]), 0)
        await expectEqual(code(other, "health", "--wait", "1h"), 1)
        expectEqual(other.requests.count, 1)
        await expectEqual(code(["health", "--wait", "1h", "--url", ready.url, "--url", other.url]), 1)
        await expectEqual(code(["health", "--wait", "1h", "--url", "ftp://x"]), 2)
        for each in [late, ready, other] { await each.stop() }
        await expectEqual(code(ready, "health", "--wait", "1ms"), 1)
        for wait in ["soon", "2h", "-1s", ""] {
            guard case .misuse = Invocation(["health", "--wait", wait], environment: { _ in nil }) else {
                #expect(Bool(false), "\(wait)")
                continue
            }
        }
    }

    @Test("A wait that sees too little ends with exit code 1")
    func wait() async throws {
        let server = try await CannedServer { request in
            request.target.contains("count=2")
                ? .json(408, #"{"error":{"message":"1 of 2 rows."},"rows":[{"n":1}],"seen":[],"near":[]}"#)
                : .json(200, #"{"rows":[{"n":1}],"last":1,"dropped":0}"#)
        }
        await expectEqual(code(server, "wait", "dir:in"), 0)
        await expectEqual(code(server, "wait", "dir:in", "--count", "2"), 1)
        await expectEqual(code(server, "wait", "dir:in", "--count", "2", "--json"), 1)
        await server.stop()
    }

    @Test("A file that cannot be read or written is told without asking the server more than needed")
    func files() async throws {
        let server = try await CannedServer { _ in .json(200, "{}") }
        await expectEqual(code(server, "import", "/nowhere/at/all"), 1)
        await expectEqual(code(server, "fixtures", "add", "mine", "/nowhere/at/all"), 1)
        expectEqual(server.requests.count, 0)
        await expectEqual(code(server, "export", "-o", "/nowhere/at/all"), 1)
        await expectEqual(code(server, "import", #filePath), 0)
        expectEqual(server.requests.all.last?.body.starts(with: Array("import Clocks".utf8)), true)
        await expectEqual(code(server, "fixtures", "add", "mine", #filePath), 0)
        expectEqual(
            server.requests.all.last?.line.hasPrefix(#"POST /_mock/fixtures {"name":"mine","text":"import"#),
            true)
        await server.stop()
    }

    @Test("A token that is missing is told with the words of the command line")
    func tokens() {
        let advice = " Here it stands after --token, or in POLYMOCK_CONTROL_TOKEN."
        expectEqual(ControlRun.advice(on: .refused(status: 401, message: "No.", body: [])), advice)
        expectEqual(
            ControlRun.advice(on: .refused(status: 401, message: "No.", body: []), hasFlag: false),
            " Here it stands in POLYMOCK_CONTROL_TOKEN.")
        expectEqual(ControlRun.advice(on: .refused(status: 403, message: "No.", body: [])), "")
    }

    @Test(
        "A fixture that is no text in UTF-8 is judged here and never sent",
        arguments: ["add", "check", "save"] as [String])
    func foreignText(_ task: String) async throws {
        let folder = try ScratchFolder()
        defer { folder.remove() }
        let bytes = Array("{ fixture: 1,\n name: \"".utf8) + [0xFF] + Array("\" }".utf8)
        let path = try folder.write("mine.json5", bytes)
        let server = try await CannedServer { _ in .json(200, "{}") }
        await expectEqual(code(server, "fixtures", task, "mine", path), 1)
        await expectEqual(code(server, "fixtures", task, "mine", path, "--json"), 1)
        expectEqual(server.requests.count, 0)
        await server.stop()
        let check = FixtureCheck(paths: [path]).run().lines
        #expect(check.count == 1 && check[0].hasPrefix("\(path):2:9: error: the byte 0xFF"), "\(check)")
        // The line of the file is below it there.
        expectEqual(ControlRun.verdict(bytes, path), check.map { String($0.prefix { $0 != "\n" }) })
    }

    @Test("A session that is not there ends wire with exit code 1, followed or not")
    func absent() async throws {
        let hint = #""hint":"no session here is called nosuch""#
        let server = try await CannedServer { request in
            if request.target.hasPrefix("/_mock/feed") { return .feed(["{\(hint)}"], closes: false) }
            return .json(200, request.target.contains("nosuch") ? "{\"rows\":[],\(hint)}" : #"{"rows":[]}"#)
        }
        await expectEqual(code(server, "wire", "nosuch"), 1)
        await expectEqual(code(server, "wire", "nosuch", "--json"), 1)
        await expectEqual(code(server, "wire", "nosuch", "--follow"), 1)
        await expectEqual(code(server, "wire", "last"), 0)
        await server.stop()
    }

    @Test("Who talks at the keyboard is told which saved fixture was refused, and where")
    func refusedFixtures() async throws {
        let server = try await CannedServer { request in
            guard request.target == "/_mock/feed?also=fixtures&rows=none" else { return .json(404, "{}") }
            return .feed(
                [
                    #"{"fixture":{"what":"reloaded","name":"a","file":"a.json5","findings":[]}}"#,
                    #"{"fixture":{"what":"refused","name":"b","hasGoodVersion":true,"findings":["b.json5:1:2: error: x"]}}"#,
                ], closes: true)
        }
        var lines: [String] = []
        for await line in RefusedFixtures.lines(url: server.url, token: nil) { lines.append(line) }
        expectEqual(
            lines,
            [
                "fixture \"b\" was saved with errors, so the previous version stays in force: b.json5:1:2: error: x"
            ])
        await server.stop()
    }

    @Test("A reply has a rest while its session's script has a timer, on this machine only")
    func rest() async throws {
        let server = try await CannedServer { _ in
            .json(200, #"{"timers":[{"session":"a","script":true},{"session":"b","script":false}]}"#)
        }
        let isDue = try #require(ReplyRest.question(url: server.url, token: nil))
        #expect(await isDue("a"))
        #expect(await !isDue("b"))
        await server.stop()
        #expect(await !isDue("a"))
        #expect(ReplyRest.question(url: "http://192.0.2.1", token: nil) == nil)
    }

    @Test("Following ends with the feed: in good order with 0, broken off with 1")
    func following() async throws {
        let server = try await CannedServer { request in
            if request.target.hasPrefix("/_mock/feed?after=1") {
                return .feed([#"{"row":{"n":2}}"#, #"{"dropped":3}"#], closes: true)
            }
            if request.target.hasPrefix("/_mock/feed") { return .pieces([], ends: true) }
            return .json(200, #"{"id":"s-1","last":1,"entries":[{"sequence":1,"event":{}}]}"#)
        }
        await expectEqual(code(server, "wire", "--follow", "--after", "1"), 0)
        await expectEqual(code(server, "wire", "--follow", "--after", "1", "--json"), 0)
        await expectEqual(code(server, "wire", "--follow"), 1)
        await expectEqual(code(server, "journal", "last", "--follow"), 0)
        await server.stop()
    }
}

@Suite("A takeover on a pipe", .timeLimit(.minutes(5)))
struct TakeoverShellTests {
    /// A server whose journal grows by one message for each one that is sent.
    private final class Desk: Sendable {
        let said = Locked<[String]>([])

        func answer(_ request: CannedServer.Request) -> CannedServer.Reply {
            let path = request.target.split(separator: "?")[0]
            switch (request.method, path) {
            case ("GET", "/_mock/sessions/last"): return .json(200, #"{"id":"s-1","fixture":"booking"}"#)
            case ("GET", "/_mock/wire"): return .json(200, #"{"rows":[],"last":4}"#)
            case ("GET", "/_mock/feed"): return .feed([], closes: false)
            case ("GET", _): return .json(200, journal(after: request.target))
            default:
                let body = ControlVerb.json(String(decoding: request.body, as: UTF8.self))
                guard let text = body?["text"]?.string else { return .json(200, "{}") }
                guard text != "refuse me" else {
                    return .json(409, #"{"error":{"message":"Sit down first."}}"#)
                }
                said.withLock { $0.append(text) }
                return .json(200, "{}")
            }
        }

        private func journal(after target: String) -> String {
            let after = target.split(separator: "=").last.flatMap { Int($0) } ?? 0
            let entries = said.withLock { $0 }.enumerated().dropFirst(after).map { index, text in
                #"{"sequence":\#(index + 1),"time":"T","event":{"type":"EVENT_TYPE_LIVE_AGENT_MESSAGE","#
                    + #""payload":{"agent_name":"Marta","text":"\#(text)"}}}"#
            }
            return #"{"session":"s-1","entries":[\#(entries.joined(separator: ","))]}"#
        }
    }

    private func run(
        _ input: String, isJSON: Bool = false, isTerminal: Bool = false
    ) async throws -> (code: Int32, shown: [String], talk: [String], calls: [String]) {
        let desk = Desk()
        let server = try await CannedServer { desk.answer($0) }
        let (shown, talk) = (Gathering<String>(), Gathering<String>())
        let around = OperatorShell.Surroundings(
            isTerminal: isTerminal,
            listen: { handler in
                handler(Array(input.utf8))
                handler([])
            }, show: { shown.append($0) }, talk: { talk.append($0) })
        let client = try ControlClient(url: server.url, token: nil)
        let code = try await OperatorShell.run(client, "last", isJSON: isJSON, in: around)
        await server.stop()
        let calls = server.requests.all.filter { $0.method == "POST" }.map(\.line)
        return (code, shown.all, talk.all, calls)
    }

    @Test("Lines are performed in order, and what they led to is shown once each")
    func order() async throws {
        let result = try await run("/join Marta\n/suggest A | B\nOne\nTwo\n/back\n")
        let at = "POST /_mock/sessions/s-1/takeover "
        expectEqual(
            result.calls,
            [
                at + #"{"action":"join","name":"Marta"}"#,
                at + #"{"action":"send","text":"One","suggestions":["A","B"]}"#,
                at + #"{"action":"send","text":"Two"}"#,
                at + #"{"action":"handBack","answersLast":false}"#,
            ])
        expectEqual(result.shown, ["T  Marta: One", "T  Marta: Two"])
        expectEqual(
            result.talk, ["session s-1 of booking; /help helps", "with the next line: 2 suggestions"])
        expectEqual(result.code, 0)
    }

    @Test("With --json each event is one line, and nothing else is on standard output")
    func json() async throws {
        let result = try await run("/help\nOne", isJSON: true)
        expectEqual(
            result.shown,
            [
                #"{"type":"EVENT_TYPE_LIVE_AGENT_MESSAGE","payload":{"agent_name":"Marta","text":"One"}}"#
            ])
    }

    @Test("A refusal is told and the rest goes on; on a pipe it is the exit code, on a terminal not")
    func refusal() async throws {
        for isTerminal in [true, false] {
            for (line, sentence) in [
                ("refuse me", "Sit down first."), ("/tkae", "there is no /tkae; did you mean /take?"),
            ] {
                let result = try await run(line + "\nOne\n", isTerminal: isTerminal)
                expectEqual(result.talk.last, sentence)
                expectEqual(result.shown, ["T  Marta: One"])
                expectEqual(result.code, isTerminal ? 0 : 1)
            }
        }
    }

    @Test("Nothing is performed behind /quit")
    func quit() async throws {
        let result = try await run("One\n/quit\nTwo\n")
        expectEqual(result.shown, ["T  Marta: One"])
        expectEqual(result.calls.count, 1)
    }
}
