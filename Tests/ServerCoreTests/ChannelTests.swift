import Clocks
import DialectKit
import Expectations
import ServerCore
import Testing
import WebSocketCore

@testable import ConversationEngine

@Suite("The channel of a client")
struct ChannelTests {
    private let now = Instant(secondsSince1970: 1_000)
    private let second = Interval.seconds(1)

    private func channel() -> Channel { Channel(of: SessionHandle(slot: 1, generation: 2), dialect: 0) }
    private func context(_ sequence: UInt64? = nil) -> OutboundContext {
        OutboundContext(session: "s", type: "T", sequence: sequence)
    }

    private func push(_ text: String, to channel: inout Channel, at time: Instant, distance: Interval = .zero)
    {
        channel.push(Array(text.utf8), context(), at: time, distance: distance) { text, _ in [text] }
    }

    private func pull(_ channel: inout Channel, at time: Instant) -> [String] {
        var texts: [String] = []
        while let item = channel.next(at: time) {
            switch item {
            case .message(let bytes, _), .bytes(let bytes), .framed(let bytes, _, _):
                texts.append(String(decoding: bytes, as: UTF8.self))
            case .made(let made):
                texts += (made.messages ?? []).map { String(decoding: $0.text, as: UTF8.self) }
            case .close: texts.append("close")
            case .cut: texts.append("cut")
            case .end: texts.append("end")
            }
        }
        return texts
    }

    @Test("What is being put together keeps its place, and what comes behind it waits")
    func makings() {
        var channel = channel()
        let (first, second) = (MadeMessages(), MadeMessages())
        channel.push(first, making: 1)
        push("b", to: &channel, at: now)
        channel.push(second, making: 2)
        #expect(channel.isHolding && !channel.changesMessages && channel.nextDeadline == nil)
        second.messages = [RenderedMessage(type: "", text: Array("c".utf8))]
        channel.letGo(ofMaking: 2)
        expectEqual(pull(&channel, at: now), [])
        first.messages = [RenderedMessage(type: "", text: Array("a".utf8))]
        channel.letGo(ofMaking: 1)
        #expect(pull(&channel, at: now) == ["a", "b", "c"] && channel.isPlain)
        channel.fire(FiredFault(id: 1, name: "t", effect: .delay(.seconds(1))))
        #expect(channel.changesMessages)
    }

    @Test("Without a history or a fault it is plain, and is so again when both are over")
    func plain() {
        var channel = channel()
        #expect(channel.isPlain && !channel.isHolding && channel.nextDeadline == nil)
        channel.fire(FiredFault(id: 1, name: "t", effect: .delay(second)))
        #expect(!channel.isPlain)
        push("a", to: &channel, at: now)
        #expect(channel.isHolding && channel.heldBytes == 1 && channel.nextDeadline == now + second)
        #expect(channel.changedStall() == true && channel.changedStall() == nil)
        #expect(pull(&channel, at: now).isEmpty)
        expectEqual(pull(&channel, at: now + second), ["a"])
        #expect(!channel.isPlain, "the protocol rules still believe that it is stalled")
        #expect(channel.changedStall() == false && channel.isPlain)
    }

    @Test("A fault hits the next message only, and what follows stays behind it")
    func order() {
        var channel = channel()
        channel.fire(FiredFault(id: 1, name: "t", effect: .delay(second)))
        push("a", to: &channel, at: now)
        push("b", to: &channel, at: now)
        channel.push(.close(.normal, ""))
        #expect(pull(&channel, at: now).isEmpty)
        expectEqual(pull(&channel, at: now + second), ["a", "b", "close"])
    }

    @Test("What a fault holds leaves when it is taken away")
    func letGo() {
        var channel = channel()
        channel.fire(FiredFault(id: 1, name: "t", effect: .stall(nil)))
        push("a", to: &channel, at: now)
        expectEqual(channel.nextDeadline, nil)
        channel.letGo(of: 2)
        #expect(pull(&channel, at: now).isEmpty)
        channel.letGo(of: 1)
        #expect(pull(&channel, at: now) == ["a"] && channel.isPlain)
    }

