import Expectations
import SocketTransport
import TestSupport
import Testing

@Suite("Slow, busy and too many peers", .timeLimit(.minutes(5)))
struct PressureTests {
    @Sendable static func pauseOnAccept(_ node: Node, _ seen: Seen) {
        if case .accepted(let id, _) = seen { node.pool.pauseReading(id) }
    }

    @Test("A peer that does not read is cut off when the output limit is crossed")
    func writeLimit() async throws {
        let server = try await Host(react: Self.pauseOnAccept)
        var limits = SocketLimits()
        limits.writeBufferBytes = 1 << 20
        let client = try await Host(limits: limits)
        let socket = try await client.connect(to: try await server.listen())
        await client.until { $0.log.contains(.connected(socket)) }
        let piece = pattern(64 << 10)
        let (most, written) = await client.loop.run { node in
            var (most, written) = (0, 0)
            while node.pool.openSockets == 1 {
                node.pool.write(socket, piece)
                most = max(most, node.pool.pendingBytes(socket))
                written += piece.count
            }
            return (most, written)
        }
        #expect(most > (1 << 20) - (128 << 10) && most <= 1 << 20)
        #if os(Linux)
            // The kernels hold little of it: left alone, ours would grow its buffer to megabytes for each peer.
            #expect(written <= 2 << 20, "\(written)")
        #else
            // TCP_NOTSENT_LOWAT decides there when a socket is writable, not how much a send takes.
            #expect(written > 0)
        #endif
        await client.until { $0.closing(of: socket) != nil }
        let expected = SocketError(.write, .tooMuchOutput(limitBytes: 1 << 20))
        await expectEqual(client.read { $0.closing(of: socket) }, .closed(socket, expected))
        await expectEqual(client.read { $0.pool.pendingBytes(socket) }, 0)
        await client.stop()
        await server.stop()
    }

    @Test("Beyond the limit of all sockets the one is closed for which most waits, and no other")
    func totalLimit() async throws {
        let server = try await Host(react: Self.pauseOnAccept)
        var limits = SocketLimits()
        limits.writeBufferBytes = .max
        limits.outputTotalBytes = 6 << 20
        let client = try await Host(limits: limits)
        let port = try await server.listen()
        let (much, little) = (try await client.connect(to: port), try await client.connect(to: port))
        for socket in [much, little] { await client.until { $0.log.contains(.connected(socket)) } }
        let piece = pattern(60 << 10)
        await client.loop.run { node in
            node.pool.write(little, piece)
            while node.pool.openSockets == 2 { node.pool.write(much, piece) }
        }
        await client.until { $0.closing(of: much) != nil }
        let expected = SocketError(.write, .tooMuchOutputOfAll(limitBytes: 6 << 20))
        await expectEqual(client.read { $0.closing(of: much) }, .closed(much, expected))
        await expectEqual(client.read { $0.closing(of: little) }, nil)
        #expect(await client.read { $0.pool.unsentBytes } <= 60 << 10)
        await client.stop()
        await server.stop()
    }

    private static func connect(_ count: Int, _ client: Host, to server: Host) async throws -> [SocketID] {
        let port = try await server.listen()
        var sockets: [SocketID] = []
        for _ in 0..<count { sockets.append(try await client.connect(to: port)) }
        for socket in sockets { await client.until { $0.log.contains(.connected(socket)) } }
        return sockets
    }

    @Test("A long payload that waits for many counts once, also where each has a copy of its own")
    func sharedPayload() async throws {
        let server = try await Host(react: Self.pauseOnAccept)
        var limits = SocketLimits()
        limits.writeBufferBytes = .max
        let client = try await Host(limits: limits)
        let sockets = try await Self.connect(6, client, to: server)
        let size = 12 << 20
        let held = await client.loop.run { node in
            for socket in sockets.prefix(5) { node.pool.write(socket, [UInt8](repeating: 1, count: size)) }
            let once = node.pool.unsentBytes
            // Four copies were compared, and no more are in this turn.
            node.pool.write(sockets[5], [UInt8](repeating: 1, count: size))
            node.pool.flush()
            return [once, node.pool.unsentBytes]
        }
        expectEqual(held, [size, 2 * size])
        let pending = await client.read { node in sockets.map { node.pool.pendingBytes($0) } }
        #expect(pending.allSatisfy { $0 > 0 })
        for socket in sockets { client.act { $0.abort(socket) } }
        await client.until { $0.pool.openSockets == 0 }
        // Spare queues hold nothing.
        await expectEqual(client.read { $0.pool.unsentBytes }, 0)
        await client.stop()
        await server.stop()
    }

    @Test("Many sockets with much to send share what a turn may send")
    func shares() async throws {
        let server = try await Host(react: Self.pauseOnAccept)
        var limits = SocketLimits()
        limits.writeBufferBytes = .max
        let client = try await Host(limits: limits)
        let sockets = try await Self.connect(32, client, to: server)
        let piece = [UInt8](repeating: 1, count: 128 << 10)
        let first = await client.loop.run { node in
            for socket in sockets { node.pool.write(socket, piece) }
            node.pool.flush()
            return node.pool.totals.sent
        }
        #expect(first == 512 << 10)
        // All of it leaves in later turns, as far as the kernel takes it.
        await client.until { $0.pool.totals.sent > first }
        for socket in sockets { client.act { $0.abort(socket) } }
        await client.until { $0.pool.openSockets == 0 }
        await client.stop()
        await server.stop()
    }

