import Clocks
import ConversationEngine
import Expectations
import TestSupport
import Testing

/// Nothing lost, nothing doubled, nothing out of order.
/// protocol.md#history-whole
@Suite("Replay")
struct ReplayTests {
    /// A streamed talk with every awkward thing in it, frozen at each moment something happened.
    static func moments() throws -> [Talk] {
        var talk = try Talk(try Script.tour(), isStreaming: true)
        talk.connect()
        talk.send(.join(greeting: nil))
        var moments = [talk]
        for text in ["pool", "manager", "person", "well", "thanks"] {
            talk.wait(.milliseconds(60))
            talk.say(text)
            for _ in 0..<24 {
                guard let deadline = talk.engine.nextDeadline, deadline < talk.now + .seconds(1) else {
                    break
                }
                moments.append(talk)
                talk.wait(deadline - talk.now)
            }
        }
        moments.append(talk)
        return moments
    }

    @Test(
        "Attached at any cursor at any moment, a connection gets exactly the later entries, in order",
        arguments: [0, 25, 130] as [Int64])
    func everyCursorAtEveryMoment(delay: Int64) throws {
        let moments = try Self.moments()
        #expect(moments.count > 20)
        for moment in moments {
            for cursor in 0...UInt64(moment.journal.count) + 1 {
                var talk = moment
                guard talk.connect(2, cursor: cursor, historyAfter: .milliseconds(delay)) else {
                    #expect(talk.hasEnded)
                    continue
                }
                let toldBefore = talk.wire.told.count
                talk.wait(.seconds(1))
                let later = talk.journal.filter { ($0.sequence ?? 0) > cursor || $0.sequence == 1 }
                // A cursor from the future hides nothing that happens from now on.
                let expected =
                    cursor > UInt64(moment.journal.count)
                    ? [talk.journal[0]] + talk.journal.dropFirst(moment.journal.count) : later
                if delay == 0 || cursor <= UInt64(moment.journal.count) {
                    expectEqual(talk.received(2).filter { $0.sequence != nil }, expected)
                }
                let transients = talk.wire.told.dropFirst(toldBefore).filter { $0.sequence == nil }
                expectEqual(talk.received(2).filter { $0.sequence == nil }, Array(transients))
            }
        }
    }

    @Test("The same holds when the shell was held up and everything falls due in one wake-up")
    func lateWakeUps() throws {
        for moment in try Self.moments() {
            for cursor in 0...UInt64(moment.journal.count) {
                var talk = moment
                guard talk.connect(2, cursor: cursor, historyAfter: .milliseconds(100)) else { continue }
                talk.jump(.seconds(1))
                let expected = talk.journal.filter { ($0.sequence ?? 0) > cursor || $0.sequence == 1 }
                expectEqual(talk.received(2).filter { $0.sequence != nil }, expected)
            }
        }
    }

    @Test(
        "Clients that come and go at random hold the whole journal in the end",
        arguments: 0..<Strength.of(20, full: 40))
    func randomReconnects(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        var talk = try Talk(try Script.tour(), isStreaming: seed % 4 != 0, seed: UInt64(seed))
        var clients = (0..<4).map { _ in Client() }
        var nextConnection: UInt64 = 1
        let texts = ["pool", "manager", "person", "nonsense"]
        for step in 0..<220 {
            let index = Int.random(in: 0..<clients.count, using: &random)
            switch Int.random(in: 0..<8, using: &random) {
            case 0, 1:
                clients[index].hangUp(&talk)
                let delay = Int64.random(in: 0...60, using: &random)
                clients[index].call(&talk, as: nextConnection, historyAfter: .milliseconds(delay))
                nextConnection += 1
            case 2: clients[index].hangUp(&talk)
            case 3:
                guard let number = clients[index].connection else { continue }
                step < 10
                    ? talk.send(.join(greeting: nil), from: number)
                    : talk.say(texts[Int.random(in: 0..<4, using: &random)], from: number)
            case 4: talk.send(.heartbeat, from: clients[index].connection ?? 999)
            case 5: talk.jump(.milliseconds(Int64.random(in: 0...200, using: &random)))
            default: talk.wait(.milliseconds(Int64.random(in: 0...90, using: &random)))
            }
        }
        for index in clients.indices {
            clients[index].hangUp(&talk)
            clients[index].call(&talk, as: nextConnection, historyAfter: .milliseconds(20))
            nextConnection += 1
        }
        talk.wait(.seconds(30))
        for var client in clients {
            client.hangUp(&talk)
            expectEqual(client.seen, talk.journal)
        }
        #expect(talk.journal.count > 10)
    }

    /// A client as the SDKs are: it remembers the last sequence, drops ids that it knows, and reconnects.
    struct Client {
        var connection: UInt64?
        var seen: [JournalEntry] = []

        mutating func call(_ talk: inout Talk, as number: UInt64, historyAfter delay: Interval) {
            let cursor = seen.last?.sequence ?? 0
            guard talk.connect(number, cursor: cursor, historyAfter: delay) else { return }
            connection = number
        }

        mutating func hangUp(_ talk: inout Talk) {
            guard let connection else { return }
            talk.disconnect(connection)
            let numbered = talk.received(connection).filter { $0.sequence != nil }
            let isReconnect = !seen.isEmpty
            seen += isReconnect ? Array(numbered.dropFirst()) : numbered
            if isReconnect, let start = numbered.first { expectEqual(start.sequence, 1) }
            self.connection = nil
        }
    }
}
