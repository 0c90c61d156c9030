import Clocks
import ConversationEngine
import Expectations
import HTTPCore
import MockServer
import TestSupport
import Testing
import Texts

@Suite("Scenarios chosen by the connector token", .timeLimit(.minutes(5)))
struct ScenarioTests {
    /// protocol.md#token-scenario
    @Test("A mock: line chooses the fixture of its session alone")
    func choosesFixture() async throws {
        try await World.run { world in
            let client = world.client
            let named = try await client.session(token: client.token(connector: "mock:booking@seed=7"))
            let plain = try await client.session()
            let scripts = await world.server.inspect { inspection in
                [named.id, plain.id].map { inspection.session($0)?.script.name }
            }
            expectEqual(scripts, ["booking", "webchat"])
        }
    }

    /// protocol.md#error-detail
    @Test(
        "An unknown name is refused with 401 and the likely spelling",
        arguments: [
            ("mock:bokking", "did you mean \"booking\"?"),
            ("mock:booking+tunel", "did you mean \"tunnel\"?"),
            ("mock:booking@pace=carefull", "did you mean \"careful\"?"),
            ("mock:booking@sed=1", "did you mean \"@seed\"?"),
            ("mock:pizza@memory.ofen=cold", "did you mean \"oven\"?"),
            ("mock:pizza@memory.size=huge", "takes one of small, medium and large"),
            ("mock:pizza@now=evening", "write 21:00, or Monday 21:00"),
        ] as [(String, String)])
    func refusesUnknown(token: String, hint: String) async throws {
        try await World.run { world in
            let answer = try await world.client.request(
                "POST", "/api/v1/access-token", ["X-Token": token, "X-Host": "localhost"], body: "{}")
            expectEqual(answer.status, 401)
            expectEqual(answer["message"]?.string, "Connector token does not exist")
            expectEqual(answer["error_message"]?.string?.contains(hint), true)
        }
    }

    @Test("A session knows from the start what its line says, and has its own time of day")
    func startsWithMemory() async throws {
        try await World.run { world in
            let client = world.client
            let lines = ["mock:pizza@memory.oven=COLD@now=Friday%2020:00", "mock:pizza@now=Monday%2020:00"]
            var ids: [String] = []
            for line in lines {
                ids.append(try await client.session(token: client.token(connector: line)).id)
            }
            await hear(world, ids, .join(greeting: nil))
            await leap(world, .seconds(20))
            await hear(world, ids, .say("a pizza"))
            await leap(world, .seconds(20))
            let said = await journals(world, ids).map { journal in
                journal.compactMap { entry in
                    if case .agentMessage(let message) = entry.event { message.text } else { nil }
                }.last ?? ""
            }
            #expect(said[0].hasPrefix("The oven is cold today"))
            #expect(said[1].hasPrefix("On Mondays the oven rests"))
        }
    }

    @Test("Very many sessions of 20 lines at once: each journal is the one its line gives alone")
    func manyLines() async throws {
        let lines = (0..<20).map { number in
            let fixture = number.isMultiple(of: 2) ? "booking" : "webchat"
            let pace = number.isMultiple(of: 3) ? "@pace=instant" : ""
            return "mock:\(fixture)@seed=\(number + 1)\(pace)"
        }
        var alone: [String: [JournalEntry]] = [:]
        for line in lines {
            alone[line] = try await World.run { world in
                let ids = try await talk(world, [line])
                return await journals(world, ids)[0]
            }
        }
        try await World.run { world in
            // Interleaved, so that sessions of one line are far apart.
            let count = Strength.of(80, full: 1_000)
            let wanted = (0..<count).map { lines[($0 * 7) % lines.count] }
            let ids = try await talk(world, wanted)
            let journals = await journals(world, ids)
            for (line, journal) in zip(wanted, journals) where journal != alone[line] {
                Issue.record("a session of \(line) tells something else than alone")
                return
            }
            expectEqual(Set(ids).count, count)
        }
    }

    /// One session per line, all opened at the same instant; each joins, says two things and is played to its end.
    private func talk(_ world: World, _ lines: [String]) async throws -> [String] {
        let client = world.client
        var tokens: [String: String] = [:]
        for line in Set(lines) { tokens[line] = try await client.token(connector: line) }
        var sessions: [APIClient.Session] = []
        for line in lines { sessions.append(try await client.session(streaming: true, token: tokens[line])) }
        let ids = sessions.map(\.id)
        await hear(world, ids, .join(greeting: nil))
        await leap(world, .seconds(20))
        await hear(world, ids, .say("a table, please"))
        await leap(world, .seconds(20))
        await hear(world, ids, .say("human"))
        await leap(world, .minutes(2))
        return ids
    }

    /// Moves time in one step: the engine still gives every deadline its own instant.
    private func leap(_ world: World, _ interval: Interval) async {
        world.clock.advance(by: interval)
        await world.server.catchUp()
    }

    private func hear(_ world: World, _ ids: [String], _ word: ClientInput.Word) async {
        await world.server.inspect { inspection in
            for id in ids { inspection.receive(ClientInput(word), in: id) }
        }
    }

    private func journals(_ world: World, _ ids: [String]) async -> [[JournalEntry]] {
        await world.server.inspect { inspection in ids.map { inspection.session($0)?.journal ?? [] } }
    }
}
