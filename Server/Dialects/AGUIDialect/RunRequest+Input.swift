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
        digest = Self.digest(of: new.last?.content)
    }

    /// FNV-1a of parts that are no text, of long ones of both ends; 0 where there are none.
    private static func digest(of content: RunContent?) -> UInt64 {
        guard case .parts(let parts)? = content else { return 0 }
        var digest: UInt64 = 0
        func add(_ text: String?) {
            guard let bytes = text?.utf8 else { return }
            let ends = bytes.prefix(AGUILimits.digestBytes).reversed() + bytes.suffix(AGUILimits.digestBytes)
            for byte in ends + [UInt8(truncatingIfNeeded: bytes.count)] {
                digest = (digest ^ UInt64(byte)) &* 0x100_0000_01b3
            }
        }
        for part in parts where part.kind != .text {
            if digest == 0 { digest = 0xcbf2_9ce4_8422_2325 }
            add(part.kind.rawValue)
            switch part.source {
            case .data(let text, _)?, .url(let text, _)?, .file(let text, _, _)?: add(text)
            case nil: break
            }
            for text in [part.binary?.data, part.binary?.url, part.binary?.id] { add(text) }
        }
        return digest
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
        if let last = input.messages.last, last.role == .user { tell(partsOf: last.content, &values) }
        for context in input.context ?? [] where values.count < AGUILimits.givenValues {
            values["context.\(context.description)"] = context.value
        }
        for tool in input.tools ?? [] where values.count < AGUILimits.givenValues {
            values["tools.\(tool.name)"] = "offered"
        }
        return values
    }

    /// `message.image`: the type of media of the first image, or where it stands.
    private static func tell(partsOf content: RunContent?, _ values: inout [String: String]) {
        guard case .parts(let parts)? = content else { return }
        for part in parts.reversed() {
            let media: String? =
                switch part.source {
                case .data(_, let type): type
                case .url(let address, let type): type ?? address
                case .file(let name, _, let type): type ?? name
                case nil: part.binary?.mimeType
                }
            values["message.\(part.kind.rawValue)"] = media ?? part.text ?? ""
        }
        values["message.parts"] = parts.map(\.kind.rawValue).joined(separator: ", ")
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
