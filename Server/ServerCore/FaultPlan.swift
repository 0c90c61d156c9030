package import Clocks
package import ConversationEngine
package import DialectKit
import WebSocketCore

/// Plan of the faults for one outbound message: changes, copies and holds.
package struct FaultPlan {
    package enum Step: Equatable {
        /// Stalls all output until `until`, or until the fault is removed.
        case stall(until: Instant, by: UInt64?)
        /// Sends the item after everything that is held back.
        case leave(HoldQueue.Item)
        case hold(HoldQueue.Item, [HoldQueue.Hold])
        /// Swaps the item with the next message, or sends it at `until`.
        case swap(HoldQueue.Item, until: Instant, by: UInt64?)
        /// Limits output to this number of bytes per second.
        case throttle(Int, by: UInt64?)
        case lag(Interval, by: UInt64?)
    }

    package private(set) var steps: [Step] = []

    /// `firings` are in the order in which they apply. `damage` makes the changes that only the dialect can make.
    package init(
        _ bytes: [UInt8], _ context: OutboundContext, firedBy firings: [FiredFault], at now: Instant,
        carrier: Carrier = .webSocket, damage: (_ text: [UInt8], Damage) -> [[UInt8]]
    ) {
        var texts = [bytes]
        var holds: [HoldQueue.Hold] = []
        var swap: FiredFault?
        var damages: Set<Fault.Garble> = []
        var pieces: Int?
        for firing in firings {
            switch firing.effect {
            case .drop:
                steps.append(.leave(.cut))
                return
            case .close(let code):
                steps.append(.leave(.close(CloseCode(rawValue: UInt16(code)), firing.name)))
                return
            case .stall(let time):
                steps.append(.stall(until: time.map { now + $0 } ?? .distantFuture, by: firing.id))
            case .delay(let time): holds.append(HoldQueue.Hold(end: now + time, holder: firing.id))
            case .lose: texts = []
            case .repeated:
                if texts.count < CoreLimits.eventCopies, let copy = texts.last { texts.append(copy) }
            case .swap: swap = firing
            case .garble(.halfFrame):
                steps += texts.map { .leave(.bytes(FrameDamage.half($0, on: carrier))) }
                steps.append(.leave(.cut))
                return
            case .garble(let kind):
                // Applies each kind once, because repeated kinds could double the output each time.
                guard damages.insert(kind).inserted else { continue }
                texts = texts.flatMap { Self.garbled($0, kind, carrier, damage) }
            case .split(let count): pieces = count
            case .throttle(let rate): steps.append(.throttle(rate, by: firing.id))
            case .lag(let time): steps.append(.lag(time, by: firing.id))
            case .refuse, .expire, .agentError, .handoff: break
            }
        }
        let fault = firings.map(\.name).joined(separator: ", ")
        var (isDamaged, isRepeat) = (false, false)
        for (index, text) in texts.enumerated() {
            if text != bytes { isDamaged = true }
            // The protocol rules receive an entry at most once, and only if its bytes are undamaged.
            if index > 0 || isDamaged { isRepeat = true }
            let said =
                firings.isEmpty
                ? context
                : context.fired(by: fault, original: isDamaged ? bytes : nil, isRepeat: isRepeat)
            let item: HoldQueue.Item =
                if let pieces {
                    .framed(FrameDamage.frame(text, in: pieces, on: carrier), of: text, said)
                } else {
                    .message(text, said)
                }
            if let swap {
                let end = now + .milliseconds(CoreLimits.swapMilliseconds)
                steps.append(.swap(item, until: end, by: swap.id))
            } else {
                steps.append(holds.isEmpty ? .leave(item) : .hold(item, holds))
            }
        }
    }

    private static func garbled(
        _ text: [UInt8], _ kind: Fault.Garble, _ carrier: Carrier,
        _ damage: ([UInt8], Damage) -> [[UInt8]]
    ) -> [[UInt8]] {
        switch kind {
        case .badJSON: [FrameDamage.brokenOff(text, on: carrier)]
        case .badUTF8: [FrameDamage.badUTF8(text)]
        case .halfFrame: [text]
        case .unknownEvent: damage(text, .unknownEvent)
        case .oversized: damage(text, .oversized)
        case .wrongSequence: damage(text, .wrongSequence)
        case .twoValues: [FrameDamage.doubled(text, on: carrier)]
        case .crlf: [FrameDamage.withCRLF(text, on: carrier)]
        case .doneMark: [text, FrameDamage.doneMark(on: carrier)]
        case .noBlank: [FrameDamage.withoutBlank(text)]
        case .byteOrderMark: [[0xEF, 0xBB, 0xBF] + text]
        }
    }

    /// Returns the holds of a response or handshake. Nil if a fault cuts the connection.
    package static func holds(ofAnswerHitBy firings: [FiredFault], at now: Instant) -> [HoldQueue.Hold]? {
        var holds: [HoldQueue.Hold] = []
        for firing in firings {
            switch firing.effect {
            case .drop: return nil
            case .stall(let time):
                let end = now + (time ?? .hours(CoreLimits.endlessStallHours))
                holds.append(HoldQueue.Hold(end: end, holder: firing.id))
            case .delay(let time): holds.append(HoldQueue.Hold(end: now + time, holder: firing.id))
            case .close, .refuse, .lose, .repeated, .swap, .garble, .split, .throttle, .lag, .expire,
                .agentError, .handoff:
                break
            }
        }
        return holds
    }
}
