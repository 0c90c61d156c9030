import Clocks
import DialectKit
import HTTPClient
import MockServer
import Texts
import Timeline
import WebSocketCore

/// Client that sends the requests and frames of a recorded conversation to another server, with the ids and tokens of
/// that server.
final class TalkPlayer: Sendable {
    struct Answer: Sendable {
        var status: Int
        var body: [UInt8]
    }

    fileprivate struct State {
        var rows: [Row] = []
        var byteCount = 0
        var known: Set<[UInt8]> = []
        var counted = 0
        var place: TalkPlace
        var answers: [Int: Answer] = [:]
        var failure: String?
        var socket: HTTPClient.Connection?
        var socketNumber = 0
        var isOpen = false
        /// Ids that the server uses. The key of each id is the corresponding id in the recording.
        var ids: [String: String] = [:]
        /// Latest text of each member in the answers, by the member's name.
        var tokens: [String: String] = [:]
    }

    /// Waits until `condition` holds or `patience` has passed. If `patience` is nil, a default limit applies.
    typealias Wait = (_ patience: Interval?, _ condition: @escaping @Sendable () -> Bool) async throws -> Void

    private let recording: TalkRecording
    private let client: HTTPClient
    private let endpoint: Endpoint
    /// Connector token or contact flow to request; nil for `demo` and the recorded contact flow.
    private let scenario: String?
    private let clock: any EventClock
    /// Whether the time between two acts is at least the recorded time, up to ``KitLimits/recordedAnswer``.
    private let keepsPace: Bool
    private let state: Locked<State>

    init(
        _ recording: TalkRecording, over client: HTTPClient, at endpoint: Endpoint, scenario: String?,
        clock: any EventClock, keepsPace: Bool = false
    ) {
        self.keepsPace = keepsPace
        state = Locked(State(place: TalkPlace(recording.counted)))
        self.recording = recording
        self.client = client
        self.endpoint = endpoint
        self.scenario = scenario
        self.clock = clock
    }

    var rows: [Row] { state.withLock { $0.rows } }
    /// Answers by the index of their call in ``TalkRecording/acts``. Requests that were not recorded have negative
    /// keys.
    var answers: [Int: Answer] { state.withLock { $0.answers } }

    func play(_ wait: Wait) async throws {
        try await begin(wait)
        var last: (recorded: Instant, own: Instant)?
        var (heard, silences) = (0, 0)
        for (number, act) in recording.acts.enumerated() {
            @Sendable func isReady() -> Bool {
                state.withLock { $0.place.covers(act.eventsBefore) || $0.failure != nil }
            }
            try await wait(nil, isReady)
            try check()
            if keepsPace, !isReady() {
                let count = rows.count
                guard count > 0 else { throw MockError("the server sends nothing over its WebSocket") }
                silences = count == heard ? silences + 1 : 0
                heard = count
                // A server that does not even echo has gone. The comparison names what did not come.
                if silences == KitLimits.silences { break }
            }
            if !keepsPace, act.delay > .zero {
                // Wait as long as the recorded client did. Any event ends the wait, even one that was not recorded.
                let count = state.withLock { $0.counted }
                try await wait(act.delay) { self.state.withLock { $0.counted > count } }
            } else if keepsPace, let last {
                let left = min(act.time - last.recorded, KitLimits.recordedAnswer) - (clock.now - last.own)
                if left > .zero { try await wait(left) { false } }
            }
            last = (act.time, clock.now)
            switch act.content {
            case .call(let call): try await send(call, number, wait)
            case .open(let query): try await open(query, wait)
            case .frame(let frame): state.withLock { $0.socket }?.send(.text, filled(frame))
            }
        }
        let total = recording.counted.count
        try await wait(nil) { self.state.withLock { $0.place.covers(total) } }
        try check()
        // Wait for events after the last recorded one.
        try await wait(keepsPace ? KitLimits.lateEvents : nil) { false }
        state.withLock { $0.socket }?.cut()
    }

