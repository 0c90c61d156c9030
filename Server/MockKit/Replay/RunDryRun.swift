import Fixtures
import HTTPClient
import MockServer
import Texts

/// A check that a fixture reproduces the recorded run.
struct RunDryRun: Sendable {
    let recording: RunRecording
    let fixture: RecordedFixture

    func difference() async -> String? {
        var found: String?
        let failure = await Mock.failure(of: .played(fixture.text)) { found = try await difference(on: $0) }
        return failure.map { "it cannot be played: \($0)" } ?? found
    }

    private func difference(on mock: Mock) async throws -> String? {
        let runs = fixture.runs
        var wanted = Masked()
        var played = Masked()
        wanted.earlier = fixture.thread.earlier
        var words = fixture.says[...]
        var question = RunQuestion(says: words.popFirst(), thread: "dry-run-thread-1", run: "dry-run-1")
        if recording.events[0].body["protocolVersion"] != nil { question.version = "1.0" }
        var answers = fixture.thread.answers[...]
        var (turn, first) = (0, (played, wanted))
        for (number, run) in runs.enumerated() {
            if question.says != nil { (turn, first) = (number, (played, wanted)) }
            let events = try await ask(question, on: mock)
            note(number, question, &played, &wanted)
            if let found = Self.difference(events, run, &played, &wanted) { return found }
            if run.bareInterrupt != nil { return nil }
            question.goOn(after: events, in: number + 2, with: &answers, or: &words)
        }
        // Plays the last turn again on the same thread. The messages that the client already has must not change.
        let before = try await messages(on: mock, question)
        (question.says, question.answers, question.decisions) = (fixture.says.last, [], [])
        (played, wanted) = first
        for (number, run) in runs.enumerated().dropFirst(turn) {
            question.run = "dry-run-\(runs.count + number + 1)"
            let events = try await ask(question, on: mock)
            (wanted.isAgain, played.isAgain) = (true, true)
            note(number, question, &played, &wanted)
            if let found = Self.difference(events, run, &played, &wanted) {
                return "played again on one thread: \(found)"
            }
            question.goOn(after: events, in: runs.count + number + 2, with: &answers, or: &words)
        }
        let after = try await messages(on: mock, question)
        guard
            let lost = before.indices.first(where: { !after.indices.contains($0) || before[$0] != after[$0] })
        else { return nil }
        let shown = String(decoding: JSONWriter.bytes(before[lost]), as: UTF8.self)
        return "played again on one thread, it changes what the client has: \(Self.cut(shown))"
    }

    private func note(
        _ number: Int, _ question: RunQuestion, _ played: inout Masked, _ wanted: inout Masked
    ) {
        guard question.says != nil, let said = fixture.thread.said.first(where: { $0.value == number })?.key
        else {
            return
        }
        played.note("\(question.run)-u")
        wanted.note(said)
    }

    private static func difference(
        _ events: [JSONObject], _ run: RunRecording.Run, _ played: inout Masked, _ wanted: inout Masked
    ) -> String? {
        let recorded = run.events.map(\.body)
        var events = events
        // The engine sends the thread before a question; the recorded service need not.
        if events.count == recorded.count + 1, events.last?["outcome"]?["type"]?.string == "interrupt",
            let snapshot = events.dropLast().last, snapshot["type"]?.string == "MESSAGES_SNAPSHOT"
        {
            events.remove(at: events.count - 2)
        }
        let keepsPending = recorded.last?["outcome"]?["pendingToolCallIds"] != nil
        let (mine, theirs) = (
            played.lines(events, keepsPending: keepsPending),
            wanted.lines(recorded, keepsPending: keepsPending)
        )
        for (place, (mine, theirs)) in zip(mine, theirs).enumerated() where mine != theirs {
            let same = zip(mine, theirs).prefix { $0 == $1 }.count
            return
                "line \(run.events[place].line) was \(cut(theirs, from: same)), and is \(cut(mine, from: same))"
        }
        if mine.count > theirs.count { return "an event follows the last one: \(cut(mine[theirs.count]))" }
        guard theirs.count > mine.count else { return nil }
        return "line \(run.events[mine.count].line) and what follows do not come"
    }

    /// Returns the messages that a client of the thread has.
    private func messages(on mock: Mock, _ question: RunQuestion) async throws -> [JSONValue] {
        let events = try await ask(question, on: mock, at: "inline/connect")
        return events.first { $0["type"]?.string == "MESSAGES_SNAPSHOT" }?["messages"]?.array ?? []
    }

    private func ask(
        _ question: RunQuestion, on mock: Mock, at path: String? = nil
    ) async throws -> [JSONObject] {
        let answer = try await mock.answer(to: question, by: path)
        if let refusal = answer.refusal { throw MockError(refusal) }
        return try RunRecording(answer.bytes).events.map(\.body)
    }

    /// Returns at most 160 characters of a line. If `place`, its first difference, is far from the beginning, the
    /// characters begin shortly before `place`.
    private static func cut(_ line: String, from place: Int = 0) -> String {
        let rest = place > 120 ? "…" + line.dropFirst(place - 40) : line
        return rest.count > 160 ? rest.prefix(160) + "…" : rest
    }
}

