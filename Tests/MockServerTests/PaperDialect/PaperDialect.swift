import Clocks
import ConversationEngine
import DialectKit
import HTTPCore
import Timeline

/// A protocol that nobody uses. It uses each seam between server and protocol once, so that a missing seam is a test
/// that cannot be written. Everything on its wire is a line of text: `PAPER 404 no such room`.
struct PaperDialect: Dialect {
    var options = PaperOptions()
    /// A visitor's own word for a room.
    enum Door: SessionNaming {}

    var name: String { "paper" }
    var prefixes: [String] { ["/paper"] }
    var exposedFields: [String] { ["X-Paper"] }
    var protocolRules: any ClientProtocolRules { PaperProtocolRules() }
    var reading: RowReading { Self.reading }

    var routes: [Route] {
        [
            Route("/paper/rooms", methods: ["POST"], operation: "OpenRoom", bodyBytes: 100),
            Route("/paper/rooms/{room}/notes", methods: ["POST"], operation: "Note", bodyBytes: 1_000),
            Route("/paper/rooms/{room}/notes", methods: ["GET"], operation: "ListNotes"),
            Route("/paper/rooms/{room}/notes/{n}", methods: ["GET"], operation: "GetNote"),
            Route("/paper/rooms/{room}/person", methods: ["POST"], operation: "Person"),
            Route("/paper/rooms/{room}/signs/{sign}", methods: ["POST"], operation: "Sign"),
            Route("/paper/rooms/{room}/line", methods: ["GET"], operation: "Line", isWebSocket: true),
            Route("/paper/rooms/{room}/stream", methods: ["GET"], operation: "Stream"),
            Route("/paper/rooms/{room}/files/{name}", methods: ["PUT", "put"], operation: "PutFile"),
            Route("/paper/files/{link}", methods: ["GET"], operation: "GetFile"),
        ]
    }

    private static let reading = RowReading { raw in
        var facts = RowIDs()
        facts.type = "line"
        let words = String(decoding: raw, as: UTF8.self).split { $0 == " " || $0 == "\r\n" || $0 == "\n" }
        facts.localID = words.first { $0.hasPrefix("#") }.map { String($0.dropFirst()) }
        return facts
    }

    // MARK: - Requests

    func answer(_ request: Request, host: inout any DialectContext) -> Answer {
        if request.operation == "OpenRoom" { return open(request, &host) }
        if request.operation == "GetFile" { return file(request, host) }
        let name = request.values["room"] ?? ""
        guard let room = host.held(name, called: "room", or: Door.self) else {
            return .response(Self.words(404, "no such room"))
        }
        guard host.enter(room.handle) else { return .response(Self.words(500, "never sent")) }
        switch request.operation {
        case "Note": return note(request, room.handle, &host)
        case "ListNotes": return .response(list(request, host.journal(of: room.handle)))
        case "GetNote":
            let number = UInt64(request.values["n"] ?? "") ?? 0
            let found = MessageFold.messages(in: host.journal(of: room.handle)).first {
                $0.sequence == number
            }
            guard let found else { return .response(Self.words(404, "no such note")) }
            return .response(Self.text(200, Self.line(found)))
        case "Person":
            let text = String(decoding: request.body, as: UTF8.self)
            _ = host.apply(.join(SpeakerProfile(id: "p", name: "Pia")), in: room.handle, by: "paper")
            return .response(delivered(host.apply(.send(text: text), in: room.handle, by: "paper")))
        case "Sign":
            let input: ClientInput.Word =
                request.values["sign"] == "typing"
                ? .typing(.started)
                : .receipt(.userRead, messageID: String(decoding: request.body, as: UTF8.self))
            return .response(delivered(host.receive(ClientInput(input), in: room.handle)))
        case "Line": return .connect(room.handle, cursor: .max, note: nil)
        case "Stream":
            let cursor = UInt64(request.query("after") ?? "0") ?? 0
            return .stream(room.handle, cursor: cursor, headers: ["X-Paper": "stream"])
        case "PutFile": return .response(put(request, room.id, &host))
        default: return .response(Self.words(404, "nothing here"))
        }
    }

    private func open(_ request: Request, _ host: inout any DialectContext) -> Answer {
        guard request.head.headers["Authorization"] == "Paper \(options.ink)" else {
            return .response(Self.words(401, "no ink"))
        }
        let alias = String(decoding: request.body, as: UTF8.self)
        let wish = SessionRequest(
            owner: options.ink, scenario: nil, isStreaming: false,
            terms: ProtocolDefaults(
                idle: .minutes(20), connections: options.connections, overLimit: .closeOldest,
                relaysTyping: true, userMessagePrefix: "note-", agentMessagePrefix: "letter-"))
        guard case .opened(let id) = host.openSession(wish), let room = host.session(id: id) else {
            return .response(Self.words(503, "no room"))
        }
        if !alias.isEmpty { host.name(room.handle, SessionName(alias, as: Door.self)) }
        _ = host.receive(ClientInput(.join(greeting: nil)), in: room.handle)
        return .response(Self.text(201, "ROOM \(id)"))
    }

