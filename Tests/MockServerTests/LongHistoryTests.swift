import Clocks
import MessagingWire
import MockServer
import TestSupport
import Testing

@Suite("Long histories", .timeLimit(.minutes(5)))
struct LongHistoryTests {
    private static let silent = "{ fixture: 1, name: 'Silent', about: 'Says nothing.' }"

    @Test("A history far above the write buffer arrives whole, as fast as the client reads")
    func replay() async throws {
        try await World.run {
            $0.fixtureText = Self.silent
            $0.limits.writeBufferBytes = 1 << 20
        } _: { world in
            let (session, talk) = try await world.joined()
            let long = String(repeating: "x", count: 60_000)
            for number in 0..<30 { talk.say("\(number) \(long)") }
            try await talk.settle()
            talk.line.drop()
            let again = try await world.client.connect(session)
            again.say("last")
            let events = try await world.events(of: again, until: "last")
            let sequences = events.compactMap(\.sequence)
            #expect(sequences == Array(1...34))
        }
    }

    @Test("While the history is on its way live entries wait their turn, and nothing is told twice")
    func liveMeanwhile() async throws {
        try await World.run {
            $0.fixtureText = Self.silent
        } _: { world in
            let (session, talk) = try await world.joined()
            let long = String(repeating: "y", count: 60_000)
            for number in 0..<12 { talk.say("\(number) \(long)") }
            try await talk.settle()
            let late = try await world.client.connect(session)
            for number in 0..<20 { talk.say("live \(number)") }
            talk.say("last")
            let sequences = try await world.events(of: late, until: "last").compactMap(\.sequence)
            #expect(sequences == Array(1...36))
        }
    }

    @Test("A journal above its size ends the session (limits.journalBytes)")
    func journalBytes() async throws {
        try await World.run {
            $0.fixtureText = Self.silent
            $0.limits.journalBytes = 10_000
        } _: { world in
            let (_, talk) = try await world.joined()
            for _ in 0..<20 { talk.say(String(repeating: "z", count: 1_000)) }
            let end = try await talk.event("SESSION_END")
            #expect(end.payload["reason"]?.string == "REASON_NATURAL_END")
            #expect(talk.events.filter { $0.type == "USER_MESSAGE" }.count < 12)
        }
    }
}

extension World {
    /// A talk whose agent has joined and says nothing.
    fileprivate func joined() async throws -> (session: APIClient.Session, talk: Talk) {
        let session = try await client.session()
        let talk = try await client.connect(session)
        talk.join()
        _ = try await talk.event("POLY_AGENT_JOINED")
        return (session, talk)
    }

    /// Everything that `talk` hears, up to the user message `text`.
    fileprivate func events(of talk: Talk, until text: String) async throws -> [Talk.Event] {
        var events: [Talk.Event] = []
        while events.last?.text != text { events.append(try await talk.next()) }
        return events
    }
}
