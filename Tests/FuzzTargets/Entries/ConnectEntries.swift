import Clocks
import ConnectDialect
import ConversationEngine
import DialectKit
import HTTPCore
import Texts

/// Amazon Connect chat: requests, frames of its WebSocket, and what it signed.
enum ConnectEntries {
    static let words = [
        "PUT /contact/chat HTTP/1.1\r\n", "POST /contact/stop HTTP/1.1\r\n",
        "POST /participant/connection HTTP/1.1\r\n", "POST /participant/message HTTP/1.1\r\n",
        "POST /participant/event HTTP/1.1\r\n", "POST /participant/transcript HTTP/1.1\r\n",
        "POST /participant/disconnect HTTP/1.1\r\n",
        "POST /participant/start-attachment-upload HTTP/1.1\r\n",
        "POST /participant/attachment HTTP/1.1\r\n", "GET /connect/ws?AuthToken=@address@ HTTP/1.1\r\n",
        "X-Amz-Bearer: @connection@\r\n", "X-Amz-Bearer: @participant@\r\n", "Content-Length: 2\r\n\r\n",
        "\"ContentType\":", "\"text/plain\"", "\"application/vnd.amazonaws.connect.event.typing\"",
        "\"Content\":", "\"ClientToken\":\"c\"", "\"StartPosition\":", "\"MostRecent\":",
        "\"AbsoluteTime\":\"2026-01-15T09:30:00.000Z\"",
        "\"NextToken\":", "\"MaxResults\":", "\"ScanDirection\":\"FORWARD\"",
        "\"SortOrder\":\"ASCENDING\"",
        "\"Type\":[\"WEBSOCKET\"]", "{}", "null", "[]", "{\"topic\":\"aws/subscribe\"}",
        "{\"topic\":\"aws/heartbeat\"}", "{\"topic\":\"aws/ping\"}",
        "{\"topic\":\"aws/unsubscribe\"}", ")",
    ]

    private static let dialect = ConnectDialect(key: SigningKey([UInt8](repeating: 7, count: 32)))

    /// A contact that has said something and has a file, and all that it was given.
    private struct Stage {
        var host = ConnectHost(dialect)
        var contact = ""
        /// By their names: `connection`, `participant`, `address`, `forward`, `backward`, `upload`, `file`.
        var given: [String: String] = [:]
    }

    /// The same for all inputs: chance and time are.
    private static let given = stage().given