    @Test("While a history is on its way, journaled messages are dropped and others wait, up to a bound")
    func history() {
        var channel = channel()
        channel.begin(Channel.History(next: 4, leadsWithStart: true))
        expectEqual(channel.history, Channel.History(next: 4, leadsWithStart: true))
        channel.hold([1], context(9))
        for number in 0..<CoreLimits.heldBackMessages + 5 { channel.hold([UInt8(number % 256)], context()) }
        channel.sentPage(upTo: 6, events: 1)
        #expect(channel.history?.next == 6 && channel.history?.isFirst == false)
        let held = channel.endHistory(at: now, distance: second)
        #expect(held.count == CoreLimits.heldBackMessages && held.first?.bytes == [0])
        #expect(channel.isPlain, "a single event is followed at once")
    }

    @Test("Behind a page of several events the next live one keeps its distance, the others follow it")
    func distance() {
        var channel = channel()
        channel.begin(Channel.History(next: 0, leadsWithStart: false))
        channel.sentPage(upTo: 3, events: 3)
        #expect(channel.endHistory(at: now, distance: second).isEmpty)
        #expect(!channel.isPlain && !channel.isHolding)
        push("a", to: &channel, at: now + .milliseconds(400), distance: second)
        push("b", to: &channel, at: now + .milliseconds(500), distance: second)
        expectEqual(channel.nextDeadline, now + second)
        #expect(pull(&channel, at: now + .milliseconds(999)).isEmpty)
        #expect(pull(&channel, at: now + second) == ["a", "b"] && channel.isPlain)
    }

    @Test("A live event that comes later anyway does not wait")
    func late() {
        var channel = channel()
        channel.begin(Channel.History(next: 0, leadsWithStart: false))
        channel.sentPage(upTo: 3, events: 3)
        _ = channel.endHistory(at: now, distance: second)
        push("a", to: &channel, at: now + .seconds(2), distance: second)
        expectEqual(pull(&channel, at: now + .seconds(2)), ["a"])
    }

    @Test("The history of a forgotten session is dropped")
    func forgotten() {
        var channel = channel()
        channel.begin(Channel.History(next: 0, leadsWithStart: false))
        channel.dropHistory()
        #expect(channel.history == nil && channel.isPlain)
        channel.letGo(of: nil)
        #expect(channel.endHistory(at: now, distance: second).isEmpty)
    }

    @Test("With a lag the client's input is heard later, in order, its end included; taken away, at once")
    func lag() {
        var channel = channel()
        channel.fire(FiredFault(id: 1, name: "t", effect: .lag(second)))
        #expect(!channel.isLagging)
        push("a", to: &channel, at: now)
        expectEqual(pull(&channel, at: now), ["a"])
        #expect(channel.isLagging && channel.nextDeadline == nil)
        channel.delay(.bytes([1, 2]), at: now)
        channel.delay(.bytes([3]), at: now + .milliseconds(1))
        channel.delay(.end, at: now + .milliseconds(2))
        #expect(channel.heldBytes == 3 + 3 * CoreLimits.lateItemBytes && channel.nextDeadline == now + second)
        expectEqual(channel.nextInput(at: now + .milliseconds(999)), nil)
        expectEqual(channel.nextInput(at: now + second), .bytes([1, 2]))
        expectEqual(channel.nextInput(at: now + second), nil)
        channel.letGo(of: 2)
        expectEqual(channel.nextInput(at: now + second), nil)
        channel.letGo(of: 1)
        expectEqual(channel.nextInput(at: now + second), .bytes([3]))
        expectEqual(channel.nextInput(at: now + second), .end)
        expectEqual(channel.nextInput(at: now + second), nil)
        #expect(channel.heldBytes == 0 && !channel.isLagging)
    }

    @Test("A shorter lag lets nothing overtake, and thousands of pieces keep their order")
    func lagOrder() {
        var input = DelayedInput()
        input.lag(second, by: 1)
        input.push(.bytes([0]), at: now)
        input.lag(.milliseconds(1), by: 2)
        for number in 1..<1_000 { input.push(.bytes([UInt8(number % 251)]), at: now) }
        expectEqual(input.next(at: now + .milliseconds(5)), nil)
        var heard: [UInt8] = []
        while case .bytes(let bytes)? = input.next(at: now + second) { heard += bytes }
        expectEqual(heard, (0..<1_000).map { UInt8($0 % 251) })
        expectEqual(input.bytes, 0)
    }

