import Clocks
import Expectations
import FixtureTools
import MockServer
import TestSupport
import Testing
import Texts

@testable import CLI

@Suite("Several servers shown as one")
struct SharedAnswerTests {
    private func answer(_ texts: String...) throws -> MergedAnswer {
        MergedAnswer(
            parts: try texts.enumerated().map { ("\($0 + 1)/2", try JSONReader.read(Array($1.utf8))) })
    }

    private func text(_ json: JSONValue) -> String { ValueText.compact(json) }

    @Test("Objects of lists say their shard; names are told once, counts added up")
    func merged() throws {
        let answer = try answer(
            #"{"faults":[{"id":1}],"presets":["a","b"],"dropped":2,"policy":"warn"}"#,
            #"{"faults":[{"id":1},{"id":2}],"presets":["b","c"],"dropped":3,"policy":"fail"}"#)
        expectEqual(
            text(answer.merged),
            #"{"faults":[{"shard":"1/2","id":1},{"shard":"2/2","id":1},{"shard":"2/2","id":2}],"#
                + #""presets":["a","b","c"],"dropped":5,"policy":"warn"}"#)
    }

    @Test("Rows stand in the order of their times; those of one moment in the order of the servers")
    func rows() throws {
        let answer = try answer(
            #"{"rows":[{"n":1,"t":"10"},{"n":2,"t":"12"},{"n":3,"t":"12"}]}"#,
            #"{"rows":[{"n":1,"t":"11"},{"n":2,"t":"12"}]}"#)
        func numbers(_ json: JSONValue) -> [String] {
            (json["rows"]?.array ?? []).map { ValueText.text($0["shard"]) + ValueText.text($0["n"]) }
        }
        let all = ["1/21", "2/21", "1/22", "1/23", "2/22"]
        expectEqual(numbers(answer.merged), all)
        expectEqual(numbers(MergedAnswer.rows(of: answer.merged, first: 2, last: nil)), Array(all.prefix(2)))
        expectEqual(numbers(MergedAnswer.rows(of: answer.merged, first: nil, last: 2)), Array(all.suffix(2)))
        expectEqual(
            ControlDisplay.wire.show(answer.merged).lines.map { $0.prefix(11) },
            [
                "1/2       1", "2/2       1", "1/2       2", "1/2       3", "2/2       2",
            ])
    }

    @Test("A protocol rule stands once, with the violations of all")
    func protocolRules() throws {
        let answer = try answer(
            #"{"protocolRules":[{"id":"a","violations":1},{"id":"b","violations":0}],"violations":[{"id":"a","message":"x"}]}"#,
            #"{"protocolRules":[{"id":"a","violations":2},{"id":"b","violations":0}],"violations":[{"id":"a","message":"y"}]}"#
        )
        expectEqual(
            ControlDisplay.violations.show(answer.merged).lines,
            [
                "VIOLATIONS  RULE  SAYS  STATEMENT", "         3  a     -     -",
                "1/2  a  x", "2/2  a  y",
            ])
    }

    @Test("Tables have a column with the shard")
    func tables() throws {
        let lines = ControlDisplay.faults.show(try answer(#"{"faults":[{"id":"1"}]}"#).merged).lines
        expectEqual(lines.map { $0.prefix(12) }, ["SHARD  FAULT", "1/2    1    "])
    }

    @Test("Metrics are added up; the shortest time since a start counts, and no one shard is named")
    func metrics() {
        func text(_ shard: Int, _ sessions: Int, _ uptime: Int) -> String {
            """
            # HELP polymock_sessions_open Sessions under way.
            # TYPE polymock_sessions_open gauge
            polymock_sessions_open \(sessions)
            # TYPE polymock_uptime_seconds gauge
            polymock_uptime_seconds \(uptime)
            # HELP polymock_shard Which shard this is, from 1 on.
            # TYPE polymock_shard gauge
            polymock_shard \(shard)
            # TYPE polymock_shards gauge
            polymock_shards 2

            """
        }
        expectEqual(
            MergedAnswer.metrics([text(1, 3, 70), text(2, 4, 60)]),
            """
            # HELP polymock_sessions_open Sessions under way.
            # TYPE polymock_sessions_open gauge
            polymock_sessions_open 7
            # TYPE polymock_uptime_seconds gauge
            polymock_uptime_seconds 60
            # TYPE polymock_shards gauge
            polymock_shards 2
            """)
    }

    @Test("Two servers that are one shard, or not shards of one count, are told in a sentence")
    func clash() {
        func clash(_ shards: String?...) -> String? {
            MergedAnswer.clash(
                shards.enumerated().map { .init("u\($0)", $1.map { .object(["shard": .string($0)]) }) })
        }
        expectEqual(clash("1/2", "2/2", nil, nil), nil)
        expectEqual(
            clash("1/3", "2/3", "1/3"),
            "u0 is shard 1/3, and u2 is shard 1/3; start one of them with another number after --shard"
        )
        expectEqual(
            clash("1/2", "2/4"),
            "u0 is shard 1/2, and u1 is shard 2/4; start all of them with the same count after --shard"
        )
        func clash(_ servers: (String, instance: String?, shard: String?)...) -> String? {
            MergedAnswer.clash(
                servers.map { url, instance, shard in
                    let told = JSONObject(present: [
                        ("instance", instance.map { .string($0) }), ("shard", shard.map { .string($0) }),
                    ])
                    return .init(url, .object(told))
                })
        }
        expectEqual(clash(("u", nil, nil), ("u", nil, nil)), "--url u is given twice; give each server once")
        // Whatever the addresses are, and rather than the advice to change the number of a shard.
        for shard in [nil, "1/2"] {
            expectEqual(
                clash(("http://[::1]", "i", shard), ("http://localhost", "i", shard)),
                "http://[::1] and http://localhost are one server under two addresses; give each server once"
            )
        }
        expectEqual(clash(("a", "i", nil), ("b", "j", nil), ("c", nil, nil), ("d", nil, nil)), nil)
    }
}

@Suite("Verbs for several servers", .timeLimit(.minutes(5)))
struct SharedRunTests {
    private func code(_ words: [String], _ urls: String...) async -> Int32 {
        let words = words + urls.flatMap { ["--url", $0] }
        guard case .control(let verb) = Invocation(words, environment: { _ in nil }) else { return -1 }
        return await ControlRun.run(verb)
    }

    private func server(_ shard: String?, violations: String = "[]") async throws -> CannedServer {
        try await CannedServer { request in
            if request.target == "/_mock/health" {
                return .json(200, shard.map { #"{"status":"ok","shard":"\#($0)"}"# } ?? #"{"status":"ok"}"#)
            }
            if request.target.hasPrefix("/_mock/feed") {
                return .feed([#"{"row":{"n":1,"t":"2026-01-01T00:00:00.000Z"}}"#], closes: true)
            }
            if request.target.hasPrefix("/_mock/sessions/") {
                return request.target.hasSuffix("/a1") && shard == "1/2"
                    ? .json(200, #"{"id":"a1"}"#)
                    : .json(404, #"{"error":{"message":"There is no such session."}}"#)
            }
            return request.method == "DELETE"
                ? .json(404, #"{"error":{"message":"There is no fault 9."}}"#)
                : .json(200, #"{"sessions":[],"protocolRules":[],"violations":\#(violations)}"#)
        }
    }

    @Test("All are asked; one that fails makes the exit code 1, and the others are asked all the same")
    func all() async throws {
        let (first, second) = (try await server("1/2"), try await server("2/2"))
        for words in [
            ["sessions"], ["wire", "--last", "3"], ["violations", "--fail"], ["metrics"],
            ["clock", "freeze"],
            ["fault", "add", "tunnel"], ["reset"], ["sessions", "--json"], ["wire", "--follow"],
            ["wire", "--follow", "--json"],
        ] {
            await expectEqual(code(words, first.url, second.url), 0, "\(words)")
        }
        expectEqual(first.requests.all.map(\.line), second.requests.all.map(\.line))
        #expect(first.requests.all.contains { $0.line == #"POST /_mock/clock {"mode":"frozen"}"# })
        await expectEqual(code(["fault", "clear"], first.url, second.url), 1)
        await second.stop()
        let before = first.requests.count
        await expectEqual(code(["sessions"], second.url, first.url), 1)
        expectEqual(first.requests.count, before + 2)
        await expectEqual(code(["wire", "--follow"], second.url, first.url), 1)
        await first.stop()
        await expectEqual(code(["sessions"], second.url, first.url), 1)
    }

    @Test("A server whose feed breaks is named at once, while the others go on")
    func brokenFeed() async throws {
        let living = try await CannedServer { request in
            request.target.hasPrefix("/_mock/feed")
                ? .feed([], closes: false) : .json(200, #"{"status":"ok"}"#)
        }
        let dying = try await CannedServer { request in
            request.target.hasPrefix("/_mock/feed")
                ? .pieces([], ends: true) : .json(200, #"{"status":"ok"}"#)
        }
        let words = ["wire", "--follow", "--url", living.url, "--url", dying.url]
        guard case .control(let verb) = Invocation(words, environment: { _ in nil }) else {
            return #expect(Bool(false), "no verb")
        }
        let told = Gathering<String>()
        async let code = MultiServerRun.run(verb) { told.append($0) }
        #expect(try await told.wait(count: 1)[0].contains(dying.url))
        await living.stop()
        await expectEqual(code, 1)
        await dying.stop()
    }

    @Test("A fault for one session is added where one of the servers holds the session")
    func ofOneSession() async throws {
        let (first, second) = (try await server("1/2"), try await server("2/2"))
        let words = ["fault", "add", "tunnel", "--session"]
        await expectEqual(code(words + ["a1"], first.url, second.url), 0)
        await expectEqual(code(words + ["a1"], second.url, first.url), 0)
        #expect(!second.requests.all.contains { $0.method == "POST" })
        await expectEqual(code(words + ["b1"], first.url, second.url), 1)
        await second.stop()
        await expectEqual(code(words + ["a1"], first.url, second.url), 1)
        await first.stop()
        func misuse(_ words: [String]) -> Invocation {
            Invocation(words + ["--url", "a", "--url", "b"], environment: { _ in nil })
        }
        expectEqual(
            misuse(words + ["last"]),
            .misuse(
                "--session last goes with one --url: each server has a newest session; write its id"))
        expectEqual(
            misuse(["fault", "remove", "1"]),
            .misuse(
                "\"polymock fault remove\" takes one --url: each server counts its own faults"))
        expectEqual(
            misuse(["fault", "add", "tunnel", "--connection", "3"]),
            .misuse("--connection goes with one --url: each server counts its own connections"))
    }

    @Test("The beginning of an id that is one of several servers' arms nothing; a whole id is its session's")
    func beginnings() async throws {
        func server(_ sessions: String...) async throws -> CannedServer {
            try await CannedServer { request in
                guard let name = request.target.split(separator: "/").last, name != "health" else {
                    return .json(200, #"{"status":"ok"}"#)
                }
                if request.method == "POST" { return .json(200, "{}") }
                let found =
                    sessions.contains(String(name)) ? [String(name)] : sessions.filter { $0.hasPrefix(name) }
                switch found.count {
                case 0: return .json(404, #"{"error":{"message":"There is none."}}"#)
                case 1: return .json(200, #"{"id":"\#(found[0])"}"#)
                default:
                    let begins = found.map { "\"\($0)\"" }.joined(separator: ",")
                    return .json(404, #"{"error":{"message":"Write more."},"begins":[\#(begins)]}"#)
                }
            }
        }
        let (first, second) = (try await server("0a", "1a", "2a"), try await server("0b", "1", "3a", "3b"))
        let told = Gathering<String>()
        /// What was armed where, and how it ended.
        func armed(_ name: String) async -> (first: [String], second: [String], code: Int32) {
            let before = (first.requests.count, second.requests.count)
            let words = [
                "fault", "add", "tunnel", "--session", name, "--url", first.url, "--url", second.url,
            ]
            guard case .control(let verb) = Invocation(words, environment: { _ in nil }) else {
                return ([], [], -1)
            }
            let code = await MultiServerRun.run(verb) { told.append($0) }
            func posts(_ server: CannedServer, _ before: Int) -> [String] {
                server.requests.all.dropFirst(before).filter { $0.method == "POST" }.map(\.line)
            }
            return (posts(first, before.0), posts(second, before.1), code)
        }
        func post(_ id: String) -> [String] {
            [#"POST /_mock/faults {"name":"tunnel","session":"\#(id)"}"#]
        }
        #expect(await armed("0") == ([], [], 1))
        expectEqual(
            told.all,
            [
                "polymock: \"0\" begins ids of sessions at 2 servers, such as 0a and 0b; write more of it."
            ])
        #expect(await armed("2") == (post("2a"), [], 0))
        #expect(await armed("1") == ([], post("1"), 0))
        #expect(await armed("3") == ([], [], 1))
        expectEqual(told.all.last, "polymock: \(second.url): Write more.")
        #expect(await armed("4") == ([], [], 1))
        expectEqual(told.count, 4)
        await first.stop()
        await second.stop()
    }

    @Test("What means something else at each server is refused: the newest session, the number of a row")
    func ownRows() {
        func misuse(_ words: String...) -> Invocation {
            Invocation(["wire"] + words + ["--url", "a", "--url", "b"], environment: { _ in nil })
        }
        let last = "goes with one --url: each server has a newest session; write its id"
        expectEqual(misuse("last"), .misuse("\"polymock wire last\" \(last)"))
        expectEqual(misuse("--follow", "last"), .misuse("\"polymock wire last\" \(last)"))
        expectEqual(misuse("--filter", "dir:in session:last"), .misuse("session:last \(last)"))
        expectEqual(
            misuse("--after", "7"), .misuse("--after goes with one --url: each server counts its own rows"))
        for words in [["--filter", #"session:"last""#], ["--last", "3"], ["0a"], ["--filter", "("]] {
            guard case .control = Invocation(["wire"] + words + ["--url", "a", "--url", "b"]) else {
                #expect(Bool(false), "\(words)")
                continue
            }
        }
    }

    @Test("A protocol rule broken at any of them counts")
    func judged() async throws {
        let (first, second) = (
            try await server("1/2"), try await server("2/2", violations: #"[{"id":"a","message":"x"}]"#)
        )
        await expectEqual(code(["violations", "--fail"], first.url, second.url), 1)
        await expectEqual(code(["violations"], first.url, second.url), 0)
        await first.stop()
        await second.stop()
    }

    @Test("Two servers that are one shard end with exit code 2, and so does an address that is none")
    func clash() async throws {
        let (first, second) = (try await server("1/2"), try await server("1/2"))
        await expectEqual(code(["sessions"], first.url, second.url), 2)
        await expectEqual(code(["reset"], first.url, first.url), 2)
        await expectEqual(code(["reset", "--json"], first.url, first.url), 2)
        #expect(!first.requests.all.contains { $0.method == "POST" })
        await expectEqual(code(["sessions"], first.url, "ftp://x"), 2)
        await first.stop()
        await second.stop()
    }

    @Test(
        "One server under two addresses is told in one sentence, and nothing is done; load does not drive it twice"
    )
    func twoAddresses() async throws {
        let server = try await MockServer.start()
        let other = try await MockServer.start()
        let again = "http://localhost:\(server.url.split(separator: ":")[2])"
        let shards = try await [self.server("1/2"), self.server("1/2")]
        await expectEqual(code(["clock", "freeze"], server.url, again), 2)
        await expectEqual(code(["clock"], server.url, other.url), 0)
        for (first, second, sentence) in [
            (server.url, other.url, nil),
            (server.url, again, "are one server under two addresses; give each server once"),
            (shards[0].url, shards[1].url, "start one of them with another number after --shard"),
        ] {
            let options = try LoadOptions([first, second, "--say", "x"])
            let told = await LoadVerb.clash(options.targets)
            expectEqual(
                told.map { $0.hasSuffix(sentence ?? "?") }, sentence.map { _ in true }, "\(told ?? "-")")
        }
        await server.stop()
        await other.stop()
        for shard in shards { await shard.stop() }
    }

    @Test("Other verbs take one address")
    func others() {
        expectEqual(
            Invocation(["session", "last", "--url", "a", "--url", "b"], environment: { _ in nil }),
            .misuse(
                "\"polymock session\" takes one --url; several go with sessions, wire, violations, metrics, clock, "
                    + "fault, reset or health"))
    }
}
