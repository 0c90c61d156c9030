import ControlClient
import FixtureTools
import Fixtures
import SocketTransport
import Texts

/// Executor of a ``ControlVerb``: makes its calls and prints the answers.
struct ControlRun {
    let client: ControlClient
    let isJSON: Bool

    static func run(_ verb: ControlVerb) async -> Int32 {
        if let token = verb.options.token { Terminal.hideArgument(token) }
        guard verb.options.urls.count == 1 else { return await MultiServerRun.run(verb) }
        do throws(ControlError) {
            let client = try ControlClient(url: verb.options.urls[0], token: verb.options.token)
            if let wait = verb.wait { _ = try await HealthWait(wait).answer(of: client) }
            return try await ControlRun(client: client, isJSON: verb.options.isJSON).run(verb.job)
        } catch {
            return fail(error, isJSON: verb.options.isJSON)
        }
    }

    /// Prints an error, with the findings of a refused fixture. Returns 2 for a bad address, otherwise 1.
    static func fail(_ error: ControlError, isJSON: Bool) -> Int32 {
        if case .refused(let status, _, let body) = error {
            if isJSON { show(body) }
            let findings = ControlAnswer(status: status, body: body).json?["findings"]?.array ?? []
            for finding in findings where !isJSON { talk(ValueText.text(finding)) }
        }
        talk("polymock: \(error)\(advice(on: error))")
        if case .badAddress = error { return 2 }
        return 1
    }

    /// Returns a hint about the control token for status 401, otherwise "". `hasFlag` is false for a verb whose
    /// `--token` flag means the connector token.
    static func advice(on error: ControlError, hasFlag: Bool = true) -> String {
        guard case .refused(401, _, _) = error else { return "" }
        return " Here it stands \(hasFlag ? "after --token, or " : "")in POLYMOCK_CONTROL_TOKEN."
    }

    static func talk(_ line: String) { Console.show(line, to: .error) }

    /// Prints a JSON document of the server with exactly one line end.
    static func show(_ body: [UInt8]) {
        var body = body[...]
        while body.last == 0x0A { body.removeLast() }
        Console.print(ForeignText.json(String(decoding: body, as: UTF8.self)))
    }

    static func show(_ json: JSONValue) { Console.print(ForeignText.json(ValueText.compact(json))) }

    private func run(_ job: ControlVerb.Job) async throws(ControlError) -> Int32 {
        switch job {
        case .ask(let request, .waited): return try await wait(request)
        case .ask(let request, let display):
            let answer = try await client.call(request)
            show(answer, display)
            if display == .wire, Self.isAbsent(answer.json) { return 1 }
        case .judge(let request, let display, let member):
            let answer = try await client.call(request)
            show(answer, display)
            // An unreadable answer counts as a failure.
            return answer.json?[member]?.array?.isEmpty == true ? 0 : 1
        case .followWire(let filter, let after): return try await followWire(filter, after: after)
        case .followJournal(let session, let after): try await followJournal(session, after: after)
        case .export(let request, let file): return try await export(request, to: file)
        case .importFile(let path):
            guard let bytes = read(path) else { return 1 }
            let request = ControlRequest("POST", path: ["import"], body: .bytes(bytes))
            show(try await client.call(request, patience: nil), .imported)
        case .sendFixture(let task, let name, let path):
            guard let bytes = read(path) else { return 1 }
            guard let text = UTF8Validator.text(bytes[...]) else { return refuse(bytes, path) }
            let (request, display) = ControlVerb.request(task, name, .string(text))
            let answer = try await client.call(request)
            show(answer, display)
            return display == .checked && ControlDisplay.hasErrors(answer.json) ? 1 : 0
        case .takeOver(let session): return try await OperatorShell.run(client, session, isJSON: isJSON)
        }
        return 0
    }

    private func show(_ answer: ControlAnswer, _ display: ControlDisplay) {
        if isJSON { Self.show(answer.body) } else { Console.show(display.answer(answer)) }
    }

    /// Waits for rows. After a time-out (status 408), shows the rows that were found.
    private func wait(_ request: ControlRequest) async throws(ControlError) -> Int32 {
        do throws(ControlError) {
            show(try await client.call(request, patience: nil), .waited)
            return 0
        } catch {
            guard case .refused(408, let message, let body) = error else { throw error }
            let answer = ControlAnswer(status: 408, body: body)
            if isJSON {
                Self.show(body)
            } else if let json = answer.json {
                Console.show(ControlDisplay.tooFew(json))
            }
            Self.talk("polymock: \(message)")
            return 1
        }
    }

