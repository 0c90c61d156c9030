import Clocks
import HTTPCore
import TestSupport
import Testing

@testable import MockServer

@Suite("Room for all journals", .timeLimit(.minutes(5)))
struct JournalRoomTests {
    /// A talk from its greeting to its end.
    private func over(_ world: World) async throws -> String {
        let (session, talk) = try await world.greeted()
        talk.endSession()
        try await talk.event("SESSION_END")
        return session.id
    }

    private func isHeld(_ id: String, _ world: World) async -> Bool {
        await world.server.inspect { $0.session(id) != nil }
    }

    @Test("The session that ended first makes room; when none has ended, new ones are refused")
    func endedFirst() async throws {
        let size = try await World.run { world in
            _ = try await over(world)
            return await world.server.inspect { $0.journalBytes }
        }
        #expect(size > 500)
        try await World.run {
            $0.limits.journalTotalBytes = size * 5 / 2
        } _: { world in
            let (first, second) = (try await over(world), try await over(world))
            let (_, third) = try await world.greeted()
            #expect(!(await isHeld(first, world)))
            #expect(await isHeld(second, world))
            try await world.logged("forgotten for the journals of others (limits.journalTotalBytes)")
            let (last, _) = try await world.greeted()
            #expect(!(await isHeld(second, world)))
            while await world.server.inspect({ $0.journalBytes }) <= size * 5 / 2 {
                _ = try await world.greeted()
            }
            let answer = try await world.client.request(
                "POST", "/api/v1/sessions", ["Authorization": "Bearer \(last.token)"])
            #expect(answer.status == 500)
            #expect(answer.message == "Failed to create session")
            try await world.logged("bytes, and no session has ended (limits.journalTotalBytes)")
            let metrics = try await world.client.request("GET", "/_mock/metrics").text
            #expect(
                metrics.contains(
                    "\npolymock_journal_bytes \(await world.server.inspect { $0.journalBytes })\n"))
            third.endSession()
            try await third.event("SESSION_END")
            _ = try await world.client.session()
        }
    }

    @Test("What is forgotten counts no more")
    func forgotten() async throws {
        try await World.run { world in
            let session = try await world.client.session()
            #expect(await world.server.inspect { $0.journalBytes } > 0)
            let answer = try await world.client.request(
                "DELETE", "/_mock/sessions/\(session.id)", ["X-Mock-Control": "1"])
            #expect(answer.status == 200)
            #expect(await world.server.inspect { $0.journalBytes } == 0)
        }
    }
}
