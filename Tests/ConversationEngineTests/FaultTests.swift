import Clocks
import ConversationEngine
import Expectations
import Testing

@Suite("Faults inside the talk")
struct FaultTests {
    static func failing(
        _ moment: Fault.Moment, _ problem: KnownProblem = .agentFailure, times: Int? = nil,
        chance: Double = 1
    ) -> Fault {
        Fault(name: "t", moment: moment, effect: .agentError(problem), times: times, chance: chance)
    }

    static let long: Script = {
        var script = Script.plain
        script.otherwise = [anything(says("one two three four"), says("and more"))]
        return script
    }()

    /// protocol.md#error-high-load, protocol.md#error-follows-echo
    @Test("High load after a message: echo first, then the error with the message's metadata")
    func userMessage() throws {
        var talk = try Talk.joined(.plain, faults: [Self.failing(.userMessage(2), .highLoad)])
        talk.ask("one")
        talk.say("two", metadata: #"{"local_id":"2"}"#)
        talk.wait(.seconds(1))
        expectEqual(talk.lines.suffix(2), ["7 USER two", "- error high load"])
        expectEqual(talk.received().last?.metadata, #"{"local_id":"2"}"#)
        expectEqual(talk.notes.last, .faultFired("t"))
        expectEqual(talk.lines { $0.ask("three") }.last, "9 MESSAGE Yes")
    }

    /// protocol.md#error-cannot-start
    @Test("A failed start: join echo, error, no agent; the next join succeeds")
    func failedStart() throws {
        var talk = try Talk(.plain, faults: [Self.failing(.reply(1), .cannotStart)])
        talk.connect()
        talk.send(.join(greeting: nil), metadata: #"{"j":"1"}"#)
        expectEqual(talk.lines(1), ["1 SESSION_START", "2 JOIN", "- error cannot start"])
        expectEqual(talk.received().last?.metadata, #"{"j":"1"}"#)
        talk.send(.join(greeting: nil))
        talk.wait(.seconds(1))
        expectEqual(talk.lines(1).suffix(4), ["3 JOIN", "4 JOINED Juno", "- THINKING", "5 MESSAGE Welcome"])
    }

    @Test("A start that fails twice recovers at the third join")
    func failsTwice() throws {
        var talk = try Talk(.plain, faults: [Self.failing(.reply(1), .cannotStart, times: 2)])
        talk.connect()
        for _ in 0..<3 { talk.send(.join(greeting: nil)) }
        talk.wait(.seconds(1))
        expectEqual(talk.lines.filter { $0.hasSuffix("cannot start") }.count, 2)
        expectEqual(talk.journalLines.suffix(3), ["4 JOIN", "5 JOINED Juno", "6 MESSAGE Welcome"])
    }

    @Test("`times` counts consecutive moments: message 2, three times, is 2, 3 and 4")
    func timesConsecutive() throws {
        let fault = Self.failing(.userMessage(2), .cannotRespond, times: 3)
        var talk = try Talk.joined(.plain, faults: [fault])
        let failed = (1...5).map { number in
            talk.lines { $0.ask("\(number)") }.contains("- error cannot respond")
        }
        expectEqual(failed, [false, true, true, true, false])
    }

    @Test(
        "An error at reply N, or at any chunk of a whole reply, comes instead of the message and the rest of the turn",
        arguments: [.reply(2), .replyChunk(2, 1), .replyChunk(2, 3)] as [Fault.Moment])
    func reply(moment: Fault.Moment) throws {
        var talk = try Talk.joined(Self.long, faults: [Self.failing(moment, .cannotRespond)])
        expectEqual(talk.lines { $0.ask("x") }, ["5 USER x", "- THINKING", "- error cannot respond"])
        expectEqual(talk.lines { $0.ask("y") }.last, "8 MESSAGE and more")
    }

    /// protocol.md#abandoned-stream, protocol.md#error-agent-failure
    @Test("An error at chunk M abandons the stream: its complete chunk never comes")
    func replyChunk() throws {
        var talk = try Talk.joined(
            Self.long, isStreaming: true, faults: [Self.failing(.replyChunk(2, 2))])
        expectEqual(
            talk.lines { $0.ask("x") },
            [
                "5 USER x", "- THINKING", "6 CHUNK 1 one two ", "- error agent failure",
            ])
        expectEqual(talk.lines { $0.ask("y") }.last, "10 CHUNK 1 and more|")
    }

    @Test("A reply that failed does not hold back the one to the next message")
    func nextTurnGoesOn() throws {
        var talk = try Talk.joined(.plain, faults: [Self.failing(.reply(2))])
        let lines = talk.lines { talk in
            talk.say("a")
            talk.say("b")
            talk.wait(.seconds(5))
        }
        expectEqual(
            lines,
            [
                "5 USER a", "- THINKING", "6 USER b", "- error agent failure", "- THINKING", "7 MESSAGE Yes",
            ])
    }

    @Test("A run that failed does not hold back the reply to the next message")
    func nextTurnGoesOnBehindRun() throws {
        var script = Script.plain
        script.hasRuns = true
        var talk = try Talk.joined(script, faults: [Self.failing(.runEvent(1, 2))])
        let lines = talk.lines { talk in
            talk.say("a")
            talk.say("b")
            talk.wait(.seconds(5))
        }
        expectEqual(lines.filter { $0 == "- error agent failure" }.count, 1)
        expectEqual(lines.last, "7 MESSAGE Yes")
    }

    @Test("A handoff's outcome is forced at a queue update, or as the live agent joins")
    func forcedOutcomes() throws {
        let script = try HandoffTests.script(HandoffTests.desk())
        let full = Fault(name: "f", moment: .queueUpdate(2), effect: .handoff(.timesOut(reason: "full")))
        var talk = try Talk.joined(script, faults: [full])
        expectEqual(talk.lines { $0.ask("person") }.suffix(2), ["9 QUEUE 3", "10 TIMEOUT"])
        let late = Fault(name: "l", moment: .liveAgentJoins, effect: .handoff(.fails(reason: nil)))
        talk = try Talk.joined(script, faults: [late])
        expectEqual(talk.lines { $0.ask("person") }.suffix(2), ["11 QUEUE 1", "12 FAILED"])
        talk.ask("person")
        #expect(talk.lines.contains("20 PERSON_JOINED Marta"))
    }

    @Test("A forced join rescues a handoff that would fail")
    func forcedJoin() throws {
        let script = try HandoffTests.script(HandoffTests.desk(.fails(reason: nil)))
        let rescue = Fault(name: "r", moment: .liveAgentJoins, effect: .handoff(.joins))
        var talk = try Talk.joined(script, faults: [rescue])
        expectEqual(talk.lines { $0.ask("person") }.last, "13 Marta Marta here")
    }

    @Test("The server's faults hold for every session, a session's own for it alone")
    func scopes() throws {
        var options = EngineOptions()
        options.faults = [Self.failing(.userMessage(1))]
        var everyone = try Talk.joined(.plain, options: options)
        expectEqual(everyone.lines { $0.ask("x") }.last, "- error agent failure")
        var script = Script.plain
        script.faults = options.faults
        var unasked = try Talk.joined(script)
        expectEqual(unasked.lines { $0.ask("x") }.last, "6 MESSAGE Yes")
    }

    @Test("A `fault` step puts a fault of the script in force from there")
    func faultStep() throws {
        var script = Script.plain
        script.faults = [Self.failing(.userMessage(1), .highLoad, times: 99)]
        script.anywhere = [try rule("break", .fault(0), says("Now broken"))]
        var talk = try Talk.joined(script)
        talk.ask("Hi")
        talk.ask("break")
        #expect(talk.notes.contains(.faultAdded("t")))
        expectEqual(talk.lines { $0.ask("Hi") }.last, "- error high load")
    }

    @Test("Chance 0 never fires, 1 always; in between it repeats with the seed and shifts nothing")
    func chance() throws {
        func failures(_ chance: Double, seed: UInt64) throws -> [Bool] {
            let fault = Self.failing(.userMessage(1), times: 1000, chance: chance)
            var talk = try Talk.joined(.plain, seed: seed, faults: [fault])
            return (0..<40).map { _ in talk.lines { $0.ask("x") }.contains("- error agent failure") }
        }
        #expect(try failures(0, seed: 1).allSatisfy { !$0 })
        #expect(try failures(1, seed: 1).allSatisfy { $0 })
        let half = try failures(0.5, seed: 1)
        expectEqual(half, try failures(0.5, seed: 1))
        #expect(half != (try failures(0.5, seed: 2)))
        #expect((5...35).contains(half.count { $0 }))
    }

    @Test("A fault that never fires leaves the journal as it was, jitter and ids included")
    func faultsShiftNothing() throws {
        func journal(_ faults: [Fault]) throws -> [JournalEntry] {
            var talk = try Talk.joined(try Script.tour(), isStreaming: true, faults: faults)
            talk.ask("pool")
            talk.ask("person")
            return talk.journal
        }
        let quiet = try journal([])
        expectEqual(quiet, try journal([Self.failing(.anyEvent, chance: 0)]))
    }

    @Test("An agent error that fills the journal ends the session quietly")
    func errorFillsJournal() throws {
        var options = EngineOptions()
        options.journaling[.notice] = true
        options.maxJournalEntries = 6
        for moment in [Fault.Moment.reply(2), .replyChunk(2, 1)] {
            var talk = try Talk.joined(
                .plain, isStreaming: true, options: options, faults: [Self.failing(moment)])
            talk.ask("x")
            expectEqual(talk.journalLines.last, "6 SESSION_END natural")
        }
    }

    @Test("A heartbeat that comes before the history is hit when it is echoed, and nothing else is")
    func earlyHeartbeat() throws {
        let fault = Fault(name: "t", moment: .heartbeat(2), effect: .lose)
        var talk = try Talk(.plain, faults: [fault])
        talk.connect(historyAfter: .seconds(1))
        for number in 1...3 { talk.send(.heartbeat, metadata: "\(number)") }
        #expect(talk.wire.firings.isEmpty && talk.notes.last == .faultFired("t"))
        var effects: [Effect] = []
        talk.engine.advance(to: talk.now + .seconds(1), into: &effects)
        let told = effects.compactMap { effect -> String? in
            switch effect {
            case .replay: "history"
            case .fire(_, let firing): firing.name
            case .deliver(_, let entry, _): entry.metadata
            default: nil
            }
        }
        expectEqual(told, ["history", "1", "t", "2", "3"])
    }
}
