package import ClientSupport
import Clocks
package import HTTPClient
import HTTPCore
import WebSocketCore

/// A man-in-the-middle transport for tests.
package final class WebTap: WebTransport {
    package struct Delivery: Sendable {
        package var messages: [[UInt8]]
        package var isCut: Bool

        package init(_ messages: [[UInt8]], isCut: Bool = false) {
            self.messages = messages
            self.isCut = isCut
        }
    }

    /// The decision about a request.
    package enum Fate: Hashable, Sendable {
        case passes
        /// The request fails, and does not reach the server.
        case unsent
        case refused(Int, retryAfter: String? = nil)
        /// The server executes the request. Its answer is lost with the connection (`lost`), never arrives (`missing`),
        /// arrives late (`late`), or is replaced by another status (`replaced`).
        case lost
        case missing
        case late(Interval)
        case replaced(Int)
        case doubled
    }

    private struct State {
        /// Fates of the next requests, by the last component of their path. The key nil is for WebSockets.
        var fates: [String?: [Fate]] = [:]
        var fate: @Sendable (HTTPClient.Request) -> Fate = { _ in .passes }
        var clock: (any EventClock)?
        var inbound: @Sendable ([UInt8]) -> Delivery = { Delivery([$0]) }
        var outbound: @Sendable ([UInt8]) -> Delivery = { Delivery([$0]) }
        var rewrite: @Sendable (HTTPClient.Request) -> HTTPClient.Request = { $0 }
        var live: [Int: TappedExchange] = [:]
        var requests: [HTTPClient.Request] = []
        var sent: [String] = []
        var receivedCount = 0
    }

    private let network: any WebTransport
    private let state = Locked(State())

    package init(_ network: any WebTransport) { self.network = network }

    // MARK: Verdicts

    package func judgeInbound(_ judge: @escaping @Sendable ([UInt8]) -> Delivery) {
        state.withLock { $0.inbound = judge }
    }

    package func judgeOutbound(_ judge: @escaping @Sendable ([UInt8]) -> Delivery) {
        state.withLock { $0.outbound = judge }
    }

    /// Sets the function that decides on requests. `clock` measures the delay of answers that are late or never come.
    package func judgeRequests(
        on clock: any EventClock, _ fate: @escaping @Sendable (HTTPClient.Request) -> Fate
    ) {
        state.withLock { ($0.clock, $0.fate) = (clock, fate) }
    }

    /// Adds fates of the next requests whose path ends with `name`; nil is for WebSockets.
    package func decide(_ fates: [Fate], for name: String? = nil) {
        state.withLock { $0.fates[name, default: []] += fates }
    }

    func rewriteRequests(_ rewrite: @escaping @Sendable (HTTPClient.Request) -> HTTPClient.Request) {
        state.withLock { $0.rewrite = rewrite }
    }

    package func cutAll() {
        for exchange in state.withLock({ $0.live }).sorted(by: { $0.key < $1.key }) { exchange.value.lose() }
    }

    // MARK: Traffic

    package var dialled: [String] {
        state.withLock { $0.requests }.filter { $0.webSocket != nil }.map(\.target)
    }

    package var requested: [String] { state.withLock { $0.requests }.compactMap(Self.name) }

    package var sent: [String] { state.withLock { $0.sent } }

    package func sent(_ type: String) -> [String] {
        sent.filter { SweepText.types(of: Array($0.utf8)) == [type] }
    }

    package var receivedCount: Int { state.withLock { $0.receivedCount } }

    private static func name(of request: HTTPClient.Request) -> String? {
        guard request.webSocket == nil else { return nil }
        let path = request.target.prefix { $0 != "?" }
        return path.split(separator: "/").last.map(String.init) ?? ""
    }

    // MARK: Transport

    package func begin(
        _ request: HTTPClient.Request, report: @escaping @Sendable (HTTPClient.Report) -> Void
    ) -> any WebExchange {
        let name = Self.name(of: request)
        let (number, decided, judge, clock, rewrite) = state.withLock { state in
            state.requests.append(request)
            let decided = state.fates[name]?.isEmpty == false ? state.fates[name]?.removeFirst() : nil
            return (state.requests.count, decided, state.fate, state.clock, state.rewrite)
        }
        let fate = decided ?? (request.webSocket == nil ? judge(request) : .passes)
        let exchange = TappedExchange(report: report) { [weak self] in
            self?.state.withLock { $0.live[number] = nil }
        } outbound: { [weak self] message in
            self?.passes(message, outbound: true) ?? Delivery([message])
        }
        switch fate {
        case .unsent:
            report(.failed(.system("The connection was refused.")))
            return exchange
        case .refused(let status, let retryAfter):
            report(.answered(Self.refusal(status, retryAfter: retryAfter)))
            return exchange
        case .doubled: network.begin(rewrite(request)) { _ in }
        case .passes, .lost, .missing, .late, .replaced: break
        }
        // Registered before dialling, because the connection may report or be cut before this thread continues.
        if request.webSocket != nil { state.withLock { $0.live[number] = exchange } }
        exchange.attach(
            network.begin(rewrite(request)) { [weak self] news in
                switch news {
                case .text(let bytes):
                    let delivery = self?.passes(bytes, outbound: false) ?? Delivery([bytes])
                    exchange.deliver(delivery, of: bytes.count)
                case .answered: exchange.answer(news, fate, clock)
                default: exchange.forward(news)
                }
            })
        return exchange
    }

    private func passes(_ message: [UInt8], outbound: Bool) -> Delivery {
        let judge = state.withLock { state in
            if outbound {
                state.sent.append(String(decoding: message, as: UTF8.self))
                return state.outbound
            }
            state.receivedCount += 1
            return state.inbound
        }
        return judge(message)
    }
}

