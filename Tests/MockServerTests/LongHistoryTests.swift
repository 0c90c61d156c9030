import Clocks
import Expectations
import MockServer
import TestSupport
import Testing
import Texts

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
            expectEqual(sequences, Array(1...34))
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
            expectEqual(sequences, Array(1...36))
        }
    }

    /// protocol.md#batch-size, protocol.md#no-batch-of-one
    @Test(
        "The pages of a history are whole batches below 512 KiB, none of them with one event behind others",
        arguments: Strength.of(
            [(20, "0"), (29, "12")], full: (20..<30).flatMap { [($0, "0"), ($0, "12")] }))
    func wholeBatches(messages: Int, cursor: String) async throws {
        try await World.run {
            $0.fixtureText = Self.silent
        } _: { world in
            let (session, talk) = try await world.joined()
            let long = String(repeating: "x", count: 60_000)
            for number in 0..<messages { talk.say("\(number) \(long)") }
            try await talk.settle()
            let again = try await world.client.connect(session, cursor: cursor)
            again.say("last")
            _ = try await world.events(of: again, until: "last")
            let batches = again.messages.filter { $0.type == "EVENT_BATCH" }
            #expect(batches.count > 1)
            for batch in batches {
                #expect((batch.payload["events"]?.array?.count ?? 0) > 1)
                #expect(batch.description.utf8.count < 512 * 1_024)
            }
        }
    }

    /// protocol.md#first-live-event
    @Test("The first live event behind a history waits for its time, and those behind it keep their order")
    func firstLiveEvent() async throws {
        try await World.run {
            $0.fixtureText = fixture("")
            $0.connections.firstLiveEventDelay = .milliseconds(25)
        } _: { world in
            let control = try await ControlClient(world)
            let (session, talk) = try await world.greeted()
            talk.line.drop()
            let again = try await world.client.connect(session)
            _ = try await again.event("POLY_AGENT_MESSAGE")
            again.say("Zebra")
            try await world.logged("Nothing heard")
            // Nothing of it was sent: the reply is due at once, too.
            func sent() async throws -> Int {
                await world.pass(.zero)
                return try await control.get("wire?filter=dir:out%20%22Zebra%22").count("rows")
            }
            try await expectEqual(sent(), 0)
            await world.pass(.milliseconds(24))
            try await expectEqual(sent(), 0)
            await world.pass(.milliseconds(1))
            let events = try await again.events(through: "POLY_AGENT_MESSAGE")
            expectEqual(events.types, ["USER_MESSAGE", "POLY_AGENT_THINKING", "POLY_AGENT_MESSAGE"])
            // From here on nothing waits.
            again.say("And again")
            try await expectEqual(again.event("USER_MESSAGE").text, "And again")
        }
    }

    @Test("A history of one event keeps nothing waiting, and neither does one that is long over")
    func noDistance() async throws {
        try await World.run {
            $0.fixtureText = fixture("")
            $0.connections.firstLiveEventDelay = .milliseconds(25)
        } _: { world in
            let session = try await world.client.session()
            let talk = try await world.client.connect(session)
            talk.join()
            _ = try await talk.event("REQUEST_POLY_AGENT_JOIN")
            try await world.play(talk, through: "POLY_AGENT_MESSAGE")
            // All but the start is behind the cursor.
            let again = try await world.client.connect(session, cursor: "4")
            again.say("Hi")
            _ = try await again.event("USER_MESSAGE")
            let late = try await world.client.connect(session)
            try await late.settle()
            await world.pass(.milliseconds(25))
            late.say("Later")
            try await expectEqual(again.event("USER_MESSAGE").text, "Later")
            _ = try await late.events(through: "POLY_AGENT_MESSAGE")
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
            expectEqual(end.payload["reason"]?.string, "REASON_NATURAL_END")
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