    @Test("What an older lag holds is let go of with it, not with the newer one")
    func olderLag() {
        var input = DelayedInput()
        input.lag(second, by: 1)
        input.push(.bytes([1]), at: now)
        input.lag(.seconds(9), by: 2)
        input.push(.bytes([2]), at: now)
        expectEqual(input.arrival(of: now), now + .seconds(9))
        input.letGo(of: 1)
        expectEqual(input.next(at: now), .bytes([1]))
        expectEqual(input.next(at: now), nil)
        input.letGo(of: 2)
        expectEqual(input.next(at: now), .bytes([2]))
        #expect(!input.isNeeded && input.arrival(of: now) == now)
    }
}

final class SilentEncoder: SessionEncoder {}

extension JournalEntry {
    /// A heartbeat.
    static let any = JournalEntry(
        sequence: 3, id: UniqueID(high: 1, low: 1), time: Instant(secondsSince1970: 1), event: .heartbeat)
}

@Suite("What the clients of a session were told")
struct DeliveryLogTests {
    /// The sequence of an entry says which it is.
    private func outbox(_ sizes: Int..., joined: Int? = nil) -> DeliveryLog {
        let outbox = DeliveryLog(
            handle: SessionHandle(slot: 0, generation: 0), id: "s", dialect: 0, encoder: SilentEncoder(),
            file: "a.json5")
        var ids = SeededGenerator(seed: 1)
        let time = Instant(secondsSince1970: 1)
        for (index, size) in sizes.enumerated() {
            let event =
                index == joined
                ? Event.agentJoined(SpeakerProfile(id: "a", name: "Ann")) : Event.joinRequested
            let id = UniqueID.version7(at: time, from: &ids)
            let entry = JournalEntry(
                sequence: UInt64(index) + 1, id: id, time: time, event: event, metadata: nil, pushedBy: nil)
            _ = outbox.append(entry, size: size)
        }
        return outbox
    }

    private func page(
        _ outbox: DeliveryLog, next: Int = 0, leads: Bool = false, isFirst: Bool = true, most: Int
    ) -> (numbers: [UInt64], bytes: Int, next: Int) {
        var history = Channel.History(next: next, leadsWithStart: leads)
        history.isFirst = isFirst
        let (page, next) = outbox.page(from: history, atMost: most)
        return (page.entries.compactMap(\.sequence), page.bytes, next)
    }

    @Test("A page holds what fits, one entry at least")
    func fits() {
        let outbox = outbox(10, 10, 10, 10, 500, 10)
        #expect(outbox.count == 6 && outbox.journalBytes == 550 && outbox.entries(after: 4).count == 2)
        expectEqual(page(outbox, most: 22).numbers, [1, 2])
        expectEqual(page(outbox, most: 21).numbers, [1])
        let long = page(outbox, next: 4, isFirst: false, most: 22)
        #expect(long.numbers == [5] && long.bytes == 501 && long.next == 5)
        #expect(page(outbox, next: 6, isFirst: false, most: 22).numbers.isEmpty)
        expectEqual(page(outbox, next: 90, most: 22).next, 6)
    }

    @Test("It leaves no entry alone behind it, where two fit on the next page")
    func noneAlone() {
        expectEqual(page(outbox(10, 10, 10, 10), most: 33).numbers, [1, 2])
        expectEqual(page(outbox(10, 10, 10, 40), most: 33).numbers, [1, 2, 3])
    }

    @Test("The first page reaches to the joining, and begins with the start where it is asked to")
    func joined() {
        let outbox = outbox(10, 10, 10, 10, 10, 10, 10, joined: 2)
        expectEqual(page(outbox, most: 5).numbers, [1, 2, 3])
        let led = page(outbox, next: 3, leads: true, most: 33)
        #expect(led.numbers == [1, 4, 5] && led.bytes == 33 && led.next == 5)
        expectEqual(page(outbox, next: 3, leads: true, isFirst: false, most: 33).numbers, [4, 5])
    }
}
