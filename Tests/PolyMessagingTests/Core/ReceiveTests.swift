import Clocks
import Expectations
import MessagingWire
import TestSupport
import Testing

@testable import PolyMessaging

@Suite("Receiving")
struct ReceiveTests {
    typealias Arrival = ReceiveCore.Arrival

    let now = Instant(secondsSince1970: 0)

    func arrival(_ sequence: UInt64?, id: String? = nil) -> Arrival {
        Arrival(id: id ?? sequence.map { "e-\($0)" } ?? "t", sequence: sequence, event: nil)
    }

    func sequences(_ deliveries: [ReceiveCore.Delivery]) -> [UInt64?] {
        deliveries.compactMap { if case .new(let arrival) = $0 { .some(arrival.sequence) } else { nil } }
    }

    @Test("CHAT-131, CHAT-132 An id delivered twice counts once, in one batch or in two")
    func duplicates() {
        var receive = ReceiveCore()
        let first = receive.receive([arrival(1), arrival(1)], isBatch: true, at: now)
        let second = receive.receive([arrival(1), arrival(2)], isBatch: true, at: now)
        expectEqual(sequences(first), [1])
        expectEqual(sequences(second), [2])
        expectEqual(first.last, .repeated(arrival(1)))
    }

    @Test("CHAT-144 Events without a sequence or an id always pass; a sequence counts all the same")
    func transients() {
        var receive = ReceiveCore()
        let events = [arrival(nil), arrival(nil), arrival(3, id: ""), arrival(3, id: "")]
        let passed = sequences(receive.take(events, at: now))
        expectEqual(passed, [nil, nil, 3, 3])
        expectEqual(receive.cursor, 3)
    }

    @Test("CONN-159 A hole is waited for; what fills it lets the rest go, in order")
    func filledHole() {
        var receive = ReceiveCore()
        _ = receive.receive([arrival(1)], isBatch: true, at: now)
        let held = receive.take([arrival(4), arrival(3)], at: now)
        #expect(held.isEmpty)
        expectEqual(receive.cursor, 1)
        expectEqual(receive.nextDeadline, now + .seconds(2))
        let released = sequences(receive.take([arrival(2)], at: now))
        expectEqual(released, [2, 3, 4])
        expectEqual(receive.nextDeadline, nil)
    }

    @Test("CONN-159 A hole that lasts two seconds is asked for; the replay fills it")
    func askedHole() {
        var receive = ReceiveCore()
        _ = receive.receive([arrival(1)], isBatch: true, at: now)
        _ = receive.take([arrival(3)], at: now)
        let early = receive.run(to: now + .milliseconds(1_999))
        expectEqual(early, nil)
        let due = receive.run(to: now + .seconds(2))
        expectEqual(due, .askForReplay)
        receive.connectionLost(at: now)
        let replay = receive.receive([arrival(1), arrival(2), arrival(3)], isBatch: true, at: now)
        expectEqual(sequences(replay), [2, 3])
        expectEqual(receive.heldCount, 0)
        expectEqual(receive.nextDeadline, nil)
    }

    @Test("CONN-159 A hole the replay does not fill is the server's numbering; nobody waits for the next")
    func numberingWithHoles() {
        var receive = ReceiveCore()
        _ = receive.receive([arrival(1)], isBatch: true, at: now)
        _ = receive.take([arrival(3)], at: now)
        _ = receive.run(to: now + .seconds(2))
        receive.connectionLost(at: now)
        let replayed = sequences(receive.receive([arrival(1), arrival(3)], isBatch: true, at: now))
        expectEqual(replayed, [3])
        let next = sequences(receive.take([arrival(7)], at: now))
        expectEqual(next, [7])
    }

    @Test("CONN-159 What a replay does not bring again is delivered all the same, in the end")
    func lostReplay() {
        var receive = ReceiveCore()
        _ = receive.receive([arrival(1)], isBatch: true, at: now)
        _ = receive.take([arrival(3)], at: now)
        _ = receive.run(to: now + .seconds(2))
        receive.connectionLost(at: now)
        let empty = receive.receive([], isBatch: true, at: now + .seconds(3))
        #expect(empty.isEmpty)
        let due = receive.run(to: now + .seconds(5))
        expectEqual(due, .deliver([.new(arrival(3))]))
        expectEqual(receive.cursor, 3)
    }

