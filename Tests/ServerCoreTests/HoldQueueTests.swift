import Clocks
import DialectKit
import Expectations
import ServerCore
import Testing
import WebSocketCore

@Suite("What faults hold back")
struct HoldQueueTests {
    let now = Instant(secondsSince1970: 1_000)

    private func release(_ valve: inout HoldQueue, _ now: Instant) -> [HoldQueue.Item] {
        var items: [HoldQueue.Item] = []
        while let item = valve.next(at: now) { items.append(item) }
        return items
    }

    private func item(_ text: String) -> HoldQueue.Item { .bytes(Array(text.utf8)) }

    @Test(
        "Frames wait for a person in order, leave changed or not at all, and by themselves when their time is over"
    )
    func people() {
        let now = Instant(secondsSince1970: 1_000)
        var valve = HoldQueue()
        func push(_ text: String, _ id: UInt64) {
            valve.push(
                .message(Array(text.utf8), OutboundContext(session: "s", type: "T").held),
                holds: [HoldQueue.Hold(end: now + .seconds(30), frame: id)])
        }
        func next(_ seconds: Int64 = 0) -> String? {
            switch valve.next(at: now + .seconds(seconds)) {
            case .message(let text, let context)?:
                let before = context.original.map { " (\(String(decoding: $0, as: UTF8.self)))" } ?? ""
                return String(decoding: text, as: UTF8.self) + before
            case .bytes(let bytes)?: return bytes.isEmpty ? "nothing" : nil
            default: return nil
            }
        }
        for (index, text) in ["a", "b", "c", "d"].enumerated() { push(text, UInt64(index + 1)) }
        #expect(valve.heldFrames.map(\.id) == [1, 2, 3, 4] && next() == nil)
        #expect(valve.heldFrames.allSatisfy { $0.end == now + .seconds(30) && $0.context.isHeld })
        // A fault of the same number is another holder.
        valve.letGo(of: 1)
        expectEqual(next(), nil)
        valve.letGo(ofFrame: 1, as: Array("A longer one".utf8))
        #expect(next() == "A longer one (a)" && next() == nil)
        valve.drop(frame: 3)
        valve.letGo(ofFrame: 2)
        #expect(next() == "b" && next() == "nothing" && next() == nil)
        #expect(valve.heldFrames.map(\.id) == [4] && valve.bytes == 1)
        #expect(next(30) == "d" && valve.isOpen && valve.bytes == 0)
        push("e", 5)
        push("f", 6)
        valve.letGo(ofFrame: nil)
        #expect(next() == "e" && next() == "f")
    }

    @Test("A message that changes places with the next one waits for a person as others do")
    func swappedForPeople() {
        func message(_ text: String) -> HoldQueue.Item {
            .message(Array(text.utf8), OutboundContext(session: "s", type: "T"))
        }
        func hold(_ id: UInt64) -> [HoldQueue.Hold] { [HoldQueue.Hold(end: now + .seconds(30), frame: id)] }
        func swapping() -> HoldQueue {
            var valve = HoldQueue()
            valve.swap(message("a"), until: now + .seconds(2), by: nil, holds: hold(1))
            return valve
        }
        var valve = swapping()
        expectEqual(valve.heldFrames.map(\.id), [1])
        // No other event comes to change places with: it is held all the same.
        #expect(release(&valve, now + .seconds(5)).isEmpty)
        valve.letGo(ofFrame: 1)
        #expect(release(&valve, now + .seconds(5)) == [message("a")] && valve.bytes == 0)

        valve = swapping()
        valve.push(message("b"), holds: hold(2))
        expectEqual(valve.heldFrames.map(\.id), [2, 1])
        valve.letGo(ofFrames: [2])
        #expect(release(&valve, now) == [message("b")] && valve.heldFrames.map(\.id) == [1])
        #expect(release(&valve, now + .seconds(30)) == [message("a")] && valve.isOpen)

        valve = swapping()
        valve.drop(frame: 1)
        #expect(valve.isOpen && valve.bytes == 0)
        valve = swapping()
        valve.letGo(of: nil)
        #expect(release(&valve, now) == [message("a")] && valve.isOpen)
    }

