import Clocks
import ControlClient
import FixtureTools
import Texts

/// Executor of a verb on several servers.
struct MultiServerRun {
    private struct Server: Sendable {
        let client: ControlClient
        /// The server's shard. For a server without a shard, its address.
        let name: String
        let member: MergedAnswer.Member

        init(_ client: ControlClient, _ health: JSONValue?) {
            self.client = client
            member = MergedAnswer.Member(client.url, health)
            name = member.shard?.description ?? String(client.url.dropFirst("http://".count))
        }
    }

    private let servers: [Server]
    private let isJSON: Bool
    private let talk: @Sendable (String) -> Void

    static func run(
        _ verb: ControlVerb, talk: @escaping @Sendable (String) -> Void = { ControlRun.talk($0) }
    ) async -> Int32 {
        let options = verb.options
        var clients: [ControlClient] = []
        do throws(ControlError) {
            for url in options.urls { clients.append(try ControlClient(url: url, token: options.token)) }
        } catch {
            return ControlRun.fail(error, isJSON: options.isJSON)
        }
        let wait = verb.wait.map { HealthWait($0) }
        let (found, failures) = await each(clients, { $0.url }, talk) {
            (client) async throws(ControlError) -> Server in
            guard let wait else { return Server(client, try await client.call("GET", "health").json) }
            return Server(client, try await wait.answer(of: client).json)
        }
        if let sentence = MergedAnswer.clash(found.map(\.member)) {
            if options.isJSON {
                ControlRun.show(.object(["error": .object(["message": .string(sentence)])]))
            }
            talk("polymock: \(sentence)")
            return 2
        }
        let code = await MultiServerRun(servers: found, isJSON: options.isJSON, talk: talk).run(verb.job)
        return failures > 0 ? 1 : code
    }

    private func run(_ job: ControlVerb.Job) async -> Int32 {
        switch job {
        case .ask(let request, let display):
            return await ask(request, display) { _ in true }
        case .judge(let request, let display, let member):
            return await ask(request, display) { $0.json?[member]?.array?.isEmpty == true }
        case .followWire(let filter, let after): return await follow(filter, after: after)
        // The parser refuses these verbs with several servers (`ControlVerb.forSeveral`).
        case .followJournal, .export, .importFile, .sendFixture, .takeOver: return 2
        }
    }

    private func ask(
        _ request: ControlRequest, _ display: ControlDisplay, _ passes: (ControlAnswer) -> Bool
    ) async -> Int32 {
        let (answers, failures) = await ask(request)
        show(answers, display, request)
        return failures == 0 && answers.allSatisfy { passes($0.1) } ? 0 : 1
    }

    private func ask(
        _ request: ControlRequest
    ) async -> (results: [(Server, ControlAnswer)], failures: Int) {
        guard case .json(.object(var body))? = request.body, let name = body["session"]?.string else {
            return await ask(servers, request)
        }
        let (holder, failures) = await holder(of: name)
        guard let holder else { return ([], failures) }
        for place in body.members.indices where body.members[place].name == "session" {
            body.members[place].value = .string(holder.session)
        }
        var request = request
        request.body = .json(.object(body))
        let asked = await ask([holder.server], request)
        return (asked.results, failures + asked.failures)
    }

    private func ask(
        _ servers: [Server], _ request: ControlRequest
    ) async -> (results: [(Server, ControlAnswer)], failures: Int) {
        await Self.each(servers, \.client.url, talk) {
            (server) async throws(ControlError) -> (Server, ControlAnswer) in
            (server, try await server.client.call(request))
        }
    }

    /// Finds the server and the id of the session `name`. Reports an error if there is none, or several.
    private func holder(
        of name: String
    ) async -> (found: (server: Server, session: String)?, failures: Int) {
        typealias Finding = (server: Server, ids: [String], refusal: ControlError?)
        let (findings, failures) = await Self.each(servers, \.client.url, talk) {
            (server) async throws(ControlError) -> Finding in
            do throws(ControlError) {
                let answer = try await server.client.call("GET", "sessions", name)
                return (server, answer.json?["id"]?.string.map { [$0] } ?? [], nil)
            } catch {
                guard case .refused(404, _, let body) = error else { throw error }
                let answer = ControlAnswer(status: 404, body: body)
                return (server, (answer.json?["begins"]?.array ?? []).compactMap(\.string), error)
            }
        }
        // An exact id takes precedence over ids that begin with it.
        let exact = findings.filter { $0.ids == [name] }
        let hits = exact.isEmpty ? findings.filter { !$0.ids.isEmpty } : exact
        if hits.count == 1, hits[0].refusal == nil { return ((hits[0].server, hits[0].ids[0]), failures) }
        if hits.count > 1 {
            let ids = hits.flatMap(\.ids)
            talk(
                "polymock: \"\(name)\" begins ids of sessions at \(hits.count) servers, such as \(ids[0]) and "
                    + "\(ids[1]); write more of it.")
            return (nil, failures + 1)
        }
        let refused = hits.isEmpty ? findings : hits
        for finding in refused {
            talk(
                finding.refusal.map { Self.sentence($0, finding.server.client.url) }
                    ?? "polymock: \(finding.server.client.url) has no session \"\(name)\".")
        }
        return (nil, failures + refused.count)
    }

