/// Addresses that stand in a text without any mark.
extension InlineReader {
    /// The middle of a word is no beginning.
    var canBeginAddress: Bool {
        guard index > 0 else { return true }
        let before = text[index - 1]
        return !Scalars.isWord(before) && before != "_" && before != "@"
    }

    /// True when there was one, and `index` is behind it.
    mutating func readAddress() -> Bool {
        if let extent = webExtent() {
            return put(trimmed(extent))
        }
        if let extent = phoneExtent() { return put(trimmed(extent)) }
        guard let extent = mailExtent() else { return false }
        let name = text[extent].reversed().drop { $0 == "." || $0 == "-" }.count
        return put(index..<(index + name), scheme: "mailto:")
    }

    private mutating func put(_ extent: Range<Int>, scheme: String = "") -> Bool {
        let words = isPlain ? Array(text[extent]) : Entity.decoded(text[extent])
        guard !extent.isEmpty, let address = SafeAddress.link(Array(scheme.unicodeScalars) + words) else {
            return false
        }
        put(.link(address, [.text(Scalars.string(words))]))
        index = extent.upperBound
        return true
    }

    /// The signs at the end belong to the sentence, and so does a parenthesis that was opened before.
    private func trimmed(_ extent: Range<Int>) -> Range<Int> {
        var end = extent.upperBound
        func dropSigns() {
            while end > extent.lowerBound, ".,;:!?'*_".unicodeScalars.contains(text[end - 1]) { end -= 1 }
        }
        dropSigns()
        var surplus = text[extent.lowerBound..<end].reduce(0) { $0 + ($1 == ")" ? 1 : $1 == "(" ? -1 : 0) }
        while surplus > 0, end > extent.lowerBound, text[end - 1] == ")" {
            end -= 1
            surplus -= 1
            dropSigns()
        }
        return extent.lowerBound..<end
    }

    // MARK: Extents

    /// Http and https, up to a space or a sign that no address has. Nil where none begins that may be followed.
    ///
    /// All addresses that begin before an odd character and reach over it are unsafe: `oddIndex` keeps this from being
    /// found out again for each.
    private mutating func webExtent() -> Range<Int>? {
        guard index >= oddIndex, Scalars.lowercased(text[index]) == "h",
            let scheme = ["https://", "http://"].first(where: { Scalars.hasPrefix(text, $0, at: index) })
        else { return nil }
        let host = index + scheme.utf8.count
        guard host < text.count, !isUnsafe(at: host, orOneOf: "/?#") else { return nil }
        var end = host
        while end < text.count, !Self.endsAddress(text[end]) { end += 1 }
        guard end > host else { return nil }
        if let odd = (index..<end).last(where: { isUnsafe(at: $0) }) {
            oddIndex = odd + 1
            return nil
        }
        return index..<end
    }

    private static func endsAddress(_ each: Unicode.Scalar) -> Bool {
        "<>\"`".unicodeScalars.contains(each) || Scalars.isSpace(each) || Mark.isMark(each)
    }

    /// A character that no address may have stands here, or an entity that becomes one.
    private func isUnsafe(at place: Int, orOneOf more: String = "") -> Bool {
        var each = text[place]
        if !isPlain, each == "&", let (scalars, _) = Entity.read(text, at: place) { each = scalars[0] }
        return SafeAddress.isOdd(each) || more.unicodeScalars.contains(each)
    }

    /// `tel:`, a digit, and two to thirty more digits and signs.
    private func phoneExtent() -> Range<Int>? {
        guard Scalars.hasPrefix(text, "tel:", at: index) else { return nil }
        var end = index + 4
        if end < text.count, text[end] == "+" { end += 1 }
        guard end < text.count, Scalars.isDigit(text[end]) else { return nil }
        let more = text[(end + 1)...].prefix(30).prefix {
            Scalars.isDigit($0) || "().-".unicodeScalars.contains($0)
        }
        return more.count >= 2 ? index..<(end + 1 + more.count) : nil
    }

    /// A name of at most 64 characters, `@`, and labels of at most 63, joined by two to nine dots.
    private func mailExtent() -> Range<Int>? {
        let name = text[(index + 1)...].prefix(64).prefix { each in
            Scalars.isWord(each) || "_.%+-".unicodeScalars.contains(each)
        }
        let at = index + 1 + name.count
        guard name.count < 64, at < text.count, text[at] == "@" else { return nil }
        func label(_ start: Int) -> Int {
            guard start < text.count else { return 0 }
            return text[start...].prefix(63).prefix { Scalars.isWord($0) || $0 == "-" }.count
        }
        let first = label(at + 1)
        guard first > 0 else { return nil }
        var end = at + 1 + first
        var dots = 0
        while dots < 8, end < text.count, text[end] == ".", label(end + 1) > 0 {
            end += 1 + label(end + 1)
            dots += 1
        }
        return dots > 0 ? index..<end : nil
    }
}
