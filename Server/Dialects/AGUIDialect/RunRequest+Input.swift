package import ConversationEngine
package import RunWire
import Texts

extension Profile {
    /// A client that names a version gets version 1: of an unknown one, too, since the client decides.
    init(of input: RunInput) {
        let major = input.protocolVersion?.prefix { $0 != "." }
        self = major.flatMap { Int($0) }.map { $0 >= 1 } ?? false ? .v1 : .v0
    }
}

extension Profile {
    /// How a run is told: as its fixture says, or else as was asked.
    init(of run: RunFacts) {
        self = run.manners.profile.flatMap(Profile.init(named:)) ?? Profile(rawValue: run.manner) ?? .v0
    }
}

extension RunInput {
    /// Those that the thread did not have yet: words of the user, or what its tools gave back.
    var newMessages: ArraySlice<RunMessage> {
        guard resume?.isEmpty != false else { return [] }
        guard messages.last?.role == .tool else { return messages.suffix(1) }
        return messages.suffix(messages.reversed().prefix { $0.role == .tool }.count)
    }
}

extension RunRequest {
    /// What a request says and brings along. Only its last words are new; what stands before them was said already.
    /// Without a `profile` the client is told as it asks.
    package init(_ input: RunInput, body: [UInt8], isReplay: Bool = false, profile: Profile? = nil) {
        let profile = profile ?? Profile(of: input)
        self.init(
            thread: input.threadID, run: input.runID, parent: input.parentRunID,
            words: isReplay ? .replay : Self.words(of: input), given: Self.given(input),
            input: String(decoding: body, as: UTF8.self),
            manner: profile.rawValue, toleratesStrangeDecisions: profile == .v1)
        guard !isReplay else { return }
        let new = input.newMessages
        bringsThread = new.count < input.messages.count
        // Clients send an empty object where they have none.
        bringsState = input.state.map { $0 != .null && $0.object?.members.isEmpty != true } ?? false
        if new.last?.role == .user { message = new.last?.id }
        said = Self.said(new, input.state)
    }

    /// What neither the words nor the id of their message tell of a request, as the body of a small one.
    private static func said(_ new: ArraySlice<RunMessage>, _ state: JSONValue?) -> String {
        let isPlain = new.allSatisfy { message in
            guard case .text(let text)? = message.content else { return false }
            return message == RunMessage(id: message.id, role: .user, content: .text(text))
        }
        let messages = isPlain ? [] : Array(new)
        // Of what is too long together, the messages come first: clients take away what they are told no more.
        return body(state, messages) ?? body(nil, messages) ?? body(state, []) ?? ""
    }

    /// nil where it is too long to be kept.
    private static func body(_ state: JSONValue?, _ messages: [RunMessage]) -> String? {
        if messages.isEmpty, state == nil { return "" }
        let body = RunEventWriter.bytes(RunInput(threadID: "", runID: "", state: state, messages: messages))
        return body.count > AGUILimits.saidBytes ? nil : String(decoding: body, as: UTF8.self)
    }

    private static func words(of input: RunInput) -> Words {
        if let resume = input.resume, !resume.isEmpty {
            return .decisions(
                resume.map { entry in
                    RunDecision(
                        ask: entry.interruptID, isResolved: entry.status == .resolved,
                        parts: parts(entry.payload ?? .null))
                })
        }
        guard let last = input.messages.last else { return .nothing }
        switch last.role {
        case .user: return .text(last.content?.text ?? "")
        case .tool:
            let answers = input.messages.reversed().prefix { $0.role == .tool }.reversed()
            return .answers(answers.compactMap(answer))
        default: return .nothing
        }
    }

    private static func answer(_ message: RunMessage) -> RunAnswer? {
        guard let call = message.toolCallID else { return nil }
        let content = message.content?.text ?? ""
        let value = try? JSONReader.read(Array(content.utf8))
        return RunAnswer(
            call: call, content: content, error: message.error, parts: value.map(parts) ?? [:])
    }

    private static func given(_ input: RunInput) -> [String: String] {
        var values = ["run.protocol": "ag-ui", "run.id": input.runID, "run.thread": input.threadID]
        values["run.parent"] = input.parentRunID
        values["run.version"] = input.protocolVersion
        flatten(input.messages.last?.metadata.map { .object($0) } ?? .null, "metadata", 0, &values)
        flatten(input.state ?? .null, "state", 0, &values)
        flatten(input.forwardedProps ?? .null, "props", 0, &values)
        for context in input.context ?? [] where values.count < AGUILimits.givenValues {
            values["context.\(context.description)"] = context.value
        }
        for tool in input.tools ?? [] where values.count < AGUILimits.givenValues {
            values["tools.\(tool.name)"] = "offered"
        }
        return values
    }

    private static func parts(_ value: JSONValue) -> [String: String] {
        var values: [String: String] = [:]
        flatten(value, "", 0, &values)
        return values
    }

    /// Texts, numbers and flags by their paths: `plan.items.0.title`.
    private static func flatten(
        _ value: JSONValue, _ path: String, _ depth: Int, _ values: inout [String: String]
    ) {
        guard depth < AGUILimits.givenDepth, values.count < AGUILimits.givenValues else { return }
        func inner(_ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }
        switch value {
        case .object(let object):
            for member in object.members { flatten(member.value, inner(member.name), depth + 1, &values) }
        case .array(let items):
            for (index, item) in items.enumerated() {
                flatten(item, inner("\(index)"), depth + 1, &values)
            }
        case .null: break
        default:
            let text = value.string ?? String(decoding: JSONWriter.bytes(value), as: UTF8.self)
            values[path.isEmpty ? "value" : path] = text
        }
    }
}
