import ClientSupport
import Clocks
import HTTPCore
import Texts

/// State machine of a chat, without sockets, timers and files: each input returns an ordered list of outputs.
///
/// | phase | input | next phase |
/// | --- | --- | --- |
/// | idle, ended | connect | connecting |
/// | connecting, active | connect with another token | connecting |
/// | connecting | subscribed | active |
/// | connecting | refused, timed out (30 s), reset, disconnect | idle |
/// | active | chat.ended, access denied, disconnected | ended |
/// | any | reset | idle |
///
/// At most one connection attempt and one live socket exist. If both exist, the attempt renews the connection.
struct ChatCore: StateMachine, Sendable {
    enum Phase: Equatable, Sendable {
        case idle
        case connecting
        case active
        case ended
    }

    enum LogLevel: String, Sendable {
        case debug
        case info
        case error
    }

    typealias Call = Int

    enum Answer: Equatable, Sendable {
        case success
        case failure(ConnectChatError)
        case page(initialContactID: String, ids: [String], nextToken: String)
        case address(String)
        case view(JSONValue)
    }

    struct Settings: Equatable, Sendable {
        var sendsReceipts = true
        var receiptWindow = Interval.seconds(5)
        /// Time-out of a custom client's requests. Nil if the SDK itself makes the requests.
        var answersWithin: Interval?
    }

    struct File: Equatable, Sendable {
        var name: String
        var contentType: String
        var byteCount: Int
        var copy: String
    }

    enum Input: Sendable {
        case configure(Settings)
        case connect(ChatDetails, Call)
        case disconnect(Call)
        case suspend
        case resume
        case reset
        case send(contentType: String, text: String, Call)
        case resend(id: String, Call)
        case event(contentType: String, content: String, Call)
        case receipt(MessageReceiptType, messageID: String, Call?)
        case page(PageRequest, Call)
        case attach(File, Call)
        /// Cancels the upload of this `attach` call.
        case cancelUpload(Call)
        case cancelFile(String)
        /// The percentage of an upload has risen. The first value is the number of the upload's request.
        case uploading(Int, percent: Int)
        case address(attachmentID: String, Call)
        case view(token: String, Call)
        case credentials(Credentials)
        case details(ChatDetails)
        case stopReconnecting
        case answered(Int, Reply)
        case opened(Int)
        case text(Int, [UInt8])
        /// A socket has closed or could not be opened. `because` is the reason, if known.
        case closed(Int, because: ConnectChatError? = nil)
        case reachable(Bool)
        /// Backpressure paused (true) or resumed (false) reading.
        case unread(Bool)
        case front(Bool)
    }

    enum Output: Equatable, Sendable {
        case request(Int, ServiceOperation, token: String)
        case upload(Int, copy: String, url: String, headers: HeaderFields)
        case cutUpload(Int)
        case progress(Call, Int)
        case dial(Int, url: String)
        case transmit(Int, [UInt8])
        case close(Int, code: UInt16)
        case changed([TranscriptCore.Change], previousToken: String?)
        case event(ChatSessionEvent, TranscriptRow?)
        case finish(Call, Answer)
        case state(isActive: Bool, Credentials?)
        case dropFile(String)
        case log(LogLevel, String)
    }

    enum Purpose: Equatable, Sendable {
        case attempt
        case credentials
        case message(String)
        case event(Call, isTyping: Bool)
        case receipt(ReceiptsCore.Due)
        case page(PageRequest, Call?)
        case catchUp(PageRequest)
        case firstPage(PageRequest)
        case disconnect
        case startUpload(String)
        case upload(String)
        case completeUpload(String)
        case address(Call)
        case view(Call)
    }

    struct Pending: Equatable, Sendable {
        var purpose: Purpose
        var operation: ServiceOperation?
        /// Whether this request repeats a request that got status 403.
        var isRepeated = false
        var deadline: Instant?
    }

    struct SentReceipt: Equatable, Sendable {
        var messageID: String
        var recipient: String
        var isRead: Bool
    }

