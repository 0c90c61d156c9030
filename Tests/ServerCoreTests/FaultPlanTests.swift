import Clocks
import ConversationEngine
import DialectKit
import Expectations
import Testing
import WebSocketCore

@testable import ServerCore

@Suite("What faults make of a message")
struct FaultPlanTests {
    private let now = Instant(secondsSince1970: 1_000)
    private let text = Array("{\"a\":1}".utf8)
    private let context = OutboundContext(session: "s", type: "T", sequence: 3, entry: .any)

    private func fire(_ effect: Fault.Effect, id: UInt64? = 7, name: String = "t") -> FiredFault {
        FiredFault(id: id, name: name, effect: effect)
    }

    private func plan(_ effects: Fault.Effect...) -> [FaultPlan.Step] {
        FaultPlan(text, context, firedBy: effects.map { fire($0) }, at: now) { text, _ in
            [[0x2A], text]
        }.steps
    }

    private func message(
        _ text: [UInt8], isChanged: Bool = false, isCopy: Bool = false, firings: Int = 1
    ) -> HoldQueue.Item {
        .message(
            text,
            context.fired(
                by: Array(repeating: "t", count: firings).joined(separator: ", "),
                original: isChanged || text != self.text ? self.text : nil,
                isRepeat: isChanged || isCopy))
    }

    @Test("Without a fault it leaves as it is")
    func plain() {
        expectEqual(
            FaultPlan(text, context, firedBy: [], at: now) { _, _ in [] }.steps,
            [
                .leave(.message(text, context))
            ])
    }

    @Test("An end ends it, whatever else fired")
    func ends() {
        expectEqual(plan(.drop, .delay(.seconds(1))), [.leave(.cut)])
        expectEqual(
            plan(.delay(.seconds(1)), .close(code: 4_001)),
            [
                .leave(.close(CloseCode(rawValue: 4_001), "t"))
            ])
        expectEqual(
            plan(.garble(.halfFrame)),
            [
                .leave(.bytes(FrameDamage.half(text, on: .webSocket))), .leave(.cut),
            ])
    }

    @Test("Delays hold it, each until its own end")
    func delays() {
        let holds = [
            HoldQueue.Hold(end: now + .seconds(1), holder: 7),
            HoldQueue.Hold(end: now + .seconds(3), holder: 7),
        ]
        expectEqual(plan(.delay(.seconds(1)), .delay(.seconds(3))), [.hold(message(text, firings: 2), holds)])
    }

    @Test("A stall comes before what it stalls, and lasts without an end")
    func stalls() {
        expectEqual(
            plan(.stall(.seconds(2))), [.stall(until: now + .seconds(2), by: 7), .leave(message(text))])
        expectEqual(plan(.stall(nil)), [.stall(until: .distantFuture, by: 7), .leave(message(text))])
    }

    @Test("A lost message does not leave; repeated ones leave once more for each fault, up to a bound")
    func counts() {
        #expect(plan(.lose).isEmpty)
        expectEqual(
            plan(.repeated, .repeated),
            [
                .leave(message(text, firings: 2)), .leave(message(text, isCopy: true, firings: 2)),
                .leave(message(text, isCopy: true, firings: 2)),
            ])
        let many = Array(repeating: fire(.repeated), count: 3 * CoreLimits.eventCopies)
        let steps = FaultPlan(text, context, firedBy: many, at: now) { _, _ in [] }.steps
        expectEqual(steps.count, CoreLimits.eventCopies)
        #expect(plan(.lose, .repeated).isEmpty)
    }

    @Test("A swap waits for the next message, a second at most")
    func swap() {
        expectEqual(plan(.swap), [.swap(message(text), until: now + .seconds(1), by: 7)])
    }

    @Test("Damage changes the bytes, keeps the original for the row, and is told to no protocol rule")
    func damage() {
        expectEqual(
            plan(.garble(.badJSON)),
            [
                .leave(message(FrameDamage.brokenOff(text, on: .webSocket), isChanged: true))
            ])
        expectEqual(plan(.garble(.badUTF8)), [.leave(message(FrameDamage.badUTF8(text), isChanged: true))])
        let steps = plan(.garble(.unknownEvent))
        expectEqual(steps, [.leave(message([0x2A], isChanged: true)), .leave(message(text, isCopy: true))])
        guard case .leave(.message(_, let first))? = steps.first else { return }
        #expect(first.original == text && first.entry == nil)
    }

