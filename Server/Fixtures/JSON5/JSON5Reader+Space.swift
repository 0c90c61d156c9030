extension JSON5Reader {
    /// Skips white space, line breaks and comments.
    mutating func skipSpace() throws(JSON5Problem) {
        while index < bytes.count {
            switch bytes[index] {
            case 0x20, 0x09, 0x0A, 0x0B, 0x0C, 0x0D:
                index += 1
            case UInt8(ascii: "/"):
                try skipComment()
            case UInt8(ascii: "#"):
                throw JSON5Problem("a comment begins with //, not with #", at: index)
            case 0x80...:
                guard let (scalar, length) = JSON5Characters.scalar(bytes, at: index),
                    JSON5Characters.isWideSpace(scalar)
                else { return }
                index += length
            default:
                return
            }
        }
    }

    private mutating func skipComment() throws(JSON5Problem) {
        let start = index
        guard start + 1 < bytes.count else { throw JSON5Problem("a slash means nothing here", at: start) }
        switch bytes[start + 1] {
        case UInt8(ascii: "/"):
            index += 2
            while index < bytes.count, !isLineBreak(at: index) { index += 1 }
            keepLintComment(from: start, to: index)
        case UInt8(ascii: "*"):
            index += 2
            while index + 1 < bytes.count {
                if bytes[index] == UInt8(ascii: "*"), bytes[index + 1] == UInt8(ascii: "/") {
                    index += 2
                    return
                }
                index += 1
            }
            throw JSON5Problem("this comment is never closed with */", at: start)
        default:
            throw JSON5Problem("a slash means nothing here; a comment begins with //", at: start)
        }
    }

    func isLineBreak(at index: Int) -> Bool {
        bytes[index] == 0x0A || bytes[index] == 0x0D || JSON5Characters.isSeparator(bytes, at: index)
    }

    private mutating func keepLintComment(from start: Int, to end: Int) {
        var first = start + 2
        while first < end, bytes[first] == 0x20 || bytes[first] == 0x09 { first += 1 }
        let mark = Array("lint:".utf8)
        guard bytes[first..<end].starts(with: mark) else { return }
        var before = start
        while before > 0, bytes[before - 1] == 0x20 || bytes[before - 1] == 0x09 { before -= 1 }
        let isAlone = before == 0 || bytes[before - 1] == 0x0A || bytes[before - 1] == 0x0D
        let text = String(decoding: bytes[(first + mark.count)..<end], as: UTF8.self)
        lintComments.append(JSON5LintComment(text: text, start: start, isAlone: isAlone))
    }
}
