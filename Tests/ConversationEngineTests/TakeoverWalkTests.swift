import Clocks
import ConversationEngine
import Expectations
import TestSupport
import Testing

@Suite("Random walks at the controls")
struct TakeoverWalkTests {
    static func action(_ chances: inout SeededGenerator) -> OperatorAction {
        let person = SpeakerProfile(id: "p\(chances.next() % 3)", name: "Person")
        switch chances.next() % 14 {
        case 0: return .takeOver
        case 1: return .handBack()
        case 2: return .handBack(answersLast: true)
        case 3: return .join(person)
        case 4: return .typing(.started)
        case 5: return .typing(.stopped)
        case 6, 7: return .send(text: "Some words of a human", pieces: Int(chances.next() % 5))
        case 8: return .leave(ends: chances.next().isMultiple(of: 10))
        case 9: return .triggerHandoff
        case 10: return .accept(queueName: "Desk")
        case 11: return .updateQueue(QueueStatus(position: 2))
        case 12: return chances.next().isMultiple(of: 2) ? .fail() : .timeOut()
        default:
            return chances.next().isMultiple(of: 8) ? .requireClientHandoff(reason: nil) : .send(text: "")
        }
    }

    /// One thing that happens in a talk: somebody acts or says something, or time passes.
    static func step(_ talk: inout Talk, _ chances: inout SeededGenerator) {
        let words = ["pool", "manager", "person", "thanks", "nonsense"]
        switch chances.next() % 4 {
        case 0: talk.say(words[Int(chances.next() % 5)])
        case 1: talk.wait(.milliseconds(Int64(chances.next() % 400)))
        default:
            let count = talk.wire.told.count
            let before = talk.conversation?.takeover
            if talk.act(action(&chances)) != nil {
                expectEqual(talk.wire.told.count, count, "a refusal tells nothing")
                expectEqual(talk.conversation?.takeover, before)
            }
        }
    }

    @Test("Whatever humans and users do: numbers run on, who sits has a paused script, all hear the same")
    func walks() throws {
        for seed in 1...Strength.of(60, full: 200) as ClosedRange<UInt64> {
            var chances = SeededGenerator(seed: seed)
            var talk = try Talk.joined(try Script.tour(), isStreaming: seed.isMultiple(of: 2))
            for _ in 0..<60 where !talk.hasEnded {
                Self.step(&talk, &chances)
                let conversation = try #require(talk.conversation)
                if conversation.takeover != nil { #expect(conversation.isScriptPaused) }
                switch conversation.responder {
                case .conducted, .guest: #expect(conversation.isScriptPaused)
                case .ended: #expect(conversation.takeover == nil && !conversation.isScriptPaused)
                default: break
                }
                if conversation.isScriptPaused { expectEqual(talk.engine.nextScriptDeadline, nil) }
            }
            #expect(talk.journal.enumerated().allSatisfy { $1.sequence == UInt64($0) + 1 })
            expectEqual(talk.lines(1), talk.lines)
            expectEqual(Set(talk.wire.told.map(\.id)).count, talk.wire.told.count)
        }
    }

    @Test("After any walk, handing back leaves an agent or a live agent of the script who answers")
    func backToTheScript() throws {
        var answered = 0
        for seed in 1...Strength.of(60, full: 200) as ClosedRange<UInt64> {
            var chances = SeededGenerator(seed: seed)
            var talk = try Talk.joined(try Script.tour(), isStreaming: seed.isMultiple(of: 2))
            for _ in 0..<60 where !talk.hasEnded { Self.step(&talk, &chances) }
            talk.act(.handBack())
            talk.wait(.seconds(20))
            guard let conversation = talk.conversation, !talk.hasEnded, conversation.responder != .departed
            else { continue }
            expectEqual(talk.act(.handBack()), .notTakenOver)
            talk.act(.leave())
            let lines = talk.lines { $0.ask("pool") }
            #expect(lines.contains { $0.contains("The pool") }, "seed \(seed): \(lines)")
            answered += 1
        }
        #expect(answered > Strength.of(15, full: 50))
    }

    @Test("The same walk gives the same journal, ids included")
    func repeatable() throws {
        func walk() throws -> [JournalEntry] {
            var chances = SeededGenerator(seed: 5)
            var talk = try Talk.joined(try Script.tour(), isStreaming: true)
            for _ in 0..<60 { Self.step(&talk, &chances) }
            return talk.journal
        }
        let (first, second) = (try walk(), try walk())
        expectEqual(first, second)
        #expect(first.contains { $0.pushedBy == "Olga" })
    }
}