    /// Sends the requests that must precede a WebSocket, except those that the recording contains.
    private func begin(_ wait: Wait) async throws {
        let paths = recording.acts.compactMap { act in
            if case .call(let call) = act.content { call.path } else { nil }
        }
        func needs(_ path: String) -> Bool { !paths.contains { $0.hasSuffix(path) } }
        let chunks = recording.asksForChunks
        if recording.isContact {
            if needs("/contact/chat") {
                let types = [
                    "text/plain", "text/markdown", "application/vnd.amazonaws.connect.message.interactive",
                ]
                try await post(
                    "PUT", "/contact/chat",
                    [
                        "InstanceId": .string("mock"), "ContactFlowId": .string(scenario ?? "demo"),
                        "ParticipantDetails": .object(["DisplayName": .string(recording.customer)]),
                        "ParticipantConfiguration": .object([
                            "ResponseMode": .string(chunks ? "INCREMENTAL" : "COMPLETE")
                        ]), "SupportedMessagingContentTypes": .array(types.map { .string($0) }),
                    ], wait)
            }
            if needs("/participant/connection") {
                let kinds: [JSONValue] = [.string("WEBSOCKET"), .string("CONNECTION_CREDENTIALS")]
                try await post("POST", "/participant/connection", ["Type": .array(kinds)], wait)
            }
        } else {
            if needs("/access-token") { try await post("POST", "/api/v1/access-token", [:], wait) }
            if needs("/sessions") {
                try await post("POST", "/api/v1/sessions", ["streaming_enabled": .bool(chunks)], wait)
            }
        }
    }

    private func post(_ method: String, _ path: String, _ body: JSONObject, _ wait: Wait) async throws {
        let call = TalkRecording.Call(
            method: method, target: path, fields: [("Content-Type", "application/json")],
            body: JSONWriter.bytes(.object(body)))
        try await send(call, -1, wait)
    }

    // MARK: - Requests

    private func send(_ call: TalkRecording.Call, _ number: Int, _ wait: Wait) async throws {
        var request = HTTPClient.Request(
            call.method, endpoint, call.target, answerBytes: KitLimits.answerBytes,
            timeout: KitLimits.missingAnswer)
        for field in call.fields where !Self.own.contains(field.name.lowercased()) {
            request.set(field.name, field.value)
        }
        let (tokens, isContact) = (state.withLock { $0.tokens }, recording.isContact)
        if isContact {
            let name = call.path.hasSuffix("/connection") ? "ParticipantToken" : "ConnectionToken"
            if let token = tokens[name] { request.set("X-Amz-Bearer", token) }
        } else if call.path.hasSuffix("/access-token") {
            request.set("X-Token", scenario ?? "demo")
            if call.fields.first(where: { $0.name.lowercased() == "x-host" }) == nil {
                request.set("X-Host", "com.example.app")
            }
        } else if let token = tokens["access_token"] {
            request.set("Authorization", "Bearer \(token)")
        }
        var body = filled(call.body)
        if let scenario, var json = (try? JSONReader.read(body))?.object, json["ContactFlowId"] != nil {
            for place in json.members.indices where json.members[place].name == "ContactFlowId" {
                json.members[place].value = .string(scenario)
            }
            body = JSONWriter.bytes(.object(json))
        }
        request.body = body
        let key = number < 0 ? -1 - state.withLock { $0.answers.count } : number
        _ = client.send(request) { report in
            self.state.withLock { state in
                switch report {
                case .answered(let answer):
                    state.answers[key] = Answer(status: answer.status, body: answer.body)
                case .failed(let failure): state.failure = "\(failure)"
                default: break
                }
            }
        }
        try await wait(KitLimits.missingAnswer) {
            self.state.withLock { $0.answers[key] != nil || $0.failure != nil }
        }
        try check()
        guard let answer = state.withLock({ $0.answers[key] }) else {
            throw MockError("the server does not answer \(call.method) \(call.path)")
        }
        if let refusal = tokenRefusal(of: answer, to: call) { throw MockError(refusal) }
        guard let json = try? JSONReader.read(answer.body) else {
            guard number >= 0, call.answer.isEmpty || (try? JSONReader.read(call.answer)) == nil else {
                throw MockError(
                    "the server answers \(call.method) \(call.path) with \(answer.status), without JSON")
            }
            return
        }
        let recorded = try? JSONReader.read(call.answer)
        state.withLock { state in
            state.remember(json)
            if let recorded { state.pair(recorded, json) }
        }
    }

