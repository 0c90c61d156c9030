import Clocks
import ConversationEngine
import Expectations
import Testing

@Suite("Handoff")
struct HandoffTests {
    /// "person" starts handoff 0, "other" handoff 1.
    static func script(_ handoffs: Handoff..., after: [Step] = []) throws -> Script {
        var script = Script.plain
        script.anywhere = [
            Rule(hears: try hears("person"), steps: [Step(.handoff(0))] + after),
            try rule("other", .handoff(1)),
        ]
        script.handoffs = handoffs
        return script
    }

    static let queue = QueuePlan(
        name: "Desk", positions: [3, 2, 1], every: .seconds(2), waitPerPlace: .seconds(60))

    static func desk(_ outcome: Handoff.Outcome = .joins, queue: QueuePlan? = Self.queue) throws -> Handoff {
        Handoff(
            name: "desk", queue: queue, outcome: outcome, liveAgent: SpeakerProfile(id: "p1", name: "Marta"),
            opens: [Step(says("Marta here"))],
            rules: [try rule("thanks", says("See you"), .leave(reason: "resolved"))],
            otherwise: [anything(says("Let me look"))])
    }

    /// protocol.md#handoff-by-server
    @Test("A server-managed handoff: queue positions, a live agent, their messages, their leaving, the end")
    func serverManaged() throws {
        var talk = try Talk.joined(try Self.script(Self.desk()))
        let started = talk.now
        let opening = talk.lines { $0.ask("a person please") }
        expectEqual(
            opening,
            [
                "5 USER a person please", "6 TRIGGERED", "7 LEFT", "8 ACCEPTED", "9 QUEUE 3", "10 QUEUE 2",
                "11 QUEUE 1", "12 PERSON_JOINED Marta", "- TYPING", "- TYPING_STOPPED", "13 Marta Marta here",
            ])
        expectEqual(talk.journal[8...11].map { ($0.time - started).seconds }, [0, 2, 4, 6])
        expectEqual(
            talk.lines { $0.ask("my room") },
            [
                "14 USER my room", "- TYPING", "- TYPING_STOPPED", "15 Marta Let me look",
            ])
        expectEqual(
            talk.lines { $0.ask("thanks") },
            [
                "16 USER thanks", "- TYPING", "- TYPING_STOPPED", "17 Marta See you", "18 PERSON_LEFT Marta",
                "19 SESSION_END natural",
            ])
    }

    /// protocol.md#person-leaves
    @Test("A person gives the talk back: the agent says the rest, and hears what comes next")
    func giveBack() throws {
        var desk = try Self.desk(queue: nil)
        desk.rules.insert(
            try rule("back", says("Bye"), .giveBack(reason: "resolved"), says("The bot again")), at: 0)
        var talk = try Talk.joined(try Self.script(desk))
        talk.ask("person")
        let lines = talk.lines { $0.ask("back to the agent") }
        expectEqual(
            lines.filter { !$0.hasPrefix("- ") },
            [
                "11 USER back to the agent", "12 Marta Bye", "13 PERSON_LEFT Marta",
                "14 MESSAGE The bot again",
            ])
        let event = talk.journal.first { $0.sequence == 13 }?.event
        expectEqual(event, .liveAgentLeft(desk.liveAgent, reason: "resolved"))
        // The agent listens again, and can call a live agent once more.
        let again = talk.lines { $0.ask("person") }
        #expect(again.contains { $0.hasSuffix("PERSON_JOINED Marta") })
    }

    @Test("Where the agent speaks, there is nobody to give back")
    func giveBackByTheAgent() throws {
        var script = Script.plain
        script.anywhere = [try rule("x", .giveBack(reason: nil), says("Here"))]
        var talk = try Talk.joined(script)
        expectEqual(talk.lines { $0.ask("x") }.last?.hasSuffix("MESSAGE Here"), true)
    }

