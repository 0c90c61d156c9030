import Clocks
import ConversationEngine
import Expectations
import Testing

/// protocol.md#human-at-the-controls
@Suite("Handoffs moved along by a human")
struct TakeoverHandoffTests {
    static let ada = SpeakerProfile(id: "ada", name: "Ada")
    static let bea = SpeakerProfile(id: "bea", name: "Bea")

    /// A talk in the first second of the script's own queue, position 3.
    static func queueing(_ outcome: Handoff.Outcome = .joins, after: [Step] = []) throws -> Talk {
        var talk = try Talk.joined(try HandoffTests.script(HandoffTests.desk(outcome), after: after))
        talk.say("person")
        talk.wait(.seconds(1))
        return talk
    }

    @Test("Each step of a server-managed handoff by hand, to the end")
    func wholeHandoff() throws {
        var talk = try Talk.joined(.plain)
        let lines = talk.lines { talk in
            talk.act(.triggerHandoff)
            talk.act(.accept(queueName: "Desk"))
            for position in [2, 1] { talk.act(.updateQueue(QueueStatus(position: position))) }
            talk.act(.join(Self.ada))
            talk.act(.typing(.started))
            talk.act(.send(text: "Ada here"))
            talk.say("Hi")
            talk.act(.send(text: "Bye"))
            talk.act(.leave(reason: "done", ends: true))
        }
        expectEqual(
            lines,
            [
                "5 TRIGGERED", "6 LEFT", "7 ACCEPTED", "8 QUEUE 2", "9 QUEUE 1", "10 PERSON_JOINED Ada",
                "- TYPING", "- TYPING_STOPPED", "11 Ada Ada here", "12 USER Hi", "13 Ada Bye",
                "14 PERSON_LEFT Ada", "15 SESSION_END natural",
            ])
        #expect(talk.notes.allSatisfy { if case .takeover(_, _, .some) = $0 { false } else { true } })
        expectEqual(talk.unpushed.map(\.line).suffix(1), ["12 USER Hi"])
    }

    @Test("A live agent who joins straight from the agent brings what the documentation puts before it")
    func joinFromAgent() throws {
        var talk = try Talk.joined(.plain)
        expectEqual(
            talk.lines { $0.act(.join(Self.ada)) },
            [
                "5 TRIGGERED", "6 LEFT", "7 ACCEPTED", "8 PERSON_JOINED Ada",
            ])
        expectEqual(talk.takeover?.seat, .liveAgent(Self.ada))
        expectEqual(talk.unusual, nil)
    }

    @Test("A fault on the wire at the moment a live agent joins hits a human's joining too")
    func faultOnJoin() throws {
        let fault = Fault(name: "tunnel", moment: .liveAgentJoins, effect: .drop)
        var talk = try Talk.joined(.plain, faults: [fault])
        talk.act(.join(Self.ada))
        #expect(talk.notes.contains(.faultFired("tunnel")))
    }

    @Test("After leaving, the agent takes over again and finishes what it was saying")
    func leaveToAgent() throws {
        var talk = try Talk.joined(.plain)
        talk.say("Hi")
        talk.wait(.milliseconds(100))
        talk.act(.join(Self.ada))
        talk.ask("are you human?")
        expectEqual(
            talk.lines { talk in
                talk.act(.leave())
                talk.wait(.seconds(20))
            }, ["11 PERSON_LEFT Ada", "12 MESSAGE Yes"])
        expectEqual(talk.lines { $0.ask("Hello") }, ["13 USER Hello", "- THINKING", "14 MESSAGE Yes"])
    }

    @Test("From the queue, the human is the live agent who comes; nothing told before is told again")
    func joinFromQueue() throws {
        var talk = try Self.queueing()
        expectEqual(talk.lines { $0.act(.join(Self.ada)) }, ["10 PERSON_JOINED Ada"])
        expectEqual(talk.lines { $0.wait(.seconds(60)) }, [])
        talk.act(.send(text: "Ada here"))
        talk.act(.handBack())
        expectEqual(talk.lines { $0.wait(.seconds(20)) }, [])
        expectEqual(
            talk.lines { $0.ask("thanks") },
            [
                "12 USER thanks", "- TYPING", "- TYPING_STOPPED", "13 Ada See you", "14 PERSON_LEFT Ada",
                "15 SESSION_END natural",
            ])
    }

