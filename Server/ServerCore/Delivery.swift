package import Clocks
package import ConversationEngine
package import HTTPCore

/// Delivery of a response, changed by faults: cut, held back, or sent at once.
package struct Delivery {
    package enum Way: Equatable {
        case cut
        /// The response waits until all holds have ended, at `until`.
        case held([HoldQueue.Hold], until: Instant)
        case atOnce(closes: Bool)
    }

    package let way: Way
    /// The bytes of the response. A long body is in ``body`` instead.
    package let bytes: [UInt8]
    /// A long body and the bytes after it, without a copy. Both are empty for a short body.
    package let body: [UInt8]
    package let end: [UInt8]

    package var parts: [[UInt8]] {
        body.isEmpty ? [bytes] : end.isEmpty ? [bytes, body] : [bytes, body, end]
    }

    /// Bytes for the timeline row. A long body is shortened.
    package var recorded: [UInt8] {
        guard !body.isEmpty else { return bytes }
        return bytes + (body.count > CoreLimits.rowBytes ? body.prefix(CoreLimits.rowHeadBytes) : body[...])
    }

    /// Names of the faults that fired; empty without faults.
    package let fault: String

    /// `head` is nil for the refusal of an incomplete request. With `isLast`, the connection closes after the response.
    package init(
        _ response: Response, to head: RequestHead?, isLast: Bool, firedBy firings: [FiredFault],
        date: String,
        at now: Instant
    ) {
        var response = response
        response.isProtected = true
        let closes = isLast || !firings.isEmpty || head?.keepsAlive != true
        (bytes, body, end) = response.parts(
            to: head, closing: closes, date: date, sharing: CoreLimits.longAnswerBytes)
        fault = firings.map(\.name).joined(separator: ", ")
        guard !firings.isEmpty else {
            way = .atOnce(closes: closes)
            return
        }
        guard let holds = FaultPlan.holds(ofAnswerHitBy: firings, at: now) else {
            way = .cut
            return
        }
        way = holds.map(\.end).max().map { .held(holds, until: $0) } ?? .atOnce(closes: closes)
    }
}
