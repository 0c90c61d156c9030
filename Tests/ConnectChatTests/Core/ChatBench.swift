import Clocks
import Expectations
import TestSupport
import Testing
import Texts

@testable import ConnectChat
@testable import ConnectCore

/// A chat's core on a workbench: inputs go in by hand, time moves when told to, rows are kept as the app keeps them.
struct ChatBench {
    var core: ChatCore
    var now = Instant(secondsSince1970: 1_768_469_400)
    /// Everything since the bench was made.
    var outputs: [ChatCore.Output] = []
    /// What the changes have made of the list.
    var rows: [TranscriptRow] = []
    private var lastCall = 0
    private var takes = 0
    private var answeredRequests: Set<Int> = []

    static let details = ChatDetails(contactId: "contact", participantId: "me", participantToken: "secret-p")

    init(seed: UInt64 = 1, window: Interval = .seconds(5)) {
        core = ChatCore(seed: seed)
        core.settings.receiptWindow = window
    }

    /// A chat that is connected and has an empty first page, with socket and outputs of its own from here on.
    static func active(seed: UInt64 = 1, window: Interval = .seconds(5), items: [WireItem] = []) -> ChatBench
    {
        var bench = ChatBench(seed: seed, window: window)
        bench.connect()
        bench.answer(.page(Page(initialContactID: "contact", items: items, nextToken: nil)))
        bench.outputs = []
        return bench
    }

    // MARK: - Giving

    @discardableResult
    mutating func give(_ input: ChatCore.Input) -> [ChatCore.Output] {
        let late = take(core.advance(to: now))
        return late + take(core.handle(input, at: now))
    }

    /// Moves time, stopping at each deadline on the way.
    @discardableResult
    mutating func advance(_ interval: Interval) -> [ChatCore.Output] {
        let target = now + interval
        var all: [ChatCore.Output] = []
        while let next = core.nextDeadline, next <= target {
            now = max(now, next)
            all += take(core.advance(to: now))
        }
        now = target
        return all
    }

    private mutating func take(_ new: [ChatCore.Output]) -> [ChatCore.Output] {
        for case .changed(let changes, _) in new {
            for change in changes {
                switch change {
                case .insert(let row, let index): rows.insert(row, at: index)
                case .update(let row, let index): rows[index] = row
                case .move(let row, let from, let to):
                    expectEqual(rows[from].persistentId, row.persistentId)
                    rows.remove(at: from)
                    rows.insert(row, at: to)
                case .remove(let index): rows.remove(at: index)
                case .removeFirst(let count): rows.removeFirst(count)
                case .removeAll: rows = []
                }
            }
        }
        takes += 1
        // Of a long transcript a share: each look at it costs as much as it is long.
        let isLooked = rows.count < 100 || takes.isMultiple(of: Strength.of(20, full: 1))
        if isLooked { expectEqual(rows, core.transcript.rows) }
        for case .log(_, let line) in new { expectEqual(LogGuard.problem(of: line), nil) }
        outputs += new
        return new
    }

    mutating func call() -> Int {
        lastCall += 1
        return lastCall
    }

    // MARK: - Scenes

    @discardableResult
    mutating func connect(_ details: ChatDetails = details) -> Int {
        let call = call()
        give(.connect(details, call))
        credentials()
        subscribe()
        return call
    }

    /// Answers the newest CreateParticipantConnection.
    mutating func credentials(expiry: Interval? = nil, urlExpiry: Interval? = nil) {
        let new = Credentials(
            url: "ws://mock.test/ws", token: "secret-c\(core.lastNumber)", expiry: expiry.map { now + $0 },
            urlExpiry: urlExpiry.map { now + $0 })
        answer(.connection(new))
    }