    /// Returns a sentence with the flag for the connector token or contact flow, if the server has refused it and the
    /// recorded server had not; nil otherwise.
    private func tokenRefusal(of answer: Answer, to call: TalkRecording.Call) -> String? {
        let isFirst = call.path.hasSuffix(recording.isContact ? "/contact/chat" : "/access-token")
        guard isFirst, (400..<500).contains(answer.status), answer.status != call.status else { return nil }
        let json = try? JSONReader.read(answer.body)
        let names = ["error_message", "message", "Message", "error"]
        let words = names.lazy.compactMap { json?[$0]?.string }.first
        let reason = words.map { " (\(ForeignText.clipped($0)))" } ?? ""
        let what = recording.isContact ? "contact flow" : "connector token"
        let advice =
            scenario == nil
            ? "give one it knows with --token" : "that of --token is refused; give one it knows"
        return "the server answers \(call.method) \(call.path) with \(answer.status)\(reason): "
            + "it wants its own \(what); \(advice)"
    }

    private func check() throws {
        guard let failure = state.withLock({ $0.failure }) else { return }
        state.withLock { $0.socket }?.cut()
        throw MockError(failure)
    }

    /// Names of header fields that are not copied from recorded requests.
    private static let own: Set<String> = [
        "host", "content-length", "connection", "accept-encoding", "authorization", "x-amz-bearer", "x-token",
        "upgrade", "transfer-encoding",
    ]

    private func open(_ query: String, _ wait: Wait) async throws {
        let (tokens, ids) = state.withLock { ($0.tokens, $0.ids) }
        var target: String
        if recording.isContact {
            guard let address = tokens["Url"] else { throw MockError("the server names no WebSocket") }
            let rest = address.drop { $0 != "/" }.dropFirst(2)
            target = String(rest.drop { $0 != "/" })
        } else {
            let session = tokens["session_id"] ?? ""
            target = "/ws?access_token=\(tokens["access_token"] ?? "")&session_id=\(session)"
            for item in query.dropFirst().split(separator: "&") where item.hasPrefix("cursor=") {
                target += "&\(item)"
            }
        }
        for (recorded, own) in ids where recorded.count > 8 && target.holds(recorded) {
            target = target.split(separator: "=", omittingEmptySubsequences: false).map { part in
                part == recorded[...] ? own : String(part)
            }.joined(separator: "=")
        }
        var request = HTTPClient.Request(
            "GET", endpoint, target, answerBytes: 4_096, timeout: KitLimits.missingAnswer)
        request.webSocket = HTTPClient.WebSocketTerms(messageBytes: KitLimits.answerBytes)
        let number = state.withLock { state in
            state.socket?.cut()
            (state.socket, state.isOpen) = (nil, false)
            state.socketNumber += 1
            return state.socketNumber
        }
        let connection = client.send(request) { self.receive($0, number) }
        state.withLock { if $0.socketNumber == number { $0.socket = connection } }
        try await wait(KitLimits.missingAnswer) { self.state.withLock { $0.isOpen || $0.failure != nil } }
        try check()
    }

