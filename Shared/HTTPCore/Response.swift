/// A whole response: status, fields and body. Framing fields are added when it is written.
package struct Response: Equatable, Sendable {
    package var status: Int
    package var headers: HeaderFields
    package var body: [UInt8]

    package init(status: Int, headers: HeaderFields = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}
