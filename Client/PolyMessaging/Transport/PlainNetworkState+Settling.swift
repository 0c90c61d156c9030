import SocketTransport

/// Waiting until nothing is under way, for tests.
extension PlainNetworkState {
    struct Settling {
        let payload: [UInt8]
        /// Lines that owe an answer.
        var awaited: Set<Int>
        let completion: @Sendable (Int) -> Void
    }

    func settle(_ completion: @escaping @Sendable (Int) -> Void) {
        drain()
        settlingCount += 1
        let payload = Array("settle \(settlingCount)".utf8)
        var awaited: Set<Int> = []
        for line in lines.values {
            if line.isBusy {
                awaited.insert(line.number)
            } else if let socket = line.socket, case .socket(var exchange, let report) = line.work {
                pool?.write(socket, exchange.ping(payload))
                line.work = .socket(exchange, report: report)
                awaited.insert(line.number)
            }
        }
        pool?.flush()
        guard !awaited.isEmpty else { return completion(owners.count) }
        settling.append(Settling(payload: payload, awaited: awaited, completion: completion))
    }

    /// `line` has opened, ended, or answered the ping with `payload`.
    func noteSettled(_ line: PlainLine, _ payload: [UInt8]? = nil) {
        guard !settling.isEmpty else { return }
        for index in settling.indices where payload == nil || settling[index].payload == payload {
            settling[index].awaited.remove(line.number)
        }
        let done = settling.filter(\.awaited.isEmpty)
        settling.removeAll(where: \.awaited.isEmpty)
        for waiter in done { waiter.completion(owners.count) }
    }
}
