import Expectations
import MockServer
import SocketTransport
import TestSupport
import Testing

/// Each test has a process of its own, where nobody else opens descriptors.
@Suite("Descriptors", .timeLimit(.minutes(5)))
struct DescriptorTests {
    @Test("Servers on port 0 have ports of their own, answer, stop, and leave no descriptor")
    func manyServers() async {
        await #expect(processExitsWith: .success) {
            try await Self.roundTrip(of: 1)  // whatever the system opens once for all
            let before = try #require(ProcessInfoLite.openDescriptors)
            try await Self.roundTrip(of: Strength.of(40, full: 200))
            expectEqual(ProcessInfoLite.openDescriptors, before)
        }
    }

    @Test("A server with open WebSockets leaves no descriptor behind when it stops")
    func openWebSockets() async {
        await #expect(processExitsWith: .success) {
            try await Self.roundTrip(of: 1)
            let before = try #require(ProcessInfoLite.openDescriptors)
            let server = try await MockServer.start(.unhurried)
            let client = try APIClient(port: server.port)
            let session = try await client.session()
            var talks: [Talk] = []
            for _ in 0..<10 { talks.append(try await client.connect(session)) }
            await server.stop()
            for talk in talks { try await expectEqual(talk.closeCode, 1001) }
            await client.close()
            expectEqual(ProcessInfoLite.openDescriptors, before)
        }
    }

    @Test("A start that fails leaves no descriptor")
    func failedStarts() async {
        await #expect(processExitsWith: .success) {
            let server = try await MockServer.start(.unhurried)
            var configuration = Configuration.unhurried
            configuration.port = server.port
            _ = try? await MockServer.start(configuration)
            let before = try #require(ProcessInfoLite.openDescriptors)
            for _ in 0..<20 {
                await #expect(throws: ServerError.self) { try await MockServer.start(configuration) }
            }
            expectEqual(ProcessInfoLite.openDescriptors, before)
            await server.stop()
        }
    }

    @Test("A stopped server is freed with all it held, timers included", arguments: [true, false] as [Bool])
    func freed(isConnected: Bool) async throws {
        weak var held: Held?
        do {
            let token = Held()
            held = token
            var configuration = Configuration.unhurried
            // Held by the loop for as long as it lives.
            configuration.log = .text { _ in _ = token }
            let server = try await MockServer.start(configuration)
            let client = try APIClient(port: server.port)
            if isConnected { try await client.connect(try await client.session()).join() }
            await server.stop()
            await client.close()
        }
        // The last block of a queue may still be on its way out.
        for _ in 0..<100_000 where held != nil { await Task.yield() }
        #expect(held == nil)
    }

    private final class Held: Sendable {}

    private static func roundTrip(of count: Int) async throws {
        let servers = try await withThrowingTaskGroup(of: MockServer.self) { group in
            for _ in 0..<count { group.addTask { try await MockServer.start(.unhurried) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        expectEqual(Set(servers.map(\.port)).count, count)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for server in servers {
                group.addTask {
                    let client = try APIClient(port: server.port)
                    try await expectEqual(client.request("GET", "/_mock/health").status, 200)
                    await client.close()
                    await server.stop()
                }
            }
            try await group.waitForAll()
        }
    }
}