    @Test("Who joined from the queue and said nothing leaves the opening to the script")
    func openingAfterHandBack() throws {
        var talk = try Self.queueing()
        talk.act(.join(Self.ada))
        talk.act(.handBack())
        expectEqual(
            talk.lines { $0.wait(.seconds(20)) }, ["- TYPING_STOPPED", "11 Ada Marta here"])
    }

    @Test("Leaving the script's live agent drops what they had left to say")
    func scriptedLiveAgentLeaves() throws {
        var talk = try Talk.joined(try HandoffTests.script(HandoffTests.desk(queue: nil)))
        talk.ask("person")
        talk.say("my room")
        expectEqual(
            talk.lines { talk in
                talk.act(.leave(reason: nil))
                talk.wait(.seconds(20))
            }, ["12 PERSON_LEFT Marta"])
        expectEqual(talk.lines { $0.ask("Hi") }, ["13 USER Hi", "- THINKING", "14 MESSAGE Yes"])
    }

    @Test("A second person may join; when they leave, the first one of the script goes on")
    func secondLiveAgent() throws {
        var talk = try Talk.joined(try HandoffTests.script(HandoffTests.desk(queue: nil)))
        talk.ask("person")
        expectEqual(talk.lines { $0.act(.join(Self.ada)) }, ["11 PERSON_JOINED Ada"])
        expectEqual(talk.unusual, "a live agent is here already")
        talk.act(.send(text: "Ada as well"))
        talk.act(.leave())
        expectEqual(talk.lines { $0.ask("Hi") }.last, "15 Marta Let me look")
    }

    @Test("A person who was there before the client leaves, and the agent whom the client asked for comes")
    func beforeTheClient() throws {
        var talk = try Talk(.plain)
        talk.connect()
        talk.act(.join(Self.ada))
        talk.send(.join(greeting: nil))
        talk.act(.send(text: "Ada here"))
        expectEqual(talk.lines { $0.ask("Hi") }.count { $0.contains("MESSAGE") }, 0)
        let lines = talk.lines { talk in
            talk.act(.leave())
            talk.wait(.seconds(20))
            talk.ask("Hi")
        }
        expectEqual(
            lines.map { $0.drop { $0 != " " }.dropFirst() },
            [
                "PERSON_LEFT Ada", "JOINED Juno", "USER Hi", "THINKING", "MESSAGE Yes",
            ])
    }

    /// protocol.md#handoff-by-client
    @Test("A client handoff by hand leaves the session open and nobody answering")
    func clientHandoff() throws {
        var talk = try Talk.joined(.plain)
        let action = OperatorAction.requireClientHandoff(reason: "POLICY", route: "https://desk.example")
        expectEqual(
            talk.lines { $0.act(action) },
            [
                "5 TRIGGERED", "6 CLIENT_HANDOFF POLICY https://desk.example", "7 LEFT",
            ])
        expectEqual(talk.lines { $0.ask("Hi") }, ["8 USER Hi"])
        expectEqual(talk.act(.takeOver), .nobodySpeaks)
        expectEqual(talk.lines { $0.act(.join(Self.ada)) }, ["9 PERSON_JOINED Ada"])
        expectEqual(talk.unusual, "the client was to bring the user to a live agent itself")
    }

    @Test(
        "A queue of the script that fails by hand gives the rest of the turn to the agent",
        arguments: [(OperatorAction.fail(reason: "x"), "FAILED"), (.timeOut(), "TIMEOUT")]
            as [(OperatorAction, String)])
    func failScriptedQueue(_ action: OperatorAction, line: String) throws {
        var talk = try Self.queueing(after: [Step(says("Nobody there"))])
        expectEqual(
            talk.lines { talk in
                talk.act(action)
                talk.wait(.seconds(20))
            }, ["10 \(line)", "- THINKING", "11 MESSAGE Nobody there"])
        expectEqual(talk.pushedLines, [line])
    }

    @Test("A queue of the script that fails while a human sits waits for them with the rest of the turn")
    func failWhileSeated() throws {
        var talk = try Self.queueing(after: [Step(says("Nobody there"))])
        talk.act(.takeOver)
        talk.act(.fail())
        expectEqual(talk.lines { $0.wait(.seconds(20)) }, [])
        talk.act(.send(text: "Sorry"))
        talk.act(.handBack())
        expectEqual(talk.lines { $0.wait(.seconds(20)) }, ["12 MESSAGE Nobody there"])
    }