    private func export(_ request: ControlRequest, to file: String?) async throws(ControlError) -> Int32 {
        let answer = try await client.call(request, patience: nil)
        if let hint = answer.hint { Self.talk("no row: \(hint)") }
        guard let file else {
            // Writes the export unchanged, without masking control characters.
            Console.write(answer.body)
            return 0
        }
        guard Terminal.createFile(file, answer.body) else {
            Self.talk("polymock: \(file) cannot be written; choose another place with -o")
            return 1
        }
        if isJSON {
            let facts: JSONObject = ["file": .string(file), "bytes": .integer(Int64(answer.body.count))]
            Console.print(ValueText.compact(.object(facts)))
        } else {
            Self.talk("\(Counted.text(answer.body.count, "byte")) in \(file)")
        }
        return 0
    }

    private func read(_ path: String) -> [UInt8]? {
        guard let bytes = Files.read(path, atMost: VerbLimits.file) else {
            Self.talk("polymock: \(path) cannot be read: \(Files.readFault(path))")
            return nil
        }
        guard bytes.count <= VerbLimits.file else {
            Self.talk("polymock: \(path) is larger than \(VerbLimits.file >> 20) MiB; cut it in pieces")
            return nil
        }
        return bytes
    }

    /// Reports a fixture file that is not UTF-8 and cannot be sent, with the findings of `polymock check`.
    private func refuse(_ bytes: [UInt8], _ path: String) -> Int32 {
        let findings = Self.verdict(bytes, path)
        let sentence = "\(path) is not text in UTF-8, so it was not sent"
        if isJSON {
            Self.show(
                .object([
                    "error": .object(["message": .string(sentence)]),
                    "findings": .array(findings.map { .string($0) }),
                ]))
        } else {
            for finding in findings { Self.talk(finding) }
        }
        Self.talk("polymock: \(sentence)")
        return 1
    }

    static func verdict(_ bytes: [UInt8], _ path: String) -> [String] {
        let name = FixtureLoader.name(ofFile: path) ?? path
        return FixtureLoader.compile(bytes: bytes, fileName: path, name: name).findings.map(\.description)
    }

    // MARK: Following

    /// Whether a hint says that the filter's session does not exist.
    static func isAbsent(_ json: JSONValue?) -> Bool {
        json?["hint"]?.string?.hasPrefix("no session here") == true
    }

    private func followWire(_ filter: String?, after: UInt64?) async throws(ControlError) -> Int32 {
        for await item in client.feed(after: after, filter: filter) {
            switch item {
            case .failed(let error): throw error
            case .message(let message):
                Self.showFollowed(message, isJSON: isJSON)
                if Self.isAbsent(message) { return 1 }
            }
        }
        Self.talk("the server has ended the feed")
        return 0
    }

    /// Prints a message of the feed. With several servers, the line begins with the message's `shard`.
    static func showFollowed(_ message: JSONValue, isJSON: Bool) {
        let shard = message["shard"]?.string.map { $0 + ": " } ?? ""
        if isJSON {
            show(message)
        } else if let row = message["row"] {
            let of = message["shard"]?.string.map { JSONObject.Member("shard", .string($0)) }
            let members = (of.map { [$0] } ?? []) + (row.object?.members ?? [])
            Console.show(ControlDisplay.row(.object(JSONObject(members))))
        } else if let dropped = message["dropped"]?.integer {
            let rows = Counted.text(Int(dropped), "row")
            talk("\(shard)\(rows) missing: no longer kept, or this side reads too slowly")
        } else if let hint = message["hint"]?.string {
            talk("\(shard)no row yet: \(hint)")
        }
    }

    private func followJournal(_ session: String, after: UInt64) async throws(ControlError) {
        var reader = try await JournalReader(client, session, after: after)
        var text = EventText()
        let news = reader.news()
        for await _ in news.stream {
            for entry in try await reader.next() {
                if isJSON {
                    Self.show(entry)
                } else if let line = text.line(ofEntry: entry) {
                    Console.show("\(ValueText.clockTime(entry["time"]))  \(line)")
                }
            }
        }
        if let error = await news.outcome.value { throw error }
        Self.talk("the server has ended the feed")
    }
}
