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

extension RequestHead {
    /// Bytes of memory that the target and the fields take.
    package var byteCount: Int { target.utf8.count + headers.byteCount }

    /// Whether the connection may stay open after the request, as far as the client's fields say (RFC 9112 §9.3).
    package var keepsAlive: Bool {
        if headers.list("Connection", contains: "close") { return false }
        return minorVersion > 0 || headers.list("Connection", contains: "keep-alive")
    }

    /// Whether the fields say that a body follows the head (RFC 9112 §6).
    package var announcesBody: Bool {
        headers["Transfer-Encoding"] != nil || headers["Content-Length"].map { Int($0) != 0 } ?? false
    }

    /// Host and port that the request is for. If the target is absolute, they come from the target instead of the Host
    /// field (RFC 9112 §3.2.2).
    package var authority: String? {
        if target.utf8.first == UInt8(ascii: "/") { return headers["Host"] }
        return RequestTarget(parsing: target)?.authority ?? headers["Host"]
    }
}