    /// protocol.md#handoff-fails
    @Test("With the agent not returning, a handoff that fails by hand leaves nobody")
    func agentStaysAway() throws {
        var options = EngineOptions()
        options.agentReturnsAfterFailedHandoff = false
        var talk = try Talk.joined(.plain, options: options)
        talk.say("Hi")
        talk.act(.triggerHandoff)
        talk.act(.fail())
        expectEqual(talk.lines { $0.ask("Hi") }, ["9 USER Hi"])
        #expect(talk.notes.contains(.ignored(reason: "the agent has left")))
    }

    // MARK: - Eight awkward ones

    @Test("1: a drop in a queue run by hand; the cursor brings what was missed, once")
    func dropInQueue() throws {
        var talk = try Talk.joined(.plain)
        talk.act(.triggerHandoff)
        talk.act(.accept())
        talk.act(.updateQueue(QueueStatus(position: 2)))
        talk.disconnect()
        talk.act(.updateQueue(QueueStatus(position: 1)))
        talk.act(.join(Self.ada))
        talk.connect(2, cursor: 8)
        talk.wait(.seconds(1))
        expectEqual(talk.lines(2), ["1 SESSION_START", "9 QUEUE 1", "10 PERSON_JOINED Ada"])
    }

    @Test("2: a drop between accepted and joined")
    func dropBeforeJoined() throws {
        var talk = try Talk.joined(.plain)
        talk.act(.triggerHandoff)
        talk.act(.accept())
        talk.disconnect()
        talk.connect(2, cursor: 7, historyAfter: .milliseconds(50))
        talk.act(.join(Self.ada))
        talk.act(.typing(.started))
        talk.act(.send(text: "Hello"))
        talk.wait(.seconds(1))
        expectEqual(talk.lines(2).prefix(3), ["1 SESSION_START", "8 PERSON_JOINED Ada", "9 Ada Hello"])
        expectEqual(talk.lines(2).contains("- TYPING"), false)
    }

    @Test("3: a message while queueing is echoed, and kept for whom the queue leads to")
    func messageWhileQueueing() throws {
        var talk = try Talk.joined(.plain)
        talk.act(.triggerHandoff)
        talk.act(.accept())
        expectEqual(talk.lines { $0.ask("hello?") }, ["8 USER hello?"])
        talk.act(.join(Self.ada))
        expectEqual(talk.takeover?.unanswered, "hello?")
    }

    @Test("4: a position that goes up, in a queue of the script that goes on untouched")
    func positionGoesUp() throws {
        var untouched = try Self.queueing()
        untouched.wait(.seconds(20))
        var talk = try Self.queueing()
        expectEqual(talk.lines { $0.act(.updateQueue(QueueStatus(position: 9))) }, ["10 QUEUE 9"])
        expectEqual(talk.unusual, nil)
        talk.wait(.seconds(20))
        expectEqual(talk.unpushed.map(\.event), untouched.unpushed.map(\.event))
        expectEqual(talk.unpushed.map(\.time), untouched.unpushed.map(\.time))
    }

    @Test("5: a live agent who never types: no typing is told, neither started nor stopped")
    func neverTypes() throws {
        var talk = try Talk.joined(.plain)
        talk.act(.join(Self.ada))
        expectEqual(talk.lines { $0.act(.send(text: "Hello")) }, ["9 Ada Hello"])
    }

    @Test("6: a live agent who leaves mid-sentence: their typing stops first")
    func leavesMidSentence() throws {
        var talk = try Talk.joined(.plain)
        talk.act(.join(Self.ada))
        talk.act(.typing(.started))
        expectEqual(talk.lines { $0.act(.leave()) }, ["- TYPING_STOPPED", "9 PERSON_LEFT Ada"])
    }

    @Test("7: two handoffs in a talk: the first fails by hand, the second brings a live agent")
    func twoHandoffs() throws {
        var talk = try Talk.joined(.plain)
        talk.act(.triggerHandoff)
        talk.act(.fail(reason: "busy"))
        expectEqual(talk.lines { $0.ask("Hi") }, ["8 USER Hi", "- THINKING", "9 MESSAGE Yes"])
        expectEqual(
            talk.lines { $0.act(.join(Self.bea)) },
            [
                "10 TRIGGERED", "11 LEFT", "12 ACCEPTED", "13 PERSON_JOINED Bea",
            ])
    }

