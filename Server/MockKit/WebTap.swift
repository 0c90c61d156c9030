package import ClientGround
import Clocks
package import HTTPClient
import SocketTransport
import WebSocketCore

/// Stands between a client of another protocol and its network: cuts connections, loses answers. ``NetworkTap`` does that
/// for the Messaging API.
package final class WebTap: WebTransport {
    /// What becomes of a message that came down the wire.
    package struct Delivery: Sendable {
        /// What the client gets.
        package var messages: [[UInt8]]
        /// The connection ends behind them.
        package var isCut: Bool

        package init(_ messages: [[UInt8]], isCut: Bool = false) {
            self.messages = messages
            self.isCut = isCut
        }
    }

    /// The fate of a request at the tap: forwarded, dropped, or answered by the tap.
    package enum Fate: Hashable, Sendable {
        case passes
        /// It never leaves; or this is answered in the server's place.
        case unsent
        case refused(Int)
        /// The server has done what was asked, and its answer gets lost, never comes, comes late or becomes this one.
        case lost
        case missing
        case late(Interval)
        case replaced(Int)
        /// It arrives twice.
        case doubled
    }

    private struct State {
        var fate: @Sendable (HTTPClient.Request) -> Fate = { _ in .passes }
        var clock: (any EventClock)?
        var judge: @Sendable ([UInt8]) -> Delivery = { Delivery([$0]) }
        /// True for a message that gets lost together with its connection.
        var swallows: @Sendable ([UInt8]) -> Bool = { _ in false }
        /// True for a request whose answer gets lost: the server has done what was asked.
        var losesAnswer: @Sendable (HTTPClient.Request) -> Bool = { _ in false }
        var rewrite: @Sendable (HTTPClient.Request) -> HTTPClient.Request = { $0 }
        /// True for a WebSocket that is not opened.
        var refuses: @Sendable () -> Bool = { false }
        var live: [Int: TappedExchange] = [:]
        var count = 0
    }

    private let network: any WebTransport
    private let state = Locked(State())

    package init(_ network: any WebTransport) {
        self.network = network
    }

    // MARK: Orders

    package func judgeInbound(_ judge: @escaping @Sendable ([UInt8]) -> Delivery) {
        state.withLock { $0.judge = judge }
    }

    package func cutOutbound(when swallows: @escaping @Sendable ([UInt8]) -> Bool) {
        state.withLock { $0.swallows = swallows }
    }

    package func loseAnswers(when loses: @escaping @Sendable (HTTPClient.Request) -> Bool) {
        state.withLock { $0.losesAnswer = loses }
    }

    /// `clock` says when answers that are late, or never come, are due.
    package func judgeRequests(
        on clock: any EventClock, _ fate: @escaping @Sendable (HTTPClient.Request) -> Fate
    ) {
        state.withLock { ($0.clock, $0.fate) = (clock, fate) }
    }

    func rewriteRequests(_ rewrite: @escaping @Sendable (HTTPClient.Request) -> HTTPClient.Request) {
        state.withLock { $0.rewrite = rewrite }
    }

    func refuseSockets(when refuses: @escaping @Sendable () -> Bool) {
        state.withLock { $0.refuses = refuses }
    }

    /// Ends every WebSocket as a lost network would.
    package func cutAll() {
        for exchange in state.withLock({ $0.live }).sorted(by: { $0.key < $1.key }) { exchange.value.lose() }
    }

    // MARK: Transport

    package func begin(
        _ request: HTTPClient.Request, report: @escaping @Sendable (HTTPClient.Report) -> Void
    ) -> any WebExchange {
        let (number, rules) = state.withLock { state in
            state.count += 1
            return (state.count, state)
        }
        let exchange = TappedExchange(report: report) { [weak self] in
            self?.state.withLock { $0.live[number] = nil }
        } swallows: { [weak self] text in
            self?.state.withLock({ $0.swallows })(text) ?? false
        }
        if request.webSocket != nil {
            guard !rules.refuses() else {
                report(.failed(.lost(because: nil)))
                return exchange
            }
            state.withLock { $0.live[number] = exchange }
        }
        let fate = request.webSocket == nil ? rules.fate(request) : .passes
        switch fate {
        case .unsent:
            report(.failed(.lost(because: nil)))
            return exchange
        case .refused(let status):
            report(.answered(Self.refusal(status)))
            return exchange
        case .doubled: network.begin(rules.rewrite(request)) { _ in }
        case .passes, .lost, .missing, .late, .replaced: break
        }
        exchange.attach(
            network.begin(rules.rewrite(request)) { [weak self] news in
                switch news {
                case .text(let bytes):
                    let delivery = self?.state.withLock { $0.judge }(bytes) ?? Delivery([bytes])
                    exchange.deliver(delivery, of: bytes.count)
                    if delivery.isCut { exchange.lose() }
                case .answered where request.webSocket == nil && rules.losesAnswer(request): exchange.lose()
                case .answered: exchange.answer(news, fate, rules.clock)
                default: exchange.tell(news)
                }
            })
        return exchange
    }
}

