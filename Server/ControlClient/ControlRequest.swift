import HTTPCore
package import Texts

/// One call of the control API, as a value.
package struct ControlRequest: Equatable, Sendable {
    package enum Body: Equatable, Sendable {
        case json(JSONValue)
        /// A file, sent as it is.
        case bytes([UInt8])
    }

    /// One parameter behind the question mark.
    package struct Parameter: Equatable, Sendable {
        package var name: String
        package var value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    package var method: String
    /// Behind `/_mock/`, already percent-encoded; ``path(_:)`` makes one of names.
    package var path: String
    package var query: [Parameter]
    package var body: Body?

    package init(_ method: String, _ path: String, query: [Parameter] = [], body: Body? = nil) {
        self.method = method
        self.path = path
        self.query = query
        self.body = body
    }

    /// `parts` as a path; whatever a person typed stays inside its part.
    package static func path(_ parts: String...) -> String {
        parts.map { PercentCoding.encode($0) }.joined(separator: "/")
    }

    /// Path and query as they stand in a request line.
    package var target: String {
        guard !query.isEmpty else { return "/_mock/" + path }
        let pairs = query.map { PercentCoding.encode($0.name) + "=" + PercentCoding.encode($0.value) }
        return "/_mock/" + path + "?" + pairs.joined(separator: "&")
    }

    /// The request as it goes over the wire.
    ///
    /// Writes say that they are JSON and carry the header no page can add without asking.
    func bytes(authority: String, token: String?) -> [UInt8] {
        var fields: HeaderFields = ["Host": authority, "Connection": "close"]
        if let token { fields.append("X-Mock-Token", token) }
        var content: [UInt8] = []
        switch body {
        case .json(let value): content = JSONWriter.bytes(value)
        case .bytes(let bytes): content = bytes
        case nil: break
        }
        if method != "GET" {
            fields.append("X-Mock-Control", "1")
            fields.append("Content-Type", "application/json")
            fields.append("Content-Length", String(content.count))
        }
        return Self.head(method, target, fields) + content
    }

    static func head(_ method: String, _ target: String, _ fields: HeaderFields) -> [UInt8] {
        var bytes = Array("\(method) \(target) HTTP/1.1\r\n".utf8)
        for field in fields.fields {
            // Control characters become blanks: a token must not start a new line (RFC 9110 §5.5).
            for byte in "\(field.name): \(field.value)".utf8 {
                bytes.append(byte < 0x20 && byte != 0x09 || byte == 0x7F ? 0x20 : byte)
            }
            bytes += [0x0D, 0x0A]
        }
        return bytes + [0x0D, 0x0A]
    }
}
