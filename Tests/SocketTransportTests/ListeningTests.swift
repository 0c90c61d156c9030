import Expectations
import SocketTransport
import Testing

@Suite("Listening", .timeLimit(.minutes(5)))
struct ListeningTests {
    @Test(
        "Loopback addresses get a free port for 0",
        arguments: ["127.0.0.1", "::1", "[::1]", "0.0.0.0", "::"] as [String])
    func freePort(host: String) async throws {
        let server = try await Host(react: echo)
        let client = try await Host()
        let address = try await server.listen(host)
        #expect(address.port != 0)
        let target: SocketAddress =
            address.isIPv6 ? .loopbackIPv6(port: address.port) : .loopbackIPv4(port: address.port)
        let socket = try await client.connect(to: target)
        client.act { $0.write(socket, [1]) }
        await client.until { $0.input[socket] == [1] }
        let peer = try #require(
            await server.read { node -> SocketAddress? in
                if case .accepted(_, let peer) = node.log.first { peer } else { nil }
            })
        #expect(peer.isLoopback && peer.isIPv6 == target.isIPv6)
        #expect(await client.read { $0.pool.localAddress(socket) } == peer)
        #expect(await client.read { $0.pool.peerAddress(socket) } == target)
        await client.stop()
        await server.stop()
    }

    @Test("localhost answers on both families at one port")
    func bothFamilies() async throws {
        let server = try await Host(react: echo)
        let client = try await Host()
        let port = try await server.listen("localhost").port
        for target in [SocketAddress.loopbackIPv4(port: port), .loopbackIPv6(port: port)] {
            let socket = try await client.connect(to: target)
            client.act { $0.write(socket, [1]) }
            await client.until { $0.input[socket] == [1] }
        }
        await client.stop()
        await server.stop()
    }

    @Test(":: takes IPv4 peers and calls them by their IPv4 address (RFC 4291 §2.5.5.2)")
    func dualStack() async throws {
        let server = try await Host()
        let client = try await Host()
        let port = try await server.listen("::").port
        _ = try await client.connect(to: .loopbackIPv4(port: port))
        _ = await server.firstAccepted()
        let peer = await server.read { node -> SocketAddress? in
            if case .accepted(_, let peer) = node.log.first { peer } else { nil }
        }
        expectEqual(peer?.host, "127.0.0.1")
        await client.stop()
        await server.stop()
    }

    @Test("A taken port names the port and the way out", arguments: ["127.0.0.1", "localhost"] as [String])
    func portTaken(host: String) async throws {
        let first = try await Host()
        let port = try await first.listen().port
        let second = try await Host()
        let error = await #expect(throws: SocketError.self) { try await second.listen(host, port: port) }
        expectEqual(error?.isPortTaken, true)
        expectEqual(
            error?.description,
            "port \(port) on 127.0.0.1 is taken; choose another with --port, or 0 for any free one")
        await first.stop()
        await second.stop()
    }

    @Test("A name is no address to listen on", arguments: ["", "example.com", "1.2.3", "::g"] as [String])
    func badHost(host: String) async throws {
        let server = try await Host()
        let error = await #expect(throws: SocketError.self) { try await server.listen(host) }
        expectEqual(error?.reason, .notAnAddress)
        expectEqual(error?.description.hasPrefix("cannot listen on \"\(host)\"; use localhost"), true)
        await server.stop()
    }

    @Test("An address of somebody else is refused with the alternatives")
    func foreignAddress() async throws {
        let server = try await Host()
        let error = await #expect(throws: SocketError.self) { try await server.listen("192.0.2.1") }
        expectEqual(error?.description.hasPrefix("192.0.2.1 is not an address of this machine"), true)
        await server.stop()
    }

    @Test("A stopped listener frees its port and leaves its sockets open")
    func stopListening() async throws {
        // Another test may be given the freed port before it is asked for again, so one of five has to work.
        for _ in 0..<4 where try await canListenAgain() { return }
        #expect(try await canListenAgain())
    }

    /// Listens, stops listening, listens on the same port from elsewhere, and uses the socket accepted before.
    private func canListenAgain() async throws -> Bool {
        let server = try await Host(react: echo)
        let client = try await Host()
        let bound = try await server.loop.run { node in
            Result { () throws(SocketError) in
                let (id, address) = try node.pool.listen(host: "localhost", port: 0)
                return (id: id, address: address)
            }
        }.get()
        let socket = try await client.connect(to: bound.address)
        _ = await server.firstAccepted()
        server.act { pool in
            pool.stopListening(bound.id)
            pool.stopListening(bound.id)
        }
        let again = try await Host()
        let address = try? await again.listen(port: bound.address.port)
        client.act { $0.write(socket, [5]) }
        await client.until { $0.input[socket] == [5] }
        await again.stop()
        await client.stop()
        await server.stop()
        return address == bound.address
    }
}
