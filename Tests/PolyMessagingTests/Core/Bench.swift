import Clocks
import Foundation
import MessagingWire
import PolyMessaging
import TestSupport
import Testing
import Texts

/// A client core with its transcript on a workbench: inputs go in by hand, time moves when told to.
struct Bench {
    var core: ClientCore
    var transcript: ChatTranscript
    var now = Instant(secondsSince1970: 1_700_000_000)
    /// Everything since the bench was made.
    var outputs: [ClientCore.Output] = []
    private var lastCall = 0
    private var lastID = 0
    /// The sequence of the last journaled event of ``journaled(_:)``.
    var sequence: UInt64 = 0

    static let token = "aGVhZA.e30.c2ln"

    init(progressive: Bool = false, seed: UInt64 = 1, _ change: (inout ClientSettings) -> Void = { _ in }) {
        var settings = Bench.settings()
        change(&settings)
        core = ClientCore(settings, seed: seed)
        transcript = ChatTranscript(isProgressive: progressive, generator: SeededGenerator(seed: seed))
    }

    /// A connection that was joined and has failed for good.
    static func failed() -> Bench {
        var bench = Bench { $0.reconnectAttempts = 1 }
        bench.startAndJoin()
        bench.close(1006)
        bench.advance(.seconds(2))
        bench.fail()
        return bench
    }

    static func settings(_ change: (inout Configuration) -> Void = { _ in }) -> ClientSettings {
        var configuration = Configuration(connectorToken: "connector-secret", environment: .production)
        change(&configuration)
        let url = URL(fileURLWithPath: "/")
        return ClientSettings(
            configuration,
            endpoints: Endpoints(
                restBaseURL: URL(string: "http://mock.test/api/v1") ?? url,
                socketBaseURL: URL(string: "ws://mock.test/ws") ?? url),
            host: "app.test", userAgent: "Test/1", deviceType: .desktop)
    }

    // MARK: Giving

    @discardableResult
    mutating func give(_ input: ClientCore.Input) -> [ClientCore.Output] {
        take(core.handle(input, at: now))
    }

    /// Moves time, stopping at each deadline on the way.
    @discardableResult
    mutating func advance(_ interval: Interval) -> [ClientCore.Output] {
        let target = now + interval
        var all: [ClientCore.Output] = []
        while let next = [core.nextDeadline, transcript.nextDeadline].compactMap({ $0 }).min(), next <= target
        {
            now = max(now, next)
            all += take(core.advance(to: now))
            transcript.advance(to: now)
        }
        now = target
        return all
    }

    private mutating func take(_ new: [ClientCore.Output]) -> [ClientCore.Output] {
        outputs += new
        for case .notify(let update) in new { transcript.apply(update, at: now) }
        return new
    }

    mutating func call() -> ClientCore.CallID {
        lastCall += 1
        return ClientCore.CallID(lastCall)
    }

    // MARK: Steps

    /// Answers the last request well.
    @discardableResult
    mutating func answer(session id: String = "s-1", lifetime: Int = 86_400) -> [ClientCore.Output] {
        guard let request = requests.last else { return [] }
        switch request.endpoint {
        case .accessToken:
            let body = "{\"access_token\":\"\(Bench.token)\",\"expires_in\":\(lifetime)}"
            return reply(200, body)
        case .sessions: return reply(200, "{\"session_id\":\"\(id)\"}")
        }
    }

    /// Answers the last request.
    @discardableResult
    mutating func reply(_ status: Int, _ body: String = "", retryAfter: String? = nil) -> [ClientCore.Output]
    {
        let id = requests.last?.id ?? 0
        let answer = RESTReply.answered(status: status, retryAfter: retryAfter, body: Array(body.utf8))
        return give(.restEnded(request: id, answer))
    }

    /// The last request found no network.
    @discardableResult
    mutating func replyNothing() -> [ClientCore.Output] {
        give(.restEnded(request: requests.last?.id ?? 0, .failed(.network("no network"))))
    }

    /// From nothing to a dialled socket.
    mutating func start(stored: StoredSession? = nil) {
        give(.start(stored: stored))
        guard stored == nil || !requests.isEmpty else { return }
        answer()
        answer()
    }

    /// From nothing to an open socket without a word on it.
    mutating func startAndOpen() {
        start()
        open()
    }

