import Clocks
import Expectations
import HTTPCore
import MockServer
import TestSupport
import Testing
import Texts
import WebSocketCore

/// A server on a clock that stands still, and what clients of the vendor's do with it.
struct Desk: Sendable {
    static let both: JSONValue = .array([.string("WEBSOCKET"), .string("CONNECTION_CREDENTIALS")])
    static let rich: JSONValue = .array([
        .string("text/plain"), .string("application/vnd.amazonaws.connect.message.interactive"),
    ])

    let clock: VirtualClock
    let server: MockServer
    let client: APIClient

    static func run(
        _ fixture: String = usual, _ configure: (inout Configuration) -> Void = { _ in },
        _ body: (Desk) async throws -> Void
    ) async throws {
        let clock = VirtualClock()
        var configuration = Configuration()
        configuration.clock = clock
        configuration.seed = 42
        configuration.fixtureText = fixture
        configuration.connections.handshakeDelay = .zero
        configuration.connections.firstFrameDelay = .zero
        configuration.connections.firstLiveEventDelay = .zero
        configure(&configuration)
        let server = try await MockServer.start(configuration)
        let client = try APIClient(port: server.port)
        let desk = Desk(clock: clock, server: server, client: client)
        do {
            try await body(desk)
        } catch {
            await client.close()
            await server.stop()
            throw error
        }
        await client.close()
        await server.stop()
    }

    /// Echoes, and knows a few words.
    static let usual = fixture(
        """
        { name: "tea", hears: "tea", replies: [ { say: "Which kind?", suggest: ["Green", "Black"] } ] },
        { name: "bye", hears: "goodbye", replies: [ { say: "Bye." }, { end: "natural" } ] },
        """)

    static func fixture(
        _ rules: String, rest: String = "", pace: String = #"{ think: "0ms", every: "0ms" }"#
    ) -> String {
        """
        { fixture: 1, name: "Desk", agent: { name: "Ada" }, pace: "p", paces: { p: \(pace) },
          greeting: [ { say: "Welcome." } ], stages: { start: [ \(rules) ] },
          otherwise: [ { replies: [ { say: "You said {message}." } ] } ], \(rest) }
        """
    }

    /// Lets time pass, each deadline at its own instant.
    func pass(_ interval: Interval) async {
        let target = clock.now + interval
        while true {
            await server.inspect { _ in }
            guard let next = clock.nextDeadline, next <= target else { break }
            clock.advance(to: next)
        }
        clock.advance(to: target)
        await server.inspect { _ in }
    }

    // MARK: - Requests

    func ask(
        _ method: String, _ path: String, _ body: JSONObject? = nil, bearer: String? = nil,
        _ headers: HeaderFields = [:]
    ) async throws -> Line.Answer {
        var headers = headers
        if let bearer { headers.append("X-Amz-Bearer", bearer) }
        let text = body.map { String(decoding: JSONWriter.bytes(.object($0)), as: UTF8.self) } ?? ""
        if method != "POST", !text.isEmpty { headers.append("Content-Length", "\(text.utf8.count)") }
        return try await client.request(method, path, headers, body: text)
    }

    static func start(_ change: JSONObject = [:], flow: String = "flow") -> JSONObject {
        var body: JSONObject = [
            "InstanceId": .string("i"), "ContactFlowId": .string(flow),
            "ParticipantDetails": .object(["DisplayName": .string("Jane")]),
        ]
        body.members += change.members
        return body
    }

