import Clocks
import Expectations
import HTTPCore
import MockServer
import TestSupport
import Testing
import Texts

@Suite("Rows lead to their cause", .timeLimit(.minutes(5)))
struct ControlCauseTests {
    /// A rule to a line, so that places differ; replies take their time, so that messages overtake them.
    private static let slow = """
        {
          fixture: 1, name: "Slow", agent: { name: "Ada" },
          pace: "p", paces: { p: { think: "600ms", every: "90ms" } },
          greeting: [ { say: "Welcome." } ],
          stages: { start: [
            { name: "book", hears: ["table"], replies: [ { say: "For how many people?" } ] },
            { name: "hours", hears: ["hours"], replies: [ { say: "From nine to five." } ] },
            { hears: ["human"], replies: [ { handoff: "desk" } ] },
          ] },
          otherwise: [ { replies: [ { say: "I heard you." } ] } ],
          handoffs: {
            desk: {
              queue: { name: "Front", positions: [2, 1], every: "5s" },
              liveAgent: { name: "Marta" }, opens: [ { say: "Marta here." } ],
            },
          },
        }
        """

    private func run(_ body: (World, ControlClient) async throws -> Void) async throws {
        try await World.run {
            $0.fixtureText = Self.slow
        } _: { world in
            try await body(world, try await ControlClient(world))
        }
    }

    /// The rows that `filter` takes.
    private func rows(_ filter: String, _ control: ControlClient) async throws -> [JSONValue] {
        let query = filter.split(separator: " ").joined(separator: "%20")
        return try await control.get("wire?filter=\(query)")["rows"]?.array ?? []
    }

    /// The number of the row in which a client said `text`.
    private func said(_ text: String, _ control: ControlClient) async throws -> JSONValue? {
        try await rows("dir:in kind:ws \(text)", control).first?["n"]
    }

    @Test("A reply names the rule that made it, not the one that heard a later message")
    func overtakenReply() async throws {
        try await run { world, control in
            let (_, talk) = try await world.greeted()
            talk.say("a table please")
            try await world.play(talk, through: "USER_MESSAGE")
            talk.say("opening hours")
            for _ in 0..<2 { try await world.reply(talk) }
            let replies = try await rows("dir:out type:POLY_AGENT_MESSAGE", control).dropFirst()
            expectEqual(replies.map { $0["rule"]?.string }, ["book", "hours"])
            expectEqual(replies.map { $0["place"]?.string }, ["webchat.json5:6", "webchat.json5:7"])
            let causes = [try await said("table", control), try await said("hours", control)]
            expectEqual(replies.map { $0["cause"] }, causes)
            // Each is as late as its own message is old.
            expectEqual(replies.map { $0["lat"]?.integer }, [600, 1_200])
            let rules = try await rows("kind:rule", control)
            expectEqual(rules.map { $0["place"]?.string }, ["webchat.json5:6", "webchat.json5:7"])
            expectEqual(rules.map { $0["cause"] }, causes)
        }
    }

    @Test("A greeting that is overtaken by a message has no rule, but its own place and the join")
    func overtakenGreeting() async throws {
        try await run { world, control in
            let session = try await world.client.session()
            let talk = try await world.client.connect(session)
            talk.join()
            try await world.play(talk, through: "POLY_AGENT_THINKING")
            talk.say("opening hours")
            for _ in 0..<2 { try await world.reply(talk) }
            let replies = try await rows("dir:out type:POLY_AGENT_MESSAGE", control)
            expectEqual(replies.map { $0["rule"]?.string }, [nil, "hours"])
            expectEqual(replies.map { $0["place"]?.string }, ["webchat.json5:4", "webchat.json5:7"])
            let join = try #require(try await rows("dir:in type:REQUEST_POLY_AGENT_JOIN", control).first)
            expectEqual(replies[0]["cause"], join["n"])
            for type in ["REQUEST_POLY_AGENT_JOIN", "POLY_AGENT_JOINED"] {
                #expect(try await rows("dir:out type:\(type)", control).first?["cause"] == join["n"])
            }
        }
    }

