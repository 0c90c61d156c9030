import Clocks
import ConversationEngine
import DialectKit
import Expectations
import HTTPCore
import PolyDialect
import Testing
import Texts

/// extensions.md#file-request
@Suite("POST /api/v1/sessions/{id}/files")
struct FileRouteTests {
    private let exchange = Exchange()
    private static let file = #"{"name":"menu.pdf","type":"application/pdf","size":4}"#

    private func opened(_ extensions: Extensions = [.files]) throws -> (token: String, session: String) {
        let opened = try exchange.opened()
        exchange.host.sessions[opened.session]?.extensions = extensions
        return opened
    }

    private func request(
        _ method: String, _ session: String, link: String? = nil, authorization: String? = nil, body: String
    ) -> Request {
        let path = "/api/v1/sessions/\(session)/files" + (link.map { "/" + $0 } ?? "")
        var headers: HeaderFields = ["Host": "127.0.0.1:8080", "Content-Length": "\(body.utf8.count)"]
        if let authorization { headers.append("Authorization", authorization) }
        var values = ["session": session]
        if let link { values["link"] = link }
        return Request(
            head: RequestHead(method: method, target: path, headers: headers), path: path, query: [],
            body: Array(body.utf8), operation: link == nil ? "AnnounceFile" : "UploadFile", values: values)
    }

    private func answer(_ request: Request) throws -> Reply {
        var host: any DialectContext = exchange.host
        return try Reply(exchange.dialect.answer(request, host: &host))
    }

    private func isUnknown(_ opened: (token: String, session: String)) -> Bool {
        var host: any DialectContext = exchange.host
        let request = request(
            "POST", opened.session, authorization: "Bearer " + opened.token, body: Self.file)
        if case .unknownPath = exchange.dialect.answer(request, host: &host) { return true }
        return false
    }

    private func announce(_ opened: (token: String, session: String), _ body: String = file) throws -> Reply {
        try answer(
            request("POST", opened.session, authorization: "Bearer " + opened.token, body: body))
    }

