package import Clocks
package import SocketTransport
package import WebSocketCore

/// A client of plain HTTP and WebSocket servers, over sockets of the system, all on one loop.
///
/// Each request has a connection of its own. Redirects are not followed, and no proxy is asked: what is sent goes to the
/// given address or nowhere.
package final class HTTPClient: Sendable {
    /// Activity of a client, for tests that share a process with the server.
    package struct Traffic: Equatable, Sendable {
        package var sockets: [SocketTraffic]
        /// Every local port that was ever used.
        package var dialled: Set<UInt16>
        /// Connections whose owner still waits for them, the closing ones included.
        package var connectionCount: Int
    }

    private let loop: Loop<HTTPClientState>
    private let nextNumber = Locked(0)

    /// - Parameters:
    ///   - label: of its queue, for who looks with a debugger.
    ///   - clock: what deadlines are measured with.
    ///   - seed: where handshake keys and masks come from; random outside tests (RFC 6455 §10.3).
    ///   - unsentBytes: of one connection that wait to be sent; with more it ends.
    package init(label: String, clock: any EventClock, seed: UInt64, unsentBytes: Int) {
        loop = Loop(label: label) { _ in
            HTTPClientState(clock: clock, seed: seed, unsentBytes: unsentBytes)
        }
        let queue = loop.queue
        loop.submit { [loop] state in
            state.start(on: queue) { [weak loop] in
                loop?.assumeInside { $0.drain() }
            } submit: { [weak loop] action in
                loop?.submit { action($0) }
            }
        }
    }

    /// Begins to dial and returns at once.
    ///
    /// `report` is called in order, on the loop; nothing follows the report of an end.
    @discardableResult
    package func send(
        _ request: Request, report: @escaping @Sendable (Report) -> Void
    ) -> Connection {
        let number = nextNumber.withLock { number in
            number += 1
            return number
        }
        let backlog = (request.streamedBytes ?? request.webSocket?.unhandledBytes).map {
            Backlog(limitBytes: $0)
        }
        loop.submit { $0.begin(number, request, backlog: backlog, report: report) }
        return Connection(loop: loop, number: number, backlog: backlog)
    }

    /// Closes everything; returns when no descriptor is left.
    package func close() async {
        await withCheckedContinuation { continuation in
            loop.submit { $0.shutDown { continuation.resume() } }
        }
    }

    /// Reads the bytes that have arrived and returns the traffic of each connection, for tests.
    package func traffic() async -> Traffic {
        await loop.run { $0.traffic() }
    }

    /// Blocking form on the caller's thread, for tests and tools.
    package func trafficHere() -> Traffic {
        loop.runHere { $0.traffic() }
    }
}

extension HTTPClient {
    /// A handle on one request or WebSocket of the loop.
    package final class Connection: Sendable {
        private let loop: Loop<HTTPClientState>
        private let number: Int
        private let backlog: Backlog?

        fileprivate init(loop: Loop<HTTPClientState>, number: Int, backlog: Backlog?) {
            self.loop = loop
            self.number = number
            self.backlog = backlog
        }

        /// A message of so many bytes, reported before, was dealt with. The socket is read on only while little waits:
        /// each reported message has to be answered with this, in any order.
        package func taken(_ byteCount: Int) {
            guard backlog?.remove(byteCount) == true else { return }
            let number = number
            loop.submit { $0.readOn(number) }
        }

        /// Sends one message of an open WebSocket; dropped before it is open. Order is kept.
        package func send(_ opcode: Opcode, _ payload: [UInt8]) {
            let number = number
            loop.submit { $0.send(opcode, payload, on: number) }
        }

        /// Sends a Close frame after earlier output; the end is reported when the peer has answered or a deadline has
        /// passed. A code that no frame may carry becomes ``CloseCode/normal``.
        package func close(_ code: CloseCode, reason: String) {
            let number = number
            loop.submit { $0.close(number, code, reason: reason) }
        }

        /// Ends it without a word; nothing is reported any more.
        package func cut() {
            let number = number
            loop.submit { $0.cut(number) }
        }
    }
}
