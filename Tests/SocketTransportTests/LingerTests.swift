import Clocks
import Expectations
import SocketTransport
import Testing

#if !canImport(Darwin)
    // On Apple systems loops go back to Dispatch at once, see Readiness.canWait.
    @Suite("A loop that waits for sockets on its own thread", .timeLimit(.minutes(5)))
    struct LingerTests {
        @Test("Work that others submit ends the wait, before it begins or in the middle of it")
        func visitors() async throws {
            let host = try await Host()
            for _ in 0..<200 {
                await expectEqual(host.waitAndVisit(), nil)
            }
            await host.stop()
        }

        @Test("The end of a wait by other work is no report, and the next wait is not disturbed by it")
        func silence() async throws {
            let host = try await Host()
            await expectEqual(host.waitAndVisit(), nil)
            await expectEqual(host.read { $0.pool.linger(for: .microseconds(1)) }, false)
            await host.read { $0.drain() }
            #expect(await host.read { $0.log.isEmpty })
            await host.stop()
        }

        @Test("Bytes that arrive end the wait, and are there to be read")
        func readiness() async throws {
            let server = try await Host()
            let client = try await Host()
            let socket = try await client.connect(to: try await server.listen())
            let peer = try #require(await server.firstAccepted())
            client.act { $0.write(socket, [1, 2, 3]) }
            // The report may come while the loop waits, or have come before.
            let isReady = await server.read { node -> Bool? in
                node.input[peer] != nil ? true : node.pool.linger(for: .seconds(10))
            }
            if isReady == true { await server.read { $0.drain() } }
            await server.until { $0.input[peer] == [1, 2, 3] }
            await client.stop()
            await server.stop()
        }

        @Test("A loop that has stopped does not wait")
        func stopped() async throws {
            let host = try await Host()
            await expectEqual(host.read { $0.pool.linger(for: .microseconds(1)) }, false)
            await host.stop()
            await expectEqual(host.read { $0.pool.linger(for: .hours(1)) }, nil)
        }
    }

    extension Host {
        /// Has the loop wait, submits work behind that, and tells how the wait ended. Ten seconds: without the bell
        /// the work would wait for them, and the wait would end without having been disturbed.
        fileprivate func waitAndVisit() async -> Bool? {
            let outcome = Locked<Bool?>(true)
            loop.submit { node in
                let end = node.pool.linger(for: .seconds(10))
                outcome.withLock { $0 = end }
            }
            await read { _ in }
            return outcome.withLock { $0 }
        }
    }
#endif
