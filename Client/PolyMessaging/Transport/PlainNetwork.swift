package import Clocks
import SocketTransport
import WebSocketCore

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// The plain transport: `http` and `ws` over sockets of the system, all on one loop.
///
/// One instance serves any number of clients; ``shared`` is the one of the process.
package final class PlainNetwork: HTTPTransport, SocketDialing {
    /// Real time, one loop for the whole process.
    package static let shared = PlainNetwork(
        clock: SystemClock(), seed: UInt64.random(in: UInt64.min...UInt64.max))

    private let loop: Loop<PlainNetworkState>
    private let nextNumber = Locked(0)

    /// - Parameters:
    ///   - clock: what deadlines are measured with.
    ///   - seed: where handshake keys and masks come from; random outside tests (RFC 6455 §10.3).
    package init(clock: any EventClock, seed: UInt64) {
        loop = Loop(label: "PolyMessaging.network") { _ in PlainNetworkState(clock: clock, seed: seed) }
        let queue = loop.queue
        loop.submit { [loop] state in
            state.start(on: queue) { [weak loop] in
                loop?.assumeInside { $0.drain() }
            } submit: { [weak loop] action in
                loop?.submit { action($0) }
            }
        }
    }

    package func post(_ call: HTTPCall, completion: @escaping @Sendable (RESTReply) -> Void) {
        do throws(TransportFault) {
            let target = try PlainTarget(call.url)
            let number = takeNumber()
            loop.submit { state in
                state.begin(
                    number, target, .request(RequestExchange(call, to: target), completion: completion))
            }
        } catch {
            completion(.failed(error))
        }
    }

    package func dial(
        _ url: URL, report: @escaping @Sendable (SocketReport) -> Void
    ) -> any DialledSocket {
        let number = takeNumber()
        let backlog = Backlog()
        do throws(TransportFault) {
            let target = try PlainTarget(url)
            loop.submit { state in
                let exchange = SocketExchange(
                    to: target, nonce: state.makeNonce(), maskSeed: state.makeSeed())
                state.begin(number, target, .socket(exchange, report: report), backlog: backlog)
            }
        } catch {
            report(.failed(error))
        }
        return PlainSocket(loop: loop, number: number, backlog: backlog)
    }

    /// Closes everything; returns when no descriptor is left.
    package func close() async {
        await withCheckedContinuation { continuation in
            loop.submit { $0.shutDown { continuation.resume() } }
        }
    }

    /// Reads what has arrived, and tells what went through each connection, for tests.
    package func traffic() async -> PlainTraffic {
        await loop.run { $0.traffic() }
    }

    /// The same on the caller's thread, which waits; for tests and tools.
    package func trafficHere() -> PlainTraffic {
        loop.runHere { $0.traffic() }
    }

    private func takeNumber() -> Int {
        nextNumber.withLock { number in
            number += 1
            return number
        }
    }
}

/// A handle on one WebSocket of the loop.
private final class PlainSocket: DialledSocket {
    private let loop: Loop<PlainNetworkState>
    private let number: Int
    private let backlog: Backlog

    init(loop: Loop<PlainNetworkState>, number: Int, backlog: Backlog) {
        self.loop = loop
        self.number = number
        self.backlog = backlog
    }

    func taken(_ byteCount: Int) {
        guard backlog.remove(byteCount) else { return }
        let number = number
        loop.submit { $0.readOn(number) }
    }

    func send(_ text: [UInt8]) {
        let number = number
        loop.submit { $0.send(.text, text, on: number) }
    }

    func sendBinary(_ bytes: [UInt8]) {
        let number = number
        loop.submit { $0.send(.binary, bytes, on: number) }
    }

    func close(code: Int, reason: String) {
        let number = number
        loop.submit { $0.close(number, code: code, reason: reason) }
    }
}
