package import Clocks
package import ConversationEngine
package import HTTPCore

/// Delivery of a response, under the faults that hit its request.
///
/// | fired by | body | way |
/// | --- | --- | --- |
/// | a fault that drops | any | cut |
/// | one that stalls or delays | any | held, and the connection closes afterwards |
/// | any other, or none | any | at once; what the socket does not take waits |
package struct Delivery {
    package enum Way: Equatable {
        /// The connection is cut in its place.
        case cut
        /// The last of the faults lets go at that moment.
        case held([HoldQueue.Hold], until: Instant)
        case atOnce(closes: Bool)
    }

    package let way: Way
    /// The response, without a long body.
    package let bytes: [UInt8]
    /// A long body, which is not copied, and the bytes after it; both empty where ``bytes`` has all.
    package let body: [UInt8]
    package let end: [UInt8]

    package var parts: [[UInt8]] {
        body.isEmpty ? [bytes] : end.isEmpty ? [bytes, body] : [bytes, body, end]
    }

    /// The bytes for its row: of a long body the beginning.
    package var recorded: [UInt8] {
        guard !body.isEmpty else { return bytes }
        return bytes + (body.count > CoreLimits.rowBytes ? body.prefix(CoreLimits.rowHeadBytes) : body[...])
    }

    /// The faults that changed it; empty where none did.
    package let fault: String

    /// `head` is nil for a request that could not be parsed; with `isLast` the connection closes afterwards in any case.
    package init(
        _ response: Response, to head: RequestHead?, isLast: Bool, firedBy firings: [FiredFault],
        date: String,
        at now: Instant
    ) {
        var response = response
        ProtectiveFields.add(to: &response)
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
