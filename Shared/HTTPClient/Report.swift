package import HTTPCore
package import WebSocketCore

extension HTTPClient {
    /// A whole response.
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

    /// Event of one request. The last report is an end.
    package enum Report: Equatable, Sendable {
        /// The WebSocket is open.
        case opened
        /// A whole text message.
        case text([UInt8])
        /// A whole binary message.
        case binary([UInt8])
        /// The head of a streamed answer, whose body follows in parts.
        case began(Answer)
        /// Some of the body of a streamed answer.
        case part([UInt8])
        /// The end: the server's answer; for a streamed one only its head. For a WebSocket handshake it is a
        /// refusal.
        case answered(Answer)
        /// The end: both sides have sent a Close frame, or ours was not needed any more. ``CloseCode/noStatus`` when the
        /// peer's had no code.
        case closed(CloseCode, reason: String)
        /// The end: there is no answer, or no WebSocket any more.
        case failed(Failure)

        /// Whether this is the last report of the request.
        package var isEnd: Bool {
            switch self {
            case .answered, .closed, .failed: true
            case .opened, .text, .binary, .began, .part: false
            }
        }

        /// The count for ``Connection/taken(_:)`` once the report was handled; nil when no call is needed.
        package var byteCount: Int? {
            switch self {
            case .text(let bytes), .binary(let bytes), .part(let bytes): bytes.count
            case .opened, .began, .answered, .closed, .failed: nil
            }
        }
    }
}
