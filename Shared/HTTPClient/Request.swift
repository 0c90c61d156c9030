package import Clocks
package import HTTPCore

extension HTTPClient {
    /// One request: for an answer, or for a WebSocket.
    package struct Request: Equatable, Sendable {
        package var method: String
        package let endpoint: Endpoint
        /// Path and query, as they stand in a request line.
        package var target: String
        /// All but `Host` and `Content-Length`, `Connection` and those of a WebSocket's handshake.
        package var headers: HeaderFields
        package var body: [UInt8] = []
        /// Takes the place of ``body``.
        package var bodyFile: BodyFile?
        /// Bytes of the answer's body. A longer answer fails; what refuses a WebSocket is reported when so much of it is
        /// there, at once with 0.
        package var answerBytes: Int
        /// Until the answer is complete, or the WebSocket open, dialling included; nil waits as long as the server does.
        package var timeout: Interval?
        /// Asks for a WebSocket.
        package var webSocket: WebSocketTerms?
        /// Reports the body of a successful answer as it arrives, whatever its length. So many of its bytes may wait to be
        /// dealt with (``Connection/taken(_:)``) before the socket is no longer read. ``timeout`` ends with the head, unless
        /// ``limitsSilence`` says otherwise.
        package var streamedBytes: Int?
        /// ``timeout`` begins anew with the head of a streamed answer and with each part: for files, whose peer has no
        /// reason to be silent. A stream of events may be silent for long.
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

        /// Puts a header field in place of those of its name.
        package mutating func set(_ name: String, _ value: String) { headers.set(name, value) }

        /// As it goes over the wire, unless it asks for a WebSocket.
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
        /// Bytes of reported messages that its owner may owe an answer (``Connection/taken(_:)``) before the socket is no
        /// longer read; nil when messages are not answered.
        package var unhandledBytes: Int?

        package init(messageBytes: Int, unhandledBytes: Int? = nil) {
            self.messageBytes = messageBytes
            self.unhandledBytes = unhandledBytes
        }
    }
}
