package import Clocks
package import HTTPCore

extension HTTPClient {
    /// One request: for an answer, or for a WebSocket.
    package struct Request: Equatable, Sendable {
        package var method: String
        package let endpoint: Endpoint
        /// Path and query, as they stand in a request line.
        package var target: String
        /// All header fields except `Host`, `Content-Length`, `Connection` and those of a WebSocket
        /// handshake.
        package var headers: HeaderFields
        package var body: [UInt8] = []
        /// A file to send instead of ``body``.
        package var bodyFile: BodyFile?
        /// Limit of the answer's body, in bytes. A longer answer fails. The refusal of a WebSocket is
        /// reported as soon as this many bytes of its body have arrived, with 0 at once.
        package var answerBytes: Int
        /// Time until the answer is complete, or the WebSocket open, including the connection attempt; nil
        /// waits for ever.
        package var timeout: Interval?
        /// Asks for a WebSocket.
        package var webSocket: WebSocketTerms?
        /// Reports the body of a successful answer as it arrives, whatever its length. Reading pauses when
        /// this many bytes are unacknowledged (``Connection/taken(_:)``). ``timeout`` ends with the head,
        /// unless ``limitsSilence`` says otherwise.
        package var streamedBytes: Int?
        /// Whether ``timeout`` restarts with the head of a streamed answer and with each part. For files,
        /// whose server has no reason to pause; an event stream may be silent for long.
        package var limitsSilence = false

        package init(
            _ method: String, _ endpoint: Endpoint, _ target: String, headers: HeaderFields = [:],
            answerBytes: Int, timeout: Interval?
        ) {
            self.method = method
            self.endpoint = endpoint
            self.target = target
            self.headers = headers
            self.answerBytes = answerBytes
            self.timeout = timeout
        }

        /// Sets a header field, replacing those with the same name.
        package mutating func set(_ name: String, _ value: String) { headers.set(name, value) }

        /// The serialized request, unless it asks for a WebSocket.
        var bytes: [UInt8] {
            var fields: HeaderFields = ["Host": endpoint.authority]
            for field in headers.fields { fields.append(field.name, field.value) }
            if method != "GET" { fields.append("Content-Length", String(bodyFile?.byteCount ?? body.count)) }
            fields.append("Connection", "close")
            return Self.head(method, target, fields) + (bodyFile == nil ? body : [])
        }

        static func head(_ method: String, _ target: String, _ fields: HeaderFields) -> [UInt8] {
            var bytes = Array("\(method) \(target) HTTP/1.1\r\n".utf8)
            for field in fields.fields {
                // Control characters become blanks: text from elsewhere must not start a new line (RFC 9110 §5.5).
                for byte in "\(field.name): \(field.value)".utf8 {
                    bytes.append(byte < 0x20 && byte != 0x09 || byte == 0x7F ? 0x20 : byte)
                }
                bytes += [0x0D, 0x0A]
            }
            return bytes + [0x0D, 0x0A]
        }
    }

    /// A body that is read while it is sent, at most ``ClientLimits/fileBytes`` ahead of the peer.
    package struct BodyFile: Equatable, Sendable {
        package var path: String
        /// The announced length, which the body must have.
        package var byteCount: Int

        package init(path: String, byteCount: Int) {
            self.path = path
            self.byteCount = byteCount
        }
    }

    /// Options of a WebSocket handshake.
    package struct WebSocketTerms: Equatable, Sendable {
        /// Bytes of one incoming message; a longer one is a violation.
        package var messageBytes: Int
        /// Reading pauses when this many bytes of reported messages are unacknowledged
        /// (``Connection/taken(_:)``); nil when messages are not acknowledged.
        package var unhandledBytes: Int?

        package init(messageBytes: Int, unhandledBytes: Int? = nil) {
            self.messageBytes = messageBytes
            self.unhandledBytes = unhandledBytes
        }
    }
}
