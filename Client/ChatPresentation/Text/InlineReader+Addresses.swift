extension InlineReader {
    /// Whether an address can begin at ``index``: not in the middle of a word.
    var canBeginAddress: Bool {
        guard index > 0 else { return true }
        let before = text[index - 1]
        return !Scalars.isWord(before) && before != "_" && before != "@"
    }

    /// Reads an address at ``index``. Returns false if there is none.
    mutating func readAddress() -> Bool {
        if let extent = webExtent() { return put(extent) }
        if let extent = phoneExtent() { return put(trimmed(extent)) }
        guard let extent = mailExtent() else { return false }
        let name = text[extent].reversed().drop { $0 == "." || $0 == "-" }.count
        return put(index..<(index + name), scheme: "mailto:")
    }

    private mutating func put(_ extent: Range<Int>, scheme: String = "") -> Bool {
        let words = isPlain ? Array(text[extent]) : Entity.unescaped(text[extent])
        guard !extent.isEmpty, let address = SafeAddress.link(Array(scheme.unicodeScalars) + words) else {
            return false
        }
        put(.link(address, [.text(Scalars.string(words))]))
        index = extent.upperBound
        return true
    }

    /// Removes trailing punctuation, also if it is escaped, and trailing closing parentheses without an opening one in
    /// the address.
    private func trimmed(_ extent: Range<Int>) -> Range<Int> {
        var pieces: [(start: Int, meant: Unicode.Scalar)] = []
        var place = extent.lowerBound
        while place < extent.upperBound {
            let (meant, end) = piece(at: place)
            pieces.append((place, meant))
            place = end
        }
        var surplus = pieces.reduce(0) { $0 + ($1.meant == ")" ? 1 : $1.meant == "(" ? -1 : 0) }
        var end = extent.upperBound
        while let last = pieces.last {
            if last.meant == ")", surplus > 0 {
                surplus -= 1
            } else if !".,;:!?'*_\\".unicodeScalars.contains(last.meant) {
                break
            }
            end = last.start
            pieces.removeLast()
        }
        return extent.lowerBound..<end
    }

    /// Decodes the character, escape or entity at a place and returns the index after it.
    private func piece(at place: Int) -> (meant: Unicode.Scalar, end: Int) {
        if !isPlain {
            if text[place] == "&", let (scalars, end) = Entity.read(text, at: place) {
                return (scalars[0], end)
            }
            if isEscape(at: place) { return (text[place + 1], place + 2) }
        }
        return (text[place], place + 1)
    }

    // MARK: Extents

    /// Returns the extent of a safe http or https URL. After an unsafe URL, no URL is searched before ``oddIndex``, so
    /// that the time stays linear.
    private mutating func webExtent() -> Range<Int>? {
        guard index >= oddIndex, Scalars.lowercased(text[index]) == "h",
            let scheme = ["https://", "http://"].first(where: { Scalars.hasPrefix(text, $0, at: index) })
        else { return nil }
        let host = index + scheme.utf8.count
        guard host < text.count, !"/?#".unicodeScalars.contains(piece(at: host).meant) else { return nil }
        var end = host
        while end < text.count {
            let next = piece(at: end)
            if Self.endsAddress(next.meant) { break }
            end = next.end
        }
        let extent = trimmed(host..<end)
        guard !extent.isEmpty else { return nil }
        var (isSafe, place) = (true, host)
        while isSafe, place < extent.upperBound {
            let next = piece(at: place)
            isSafe = !SafeAddress.isOdd(next.meant)
            place = next.end
        }
        guard !isSafe else { return index..<extent.upperBound }
        oddIndex = (extent.last { SafeAddress.isOdd(text[$0]) || isNumbered(at: $0) } ?? index) + 1
        return nil
    }

    private static func endsAddress(_ each: Unicode.Scalar) -> Bool {
        "<>\"`".unicodeScalars.contains(each) || Scalars.isSpace(each) || Mark.isMark(each)
            || Scalars.isSentenceSign(each)
    }

    private func isNumbered(at place: Int) -> Bool {
        text[place] == "&" && place + 1 < text.count && text[place + 1] == "#"
            && Entity.read(text, at: place) != nil
    }

    /// Returns the extent of a `tel:` URL: `tel:`, an optional plus sign, a digit, and 2 to 30 digits or signs.
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

    /// Returns the extent of an e-mail address. Name up to 64 characters; labels up to 63, joined by one to eight dots.
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
