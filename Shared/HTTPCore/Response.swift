/// A whole response: status, fields and body. Framing fields are added when it is written.
package struct Response: Equatable, Sendable {
    package var status: Int
    package var headers: HeaderFields
    package var body: [UInt8]
    /// Whether the body is written with chunked coding, without its length.
    package var isStream: Bool

    package init(status: Int, headers: HeaderFields = [:], body: [UInt8] = [], isStream: Bool = false) {
        self.status = status
        self.headers = headers
        self.body = body
        self.isStream = isStream
    }
}