    @Test(
        "What waits to change places leaves before its connection closes", arguments: [true, false] as [Bool])
    func swappedLast(_ isEnd: Bool) {
        var valve = HoldQueue()
        valve.swap(item("a"), until: now + .seconds(2), by: nil)
        let last: HoldQueue.Item = isEnd ? .end : .close(.normal, "over")
        valve.push(last)
        #expect(release(&valve, now) == [item("a"), last] && valve.isOpen && valve.bytes == 0)
    }

    @Test("Frames whose time is over leave together, and no others")
    func manyOver() {
        var valve = HoldQueue()
        for id in 1...200 as ClosedRange<UInt64> {
            valve.push(
                .message([0x61], OutboundContext(session: "s", type: "T")),
                holds: [HoldQueue.Hold(end: .distantFuture, frame: id)])
        }
        valve.letGo(ofFrames: Set(1...150))
        #expect(release(&valve, now).count == 150 && valve.heldFrames.map(\.id) == Array(151...200))
    }

    @Test("With two stalls, each is let go alone, and what they hold leaves when none is left")
    func twoStalls() {
        var valve = HoldQueue()
        valve.stall(until: .distantFuture, by: 1)
        valve.stall(until: now + .seconds(1), by: 2)
        valve.push(item("a"))
        #expect(release(&valve, now + .seconds(5)).isEmpty)
        valve.letGo(of: 1)
        expectEqual(release(&valve, now + .seconds(5)), [item("a")])
        #expect(valve.isOpen)
    }

    @Test("Of two delayed items, the one whose fault is taken away leaves; let go of all, both do")
    func twoDelayed() {
        var valve = HoldQueue()
        let hours = now + .seconds(9_000)
        valve.push(item("a"), holds: [HoldQueue.Hold(end: hours, holder: 1)])
        valve.push(item("b"), holds: [HoldQueue.Hold(end: hours, holder: 2)])
        valve.push(item("c"), holds: [HoldQueue.Hold(end: hours, holder: nil)])
        valve.letGo(of: 1)
        expectEqual(release(&valve, now), [item("a")])
        valve.letGo(of: nil)
        expectEqual(release(&valve, now), [item("b"), item("c")])
        #expect(valve.isOpen && valve.bytes == 0)
    }

    @Test("Where something always waits, everything leaves in its order")
    func neverEmpty() {
        var valve = HoldQueue()
        var left: [HoldQueue.Item] = []
        for number in 0..<500 {
            let due = now + .milliseconds(Int64(10 * number))
            valve.push(item("\(number)"), holds: [HoldQueue.Hold(end: due + .milliseconds(95), holder: 1)])
            left += release(&valve, due)
        }
        #expect(!valve.isOpen && valve.bytes > 0)
        left += release(&valve, now + .seconds(10))
        expectEqual(left, (0..<500).map { item("\($0)") })
        #expect(valve.isOpen && valve.bytes == 0)
    }

    @Test("The shorter of two stalls, let go first, leaves the longer one in force")
    func shorterFirst() {
        var valve = HoldQueue()
        valve.stall(until: now + .seconds(60), by: 1)
        valve.stall(until: now + .seconds(1), by: nil)
        valve.push(item("a"))
        valve.letGo(of: 2)
        expectEqual(valve.nextDeadline, now + .seconds(60))
        #expect(release(&valve, now + .seconds(59)).isEmpty)
        expectEqual(release(&valve, now + .seconds(60)), [item("a")])
    }

    @Test("Of two delays on one event, the longer one taken away leaves the shorter")
    func twoDelays() {
        var valve = HoldQueue()
        valve.push(
            item("a"),
            holds: [.init(end: now + .seconds(60), holder: 1), .init(end: now + .seconds(1), holder: 2)])
        valve.push(item("b"))
        valve.letGo(of: 1)
        #expect(release(&valve, now).isEmpty)
        expectEqual(release(&valve, now + .seconds(1)), [item("a"), item("b")])
    }

