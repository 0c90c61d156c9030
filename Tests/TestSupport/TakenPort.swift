package import SocketTransport

/// A port of 127.0.0.1 on which nobody listens, and nobody can begin to: one end of a connection has it.
package final class TakenPort: Sendable {
    package let address: SocketAddress
    private let loop: Loop<SocketPool>

    package var port: UInt16 { address.port }

    /// Runs `body` with one that is free again afterwards.
    package static func with<Result>(_ body: (TakenPort) async throws -> Result) async throws -> Result {
        let taken = try await TakenPort()
        do {
            let result = try await body(taken)
            await taken.release()
            return result
        } catch {
            await taken.release()
            throw error
        }
    }

    private init() async throws {
        let loop = try Loop(label: "test.taken") { (_) throws(SocketError) in try SocketPool() }
        self.loop = loop
        let (queue, peers) = (loop.queue, Gathering<SocketAddress>())
        try await loop.run { pool in
            Result { () throws(SocketError) in
                pool.start(on: queue) { [weak loop] in
                    loop?.assumeInside { pool in
                        pool.drain { event in
                            if case .accepted(_, let peer, _) = event { peers.append(peer) }
                        }
                    }
                }
                _ = try pool.connect(to: try pool.listen(host: "127.0.0.1", port: 0).address)
            }
        }.get()
        address = try await peers.wait(count: 1)[0]
    }

    /// Lets the port go; returns when no descriptor is left.
    private func release() async {
        await withCheckedContinuation { continuation in
            loop.submit { $0.shutDown { continuation.resume() } }
        }
    }
}
