import Clocks
import ConversationEngine
import DialectKit
import HTTPCore
import PolyDialect
import Texts

/// Request targets with their escapes and queries, and the requests of the Messaging API.
enum RequestEntries {
    static let words = [
        "/ws?session_id=s-1&access_token=@token@&cursor=", "cursor=seq:5", "cursor=18446744073709551615",
        "seq:",
        "%2e%2e", "%2F", "%00", "%", "%c3%a9", "%C0%80", "/../", "/./", "..", "?", "&", "=", "+", "#", "*",
        "http://a.example:80/", "https://[::1]/", "[::1]:80", "a:80", "//", ";", "&&", "=&=",
        "POST /api/v1/access-token HTTP/1.1\r\n", "POST /api/v1/sessions HTTP/1.1\r\n", "GET /ws?",
        "Host: a\r\n",
        "X-Token: ct\r\n", "X-Host: com.example\r\n", "Authorization: Bearer @token@\r\n", "@token@",
        "Bearer ",
        "Content-Length: 25\r\n", "{\"streaming_enabled\":true}", "\"platform\":\"ios\"",
        "Connection: Upgrade\r\nUpgrade: websocket\r\n", "X-Polyai-Correlation-Id: c\r\n", "\r\n\r\n",
        " HTTP/1.1\r\n",
    ]

    // MARK: Targets

    static func target(_ bytes: [UInt8]) throws(BrokenRule) -> Trait {
        let text = String(decoding: bytes, as: UTF8.self)
        try percent(String(text.prefix(256)))
        guard let target = RequestTarget(parsing: text) else { return Trait("refused") }
        try require(target.form == .asterisk || !hasDotSegment(target.path), "\(target.path) climbs")
        try require(!target.path.utf8.contains(0), "a path with NUL")
        if target.form == .origin {
            try require(target.path.first == "/", "a path that does not begin at the root")
        }
        // Written from what was read, it is read as the same.
        let query = target.query.map { PercentCoding.encode($0.name) + "=" + PercentCoding.encode($0.value) }
        let path = target.path.utf8.split(separator: 0x2F, omittingEmptySubsequences: false).map {
            PercentCoding.encode(String(decoding: $0, as: UTF8.self))
        }
        if target.form == .origin {
            let written = path.joined(separator: "/") + "?" + query.joined(separator: "&")
            guard let again = RequestTarget(parsing: written) else {
                throw BrokenRule("\(written) cannot be read again")
            }
            try require(
                again.path.utf8.elementsEqual(target.path.utf8), "the path differs after a round trip")
            try require(again.query == target.query, "the query differs after a round trip")
        }
        var trait = Trait("\(target.form)")
        trait.add(roughly: target.query.count)
        trait.add(target.path == target.rawPath ? 0 : 1)
        return trait
    }

    private static func hasDotSegment(_ path: String) -> Bool {
        path.utf8.split(separator: 0x2F).contains {
            $0.elementsEqual([0x2E]) || $0.elementsEqual([0x2E, 0x2E])
        }
    }

    private static func percent(_ text: String) throws(BrokenRule) {
        let isDecodable = !text.utf8.contains(0)
        let again = PercentCoding.decode(PercentCoding.encode(text), plusIsSpace: true)
        try require(
            again.map { $0.utf8.elementsEqual(text.utf8) } ?? !isDecodable,
            "a text differs after a round trip")
        _ = PercentCoding.decode(text)
    }

    // MARK: The Messaging API

    private static let dialect = PolyDialect(key: SigningKey([UInt8](repeating: 7, count: 32)))

    /// A host with one session, and the token that owns it.
    private static let stage: (host: StageHost, token: [UInt8]) = {
        var host: any DialectContext = StageHost()
        func answer(_ path: String, _ headers: HeaderFields) -> JSONValue? {
            let request = Request(
                head: RequestHead(method: "POST", target: path, headers: headers), path: path, query: [],
                body: Array("{}".utf8))
            guard case .response(let response) = dialect.answer(request, host: &host) else { return nil }
            return try? JSONReader.read(response.body)
        }
        let token =
            answer(PolyDialect.Path.accessToken, ["X-Token": "ct", "X-Host": "com.example"])?["access_token"]?
            .string ?? ""
        _ = answer(PolyDialect.Path.sessions, ["Authorization": "Bearer " + token])
        return ((host as? StageHost) ?? StageHost(), Array(token.utf8))
    }()