    @Test(
        "Whatever is held and let go, in whatever order, nothing is lost and the order stays",
        arguments: 0..<50)
    func seeded(seed: UInt64) {
        var chance = SeededGenerator(seed: seed)
        var valve = HoldQueue()
        var now = now
        var pushed: [HoldQueue.Item] = []
        var released: [HoldQueue.Item] = []
        for number in 0..<200 {
            switch chance.next() % 6 {
            case 0: valve.stall(until: now + .seconds(Int64(chance.next() % 9)), by: chance.next() % 4)
            case 1: valve.letGo(of: chance.next() % 4)
            case 2: now = now + .seconds(Int64(chance.next() % 4))
            default:
                let holds: [HoldQueue.Hold] =
                    chance.next() % 2 == 0
                    ? [] : [.init(end: now + .seconds(Int64(chance.next() % 9)), holder: chance.next() % 4)]
                pushed.append(item("\(number)"))
                valve.push(item("\(number)"), holds: holds)
            }
            released += release(&valve, now)
        }
        valve.letGo(of: nil)
        released += release(&valve, now)
        #expect(released == pushed && valve.isOpen)
    }

    @Test("What faults hold back of one connection is bounded")
    func heldBytes() {
        var valve = HoldQueue()
        valve.stall(until: .distantFuture, by: nil)
        valve.push(.bytes([1, 2, 3]))
        valve.push(.close(.normal, ""))
        valve.swap(.bytes([4, 5]), until: .distantFuture, by: nil)
        expectEqual(valve.bytes, 5)
        valve.letGo(of: nil)
        while valve.next(at: Instant(secondsSince1970: 1)) != nil {}
        #expect(valve.bytes == 0 && valve.isOpen)
    }

    // MARK: - Throttles

    private let context = OutboundContext(session: "s", type: "T", sequence: nil)
    private func message(_ count: Int) -> HoldQueue.Item {
        .message([UInt8](repeating: 0x41, count: count), context)
    }

    @Test(
        "Through a throttle a message leaves in tenths of a second, is told with its last byte, and keeps its place"
    )
    func throttle() {
        var valve = HoldQueue()
        valve.slow(to: 100, on: .webSocket, by: 1)
        #expect(!valve.isOpen && valve.nextDeadline == nil)
        valve.push(message(23))
        valve.push(item("pong"))
        // Two bytes of header.
        var left: [Int] = []
        var told = 0
        for tenth in 0...4 {
            for item in release(&valve, now + .milliseconds(Int64(100 * tenth))) {
                switch item {
                case .bytes(let bytes): left.append(bytes.count)
                case .framed(let bytes, let text, _):
                    left.append(bytes.count)
                    told = text.count
                case .message, .made, .close, .cut, .end: Issue.record("\(item)")
                }
            }
        }
        #expect(left == [10, 10, 5, 4] && told == 23)
        #expect(valve.bytes == 0 && valve.nextDeadline == nil)
    }

    @Test(
        "A late turn does not make it slower; a stall stops it, and without the throttle the rest leaves at once"
    )
    func lateTurns() {
        var valve = HoldQueue()
        valve.slow(to: 5, on: .stream(isChunked: false), by: 1)
        valve.push(message(4))
        #expect(release(&valve, now).isEmpty)
        expectEqual(valve.nextDeadline, now + .milliseconds(200))
        expectEqual(release(&valve, now + .milliseconds(500)), [.bytes([0x41]), .bytes([0x41])])
        expectEqual(valve.bytes, 2)
        valve.stall(until: now + .seconds(9), by: 2)
        #expect(release(&valve, now + .seconds(8)).isEmpty)
        valve.letGo(of: 2)
        valve.letGo(of: 1)
        guard case .framed(let rest, let text, _)? = valve.next(at: now + .seconds(1)) else {
            Issue.record("nothing left")
            return
        }
        #expect(rest.count == 2 && text.count == 4 && valve.isOpen && valve.bytes == 0)
    }

    @Test("What a throttle would have let out during a stall is not caught up behind it")
    func throttleBehindStall() {
        var valve = HoldQueue()
        valve.slow(to: 5, on: .stream(isChunked: false), by: 1)
        valve.push(message(4))
        #expect(release(&valve, now).isEmpty)
        valve.stall(until: now + .seconds(9), by: 2)
        #expect(release(&valve, now + .seconds(8)).isEmpty)
        expectEqual(release(&valve, now + .seconds(9)), [.bytes([0x41])])
        expectEqual(valve.nextDeadline, now + .milliseconds(9_200))
    }
}