    @Test(
        "CONN-159 A single event in place of the replay may mean that it was lost: it is asked for once more")
    func doubtfulReplay() {
        var receive = ReceiveCore()
        _ = receive.receive([arrival(1)], isBatch: true, at: now)
        _ = receive.take([arrival(3)], at: now)
        for delivered in [[], [3, 4]] as [[UInt64]] {
            let due = receive.run(to: now + .seconds(2))
            expectEqual(due, .askForReplay)
            receive.connectionLost(at: now)
            expectEqual(sequences(receive.take([arrival(4)], at: now)), delivered)
        }
        // The second time it is how the server counts.
        expectEqual(sequences(receive.take([arrival(9)], at: now)), [9])
    }

    @Test(
        "CONN-159 A replay of what went out in front of it is asked for again when another event came in its place"
    )
    func lostReplayOfShown() {
        var receive = ReceiveCore()
        _ = receive.receive([arrival(1)], isBatch: true, at: now)
        _ = receive.take([arrival(3)], at: now)
        receive.connectionLost(at: now)
        expectEqual(sequences(receive.flush()), [3])
        expectEqual(sequences(receive.take([arrival(4)], at: now)), [4])
        #expect(receive.cursor == 1 && receive.hasHole)
        let due = receive.run(to: now + .seconds(2))
        expectEqual(due, .askForReplay)
        receive.connectionLost(at: now)
        let replay = receive.receive([arrival(2), arrival(3), arrival(4)], isBatch: true, at: now)
        #expect(sequences(replay) == [2] && receive.cursor == 4 && !receive.hasHole)
    }

    @Test(
        "CONN-159 Held events are bounded: one more lets all go and asks at once; the missing one comes late")
    func boundedHold() {
        var receive = ReceiveCore()
        _ = receive.receive([arrival(1)], isBatch: true, at: now)
        let count = UInt64(MessagingLimits.maxHeldEvents)
        for sequence in 3...(count + 2) { _ = receive.take([arrival(sequence)], at: now) }
        expectEqual(receive.heldCount, MessagingLimits.maxHeldEvents)
        let told = sequences(receive.take([arrival(count + 3)], at: now))
        expectEqual(told, (3...(count + 3)).map { $0 })
        #expect(receive.heldCount == 0 && receive.cursor == 1)
        let asked = receive.run(to: now)
        expectEqual(asked, .askForReplay)
        receive.connectionLost(at: now)
        let all = (2...(count + 3)).map { arrival($0) }
        let replayed = sequences(receive.receive(all, isBatch: true, at: now))
        expectEqual(replayed, [2])
        expectEqual(receive.cursor, count + 3)
    }

    @Test(
        "CONN-159 Without a replay held events go out 8 s after the loss, and a late replay still fills the hole"
    )
    func silentReplay() {
        var receive = ReceiveCore()
        _ = receive.receive([arrival(1)], isBatch: true, at: now)
        _ = receive.take([arrival(3), arrival(5)], at: now)
        receive.connectionLost(at: now)
        let early = receive.run(to: now + .milliseconds(7_999))
        expectEqual(early, nil)
        let due = receive.run(to: now + .seconds(8))
        expectEqual(due, .deliver([.new(arrival(3)), .new(arrival(5))]))
        #expect(receive.cursor == 1 && receive.nextDeadline == nil)
        let replay = receive.receive((2...6).map { arrival($0) }, isBatch: true, at: now + .seconds(22))
        expectEqual(sequences(replay), [2, 4, 6])
        expectEqual(receive.cursor, 6)
    }

