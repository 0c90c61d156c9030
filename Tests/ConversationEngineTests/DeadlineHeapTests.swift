import Clocks
import ConversationEngine
import Expectations
import Testing

@Suite("Heap of deadlines")
struct DeadlineHeapTests {
    @Test("It agrees with a plain dictionary under random use", arguments: 0..<20)
    func model(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var heap = DeadlineHeap()
        var model: [Int32: Instant] = [:]
        for _ in 0..<600 {
            let slot = Int32.random(in: 0..<40, using: &random)
            if Int.random(in: 0..<4, using: &random) == 0 {
                heap.remove(slot)
                model[slot] = nil
            } else {
                let deadline = Instant(nanosecondsSince1970: Int64.random(in: 0..<100, using: &random))
                heap.set(deadline, for: slot)
                model[slot] = deadline
            }
            expectEqual(heap.count, model.count)
            expectEqual(heap.first?.deadline, model.values.min())
            expectEqual(heap.deadline(of: slot), model[slot])
        }
        var drained: [Instant] = []
        while let first = heap.first {
            expectEqual(model[first.slot], first.deadline)
            drained.append(first.deadline)
            heap.remove(first.slot)
        }
        expectEqual(drained, model.values.sorted())
    }

    @Test("An empty heap has nothing, and removing from it is harmless")
    func empty() {
        var heap = DeadlineHeap()
        heap.remove(3)
        expectEqual(heap.first, nil)
        expectEqual(heap.deadline(of: 0), nil)
    }
}

@Suite("Deadlines of the engine")
struct DeadlineTests {
    @Test("The next deadline is never late: nothing happens before it", arguments: 0..<6)
    func neverLate(seed: UInt64) throws {
        var talk = try Talk(try Script.tour(), isStreaming: true, seed: seed)
        talk.connect(1, historyAfter: .milliseconds(25))
        talk.send(.join(greeting: nil))
        for text in ["pool", "manager", "person", "thanks"] {
            talk.say(text)
            for _ in 0..<30 {
                guard let deadline = talk.engine.nextDeadline, deadline < talk.now + .seconds(1) else {
                    break
                }
                let count = talk.wire.told.count
                talk.now = Instant(nanosecondsSince1970: deadline.nanoseconds - 1)
                talk.advance()
                expectEqual(talk.wire.told.count, count)
                talk.now = deadline
                talk.advance()
            }
        }
        #expect(talk.hasEnded)
    }

    @Test("Advancing leaves nothing that is already due", arguments: [1, 50, 999, 60_000] as [Int64])
    func nothingLeftDue(step: Int64) throws {
        var talk = try Talk(try Script.tour(), isStreaming: true)
        talk.connect()
        talk.send(.join(greeting: nil))
        for _ in 0..<30 {
            talk.jump(.milliseconds(step))
            if let next = talk.engine.nextDeadline { #expect(next > talk.now) }
        }
    }

    @Test("Sessions fire in the order of their deadlines, each event at its own instant")
    func orderAcrossSessions() throws {
        var engine = ConversationEngine()
        var effects: [Effect] = []
        for think in [400, 100, 300, 200] as [Int64] {
            var script = Script.plain
            script.pace = Pace(think: .milliseconds(think), every: .zero)
            let opened = try #require(engine.open(.init(script: script), at: Talk.start, into: &effects))
            engine.handle(
                ClientInput(.join(greeting: nil)), from: ConnectionID(1), in: opened.handle, at: Talk.start,
                into: &effects)
        }
        effects = []
        engine.advance(to: Talk.start + .seconds(1), into: &effects)
        let times = effects.compactMap { effect -> Int64? in
            if case .deliver(_, let entry, _) = effect { return (entry.time - Talk.start).milliseconds }
            return nil
        }
        expectEqual(times, [100, 200, 300, 400])
    }

    @Test("Heartbeats and replies leave one deadline per session, not one each")
    func oneDeadlinePerSession() throws {
        var talk = try Talk.joined(.plain)
        for _ in 0..<200 { talk.ask("Hi") }
        talk.disconnect()
        talk.wait(.minutes(30))
        expectEqual(talk.engine.nextDeadline, nil)
    }
}

@Suite("Turns of the engine end")
struct EngineTurnTests {
    @Test("A reply of very many pieces at one moment is told in turns, nothing lost and in order")
    func longReply() throws {
        let pieces = 2 * EngineLimits.stepsOfTurn + 500
        var script = Script.plain
        script.pace = Pace(think: .seconds(1), every: .zero)
        let text = Template(literal: String(repeating: "a", count: pieces))
        script.greeting = [Step(.say(SayStep(texts: [text])))]
        script.pace.chunkSize = 1
        script.pace.chunkUnit = .characters
        var engine = ConversationEngine()
        var effects: [Effect] = []
        let opened = try #require(
            engine.open(.init(script: script, isStreaming: true), at: Talk.start, into: &effects))
        engine.handle(
            ClientInput(.join(greeting: nil)), from: ConnectionID(1), in: opened.handle, at: Talk.start,
            into: &effects)
        let now = Talk.start + .seconds(1)
        var indexes: [Int] = []
        var turns = 0
        while let due = engine.nextDeadline, due <= now, turns < 100 {
            turns += 1
            effects = []
            engine.advance(to: now, into: &effects)
            #expect(effects.count <= EngineLimits.stepsOfTurn + 10)
            for case .deliver(_, let entry, _) in effects {
                if case .agentChunk(let chunk) = entry.event { indexes.append(chunk.index) }
            }
        }
        expectEqual(turns, 3)
        #expect(indexes.count >= pieces)
        let first = try #require(indexes.first)
        expectEqual(indexes, Array(first..<(first + indexes.count)))
    }

    @Test("Very many sessions that are due at one moment share it in turns")
    func manySessions() throws {
        var engine = ConversationEngine()
        var effects: [Effect] = []
        let count = EngineLimits.turnsOfSessions + 100
        for _ in 0..<count { _ = engine.open(.init(script: .plain), at: Talk.start, into: &effects) }
        let end = Talk.start + .hours(1)
        engine.advance(to: end, into: &effects)
        expectEqual(engine.nextDeadline.map { $0 <= end }, true)
        for _ in 0..<5 { engine.advance(to: end, into: &effects) }
        #expect(engine.nextDeadline.map { $0 <= end } != true)
    }
}