    /// A stage for one input, which changes it.
    private static func stage() -> Stage {
        var stage = Stage()
        var host: any DialectContext = stage.host
        func ask(_ method: String, _ path: String, _ bearer: String?, _ body: String) -> JSONValue? {
            var headers = HeaderFields()
            if let bearer { headers.append("X-Amz-Bearer", bearer) }
            let head = RequestHead(method: method, target: path, headers: headers)
            guard case .response(let response)? = answer(head, Array(body.utf8), &host) else { return nil }
            return response.body.isEmpty ? .object([:]) : try? JSONReader.read(response.body)
        }
        let started = ask(
            "PUT", "/contact/chat", nil,
            #"{"InstanceId":"i","ContactFlowId":"f","ParticipantDetails":{"DisplayName":"Jane"}}"#)
        stage.contact = started?["ContactId"]?.string ?? ""
        let participant = started?["ParticipantToken"]?.string
        let opened = ask(
            "POST", "/participant/connection", participant,
            #"{"Type":["WEBSOCKET","CONNECTION_CREDENTIALS"],"ConnectParticipant":true}"#)
        let connection = opened?["ConnectionCredentials"]?["ConnectionToken"]?.string
        for number in 0..<5 {
            _ = ask(
                "POST", "/participant/message", connection,
                #"{"ContentType":"text/plain","Content":"message \#(number)"}"#)
        }
        let file = ask(
            "POST", "/participant/start-attachment-upload", connection,
            #"{"ContentType":"text/plain","AttachmentName":"a.txt","AttachmentSizeInBytes":2}"#)
        let id = file?["AttachmentId"]?.string ?? ""
        let address = file?["UploadMetadata"]?["Url"]?.string ?? ""
        _ = ask("PUT", target(of: address), nil, "hi")
        _ = ask(
            "POST", "/participant/complete-attachment-upload", connection, #"{"AttachmentIds":["\#(id)"]}"#)
        let link = ask("POST", "/participant/attachment", connection, #"{"AttachmentId":"\#(id)"}"#)
        stage.given = [
            "participant": participant ?? "", "connection": connection ?? "", "id": id,
            "address": text(behind: "AuthToken=", in: opened?["Websocket"]?["Url"]?.string),
            "upload": text(behind: "X-Amz-Signature=", in: address),
            "file": text(behind: "/connect/file/", in: link?["Url"]?.string),
        ]
        for way in ["FORWARD", "BACKWARD"] {
            let page = ask(
                "POST", "/participant/transcript", connection,
                #"{"MaxResults":2,"ScanDirection":"\#(way)","StartPosition":{"MostRecent":4}}"#)
            stage.given[way.lowercased()] = page?["NextToken"]?.string ?? ""
        }
        stage.host = host as? ConnectHost ?? stage.host
        return stage
    }

    private static func text(behind mark: String, in address: String?) -> String {
        guard let address, let place = address.firstRange(of: mark) else { return "" }
        return String(address[place.upperBound...])
    }

    private static func target(of address: String) -> String {
        "/" + (address.split(separator: "/", maxSplits: 2).last ?? "")
    }

    // MARK: Requests

    private static let routes = dialect.routes.map { (pattern: RoutePattern($0.path), route: $0) }

    /// nil where no route is.
    private static func answer(
        _ head: RequestHead, _ body: [UInt8], _ host: inout any DialectContext
    ) -> Answer? {
        guard let target = RequestTarget(parsing: head.target), let segments = target.segments else {
            return nil
        }
        for (pattern, route) in routes where route.methods.contains(head.method) {
            guard let values = pattern.values(in: segments) else { continue }
            let request = Request(
                head: head, path: target.path, query: target.query.map { ($0.name, $0.value) }, body: body,
                operation: route.operation, values: values)
            return dialect.answer(request, host: &host)
        }
        return nil
    }

    /// Requests as they arrive; `@connection@` and the other names stand for what the contact was given.
    static func requests(_ bytes: [UInt8]) throws(BrokenRule) -> Trait {
        var trait = Trait()
        var parser = RequestParser()
        var host: any DialectContext = stage().host
        var open: (head: RequestHead, body: [UInt8])?
        for output in parser.receive(expanded(bytes)) {
            switch output {
            case .head(let head): open = (head, [])
            case .body(let part): open?.body += part
            case .end:
                if let (head, body) = open { try judge(answer(head, body, &host), &trait) }
                open = nil
            case .upgrade(let head, _): try judge(answer(head, [], &host), &trait)
            case .refuse(let refusal): trait.add(refusal.status)
            case .trailers, .expectContinue: break
            }
        }
        if var host = host as? ConnectHost { try judge(host.takeSent(), &trait) }
        return trait
    }

    private static func judge(_ answer: Answer?, _ trait: inout Trait) throws(BrokenRule) {
        switch answer {
        case nil: trait.add("no route")
        case .stream: throw BrokenRule("there are no event streams")
        case .connect: trait.add("connect")
        case .unknownPath: throw BrokenRule("all sessions know the same routes")
        case .later: throw BrokenRule("no answer of contacts takes long to make")
        case .response(let response):
            trait.add(response.status)
            try require(200...599 ~= response.status, "status \(response.status)")
            try require(response.headers["x-amzn-RequestId"] != nil, "an answer without a name")
            guard response.status >= 400 else { return }
            let json = try? JSONReader.read(response.body)
            let message = json?["message"]?.string
            try require(
                message?.isEmpty == false && message == json?["Message"]?.string, "an error without words")
            try require(response.headers["x-amzn-ErrorType"] != nil, "an error without a type")
            trait.add(response.headers["x-amzn-ErrorType"] ?? "")
        }
    }

    private static func judge(_ sent: [[UInt8]], _ trait: inout Trait) throws(BrokenRule) {
        for frame in sent {
            guard let json = try? JSONReader.read(frame) else { throw BrokenRule("a frame that is no JSON") }
            trait.add(json["topic"]?.string ?? json["message"]?.string ?? "")
            guard json["topic"]?.string == "aws/chat" else { continue }
            let item = json["content"]?.string.flatMap { try? JSONReader.read(Array($0.utf8)) }
            try require(item?["Id"]?.string?.isEmpty == false, "an item without an id")
            trait.add(item?["ContentType"]?.string ?? "")
        }
    }

    private static func expanded(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            let mark =
                bytes[index] == UInt8(ascii: "@")
                ? given.first { bytes[index...].starts(with: Array("@\($0.key)@".utf8)) } : nil
            if let mark {
                result += Array(mark.value.utf8)
                index += mark.key.utf8.count + 2
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return result
    }

    // MARK: Frames

    /// A frame in each line, on a connection of the contact.
    static func frames(_ bytes: [UInt8]) throws(BrokenRule) -> Trait {
        var trait = Trait()
        let stage = stage()
        var host = stage.host
        guard let session = host.session(id: stage.contact) else { throw BrokenRule("there is no contact") }
        let (id, now) = (ConnectionID(1), host.now)
        _ = host.withEncoder(of: session.handle) { $0.attach(id, .webSocket, of: 0, at: now, into: &$1) }
        var input = FuzzInput(bytes)
        while !input.isAtEnd {
            let line = input.line()
            _ = host.withEncoder(of: session.handle) {
                _ = $0.receive(line, isText: true, from: id, at: now, into: &$1)
            }
        }
        try judge(host.takeSent(), &trait)
        return trait
    }

    // MARK: What was signed

    /// One of `names`, whose bytes from a place on are others: two control bytes choose the name and a part of the
    /// place, the rest is written over it.
    private static func forged(_ names: [String], _ bytes: [UInt8]) -> (name: String, text: String) {
        var input = FuzzInput(bytes)
        let name = names[(input.control() & 0xFF) % names.count]
        let place = (input.control() & 0xFF) * 2
        var text = Array((given[name] ?? "").utf8)
        let rest = input.rest
        let start = min(place, text.count)
        text.replaceSubrange(start..<min(text.count, start + rest.count), with: rest)
        return (name, String(decoding: text, as: UTF8.self))
    }

    private static func judge(
        _ names: [String], _ bytes: [UInt8], ask: (String, String) -> (RequestHead, String)
    ) throws(BrokenRule) -> Trait {
        let (name, text) = forged(names, bytes)
        let (head, body) = ask(name, text)
        var host: any DialectContext = stage().host
        var trait = Trait(name)
        let answer = answer(head, Array(body.utf8), &host)
        try judge(answer, &trait)
        let isTaken =
            switch answer {
            case .connect: true
            case .response(let response): response.status < 400 || response.status == 409
            default: false
            }
        if isTaken { try require(text == given[name], "\(name): a forgery was taken") }
        if text == given[name] { try require(isTaken, "\(name): the true one was not taken") }
        return trait
    }

    private static func post(_ path: String, _ bearer: String) -> RequestHead {
        var headers = HeaderFields()
        headers.append("X-Amz-Bearer", bearer)
        return RequestHead(method: "POST", target: path, headers: headers)
    }

    /// Tokens of participants, of connections, and in addresses of WebSockets.
    static func bearers(_ bytes: [UInt8]) throws(BrokenRule) -> Trait {
        try judge(["participant", "connection", "address"], bytes) { name, text in
            switch name {
            case "participant": (post("/participant/connection", text), #"{"Type":["WEBSOCKET"]}"#)
            case "connection": (post("/participant/transcript", text), "{}")
            default:
                (
                    RequestHead(
                        method: "GET", target: "/connect/ws?AuthToken=" + PercentCoding.encode(text),
                        headers: HeaderFields()), ""
                )
            }
        }
    }

    /// Tokens of next pages.
    static func pages(_ bytes: [UInt8]) throws(BrokenRule) -> Trait {
        try judge(["forward", "backward"], bytes) { name, text in
            let body: JSONValue = .object([
                "NextToken": .string(text), "ScanDirection": .string(name.uppercased()),
            ])
            return (
                post("/participant/transcript", given["connection"] ?? ""),
                String(decoding: JSONWriter.bytes(body), as: UTF8.self)
            )
        }
    }

    /// Links to send a file to and to get it from.
    static func links(_ bytes: [UInt8]) throws(BrokenRule) -> Trait {
        try judge(["upload", "file"], bytes) { name, text in
            let coded = PercentCoding.encode(text)
            return name == "upload"
                ? (
                    RequestHead(
                        method: "PUT",
                        target: "/connect/upload/\(given["id"] ?? "")?X-Amz-Signature=\(coded)",
                        headers: HeaderFields()), "hi"
                )
                : (
                    RequestHead(method: "GET", target: "/connect/file/" + coded, headers: HeaderFields()), ""
                )
        }
    }
}
