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
    package struct Times: Equatable, Sendable {
        /// Time from the connection's opening to the end of the first head.
        package var first: Interval
        /// Time from the first byte of a head to its end.
        package var head: Interval
        /// Time from the first byte of a request to its end.
        package var request: Interval
        package var idle: Interval

        package init(first: Interval, head: Interval, request: Interval, idle: Interval) {
            self.first = first
            self.head = head
            self.request = request
            self.idle = idle
        }
    }

    package enum Step: Equatable, Sendable {
        /// A head is complete.
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

    package enum Lateness: Equatable, Sendable {
        /// No request was in progress. `hasAsked` is false if the connection never had a request.
        case silent(hasAsked: Bool)
        case refuse(Refusal)
    }

    /// Bytes held for a request: a large head with trailers, and the received or announced body.
    package struct HeldRequest: Equatable, Sendable {
        package let head: Int
        package let body: Int

        /// A small head counts as 0, because it is part of the connection's own memory.
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
    /// Bytes that `Content-Length` announces, or 0.
    private var announced = 0
    /// Start of the current request; nil between requests.
    private var began: Instant?
    private var opened: Instant
    package private(set) var hasAsked = false
    package private(set) var bodyLimit = 0
    package var isPaused = false
    /// Whether the rest of the body is discarded.
    private var isDiscarding = false

    package init(limits: HTTPLimits, at now: Instant) {
        parser = RequestParser(limits: limits)
        opened = now
    }

    /// Target of the current request, perhaps incomplete.
    package var target: String? { head?.target ?? parser.target }

    package var isOver: Bool { parser.isFinished }

    package var isBusy: Bool { began != nil }

    // MARK: - Input

    /// Parses input into outputs for ``handle(_:)``.
    package mutating func receive(_ bytes: UnsafeRawBufferPointer) -> [RequestParser.Output] {
        var outputs: [RequestParser.Output] = []
        // Head, body and end.
        outputs.reserveCapacity(3)
        parser.receive(bytes) { outputs.append($0) }
        return outputs
    }

    package mutating func inputClosed() -> [RequestParser.Output] { parser.inputClosed() }

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
            // Reserves the announced length after an eighth of the body has arrived.
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

    /// Returns the size of pipelined requests: `outputs`, bodies included, and what the parser holds of an incomplete
    /// element.
    package func heldBytes(of outputs: [RequestParser.Output]) -> HeldRequest {
        HeldRequest(head: outputs.reduce(parser.partialBytes) { $0 + $1.byteCount }, body: 0)
    }

    /// Discards the body of an answered request. Returns whether the connection can continue after the body.
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
        // An invalid length counts as larger than any limit.
        let length = head?.headers["Content-Length"].map { Int($0) ?? .max } ?? 0
        guard length <= limit else { return Self.tooLong(limit) }
        announced = length
        return nil
    }

    package static func tooLong(_ most: Int, limit name: String? = nil) -> Refusal {
        Refusal(status: 413, reason: "The body is larger than \(most) bytes\(name.map { " (\($0))" } ?? "").")
    }

    // MARK: - Time

    /// Returns the deadline for ``lateness(_:)``, or nil if the present deadline remains.
    package mutating func nextDeadline(at now: Instant, _ times: Times) -> Instant? {
        guard !parser.isIdle else {
            began = nil
            return hasAsked ? now + times.idle : nil
        }
        if head != nil, let began { return began + times.request }
        guard began == nil else { return nil }
        began = now
        // A head that has arrived in one piece needs no deadline of its own.
        let due = now + (head == nil ? min(times.head, times.request) : times.request)
        return hasAsked || head != nil ? due : min(due, opened + times.first)
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

    /// Shifts stored times after a step of the clock.
    package mutating func shift(by step: Interval) {
        opened = opened + step
        began = began.map { $0 + step }
    }
}
