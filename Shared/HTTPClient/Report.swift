package import HTTPCore
package import WebSocketCore

extension HTTPClient {
    package struct Answer: Equatable, Sendable {
        package var status: Int
        package var headers: HeaderFields
        package var body: [UInt8]

        package init(status: Int, headers: HeaderFields = [:], body: [UInt8]) {
            self.status = status
            self.headers = headers
            self.body = body
        }
    }

    /// Event of one request. Unless the connection is cut, the last event is `answered`, `closed` or `failed`.
    package enum Report: Equatable, Sendable {
        case opened
        /// The number of bytes of the body that have been sent so far, with ``Request/reportsProgress``.
        case sent(Int)
        case text([UInt8])
        case binary([UInt8])
        case began(Answer)
        case part([UInt8])
        /// The final response. Its body is empty if it was streamed. For a handshake: the server refused the WebSocket.
        case answered(Answer)
        /// The WebSocket ended: the peer sent a close frame, or the client closed before it was open. Without a code in
        /// the frame, the code is ``CloseCode/noStatus``.
        case closed(CloseCode, reason: String)
        /// The request or the WebSocket failed.
        case failed(Failure)

        package var isEnd: Bool {
            switch self {
            case .answered, .closed, .failed: true
            case .opened, .sent, .text, .binary, .began, .part: false
            }
        }

        /// Bytes to acknowledge with ``Connection/taken(_:)`` after the report was handled, if any.
        package var byteCount: Int? {
            switch self {
            case .text(let bytes), .binary(let bytes), .part(let bytes): bytes.count
            case .opened, .sent, .began, .answered, .closed, .failed: nil
            }
        }
    }
}