extension WebTap {
    fileprivate static func refusal(_ status: Int) -> HTTPClient.Answer {
        HTTPClient.Answer(status: status, body: Array(#"{"message":"from the tap"}"#.utf8))
    }
}

/// A request or a WebSocket that can be lost.
private final class TappedExchange: WebExchange {
    private struct State {
        var exchange: (any WebExchange)?
        var timer: (any EventTimer)?
        var isOver = false
    }

    private let state = Locked(State())
    private let report: @Sendable (HTTPClient.Report) -> Void
    private let onEnd: @Sendable () -> Void
    private let swallows: @Sendable ([UInt8]) -> Bool

    init(
        report: @escaping @Sendable (HTTPClient.Report) -> Void, onEnd: @escaping @Sendable () -> Void,
        swallows: @escaping @Sendable ([UInt8]) -> Bool
    ) {
        self.report = report
        self.onEnd = onEnd
        self.swallows = swallows
    }

    func attach(_ exchange: any WebExchange) {
        let isOver = state.withLock { state in
            state.exchange = exchange
            return state.isOver
        }
        // News can come, and the connection be lost, before dialling has returned.
        if isOver { exchange.cut() }
    }

    func tell(_ news: HTTPClient.Report) {
        switch news {
        case .answered, .closed, .failed: if end() { report(news) }
        default: if !state.withLock({ $0.isOver }) { report(news) }
        }
    }

    func answer(_ news: HTTPClient.Report, _ fate: WebTap.Fate, _ clock: (any EventClock)?) {
        switch fate {
        case .lost: lose()
        case .replaced(let status): tell(.answered(WebTap.refusal(status)))
        case .late(let pause): tell(news, after: pause, clock)
        case .missing:
            let seconds = Limits.missingAnswer.seconds
            tell(.failed(.timedOut(host: "the server", seconds: seconds)), after: Limits.missingAnswer, clock)
        case .passes, .unsent, .refused, .doubled: tell(news)
        }
    }

    private func tell(_ news: HTTPClient.Report, after pause: Interval, _ clock: (any EventClock)?) {
        guard let clock else { return tell(news) }
        let timer = clock.makeTimer { self.tell(news) }
        state.withLock { $0.timer = timer }
        timer.arm(at: clock.now + pause)
    }

    /// What is lost is dealt with.
    func deliver(_ delivery: WebTap.Delivery, of byteCount: Int) {
        guard !state.withLock({ $0.isOver }) else { return }
        for message in delivery.messages { report(.text(message)) }
        if delivery.messages.isEmpty { taken(byteCount) }
    }

    func lose() {
        guard end() else { return }
        state.withLock { $0.exchange }?.cut()
        report(.failed(.lost(because: nil)))
    }

    /// - Returns: false when it was over before.
    @discardableResult
    private func end() -> Bool {
        let isFirst = state.withLock { state in
            defer { (state.isOver, state.timer) = (true, nil) }
            return !state.isOver
        }
        if isFirst { onEnd() }
        return isFirst
    }

    private var open: (any WebExchange)? { state.withLock { $0.isOver ? nil : $0.exchange } }

    func taken(_ byteCount: Int) { open?.taken(byteCount) }

    func send(_ opcode: Opcode, _ payload: [UInt8]) {
        guard let open else { return }
        if swallows(payload) { lose() } else { open.send(opcode, payload) }
    }

    func close(_ code: CloseCode, reason: String) { open?.close(code, reason: reason) }

    func cut() {
        let open = open
        end()
        open?.cut()
    }
}