    /// Opens the socket that was dialled last, and subscribes it.
    mutating func subscribe() {
        guard let socket = dialled.last else { return }
        give(.opened(socket))
        frame(#"{"topic":"aws/subscribe","content":{"status":"success","topics":["aws/chat"]}}"#, on: socket)
    }

    /// Loses the socket and makes a new one.
    mutating func reconnect() {
        drop()
        if let pause = core.link.pausesUntil { advance(pause - now) }
        credentials()
        subscribe()
    }

    mutating func drop() {
        if let live = core.link.live?.socket { give(.closed(live)) }
    }

    // MARK: - The wire

    /// Answers the oldest request that has no answer, or the one of a kind.
    mutating func answer(_ reply: Reply, where fits: (ChatCore.Output) -> Bool = { _ in true }) {
        for output in outputs where fits(output) {
            switch output {
            case .request(let number, _, _), .upload(let number, _, _, _):
                guard answeredRequests.insert(number).inserted else { continue }
                give(.answered(number, reply))
                return
            default: continue
            }
        }
        Issue.record("There is no request to answer with \(reply)")
    }

    mutating func refuse(_ status: Int, _ type: String) {
        answer(.failed(.service(ConnectChatError.ServiceError(type: type, status: status))))
    }

    mutating func frame(_ text: String, on socket: Int? = nil) {
        guard let socket = socket ?? core.link.live?.socket else { return }
        give(.text(socket, Array(text.utf8)))
    }

    mutating func hear(_ item: WireItem, on socket: Int? = nil) {
        let content = String(decoding: item.frame, as: UTF8.self)
        frame(
            JSONWriter.line([
                ("topic", .string("aws/chat")), ("contentType", .string("application/json")),
                ("content", .string(content)),
            ]), on: socket)
    }

    /// An item so many seconds after the beginning.
    static func item(
        _ id: String, _ second: Double, _ text: String = "", role: String = "AGENT", sender: String? = nil,
        type: String = "MESSAGE", contentType: String = "text/plain", more: [(String, JSONValue)] = []
    ) -> WireItem {
        let time = WireTime.text(Instant(secondsSince1970: 1_768_469_400) + .seconds(second))
        let sender = sender ?? (role == "CUSTOMER" ? "me" : role.lowercased())
        var members: [(String, JSONValue)] = [
            ("AbsoluteTime", .string(time)), ("Content", .string(text)),
            ("ContentType", .string(contentType)),
            ("Id", .string(id)), ("Type", .string(type)), ("ParticipantId", .string(sender)),
            ("DisplayName", .string(role)), ("ParticipantRole", .string(role)),
            ("InitialContactId", .string("contact")),
        ]
        if !more.contains(where: { $0.0 == "RelatedContactId" }) {
            members.append(("ContactId", .string("contact")))
        }
        members += more
        let object = JSONObject(members.map { JSONObject.Member($0.0, $0.1) })
        return WireItem(.object(object)) ?? item("", 0)
    }

    static func event(_ id: String, _ second: Double, _ name: String, role: String = "AGENT") -> WireItem {
        item(id, second, role: role, type: "EVENT", contentType: WireItem.eventPrefix + name)
    }

    /// A part of a message that is streamed.
    static func fragment(_ id: String, _ number: Int64, _ text: String, done: Bool = false) -> WireItem {
        let metadata: JSONObject = [
            "MessageId": .string(id), "ChunkNumber": .integer(number), "MessageCompleted": .bool(done),
        ]
        return item(
            id, Double(number), text, role: "SYSTEM", more: [("MessageMetadata", .object(metadata))])
    }

    static func receipt(_ message: String, by reader: String = "agent", read: Bool = true) -> WireItem {
        var receipt: [(String, JSONValue)] = [
            ("DeliveredTimestamp", .string("2026-01-15T09:40:00.000Z")),
            ("RecipientParticipantId", .string(reader)),
        ]
        if read { receipt.append(("ReadTimestamp", .string("2026-01-15T09:40:01.000Z"))) }
        let metadata = JSONObject([
            .init("MessageId", .string(message)),
            .init("Receipts", .array([.object(JSONObject(receipt.map { .init($0.0, $0.1) }))])),
        ])
        return item(
            "r-\(message)-\(read)", 600, type: "MESSAGEMETADATA",
            contentType: WireItem.eventPrefix + "message.metadata",
            more: [("MessageMetadata", .object(metadata))])
    }

    // MARK: - Looking

    var dialled: [Int] { outputs.compactMap { if case .dial(let socket, _) = $0 { socket } else { nil } } }
    var operations: [ServiceOperation] {
        outputs.compactMap { if case .request(_, let operation, _) = $0 { operation } else { nil } }
    }
    var connections: Int {
        operations.count { if case .createConnection = $0 { true } else { false } }
    }
    var events: [ChatSessionEvent] {
        outputs.compactMap { if case .event(let event, _) = $0 { event } else { nil } }
    }
    var closed: [Int: UInt16] {
        var closed: [Int: UInt16] = [:]
        for case .close(let socket, let code) in outputs { closed[socket] = code }
        return closed
    }
    var pages: [PageRequest] {
        operations.compactMap { if case .getTranscript(let page) = $0 { page } else { nil } }
    }
    var updates: Int { outputs.count { if case .changed = $0 { true } else { false } } }

    var logLines: [String] { outputs.compactMap { if case .log(_, let line) = $0 { line } else { nil } } }

    func answers(_ call: Int) -> [ChatCore.Answer] {
        outputs.compactMap { output in
            if case .finish(call, let answer) = output { answer } else { nil }
        }
    }

    func count(_ event: ChatSessionEvent) -> Int { events.count { $0 == event } }
    var texts: [String] { rows.map(\.text) }
    var ids: [String] { rows.map(\.id) }
}