extension Mock {
    func answer(to question: RunQuestion, by agent: String? = nil) async throws -> RunAnswer {
        let (endpoint, target) = try RunRecorder.place(
            of: server.url + "/ag-ui" + (agent.map { "/" + $0 } ?? ""))
        var request = HTTPClient.Request("POST", endpoint, target, answerBytes: 64 << 10, timeout: nil)
        request.set("Content-Type", "application/json")
        request.body = question.body
        let (sent, client, clock) = (request, http, base)
        return try await letTimePass { await RunAnswer.receive(sent, over: client, clock: clock) }
    }
}

extension RunRecording {
    var hasEnd: Bool {
        ["RUN_FINISHED", "RUN_ERROR"].contains(events.last?.body["type"]?.string ?? "")
    }
}

extension RunQuestion {
    /// Prepares the next request.
    fileprivate mutating func goOn(
        after events: [JSONObject], in number: Int, with results: inout ArraySlice<String>,
        or words: inout ArraySlice<String>
    ) {
        run = "dry-run-\(number)"
        (says, answers, decisions) = (nil, [], [])
        let interrupts = events.last?["outcome"]?["interrupts"]?.array ?? []
        decisions = interrupts.map { interrupt in
            .object([
                "interruptId": interrupt["id"] ?? .null, "status": .string("resolved"),
                "payload": .object(["approved": .bool(true)]),
            ])
        }
        guard decisions.isEmpty else { return }
        let answered = Set(
            events.compactMap { $0["type"]?.string == "TOOL_CALL_RESULT" ? $0["toolCallId"]?.string : nil })
        let open = events.compactMap { $0["type"]?.string == "TOOL_CALL_START" ? $0["toolCallId"] : nil }
            .filter { $0.string.map { !answered.contains($0) } ?? true }
        // A run that finishes after a tool call, and speaks no more, needs the results from the client.
        let spoken: Set<String> = [
            "TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT", "REASONING_START", "REASONING_MESSAGE_START",
        ]
        let end = events.lastIndex { $0["type"]?.string == "TOOL_CALL_END" } ?? 0
        if !open.isEmpty, events.last?["type"]?.string == "RUN_FINISHED",
            !events[end...].contains(where: { spoken.contains($0["type"]?.string ?? "") })
        {
            answers = open.enumerated().map { number, call in
                .object([
                    "id": .string("\(run)-a\(number)"), "role": .string("tool"), "toolCallId": call,
                    "content": .string(results.popFirst() ?? "done"),
                ])
            }
            return
        }
        says = words.popFirst() ?? "Hello"
    }
}

/// Comparable forms of events.
private struct Masked {
    private static let fleeting: Set<String> = [
        "timestamp", "expiresAt", "input", "protocolVersion", "parentRunId",
    ]
    /// Whether snapshots of messages are compared after the user's last message only, because the thread has become
    /// longer.
    var isAgain = false
    /// Number of messages at the start of each snapshot that are older than the recording. They are not compared.
    var earlier = 0
    private var names: [String: Int] = [:]

    mutating func lines(_ events: [JSONObject], keepsPending: Bool) -> [String] {
        let events = events.map { plain($0, keepsPending: keepsPending) }
        for event in events {
            for name in ["threadId", "runId"] { if let id = event[name]?.string { note(id) } }
            for id in RecordedIDs.ids(in: event) { note(id) }
        }
        return events.map { event in
            let masked = RecordedIDs.replaced(in: .object(event), by: { id in names[id].map { "id-\($0)" } })
            return String(decoding: JSONWriter.bytes(masked), as: UTF8.self)
        }
    }

    mutating func note(_ id: String) { if names[id] == nil { names[id] = names.count } }

    /// Returns the event in a comparable form: a default value looks the same whether written or omitted, and members
    /// that differ in each run are removed.
    private func plain(_ event: JSONObject, keepsPending: Bool) -> JSONObject {
        var event = event
        event.members.removeAll { Self.fleeting.contains($0.name) || $0.value == .null }
        switch event["type"]?.string {
        case "TEXT_MESSAGE_START", "TOOL_CALL_RESULT":
            let isText = event["type"]?.string == "TEXT_MESSAGE_START"
            if event["role"] == nil {
                event.members.append(.init("role", .string(isText ? "assistant" : "tool")))
            }
        case "RUN_FINISHED" where event["outcome"]?["type"]?.string == "success" && !keepsPending:
            event.members.removeAll { $0.name == "outcome" }
        case "MESSAGES_SNAPSHOT":
            guard let place = event.members.firstIndex(where: { $0.name == "messages" }) else { break }
            let messages = event["messages"]?.array ?? []
            let said = messages.lastIndex { $0["role"]?.string == "user" }
            event.members[place].value = .array(
                messages.dropFirst(isAgain ? said.map { $0 + 1 } ?? 0 : earlier).map { message in
                    var message = message.object ?? JSONObject()
                    // The client may return other results.
                    let isOwn = isAgain && message["role"]?.string == "tool"
                    message.members.removeAll { $0.name == "content" && (isOwn || $0.value.string == "") }
                    return .object(message)
                })
        default: break
        }
        return Self.sorted(.object(event)).object ?? event
    }

    private static func sorted(_ value: JSONValue) -> JSONValue {
        switch value {
        case .object(let object):
            .object(
                JSONObject(
                    object.members.filter { $0.name != "expiresAt" }.sorted { $0.name < $1.name }.map {
                        .init($0.name, sorted($0.value))
                    }))
        case .array(let items): .array(items.map(sorted))
        default: value
        }
    }
}
