import ControlClient
import Expectations
import MockServer
import TestSupport
import Testing
import Texts

@testable import CLI

@Suite("Verbs against a real server", .timeLimit(.minutes(5)))
struct ControlCoverageTests {
    /// Words of a verb, and the routes of the control API they need.
    private static let verbs: [(words: String, routes: [String])] = [
        ("health", ["GET health"]), ("sessions", ["GET sessions"]), ("session last", ["GET sessions/{id}"]),
        ("journal last", ["GET sessions/{id}/journal"]), ("end last", ["POST sessions/{id}/end"]),
        ("end last --forget", ["DELETE sessions/{id}"]),
        ("push last Hi --as agent", ["POST sessions/{id}/events"]),
        ("push last Hi --as user", ["POST sessions/{id}/events"]),
        ("change --deleted gone", ["POST sessions/{id}/changes"]),
        ("intercept on last", ["POST sessions/{id}/intercept"]),
        ("intercept off last", ["POST sessions/{id}/intercept"]),
        ("runs last", ["GET sessions/{id}/runs"]), ("runs last --wires", ["GET sessions/{id}/runs"]),
        ("runs --ask a --cancel gone", ["POST sessions/{id}/runs"]),
        ("intercept list", ["GET intercepted"]), ("intercept resume gone", ["POST intercepted/{id}"]),
        ("intercept drop gone", ["DELETE intercepted/{id}"]),
        ("fault list", ["GET faults"]), ("fault add tunnel", ["POST faults"]),
        ("fault remove 1", ["DELETE faults/{id}"]), ("fault clear", ["DELETE faults"]),
        ("clock show", ["GET clock"]), ("clock freeze", ["POST clock"]), ("timers", ["GET timers"]),
        ("timers fire gone", ["POST timers/{id}/fire"]), ("timers cancel gone", ["DELETE timers/{id}"]),
        ("fixtures list", ["GET fixtures"]), ("fixtures reload", ["POST fixtures/reload"]),
        ("fixtures try booking hi", ["POST fixtures/try"]), ("unmatched", ["GET unmatched"]),
        ("violations", ["GET violations"]), ("wire", ["GET wire"]), ("wait dir:in", ["GET wait"]),
        ("wire last --last 3", ["GET wire"]), ("export last", ["GET export"]),
        ("export", ["GET export"]),
        ("metrics", ["GET metrics"]), ("metrics --json", ["GET metrics.json"]), ("reset log", ["POST reset"]),
        // These make their calls while they run.
        ("wire --follow", ["GET feed"]), ("import a.jsonl", ["POST import"]),
        ("fixtures show booking", ["GET fixtures/{name}"]),
        ("fixtures add mine a.json5", ["POST fixtures"]),
        ("fixtures check mine a.json5", ["POST fixtures/check"]),
        ("fixtures save mine a.json5", ["PUT fixtures/{name}"]),
        ("takeover", ["POST sessions/{id}/takeover"]),
    ]

    private func verb(_ words: String, _ url: String) throws -> ControlVerb {
        let words = words.split(separator: " ").map { String($0) } + ["--url", url]
        guard case .control(let verb) = Invocation(words, environment: { _ in nil }) else {
            throw APIClient.Unexpected("not understood: \(words)")
        }
        return verb
    }

    private func start(_ fixture: String = "hello") async throws -> MockServer {
        var configuration = Configuration()
        configuration.fixture = fixture
        configuration.log = .quiet
        // In real time: on a slow machine a verb may have no turn to speak for long.
        configuration.limits.handshakeTime = .seconds(600)
        return try await MockServer.start(configuration)
    }

    @Test("Every route of the control API has a verb")
    func everyRoute() async throws {
        let server = try await start()
        let client = try ControlClient(url: server.url, token: nil)
        let description = try #require(try await client.call("GET", "openapi.json").json)
        var routes: Set<String> = []
        for path in description["paths"]?.object?.members ?? [] {
            guard path.name.hasPrefix("/_mock/") else { continue }
            for method in path.value.object?.members ?? [] {
                routes.insert(method.name.uppercased() + " " + path.name.dropFirst("/_mock/".count))
            }
        }
        #expect(routes.count > 20)
        // What describes the API is for programs.
        routes.subtract(["GET openapi.json", "GET "])
        expectEqual(routes.symmetricDifference(Self.verbs.flatMap(\.routes)).sorted(), [])
        await server.stop()
    }

    @Test("The server takes what each verb sends, and says so in JSON")
    func everyVerb() async throws {
        let server = try await start()
        let api = try APIClient(port: server.port)
        for (words, routes) in Self.verbs {
            _ = try await api.session()
            let verb = try verb(words, server.url)
            guard case .ask(let request, _) = verb.job else { continue }
            let client = try ControlClient(url: server.url, token: nil)
            do throws(ControlError) {
                let answer = try await client.call(request)
                #expect(words == "metrics" || answer.json != nil, "\(words)")
            } catch {
                guard case .refused(404, _, _) = error, words.hasSuffix("gone") else { throw error }
            }
            #expect(routes.count == 1 && routes[0].hasPrefix(request.method + " "), "\(words)")
        }
        await api.close()
        await server.stop()
    }

    @Test("What is typed during a takeover reaches the user, each line once and in order")
    func takeover() async throws {
        let server = try await start()
        let api = try APIClient(port: server.port)
        let session = try await api.session()
        let talk = try await api.connect(session)
        let lines = "/take\nI am human\n/join Marta\n/suggest Yes | No\nShall we?\n/leave bye\n/end\n"
        let shown = Gathering<String>()
        let around = OperatorShell.Surroundings(
            isTerminal: false,
            listen: { handler in
                handler(Array(lines.utf8))
                handler([])
            }, show: { shown.append($0) }, talk: { _ in })
        let client = try ControlClient(url: server.url, token: nil)
        try await expectEqual(
            OperatorShell.run(client, String(session.id.prefix(8)), isJSON: false, in: around), 0)
        let told = shown.all.map { String($0.dropFirst("12:00:00.000  ".count)) }.filter { line in
            line.hasPrefix("Marta") || line.hasPrefix("* Marta") || line.contains("human")
                || line.contains("session has ended")
        }
        expectEqual(
            told,
            [
                "Agent: I am human", "* Marta joined", "Marta: Shall we? [Yes] [No]", "* Marta left (bye)",
                "* the session has ended (REASON_NATURAL_END)",
            ])
        _ = talk
        await api.close()
        await server.stop()
    }

    @Test("The feed brings the rows of a session as they are recorded, and the journal follows it")
    func feed() async throws {
        let server = try await start()
        let api = try APIClient(port: server.port)
        let session = try await api.session()
        let client = try ControlClient(url: server.url, token: nil)
        var reader = try await JournalReader(client, "last", after: 0)
        expectEqual(reader.session, session.id)
        let rows = Gathering<JSONValue>()
        let news = reader.news { rows.append($0) }
        let talk = try await api.connect(session)
        _ = try await rows.wait(count: 1)
        var entries: [JSONValue] = []
        for await _ in news.stream {
            entries += try await reader.next()
            if !entries.isEmpty { break }
        }
        #expect(entries.first?["event"]?["type"] == .string("EVENT_TYPE_SESSION_START"))
        #expect(rows.all.allSatisfy { $0["session"] == .string(session.id) })
        _ = talk
        await api.close()
        await server.stop()
    }
}
