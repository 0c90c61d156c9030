package import ConversationEngine
package import RunWire
import Texts

extension RunProfile {
    /// Version 1 if the major number of `protocolVersion` is 1 or higher; otherwise version 0.
    init(of input: RunInput) {
        let major = input.protocolVersion?.prefix { $0 != "." }
        self = major.flatMap { Int($0) }.map { $0 >= 1 } ?? false ? .v1 : .v0
    }
}

extension RunProfile {
    /// The version of a run: the fixture's, otherwise that of the configuration or the request.
    init(of run: RunInfo) {
        self = run.profile.flatMap(RunProfile.init(named:)) ?? RunProfile(rawValue: run.manner) ?? .v0
    }
}

extension RunInput {
    /// The last message or, if it is a tool result, all tool results at the end. Empty if the request has decisions.
    var newMessages: ArraySlice<RunMessage> {
        guard resume?.isEmpty != false else { return [] }
        guard messages.last?.role == .tool else { return messages.suffix(1) }
        return messages.suffix(messages.reversed().prefix { $0.role == .tool }.count)
    }
}

extension RunRequest {
    /// If `profile` is nil, the request's version is used.
    package init(_ input: RunInput, body: RunBody, isReplay: Bool = false, profile: RunProfile? = nil) {
        let profile = profile ?? RunProfile(of: input)
        self.init(
            thread: input.threadID, run: input.runID, parent: input.parentRunID,
            words: isReplay ? .replay : Self.words(of: input), given: Self.given(input),
            input: body,
            manner: profile.rawValue, toleratesStrangeDecisions: profile == .v1)
        guard !isReplay else { return }
        let new = input.newMessages
        bringsThread = new.count < input.messages.count
        // An empty object does not replace the thread's state.
        bringsState = input.state.map { $0 != .null && $0.object?.members.isEmpty != true } ?? false
        if new.last?.role == .user { message = new.last?.id }
        said = Self.said(new, input.state)
        digest = Self.digest(of: new.last?.content)
        files = Self.files(of: new.last)
    }

    /// Returns a hash over both ends of each part that is not text.
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

    /// Returns the new messages and the state of a request as JSON. Leaves out the messages if they are plain texts of
    /// the user, which `words` and `message` contain.
    private static func said(_ new: ArraySlice<RunMessage>, _ state: JSONValue?) -> String {
        let isPlain = new.allSatisfy { message in
            message.role == .user && message.isPlainText
        }
        let messages = isPlain ? [] : Array(new)
        if isPlain, state == .object(JSONObject()) { return emptyState }
        // If both together are too long, the messages are stored alone; if these are too long, the state alone.
        return body(state, messages) ?? body(nil, messages) ?? body(state, []) ?? ""
    }

    /// The usual case, for 50 in place of 3,500 instructions.
    private static let emptyState = body(.object(JSONObject()), []) ?? ""

    private static func body(_ state: JSONValue?, _ messages: [RunMessage]) -> String? {
        if messages.isEmpty, state == nil { return "" }
        guard messages.count < AGUILimits.saidBytes else { return nil }
        let body = RunEventWriter.bytes(RunInput(threadID: "", runID: "", state: state, messages: messages))
        return body.count > AGUILimits.saidBytes ? nil : String(decoding: body, as: UTF8.self)
    }

    private static func words(of input: RunInput) -> Content {
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
        return RunAnswer(call: call, content: content, error: message.error, parts: value.map(parts) ?? [:])
    }

    private static func given(_ input: RunInput) -> [String: String] {
        // Room for these and for the fields of a usual head, which saves four larger tables.
        var given = GivenValues(room: 12)
        given.add("run.protocol", "ag-ui")
        given.add("run.id", input.runID)
        given.add("run.thread", input.threadID)
        given.add("run.parent", input.parentRunID)
        given.add("run.message", input.messages.last?.id)
        given.add("run.version", input.protocolVersion)
        given.flatten(input.messages.last?.metadata.map { .object($0) } ?? .null, "metadata")
        given.flatten(input.state ?? .null, "state")
        given.flatten(input.forwardedProps ?? .null, "props")
        if let last = input.messages.last, last.role == .user { add(partsOf: last.content, to: &given) }
        for context in input.context ?? [] {
            guard given.add("context.\(context.description)", context.value) else { break }
        }
        for tool in input.tools ?? [] {
            guard given.add("tools.\(tool.name)", "offered") else { break }
        }
        return given.values
    }

    /// Adds a value for each kind of part, such as `message.image`.
    private static func add(partsOf content: RunContent?, to given: inout GivenValues) {
        guard case .parts(let parts)? = content else { return }
        for part in parts.reversed() {
            let media: String? =
                switch part.source {
                case .data(_, let type): type
                case .url(let address, let type): type ?? address
                case .file(let name, _, let type): type ?? name
                case nil: part.binary?.mimeType
                }
            given.add("message.\(part.kind.rawValue)", media ?? part.text ?? "")
        }
        given.add("message.parts", parts.map(\.kind.rawValue).joined(separator: ", "))
    }

    private static func files(of message: RunMessage?) -> [UserFile] {
        guard let message, message.role == .user, case .parts(let parts)? = message.content else { return [] }
        let files = parts.prefix(AGUILimits.givenValues).enumerated().filter { $1.kind != .text }
        return files.map { place, part in
            let (name, type): (String?, String?) =
                switch part.source {
                case .data(_, let type): (nil, type)
                case .url(let address, let type): (address, type)
                case .file(let name, _, let type): (name, type)
                case nil: (nil, part.binary?.mimeType)
                }
            // Without a media type, an image has the type `image/`, which rules for `image/*` match.
            return UserFile(
                id: "\(message.id)-\(place + 1)", name: name ?? part.kind.rawValue,
                type: type ?? part.kind.rawValue + "/", byteCount: 0)
        }
    }

    private static func parts(_ value: JSONValue) -> [String: String] {
        var given = GivenValues()
        given.flatten(value, "")
        return given.values
    }
}

/// Values for placeholders and conditions by name, limited in number and size.
private struct GivenValues {
    private(set) var values: [String: String] = [:]
    private var room = AGUILimits.givenBytes

    init(room count: Int = 0) { values.reserveCapacity(count) }

    /// Adds a value, unless it is nil or too long. Returns false if the maximum number or total size was reached.
    @discardableResult
    mutating func add(_ name: String, _ value: String?) -> Bool {
        guard let value else { return true }
        guard values.count < AGUILimits.givenValues, room > 0 else { return false }
        let size = name.utf8.count + value.utf8.count
        guard size <= min(room, AGUILimits.givenValueBytes) else { return true }
        room -= size
        values[name] = value
        return true
    }

    /// Adds strings, numbers and Boolean values by path, such as `plan.items.0.title`.
    @discardableResult
    mutating func flatten(_ value: JSONValue, _ path: String, _ depth: Int = 0) -> Bool {
        guard depth < AGUILimits.givenDepth, path.utf8.count < AGUILimits.givenValueBytes else { return true }
        func inner(_ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }
        switch value {
        case .object(let object):
            for member in object.members {
                guard flatten(member.value, inner(member.name), depth + 1) else { return false }
            }
        case .array(let items):
            for (index, item) in items.enumerated() {
                guard flatten(item, inner("\(index)"), depth + 1) else { return false }
            }
        case .null: break
        default:
            let text = value.string ?? String(decoding: JSONWriter.bytes(value), as: UTF8.self)
            return add(path.isEmpty ? "value" : path, text)
        }
        return true
    }
}
