import Expectations
import SocketTransport
import TestSupport
import Testing

@Suite("Sockets of a loop", .timeLimit(.minutes(5)))
struct SocketPoolTests {
    @Test("Bytes come back in order however they are sliced", arguments: [1, 7, 180, 4_099, 70_001] as [Int])
    func echoInSlices(of size: Int) async throws {
        let server = try await Host(react: echo)
        let client = try await Host()
        let socket = try await client.connect(to: try await server.listen())
        let sent = pattern(size * 5)
        for start in stride(from: 0, to: sent.count, by: size) {
            client.act { $0.write(socket, Array(sent[start..<start + size])) }
        }
        client.act { $0.shutdownWrites(socket) }
        await client.until { $0.closing(of: socket) != nil }
        #expect(await client.read { $0.input[socket] } == sent)
        await expectEqual(client.read { $0.closing(of: socket) }, .closed(socket, nil))
        await client.stop()
        await server.stop()
    }

    @Test("A pool that was shut down opens nothing: its watcher's number is another pool's by then")
    func afterTheEnd() throws {
        let pool = try SocketPool()
        pool.shutDown()
        let address = SocketAddress.loopbackIPv4(port: 0)
        #expect(throws: SocketError(.connect(address), .shutDown)) { try pool.connect(to: address) }
        #expect(throws: SocketError(.listen(host: "127.0.0.1", port: 0), .shutDown)) {
            try pool.listen(host: "127.0.0.1", port: 0)
        }
    }

    @Test("Header and payload arrive as one, short or long", arguments: [0, 5, 200, 300_000] as [Int])
    func headerAndPayload(count: Int) async throws {
        let server = try await Host()
        let client = try await Host()
        let socket = try await client.connect(to: try await server.listen())
        let payload = pattern(count)
        client.act { pool in
            pool.write(socket, [1, 2, 3], payload)
            pool.write(socket, reserving: 2) { $0 += [4, 5] }
            pool.write(socket, [6], payload)
        }
        let peer = try #require(await server.firstAccepted())
        await server.until { $0.input[peer]?.count == 6 + 2 * count }
        await expectEqual(server.read { $0.input[peer] }, [1, 2, 3] + payload + [4, 5, 6] + payload)
        await client.stop()
        await server.stop()
    }

    @Test("Small writes of one turn leave together")
    func coalescing() async throws {
        let server = try await Host()
        let client = try await Host()
        let socket = try await client.connect(to: try await server.listen())
        await client.until { $0.log.contains(.connected(socket)) }
        client.act { pool in
            for _ in 0..<100 { pool.write(socket, [7]) }
        }
        let peer = try #require(await server.firstAccepted())
        await server.until { $0.input[peer]?.count == 100 }
        #expect(await server.read { $0.log.contains(.received(peer, count: 100)) })
        await client.stop()
        await server.stop()
    }

    @Test("A socket that is flushed sends before the end of the turn, and again at its end")
    func flushing() async throws {
        let server = try await Host { node, seen in
            guard case .received(let id, _) = seen else { return }
            node.pool.write(id, [1, 2])
            node.pool.write(id, [3])
            let before = node.pool.sentBytes(id)
            node.pool.flush(id)
            node.sent = Int(node.pool.sentBytes(id) - before)
            node.pool.flush(id)
            node.pool.write(id, [4])
        }
        let client = try await Host()
        let socket = try await client.connect(to: try await server.listen())
        client.act { $0.write(socket, [9]) }
        await client.until { $0.input[socket]?.count == 4 }
        await expectEqual(client.read { $0.input[socket] }, [1, 2, 3, 4])
        await expectEqual(server.read { $0.sent }, 3)
        await client.stop()
        await server.stop()
    }

    @Test("A reply reaches a peer that has ended its own direction")
    func halfCloseByClient() async throws {
        let reply = pattern(300_000)
        let server = try await Host { node, seen in
            guard case .inputClosed(let id) = seen else { return }
            node.pool.write(id, reply)
            node.pool.close(id, afterFlush: true)
        }
        let client = try await Host()
        let socket = try await client.connect(to: try await server.listen())
        client.act { pool in
            pool.write(socket, [1])
            pool.shutdownWrites(socket)
            pool.write(socket, [2])  // too late, and ignored
        }
        await client.until { $0.closing(of: socket) != nil }
        #expect(await client.read { $0.input[socket] } == reply)
        let peer = try #require(await server.firstAccepted())
        await server.until { $0.closing(of: peer) != nil }
        await expectEqual(server.read { $0.input[peer] }, [1])
        await expectEqual(server.read { $0.closing(of: peer) }, .closed(peer, nil))
        await client.stop()
        await server.stop()
    }

    @Test("We may go on reading after our own direction has ended")
    func halfCloseByServer() async throws {
        let server = try await Host { node, seen in
            guard case .accepted(let id, _) = seen else { return }
            node.pool.write(id, [9])
            node.pool.shutdownWrites(id)
        }
        let client = try await Host()
        let socket = try await client.connect(to: try await server.listen())
        await client.until { $0.log.contains(.inputClosed(socket)) }
        client.act { $0.write(socket, [1, 2]) }
        let peer = try #require(await server.firstAccepted())
        await server.until { $0.input[peer] == [1, 2] }
        client.act { $0.close(socket, afterFlush: true) }
        await server.until { $0.closing(of: peer) != nil }
        await expectEqual(server.read { $0.closing(of: peer) }, .closed(peer, nil))
        await client.stop()
        await server.stop()
    }

    @Test("The last bytes are read even when the peer's own bytes never were")
    func lingeringClose() async throws {
        let farewell = pattern(500_000)
        let server = try await Host { node, seen in
            guard case .accepted(let id, _) = seen else { return }
            node.pool.write(id, farewell)
            node.pool.close(id, afterFlush: true)
        }
        let client = try await Host()
        let socket = try await client.connect(to: try await server.listen())
        client.act { $0.write(socket, pattern(200_000)) }
        await client.until { $0.log.contains(.inputClosed(socket)) || $0.closing(of: socket) != nil }
        #expect(await client.read { $0.input[socket] } == farewell)
        client.act { $0.close(socket, afterFlush: true) }
        let peer = try #require(await server.firstAccepted())
        await server.until { $0.closing(of: peer) != nil }
        await expectEqual(server.read { $0.closing(of: peer) }, .closed(peer, nil))
        await expectEqual(server.read { $0.input[peer] }, nil)
        await client.stop()
        await server.stop()
    }

    @Test("A closed socket throws away a bounded amount, then cuts the peer off")
    func discardLimit() async throws {
        var limits = SocketLimits()
        limits.discardBytes = 10_000
        let server = try await Host(limits: limits) { node, seen in
            if case .accepted(let id, _) = seen { node.pool.close(id, afterFlush: true) }
        }
        let client = try await Host()
        let socket = try await client.connect(to: try await server.listen())
        client.act { $0.write(socket, pattern(200_000)) }
        let peer = try #require(await server.firstAccepted())
        await server.until { $0.closing(of: peer) != nil }
        await expectEqual(server.read { $0.pool.openSockets }, 0)
        await client.stop()
        await server.stop()
    }

    @Test("A reset while writing ends the socket, not the process")
    func resetWhileWriting() async throws {
        let server = try await Host { node, seen in
            if case .received(let id, _) = seen { node.pool.abort(id, reset: true) }
        }
        let client = try await Host { node, seen in
            if case .connected(let id) = seen { node.pool.write(id, pattern(1 << 20)) }
        }
        let socket = try await client.connect(to: try await server.listen())
        await client.until { $0.closing(of: socket) != nil }
        guard case .closed(_, let error?) = await client.read({ $0.closing(of: socket) }) else {
            Issue.record("the reset was not seen")
            return
        }
        #expect([104, 54].contains(error.code))
        await expectEqual(client.read { $0.pool.openSockets }, 0)
        await client.stop()
        await server.stop()
    }

    @Test("A handler may abort any socket: what was reported for it is dropped")
    func staleReports() async throws {
        let server = try await Host { node, seen in
            switch seen {
            case .accepted(let id, _): node.pool.pauseReading(id)
            case .received(let id, _):
                for other in node.accepted where other != id { node.pool.abort(other) }
            default: break
            }
        }
        let client = try await Host()
        let address = try await server.listen()
        let sockets = [try await client.connect(to: address), try await client.connect(to: address)]
        await server.until { $0.accepted.count == 2 }
        await client.until { node in sockets.allSatisfy { node.log.contains(.connected($0)) } }
        // Inside one submission, so that both have arrived before the server looks.
        await client.loop.run { node in
            for socket in sockets { node.pool.write(socket, [1]) }
            node.pool.flush()
        }
        let accepted = await server.read { $0.accepted }
        server.act { pool in
            for socket in accepted { pool.resumeReading(socket) }
        }
        await server.until { !$0.input.isEmpty }
        await client.until { node in
            sockets.contains { node.log.contains(.inputClosed($0)) || node.closing(of: $0) != nil }
        }
        await expectEqual(server.read { $0.input.count }, 1)
        await expectEqual(server.read { $0.pool.openSockets }, 1)
        await client.stop()
        await server.stop()
    }

    @Test("A place is used again under a new id, and the old id reaches nothing")
    func generations() async throws {
        let server = try await Host(react: echo)
        let client = try await Host()
        let address = try await server.listen()
        let old = try await client.connect(to: address)
        client.act { $0.abort(old) }
        let new = try await client.connect(to: address)
        expectEqual(new.slot, old.slot)
        expectEqual(new.generation, old.generation + 1)
        client.act { pool in
            pool.write(old, [1])
            pool.abort(old)
            pool.close(old, afterFlush: true)
            pool.write(new, [2])
        }
        await client.until { $0.input[new] == [2] }
        await expectEqual(client.read { $0.pool.openSockets }, 1)
        await client.stop()
        await server.stop()
    }

    @Test("Pausing holds input back, resuming delivers it with the end of stream")
    func pauseAndResume() async throws {
        let server = try await Host { node, seen in
            if case .accepted(let id, _) = seen { node.pool.pauseReading(id) }
        }
        let client = try await Host()
        let socket = try await client.connect(to: try await server.listen())
        client.act { pool in
            pool.write(socket, [1, 2, 3])
            pool.shutdownWrites(socket)
        }
        let peer = try #require(await server.firstAccepted())
        // Both directions end while nobody reads: the kernel reports a hang-up, the input is still there.
        server.act { $0.shutdownWrites(peer) }
        await client.until { $0.closing(of: socket) != nil }
        await expectEqual(server.read { $0.input[peer] }, nil)
        server.act { $0.resumeReading(peer) }
        await server.until { $0.closing(of: peer) != nil }
        await expectEqual(server.read { $0.input[peer] }, [1, 2, 3])
        await client.stop()
        await server.stop()
    }

    @Test("Connecting where nobody listens says so")
    func refused() async throws {
        try await TakenPort.with { taken in
            let client = try await Host()
            let socket = try await client.connect(to: taken.address)
            await client.until { $0.closing(of: socket) != nil }
            guard case .closed(_, let error?) = await client.read({ $0.closing(of: socket) }) else {
                Issue.record("the refusal was not seen")
                return
            }
            expectEqual(
                error.description,
                "nothing listens on \(taken.address); start the server first, or check the port")
            await client.stop()
        }
    }
}