    /// Requests as they arrive, answered by the dialect; `@token@` stands for a good access token.
    static func poly(_ bytes: [UInt8]) throws(BrokenRule) -> Trait {
        var trait = Trait()
        var parser = RequestParser()
        var host: any DialectContext = stage.host
        var open: RequestHead?
        var body: [UInt8] = []
        for output in parser.receive(withToken(bytes)) {
            switch output {
            case .head(let head): (open, body) = (head, [])
            case .body(let part): body += part
            case .end:
                if let head = open { try answer(head, body, &host, &trait) }
                open = nil
            case .upgrade(let head, _): try answer(head, [], &host, &trait)
            case .refuse(let refusal): trait.add(refusal.status)
            case .trailers, .expectContinue: break
            }
        }
        return trait
    }

    private static func answer(
        _ head: RequestHead, _ body: [UInt8], _ host: inout any DialectContext, _ trait: inout Trait
    ) throws(BrokenRule) {
        guard let target = RequestTarget(parsing: head.target) else { return trait.add("bad target") }
        let request = Request(
            head: head, path: target.path, query: target.query.map { ($0.name, $0.value) }, body: body)
        switch dialect.answer(request, host: &host) {
        case .stream, .later: try require(false, "the Messaging API has no event streams")
        case .unknownPath: trait.add("unknown path")
        case .connect(_, let cursor, let note):
            trait.add("connect")
            trait.add(note == nil ? 0 : 1)
            trait.add(roughly: Int(clamping: cursor))
            if let text = target.value(of: "cursor"), let number = UInt64(text) {
                try require(cursor == number || text.first == "+", "cursor \(text) became \(cursor)")
            }
        case .response(let response):
            try require(200...599 ~= response.status, "status \(response.status)")
            trait.add(response.status)
            let json = try? JSONReader.read(response.body)
            try require(json != nil, "a body that is no JSON")
            trait.add(json?["error"]?.string ?? json?["message"]?.string ?? "")
            var parser = ResponseParser()
            parser.begin(method: head.method)
            let outputs = parser.receive(response.serialized(to: head, closing: false, date: nil))
            guard case .head(let again)? = outputs.first, again.status == response.status,
                outputs.last == .end
            else {
                throw BrokenRule("an answer that cannot be read")
            }
        }
    }

    private static func withToken(_ bytes: [UInt8]) -> [UInt8] {
        let mark = Array("@token@".utf8)
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == mark[0], bytes[index...].starts(with: mark) {
                result += stage.token
                index += mark.count
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return result
    }
}

/// A server without sockets.
private struct StageHost: DialectContext, Sendable {
    let now = Instant(secondsSince1970: 1_768_469_400)
    var facts: RequestInfo?
    private var generator = SeededGenerator(seed: 1)
    private var sessions: [String: SessionView] = [:]

    mutating func uniqueID() -> UniqueID { .version4(from: &generator) }

    mutating func scenario(for connectorToken: String) -> ScenarioAnswer { .found(line: nil, tokenLife: nil) }

    mutating func openSession(_ wish: SessionRequest) -> OpenedSession {
        let id = "s-\(sessions.count + 1)"
        sessions[id] = SessionView(
            handle: SessionHandle(slot: Int32(sessions.count), generation: 1), id: id, owner: wish.owner,
            hasEnded: false, connectionCount: 0, connectionLimit: 10)
        return .opened(id: id)
    }

    func session(id: String) -> SessionView? { sessions[id] }

    mutating func consumeToken(for operation: String, of subject: String, limit: RateLimit) -> Interval? {
        nil
    }

    mutating func log(_ line: String) {}

    func expiry(of owner: String) -> Instant? { nil }

    // What the Messaging API has no use for.
    var shelf = AttachmentStore(key: SigningKey([UInt8](repeating: 1, count: 32)))
    mutating func enter(_ session: SessionHandle) -> Bool { true }
    mutating func receive(_ input: ClientInput, in session: SessionHandle) -> ActionResult { .recorded([]) }
    mutating func apply(_ action: OperatorAction, in session: SessionHandle, by name: String) -> ActionResult
    {
        .recorded([])
    }
    var agents: [(name: String, about: String)] { [] }
    func journal(of session: SessionHandle) -> [JournalEntry] { [] }
}