    @Test("8: an end while queueing; nothing follows it")
    func endWhileQueueing() throws {
        var talk = try Talk.joined(.plain)
        talk.say("Hi")
        talk.act(.triggerHandoff)
        talk.send(.end)
        expectEqual(talk.act(.join(Self.ada)), .sessionOver)
        talk.wait(.seconds(20))
        expectEqual(
            talk.journalLines.suffix(4), ["6 TRIGGERED", "7 LEFT", "8 USER_END", "9 SESSION_END user"])
    }

    // MARK: - Refusals and warnings

    @Test("What cannot be done is refused with a reason, and nothing is told")
    func refusals() throws {
        var talk = try Talk.joined(.plain)
        let lines = talk.lines { talk in
            expectEqual(talk.act(.handBack()), .notTakenOver)
            #expect(OperatorRefusal.notTakenOver.description.contains("(/take) or join (/join)"))
            expectEqual(talk.act(.send(text: "x")), .notTakenOver)
            expectEqual(talk.act(.typing(.started)), .notTakenOver)
            expectEqual(talk.act(.leave()), .noLiveAgent)
            expectEqual(talk.act(.takeOver), nil)
            expectEqual(talk.act(.takeOver, by: "Ida"), .taken(by: "Olga"))
            expectEqual(talk.act(.leave(ends: true)), .noLiveAgent)
        }
        expectEqual(lines, [])
        var effects: [Effect] = []
        let unknown = SessionHandle(slot: 99, generation: 0)
        expectEqual(talk.engine.apply(.takeOver, in: unknown, at: talk.now, into: &effects), .unknownSession)
        #expect(effects.isEmpty)
    }

    @Test(
        "Each refusal is one sentence with a way out, or says that there is none",
        arguments: [
            OperatorRefusal.unknownSession, .sessionOver, .taken(by: "Ida"), .notTakenOver,
            .nobodySpeaks,
            .noLiveAgent,
        ] as [OperatorRefusal])
    func refusalTexts(_ refusal: OperatorRefusal) {
        #expect(refusal.description.hasSuffix("."))
        expectEqual(refusal.description.filter { $0 == "." }.count, 1)
    }

    @Test(
        "Steps out of order are told, with a note of what is unusual",
        arguments: [
            (OperatorAction.accept(), "ACCEPTED", "no handoff is under way"),
            (.updateQueue(QueueStatus(position: 4)), "QUEUE 4", "no handoff is under way"),
            (.fail(), "FAILED", "no handoff is under way"),
            (.timeOut(), "TIMEOUT", "no handoff is under way"),
        ] as [(OperatorAction, String, String)])
    func outOfOrder(_ action: OperatorAction, line: String, why: String) throws {
        var talk = try Talk.joined(.plain)
        expectEqual(talk.lines { $0.act(action) }, ["5 \(line)"])
        expectEqual(talk.unusual, why)
        expectEqual(talk.lines { $0.ask("Hi") }, ["6 USER Hi", "- THINKING", "7 MESSAGE Yes"])
    }

    @Test(
        "Handing back without leaving lets the agent go on beside a live agent who stays: unusual, and done")
    func handBackFromGuest() throws {
        var talk = try Talk.joined(.plain)
        talk.act(.join(Self.ada))
        expectEqual(talk.act(.handBack()), nil)
        expectEqual(talk.unusual, "the live agent has not left")
        expectEqual(talk.lines { $0.ask("Hi") }, ["9 USER Hi", "- THINKING", "10 MESSAGE Yes"])
    }

    @Test("A handoff triggered by hand may be taken back; the agent's reply goes on")
    func takeBackHandoff() throws {
        var talk = try Talk.joined(.plain)
        talk.say("Hi")
        talk.wait(.milliseconds(100))
        talk.act(.triggerHandoff)
        talk.wait(.seconds(5))
        expectEqual(talk.act(.handBack()), nil)
        expectEqual(talk.unusual, "the agent has left already")
        expectEqual(talk.lines { $0.wait(.milliseconds(200)) }, ["8 MESSAGE Yes"])
    }
}
