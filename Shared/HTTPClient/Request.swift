package import Clocks
package import HTTPCore

extension HTTPClient {
    /// One HTTP or WebSocket request.
    package struct Request: Equatable, Sendable {
        package var method: String
        package let endpoint: Endpoint
        /// Path and query, as written in the request line.
        package var target: String
        /// Header fields except `Host`, `Content-Length`, `Connection` and those of a WebSocket handshake.
        package var headers: HeaderFields
        package var body: [UInt8] = []
        /// A file that is sent instead of ``body``.
        package var bodyFile: BodyFile?
        /// Maximum bytes of the response body. A longer response fails; that of a refused WebSocket is truncated.
        package var answerBytes: Int
        /// Timeout for a complete response or an open WebSocket, including the connection attempt; nil means none.
        package var timeout: Interval?
        /// Set for a WebSocket request.
        package var webSocket: WebSocketTerms?
        /// If set, a successful response is reported in parts, whatever its length. Reading pauses while this many
        /// bytes are unacknowledged (``Connection/taken(_:)``). ``timeout`` covers the head, see ``limitsSilence``.
        package var streamedBytes: Int?
        /// Whether ``timeout`` also limits the time between two parts of a streamed response, for example of a file.
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

        package mutating func set(_ name: String, _ value: String) { headers.set(name, value) }

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
                // Control characters become spaces, so that a value cannot start a new line (RFC 9110 §5.5).
                for byte in "\(field.name): \(field.value)".utf8 {
                    bytes.append(byte < 0x20 && byte != 0x09 || byte == 0x7F ? 0x20 : byte)
                }
                bytes += [0x0D, 0x0A]
            }
            return bytes + [0x0D, 0x0A]
        }
    }

    /// A body file, read while it is sent, at most ``ClientLimits/fileBytes`` ahead of the peer.
    package struct BodyFile: Equatable, Sendable {
        package var path: String
        /// The announced length, which the file must have.
        package var byteCount: Int

        package init(path: String, byteCount: Int) {
            self.path = path
            self.byteCount = byteCount
        }
    }

    /// Options of a WebSocket handshake.
    package struct WebSocketTerms: Equatable, Sendable {
        /// Maximum bytes of an incoming message; a longer one is a protocol violation.
        package var messageBytes: Int
        /// Reading pauses while this many bytes are unacknowledged (``Connection/taken(_:)``); nil means no pause.
        package var unhandledBytes: Int?

        package init(messageBytes: Int, unhandledBytes: Int? = nil) {
            self.messageBytes = messageBytes
            self.unhandledBytes = unhandledBytes
        }
    }
}
