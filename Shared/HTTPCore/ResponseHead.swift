/// The status line and fields of a response (RFC 9112 §4).
package struct ResponseHead: Equatable, Sendable {
    package var status: Int
    /// Often empty.
    package var reason = ""
    /// 0 for HTTP/1.0. Any other value counts as 1 (RFC 9110 §2.5).
    package var minorVersion = 1
    package var headers: HeaderFields = [:]

    /// Whether the server will keep the connection open (RFC 9112 §9.3).
    package var keepsAlive: Bool {
        if headers.list("Connection", contains: "close") { return false }
        return minorVersion > 0 || headers.list("Connection", contains: "keep-alive")
    }
}

extension ResponseHead {
    /// Parses a status line. Before an empty reason phrase, the space may be missing.
    init(statusLine line: ByteView) throws(MessageFault) {
        guard line.count >= 12, line[8] == ByteClass.space, line.count == 12 || line[12] == ByteClass.space
        else { throw .malformedStatusLine }
        let minorVersion = try RequestLine.minorVersion(line.part(0, 8))
        var status = 0
        for index in 9..<12 {
            guard ByteClass.isDigit(line[index]) else { throw .malformedStatusLine }
            status = status * 10 + Int(line[index] &- 0x30)
        }
        guard (100...599).contains(status) else { throw .malformedStatusLine }
        let reason = line.dropFirst(min(13, line.count))
        guard reason.firstControl == nil else { throw .malformedStatusLine }
        self.init(status: status, reason: reason.lenientText, minorVersion: minorVersion)
    }
}
