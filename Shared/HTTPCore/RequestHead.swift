/// The request line and fields of one HTTP/1.x request (RFC 9112 §3).
package struct RequestHead: Equatable, Sendable {
    /// As sent: methods are case-sensitive.
    package var method: String
    package var target: String
    /// 0 for HTTP/1.0. Any other value counts as 1 (RFC 9110 §2.5).
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
    package var byteCount: Int { target.utf8.count + headers.byteCount }

    /// Whether the client lets the connection stay open (RFC 9112 §9.3).
    package var keepsAlive: Bool {
        if headers.list("Connection", contains: "close") { return false }
        return minorVersion > 0 || headers.list("Connection", contains: "keep-alive")
    }

    /// Whether a body follows the head (RFC 9112 §6).
    package var announcesBody: Bool {
        headers["Transfer-Encoding"] != nil || headers["Content-Length"].map { Int($0) != 0 } ?? false
    }

    /// Host and port: of an absolute target, or of the Host field if the target names no host (RFC 9112 §3.2.2).
    package var authority: String? {
        if target.utf8.first == UInt8(ascii: "/") { return headers["Host"] }
        return RequestTarget(parsing: target)?.authority ?? headers["Host"]
    }
}