    /// From nothing to a chat in which the agent has joined.
    mutating func startAndJoin() {
        startAndOpen()
        batch([journaled(.sessionStart(WireCapabilities(heartbeatIntervalSeconds: 30), contextID: nil))])
        receive(journaled(.joinRequest))
        receive(journaled(.agentJoined(name: "Juno", avatarURL: nil)))
    }

    @discardableResult
    mutating func open() -> [ClientCore.Output] {
        give(.socketOpened(attempt: dialled.last?.attempt ?? 0))
    }

    @discardableResult
    mutating func close(_ code: Int, _ reason: String = "") -> [ClientCore.Output] {
        let event = ConnectionCloseEvent(code: code, reason: reason, wasClean: code != 1006)
        return give(.socketClosed(attempt: dialled.last?.attempt ?? 0, event))
    }

    @discardableResult
    mutating func fail(_ fault: TransportFault = .network("unreachable")) -> [ClientCore.Output] {
        give(.socketFailed(attempt: dialled.last?.attempt ?? 0, fault))
    }

    /// Waits for the next dial of a reconnect, and opens it.
    mutating func reconnect() {
        advance(.seconds(2))
        open()
    }

    @discardableResult
    mutating func send(_ text: String) -> [ClientCore.Output] {
        give(.send(text: text, metadata: [:], call()))
    }

    // MARK: The server's words

    struct ServerEvent {
        var id: String
        var sequence: UInt64?
        var payload: WirePayload
        var custom: [String: String]?
        var at: Instant
    }

    mutating func journaled(_ payload: WirePayload, custom: [String: String]? = nil) -> ServerEvent {
        sequence += 1
        return ServerEvent(id: "e-\(sequence)", sequence: sequence, payload: payload, custom: custom, at: now)
    }

    mutating func transient(_ payload: WirePayload) -> ServerEvent {
        lastID += 1
        return ServerEvent(id: "t-\(lastID)", sequence: nil, payload: payload, custom: nil, at: now)
    }

    /// The echo of the last user message that went out.
    mutating func echo(withID: Bool = true) -> ServerEvent {
        let sent = sentMessages.last ?? (text: "", localID: "")
        return journaled(
            .userMessage(messageID: "m-\(sequence + 1)", text: sent.text),
            custom: withID ? ["local_id": sent.localID] : nil)
    }

    mutating func message(
        _ text: String, id: String = "m", suggestions: [String] = [], ends: Bool = false
    ) -> ServerEvent {
        journaled(
            .agentMessage(
                WireMessage(
                    messageID: id, text: text,
                    parts: WireParts(
                        suggestions: suggestions.map { WireSuggestion(messageText: $0) },
                        endsConversation: ends))))
    }

    mutating func chunk(
        _ text: String?, _ index: Int, id: String = "m", last: Bool = false, suggestions: [String] = []
    ) -> ServerEvent {
        journaled(
            .agentMessageChunk(
                WireChunk(
                    messageID: id, index: index, isComplete: last, text: text,
                    parts: WireParts(suggestions: suggestions.map { WireSuggestion(messageText: $0) }))))
    }

    @discardableResult
    mutating func receive(_ event: ServerEvent) -> [ClientCore.Output] {
        var bytes: [UInt8] = []
        Bench.write(event, into: &bytes)
        return receiveText(bytes)
    }

    @discardableResult
    mutating func batch(_ events: [ServerEvent]) -> [ClientCore.Output] {
        var bytes: [UInt8] = []
        WireEventWriter.openBatch(nanoseconds: now.nanoseconds, into: &bytes) { "b".writeID(to: $0) }
        for (index, event) in events.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            Bench.write(event, into: &bytes)
        }
        WireEventWriter.closeBatch(into: &bytes)
        return receiveText(bytes)
    }

    @discardableResult
    mutating func receiveText(_ bytes: [UInt8]) -> [ClientCore.Output] {
        give(.socketText(attempt: dialled.last?.attempt ?? 0, bytes))
    }

    private static func write(_ event: ServerEvent, into bytes: inout [UInt8]) {
        let custom = event.custom.map { map in
            let members = map.sorted { $0.key < $1.key }.map { JSONObject.Member($0.key, .string($0.value)) }
            return String(decoding: JSONWriter.bytes(.object(JSONObject(members))), as: UTF8.self)
        }
        WireEventWriter.write(
            event.payload, sequence: event.sequence, nanoseconds: event.at.nanoseconds,
            customMetadata: custom,
            into: &bytes
        ) { event.id.writeID(to: $0) }
    }
}
