import Matching

/// Colons and commas, with special error messages for common mistakes.
extension JSON5Reader {
    mutating func readColon(after name: String, at start: Int) throws(JSON5Problem) {
        let end = index
        try skipSpace()
        guard index < bytes.count, bytes[index] == UInt8(ascii: ":") else {
            if let problem = unopenedName(name, at: start, to: end) ?? barePlaceholder(at: start) {
                throw problem
            }
            throw JSON5Problem(
                noColon(after: name, at: start), at: index,
                correction: isTextAlone() ? .init(range: end..<end, text: ":") : nil)
        }
        index += 1
        try skipSpace()
    }

    /// Returns the error for a name with a closing quote only; nil for other names.
    private func unopenedName(_ name: String, at start: Int, to end: Int) -> JSON5Problem? {
        guard index == end, index + 1 < bytes.count, bytes[index] == UInt8(ascii: "\""),
            bytes[index + 1] == UInt8(ascii: ":"), !isQuote(bytes[start])
        else { return nil }
        return JSON5Problem(
            "the opening quote is missing: write \"\(MessageFormat.shortened(name))\"", at: start,
            correction: .init(range: start..<start, text: "\""))
    }

    /// Whether a string begins at ``index``, and a comma or the end of the block follows it.
    private func isTextAlone() -> Bool {
        guard index < bytes.count, isQuote(bytes[index]) else { return false }
        var ahead = self
        guard (try? ahead.readText()) != nil, (try? ahead.skipSpace()) != nil, ahead.index < bytes.count
        else { return false }
        return ",}".utf8.contains(bytes[ahead.index])
    }

    /// Whether a name and its colon stand at `place`.
    func isName(at place: Int) -> Bool {
        var ahead = self
        ahead.index = place
        guard place < bytes.count, (try? ahead.readName()) != nil, (try? ahead.skipSpace()) != nil,
            ahead.index < bytes.count
        else { return false }
        return bytes[ahead.index] == UInt8(ascii: ":")
    }

