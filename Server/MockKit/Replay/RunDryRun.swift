import Clocks
import Fixtures
import HTTPClient
import MockServer
import Texts

/// A check that a fixture reproduces the recorded run: plays the fixture and compares the events.
struct RunDryRun: Sendable {
    let recording: RunRecording
    let fixture: RecordedFixture

    func difference() async -> String? {
        var plan = MockPlan(fixture.text)
        plan.unmatched = .pass
        plan.violations = .pass
        plan.settings.checksProtocol = false
        var found: String?
        let failure = await Mock.failure(of: plan) { mock in found = try await difference(on: mock) }
        return failure.map { "it cannot be played: \($0)" } ?? found
    }

    private func difference(on mock: Mock) async throws -> String? {
        var wanted = Masked()
        var played = Masked()
        var words = fixture.says[...]
        var question = RunQuestion(says: words.popFirst(), thread: "thread", run: "run-1")
        if recording.events[0].body["protocolVersion"] != nil { question.version = "1.0" }
        var number = 1
        var place = 0
        while place < recording.events.count {
            let events = try await ask(question, on: mock)
            for event in events {
                guard place < recording.events.count else {
                    return "an event follows the last one: \(event["type"]?.string ?? "")"
                }
                let recorded = recording.events[place]
                let (mine, theirs) = (played.line(event), wanted.line(recorded.body))
                guard mine == theirs else {
                    return "line \(recorded.line) was \(Self.cut(theirs)), and is \(Self.cut(mine))"
                }
                place += 1
            }
            guard place < recording.events.count, !events.isEmpty else { break }
            number += 1
            question.run = "run-\(number)"
            question.goOn(after: events, or: &words)
        }
        guard place < recording.events.count else { return nil }
        return "line \(recording.events[place].line) and what follows do not come"
    }

    private func ask(_ question: RunQuestion, on mock: Mock) async throws -> [JSONObject] {
        let answer = try await mock.answer(to: question)
        if let refusal = answer.refusal { throw MockError(refusal) }
        do throws(RunRecording.Problem) {
            return try RunRecording(answer.bytes).events.map(\.body)
        } catch {
            throw MockError("\(error)")
        }
    }

    private static func cut(_ line: String) -> String {
        line.count > 160 ? line.prefix(160) + "…" : line
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
    /// Prepares the next request. It approves interrupts, returns results of open tool calls, or sends the next
    /// message.
    fileprivate mutating func goOn(after events: [JSONObject], or words: inout ArraySlice<String>) {
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
        // A run that finishes directly after a tool call needs the results from the client. Other runs do not.
        if events.dropLast().last?["type"]?.string == "TOOL_CALL_END", !open.isEmpty,
            events.last?["type"]?.string == "RUN_FINISHED"
        {
            answers = open.enumerated().map { number, call in
                .object([
                    "id": .string("\(run)-a\(number)"), "role": .string("tool"), "toolCallId": call,
                    "content": .string("done"),
                ])
            }
            return
        }
        says = words.popFirst() ?? "Hello"
    }
}

/// Comparable events: ids are replaced by their order of appearance, and members that differ in each run are removed.
private struct Masked {
    private static let ids: Set<String> = [
        "threadId", "runId", "messageId", "parentMessageId", "toolCallId", "entityId", "pendingToolCallIds",
    ]
    private static let fleeting: Set<String> = [
        "timestamp", "expiresAt", "input", "protocolVersion", "parentRunId",
    ]
    private var names: [String: Int] = [:]
    private var namesAll = false

    mutating func line(_ event: JSONObject) -> String {
        namesAll = ["MESSAGES_SNAPSHOT", "RUN_FINISHED"].contains(event["type"]?.string)
        return String(decoding: JSONWriter.bytes(masked(.object(event), isTop: true)), as: UTF8.self)
    }

    private mutating func masked(_ value: JSONValue, isTop: Bool) -> JSONValue {
        switch value {
        case .object(let object):
            var members: [JSONObject.Member] = []
            for member in object.members.sorted(by: { $0.name < $1.name })
            where !(isTop || member.name == "expiresAt") || !Self.fleeting.contains(member.name) {
                let isID = Self.ids.contains(member.name) || namesAll && member.name == "id"
                members.append(
                    .init(member.name, isID ? name(member.value) : masked(member.value, isTop: false)))
            }
            return .object(JSONObject(members))
        case .array(let items): return .array(items.map { masked($0, isTop: false) })
        default: return value
        }
    }

    private mutating func name(_ id: JSONValue) -> JSONValue {
        if case .array(let items) = id { return .array(items.map { name($0) }) }
        guard let text = id.string else { return id }
        let number = names[text] ?? names.count
        names[text] = number
        return .string("id-\(number)")
    }
}