    private func receive(_ report: HTTPClient.Report, _ number: Int) {
        let now = clock.now
        let connection = state.withLock { state -> HTTPClient.Connection? in
            guard state.socketNumber == number else { return nil }
            switch report {
            case .opened: state.isOpen = true
            case .text(let bytes):
                let row = Row(
                    number: UInt64(state.rows.count) + 1, time: now, direction: .outbound, kind: .ws,
                    raw: bytes)
                state.rows.append(row)
                state.byteCount += bytes.count
                guard state.rows.count <= TimelineLimits.importRows, state.byteCount <= KitLimits.talkBytes
                else {
                    state.failure =
                        "the server sends more than a conversation has: "
                        + "\(Counted.text(state.rows.count, "message")), \(state.byteCount >> 20) MiB"
                    return nil
                }
                for event in Server.recorded([row]) where event.isCounted {
                    guard state.known.insert(JSONWriter.bytes(.object(event.json))).inserted else { continue }
                    state.counted += 1
                    if let recorded = state.place.add(event) {
                        state.pair(.object(recorded.json), .object(event.json))
                    }
                }
            case .answered(let answer): state.failure = "the WebSocket is refused with \(answer.status)"
            case .failed(let failure):
                if !state.isOpen || state.rows.isEmpty { state.failure = "\(failure)" }
            case .binary, .closed, .began, .part, .sent: break
            }
            return state.socket
        }
        if let size = report.byteCount { connection?.taken(size) }
    }

    // MARK: - Ids

    /// Returns the client's JSON with the server's ids in place of recorded ids. Each masked text is replaced by a
    /// generated one.
    private func filled(_ bytes: [UInt8]) -> [UInt8] {
        guard let json = try? JSONReader.read(bytes) else { return bytes }
        let (ids, number) = state.withLock { ($0.ids, $0.answers.count) }
        func filled(_ value: JSONValue) -> JSONValue {
            switch value {
            case .string("***"): .string("token-\(number)")
            case .string(let text): .string(ids[text] ?? text)
            case .array(let items): .array(items.map(filled))
            case .object(let object):
                .object(JSONObject(object.members.map { .init($0.name, filled($0.value)) }))
            default: value
            }
        }
        return JSONWriter.bytes(filled(json))
    }
}

/// Position in a recording that a server's events have reached.
struct TalkPlace: Sendable {
    private let recorded: [RecordedEvent]
    private let keys: [String]
    /// Number of recorded events up to and including the latest one that the server has sent.
    private var reached = 0
    /// Number of changed events after the latest match. A changed event has the type of a recorded event, but other
    /// words.
    private var others = 0
    /// Recorded events before ``reached`` that the server has not sent. They may still come, in another order.
    private var skipped: [Int] = []
    /// Maximum distance of a match: each event of the server is compared with this many of the next recorded events.
    private static let gap = 8

    init(_ events: [RecordedEvent]) {
        recorded = events
        keys = recorded.map(Self.key)
    }

    private static func key(_ event: RecordedEvent) -> String { "\(event.type) \(event.words)" }

    /// Returns the recorded event with the same type and words, and moves the position past it; nil if there is none.
    mutating func add(_ event: RecordedEvent) -> RecordedEvent? {
        let key = Self.key(event)
        guard let place = keys[reached...].prefix(Self.gap).firstIndex(of: key) else {
            if let late = skipped.firstIndex(where: { keys[$0] == key }) {
                return recorded[skipped.remove(at: late)]
            }
            // An event of an expected type counts as changed. An event of any other type was added, and does not count.
            let isChanged = recorded[reached...].prefix(Self.gap).contains { $0.type == event.type }
            others += isChanged ? 1 : 0
            return nil
        }
        skipped += reached..<place
        (reached, others) = (place + 1, 0)
        return recorded[place]
    }

    /// Whether the server has sent the first `count` recorded events, or changed events in their place.
    func covers(_ count: Int) -> Bool { reached + others >= count }
}

extension TalkPlayer.State {
    mutating func pair(_ recorded: JSONValue, _ own: JSONValue) {
        TalkComparison.pairs(recorded, own) { name, left, right in
            if left != right, left != "***", TalkComparison.Kind(name) == .id { ids[left] = right }
        }
    }

    mutating func remember(_ value: JSONValue) {
        switch value {
        case .object(let object):
            for member in object.members {
                if let text = member.value.string { tokens[member.name] = text }
                remember(member.value)
            }
        case .array(let items): for item in items { remember(item) }
        default: break
        }
    }
}