    /// Returns the error for a name with a value, such as `name: "x"`, in the place of a member's value. ``index`` is
    /// after the name. Nil if no colon and value follow.
    func unopenedBlock(_ name: String, at start: Int) -> JSON5Problem? {
        var ahead = self
        guard (try? ahead.skipSpace()) != nil, ahead.index < bytes.count,
            bytes[ahead.index] == UInt8(ascii: ":")
        else { return nil }
        ahead.index += 1
        guard (try? ahead.skipSpace()) != nil, ahead.index < bytes.count else { return nil }
        let byte = bytes[ahead.index]
        let isValue =
            isQuote(byte) || byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{")
            || isNumber(byte) && (try? ahead.readNumber()) != nil && (try? ahead.skipSpace()) != nil
                && ahead.index < bytes.count && ",}]".utf8.contains(bytes[ahead.index])
        guard isValue else { return nil }
        return JSON5Problem("a \"{\" is missing before \"\(MessageFormat.shortened(name))\"", at: start)
    }

    /// Returns the error for a text without quotes that begins with a placeholder, such as `{name}, hello`; nil for
    /// other blocks.
    private func barePlaceholder(at start: Int) -> JSON5Problem? {
        guard index < bytes.count, bytes[index] == UInt8(ascii: "}"), start > 0, !isQuote(bytes[start]),
            bytes[start - 1] == UInt8(ascii: "{")
        else { return nil }
        let text = MessageFormat.shortened(String(decoding: bytes[start - 1...index], as: UTF8.self))
        return unopenedText(from: start - 1)
            ?? JSON5Problem("a text needs quotes: write \"\(text)\"", at: start - 1)
    }

    private func noColon(after name: String, at start: Int) -> String {
        let shown = "\"\(MessageFormat.shortened(name))\""
        guard index < bytes.count else { return "expected \":\" after the name \(shown)" }
        switch bytes[index] {
        case UInt8(ascii: "="): return "a \":\" stands between a name and its value, not a \"=\""
        case UInt8(ascii: ","), UInt8(ascii: "}"):
            guard isQuote(bytes[start]) else { break }
            return "\(shown) has no name; several values stand in a list: [\"…\", \(shown)]"
        default: break
        }
        return "expected \":\" after the name \(shown)"
    }

    /// Returns the error for a missing comma or `closing` bracket after `value`. ``index`` is at the byte found
    /// instead.
    func notJoined(_ value: JSON5Value, _ owner: String, closing: String) -> JSON5Problem {
        let end = value.range.upperBound
        if bytes[index] == UInt8(ascii: ";") {
            return JSON5Problem("a comma follows \(owner), not a \";\"", at: index)
        }
        if case .text(let text) = value.content {
            if index == end, let problem = brokenText(text, value) { return problem }
            if closing == "}", let problem = unopenedBlock(text, at: value.start) { return problem }
        }
        if let problem = bareText(value) { return problem }
        let line = lines.place(at: end).line
        switch bytes[index] {
        case _ where closing == "}" && isSecondText():
            return JSON5Problem("several values stand in a list: [\"…\", \"…\"]", at: index)
        case _ where beginsItem(closing: closing):
            guard lines.place(at: index).line > line else {
                return JSON5Problem(
                    "a comma is missing after \(owner)", at: end,
                    correction: isWholeItem(closing: closing) ? .init(range: end..<end, text: ",") : nil)
            }
            return JSON5Problem(
                "a comma is missing at the end of line \(line)", at: end,
                correction: .init(range: end..<end, text: ","))
        default:
            let start = lines.place(at: value.start).line
            return JSON5Problem(
                "expected \",\" or \"\(closing)\" after \(owner) (which starts at line \(start))", at: index)
        }
    }

    /// Returns the error for a string that probably ended at the wrong quote; nil for other strings.
    private func brokenText(_ text: String, _ value: JSON5Value) -> JSON5Problem? {
        let words = MessageFormat.shortened(text)
        // A string without closing quote extends to the next opening quote, as in `"size, hears: "big"`. Such a string
        // ends with punctuation.
        if let last = MessageFormat.trimmed(text).unicodeScalars.last, ":,[{".unicodeScalars.contains(last) {
            let place = lines.place(at: value.start)
            let meant = MessageFormat.trimmed(String(text.prefix { $0 != "," }))
            let advice = meant.isEmpty ? "" : "; write \"\(MessageFormat.shortened(meant))\" if it ends there"
            return JSON5Problem(
                "was a quote forgotten? The text that begins at line \(place.line), column \(place.column) is "
                    + "\"\(words)\"\(advice)", at: value.start)
        }
        guard let (scalar, _) = JSON5Characters.scalar(bytes, at: index),
            JSON5Characters.continuesName(scalar)
        else { return nil }
        let quote = value.range.upperBound - 1
        return bytes[quote] == UInt8(ascii: "'")
            ? JSON5Problem("this ' ends the text; write \"…\" around a text with a ' in it", at: quote)
            : JSON5Problem("this \" ends the text; inside a text it is written \\\"", at: quote)
    }

    /// Returns the error for a text without quotes that begins like a number, `true`, `false` or `null`, such as
    /// `8 seconds`; nil for other values.
    private func bareText(_ value: JSON5Value) -> JSON5Problem? {
        switch value.content {
        case .text, .list, .object: return nil
        case .null, .boolean, .number: break
        }
        if let problem = unopenedText(from: value.start) { return problem }
        guard case .number = value.content, lines.place(at: index).line == lines.place(at: value.start).line
        else { return nil }
        var end = index
        while end < bytes.count, bytes[end] | 0x20 >= 0x61, bytes[end] | 0x20 <= 0x7A { end += 1 }
        let text = String(decoding: bytes[value.start..<end], as: UTF8.self)
        guard let meant = ValueSyntax.intervalMeant(by: text) else { return nil }
        return JSON5Problem(
            "a length of time is a text: write \"\(meant)\"", at: value.start,
            correction: .init(range: value.start..<end, text: "\"\(meant)\""))
    }

    /// Whether a whole value follows in a list, or a name with its colon in an object.
    private func isWholeItem(closing: String) -> Bool {
        var ahead = self
        if closing == "]" {
            switch bytes[index] {
            case UInt8(ascii: "{"), UInt8(ascii: "["): return true
            case let byte where isQuote(byte): guard (try? ahead.readText()) != nil else { return false }
            default: guard isNumber(bytes[index]), (try? ahead.readNumber()) != nil else { return false }
            }
            guard (try? ahead.skipSpace()) != nil, ahead.index < bytes.count else { return false }
            return ",]".utf8.contains(bytes[ahead.index]) || ahead.beginsItem(closing: closing)
        }
        guard (try? ahead.readName()) != nil, (try? ahead.skipSpace()) != nil, ahead.index < bytes.count
        else {
            return false
        }
        return bytes[ahead.index] == UInt8(ascii: ":")
    }

    /// Whether a string without a colon after it begins at ``index``.
    private func isSecondText() -> Bool {
        guard isQuote(bytes[index]) else { return false }
        var ahead = self
        guard (try? ahead.readText()) != nil, (try? ahead.skipSpace()) != nil else { return false }
        return ahead.index >= bytes.count || bytes[ahead.index] != UInt8(ascii: ":")
    }

    /// Whether the byte at ``index`` can begin another item.
    private func beginsItem(closing: String) -> Bool {
        let byte = bytes[index]
        if isQuote(byte) { return true }
        if closing == "]", byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") || isNumber(byte) {
            return true
        }
        guard let (scalar, _) = JSON5Characters.scalar(bytes, at: index) else { return false }
        return JSON5Characters.beginsName(scalar)
    }

