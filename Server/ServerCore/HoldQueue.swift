package import Clocks
package import DialectKit
package import WebSocketCore

/// Output queue of a connection whose messages are stalled, delayed, throttled, swapped or intercepted.
package struct HoldQueue {
    package enum Item: Equatable {
        case message([UInt8], OutboundContext)
        /// Bytes without the context of a message: control frames, or parts of a throttled or damaged message.
        case bytes([UInt8])
        /// Bytes that complete the message `of`: its frames, or the last piece of its throttled frames.
        case framed([UInt8], of: [UInt8], OutboundContext)
        case made(MadeMessages)
        case close(CloseCode, String)
        case cut
        /// Ends the connection after a finished close handshake.
        case end

        var isMessage: Bool {
            switch self {
            case .message, .framed: true
            case .bytes, .made, .close, .cut, .end: false
            }
        }

        package var size: Int {
            switch self {
            case .message(let bytes, _), .bytes(let bytes), .framed(let bytes, _, _): bytes.count
            case .made, .close, .cut, .end: 0
            }
        }
    }

    /// Hold that keeps an item in the queue until `end`, by a fault, an interception or a rendering.
    package struct Hold: Equatable, Sendable {
        package var end: Instant
        /// Id of the fault, or number of the frame or rendering with a bit for its kind. Nil for a hold that cannot be
        /// removed.
        package var holder: UInt64?

        package init(end: Instant, holder: UInt64?) {
            self.end = end
            self.holder = holder
        }

        package init(end: Instant, frame id: UInt64) { self.init(end: end, holder: Self.people | id) }

        /// Number of the intercepted frame, or nil.
        package var frame: UInt64? { holder.flatMap { $0 & Self.people == 0 ? nil : $0 & ~Self.people } }

        package init(making: UInt64) { self.init(end: .distantFuture, holder: Self.makings | making) }

        /// Bits that mark the numbers of frames and renderings.
        private static let people: UInt64 = 1 << 63
        private static let makings: UInt64 = 1 << 62
    }

    package struct HeldFrame: Equatable {
        package let id: UInt64
        package let end: Instant
        package let text: [UInt8]
        package let context: OutboundContext
    }

    private struct Throttle {
        var rate: Int
        var carrier: Carrier
        var holder: UInt64?

        /// Bytes sent in a tenth of a second, at least one.
        var piece: Int { max(1, rate / 10) }

        func time(for count: Int) -> Interval {
            .nanoseconds(Int64(min(piece, count)) * 1_000_000_000 / Int64(rate))
        }
    }

    private struct Dripping {
        var rest: ArraySlice<UInt8>
        var due: Instant
        let text: [UInt8]
        let context: OutboundContext
    }

    private struct Waiting {
        /// Holds of the item.
        var holds: [Hold]
        var item: Item

        var due: Instant { holds.map(\.end).max() ?? .past }

        var message: (text: [UInt8], context: OutboundContext)? {
            switch item {
            case .message(let text, let context), .framed(_, let text, let context): (text, context)
            case .bytes, .made, .close, .cut, .end: nil
            }
        }

        var heldFrame: HeldFrame? {
            for hold in holds {
                guard let id = hold.frame else { continue }
                guard let (text, context) = message else { return nil }
                return HeldFrame(id: id, end: hold.end, text: text, context: context)
            }
            return nil
        }

        /// Whether the item is intercepted as frame `id`. A nil `id` stands for any frame.
        func isHeld(asFrame id: UInt64?) -> Bool {
            holds.contains { $0.frame != nil && (id == nil || $0.frame == id) }
        }
    }

    private var waiting: [Waiting] = []
    private var firstWaiting = 0
    /// Holds on all output.
    private var stalls: [Hold] = []
    /// Item that is sent after the next message, or at the end of the hold.
    private var swapped: (waiting: Waiting, hold: Hold)?
    private var throttle: Throttle?
    private var dripping: Dripping?

    package private(set) var bytes = 0

    package init() {}

    /// Whether the queue is empty and no fault acts on later messages.
    package var isOpen: Bool {
        waiting.isEmpty && stalls.isEmpty && swapped == nil && throttle == nil && dripping == nil
    }

    /// Whether a fault will split or swap the next message.
    var changesMessages: Bool { swapped != nil || throttle != nil || dripping != nil }

    /// Throttles further messages to `rate` bytes per second. Replaces an earlier rate.
    package mutating func slow(to rate: Int, on carrier: Carrier, by holder: UInt64?) {
        throttle = Throttle(rate: rate, carrier: carrier, holder: holder)
    }

    package mutating func stall(until end: Instant, by holder: UInt64?) {
        stalls.append(Hold(end: end, holder: holder))
    }

    package mutating func push(_ item: Item, holds: [Hold] = []) {
        switch item {
        case .close, .end:
            // No message will follow to swap with, so the swapped item is sent before this one.
            if let last = swapped { waiting.append(last.waiting) }
            swapped = nil
        case .message, .framed, .bytes, .made, .cut: break
        }
        waiting.append(Waiting(holds: holds, item: item))
        bytes += item.size
        guard let swapped else { return }
        switch item {
        case .message, .framed:
            waiting.append(swapped.waiting)
            self.swapped = nil
        case .bytes, .made, .close, .cut, .end: break
        }
    }

    /// Queues an item to be swapped with the next message, by `deadline` at the latest. `holds` apply after the swap.
    package mutating func swap(
        _ item: Item, until deadline: Instant, by holder: UInt64?, holds: [Hold] = []
    ) {
        guard swapped == nil else { return push(item, holds: holds) }
        swapped = (Waiting(holds: holds, item: item), Hold(end: deadline, holder: holder))
        bytes += item.size
    }

    package mutating func next(at now: Instant) -> Item? {
        if !stalls.isEmpty {
            // The throttle does not make up for the time of the stall.
            if let over = stalls.map(\.end).filter({ $0 <= now }).max(), let due = dripping?.due {
                dripping?.due = max(due, over)
            }
            stalls.removeAll { $0.end <= now }
        }
        guard stalls.isEmpty else { return nil }
        if dripping != nil { return nextPiece(at: now) }
        if let held = swapped, held.hold.end <= now {
            swapped = nil
            waiting.append(held.waiting)
        }
        guard firstWaiting < waiting.count, waiting[firstWaiting].due <= now else { return nil }
        let item = waiting[firstWaiting].item
        bytes -= item.size
        // Overwrites the sent item, to free its memory.
        waiting[firstWaiting] = Waiting(holds: [], item: .bytes([]))
        firstWaiting += 1
        if firstWaiting == waiting.count {
            waiting.removeAll(keepingCapacity: true)
            firstWaiting = 0
        } else if firstWaiting >= CoreLimits.leftItems, firstWaiting * 2 > waiting.count {
            waiting.removeFirst(firstWaiting)
            firstWaiting = 0
        }
        guard let throttle else { return item }
        switch item {
        case .message(let text, let context):
            drip(FrameDamage.frame(text, in: 1, on: throttle.carrier), of: text, context, throttle, at: now)
        case .framed(let frames, let text, let context): drip(frames, of: text, context, throttle, at: now)
        case .bytes, .made, .close, .cut, .end: return item
        }
        return nextPiece(at: now)
    }

    private mutating func drip(
        _ frames: [UInt8], of text: [UInt8], _ context: OutboundContext, _ throttle: Throttle, at now: Instant
    ) {
        bytes += frames.count
        dripping = Dripping(
            rest: frames[...], due: now + throttle.time(for: frames.count), text: text, context: context)
    }

    /// Returns the next piece of a throttled message. Only the last piece has the message's context.
    private mutating func nextPiece(at now: Instant) -> Item? {
        guard var dripping, dripping.due <= now else { return nil }
        let piece = dripping.rest.prefix(throttle?.piece ?? .max)
        dripping.rest = dripping.rest.dropFirst(piece.count)
        bytes -= piece.count
        guard let throttle, !dripping.rest.isEmpty else {
            self.dripping = nil
            return .framed(Array(piece), of: dripping.text, dripping.context)
        }
        dripping.due = dripping.due + throttle.time(for: dripping.rest.count)
        self.dripping = dripping
        return .bytes(Array(piece))
    }

    /// Releases what the fault `id` holds back. A nil `id` releases everything.
    package mutating func letGo(of id: UInt64?) {
        stalls.removeAll { id == nil || $0.holder == id }
        for index in waiting.indices { waiting[index].holds.removeAll { id == nil || $0.holder == id } }
        swapped?.waiting.holds.removeAll { id == nil || $0.holder == id }
        if let held = swapped, id == nil || held.hold.holder == id { swapped?.hold.end = .past }
        if let held = throttle, id == nil || held.holder == id {
            throttle = nil
            dripping?.due = .past
        }
    }

    // MARK: - People

    /// Intercepted frames in order, a swapped one last.
    package var heldFrames: [HeldFrame] {
        (Array(waiting[firstWaiting...]) + (swapped.map { [$0.waiting] } ?? [])).compactMap(\.heldFrame)
    }

    /// Releases the intercepted frame `id`; nil means all frames. `text`, if given, replaces the frame's text.
    package mutating func letGo(ofFrame id: UInt64?, as text: [UInt8]? = nil, by name: String? = nil) {
        changeHeld(id) { item, bytes in
            item.holds.removeAll { $0.frame != nil }
            guard let text, let (original, context) = item.message, original != text else { return }
            bytes -= item.item.size
            item.item = .message(text, context.edited(from: original, by: name))
            bytes += text.count
        }
    }

    package mutating func letGo(ofFrames ids: Set<UInt64>) {
        changeHeld(nil) { item, _ in
            item.holds.removeAll { $0.frame.map { ids.contains($0) } ?? false }
        }
    }

    package mutating func drop(frame id: UInt64) {
        if swapped?.waiting.isHeld(asFrame: id) == true {
            bytes -= swapped?.waiting.item.size ?? 0
            swapped = nil
            return
        }
        changeHeld(id) { item, bytes in
            bytes -= item.item.size
            item = Waiting(holds: [], item: .bytes([]))
        }
    }

    /// Changes the items intercepted as frame `id`. A nil `id` stands for any frame.
    private mutating func changeHeld(_ id: UInt64?, _ change: (inout Waiting, inout Int) -> Void) {
        for index in waiting.indices where waiting[index].isHeld(asFrame: id) {
            change(&waiting[index], &bytes)
        }
        if var held = swapped, held.waiting.isHeld(asFrame: id) {
            change(&held.waiting, &bytes)
            swapped = held
        }
    }

    package var nextDeadline: Instant? {
        if let end = stalls.map(\.end).max() { return end }
        if let dripping { return dripping.due }
        var earliest = swapped?.hold.end
        if firstWaiting < waiting.count {
            let due = waiting[firstWaiting].due
            earliest = min(earliest ?? due, due)
        }
        return earliest
    }
}

extension Instant {
    package static let past = Instant(nanosecondsSince1970: .min)
}

/// Placeholder in a connection's output for messages that another thread renders. Used on the loop only.
package final class MadeMessages: Equatable {
    package var messages: [RenderedMessage]?

    package init() {}

    package static func == (left: MadeMessages, right: MadeMessages) -> Bool { left === right }
}