    func start(_ change: JSONObject = [:], flow: String = "flow") async throws -> Guest {
        let answer = try await ask("PUT", "/contact/chat", Self.start(change, flow: flow))
        try #require(answer.status == 200, "\(answer.text)")
        let contact = try #require(answer["ContactId"]?.string)
        let token = try #require(answer["ParticipantToken"]?.string)
        return try await connect(contact, token, try #require(answer["ParticipantId"]?.string))
    }

    /// The path and query of an address.
    static func target(of url: String) -> String {
        "/" + (url.split(separator: "/", maxSplits: 2).last ?? "")
    }

    /// What a person at the controls does.
    func act(_ contact: String, _ action: String, _ members: JSONObject = [:]) async throws {
        var body: JSONObject = ["action": .string(action)]
        body.members += members.members
        let answer = try await ask(
            "POST", "/_mock/sessions/\(contact)/takeover", body, ["Content-Type": "application/json"])
        expectEqual(answer.status, 200, "\(answer.text)")
    }

    /// A bot of the other side, which has not connected yet.
    func bot(in contact: String, _ change: JSONObject = [:]) async throws -> Line.Answer {
        var body: JSONObject = [
            "InstanceId": .string("i"), "ContactId": .string(contact),
            "ParticipantDetails": .object([
                "ParticipantRole": .string("CUSTOM_BOT"), "DisplayName": .string("B"),
            ]),
        ]
        body.members += change.members
        return try await ask("POST", "/contact/create-participant", body)
    }

    /// The same with a connection token.
    func guestBot(in contact: String) async throws -> Guest {
        let bot = try await bot(in: contact)
        let token = try #require(bot["ParticipantCredentials"]?["ParticipantToken"]?.string, "\(bot.text)")
        return try await connect(contact, token, try #require(bot["ParticipantId"]?.string))
    }

    func connect(_ contact: String, _ token: String, _ participant: String) async throws -> Guest {
        let answer = try await ask("POST", "/participant/connection", ["Type": Self.both], bearer: token)
        try #require(answer.status == 200, "\(answer.text)")
        let url = try #require(answer["Websocket"]?["Url"]?.string)
        let bearer = try #require(answer["ConnectionCredentials"]?["ConnectionToken"]?.string)
        let target = Self.target(of: url)
        return Guest(
            desk: self, contact: contact, participant: participant, token: token, bearer: bearer,
            target: target)
    }
}

/// A participant with its token.
struct Guest: Sendable {
    let desk: Desk
    let contact: String
    let participant: String
    let token: String
    let bearer: String
    /// Of the WebSocket.
    let target: String

    func ask(_ operation: String, _ body: JSONObject = [:]) async throws -> Line.Answer {
        try await desk.ask("POST", "/participant/" + operation, body, bearer: bearer)
    }

    @discardableResult
    func say(
        _ text: String, type: String = "text/plain", token: String? = nil
    ) async throws -> Line.Answer {
        var body: JSONObject = ["ContentType": .string(type), "Content": .string(text)]
        if let token { body.members.append(JSONObject.Member("ClientToken", .string(token))) }
        return try await ask("message", body)
    }

    @discardableResult
    func tell(_ event: String, about message: String? = nil) async throws -> Line.Answer {
        let content = message.map { #"{"messageId":"\#($0)"}"# } ?? ""
        var body: JSONObject = [
            "ContentType": .string("application/vnd.amazonaws.connect.event." + event),
            "Content": .string(content),
        ]
        if message != nil {
            body.members.append(JSONObject.Member("ClientToken", .string("INCOMING_READ_RECEIPT")))
        }
        return try await ask("event", body)
    }

    /// Announces a file of so many bytes: the answer, and where its bytes go.
    func announce(_ size: Int64, _ change: JSONObject = [:]) async throws -> (id: String, target: String) {
        var body: JSONObject = [
            "ContentType": .string("text/plain"), "AttachmentName": .string("a.txt"),
            "AttachmentSizeInBytes": .integer(size),
        ]
        body.members += change.members
        let answer = try await ask("start-attachment-upload", body)
        let url = try #require(answer["UploadMetadata"]?["Url"]?.string, "\(answer.text)")
        return (try #require(answer["AttachmentId"]?.string), Desk.target(of: url))
    }

    func transcript(_ body: JSONObject = [:]) async throws -> (items: [JSONValue], next: String?) {
        let answer = try await ask("transcript", body)
        try #require(answer.status == 200, "\(answer.text)")
        return (try #require(answer["Transcript"]?.array), answer["NextToken"]?.string)
    }

    /// The socket, subscribed.
    func open() async throws -> Ear {
        let line = try await desk.client.upgrade(target)
        try await expectEqual(line.answer(0).status, 101)
        let ear = Ear(line: line)
        ear.send(#"{"topic": "aws/subscribe", "content": {"topics": ["aws/chat"]}})"#)
        _ = try await ear.frame { $0["topic"]?.string == "aws/subscribe" }
        return ear
    }
}

/// What comes on a socket.
struct Ear: Sendable {
    let line: Line

    func send(_ text: String) { line.sendFrame(.text, Array(text.utf8)) }

    var frames: [JSONValue] { Self.frames(line.items.all) }

    private static func frames(_ items: [Line.Item]) -> [JSONValue] {
        items.compactMap {
            if case .text(let bytes) = $0 { try? JSONReader.read(bytes) } else { nil }
        }
    }

    /// The first frame that `isWanted`.
    func frame(_ isWanted: @escaping @Sendable (JSONValue) -> Bool) async throws -> JSONValue {
        try await line.items.wait(for: "a frame") { Self.frames($0).first(where: isWanted) }
    }

    /// What the frames of the chat say.
    static func items(_ frames: [JSONValue]) -> [JSONValue] {
        frames.compactMap { frame in
            guard frame["topic"]?.string == "aws/chat", let text = frame["content"]?.string else {
                return nil
            }
            return try? JSONReader.read(Array(text.utf8))
        }
    }

    /// All items so far, when one of them is called so (``JSONValue/label``).
    @discardableResult
    func items(through label: String, count: Int = 1) async throws -> [JSONValue] {
        try await line.items.wait(for: label) { items in
            let found = Self.items(Self.frames(items))
            return found.count { $0.label == label } >= count ? found : nil
        }
    }

    func closed() async throws -> UInt16 {
        try await line.items.wait(for: "a close") { items in
            if case .closed(let code, _)? = items.last { code } else { nil }
        }
    }
}

extension JSONValue {
    /// A short name of an item: `joined CUSTOMER`, `SYSTEM: Welcome.`.
    var label: String {
        let role = self["ParticipantRole"]?.string ?? ""
        switch self["Type"]?.string {
        case "MESSAGE": return "\(role): \(self["Content"]?.string ?? "")"
        case "ATTACHMENT":
            let file = self["Attachments"]?.array?.first
            return "\(role) \(file?["AttachmentName"]?.string ?? "") \(file?["Status"]?.string ?? "")"
        case "EVENT":
            let type = self["ContentType"]?.string?.dropFirst(40) ?? ""
            return role.isEmpty ? String(type) : "\(type) \(role)"
        default: return self["Type"]?.string ?? ""
        }
    }
}

extension [JSONValue] {
    var labels: [String] { map(\.label) }
    /// Without signs that somebody is about to speak.
    var steady: [String] { labels.filter { !$0.hasPrefix("typing") } }
}

extension Line.Answer {
    subscript(name: String) -> JSONValue? { (try? JSONReader.read(body))?[name] }

    /// The status and the type of an error.
    var failure: String { "\(status) \(headers["x-amzn-ErrorType"] ?? "-")" }
}
