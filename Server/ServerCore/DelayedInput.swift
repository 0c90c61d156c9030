package import Clocks

/// Queue of input that a fault delays.
package struct DelayedInput {
    package enum Piece: Equatable {
        case bytes([UInt8])
        case end
    }

    private var current: (time: Interval, holder: UInt64?)?
    private var waiting: [(due: Instant, piece: Piece, holder: UInt64?)] = []
    private var firstWaiting = 0

    package private(set) var bytes = 0

    package init() {}

    package var isNeeded: Bool { current != nil || !waiting.isEmpty }

    /// Delays all further input. Replaces an earlier delay.
    package mutating func lag(_ time: Interval, by holder: UInt64?) { current = (time, holder) }

    package mutating func push(_ piece: Piece, at now: Instant) {
        let due = now + (current?.time ?? .zero)
        waiting.append((max(due, waiting.last?.due ?? due), piece, current?.holder))
        bytes += Self.size(piece)
    }

    private static func size(_ piece: Piece) -> Int {
        guard case .bytes(let sent) = piece else { return CoreLimits.lateItemBytes }
        return sent.count + CoreLimits.lateItemBytes
    }

    package mutating func next(at now: Instant) -> Piece? {
        guard let due = nextDeadline, due <= now else { return nil }
        let piece = waiting[firstWaiting].piece
        bytes -= Self.size(piece)
        waiting[firstWaiting].piece = .end
        firstWaiting += 1
        if firstWaiting == waiting.count || firstWaiting >= CoreLimits.leftItems + waiting.count / 2 {
            waiting.removeFirst(firstWaiting)
            firstWaiting = 0
        }
        return piece
    }

    /// Releases the input that the fault `id` delays. A nil `id` releases all input.
    package mutating func letGo(of id: UInt64?) {
        if let held = current, id == nil || held.holder == id { current = nil }
        for index in waiting.indices where id == nil || waiting[index].holder == id {
            waiting[index].due = .past
        }
    }

    package func arrival(of now: Instant) -> Instant {
        max(now + (current?.time ?? .zero), waiting.last?.due ?? now)
    }

    package var nextDeadline: Instant? { firstWaiting < waiting.count ? waiting[firstWaiting].due : nil }
}
