package import Clocks
package import ConversationEngine
package import HTTPCore

/// How a response leaves, where troubles may have struck its request. It decides; the shell writes.
///
/// | struck by | body | way |
/// | --- | --- | --- |
/// | a trouble that drops | any | cut |
/// | one that stalls or delays | any | held, and the connection closes behind it |
/// | any other, or none | any | at once; what the socket does not take waits |
package struct Delivery {
    package enum Way: Equatable {
        /// The connection is cut in its place.
        case cut
        /// The last of the troubles lets go at that moment.
        case held([HoldQueue.Hold], until: Instant)
        case atOnce(closes: Bool)
    }

    package let way: Way
    /// The response; without its body where that is apart.
    package let bytes: [UInt8]
    /// A long body, which is not copied, and the bytes after that body; both empty where ``bytes`` has all.
    package let body: [UInt8]
    package let end: [UInt8]
    /// All of it, in order.
    package var parts: [[UInt8]] {
        body.isEmpty ? [bytes] : end.isEmpty ? [bytes, body] : [bytes, body, end]
    }

    /// As rows keep it: of a long body only the beginning.
    package var recorded: [UInt8] {
        guard !body.isEmpty else { return bytes }
        return bytes + (body.count > CoreLimits.rowBytes ? body.prefix(CoreLimits.rowHeadBytes) : body[...])
    }

    /// The troubles that changed it; empty where none did.
    package let fault: String

    /// - Parameters:
    ///   - response: the answer.
    ///   - head: the request; nil when it could not be read.
    ///   - isLast: the connection closes behind it, also where the client would keep it.
    ///   - strikes: the troubles that struck the request.
    ///   - date: the Date field.
    ///   - now: the moment.
    package init(
        _ response: Response, to head: RequestHead?, isLast: Bool, struckBy strikes: [Strike], date: String,
        at now: Instant
    ) {
        var response = response
        ProtectiveFields.add(to: &response)
        let closes = isLast || !strikes.isEmpty || head?.keepsAlive != true
        (bytes, body, end) = response.parts(
            to: head, closing: closes, date: date, sharing: CoreLimits.longAnswerBytes)
        fault = strikes.map(\.name).joined(separator: ", ")
        guard !strikes.isEmpty else {
            way = .atOnce(closes: closes)
            return
        }
        guard let holds = FaultPlan.holds(ofAnswerStruckBy: strikes, at: now) else {
            way = .cut
            return
        }
        way = holds.map(\.end).max().map { .held(holds, until: $0) } ?? .atOnce(closes: closes)
    }
}