extension WebTap {
    fileprivate static func refusal(_ status: Int, retryAfter: String? = nil) -> HTTPClient.Answer {
        HTTPClient.Answer(
            status: status, headers: retryAfter.map { ["Retry-After": $0] } ?? [:],
            body: Array(#"{"message":"from the tap"}"#.utf8))
    }
}

private final class TappedExchange: WebExchange {
    private struct State {
        var exchange: (any WebExchange)?
        var timer: (any EventTimer)?
        var isOver = false
    }

    private let state = Locked(State())
    private let report: @Sendable (HTTPClient.Report) -> Void
    private let onEnd: @Sendable () -> Void
    private let outbound: @Sendable ([UInt8]) -> WebTap.Delivery

    init(
        report: @escaping @Sendable (HTTPClient.Report) -> Void, onEnd: @escaping @Sendable () -> Void,
        outbound: @escaping @Sendable ([UInt8]) -> WebTap.Delivery
    ) {
        self.report = report
        self.onEnd = onEnd
        self.outbound = outbound
    }

    func attach(_ exchange: any WebExchange) {
        let isOver = state.withLock { state in
            if !state.isOver { state.exchange = exchange }
            return state.isOver
        }
        // The connection may be lost before dialling returns.
        if isOver { exchange.cut() }
    }

    func forward(_ news: HTTPClient.Report) {
        if news.isEnd ? end() != nil : !state.withLock({ $0.isOver }) { report(news) }
    }

    func answer(_ news: HTTPClient.Report, _ fate: WebTap.Fate, _ clock: (any EventClock)?) {
        switch fate {
        case .lost: lose()
        case .replaced(let status): forward(.answered(WebTap.refusal(status)))
        case .late(let pause): forward(news, after: pause, clock)
        case .missing:
            let seconds = KitLimits.missingAnswer.seconds
            forward(
                .failed(.timedOut(host: "the server", seconds: seconds)), after: KitLimits.missingAnswer,
                clock)
        case .passes, .unsent, .refused, .doubled: forward(news)
        }
    }

    private func forward(_ news: HTTPClient.Report, after pause: Interval, _ clock: (any EventClock)?) {
        guard let clock else { return forward(news) }
        let timer = clock.makeTimer { self.forward(news) }
        state.withLock { $0.timer = timer }
        timer.arm(at: clock.now + pause)
    }

    func deliver(_ delivery: WebTap.Delivery, of byteCount: Int) {
        guard !state.withLock({ $0.isOver }) else { return }
        for message in delivery.messages { report(.text(message)) }
        if delivery.messages.isEmpty { taken(byteCount) }
        if delivery.isCut { lose() }
    }

    func lose() {
        guard let open = end() else { return }
        for exchange in open { exchange.cut() }
        report(.failed(.lost(because: nil)))
    }

    /// Ends the exchange and releases the inner exchange, because exchanges of chained taps retain each other. Returns
    /// nil if this exchange had already ended.
    @discardableResult
    private func end() -> [any WebExchange]? {
        let open: [any WebExchange]? = state.withLock { state in
            defer { (state.isOver, state.timer, state.exchange) = (true, nil, nil) }
            return state.isOver ? nil : state.exchange.map { [$0] } ?? []
        }
        if open != nil { onEnd() }
        return open
    }

    private var open: (any WebExchange)? { state.withLock { $0.exchange } }

    func taken(_ byteCount: Int) { open?.taken(byteCount) }

    func send(_ opcode: Opcode, _ payload: [UInt8]) {
        guard let open else { return }
        let delivery = outbound(payload)
        for message in delivery.messages { open.send(opcode, message) }
        if delivery.isCut { lose() }
    }

    func close(_ code: CloseCode, reason: String) { open?.close(code, reason: reason) }

    func cut() {
        for exchange in end() ?? [] { exchange.cut() }
    }
}
