import Clocks
import ConversationEngine
import DialectKit
import HTTPCore
import Texts

/// Files of sessions with the extension `files` (extensions.md#file-request). For other sessions, the paths are
/// unknown.
extension PolyDialect {
    private static let upload = "upload"

    /// Answers `POST /api/v1/sessions/{session}/files`.
    func announceFile(
        _ request: Request, _ reply: ResponseBuilder, host: inout any DialectContext
    ) -> Answer {
        guard let session = askingSession(request, host) else { return .unknownPath }
        return .response(announceFile(request, in: session, reply, &host))
    }

    private func announceFile(
        _ request: Request, in session: SessionView, _ reply: ResponseBuilder,
        _ host: inout any DialectContext
    ) -> Response {
        guard let text = request.head.headers["Authorization"].flatMap(Self.bearer),
            let token = try? token(text, host: &host),
            options.tokens.binding == .off || session.owner == owner(token, text: text)
        else { return reply.refusal(.invalidToken, because: "access token refused for a file", &host) }
        guard let file = FileAnnouncement(request.body) else {
            return reply.refusal(
                .unreadableRequest,
                because: "a file needs a name without slashes and control characters, a media type, each of "
                    + "\(PolyLimits.fileWordBytes) bytes at most, and a size of at least 1", &host)
        }
        guard host.enter(session.handle) else { return reply.status(503) }
        let (now, id) = (host.now, host.uniqueID().text)
        let end = now + PolyLimits.uploadTime
        host.shelf.expire(at: now)
        do throws(AttachmentStore.Refusal) {
            try host.shelf.announce(
                id, name: file.name, type: file.type, size: file.size, session: session.id, until: end)
        } catch {
            host.log("poly: file refused: \(error.words)")
            if case .tooLarge = error { return reply.status(413, detail: error.words) }
            return reply.status(409, detail: error.words)
        }
        let link = host.shelf.link(to: id, as: Self.upload, until: end)
        let path = "\(Path.sessions)/\(session.id)/files/\(link)"
        var response = reply.success([
            "file_id": .string(id), "upload_url": .string(origin(request, host) + path),
            "expires_at": .string(TimeStamp.text(nanoseconds: end.nanoseconds)),
        ])
        response.status = 201
        return response
    }

    /// Answers a PUT to an `upload_url`.
    func receiveFile(
        _ request: Request, _ reply: ResponseBuilder, host: inout any DialectContext
    ) -> Answer {
        guard let session = askingSession(request, host) else { return .unknownPath }
        return .response(receiveFile(request, in: session, reply, &host))
    }

    private func receiveFile(
        _ request: Request, in session: SessionView, _ reply: ResponseBuilder,
        _ host: inout any DialectContext
    ) -> Response {
        guard let file = announced(request, host), host.enter(session.handle) else {
            host.log("poly: upload refused: its link leads to no file of this session")
            return reply.status(404)
        }
        do throws(AttachmentStore.Refusal) {
            try host.shelf.receive(request.body, of: file.id)
            try host.shelf.judge(file.id)
        } catch {
            host.log("poly: upload refused: \(error.words)")
            return reply.status(error == .notExpected ? 409 : 400, detail: error.words)
        }
        let arrived = UserFile(id: file.id, name: file.name, type: file.type, byteCount: file.size)
        _ = host.receive(ClientInput(.file(arrived)), in: session.handle)
        return reply.success(["file_id": .string(file.id), "state": .string("ready")])
    }

    /// Decides to read the body of an upload only if it can be the body of the announced file.
    func judgeUpload(_ request: Request, _ host: any DialectContext) -> HeadJudgement {
        guard askingSession(request, host) != nil, let file = announced(request, host),
            file.state == .announced
        else { return .answer }
        let length = request.head.headers["Content-Length"].flatMap { Int($0) }
        return length == nil || length == file.size ? .body : .answer
    }

    private func askingSession(_ request: Request, _ host: any DialectContext) -> SessionView? {
        guard let session = host.session(id: request.values["session"] ?? ""), !session.hasEnded,
            session.extensions.contains(.files)
        else { return nil }
        return session
    }

    private func announced(_ request: Request, _ host: any DialectContext) -> AttachmentStore.File? {
        guard let (file, use) = try? host.shelf.file(of: request.values["link"] ?? "", at: host.now),
            use == Self.upload, file.session == request.values["session"]
        else { return nil }
        return file
    }

    /// Returns the origin under which the client has reached the server.
    private func origin(_ request: Request, _ host: any DialectContext) -> String {
        let scheme = request.head.headers["X-Forwarded-Proto"] == "https" ? "https" : "http"
        return "\(scheme)://\(request.head.headers["Host"] ?? "localhost:\(host.port)")"
    }
}

private struct FileAnnouncement {
    let name: String
    let type: String
    let size: Int

    init?(_ bytes: [UInt8]) {
        guard let object = (try? JSONReader.read(bytes))?.object, let name = object["name"]?.string,
            let type = object["type"]?.string, case .integer(let size)? = object["size"], size > 0,
            [name, type].allSatisfy({ (1...PolyLimits.fileWordBytes).contains($0.utf8.count) }),
            name.unicodeScalars.allSatisfy(Self.isNamed), ![".", ".."].contains(name), Self.isMediaType(type)
        else { return nil }
        (self.name, self.type, self.size) = (name, type, Int(clamping: size))
    }

    /// Whether a file's name may have the character (extensions.md#file-words).
    private static func isNamed(_ scalar: Unicode.Scalar) -> Bool {
        if scalar == "/" || scalar == "\\" { return false }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: return false
        default: return true
        }
    }

    /// Whether the text is `type/subtype`, each of ASCII letters, digits, `+`, `-`, `.` and `_`.
    private static func isMediaType(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        return parts.count == 2
            && parts.allSatisfy { part in
                !part.isEmpty
                    && part.allSatisfy { byte in
                        switch byte {
                        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
                            UInt8(ascii: "."), UInt8(ascii: "_"):
                            true
                        default: false
                        }
                    }
            }
    }
}

extension Extensions {
    private static let all: [(name: String, value: Extensions)] = [
        ("changes", .changes), ("receipts", .receipts), ("files", .files),
    ]

    /// Creates the set of the named extensions. Leaves out unknown names (extensions.md#asking).
    init(names: [String]) {
        self = Self.all.reduce(into: []) { if names.contains($1.name) { $0.insert($1.value) } }
    }

    var names: [String] { Self.all.filter { contains($0.value) }.map(\.name) }
}
