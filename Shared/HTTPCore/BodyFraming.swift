/// Length or coding of a body, from Content-Length and Transfer-Encoding (RFC 9112 §6).
struct BodyFraming: Equatable, Sendable {
    var length: Int?
    var isChunked = false

    init(_ headers: HeaderFields, minorVersion: Int) throws(MessageFault) {
        var codings: [String] = []
        let fields = headers.fields
        for index in fields.indices {
            switch fields[index].name.utf8.count {
            case 14 where HeaderFields.same(fields[index].name, "Content-Length"):
                let value = try Self.number(fields[index].value)
                // A repeated Content-Length with an equal value is accepted (RFC 9112 §6.3).
                guard length == nil || length == value else { throw .conflictingContentLengths }
                length = value
            case 17 where HeaderFields.same(fields[index].name, "Transfer-Encoding"):
                codings.append(fields[index].value)
            default: break
            }
        }
        guard !codings.isEmpty else { return }
        guard length == nil else { throw .lengthAndCoding }
        guard minorVersion > 0 else { throw .codingInHTTP10 }
        try Self.requireChunked(codings.joined(separator: ","))
        isChunked = true
    }

    /// Reads digits (RFC 9110 §8.6). A number too large for Int becomes Int.max.
    private static func number(_ text: String) throws(MessageFault) -> Int {
        guard !text.isEmpty else { throw .invalidContentLength }
        var value = 0
        for byte in text.utf8 {
            guard ByteClass.isDigit(byte) else { throw .invalidContentLength }
            let (product, tooBig) = value.multipliedReportingOverflow(by: 10)
            let (sum, alsoTooBig) = product.addingReportingOverflow(Int(byte &- 0x30))
            value = tooBig || alsoTooBig ? Int.max : sum
        }
        return value
    }

    private static func requireChunked(_ list: String) throws(MessageFault) {
        var sawChunked = false
        for part in list.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
            let (isToken, isChunked) = String(Substring(part)).withBytes { bytes in
                let coding = bytes.trimmed()
                return (coding.isToken, coding.matches("chunked"))
            }
            guard isToken, !sawChunked else { throw .malformedCoding }
            guard isChunked else { throw .unknownCoding }
            sawChunked = true
        }
    }
}