    @Test("Echoes, answers, unmatched messages, broken protocol rules and faults name what the client sent")
    func causes() async throws {
        try await run { world, control in
            _ = try await control.post(
                "faults", #"{"name":"slip","at":"user message 1","do":{"split":2}}"#)
            let (_, talk) = try await world.greeted()
            talk.say("nonsense")
            try await world.reply(talk)
            let nonsense = try await said("nonsense", control)
            let echo = try #require(try await rows("dir:out type:USER_MESSAGE", control).first)
            expectEqual(echo["cause"], nonsense)
            expectEqual(echo["fault"]?.string, "slip")
            let unmatched = try #require(try await rows("is:unmatched", control).first)
            #expect(unmatched["cause"] == nonsense && unmatched["place"] == nil)
            let fired = try #require(try await rows("kind:fault", control).first)
            expectEqual(fired["cause"], nonsense)
            expectEqual(fired["socket"], echo["socket"])
            talk.send("SESSION_START")
            try await talk.settle()
            let forged = try #require(try await rows("dir:in type:SESSION_START", control).first)
            #expect(try await rows("kind:violation", control).first?["cause"] == forged["n"])
            for answer in try await rows("kind:rest dir:out", control) {
                let asked = try await rows("n:\(answer["cause"]?.integer ?? 0)", control).first
                #expect(asked?["type"] == answer["type"] && asked?["dir"]?.string == "in")
            }
        }
    }

    @Test("What a timer brings says which one, and where the handoff is written")
    func timers() async throws {
        try await run { world, control in
            let (_, talk) = try await world.greeted()
            talk.say("a human")
            try await world.play(talk, through: "LIVE_AGENT_JOINED")
            try await world.play(talk, through: "LIVE_AGENT_MESSAGE")
            let cause = try await said("human", control)
            let handoff = try #require(try await rows("dir:out type:*TRIGGERED_HANDOFF", control).first)
            #expect(handoff["rule"]?.string == "start 3" && handoff["place"]?.string == "webchat.json5:8")
            let queue = try await rows("dir:out type:*QUEUE_STATUS", control)
            expectEqual(queue.map { $0["timer"]?.string }, ["queue update 1", "queue update 2"])
            let joined = try #require(try await rows("dir:out type:LIVE_AGENT_JOINED", control).first)
            expectEqual(joined["timer"]?.string, "outcome of handoff desk")
            let opening = try #require(try await rows("dir:out type:LIVE_AGENT_MESSAGE", control).first)
            #expect(opening["timer"] == nil && opening["rule"] == nil)
            for row in [handoff, joined, opening] + queue { expectEqual(row["cause"], cause) }
            for row in [joined, opening] + queue { expectEqual(row["place"]?.string, "webchat.json5:12") }
            _ = try await control.post("clock", #"{"advance":"2h","by":"Mira"}"#)
            let end = try #require(try await rows("dir:out type:SESSION_END", control).first)
            #expect(end["timer"]?.string == "idle timeout" && end["cause"] == nil && end["by"] == nil)
            let moved = try #require(try await rows("kind:clock", control).first)
            #expect(moved["type"]?.string == "advance 2h" && moved["by"]?.string == "Mira")
            #expect((moved["n"]?.integer ?? .max) < (end["n"]?.integer ?? 0))
        }
    }

    @Test("What a person has told says who it was, and names no rule")
    func authors() async throws {
        try await run { world, control in
            let (_, talk) = try await world.greeted()
            talk.say("a table please")
            try await world.play(talk, through: "USER_MESSAGE")
            _ = try await control.post("sessions/last/events", #"{"as":"agent","text":"Wait","by":"Mira"}"#)
            let pushed = try #require(try await rows("dir:out Wait", control).first)
            expectEqual(pushed["by"]?.string, "Mira")
            #expect(pushed["rule"] == nil && pushed["cause"] == nil && pushed["place"] == nil)
            _ = try await control.post("sessions/last/end", #"{"by":"Mira"}"#)
            let end = try #require(try await rows("dir:out type:SESSION_END", control).first)
            #expect(end["by"]?.string == "Mira" && end["timer"] == nil)
            let last = try await control.get("sessions/last/journal")["entries"]?.array?.last
            #expect(last?["author"]?.string == "pushed" && last?["by"]?.string == "Mira")
        }
    }

    @Test("Each order to the clock makes one row, before what comes of it")
    func clock() async throws {
        try await World.run {
            $0.clock = nil
        } _: { world in
            let control = try await ControlClient(world)
            for order in [
                #""mode":"frozen""#, #""advance":"90s""#, #""untilIdle":true"#, #""next":true"#,
                #""mode":"scaled","scale":10"#, #""mode":"real""#,
            ] {
                try await expectEqual(control.post("clock", "{\(order)}").status, 200)
            }
            _ = try await control.post("clock", #"{"mode":"slow"}"#)
            let rows = try await rows("kind:clock", control)
            expectEqual(
                rows.map { $0["type"]?.string },
                [
                    "frozen", "advance 90s", "until idle", "next timer", "scaled 10", "real",
                ])
            #expect(rows.allSatisfy { $0["by"]?.string == "controls" && $0["dir"]?.string == "int" })
        }
    }

    @Test("An export keeps all of it, and so does its import")
    func files() async throws {
        try await run { world, control in
            let (_, talk) = try await world.greeted()
            talk.say("a human")
            try await world.play(talk, through: "LIVE_AGENT_JOINED")
            _ = try await control.post("sessions/last/events", #"{"as":"raw","type":"X","by":"Mira"}"#)
            let file = try await control.get("export?session=last").text
            let members = ["place", "cause", "by", "timer"]
            for member in members { #expect(file.contains("\"\(member)\":"), "\(member)") }
            let type: HeaderFields = ["Content-Type": "application/x-ndjson"]
            let back = try await control.ask("POST", "import", type, body: file)
            let name = try #require(back["session"]?.string)
            let old = try await rows("session:last", control)
            let new = try await rows("session:\(name)", control)
            expectEqual(old.count, new.count)
            /// Rows have other numbers now, and causes with them.
            func cause(of row: JSONValue, among rows: [JSONValue]) -> Int? {
                rows.firstIndex { $0["n"] == row["cause"] }
            }
            for (before, after) in zip(old, new) {
                for member in ["place", "by", "timer", "rule"] {
                    expectEqual(before[member], after[member], "\(member)")
                }
                expectEqual(cause(of: before, among: old), cause(of: after, among: new))
            }
            #expect(new.contains { cause(of: $0, among: new) != nil })
        }
    }
}