    @Test("A person passes the talk on; who has no word for it hears of leaving and joining alone")
    func transfer() throws {
        var first = try Self.desk(queue: nil)
        first.rules.insert(try rule("pass", .transfer(1), says("Nobody there")), at: 0)
        let second = Handoff(
            name: "boss", queue: QueuePlan(positions: [2], every: .seconds(1)),
            liveAgent: SpeakerProfile(id: "p2", name: "Max"), opens: [Step(says("Max here"))])
        var talk = try Talk.joined(try Self.script(first, second))
        talk.ask("person")
        expectEqual(
            talk.lines { $0.ask("pass me on") }.filter { !$0.hasPrefix("- ") },
            [
                "11 USER pass me on", "12 ACCEPTED", "13 QUEUE 2", "14 PERSON_LEFT Marta",
                "15 PERSON_JOINED Max", "16 Max Max here",
            ])
        let statuses = talk.wire.told.map(\.event.line).filter { $0.hasPrefix("STATUS") }
        expectEqual(statuses, ["STATUS Marta transferring", "STATUS Marta transferred"])
        #expect(!talk.received().contains { $0.kind == .liveAgentStatus })
    }

    @Test("A transfer that fills the journal ends the talk, and nobody comes")
    func transferAtTheEnd() throws {
        var first = try Self.desk(queue: nil)
        first.rules.insert(try rule("pass", .transfer(1)), at: 0)
        let second = Handoff(
            name: "boss", queue: QueuePlan(positions: [2]), liveAgent: SpeakerProfile(name: "Max"))
        var options = EngineOptions()
        options.maxJournalEntries = 12
        var talk = try Talk.joined(try Self.script(first, second), options: options)
        talk.ask("person")
        talk.ask("pass me on")
        #expect(talk.hasEnded && talk.journalLines.last == "12 SESSION_END natural")
    }

    @Test(
        "Where nobody takes over, the live agent stays and does the steps behind",
        arguments: [true, false] as [Bool])
    func transferFails(isTimeout: Bool) throws {
        var first = try Self.desk(queue: nil)
        first.rules.insert(try rule("pass", .transfer(1), says("Nobody there")), at: 0)
        let outcome: Handoff.Outcome = isTimeout ? .timesOut(reason: "late") : .fails(reason: "closed")
        let second = Handoff(name: "boss", outcome: outcome, liveAgent: SpeakerProfile(id: "p2", name: "Max"))
        var talk = try Talk.joined(try Self.script(first, second))
        talk.ask("person")
        let lines = talk.lines { $0.ask("pass me on") }.filter { !$0.hasPrefix("- ") }
        expectEqual(
            lines, ["11 USER pass me on", isTimeout ? "12 TIMEOUT" : "12 FAILED", "13 Marta Nobody there"])
        expectEqual(talk.lines { $0.ask("my room") }.last, "15 Marta Let me look")
    }

    @Test("Receipts are about the last words of the user, and say who is the current speaker")
    func receipts() throws {
        var desk = try Self.desk(queue: nil)
        desk.otherwise = [anything(.receipt(isRead: true), .presence(.idle), .presence(.returned))]
        var script = try Self.script(desk)
        script.otherwise = [anything(.receipt(isRead: false))]
        script.greeting = [Step(.receipt(isRead: true))]
        var talk = try Talk.joined(script)
        talk.ask("hello")
        talk.ask("person")
        talk.ask("well")
        var last = ""
        var found: [Event] = []
        for entry in talk.wire.told {
            if case .userMessage(let id, _) = entry.event { last = id.text }
            guard case .receipt(_, let id) = entry.event else { continue }
            expectEqual(id, last)
            found.append(entry.event)
        }
        expectEqual(found.count, 2)
        if case .receipt(let receipt, _)? = found.first { expectEqual(receipt, .agentReceived) }
        expectEqual(found.last, .receipt(.liveAgentRead, messageID: last))
    }

    @Test("A queue status carries the queue's name and the wait of its position")
    func queueStatus() throws {
        var talk = try Talk.joined(try Self.script(Self.desk()))
        talk.ask("person")
        let status = talk.journal.compactMap { entry -> QueueStatus? in
            if case .queueStatus(let status) = entry.event { return status }
            return nil
        }
        expectEqual(status.map(\.estimatedWaitSeconds), [180, 120, 60])
        #expect(status.allSatisfy { $0.queueName == "Desk" })
    }

