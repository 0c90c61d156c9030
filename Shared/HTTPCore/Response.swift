/// A response. The serializer adds the fields that delimit the body.
package struct Response: Equatable, Sendable {
    package var status: Int
    package var headers: HeaderFields
    package var body: [UInt8]
    /// Whether HTTP/1.1 clients get the body in chunks, without Content-Length.
    package var isStream: Bool
    /// Whether to add those ``ProtectiveFields`` that ``headers`` lack, so that browsers do not run the body.
    package var isProtected = false

    package init(status: Int, headers: HeaderFields = [:], body: [UInt8] = [], isStream: Bool = false) {
        self.status = status
        self.headers = headers
        self.body = body
        self.isStream = isStream
    }
}