    var settings = Settings()
    var phase = Phase.idle
    var details: ChatDetails?
    var rowsToken: String?
    var credentials: Credentials?
    var transcript = TranscriptCore()
    var receipts = ReceiptsCore()
    var outbox = Outbox()
    var link = ChatLink()
    var catchUp = CatchUp()
    /// Recent receipts of other participants, so that none is reported twice.
    var sentReceipts: [SentReceipt] = []
    var generator: SeededGenerator
    var outputs: [Output] = []
    var pending: [Int: Pending] = [:]
    var refused: [Pending] = []
    var connectCalls: [Call] = []
    var connectDeadline: Instant?
    var disconnectCalls: [Call] = []
    var farewell: Instant?
    var typingUntil: Instant?
    var previousToken: String?
    var ownName = ""
    var hasReportedConflict = false
    var lastNumber = 0

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed).stream("chat")
    }

    var isActive: Bool { phase == .active }

    var isCalm: Bool {
        let isOnItsWay = phase == .connecting || phase == .active && link.live == nil && link.mayConnect
        return !isOnItsWay && pending.isEmpty && refused.isEmpty && readsAgainAt == nil
    }

    // MARK: - Time

    var nextDeadline: Instant? {
        [
            link.nextDeadline, connectDeadline, farewell, receipts.nextDeadline, transcript.nextDeadline,
            catchUp.holdsUntil, readsAgainAt, requestDeadline, renewsTokenAt,
        ].compactMap { $0 }.min()
    }

    mutating func advance(to now: Instant) -> [Output] {
        // The limit prevents an endless loop.
        for _ in 0..<1_000 {
            guard let due = nextDeadline, due <= now else { break }
            run(at: due, now)
        }
        return takeOutputs()
    }

    private mutating func run(at due: Instant, _ now: Instant) {
        if let deadline = connectDeadline, deadline <= due { return connectTimedOut(at: now) }
        if let end = farewell, end <= due { return endChat(at: now) }
        if let deadline = receipts.nextDeadline, deadline <= due { return sendReceipts(at: due) }
        if let deadline = transcript.nextDeadline, deadline <= due { return transcript.advance(to: due) }
        if let deadline = catchUp.holdsUntil, deadline <= due { return releaseHeld(at: now) }
        if let deadline = readsAgainAt, deadline <= due { return readAgain(at: now) }
        if let deadline = renewsTokenAt, deadline <= due {
            link.triedTokenOf = credentials?.expiry
            return requestCredentials(at: now)
        }
        if let late = pending.first(where: { $0.value.deadline.map { $0 <= due } ?? false })?.key {
            return answered(
                late, .failed(.timedOut(seconds: Double(ConnectLimits.customAnswer.seconds))), at: now)
        }
        advanceLink(to: due, now)
    }

    /// Time at which the connection token is renewed, or nil.
    var renewsTokenAt: Instant? {
        guard isActive, !link.isSuspended, !link.isBehind, let expiry = credentials?.expiry,
            link.triedTokenOf != expiry
        else { return nil }
        return link.renewal(before: expiry)
    }

    private var requestDeadline: Instant? {
        settings.answersWithin == nil ? nil : pending.values.compactMap(\.deadline).min()
    }

    // MARK: - Inputs

    mutating func handle(_ input: Input, at now: Instant) -> [Output] {
        switch input {
        case .configure(let settings): self.settings = settings
        case .connect(let details, let call): connect(details, call, at: now)
        case .disconnect(let call): disconnect(call, at: now)
        case .suspend: suspend()
        case .resume: resume(at: now)
        case .reset: reset(.reset, at: now)
        case .send(let type, let text, let call): send(type, text, call, at: now)
        case .resend(let id, let call): resend(id, call, at: now)
        case .event(let type, let content, let call): sendEvent(type, content, call, at: now)
        case .receipt(let kind, let id, let call): addReceipt(kind, id, call, at: now)
        case .page(let page, let call): getPage(page, call, at: now)
        case .attach(let file, let call): attach(file, call, at: now)
        case .cancelUpload(let call):
            if let id = outbox.uploads.first(where: { $0.value.call == call })?.key {
                cancelUpload(id, at: now)
            }
        case .cancelFile(let id):
            if let row = transcript.byPersistentID(id) { cancelUpload(row.persistentId, at: now) }
        case .uploading(let number, let percent): uploading(number, percent)
        case .address(let id, let call): ask(.getAttachment(id: id), .address(call), call, at: now)
        case .view(let token, let call): ask(.describeView(token: token), .view(call), call, at: now)
        case .credentials(let new): credentials = new
        case .details(let new):
            if phase == .connecting || phase == .active {
                (details, rowsToken) = (new, new.participantToken)
            }
        case .stopReconnecting: (link.isHalted, link.pausesUntil) = (true, nil)
        case .answered(let number, let reply): answered(number, reply, at: now)
        case .opened(let socket): opened(socket, at: now)
        case .text(let socket, let bytes): receive(socket, bytes, at: now)
        case .closed(let socket, let error): closed(socket, because: error, at: now)
        case .unread(let isUnread): link.isUnread = isUnread
        case .reachable(let isReachable): reachable(isReachable, at: now)
        case .front(let isAtFront): front(isAtFront, at: now)
        }
        return takeOutputs()
    }

    private mutating func takeOutputs() -> [Output] {
        report()
        defer { outputs = [] }
        return outputs
    }

    mutating func report() {
        let changes = transcript.takeChanges()
        if !changes.isEmpty { outputs.append(.changed(changes, previousToken: previousToken)) }
    }

    // MARK: - Tools

    mutating func notify(_ event: ChatSessionEvent, _ row: TranscriptRow? = nil) {
        report()
        if let (level, line) = event.logLine { log(level, line) }
        outputs.append(.event(event, row))
    }

    mutating func finish(_ calls: [Call], _ answer: Answer) {
        report()
        for call in calls { outputs.append(.finish(call, answer)) }
    }

    mutating func log(_ level: LogLevel, _ text: String) { outputs.append(.log(level, text)) }

    mutating func makeID() -> String { UniqueID.version4(from: &generator).text }

    mutating func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    mutating func reportState() { outputs.append(.state(isActive: isActive, credentials)) }

    /// Makes a request with the connection token, or for `createConnection` with the participant token.
    @discardableResult
    mutating func request(
        _ operation: ServiceOperation, _ purpose: Purpose, isRepeated: Bool = false, at now: Instant
    ) -> Int {
        let number = nextNumber()
        pending[number] = Pending(
            purpose: purpose, operation: operation, isRepeated: isRepeated,
            deadline: settings.answersWithin.map { now + $0 })
        var token = credentials?.token ?? ""
        if case .createConnection(let participantToken) = operation { token = participantToken }
        outputs.append(.request(number, operation, token: token))
        return number
    }

    /// Error for calls that need a chat, or nil.
    var obstacle: ConnectChatError? {
        switch phase {
        case .ended: .chatEnded
        case .idle, .connecting: credentials == nil || phase == .idle ? .notConnected : nil
        case .active: nil
        }
    }

    private mutating func ask(
        _ operation: ServiceOperation, _ purpose: Purpose, _ call: Call, at now: Instant
    ) {
        if let obstacle { return finish([call], .failure(obstacle)) }
        request(operation, purpose, at: now)
    }
}