    @Test("CONN-159 Held events go out when an attempt fails, or 3 s after a new connection without a replay")
    func secondLoss() {
        var receive = ReceiveCore()
        _ = receive.receive([arrival(1)], isBatch: true, at: now)
        _ = receive.take([arrival(3)], at: now)
        receive.connectionLost(at: now)
        expectEqual(receive.nextDeadline, now + .seconds(8))
        receive.connectionOpened(at: now + .seconds(1))
        let early = receive.run(to: now + .milliseconds(3_999))
        expectEqual(early, nil)
        receive.connectionLost(at: now + .milliseconds(3_999))
        let due = receive.run(to: now + .milliseconds(3_999))
        expectEqual(due, .deliver([.new(arrival(3))]))
        #expect(receive.nextDeadline == nil && receive.cursor == 1)
        receive.connectionOpened(at: now + .seconds(5))
        let late = sequences(
            receive.receive([arrival(2), arrival(3), arrival(4)], isBatch: true, at: now + .seconds(5)))
        #expect(late == [2, 4] && receive.cursor == 4)
    }

    @Test("CONN-159 A replay that breaks off between two frames is asked for from where it broke off")
    func brokenReplay() {
        var receive = ReceiveCore()
        _ = receive.receive([arrival(1)], isBatch: true, at: now)
        _ = receive.take([arrival(3), arrival(4), arrival(6)], at: now)
        receive.connectionLost(at: now)
        _ = receive.run(to: now + MessagingLimits.replayHold)
        expectEqual(receive.cursor, 1)
        let first = receive.receive([arrival(2), arrival(3)], isBatch: true, at: now)
        #expect(sequences(first) == [2] && receive.cursor == 3)
        receive.connectionLost(at: now)
        expectEqual(receive.cursor, 3)
        let rest = receive.receive([arrival(4), arrival(5), arrival(6)], isBatch: true, at: now)
        #expect(sequences(rest) == [5] && receive.cursor == 6)
    }

    @Test("CONN-159 An unusable event and an id at a second place are no holes, in a frame and after a hole")
    func placesWithoutEvents() {
        var receive = ReceiveCore()
        _ = receive.receive([arrival(1)], isBatch: true, at: now)
        let unusable = sequences(receive.take([arrival(2, id: "")], at: now))
        let twice = receive.take([arrival(3, id: "e-1")], at: now)
        let next = sequences(receive.take([arrival(4)], at: now))
        #expect(unusable == [2] && twice == [.repeated(arrival(3, id: "e-1"))] && next == [4])
        _ = receive.take([arrival(6, id: ""), arrival(7)], at: now)
        expectEqual(receive.heldCount, 2)
        let filled = sequences(receive.take([arrival(5)], at: now))
        expectEqual(filled, [5, 7])
        #expect(receive.cursor == 7 && receive.nextDeadline == nil)
    }

    @Test(
        "CONN-159 Whatever happens after holes, each event comes once, and nothing waits without a deadline",
        arguments: 1...UInt64(Strength.of(200, full: 20_000)))
    func randomHoles(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var receive = ReceiveCore()
        var clock = now
        var given: Set<UInt64> = [1]
        var told = sequences(receive.receive([arrival(1)], isBatch: true, at: clock)).compactMap { $0 }
        var next: UInt64 = 2
        for _ in 0..<40 {
            switch random.next() % 8 {
            case 0: receive.connectionLost(at: clock)
            case 1:
                clock = clock + .milliseconds(Int64(random.next() % 3_000))
                if case .deliver(let deliveries)? = receive.run(to: clock) {
                    told += sequences(deliveries).compactMap { $0 }
                }
            case 2:
                let batch = (1..<next).filter { $0 > receive.cursor && random.next() % 4 > 0 }
                given.formUnion(batch)
                told += sequences(receive.receive(batch.map { arrival($0) }, isBatch: true, at: clock))
                    .compactMap { $0 }
            case 3: next += 1 + random.next() % 3
            default:
                let place = random.next() % 5 == 0 ? 1 + random.next() % next : next
                next = max(next, place + 1)
                given.insert(place)
                told += sequences(receive.take([arrival(place)], at: clock)).compactMap { $0 }
            }
            #expect(receive.heldCount == 0 || receive.nextDeadline != nil, "seed \(seed)")
        }
        told += sequences(receive.flush()).compactMap { $0 }
        expectEqual(told.sorted(), given.sorted(), "seed \(seed)")
    }

