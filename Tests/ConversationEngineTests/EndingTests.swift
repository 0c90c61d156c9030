import Clocks
import ConversationEngine
import Expectations
import Testing

@Suite("Endings")
struct EndingTests {
    /// protocol.md#user-end
    @Test("The user ends: echo, end, and after the grace period the connections are closed")
    func userEnds() throws {
        var talk = try Talk.joined(.plain)
        talk.send(.end, metadata: #"{"local_id":"e"}"#)
        expectEqual(talk.lines(1).suffix(2), ["5 USER_END", "6 SESSION_END user"])
        expectEqual(talk.journal[4].metadata, #"{"local_id":"e"}"#)
        talk.wait(.milliseconds(1999))
        expectEqual(talk.closeCause(), nil)
        talk.wait(.milliseconds(1))
        expectEqual(talk.closeCause(), .sessionEnded)
    }

    /// protocol.md#natural-end
    @Test("A natural end follows the last message")
    func naturalEnd() throws {
        var script = Script.plain
        script.otherwise = [anything(says("Goodbye"), .end(.natural))]
        var talk = try Talk.joined(script)
        expectEqual(
            talk.lines { $0.ask("bye") },
            [
                "5 USER bye", "- THINKING", "6 MESSAGE Goodbye", "7 SESSION_END natural",
            ])
    }

    @Test("`leave` without a live agent just ends the session")
    func leaveWithoutLiveAgent() throws {
        var script = Script.plain
        script.otherwise = [anything(.leave(reason: nil))]
        var talk = try Talk.joined(script)
        expectEqual(talk.lines { $0.ask("bye") }, ["5 USER bye", "6 SESSION_END natural"])
    }

    /// protocol.md#abandoned-stream
    @Test("An end while a reply streams abandons it: no further chunk, the end is the last entry")
    func endWhileStreaming() throws {
        var script = Script.plain
        script.otherwise = [anything(says("one two three four five"))]
        var talk = try Talk.joined(script, isStreaming: true)
        talk.say("Hi")
        talk.wait(.milliseconds(300))
        talk.send(.end)
        talk.wait(.minutes(1))
        expectEqual(
            talk.journalLines.suffix(3), ["6 CHUNK 1 one two ", "7 USER_END", "8 SESSION_END user"])
    }

    @Test("An end from outside, or pushed as an event, ends the session like any other")
    func endFromOutside() throws {
        var talk = try Talk.joined(.plain)
        talk.end(.natural)
        expectEqual(talk.journalLines.last, "5 SESSION_END natural")
        talk.end(.user)
        expectEqual(talk.journal.count, 5)
        var pushed = try Talk.joined(.plain)
        pushed.push(.sessionEnded(.abandoned))
        #expect(pushed.hasEnded)
        expectEqual(pushed.journalLines.last, "5 SESSION_END abandoned")
        #expect(pushed.notes.contains(.ended(.abandoned)))
    }

    /// protocol.md#end-for-all
    @Test("One connection ends the session for all")
    func endForAll() throws {
        var talk = try Talk.joined(.plain)
        talk.connect(2)
        talk.send(.end, from: 2)
        talk.wait(.seconds(2))
        expectEqual(talk.lines(1).last, "6 SESSION_END user")
        expectEqual(talk.lines(2).last, "6 SESSION_END user")
        #expect(talk.closeCause(1) == .sessionEnded && talk.closeCause(2) == .sessionEnded)
    }

    /// protocol.md#after-the-end, protocol.md#error-session-gone
    @Test(
        "After the end every event is answered with `session gone`, to its sender",
        arguments: [
            ClientInput.Word.say("x"), .join(greeting: nil), .end, .heartbeat, .typing(.started),
        ] as [ClientInput.Word])
    func wordsAfterEnd(_ word: ClientInput.Word) throws {
        var talk = try Talk.joined(.plain)
        talk.connect(2)
        talk.send(.end)
        let heard = talk.received(2).count
        let lines = talk.lines { $0.send(word, metadata: #"{"a":"b"}"#) }
        expectEqual(lines, ["- error session gone"])
        expectEqual(talk.received(1).last?.metadata, #"{"a":"b"}"#)
        expectEqual(talk.received(2).count, heard)
        expectEqual(talk.journal.count, 6)
    }

    @Test("Nothing can be told after the end")
    func pushAfterEnd() throws {
        var talk = try Talk.joined(.plain)
        talk.end(.natural)
        expectEqual(talk.lines { $0.push(.languageChanged(code: "de")) }, [])
    }

    /// protocol.md#after-the-end
    @Test("An ended session takes no connection")
    func connectAfterEnd() throws {
        var talk = try Talk.joined(.plain)
        talk.send(.end)
        expectEqual(talk.connect(2), false)
        talk.wait(.minutes(1))
        expectEqual(talk.connect(3), false)
    }

    @Test("A connection that waits for its history still gets it, end included, before it is closed")
    func endBeforeHistory() throws {
        var talk = try Talk.joined(.plain)
        talk.connect(2, historyAfter: .milliseconds(500))
        talk.connect(3, historyAfter: .seconds(9))
        talk.end(.natural)
        let ended = talk.now
        talk.wait(.milliseconds(500))
        expectEqual(talk.lines(2).last, "5 SESSION_END natural")
        expectEqual(talk.engine.nextDeadline, ended + .seconds(2))
        talk.wait(.milliseconds(1500))
        expectEqual(talk.lines(3).last, "5 SESSION_END natural")
        #expect(talk.closeCause(2) == .sessionEnded && talk.closeCause(3) == .sessionEnded)
    }

    /// protocol.md#end-grace
    @Test("The grace period is a setting")
    func graceOption() throws {
        var options = EngineOptions()
        options.endGrace = .zero
        var talk = try Talk.joined(.plain, options: options)
        talk.send(.end)
        talk.wait(.zero)
        expectEqual(talk.closeCause(), .sessionEnded)
    }

    // MARK: - Idle and abandonment

    /// protocol.md#session-idle
    @Test("Ten minutes without a client frame end the session as abandoned, told and closed")
    func abandoned() throws {
        var talk = try Talk.joined(.plain)
        let join = Talk.start
        talk.wait(.minutes(10))
        let end = try #require(talk.journal.last)
        expectEqual(end.line, "5 SESSION_END abandoned")
        expectEqual(end.time, join + .minutes(10))
        expectEqual(talk.lines(1).last, end.line)
        expectEqual(talk.closeCause(), .sessionEnded)
        expectEqual(talk.connect(2), false)
    }

    @Test("A session that nobody ever connected to is abandoned as well")
    func neverConnected() throws {
        var talk = try Talk(.plain)
        talk.wait(.milliseconds(599_999))
        #expect(!talk.hasEnded)
        talk.wait(.milliseconds(1))
        expectEqual(talk.journalLines, ["1 SESSION_START", "2 SESSION_END abandoned"])
    }

    /// protocol.md#activity
    @Test(
        "Any client frame keeps the session alive, heartbeats, typing and nonsense included",
        arguments: [
            ClientInput.Word.heartbeat, .typing(.started), .ignored, .refused(.unknownEvent, detail: nil),
        ] as [ClientInput.Word])
    func anyFrameCounts(_ word: ClientInput.Word) throws {
        var talk = try Talk.joined(.plain)
        for _ in 0..<4 {
            talk.wait(.minutes(9))
            talk.send(word)
        }
        #expect(!talk.hasEnded)
        talk.wait(.minutes(10))
        #expect(talk.hasEnded)
    }

    /// protocol.md#activity
    @Test("A frame that says nothing, and a connect, keep the session alive")
    func touchAndConnect() throws {
        var talk = try Talk(.plain)
        talk.wait(.minutes(9))
        talk.connect()
        talk.wait(.minutes(9))
        talk.engine.touch(ConnectionID(1), of: talk.handle, at: talk.now)
        talk.wait(.minutes(9))
        #expect(!talk.hasEnded)
        expectEqual(talk.closeCause(), nil)
    }

    /// protocol.md#activity
    @Test("What the agent says does not keep a session alive")
    func agentDoesNotCount() throws {
        var script = Script.plain
        script.greeting = [Step(.wait(.minutes(9))), Step(says("still here")), Step(.wait(.minutes(9)))]
        var talk = try Talk.joined(script)
        talk.wait(.minutes(10))
        expectEqual(talk.journalLines.suffix(2), ["4 MESSAGE still here", "5 SESSION_END abandoned"])
    }

    @Test("The idle limit is a setting, and a script may ask for its own")
    func idleOption() throws {
        var options = EngineOptions()
        options.sessionIdle = .seconds(30)
        var talk = try Talk(.plain, options: options)
        talk.wait(.seconds(30))
        #expect(talk.hasEnded)
        var script = Script.plain
        script.session.idle = .minutes(20)
        var patient = try Talk(script, options: options)
        patient.wait(.minutes(19))
        #expect(!patient.hasEnded)
    }

    @Test("An input that finds the session overdue does not revive it")
    func overdueInput() throws {
        var talk = try Talk.joined(.plain)
        let started = Talk.start
        talk.now = talk.now + .minutes(11)
        talk.say("anyone?")
        expectEqual(talk.journalLines.last, "5 SESSION_END abandoned")
        expectEqual(talk.journal.last?.time, started + .minutes(10))
        var other = try Talk(.plain)
        other.now = other.now + .minutes(11)
        expectEqual(other.connect(), false)
    }

    // MARK: - Forgetting

    /// protocol.md#ended-sessions
    @Test("An ended session's journal stays readable, then the session is forgotten")
    func forgetting() throws {
        var talk = try Talk.joined(.plain)
        talk.end(.natural)
        talk.wait(.seconds(599))
        expectEqual(talk.journal.count, 5)
        talk.wait(.seconds(1))
        expectEqual(talk.wire.forgotten, [talk.handle])
        #expect(talk.conversation == nil)
        expectEqual(talk.engine.sessionCount, 0)
        expectEqual(talk.engine.nextDeadline, nil)
    }

    @Test("How long it stays readable is a setting; never shorter than the grace period")
    func retentionOption() throws {
        var options = EngineOptions()
        options.endedRetention = .zero
        var talk = try Talk.joined(.plain, options: options)
        talk.end(.natural)
        talk.wait(.milliseconds(1999))
        #expect(talk.wire.forgotten.isEmpty)
        talk.wait(.milliseconds(1))
        expectEqual(talk.closeCause(), .sessionEnded)
        expectEqual(talk.wire.forgotten, [talk.handle])
    }

    @Test("The handle of a forgotten session never reaches the session that took its place")
    func reusedSlot() throws {
        var options = EngineOptions()
        options.endedRetention = .zero
        var talk = try Talk.joined(.plain, options: options)
        let old = talk.handle
        let oldID = try #require(talk.conversation?.id)
        talk.end(.natural)
        talk.wait(.seconds(2))
        var effects: [Effect] = []
        let opened = talk.engine.open(.init(script: .plain), at: talk.now, into: &effects)
        let new = try #require(opened)
        expectEqual(new.handle.slot, old.slot)
        #expect(new.handle != old)
        expectEqual(talk.engine.handle(of: oldID), nil)
        expectEqual(talk.engine.handle(of: new.id), new.handle)
        effects = []
        talk.engine.handle(ClientInput(.end), from: ConnectionID(1), in: old, at: talk.now, into: &effects)
        talk.engine.end(old, reason: .user, at: talk.now, into: &effects)
        talk.engine.push(.agentThinking, in: old, at: talk.now, into: &effects)
        let attached = talk.engine.attach(
            ConnectionID(5), to: old, cursor: 0, firstFrameAt: talk.now, at: talk.now, into: &effects)
        #expect(effects.isEmpty && !attached)
        #expect(talk.engine[old] == nil)
        expectEqual(talk.engine.withJournal(of: old) { $0.count }, nil)
        expectEqual(talk.engine[new.handle]?.hasEnded, false)
    }
}