    private func link(_ reply: Reply) throws -> String {
        let url = try #require(reply.json["upload_url"]?.string)
        return String(try #require(url.split(separator: "/").last))
    }

    @Test("The answer has the id, an address at the host that was asked, and the time until which it holds")
    func announced() throws {
        let opened = try opened()
        let reply = try announce(opened)
        expectEqual(reply.status, 201)
        let id = try #require(reply.json["file_id"]?.string)
        expectEqual(
            reply.json["upload_url"]?.string?.hasPrefix(
                "http://127.0.0.1:8080/api/v1/sessions/\(opened.session)/files/\(id)."), true)
        expectEqual(reply.json["expires_at"], .string("2026-01-15T09:45:00.000Z"))
        expectEqual(exchange.host.shelf[id]?.state, .announced)
    }

    /// extensions.md#file-upload
    @Test("The announced bytes are taken once; other lengths, links, sessions and times are refused")
    func uploaded() throws {
        let opened = try opened()
        let link = try link(try announce(opened))
        func put(_ body: String, _ link: String, _ session: String) throws -> Int {
            try answer(request("PUT", session, link: link, body: body)).status
        }
        let other = try self.opened()
        try expectEqual(put("soup", link, other.session), 404)
        try expectEqual(put("soup", link + "x", opened.session), 404)
        try expectEqual(put("soups", link, opened.session), 400)
        try expectEqual(put("soup", link, opened.session), 200)
        try expectEqual(put("soup", link, opened.session), 409)
        expectEqual(
            exchange.host.inputs.map(\.word),
            [
                .file(
                    UserFile(
                        id: try #require(exchange.host.shelf.files(of: opened.session).first?.id),
                        name: "menu.pdf", type: "application/pdf", byteCount: 4))
            ])
        let late = try self.link(try announce(opened))
        exchange.host.now = exchange.host.now + PolyLimits.uploadTime
        try expectEqual(put("soup", late, opened.session), 404)
    }

    @Test("A body that cannot be the announced one is not read")
    func judged() throws {
        let opened = try opened()
        let link = try link(try announce(opened))
        func isRead(_ body: String, _ link: String) -> Bool {
            var host: any DialectContext = exchange.host
            let request = request("PUT", opened.session, link: link, body: body)
            if case .body = exchange.dialect.judge(request, host: &host) { return true }
            return false
        }
        #expect(isRead("soup", link))
        #expect(!isRead("soups", link))
        #expect(!isRead("soup", "x"))
    }

    /// extensions.md#not-asked
    @Test("A session that asked for no files, another owner's token and an ended session get no file")
    func strangers() throws {
        let plain = try opened([.changes, .receipts])
        #expect(isUnknown(plain))
        let asking = try opened()
        try expectEqual(announce((plain.token, asking.session)).row, "401 Invalid access token")
        try expectEqual(announce(("nonsense", asking.session)).row, "401 Invalid access token")
        exchange.host.sessions[asking.session]?.hasEnded = true
        #expect(isUnknown(asking))
    }

    /// extensions.md#file-words
    @Test(
        "Hostile names, types and sizes are refused",
        arguments: [
            ("", "text/plain", "1"), ("../../etc/passwd", "text/plain", "1"), ("a\\\\b", "text/plain", "1"),
            ("..", "text/plain", "1"), ("a\\r\\nSet-Cookie: x", "text/plain", "1"),
            ("a\\u0000b", "text/plain", "1"), ("cod\\u202Egpj.exe", "text/plain", "1"),
            (String(repeating: "x", count: 256), "text/plain", "1"), ("a", "text", "1"),
            ("a", "text/plain; charset=x", "1"), ("a", "/", "1"), ("a", "text/pl\\nain", "1"),
            ("a", String(repeating: "x", count: 256) + "/y", "1"), ("a", "text/plain", "0"),
            ("a", "text/plain", "-1"), ("a", "text/plain", "1.5"), ("a", "text/plain", "\"1\""),
        ] as [(String, String, String)])
    func hostile(_ name: String, _ type: String, _ size: String) throws {
        let body = #"{"name":"\#(name)","type":"\#(type)","size":\#(size)}"#
        try expectEqual(announce(try opened(), body).row, "400 Error parsing request")
        expectEqual(exchange.host.lines.last?.hasPrefix("poly: a file needs a name"), true)
    }

    /// extensions.md#file-words
    @Test("A file above the limit is 413, one above the number of a session 409, each with a log line")
    func limits() throws {
        let opened = try opened()
        let most = AttachmentStore.Limits().fileBytes
        func ask(_ size: Int) throws -> Int {
            try announce(opened, #"{"name":"größe ✓.bin","type":"application/x","size":\#(size)}"#).status
        }
        try expectEqual(ask(most + 1), 413)
        expectEqual(exchange.host.lines.last, "poly: file refused: a file takes \(most) bytes at most")
        for _ in 0..<100 { try expectEqual(ask(1), 201) }
        try expectEqual(ask(1), 409)
        expectEqual(exchange.host.lines.last, "poly: file refused: there are 100 files, no more are taken")
    }
}

/// extensions.md#asking
@Suite("Sessions that ask for extensions")
struct AskingTests {
    @Test(
        "A list is taken by its known names; anything else is refused",
        arguments: [
            ("null", []), ("[]", []), (#"["changes"]"#, [.changes]),
            (#"["files","receipts","changes","files"]"#, [.changes, .receipts, .files]),
            (#"["tomorrow",7,"files"]"#, [.files]),
        ] as [(String, Extensions)])
    func asked(_ list: String, _ extensions: Extensions) throws {
        let exchange = Exchange()
        let body = #"{"extensions":\#(list)}"#
        try expectEqual(exchange.session("Bearer " + exchange.token(), body: body).status, 200)
        expectEqual(exchange.host.wishes.first?.extensions, extensions)
        for other in ["true", #""changes""#, "{}", "5"] {
            let body = #"{"extensions":\#(other)}"#
            let row = try exchange.session("Bearer " + exchange.token(), body: body).row
            expectEqual(row, "400 Error parsing request")
        }
    }

    private func decode(_ text: String, _ extensions: Extensions) throws -> Decoded {
        let encoder = try #require(
            Exchange().dialect.encoder(of: "s", with: extensions) as? PolyEncoder)
        return encoder.decode(text: Array(text.utf8))
    }

    private static func event(_ payload: String, custom: String = "{}") -> String {
        #"{"type":"EVENT_TYPE_EXT_MESSAGE_CHANGED","payload":\#(payload),"metadata":{"custom":\#(custom)}}"#
    }

    /// extensions.md#event-ext-message-changed
    @Test(
        "A change is read where the session asked, and is an unknown type elsewhere",
        arguments: [
            (#"{"text":"Hi"}"#, .text("Hi")), (#"{"deleted":true}"#, .deleted),
            (#"{"reaction":"👍","on":true}"#, .reaction("👍", isOn: true)),
            (#"{"file":"f","state":"uploading","percent":7}"#, .file("f", .uploading(percent: 7))),
            (#"{"file":"f","state":"cancelled"}"#, .file("f", .cancelled)),
        ] as [(String, MessageChange.Kind)])
    func changes(_ json: String, _ kind: MessageChange.Kind) throws {
        let text = Self.event(#"{"message_id":"m","change":\#(json),"by":"agent"}"#, custom: #"{"a":"b"}"#)
        let decoded = try decode(text, [.changes])
        expectEqual(decoded.input, ClientInput(.change(MessageChange("m", kind)), metadata: #"{"a":"b"}"#))
        #expect(decoded.fault == nil && decoded.type == "EXT_MESSAGE_CHANGED")
        let plain = try decode(text, [.receipts])
        #expect(plain.input.word == .refused(.unknownEvent, detail: nil) && plain.fault == .unknownType)
        expectEqual(plain.note, #"poly: event refused: no type is called "EVENT_TYPE_EXT_MESSAGE_CHANGED""#)
    }

    /// extensions.md#refused-changes
    @Test(
        "A change that says nothing, or two things, is refused",
        arguments: [
            "{}", #"{"message_id":"m"}"#, #"{"message_id":"m","change":{}}"#,
            #"{"message_id":7,"change":{"deleted":true}}"#, #"{"message_id":"m","change":{"deleted":false}}"#,
            #"{"message_id":"m","change":{"text":"a","deleted":true}}"#,
            #"{"message_id":"m","change":{"reaction":"a"}}"#,
            #"{"message_id":"m","change":{"file":"f","state":"lost"}}"#,
            #"{"message_id":"m","change":{"file":"f","state":"uploading","percent":"7"}}"#, "7",
        ] as [String])
    func malformed(_ payload: String) throws {
        let decoded = try decode(Self.event(payload), [.changes, .files])
        expectEqual(decoded.input.word, .refused(.unknownEvent, detail: nil))
        #expect(decoded.fault == .badPayload && decoded.note?.contains("one kind") == true)
        try expectEqual(decode(Self.event(payload), []).fault, .unknownType)
    }

    /// extensions.md#client-receipts
    @Test("The two receipts of clients are read where the session asked; the others never are")
    func receipts() throws {
        func text(_ type: String) -> String {
            #"{"type":"EVENT_TYPE_\#(type)","payload":{"message_id":"m"}}"#
        }
        let asked = try decode(text("USER_READ_MESSAGE"), [.receipts])
        #expect(asked.input.word == .receipt(.userRead, messageID: "m") && asked.fault == nil)
        for (type, extensions) in [
            ("USER_READ_MESSAGE", []), ("USER_RECEIVED_MESSAGE", [.changes, .files]),
            ("POLY_AGENT_READ_MESSAGE", [.receipts]),
        ] as [(String, Extensions)] {
            let decoded = try decode(text(type), extensions)
            expectEqual(decoded.input.word, .refused(.eventNotAllowed, detail: "EVENT_TYPE_" + type))
            #expect(decoded.fault == .serverOnly && decoded.type == type)
        }
    }

    /// extensions.md#files-of-a-message, extensions.md#reply-to
    @Test("The files of a message are read where the session asked; its metadata stays as it is")
    func files() throws {
        let custom = #"{"files":"f-1, f-2,,","reply_to":"m"}"#
        let text =
            #"{"type":"EVENT_TYPE_USER_MESSAGE","payload":{"text":""},"metadata":{"custom":\#(custom)}}"#
        let asked = try decode(text, [.files])
        #expect(asked.input.files == ["f-1", "f-2"] && asked.input.metadata == custom)
        try expectEqual(decode(text, [.changes]).input.files, [])
    }
}