    /// protocol.md#queue-positions
    @Test("Positions may rise as well as fall")
    func risingPositions() throws {
        let queue = QueuePlan(positions: [1, 3, 2, 4], every: .seconds(1))
        var talk = try Talk.joined(try Self.script(Self.desk(queue: queue)))
        let told = talk.lines { $0.ask("person") }.filter { $0.contains("QUEUE") }
        expectEqual(told, ["9 QUEUE 1", "10 QUEUE 3", "11 QUEUE 2", "12 QUEUE 4"])
    }

    @Test("Without a queue the live agent joins at once")
    func withoutQueue() throws {
        var talk = try Talk.joined(try Self.script(Self.desk(queue: nil)))
        talk.say("person")
        expectEqual(
            talk.journalLines.suffix(4), ["6 TRIGGERED", "7 LEFT", "8 ACCEPTED", "9 PERSON_JOINED Marta"])
    }

    /// protocol.md#event-live-agent-message
    @Test("Live messages are never chunked, also when the session streams")
    func liveMessagesAreWhole() throws {
        var talk = try Talk.joined(try Self.script(Self.desk(queue: nil)), isStreaming: true)
        talk.ask("person")
        expectEqual(talk.journalLines.last, "10 Marta Marta here")
    }

    /// protocol.md#handoff-by-client
    @Test("A client-managed handoff names reason, queue and route, and does not end the session")
    func clientManaged() throws {
        let handoff = Handoff(
            name: "web", mode: .client(reason: "POLICY", route: "https://desk.example"), queue: Self.queue)
        var talk = try Talk.joined(try Self.script(handoff))
        expectEqual(
            talk.lines { $0.ask("person") },
            [
                "5 USER person", "6 TRIGGERED", "7 CLIENT_HANDOFF POLICY Desk https://desk.example", "8 LEFT",
            ])
        expectEqual(talk.lines { $0.ask("still here") }, ["9 USER still here"])
        #expect(talk.notes.contains(.ignored(reason: "the agent has left")))
        #expect(!talk.hasEnded)
    }

    /// protocol.md#handoff-fails
    @Test(
        "A handoff that fails or times out is not terminal: the agent goes on and answers again",
        arguments: [(Handoff.Outcome.fails(reason: "busy"), "FAILED"), (.timesOut(reason: nil), "TIMEOUT")]
            as [(Handoff.Outcome, String)])
    func failing(_ outcome: Handoff.Outcome, line: String) throws {
        let script = try Self.script(Self.desk(outcome), after: [Step(says("Nobody there"))])
        var talk = try Talk.joined(script)
        expectEqual(
            talk.lines { $0.ask("person") },
            [
                "5 USER person", "6 TRIGGERED", "7 LEFT", "8 ACCEPTED", "9 QUEUE 3", "10 QUEUE 2",
                "11 QUEUE 1", "12 \(line)", "- THINKING", "13 MESSAGE Nobody there",
            ])
        expectEqual(talk.lines { $0.ask("Hi") }, ["14 USER Hi", "- THINKING", "15 MESSAGE Yes"])
    }

    @Test("A handoff that fails without a queue was never accepted")
    func failingAtOnce() throws {
        var talk = try Talk.joined(try Self.script(Self.desk(.fails(reason: "closed"), queue: nil)))
        expectEqual(talk.lines { $0.ask("person") }, ["5 USER person", "6 TRIGGERED", "7 LEFT", "8 FAILED"])
        expectEqual(talk.journal.last?.event, .handoffFailed(reason: "closed"))
    }

    @Test("With the agent not returning, messages after a failed handoff are only echoed")
    func agentStaysAway() throws {
        var options = EngineOptions()
        options.agentReturnsAfterFailedHandoff = false
        let script = try Self.script(Self.desk(.fails(reason: nil), queue: nil), after: [Step(says("x"))])
        var talk = try Talk.joined(script, options: options)
        talk.ask("person")
        expectEqual(talk.journalLines.last, "8 FAILED")
        expectEqual(talk.lines { $0.ask("Hi") }, ["9 USER Hi"])
    }

