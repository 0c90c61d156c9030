import Clocks
import ConversationEngine
import HTTPCore
import ServerCore
import Texts
import Timeline

extension ControlAPI {
    private static let eventNames = [
        "as", "by", "text", "suggestions", "attachments", "calls", "type", "payload", "frame",
    ]

    func pushEvent() throws(ControlProblem) -> Response {
        let session = try find(id)
        let body = try body(Self.eventNames)
        let by = try body.shortText("by") ?? ConversationEngine.controls
        guard let kind = try body.choice("as", ["agent", "live-agent", "user", "raw"]) else {
            throw .bad("\"as\" is missing; write \"as\": \"agent\", \"live-agent\", \"user\" or \"raw\".")
        }
        switch kind {
        case "raw": try body.allow(["as", "by", "type", "payload", "frame"])
        case "user": try body.allow(["as", "by", "text", "type", "payload"])
        default: try body.allow(["as", "by", "text", "suggestions", "attachments", "calls"])
        }
        guard !session.hasEnded else {
            throw ControlProblem(
                409, "The session \(session.id) has ended, so nothing more can be sent in it.")
        }
        switch kind {
        case "agent": return push(try agentEvent(body, in: session), in: session, by: by)
        case "live-agent":
            let event = Event.liveAgentMessage(
                message(try RequestedMessage(body)), Self.liveAgent(of: session, by: by))
            return push(event, in: session, by: by)
        case "user":
            var (input, type, event) = try userInput(body, in: session)
            input.mark = recorded(event, type, in: session, by: by)
            return answer(in: session, by: by) { [input] in server.speak(input, in: session.handle, by: by) }
        default:
            if body.has("frame") { return try pushFrame(body, in: session, by: by) }
            return push(try rawEvent(body), in: session, by: by)
        }
    }

    /// Changes a message's text, deletes the message, or changes a reaction to it
    /// (extensions.md#event-ext-message-changed).
    func changeMessage() throws(ControlProblem) -> Response {
        let session = try find(id)
        let body = try body(["message", "as", "by", "text", "deleted", "reaction", "on"])
        let by = try body.shortText("by") ?? ConversationEngine.controls
        let asUser = try body.choice("as", ["agent", "user"]) == "user"
        let isOn = try body.flag("on")
        var kinds: [MessageChange.Kind] = []
        if let text = try body.text("text") { kinds.append(.text(text)) }
        if try body.flag("deleted") == true { kinds.append(.deleted) }
        if let text = try body.text("reaction") { kinds.append(.reaction(text, isOn: isOn ?? true)) }
        guard let kind = kinds.first, kinds.count == 1, isOn == nil || body.has("reaction") else {
            throw .bad(
                "The change is one of \"text\": \"Half past\", \"deleted\": true and \"reaction\": \"👍\", "
                    + "the last also with \"on\": false.")
        }
        let message = try body.text("message")
        let action = OperatorAction.change(kind, of: message == "last" ? nil : message, asUser: asUser)
        var refusal: OperatorRefusal?
        let response = answer(in: session, by: by) {
            refusal = server.apply(action, in: session.handle, by: by)
        }
        if let refusal { throw ControlProblem(409, refusal.description) }
        return response
    }

    /// A streaming session gets the whole text as one chunk.
    private func agentEvent(_ body: ControlBody, in session: Conversation) throws(ControlProblem) -> Event {
        let said = try RequestedMessage(body)
        guard session.isStreaming else { return .agentMessage(message(said)) }
        return .agentChunk(
            Chunk(
                messageID: messageID(), index: server.configuration.poly.replies.firstChunkIndex,
                isComplete: true,
                text: said.text, parts: said.parts))
    }

    private func userInput(
        _ body: ControlBody, in session: Conversation
    ) throws(ControlProblem) -> (input: ClientInput, type: String, event: [UInt8]) {
        guard body.has("type") else {
            guard !body.has("payload") else { throw .bad("\"payload\" goes with \"type\".") }
            let text = try body.neededText("text", example: "Hello")
            let type = Server.fullType(Server.type(ofKind: .userMessage))
            let event: JSONValue = .object([
                "type": .string(type), "payload": .object(["text": .string(text)]),
            ])
            return (ClientInput(.say(text)), type, JSONWriter.bytes(event))
        }
        guard !body.has("text") else {
            throw .bad("\"text\" and \"type\" are two forms of one thing; choose one.")
        }
        let (type, payload) = try rawParts(body)
        let event = JSONWriter.bytes(.object(["type": .string(type), "payload": payload]))
        let decoded = server.decode(event, in: session.handle)
        if case .refused? = decoded?.word {
            throw .bad("\"\(Logger.clip(type))\" with this payload is nothing that a client can say.")
        }
        return (decoded ?? ClientInput(.ignored), type, event)
    }

    /// Records the input like a client's message. Returns its row number.
    private func recorded(
        _ event: [UInt8], _ type: String, in session: Conversation, by author: String
    ) -> UInt32 {
        let socket = session.links.last.flatMap { server.connection(of: $0.id)?.number }
        server.record(
            Row(
                time: now, wallTime: server.wallMoment, direction: .inbound, kind: .ws, session: session.id,
                socket: socket ?? 0, type: Server.shortType(type), raw: event, author: author,
                reading: Server.reading))
        return UInt32(exactly: server.timeline.lastNumber) ?? 0
    }