    @Test("Output above the high-water mark owes one writable event, and nothing is lost")
    func writableEvent() async throws {
        let server = try await Host(react: Self.pauseOnAccept)
        var limits = SocketLimits()
        limits.writeBufferBytes = .max
        let client = try await Host(limits: limits)
        let socket = try await client.connect(to: try await server.listen())
        await client.until { $0.log.contains(.connected(socket)) }
        let peer = try #require(await server.firstAccepted())
        let piece = pattern(10_000)
        let written = await client.loop.run { node in
            var written = 0
            // More than the kernel has room for in any number of turns.
            for _ in 0..<1_600 {
                node.pool.write(socket, piece)
                written += piece.count
            }
            node.pool.flush()
            return written
        }
        #expect(await client.read { !$0.log.contains(.writable(socket)) })
        server.act { $0.resumeReading(peer) }
        await client.until { $0.log.contains(.writable(socket)) }
        await server.until { $0.input[peer]?.count == written }
        let input = await server.read { $0.input[peer] ?? [] }
        #expect(
            stride(from: 0, to: written, by: 10_000).allSatisfy { Array(input[$0..<$0 + 10_000]) == piece })
        await expectEqual(client.read { $0.log.filter { $0 == .writable(socket) }.count }, 1)
        await client.stop()
        await server.stop()
    }

    @Test("A burst far above the limit passes when the peer reads, as long as the writer heeds the marks")
    func longTransfer() async throws {
        let total = 12 << 20
        let client = try await Host()
        let server = try await Host { node, seen in
            let id: SocketID
            switch seen {
            case .accepted(let new, _): id = new
            case .writable(let ready): id = ready
            default: return
            }
            while node.sent < total, node.pool.pendingBytes(id) <= node.pool.limits.highWaterBytes {
                node.pool.write(id, [UInt8](repeating: 1, count: 32 << 10))
                node.sent += 32 << 10
            }
            if node.sent == total { node.pool.close(id, afterFlush: true) }
        }
        let socket = try await client.connect(to: try await server.listen())
        await client.until { $0.log.contains(.inputClosed(socket)) }
        #expect(await client.read { $0.input[socket]?.count } == total)
        await client.stop()
        await server.stop()
    }

    @Test("One busy peer does not keep the others waiting")
    func fairness() async throws {
        var limits = SocketLimits()
        limits.readBytes = 1_024
        let server = try await Host(limits: limits, react: Self.pauseOnAccept)
        let client = try await Host()
        let address = try await server.listen()
        let busy = try await client.connect(to: address)
        await server.until { $0.accepted.count == 1 }
        let quiet = try await client.connect(to: address)
        await server.until { $0.accepted.count == 2 }
        await client.until { $0.log.contains(.connected(busy)) && $0.log.contains(.connected(quiet)) }
        await client.loop.run { node in
            node.pool.write(busy, pattern(100_000))
            node.pool.write(quiet, [1])
            node.pool.flush()
        }
        let accepted = await server.read { $0.accepted }
        server.act { pool in
            for id in accepted { pool.resumeReading(id) }
        }
        await server.until { $0.input[accepted[0]]?.count == 100_000 && $0.input[accepted[1]] == [1] }
        let order = await server.read { $0.log.firstIndex(of: .received(accepted[1], count: 1)) }
        let readsBefore = try #require(order) - 2  // two sockets were accepted first
        #expect(readsBefore <= 2)
        await client.stop()
        await server.stop()
    }

    @Test("Many busy peers share what one turn reads")
    func sharedTurn() async throws {
        var limits = SocketLimits()
        limits.turnBytes = 8_000
        limits.leastReadBytes = 100
        let server = try await Host(limits: limits, react: Self.pauseOnAccept)
        let client = try await Host()
        let address = try await server.listen()
        var peers: [SocketID] = []
        for _ in 0..<8 { peers.append(try await client.connect(to: address)) }
        await server.until { $0.accepted.count == 8 }
        let all = peers
        await client.until { node in all.allSatisfy { node.log.contains(.connected($0)) } }
        await client.loop.run { node in
            for peer in all { node.pool.write(peer, pattern(3_000)) }
            node.pool.flush()
        }
        let accepted = await server.read { $0.accepted }
        server.act { pool in
            for id in accepted { pool.resumeReading(id) }
        }
        await server.until { node in accepted.allSatisfy { node.input[$0]?.count == 3_000 } }
        // All eight are ready at once, so each is given an eighth of the turn.
        let counts = await server.read { node in
            node.log.compactMap { entry in if case .received(_, let count) = entry { count } else { nil } }
        }
        expectEqual(counts.prefix(8), [1_000, 1_000, 1_000, 1_000, 1_000, 1_000, 1_000, 1_000])
        await client.stop()
        await server.stop()
    }

    @Test("A peer that sends without end leaves the loop to other work after each so many bytes")
    func bytesPerTurn() async throws {
        var limits = SocketLimits()
        limits.readBytes = 1_000
        limits.bytesPerTurn = 8_000
        let server = try await Host(limits: limits, react: Self.pauseOnAccept)
        let client = try await Host()
        let socket = try await client.connect(to: try await server.listen())
        await client.until { $0.log.contains(.connected(socket)) }
        let peer = try #require(await server.firstAccepted())
        // With that it is the server's to read.
        await client.loop.run { node in
            node.pool.write(socket, pattern(60_000))
            node.pool.flush()
        }
        let turns = await server.loop.run { node in
            node.pool.resumeReading(peer)
            var turns: [Int] = []
            repeat {
                let before = node.input[peer]?.count ?? 0
                node.drain()
                turns.append((node.input[peer]?.count ?? 0) - before)
            } while turns.last != 0
            return turns
        }
        expectEqual(turns.max(), 8_000, "\(turns)")
        await server.until { $0.input[peer]?.count == 60_000 }
        #expect(await server.read { $0.input[peer] } == pattern(60_000))
        await client.stop()
        await server.stop()
    }

    @Test(
        "Without descriptors accepting pauses once, and goes on when told to",
        arguments: [24, 23, 12] as [Int32])
    func outOfDescriptors(errno code: Int32) async throws {
        let isFull = Flag(true)
        let server = try await Host(
            accept: { isFull.value ? .failed(errno: code) : SocketPool.systemAccept($0) })
        let client = try await Host()
        let socket = try await client.connect(to: try await server.listen())
        await client.until { $0.log.contains(.connected(socket)) }  // by the kernel's own queue
        await server.until { $0.log == [.acceptPaused(SocketError(.accept, .system(code)))] }
        isFull.value = false
        server.act { $0.resumeAccepting() }
        await server.until { $0.accepted.count == 1 }
        await expectEqual(server.read { $0.log.count }, 2)
        await client.stop()
        await server.stop()
    }

    @Test("A connection that was given up before it was accepted does not stop the next (accept(2))")
    func abortedConnection() async throws {
        let failures = Flag(true)
        let server = try await Host(accept: { listener in
            guard failures.value else { return SocketPool.systemAccept(listener) }
            failures.value = false
            return .failed(errno: 103)  // ECONNABORTED
        })
        let client = try await Host()
        _ = try await client.connect(to: try await server.listen())
        await server.until { $0.accepted.count == 1 }
        await client.stop()
        await server.stop()
    }

    @Test("More sockets than the limit are refused with a typed error")
    func socketLimit() async throws {
        var limits = SocketLimits()
        limits.sockets = 2
        let server = try await Host(limits: limits)
        let client = try await Host()
        let address = try await server.listen()
        for _ in 0..<3 { _ = try await client.connect(to: address) }
        let expected = Seen.acceptPaused(SocketError(.accept, .tooManySockets(limit: 2)))
        await server.until { $0.log.contains(expected) }
        await expectEqual(server.read { $0.pool.openSockets }, 2)
        await client.stop()
        await server.stop()
    }

    @Test("More connections than one batch are all accepted", arguments: [1, 3, 64] as [Int])
    func acceptBatches(of batch: Int) async throws {
        var limits = SocketLimits()
        limits.acceptsPerTurn = batch
        limits.batch = 4
        limits.reportsPerTurn = 4
        let server = try await Host(limits: limits, react: echo)
        let client = try await Host()
        let address = try await server.listen()
        var sockets: [SocketID] = []
        for _ in 0..<40 { sockets.append(try await client.connect(to: address)) }
        client.act { [sockets] pool in
            for socket in sockets { pool.write(socket, [UInt8(truncatingIfNeeded: socket.slot)]) }
        }
        await client.until { $0.input.count == 40 }
        for socket in sockets {
            await expectEqual(client.read { $0.input[socket] }, [UInt8(truncatingIfNeeded: socket.slot)])
        }
        await client.stop()
        await server.stop()
    }

    @Test("Nothing is left open after shutting down")
    func descriptorsAreReleased() async {
        // In a process of its own, because other suites open descriptors at the same time.
        await #expect(processExitsWith: .success) {
            let before = try await Self.openAndClose(rounds: 1)
            let after = try await Self.openAndClose(rounds: 30)
            #expect(before != nil && before == after)
        }
    }

    /// - Returns: descriptors open afterwards.
    static func openAndClose(rounds: Int) async throws -> Int? {
        for _ in 0..<rounds {
            let server = try await Host(react: echo)
            let client = try await Host()
            let address = try await server.listen("localhost")
            var sockets: [SocketID] = []
            for _ in 0..<10 { sockets.append(try await client.connect(to: address)) }
            client.act { [sockets] in $0.write(sockets[0], [1]) }
            await client.until { [sockets] in $0.input[sockets[0]] == [1] }
            await client.stop()
            await server.stop()
            await server.stop()  // a second time is harmless, and told as well
        }
        return ProcessInfoLite.openDescriptors
    }
}