    @Test("Two handoffs in one talk: the first fails, the second brings a live agent")
    func twoHandoffs() throws {
        let first = Handoff(name: "a", outcome: .timesOut(reason: nil))
        var talk = try Talk.joined(try Self.script(first, Self.desk(queue: nil)))
        talk.ask("person")
        let lines = talk.lines { $0.ask("other") }
        #expect(lines.contains("13 PERSON_JOINED Marta"))
        expectEqual(lines.last, "14 Marta Marta here")
    }

    /// protocol.md#message-in-the-queue
    @Test("A message while queueing is echoed, and the queue goes on")
    func messageWhileQueueing() throws {
        var talk = try Talk.joined(try Self.script(Self.desk()))
        talk.say("person")
        talk.wait(.seconds(1))
        expectEqual(talk.lines { $0.say("hello?") }, ["10 USER hello?"])
        #expect(talk.notes.contains(.ignored(reason: "the user is still in the queue")))
        talk.wait(.seconds(1))
        expectEqual(talk.journalLines.last, "11 QUEUE 2")
    }

    @Test("The user may end while queueing; nothing of the queue follows")
    func endWhileQueueing() throws {
        var talk = try Talk.joined(try Self.script(Self.desk()))
        talk.say("person")
        talk.wait(.seconds(1))
        talk.send(.end)
        talk.wait(.minutes(1))
        expectEqual(talk.journalLines.suffix(3), ["9 QUEUE 3", "10 USER_END", "11 SESSION_END user"])
    }

    @Test("A drop in the queue misses nothing: the cursor brings positions and person")
    func dropInQueue() throws {
        var talk = try Talk.joined(try Self.script(Self.desk()))
        talk.say("person")
        talk.disconnect()
        talk.wait(.seconds(10))
        talk.connect(2, cursor: 9)
        expectEqual(
            talk.lines(2),
            [
                "1 SESSION_START", "10 QUEUE 2", "11 QUEUE 1", "12 PERSON_JOINED Marta",
                "13 Marta Marta here",
            ])
    }

    @Test("A join while queueing or with a live agent is echoed and changes nothing")
    func joinDuringHandoff() throws {
        var talk = try Talk.joined(try Self.script(Self.desk()))
        talk.say("person")
        expectEqual(talk.lines { $0.send(.join(greeting: nil)) }, ["10 JOIN"])
        talk.wait(.seconds(20))
        expectEqual(talk.lines { $0.send(.join(greeting: nil)) }.last?.hasSuffix("JOIN"), true)
        expectEqual(talk.lines.filter { $0.contains("JOINED Juno") }.count, 1)
    }

    @Test("Replies still queued when the agent leaves are not said by the live agent")
    func queuedRepliesEndWithTheAgent() throws {
        var talk = try Talk.joined(try Self.script(Self.desk(queue: nil)))
        let lines = talk.lines { talk in
            talk.say("Hi")
            talk.say("person")
            talk.say("and now?")
            talk.wait(.seconds(20))
        }
        expectEqual(lines.filter { $0.contains("Yes") }, ["8 MESSAGE Yes"])
        expectEqual(lines.last, "13 Marta Marta here")
    }

    @Test("A live agent's `end` step ends the session without their leaving being told")
    func liveAgentEnds() throws {
        var desk = try Self.desk(queue: nil)
        desk.otherwise = [anything(.end(.abandoned))]
        var talk = try Talk.joined(try Self.script(desk))
        talk.ask("person")
        expectEqual(talk.lines { $0.ask("x") }, ["11 USER x", "12 SESSION_END abandoned"])
    }

    @Test("Notes tell each state of a handoff")
    func notes() throws {
        var talk = try Talk.joined(try Self.script(Self.desk()))
        talk.ask("person")
        #expect(talk.notes.contains(.handoff(name: "desk", state: "triggered")))
        #expect(talk.notes.contains(.handoff(name: "desk", state: "Marta joined")))
    }
}
