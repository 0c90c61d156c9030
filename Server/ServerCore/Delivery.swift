package import Clocks
package import ConversationEngine
package import HTTPCore

/// How a response leaves, where troubles may have struck its request. It decides; the shell writes.
///
/// | struck by | body | way |
/// | --- | --- | --- |
/// | a trouble that drops | any | cut |
/// | one that stalls or delays | any | held, and the connection closes behind it |
/// | none | longer than ``CoreLimits/longAnswerBytes`` | in pieces, and the connection closes behind them |
/// | any other, or none | any | at once |
package struct Delivery {
    package enum Way: Equatable {
        /// The connection is cut in its place.
        case cut
        /// The last of the troubles lets go at that moment.
        case held([Valve.Hold], until: Instant)
        /// As fast as the client reads.
        case pieces
        case atOnce(closes: Bool)
    }

    package let way: Way
    /// All of the response.
    package let bytes: [UInt8]
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
        let isLong = response.body.count > CoreLimits.longAnswerBytes
        let closes = isLast || isLong || !strikes.isEmpty || head?.keepsAlive != true
        bytes = response.serialized(to: head, closing: closes, date: date)
        fault = strikes.map(\.name).joined(separator: ", ")
        guard !strikes.isEmpty else {
            way = isLong ? .pieces : .atOnce(closes: closes)
            return
        }
        guard let holds = FaultPlan.holds(ofAnswerStruckBy: strikes, at: now) else {
            way = .cut
            return
        }
        way = holds.map(\.end).max().map { .held(holds, until: $0) } ?? .atOnce(closes: closes)
    }
}
