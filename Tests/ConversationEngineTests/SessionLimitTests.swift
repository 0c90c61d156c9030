import Clocks
import ConversationEngine
import Expectations
import Testing

/// An engine that holds three sessions.
private struct SmallEngine {
    var engine: ConversationEngine
    var now = Talk.start
    var effects: [Effect] = []
    var opened: [SessionHandle] = []

    init(endedRetention: Interval = .minutes(10)) {
        var options = EngineOptions()
        options.maxSessions = 3
        options.endedRetention = endedRetention
        engine = ConversationEngine(options: options)
    }

    @discardableResult
    mutating func open() -> SessionHandle? {
        let handle = engine.open(.init(script: .plain), at: now, into: &effects)?.handle
        if let handle { opened.append(handle) }
        return handle
    }

    mutating func end(_ number: Int) {
        engine.end(opened[number], reason: .natural, at: now, into: &effects)
    }

    func isHeld(_ number: Int) -> Bool { engine.hasEnded(opened[number]) != nil }
}

@Suite("Sessions in total")
struct SessionLimitTests {
    @Test("While none has ended, one more is refused (limits.sessions)")
    func refused() throws {
        var small = SmallEngine()
        for _ in 0..<3 { #expect(small.open() != nil) }
        small.effects = []
        expectEqual(small.open(), nil)
        expectEqual(small.effects, [])
        expectEqual(small.engine.sessionCount, 3)
    }

    @Test(
        "The sessions that ended first are forgotten first, also those that ended at one instant (limits.sessions)"
    )
    func oldestEndedFirst() throws {
        var small = SmallEngine()
        for _ in 0..<3 { small.open() }
        for number in [1, 2, 0] { small.end(number) }
        for (forgotten, left) in [(1, [2, 0]), (2, [0]), (0, [])] {
            small.effects = []
            #expect(small.open() != nil)
            expectEqual(small.effects.first, .forgotten(small.opened[forgotten]))
            #expect(!small.isHeld(forgotten))
            for number in left { #expect(small.isHeld(number)) }
            expectEqual(small.engine.sessionCount, 3)
        }
        expectEqual(small.open(), nil)
    }

    @Test("A new session never has the place of the one it replaces, and places do not become more")
    func places() throws {
        var small = SmallEngine()
        for _ in 0..<3 { small.open() }
        for number in 0..<20 {
            small.end(number)
            let opened = small.open()
            let handle = try #require(opened)
            #expect(handle.slot != small.opened[number].slot)
            #expect(handle.slot < 4)
        }
    }

    @Test("The connections of a session that makes room are closed, though its grace period runs")
    func closesConnections() throws {
        var small = SmallEngine()
        for _ in 0..<3 { small.open() }
        _ = small.engine.attach(
            ConnectionID(9), to: small.opened[0], cursor: 0, firstFrameAt: small.now, at: small.now,
            into: &small.effects)
        small.end(0)
        small.effects = []
        #expect(small.open() != nil)
        expectEqual(
            small.effects.prefix(2), [.close(ConnectionID(9), .sessionEnded), .forgotten(small.opened[0])])
    }

    @Test("Sessions that were forgotten in another way are passed over")
    func passedOver() throws {
        var small = SmallEngine(endedRetention: .seconds(60))
        for _ in 0..<3 { small.open() }
        small.end(0)
        small.engine.remove(small.opened[0], at: small.now, into: &small.effects)
        small.open()
        small.end(1)
        small.now = small.now + .seconds(120)
        small.engine.advance(to: small.now, into: &small.effects)
        #expect(!small.isHeld(1))
        small.open()
        small.end(3)
        #expect(small.open() != nil)
        #expect(!small.isHeld(3))
        #expect(small.isHeld(2) && small.isHeld(4))
        expectEqual(small.open(), nil)
    }

    @Test("Thousands that come and go leave nothing behind, and the order holds")
    func comingAndGoing() throws {
        var small = SmallEngine()
        small.open()
        small.open()
        small.end(1)
        for _ in 0..<1_000 {
            let number = small.opened.count
            small.open()
            small.engine.remove(small.opened[number], at: small.now, into: &small.effects)
        }
        let last = small.opened.count
        small.open()
        small.end(last)
        small.open()
        #expect(!small.isHeld(1))
        #expect(small.isHeld(0) && small.isHeld(last))
    }
}
