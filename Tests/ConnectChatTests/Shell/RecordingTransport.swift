import ClientSupport
import Clocks
import HTTPClient
import TestSupport
import WebSocketCore

/// Notes what a session asks of the network, and how much of it the session holds.
final class RecordingTransport: WebTransport {
    struct Facts: Sendable {
        var requests: [HTTPClient.Request] = []
        /// Requests and WebSockets without an end.
        var live = 0
        var untaken = 0
        /// The most that was reported and not dealt with at any time.
        var mostUntaken = 0
    }

    private let network: HTTPClient
    private let state = Locked(Facts())
    /// ``Facts/live`` after each change.
    let liveCounts = Gathering<Int>()

    init(_ network: HTTPClient) {
        self.network = network
    }

    var facts: Facts { state.withLock { $0 } }

    func begin(
        _ request: HTTPClient.Request, report: @escaping @Sendable (HTTPClient.Report) -> Void
    ) -> any WebExchange {
        change { facts in
            facts.requests.append(request)
            facts.live += 1
        }
        let isOver = Locked(false)
        let exchange = network.send(request) { news in
            if case .part(let bytes) = news {
                self.change { facts in
                    facts.untaken += bytes.count
                    facts.mostUntaken = max(facts.mostUntaken, facts.untaken)
                }
            }
            report(news)
            if news.isEnd { self.end(isOver) }
        }
        return Exchange(exchange: exchange, owner: self, isOver: isOver)
    }

    /// An exchange that is cut while its last report is on the way ends once.
    private func end(_ isOver: Locked<Bool>) {
        let isFirst = isOver.withLock { isOver in
            defer { isOver = true }
            return !isOver
        }
        if isFirst { change { $0.live -= 1 } }
    }

    private func change(_ body: (inout Facts) -> Void) {
        // In the lock: counts that changed places would leave a wrong one last.
        state.withLock { facts in
            body(&facts)
            liveCounts.append(facts.live)
        }
    }

    private struct Exchange: WebExchange {
        let exchange: HTTPClient.Connection
        let owner: RecordingTransport
        let isOver: Locked<Bool>

        func taken(_ byteCount: Int) {
            owner.change { $0.untaken -= byteCount }
            exchange.taken(byteCount)
        }

        func send(_ opcode: Opcode, _ payload: [UInt8]) { exchange.send(opcode, payload) }
        func close(_ code: CloseCode, reason: String) { exchange.close(code, reason: reason) }
        func cut() {
            owner.end(isOver)
            exchange.cut()
        }
    }
}
