/// Method, target and minor version of a request line (RFC 9112 §3).
struct RequestLine: Sendable {
    var method: String
    var target: String
    var minorVersion: Int

    init(_ line: UnsafeRawBufferPointer, limits: Limits) throws(MessageFault) {
        var blanks: (first: Int, second: Int) = (-1, -1)
        for index in 0..<line.count {
            if line[index] == ByteClass.carriageReturn { throw .bareCarriageReturn }
            guard line[index] == ByteClass.space else { continue }
            if blanks.first < 0 {
                blanks.first = index
            } else if blanks.second < 0 {
                blanks.second = index
            } else {
                throw .malformedRequestLine
            }
        }
        guard blanks.first > 0 else { throw .malformedRequestLine }
        guard blanks.first <= limits.methodBytes else { throw .methodTooLong(limit: limits.methodBytes) }
        guard ByteClass.isToken(line[..<blanks.first]) else { throw .invalidMethod }
        guard blanks.second > 0 else { throw .missingVersion }
        guard blanks.second > blanks.first + 1 else { throw .malformedRequestLine }

        minorVersion = try Self.minorVersion(line[(blanks.second + 1)...])
        method = String(decoding: line[..<blanks.first], as: UTF8.self)
        let target = UnsafeRawBufferPointer(rebasing: line[(blanks.first + 1)..<blanks.second])
        self.target = String(decoding: target, as: UTF8.self)
        guard method != "CONNECT" else { throw .connectMethod }
        guard let parts = RequestTarget.Parts(target) else { throw .invalidTarget }
        switch parts.form {
        case .origin, .absolute: break
        case .asterisk where method == "OPTIONS": break
        case .asterisk, .authority: throw .invalidTarget
        }
    }

    /// The minor version of `HTTP/1.x`; a higher one than ours is as good as ours (RFC 9110 §2.5).
    static func minorVersion(_ text: Slice<UnsafeRawBufferPointer>) throws(MessageFault) -> Int {
        let start = text.startIndex
        // The name is case-sensitive (RFC 9112 §2.3).
        guard text.count == 8, text.prefix(5).elementsEqual("HTTP/".utf8), ByteClass.isDigit(text[start + 5]),
            text[start + 6] == UInt8(ascii: "."), ByteClass.isDigit(text[start + 7])
        else { throw .malformedVersion }
        guard text[start + 5] == UInt8(ascii: "1") else {
            throw .unsupportedVersion(String(decoding: text, as: UTF8.self))
        }
        return Int(text[start + 7] &- 0x30)
    }
}
