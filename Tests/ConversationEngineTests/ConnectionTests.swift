import Clocks
import ConversationEngine
import Expectations
import Testing

@Suite("Connections of a session")
struct ConnectionTests {
    /// protocol.md#connection-limit
    @Test("Ten connections are taken, the eleventh is refused, and one that goes frees a place")
    func tenConnections() throws {
        var talk = try Talk(.plain)
        for number in 1...10 as ClosedRange<UInt64> { expectEqual(talk.connect(number), true) }
        expectEqual(talk.connect(11), false)
        talk.disconnect(4)
        expectEqual(talk.connect(12), true)
        expectEqual(talk.connect(13), false)
    }

    @Test("A refused connection is told nothing")
    func refusedHearsNothing() throws {
        var options = EngineOptions()
        options.connectionsPerSession = 1
        var talk = try Talk.joined(.plain, options: options)
        expectEqual(talk.connect(2), false)
        talk.ask("Hi")
        #expect(talk.received(2).isEmpty)
    }

    @Test("A script may allow fewer connections or more")
    func scriptLimit() throws {
        var script = Script.plain
        script.session.connections = 2
        var talk = try Talk(script)
        expectEqual([talk.connect(1), talk.connect(2), talk.connect(3)], [true, true, false])
    }

    /// protocol.md#told-to-all
    @Test("Echoes and journaled events go to every connection, with the sender's metadata")
    func fanOut() throws {
        var talk = try Talk.joined(.plain)
        talk.connect(2)
        talk.say("Hi", metadata: #"{"local_id":"1"}"#, from: 2)
        talk.wait(.seconds(1))
        let both = ["5 USER Hi", "- THINKING", "6 MESSAGE Yes"]
        expectEqual(talk.lines(1).suffix(3), both)
        expectEqual(talk.lines(2).suffix(3), both)
        let echo = talk.received(1).first { $0.sequence == 5 }
        expectEqual(echo?.metadata, #"{"local_id":"1"}"#)
    }

    /// protocol.md#heartbeat-echo, protocol.md#told-to-the-sender
    @Test("A heartbeat is echoed to its sender only, without a number, with its metadata")
    func heartbeat() throws {
        var talk = try Talk.joined(.plain)
        talk.connect(2)
        talk.send(.heartbeat, metadata: #"{"n":"1"}"#, from: 2)
        expectEqual(talk.lines(2).last, "- HEARTBEAT")
        expectEqual(talk.received(2).last?.metadata, #"{"n":"1"}"#)
        #expect(!talk.lines(1).contains("- HEARTBEAT"))
    }

    /// protocol.md#event-user-typing
    @Test(
        "Typing of the user is relayed to nobody, unless the protocol wants it",
        arguments: [
            (nil, []), (ProtocolDefaults(), []), (ProtocolDefaults(relaysTyping: true), ["- USER_TYPING"]),
        ] as [(ProtocolDefaults?, [String])])
    func typing(terms: ProtocolDefaults?, relayed: [String]) throws {
        var talk = try Talk(.plain, terms: terms)
        talk.connect()
        talk.send(.join(greeting: nil))
        talk.wait(.seconds(20))
        talk.connect(2)
        expectEqual(talk.lines { $0.send(.typing(.started)) }, relayed)
    }

    /// protocol.md#agent-errors-to-all
    @Test("Agent errors go to all connections")
    func agentErrorsForAll() throws {
        let fault = Fault(name: "t", moment: .userMessage(1), effect: .agentError(.highLoad))
        var talk = try Talk.joined(.plain, faults: [fault])
        talk.connect(2)
        talk.say("Hi")
        expectEqual(talk.lines(1).last, "- error high load")
        expectEqual(talk.lines(2).last, "- error high load")
    }

    /// protocol.md#history-whole
    @Test("The history waits for its instant; what happens meanwhile comes with it, in order")
    func firstFrame() throws {
        var talk = try Talk.joined(.plain)
        talk.connect(2, historyAfter: .milliseconds(25))
        talk.say("Hi")
        talk.wait(.milliseconds(24))
        #expect(talk.received(2).isEmpty)
        talk.wait(.milliseconds(1))
        // THINKING was told before the history went out, so it follows it.
        expectEqual(talk.lines(2).suffix(2), ["5 USER Hi", "- THINKING"])
        expectEqual(talk.wire.batches[ConnectionID(2)]?.map(\.count), [5])
    }

    /// protocol.md#stale-signs
    @Test("A sign of thinking is not told behind a history that holds the message already")
    func overtakenThinking() throws {
        var talk = try Talk.joined(.plain)
        talk.connect(2, historyAfter: .seconds(5))
        talk.say("Hi")
        talk.wait(.seconds(5))
        #expect(talk.lines(1).contains("- THINKING"))
        expectEqual(talk.lines(2), talk.journalLines)
    }

    /// protocol.md#history-whole
    @Test("Transient events for one waiting connection are held for it alone")
    func heldAnswers() throws {
        var talk = try Talk.joined(.plain)
        talk.connect(2, historyAfter: .milliseconds(25))
        talk.send(.heartbeat, from: 2)
        talk.send(.refused(.unknownEvent, detail: nil), from: 2)
        #expect(talk.received(2).isEmpty)
        talk.wait(.milliseconds(25))
        expectEqual(talk.lines(2).suffix(3), ["4 MESSAGE Welcome", "- HEARTBEAT", "- error unknown event"])
        expectEqual(talk.received(1).count, 5)
    }

    @Test("A connection that goes before its history is told nothing")
    func goneBeforeHistory() throws {
        var talk = try Talk.joined(.plain)
        talk.connect(2, historyAfter: .milliseconds(25))
        talk.disconnect(2)
        talk.wait(.seconds(1))
        #expect(talk.received(2).isEmpty)
    }

    @Test("A history due in the past is sent at once")
    func historyInThePast() throws {
        var talk = try Talk.joined(.plain)
        talk.connect(2, historyAfter: Interval(nanoseconds: -5))
        expectEqual(talk.received(2).count, 4)
    }

    @Test("A history without a moment waits until it is given one, and is sent once")
    func expectedHistory() throws {
        var talk = try Talk.joined(.plain)
        talk.connect(2, historyAfter: .hours(9))
        talk.say("Hi")
        talk.wait(.seconds(1))
        #expect(talk.received(2).isEmpty)
        expectEqual(talk.expectHistory(2, after: .milliseconds(25)), true)
        talk.wait(.milliseconds(25))
        expectEqual(talk.received(2).filter { $0.sequence != nil }, talk.journal)
        expectEqual(talk.expectHistory(2, after: .zero), true)
        expectEqual(talk.wire.batches[ConnectionID(2)]?.count, 1)
        talk.disconnect(2)
        expectEqual(talk.expectHistory(2, after: .zero), false)
    }

    /// protocol.md#connection-idle
    @Test("A connection that is silent alone is closed while its session lives on")
    func connectionIdle() throws {
        var talk = try Talk.joined(.plain)
        talk.connect(2)
        talk.wait(.minutes(6))
        talk.send(.heartbeat, from: 2)
        talk.wait(.minutes(4))
        expectEqual(talk.closeCause(1), .connectionIdle)
        expectEqual(talk.closeCause(2), nil)
        #expect(!talk.hasEnded)
        talk.ask("Hi")
        expectEqual(talk.conversation?.links.count, 1)
    }

    @Test("The idle limit of a connection is a setting")
    func connectionIdleOption() throws {
        var options = EngineOptions()
        options.connectionIdle = .seconds(5)
        var talk = try Talk(.plain, options: options)
        talk.connect()
        talk.wait(.seconds(4))
        expectEqual(talk.closeCause(), nil)
        talk.wait(.seconds(1))
        expectEqual(talk.closeCause(), .connectionIdle)
        #expect(!talk.hasEnded)
    }

    /// protocol.md#connection-age
    @Test("Connections may grow old without limit, unless one is set")
    func connectionAge() throws {
        var options = EngineOptions()
        var young = try Talk(.plain, options: options)
        options.connectionAge = .minutes(30)
        var old = try Talk(.plain, options: options)
        young.connect()
        old.connect()
        for _ in 0..<6 {
            young.wait(.minutes(5))
            young.send(.heartbeat)
            old.wait(.minutes(5))
            old.send(.heartbeat)
        }
        expectEqual(young.closeCause(), nil)
        expectEqual(old.closeCause(), .connectionTooOld)
        #expect(!old.hasEnded)
    }

    /// protocol.md#cursor-ahead
    @Test("A cursor beyond the newest entry yields the start alone, then live events")
    func cursorBeyond() throws {
        var talk = try Talk.joined(.plain)
        talk.connect(2, cursor: .max)
        expectEqual(talk.lines(2), ["1 SESSION_START"])
        talk.say("Hi")
        expectEqual(talk.lines(2).suffix(2), ["5 USER Hi", "- THINKING"])
    }

    /// protocol.md#session-start-leads
    @Test("The start leads every replay, unless the setting leaves it to the cursor")
    func sessionStartOption() throws {
        var options = EngineOptions()
        options.alwaysReplaysSessionStart = false
        var talk = try Talk.joined(.plain, options: options)
        talk.connect(2, cursor: 4)
        talk.connect(3, cursor: 2)
        talk.connect(4, cursor: 0)
        expectEqual(talk.wire.batches[ConnectionID(2)], [[]])
        expectEqual(talk.received(3).map(\.sequence), [3, 4])
        expectEqual(talk.received(4).map(\.sequence), [1, 2, 3, 4])
    }
}
