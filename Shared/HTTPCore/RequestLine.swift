struct RequestLine: Sendable {
    var method: String
    var target: String
    var minorVersion: Int

    init(_ line: ByteView, limits: HTTPLimits) throws(MessageFault) {
        let blanks = try Self.blanks(line)
        guard blanks.first > 0 else { throw .malformedRequestLine }
        guard blanks.first <= limits.methodBytes else { throw .methodTooLong(limit: limits.methodBytes) }
        guard line.part(0, blanks.first).isToken else { throw .invalidMethod }
        guard blanks.second > 0 else { throw .missingVersion }
        guard blanks.second > blanks.first + 1 else { throw .malformedRequestLine }

        minorVersion = try Self.minorVersion(line.dropFirst(blanks.second + 1))
        method = line.part(0, blanks.first).text
        let target = line.part(blanks.first + 1, blanks.second)
        self.target = target.text
        guard method != "CONNECT" else { throw .connectMethod }
        guard let parts = RequestTarget.Parts(target) else { throw .invalidTarget }
        switch parts.form {
        case .origin, .absolute: break
        case .asterisk where method == "OPTIONS": break
        case .asterisk, .authority: throw .invalidTarget
        }
    }

    /// Positions of the first two spaces. -1 if missing.
    private static func blanks(_ line: ByteView) throws(MessageFault) -> (first: Int, second: Int) {
        var blanks = (first: -1, second: -1)
        var index = 0
        while index < line.count {
            if line[index] == ByteClass.carriageReturn { throw .bareCarriageReturn }
            if line[index] == ByteClass.space {
                guard blanks.second < 0 else { throw .malformedRequestLine }
                if blanks.first < 0 { blanks.first = index } else { blanks.second = index }
            }
            index += 1
        }
        return blanks
    }

    /// Reads the minor version of `HTTP/1.x`.
    static func minorVersion(_ text: ByteView) throws(MessageFault) -> Int {
        // `HTTP` is case-sensitive (RFC 9112 §2.3).
        guard text.count == 8, text[0] == UInt8(ascii: "H"), text[1] == UInt8(ascii: "T"),
            text[2] == UInt8(ascii: "T"), text[3] == UInt8(ascii: "P"), text[4] == UInt8(ascii: "/"),
            ByteClass.isDigit(text[5]), text[6] == UInt8(ascii: "."), ByteClass.isDigit(text[7])
        else { throw .malformedVersion }
        guard text[5] == UInt8(ascii: "1") else { throw .unsupportedVersion(text.text) }
        return Int(text[7] &- 0x30)
    }
}
