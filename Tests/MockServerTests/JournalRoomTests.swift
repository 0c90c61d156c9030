import Clocks
import Expectations
import HTTPCore
import ServerCore
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
            $0.limits.journalTotalBytes = size * 2 + CoreLimits.beginningBytes / 2
        } _: { world in
            let (first, second) = (try await over(world), try await over(world))
            let (_, third) = try await world.greeted()
            #expect(!(await isHeld(first, world)))
            #expect(await isHeld(second, world))
            try await world.logged("forgotten for the journals of others (limits.journalTotalBytes)")
            let (last, _) = try await world.greeted()
            #expect(!(await isHeld(second, world)))
            // Sessions that say nothing take little each.
            var answer = try await world.client.request(
                "POST", "/api/v1/sessions", ["Authorization": "Bearer \(last.token)"])
            for _ in 0..<20 where answer.status != 500 {
                answer = try await world.client.request(
                    "POST", "/api/v1/sessions", ["Authorization": "Bearer \(last.token)"])
            }
            expectEqual(answer.status, 500)
            expectEqual(answer.message, "Failed to create session")
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

    @Test("A session that goes on and grows where there is no room ends, and is told so")
    func growing() async throws {
        try await World.run {
            $0.limits.journalTotalBytes = 20_000
        } _: { world in
            let (session, talk) = try await world.greeted()
            for _ in 0..<10 { talk.say(String(repeating: "x", count: 3_000)) }
            try await talk.event("SESSION_END")
            try await world.logged("it ends (limits.journalTotalBytes)")
            #expect(await world.server.inspect { $0.journalBytes } <= 20_000 + 4_000)
            #expect(await isHeld(session.id, world))
            _ = try await world.greeted()
            #expect(!(await isHeld(session.id, world)))
        }
    }

    @Test("What is forgotten counts no more")
    func forgotten() async throws {
        try await World.run { world in
            let session = try await world.client.session()
            let before = await world.server.inspect { $0.journalBytes }
            #expect(before > 0)
            let answer = try await world.client.request(
                "DELETE", "/_mock/sessions/\(session.id)", ["X-Mock-Control": "1"])
            expectEqual(answer.status, 200)
            await expectEqual(world.server.inspect { $0.journalBytes }, 0)
        }
    }
}