    @Test(
        "Half of nothing is nothing, whatever carries it",
        arguments: [Carrier.webSocket, .stream(isChunked: true), .stream(isChunked: false)] as [Carrier])
    func halfOfNothing(carrier: Carrier) {
        let plan = FaultPlan(
            [], context, firedBy: [fire(.garble(.halfFrame))], at: now, carrier: carrier
        ) { text, _ in [text] }
        guard case .leave(.bytes(let half))? = plan.steps.first else {
            Issue.record("\(plan.steps)")
            return
        }
        #expect(half.count <= 1 && plan.steps.last == .leave(.cut))
    }

    @Test("Two faults that damage it alike damage it once, so that many do not make ever more of it")
    func damagedOnce() {
        let once = [Fault.Effect.garble(.unknownEvent), .garble(.badJSON)].map { fire($0) }
        let often = Array(repeating: once, count: 100).flatMap { $0 }
        func texts(_ firings: [FiredFault]) -> [[UInt8]] {
            FaultPlan(text, context, firedBy: firings, at: now) { text, _ in [[0x2A], text] }.steps
                .compactMap { if case .leave(.message(let said, _)) = $0 { said } else { nil } }
        }
        #expect(texts(often) == texts(once) && texts(once).count == 2)
    }

    @Test("A split message leaves in frames of about the same size, and is told once")
    func split() throws {
        let steps = plan(.split(3))
        guard case .leave(.framed(let bytes, let told, let said))? = steps.first, steps.count == 1 else {
            Issue.record("\(steps)")
            return
        }
        var expected: [UInt8] = [0x01, 2]
        expected += text[..<2]
        expected += [0x00, 2]
        expected += text[2..<4]
        expected += [0x80, 3]
        expected += text[4...]
        expectEqual(bytes, expected)
        expectEqual(told, text)
        expectEqual(said, context.fired(by: "t", original: nil, isRepeat: false))
        expectEqual(FrameDamage.frame([0x41], in: 9, on: .webSocket), [0x81, 1, 0x41])
        expectEqual(FrameDamage.frame([], in: 2, on: .webSocket), [0x81, 0])
        let single = FrameDamage.frame([0x41, 0x42], in: Fault.Effect.eachByte, on: .webSocket)
        expectEqual(single, [0x01, 1, 0x41, 0x80, 1, 0x42])
        let chunks = FrameDamage.frame(Array("abc".utf8), in: 2, on: .stream(isChunked: true))
        expectEqual(String(decoding: chunks, as: UTF8.self), "1\r\na\r\n2\r\nbc\r\n")
        expectEqual(FrameDamage.frame(text, in: 2, on: .stream(isChunked: false)), text)
    }

    @Test("What acts from here on comes before the message that it hit")
    func fromHereOn() {
        expectEqual(plan(.throttle(500)), [.throttle(500, by: 7), .leave(message(text))])
        expectEqual(plan(.lag(.seconds(2))), [.lag(.seconds(2), by: 7), .leave(message(text))])
        expectEqual(plan(.expire), [.leave(message(text))])
    }

    @Test("An answer waits for the last of its holds, and is cut by a drop")
    func answers() throws {
        let firings = [fire(.delay(.seconds(1)), id: 1), fire(.stall(.seconds(5)), id: 2), fire(.lose)]
        let holds = try #require(FaultPlan.holds(ofAnswerHitBy: firings, at: now))
        expectEqual(
            holds,
            [
                HoldQueue.Hold(end: now + .seconds(1), holder: 1),
                HoldQueue.Hold(end: now + .seconds(5), holder: 2),
            ])
        expectEqual(FaultPlan.holds(ofAnswerHitBy: [fire(.drop)], at: now), nil)
        let endless = try #require(FaultPlan.holds(ofAnswerHitBy: [fire(.stall(nil))], at: now))
        expectEqual(endless.map(\.end), [now + .hours(CoreLimits.endlessStallHours)])
    }
}