    func refuseName(in list: String?, from open: Int, after items: [JSON5Value]) throws(JSON5Problem) {
        guard let (first, _) = JSON5Characters.scalar(bytes, at: index), JSON5Characters.beginsName(first)
        else {
            return
        }
        var end = index
        while let (scalar, length) = JSON5Characters.scalar(bytes, at: end),
            JSON5Characters.continuesName(scalar)
        {
            end += length
        }
        var colon = end
        while colon < bytes.count, bytes[colon] == 0x20 || bytes[colon] == 0x09 { colon += 1 }
        guard colon < bytes.count, bytes[colon] == UInt8(ascii: ":") else { return }
        throw namedItem(
            String(decoding: bytes[index..<end], as: UTF8.self), at: index, in: list, from: open, after: items
        )
    }

    /// Returns the error for a name in a list.
    func namedItem(
        _ name: String, at offset: Int, in list: String?, from open: Int, after items: [JSON5Value]
    ) -> JSON5Problem {
        let isStep =
            list.map(FixtureCompiler.stepLists.contains) == true && FixtureCompiler.verbNames.contains(name)
        let isKnown = items.last?[name] != nil || isStep && !items.isEmpty
        if isStep, items.isEmpty {
            return JSON5Problem("each step stands in its own { }: [\(bareSteps(at: offset))]", at: open)
        }
        let name = MessageFormat.shortened(name)
        if isKnown { return JSON5Problem("a \"{\" is missing before \"\(name)\"", at: offset) }
        guard items.isEmpty else {
            return JSON5Problem(
                "a \"]\" is missing before \"\(name)\": the list opened in line \(lines.place(at: open).line) "
                    + "is still open", at: offset)
        }
        let owner = list.map { "\"\(MessageFormat.shortened($0))\"" } ?? "what has names"
        return JSON5Problem("\(owner) is a block: write { \(name): … } in place of [ \(name): … ]", at: open)
    }

    /// Returns the first two steps of a list whose steps have no braces, such as `{ say: … }, { leave: … }`.
    private func bareSteps(at offset: Int) -> String {
        var ahead = self
        ahead.index = offset
        var steps: [[String]] = []
        while ahead.isName(at: ahead.index), let name = try? ahead.readName(), (try? ahead.skipSpace()) != nil
        {
            if steps.isEmpty || FixtureCompiler.verbNames.contains(name) { steps.append([]) }
            guard steps.count <= 2 else {
                steps.removeLast()
                break
            }
            steps[steps.count - 1].append("\(MessageFormat.shortened(name)): …")
            ahead.index += 1
            guard (try? ahead.skipSpace()) != nil, (try? ahead.readValue(depth: 0, name: name)) != nil,
                (try? ahead.skipSpace()) != nil, ahead.index < bytes.count,
                bytes[ahead.index] == UInt8(ascii: ",")
            else { break }
            ahead.index += 1
            guard (try? ahead.skipSpace()) != nil else { break }
        }
        return steps.map { "{ \($0.joined(separator: ", ")) }" }.joined(separator: ", ")
    }

    private func isNumber(_ byte: UInt8) -> Bool {
        JSON5Escape.isDigit(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+")
            || byte == UInt8(ascii: ".")
    }

    private func isQuote(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") }
}
