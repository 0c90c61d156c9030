/// The request line and fields of one HTTP/1.x request (RFC 9112 §3).
package struct RequestHead: Equatable, Sendable {
    /// The method as sent; methods are case-sensitive.
    package var method: String
    /// The request target as sent.
    package var target: String
    /// The minor version: 1 for HTTP/1.1, 0 for HTTP/1.0.
    package var minorVersion: Int
    package var headers: HeaderFields

    package init(method: String, target: String, minorVersion: Int = 1, headers: HeaderFields = [:]) {
        self.method = method
        self.target = target
        self.minorVersion = minorVersion
        self.headers = headers
    }
}