    @Test("CHAT-131 Memory is bounded: an id that was forgotten is known by its sequence")
    func boundedMemory() {
        var receive = ReceiveCore()
        let count = UInt64(MessagingLimits.maxKnownIDs) + 10
        _ = receive.receive((1...count).map { arrival($0) }, isBatch: true, at: now)
        expectEqual(receive.knownCount, MessagingLimits.maxKnownIDs)
        let again = receive.take([arrival(1), arrival(count + 1)], at: now)
        expectEqual(sequences(again), [count + 1])
    }

    @Test("CHAT-131 The last ids are remembered, the oldest forgotten")
    func recentIDs() {
        var ids = RecentIDs(capacity: 3)
        let isNew = ["a", "b", "a", "c", "d", "a", "d"].map { ids.insert($0) }
        expectEqual(isNew, [true, true, false, true, true, true, false])
        expectEqual(ids.count, 3)
        #expect(ids.hasForgotten)
    }

    @Test("CO-213 A repeated SESSION_START shows nothing, but its capabilities count")
    func repeatedStart() {
        var bench = Bench()
        bench.startAndOpen()
        let start = bench.journaled(.sessionStart(WireCapabilities(), contextID: nil))
        bench.batch([start])
        bench.close(1006)
        bench.reconnect()
        var changed = start
        changed.payload = .sessionStart(WireCapabilities(heartbeatIntervalSeconds: 7), contextID: nil)
        let outputs = bench.batch([changed])
        #expect(outputs.events.isEmpty)
        expectEqual(bench.core.heartbeatInterval, .seconds(7))
    }

    @Test("CONN-159 A type nobody knows leaves no hole")
    func unknownType() {
        var bench = Bench()
        bench.startAndJoin()
        bench.receive(bench.journaled(.other(type: "EVENT_TYPE_NEWER", json: "{}")))
        bench.receive(bench.message("Hello"))
        expectEqual(bench.texts, ["Hello"])
        expectEqual(bench.core.cursor, 5)
    }

    @Test("CONN-159 A missing event makes the client come back with the cursor before it")
    func missingEvent() {
        var bench = Bench()
        bench.startAndJoin()
        let lost = bench.message("one", id: "1")
        let held = bench.message("two", id: "2")
        bench.receive(held)
        #expect(bench.texts.isEmpty)
        bench.advance(.seconds(2))
        expectEqual(bench.outputs.closes.map(\.code), [1006])
        bench.reconnect()
        expectEqual(bench.outputs.queries.last?.hasSuffix("cursor=3"), true)
        bench.batch([lost, held])
        expectEqual(bench.texts, ["one", "two"])
    }

    @Test("RAW-273 Raw frames show what cannot be read, and every event before de-duplication")
    func rawFrames() {
        var bench = Bench()
        bench.startAndJoin()
        let garbage = bench.receiveText([UInt8]("not json".utf8))
        expectEqual(garbage.raw, [.frame([UInt8]("not json".utf8))])
        let event = bench.message("Hello")
        let first = bench.receive(event)
        let second = bench.receive(event)
        #expect(first.raw.count == 2 && second.raw.count == 2)
        #expect(second.events.isEmpty)
        let batch = bench.batch([event, event])
        guard case .batch(let events)? = batch.raw.last else {
            Issue.record("\(batch.raw)")
            return
        }
        expectEqual(events.count, 2)
    }

    @Test(
        "DEC-45, DEC-46 No frame takes the client down",
        arguments: ["", "{}", "[]", "{\"type\":1}", "\u{0}"] as [String])
    func hostileFrames(_ text: String) {
        var bench = Bench()
        bench.startAndJoin()
        bench.receiveText([UInt8](text.utf8))
        bench.receiveText([0xFF, 0xFE])
        bench.receive(bench.message("fine"))
        expectEqual(bench.texts, ["fine"])
    }
}

extension ReceiveCore {
    /// A frame that is no batch.
    fileprivate mutating func take(_ events: [Arrival], at now: Instant) -> [Delivery] {
        receive(events, isBatch: false, at: now)
    }

    fileprivate mutating func run(to now: Instant) -> Due? { advance(to: now) }
}
