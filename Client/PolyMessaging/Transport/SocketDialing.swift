#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Opens WebSocket connections.
package protocol SocketDialing: Sendable {
    /// Begins to dial and returns at once.
    ///
    /// `report` is called in order, on a thread of the transport's. The last report is `closed` or `failed`;
    /// nothing follows it. Text given to ``DialledSocket/send(_:)`` before `opened` is dropped.
    func dial(_ url: URL, report: @escaping @Sendable (SocketReport) -> Void) -> any DialledSocket
}

/// One WebSocket connection, from the dialling to the end.
package protocol DialledSocket: Sendable {
    /// Sends one text message. Order is kept.
    func send(_ text: [UInt8])

    /// Sends one binary message. The Messaging API has none; conformance tests do.
    func sendBinary(_ bytes: [UInt8])

    /// A message of so many bytes, reported before, was dealt with. The transport reads on only while little waits:
    /// each reported message has to be answered with this, in any order.
    func taken(_ byteCount: Int)

    /// Ends the connection; what was sent before goes out first.
    ///
    /// Code 1006, which no frame may carry (RFC 6455 §7.4.1), cuts it without a word; the peer's last words
    /// are not waited for and nothing is reported any more. Otherwise a Close frame leaves, and the end is
    /// reported when the peer has answered or a deadline has passed.
    func close(code: Int, reason: String)
}

/// What happens to one WebSocket connection.
package enum SocketReport: Sendable, Equatable {
    /// The upgrade was accepted.
    case opened
    /// A whole text message.
    case text([UInt8])
    /// A whole binary message.
    case binary([UInt8])
    /// The end: the peer's Close frame, 1005 when that had no code, 1006 when there was none.
    case closed(ConnectionCloseEvent)
    /// The end: the connection was not made, or one side broke the protocol.
    case failed(TransportFault)
}

extension SocketReport {
    /// What ``DialledSocket/taken(_:)`` is told once the report was dealt with; nil when it need not be told.
    package var byteCount: Int? {
        switch self {
        case .text(let bytes), .binary(let bytes): bytes.count
        case .opened, .closed, .failed: nil
        }
    }
}

/// What a caller holds whose address leads nowhere.
struct UndialledSocket: DialledSocket {
    func send(_ text: [UInt8]) {}
    func sendBinary(_ bytes: [UInt8]) {}
    func taken(_ byteCount: Int) {}
    func close(code: Int, reason: String) {}
}
