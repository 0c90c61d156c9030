package import Clocks
package import HTTPCore

/// State machine of HTTP requests on one connection: current request, limit of its body, and its deadline.
///
/// | current request | input | step |
/// | --- | --- | --- |
/// | none | a head | judge, then ``allowBody(upTo:)`` |
/// | a head | `Expect: 100-continue` | goOn |
/// | a head | more body than allowed | refuse with 413 |
/// | a head | the end of the body | answer |
/// | none | a head that asks for a WebSocket | upgrade |
/// | any | a malformed message | refuse |
package struct HTTPExchange: Sendable {
    /// Time limits of requests.
    package struct Times: Equatable, Sendable {
        /// Time from the opening of the connection to the end of the first head.
        package var first: Interval
        /// Time from the first byte of a head to its end.
        package var head: Interval
        /// Time from the first byte of a request to its end.
        package var request: Interval
        /// Time between two requests.
        package var idle: Interval

        package init(first: Interval, head: Interval, request: Interval, idle: Interval) {
            self.first = first
            self.head = head
            self.request = request
            self.idle = idle
        }
    }

    package enum Step: Equatable, Sendable {
        /// A head is complete. The server decides whether its body is allowed.
        case judge(RequestHead)
        /// The client sends the body only after it has received "100 Continue".
        case goOn
        case answer(RequestHead, body: [UInt8])
        case upgrade(RequestHead, leftover: [UInt8])
        case refuse(Refusal)

        package var hasHead: Bool {
            switch self {
            case .judge, .upgrade: true
            case .goOn, .answer, .refuse: false
            }
        }
    }

    /// Result of a missed deadline.
    package enum Lateness: Equatable, Sendable {
        /// The deadline passed while no request was in progress. `hasAsked` is false if the connection never had a
        /// request.
        case silent(hasAsked: Bool)
        case refuse(Refusal)
    }

    /// Bytes held for a request: those of a large head with its trailers, and those of the received or announced body.
    package struct HeldRequest: Equatable, Sendable {
        package let head: Int
        package let body: Int

        /// Creates the counts. A small head counts as 0, because it is part of the connection's own memory.
        package init(head: Int = 0, body: Int) {
            self.head = head > CoreLimits.smallHeadBytes ? head : 0
            self.body = body
        }

        package init(_ head: RequestHead, body: [UInt8] = []) {
            self.init(head: head.byteCount, body: body.count)
        }

        package var total: Int { head + body }
    }

    private var parser: RequestParser
    private var head: RequestHead?
    private var body: [UInt8] = []
    /// Bytes of the body as announced by `Content-Length`; 0 without this field.
    private var announced = 0
    /// Start of the current request; nil between requests.
    private var began: Instant?
    private var opened: Instant
    /// Whether any head was received.
    package private(set) var hasAsked = false
    package private(set) var bodyLimit = 0
    /// Whether reading is paused until the peer has read its output.
    package var isPaused = false
    /// Whether the current request was answered before the end of its body, so that the rest of the body is discarded.
    private var isDiscarding = false

    package init(limits: HTTPLimits, at now: Instant) {
        parser = RequestParser(limits: limits)
        opened = now
    }

    /// Target of the current request, or as much of it as was received.
    package var target: String? { head?.target ?? parser.target }

    /// Whether no further request can be read.
    package var isOver: Bool { parser.isFinished }

    package var isBusy: Bool { began != nil }

    // MARK: - Input

    /// Parses input. The caller passes each output to ``handle(_:)``, as long as the exchange is not over.
    package mutating func receive(_ bytes: UnsafeRawBufferPointer) -> [RequestParser.Output] {
        var outputs: [RequestParser.Output] = []
        parser.receive(bytes) { outputs.append($0) }
        return outputs
    }

    package mutating func inputClosed() -> [RequestParser.Output] { parser.inputClosed() }

    /// Returns the next step for an output of the parser; nil if there is none.
    package mutating func handle(_ output: RequestParser.Output) -> Step? {
        switch output {
        case .head(let head):
            self.head = head
            body = []
            (bodyLimit, announced) = (0, 0)
            (hasAsked, isDiscarding) = (true, false)
            return .judge(head)
        case .expectContinue: return isDiscarding ? nil : .goOn
        case .body where isDiscarding: return nil
        case .body(let bytes):
            guard body.count + bytes.count <= bodyLimit else { return .refuse(Self.tooLong(bodyLimit)) }
            guard !body.isEmpty || bytes.count < announced else {
                body = bytes
                return nil
            }
            // Growing a large array copies it, which takes milliseconds. The whole capacity is therefore reserved when
            // an eighth of the body was received. Until then, at most `firstBodyBytes` are reserved.
            let isUnderWay = body.count + bytes.count >= announced / 8
            let room = isUnderWay ? announced : min(announced, CoreLimits.firstBodyBytes)
            if body.capacity < room { body.reserveCapacity(room) }
            body.append(contentsOf: bytes)
            return nil
        case .trailers: return nil
        case .end:
            guard let head else { return nil }
            let whole = body
            self.head = nil
            body = []
            (bodyLimit, announced) = (0, 0)
            began = nil
            return isDiscarding ? nil : .answer(head, body: whole)
        case .upgrade(let head, let leftover):
            hasAsked = true
            return .upgrade(head, leftover: leftover)
        case .refuse(let refusal): return .refuse(refusal)
        }
    }

    package var heldBytes: HeldRequest {
        HeldRequest(head: (head?.byteCount ?? 0) + parser.partialBytes, body: max(announced, body.count))
    }

    /// Returns the bytes held for pipelined requests: those of `outputs`, and those of the next head if it is
    /// incomplete.
    package func heldBytes(of outputs: [RequestParser.Output]) -> HeldRequest {
        HeldRequest(head: outputs.reduce(parser.partialBytes) { $0 + $1.byteCount }, body: 0)
    }

    /// Discards the body of a request that is already answered. Returns whether the connection can continue after the
    /// body.
    package mutating func discardBody() -> Bool {
        (isDiscarding, announced) = (true, 0)
        guard let head, head.headers["Expect"] == nil, let length = head.headers["Content-Length"] else {
            return false
        }
        return Int(length).map { $0 <= CoreLimits.discardedBytes } ?? false
    }

    /// Sets the limit of the body. Returns a refusal if the head announces more.
    package mutating func allowBody(upTo limit: Int) -> Refusal? {
        bodyLimit = limit
        // A length that is not a valid number is treated as larger than any limit.
        let length = head?.headers["Content-Length"].map { Int($0) ?? .max } ?? 0
        guard length <= limit else { return Self.tooLong(limit) }
        announced = length
        return nil
    }

    package static func tooLong(_ most: Int, limit name: String? = nil) -> Refusal {
        Refusal(status: 413, reason: "The body is larger than \(most) bytes\(name.map { " (\($0))" } ?? "").")
    }

    // MARK: - Time

    /// Returns the deadline for ``lateness(_:)`` after input at `now`; nil means that the present deadline remains. The
    /// head and the whole request each have a fixed deadline, however slowly their bytes arrive. For the first head,
    /// the deadline of the connection applies as well.
    package mutating func nextDeadline(at now: Instant, _ times: Times) -> Instant? {
        guard !parser.isIdle else {
            began = nil
            return hasAsked ? now + times.idle : nil
        }
        if head != nil, let began { return began + times.request }
        guard began == nil else { return nil }
        began = now
        // If these bytes completed the head, the deadline is that of the whole request.
        let due = now + (head == nil ? min(times.head, times.request) : times.request)
        return hasAsked ? due : min(due, opened + times.first)
    }

    /// Restarts the time of the current request after a pause in reading.
    package mutating func beginAnew() { began = nil }

    package func lateness(_ times: Times) -> Lateness {
        guard !parser.isIdle else { return .silent(hasAsked: hasAsked) }
        let reason: String
        if head != nil {
            reason = "The request did not arrive completely within \(times.request) (limits.requestTime)."
        } else if hasAsked || times.head < times.first {
            reason = "The head of the request did not arrive within \(times.head) (limits.headerTime)."
        } else {
            reason = "No request arrived within \(times.first) (limits.handshakeTime)."
        }
        return .refuse(Refusal(status: 408, reason: reason))
    }

    /// Shifts all stored times by `step`, after the clock was set back.
    package mutating func shift(by step: Interval) {
        opened = opened + step
        began = began.map { $0 + step }
    }
}