    /// Calls `body` for all items concurrently. Returns results in the items' order, and prints errors.
    private static func each<Item: Sendable, Result: Sendable>(
        _ items: [Item], _ url: (Item) -> String, _ talk: (String) -> Void,
        _ body: @escaping @Sendable (Item) async throws(ControlError) -> Result
    ) async -> (results: [Result], failures: Int) {
        let outcomes = await withTaskGroup(of: (Int, Swift.Result<Result, ControlError>).self) { group in
            for (index, item) in items.enumerated() {
                group.addTask {
                    do throws(ControlError) {
                        return (index, .success(try await body(item)))
                    } catch {
                        return (index, .failure(error))
                    }
                }
            }
            return await group.reduce(into: [Int: Swift.Result<Result, ControlError>]()) { $0[$1.0] = $1.1 }
        }
        var results: [Result] = []
        var failures: [(item: Item, error: ControlError)] = []
        for (index, item) in items.enumerated() {
            switch outcomes[index] {
            case .success(let result)?: results.append(result)
            case .failure(let error)?: failures.append((item, error))
            case nil: break
            }
        }
        for (item, error) in failures { talk(sentence(error, url(item))) }
        return (results, failures.count)
    }

    private static func sentence(_ error: ControlError, _ url: String) -> String {
        guard case .refused(_, let message, _) = error else { return "polymock: \(error)" }
        return "polymock: \(url): \(message)\(ControlRun.advice(on: error))"
    }

    // MARK: - Showing

    private func show(
        _ answers: [(Server, ControlAnswer)], _ display: ControlDisplay, _ request: ControlRequest
    ) {
        guard !answers.isEmpty else { return }
        if isJSON {
            let list = answers.map { server, answer -> JSONValue in
                .object(
                    JSONObject(present: [
                        ("url", .string(server.client.url)),
                        ("shard", server.member.shard.map { .string($0.description) }),
                        ("answer", answer.json ?? .string(answer.text)),
                    ]))
            }
            return ControlRun.show(.object(["servers": .array(list)]))
        }
        if let sentence = display.sentence {
            return talk("\(sentence), at \(Counted.text(answers.count, "server"))")
        }
        switch display {
        case .text:
            Console.show(MergedAnswer.metrics(answers.map { $0.1.text }))
        case .clock, .health:
            for (server, answer) in answers {
                for line in display.answer(answer).lines { Console.show("\(server.name)  \(line)") }
            }
        default:
            let merged = MergedAnswer(parts: answers.map { ($0.name, $1.json ?? .null) }).merged
            func number(_ name: String) -> Int? {
                request.query.first { $0.name == name }.flatMap { Int($0.value) }
            }
            let cut = MergedAnswer.rows(of: merged, first: number("limit"), last: number("last"))
            Console.show(display.show(cut))
        }
    }

    // MARK: - Following

    private func follow(_ filter: String?, after: UInt64?) async -> Int32 {
        let (isJSON, talk) = (isJSON, talk)
        let (ends, _) = await Self.each(servers, \.client.url, talk) {
            (server) async throws(ControlError) -> Bool in
            for await item in server.client.feed(after: after, filter: filter) {
                switch item {
                case .failed(let error):
                    // Reports the error at once, because the other feeds may continue for days.
                    talk(Self.sentence(error, server.client.url))
                    return false
                case .message(let message):
                    let object = JSONObject(
                        [.init("shard", .string(server.name))] + (message.object?.members ?? []))
                    ControlRun.showFollowed(.object(object), isJSON: isJSON)
                }
            }
            talk("\(server.client.url) has ended the feed")
            return true
        }
        return ends.contains(false) ? 1 : 0
    }
}