    private func rawEvent(_ body: ControlBody) throws(ControlProblem) -> Event {
        let (type, payload) = try rawParts(body)
        return .raw(type: type, payload: String(decoding: JSONWriter.bytes(payload), as: UTF8.self))
    }

    private func rawParts(_ body: ControlBody) throws(ControlProblem) -> (type: String, payload: JSONValue) {
        let example = Server.fullType(Server.type(ofKind: .notice))
        var type = try body.neededText("type", example: example)
        // A media type, as in contact sessions, gets no prefix.
        if !type.contains("/") { type = Server.fullType(type) }
        let payload = body.value("payload") ?? .object([:])
        guard case .object = payload else { throw .bad("\"payload\" is no object; write {…}.") }
        return (type, payload)
    }

    private func pushFrame(
        _ body: ControlBody, in session: Conversation, by name: String
    ) throws(ControlProblem) -> Response {
        guard !body.has("type"), !body.has("payload") else {
            throw .bad(
                "\"frame\" is the whole text; leave out \"type\" and \"payload\", or leave out \"frame\".")
        }
        let frame = Array(try body.neededText("frame", example: "any text").utf8)
        let context = OutboundContext(session: session.id, type: "FRAME", author: name)
        var count = 0
        for link in session.links {
            guard let connection = server.connection(of: link.id), connection.webSocket != nil
            else { continue }
            count += 1
            server.deliver(frame, context, to: connection)
        }
        return ControlJSON.response(
            .object(["sequences": .array([]), "connections": ControlJSON.count(count)]))
    }

    private func push(_ event: Event, in session: Conversation, by name: String) -> Response {
        answer(in: session, by: name) {
            server.withEngine {
                $0.push(event, in: session.handle, by: name, at: server.now, into: &$1)
            }
        }
    }

    /// Runs `body`. Answers with the sequence numbers of the new entries of `name`.
    private func answer(in session: Conversation, by name: String, _ body: () -> Void) -> Response {
        let before = session.journal.count
        body()
        let after = server.engine[session.handle]
        let sequences = (after?.journal ?? []).dropFirst(before).filter { $0.pushedBy == name }
            .compactMap(\.sequence)
        return ControlJSON.response(
            .object([
                "sequences": .array(sequences.map { ControlJSON.count($0) }),
                "connections": ControlJSON.count(after?.links.count ?? 0),
            ]))
    }

    private func message(_ said: RequestedMessage) -> Message {
        Message(id: messageID(), text: said.text, parts: said.parts)
    }

    private func messageID() -> String { UniqueID.text("msg_", server.controls.identities.next()) }

    /// Returns the live agent who is responding. If there is none, returns a profile with the name `name`.
    private static func liveAgent(of session: Conversation, by name: String) -> SpeakerProfile {
        switch session.responder {
        case .guest(let profile): profile
        case .liveAgent(let person): session.profile(of: person)
        default: profile(named: name)
        }
    }

    static func profile(named name: String) -> SpeakerProfile {
        let letters = name.lowercased().map { $0.isLetter || $0.isNumber ? $0 : "-" }
        return SpeakerProfile(id: "person-" + String(letters), name: name)
    }
}

struct RequestedMessage {
    var text: String
    var parts = MessageParts()

    /// A body without any part of a message is an error.
    init(_ body: ControlBody) throws(ControlProblem) {
        text = try body.text("text") ?? ""
        for (index, value) in try body.list("suggestions").enumerated() {
            if let text = value.string {
                parts.suggestions.append(Suggestion(text: text))
            } else if let text = value["text"]?.string {
                parts.suggestions.append(Suggestion(text: text, payload: value["payload"]?.string))
            } else {
                throw .bad("\"suggestions[\(index)]\" is no text; write \"Yes\" or {\"text\": \"Yes\"}.")
            }
        }
        for item in try body.bodies("attachments") {
            try item.allow(["link", "image", "preview", "title", "button"])
            let (link, image) = (try item.text("link"), try item.text("image"))
            guard let url = link ?? image, link == nil || image == nil else {
                throw .bad("\(item.name("link")) or \(item.name("image")) must be there, and not both.")
            }
            parts.attachments.append(
                Attachment(
                    kind: image == nil ? .link : .image, url: url, preview: try item.text("preview"),
                    title: try item.text("title"), button: try item.text("button")))
        }
        for item in try body.bodies("calls") {
            try item.allow(["title", "number"])
            parts.calls.append(
                CallAction(
                    title: try item.neededText("title", example: "Call us"),
                    number: try item.neededText("number", example: "+441234567890")))
        }
        guard !text.isEmpty || parts != MessageParts() else {
            throw .bad("Nothing is said; write \"text\": \"Hello\", or suggestions, attachments or calls.")
        }
    }
}

extension ControlRoute {
    static let events: [ControlRoute] = [
        .init(
            "pushEvent", "POST", "sessions/{id}/events", "Tell a session's clients something at once",
            body: .object, refuses: [409], .once(ControlAPI.pushEvent)),
        .init(
            "changeMessage", "POST", "sessions/{id}/changes", "Change a message of a session", body: .object,
            refuses: [409], .once(ControlAPI.changeMessage)),
    ]
}
