package import HTTPCore
package import WebSocketCore

extension HTTPClient {
    /// A complete response.
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

    /// Event of one request. The last event is always `answered`, `closed` or `failed`.
    package enum Report: Equatable, Sendable {
        case opened
        /// The number of bytes of the body file that have left so far; only if ``Request/reportsProgress`` is true.
        case sent(Int)
        case text([UInt8])
        case binary([UInt8])
        /// The head of a streamed response; parts of the body follow.
        case began(Answer)
        /// A part of the body of a streamed response.
        case part([UInt8])
        /// The end of a request, with the response. For a streamed response, only the head is included. For a WebSocket
        /// handshake, the server has refused the WebSocket.
        case answered(Answer)
        /// The end of a WebSocket. Either the peer sent a close frame, or the client closed before the WebSocket was
        /// open. If the frame had no code, the code is ``CloseCode/noStatus``.
        case closed(CloseCode, reason: String)
        /// The end of a request that got no response, or of a WebSocket that was ended by an error.
        case failed(Failure)

        package var isEnd: Bool {
            switch self {
            case .answered, .closed, .failed: true
            case .opened, .sent, .text, .binary, .began, .part: false
            }
        }

        /// The number to pass to ``Connection/taken(_:)`` after the report was handled. Nil if no call is needed.
        package var byteCount: Int? {
            switch self {
            case .text(let bytes), .binary(let bytes), .part(let bytes): bytes.count
            case .opened, .sent, .began, .answered, .closed, .failed: nil
            }
        }
    }
}
