import WebSocketCore

extension ConnectionCloseEvent {
    /// The code itself where a Close frame may carry it; for any other, such as 1005 or 5000, the code of a connection
    /// that is cut without such a frame (RFC 6455 §7.4.1, §7.4.2).
    static func sendable(_ code: Int) -> Int {
        let wire = UInt16(exactly: code).map { WebSocketCore.CloseCode(rawValue: $0) }
        return wire?.isValidOnTheWire == true ? code : abnormalCode
    }
}