    private func note(
        _ request: Request, _ room: SessionHandle, _ host: inout any DialectContext
    ) -> Answer {
        guard request.head.headers["Content-Type"] == "text/plain" else {
            return .response(Self.words(415, "notes are text/plain"))
        }
        let text = String(decoding: request.body, as: UTF8.self)
        switch host.receive(ClientInput(.say(text)), in: room) {
        case .refused(let reason): return .response(Self.words(409, reason))
        case .recorded(let entries):
            let own = entries.first { $0.kind == .userMessage }
            return .response(
                Self.text(201, "NOTE \(own?.sequence ?? 0) \(own?.time.nanoseconds ?? 0)"))
        }
    }

    private func list(_ request: Request, _ journal: [JournalEntry]) -> Response {
        let limit = Int(request.query("limit") ?? "") ?? 100
        let messages =
            if let before = request.query("before").flatMap(UInt64.init) {
                MessageFold.messages(in: journal, before: before, limit: limit)
            } else {
                MessageFold.messages(
                    in: journal, after: request.query("after").flatMap(UInt64.init) ?? 0, limit: limit)
            }
        return Self.text(200, messages.map(Self.line).joined(separator: "\n"))
    }

    private func delivered(_ voiced: ActionResult) -> Response {
        switch voiced {
        case .recorded(let entries): Self.text(200, "TOLD \(entries.count)")
        case .refused(let reason): Self.words(409, reason)
        }
    }

    private func put(_ request: Request, _ room: String, _ host: inout any DialectContext) -> Response {
        let id = host.uniqueID().text
        do throws(AttachmentStore.Refusal) {
            try host.shelf.announce(
                id, name: request.values["name"] ?? "", type: "text/plain", size: request.body.count,
                session: room)
            try host.shelf.receive(request.body, of: id)
            try host.shelf.judge(id)
        } catch {
            return Self.words(422, "\(error)")
        }
        return Self.text(201, "LINK /paper/files/\(host.shelf.link(to: id, until: host.now + .minutes(1)))")
    }

    private func file(_ request: Request, _ host: any DialectContext) -> Answer {
        do throws(AttachmentStore.Refusal) {
            let file = try host.shelf.open(request.values["link"] ?? "", at: host.now).file
            return .response(Response(status: 200, headers: ["Content-Type": file.type], body: file.bytes))
        } catch {
            return .response(Self.words(error == .expiredLink ? 410 : 403, "\(error)"))
        }
    }

    func refuse(_ denial: Rejection, request: Request, host: inout any DialectContext) -> Response {
        switch denial {
        case .status(let status, let type, _, _, let retryAfter):
            var response = Self.words(status, "refused")
            if let name = type ?? denial.kind.map({ "\($0)" }) { response.headers.set("X-Paper-Error", name) }
            if let retryAfter { response.headers.set("Retry-After", "\(retryAfter.seconds)") }
            return response
        case .problem(let problem, _): return Self.words(400, problem.rawValue)
        }
    }

    private static func words(_ status: Int, _ text: String) -> Response {
        Self.text(status, "PAPER \(status) \(text)")
    }

    private static func text(_ status: Int, _ text: String) -> Response {
        Response(status: status, headers: ["Content-Type": "text/paper"], body: Array("\(text)\n".utf8))
    }

    static func line(_ message: TalkMessage) -> String {
        let author =
            switch message.author {
            case .user: "user"
            case .agent: "agent"
            case .liveAgent(let profile): profile.name
            }
        let receipts = message.receipts.isEmpty ? "" : " (read)"
        return "\(message.sequence) \(author): \(message.text)\(receipts)"
    }

    // MARK: - Connections

    func encoder(of session: String) -> any SessionEncoder { PaperEncoder(silence: options.silence) }
}

/// Whoever shouts on a line breaks the one protocol rule there is.
struct PaperProtocolRules: ClientProtocolRules {
    static let protocolRule = ProtocolRule(
        id: "paper-quiet", title: "do not shout", source: "paper", advice: "Leave out the exclamation marks.")

    var all: [ProtocolRule] { [Self.protocolRule] }

    mutating func judge(
        _ deed: borrowing ClientActivity, at now: Instant, place: inout Int
    ) -> [Violation] { [] }

    mutating func judge(
        _ decoded: Decoded, _ bytes: [UInt8], of session: String, on connection: UInt64, at now: Instant,
        place: inout Int
    ) -> [Violation] {
        guard bytes.contains(UInt8(ascii: "!")) else { return [] }
        return [
            Violation(
                protocolRule: Self.protocolRule, session: session, connection: connection, at: now,
                event: nil, detail: "a shout of \(bytes.count) bytes")
        ]
    }
}
