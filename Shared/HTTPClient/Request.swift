package import Clocks
package import HTTPCore

extension HTTPClient {
    package struct Request: Equatable, Sendable {
        package var method: String
        package let endpoint: Endpoint
        /// Path and query, as in the request line.
        package var target: String
        /// Header fields, without `Host`, `Content-Length`, `Connection` and the fields of a WebSocket handshake.
        package var headers: HeaderFields
        package var body: [UInt8] = []
        package var bodyFile: BodyFile?
        /// Whether the body is sent in pieces, and its progress reported, as ``Report/sent(_:)``.
        package var reportsProgress = false
        /// Maximum bytes of the response body.
        package var answerBytes: Int
        /// Maximum time from the start of the request, including name resolution, to the complete response or open
        /// WebSocket. Nil: no timeout.
        package var timeout: Interval?
        /// Nil for an HTTP request.
        package var webSocket: WebSocketTerms?
        /// If not nil, a successful response of any length is reported in parts, and ``timeout`` covers only the head.
        /// Reading pauses above this many unacknowledged bytes (``Connection/taken(_:)``), and resumes at half.
        package var streamedBytes: Int?
        /// Whether ``timeout`` also limits the time between two parts of a streamed response.
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
            return Self.head(method, target, fields) + (bodyFile == nil && !reportsProgress ? body : [])
        }

        static func head(_ method: String, _ target: String, _ fields: HeaderFields) -> [UInt8] {
            var bytes = Array("\(method) \(target) HTTP/1.1\r\n".utf8)
            for field in fields.fields {
                // Control characters become spaces: a line end in a value could begin a new field (RFC 9110 §5.5).
                for byte in "\(field.name): \(field.value)".utf8 {
                    bytes.append(byte < 0x20 && byte != 0x09 || byte == 0x7F ? 0x20 : byte)
                }
                bytes += [0x0D, 0x0A]
            }
            return bytes + [0x0D, 0x0A]
        }
    }

    /// A body that is read from a file while it is sent.
    package struct BodyFile: Equatable, Sendable {
        package var path: String
        /// Length of the file in bytes. If the length differs, the request fails.
        package var byteCount: Int

        package init(path: String, byteCount: Int) {
            self.path = path
            self.byteCount = byteCount
        }
    }

    package struct WebSocketTerms: Equatable, Sendable {
        /// Maximum bytes of an incoming message. A longer message is a protocol violation.
        package var messageBytes: Int
        /// Reading pauses above this many unacknowledged bytes (``Connection/taken(_:)``), and resumes at half. Nil:
        /// never pauses.
        package var unhandledBytes: Int?

        package init(messageBytes: Int, unhandledBytes: Int? = nil) {
            self.messageBytes = messageBytes
            self.unhandledBytes = unhandledBytes
        }
    }
}
