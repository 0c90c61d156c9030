import Clocks
import Texts

/// Block of a fixture with checked names: each occurs once, and none is unknown.
struct Block {
    let value: JSON5Value
    let members: [JSON5Member]
    /// Known names that the block has under a former or misspelt name.
    var meant: Set<String> = []

    func has(_ name: String) -> Bool { meant.contains(name) || self[name] != nil }

    subscript(name: String) -> JSON5Value? { members.first { $0.name == name }?.value }

    /// Returns the name's offset, or the block's offset if the name is missing.
    func nameStart(_ name: String) -> Int {
        members.first { $0.name == name }?.nameStart ?? value.start
    }
}

/// Reads values with ``ValueReader``.
extension FixtureCompiler {
    /// Reads a block, and reports unknown names and missing required ones.
    mutating func block(_ value: JSON5Value, _ form: BlockForm, also: [String] = []) -> Block? {
        let block = block(value, form.owner, known: form.names + also)
        if let block { require(form.needed, in: block, form.owner) }
        return block
    }

    /// Reads a block and reports names outside `known`. `owner` names the block with an article: `A rule`.
    mutating func block(_ value: JSON5Value, _ owner: String, known: [String]) -> Block? {
        guard let members = members(of: value, owner) else { return nil }
        var kept: [JSON5Member] = []
        var meant: Set<String> = []
        for member in members {
            if known.contains(member.name) {
                kept.append(member)
            } else {
                reportUnknown(member, in: owner, known: known)
                if let now = FormerNames.keys[member.name], known.contains(now) {
                    // The value is still read, so that former names inside it are reported too.
                    if !members.contains(where: { $0.name == now }) { kept.append(member.renamed(now)) }
                    meant.insert(now)
                    continue
                }
                if let name = self.meant(by: member.name, among: known) { meant.insert(name) }
            }
        }
        return Block(value: value, members: kept, meant: meant)
    }

    /// Reads a block without a check of its names.
    mutating func members(of value: JSON5Value, _ owner: String) -> [JSON5Member]? {
        guard case .object(let members) = value.content else {
            let form = blockForm(of: value, owner)
            report(
                .wrongType, at: value, "\(owner) must be a block in { }, not \(value.kindName).",
                fix: form.map { "write \($0.shown)" }, replacement: form?.replacement)
            return nil
        }
        var seen: Set<String> = []
        // The JSON5 reader has already reported repeated names.
        return members.filter { seen.insert($0.name).inserted }
    }

    mutating func reportUnknown(_ member: JSON5Member, in owner: String, known: [String]) {
        guard tellsErrors else { return }
        if let now = FormerNames.keys[member.name], known.contains(now) || Self.verbNames.contains(now) {
            return reportFormer(member.name, now, at: member.nameStart)
        }
        let name = MessageFormat.shortened(member.name)
        let meant = meant(by: member.name, among: known)
        let help = meant.map { "Did you mean \"\($0)\"?" } ?? "It knows \(known.joined(separator: ", "))."
        report(
            .unknownName, at: member.nameStart, "\(owner) has nothing called \"\(name)\". \(help)",
            replacement: replacement(of: member.name, at: member.nameStart, by: meant))
    }

    /// Returns a correction for a value that should have been a block.
    private func blockForm(
        of value: JSON5Value, _ owner: String
    ) -> (shown: String, replacement: Finding.Replacement?)? {
        switch (owner, value.content) {
        case ("A reply step", .text):
            let source = document.source(of: value)
            return (
                "{ say: \(MessageFormat.shortened(source)) }",
                replacement(of: value, by: "{ say: \(source) }")
            )
        case ("\"if\"", .text(let text)):
            // Splits a comparison such as `treatment == 'filling'`.
            let parts = text.split(whereSeparator: { " ='\"".contains($0) }).map(String.init)
            guard parts.count >= 2, text.contains("="), !text.contains("!"), Self.isSlotName(parts[0]) else {
                return nil
            }
            let block = "{ \(parts[0]): \"\(parts.dropFirst().joined(separator: " "))\" }"
            return (block, replacement(of: value, by: block))
        case ("\"memory\"", .list(let items)):
            let names = items.compactMap { item in
                if case .text(let name) = item.content, Self.isSlotName(name) { name } else { nil }
            }
            guard !names.isEmpty, names.count == items.count else { return nil }
            let block = "{ \(names.map { "\($0): null" }.joined(separator: ", ")) }"
            return (MessageFormat.shortened(block), replacement(of: value, by: block))
        default: return nil
        }
    }

    private mutating func read<Result>(
        _ value: JSON5Value, _ name: String, code: FindingCode? = nil,
        _ read: (ValueReader) throws(ValueMistake) -> Result
    ) -> Result? {
        let document = document
        let reader = ValueReader(
            value, named: "\"\(name)\"", source: document.source(of: value), isMute: !tellsErrors)
        do throws(ValueMistake) {
            return try read(reader)
        } catch {
            var replacement: Finding.Replacement?
            if case .text(let wrong) = value.content {
                replacement = self.replacement(of: wrong, at: value.start, by: error.meant)
            }
            report(
                error.code == .wrongType ? code ?? .wrongType : error.code, at: value, error.sentence,
                replacement: replacement)
            return nil
        }
    }

    /// Reports a name that an earlier version of the format used.
    mutating func reportFormer(_ former: String, _ now: String, at offset: Int) {
        report(
            .unknownName, at: offset, FormerNames.sentence(former, now),
            fix: Self.formerFix(former, now), replacement: replacement(ofFormer: former, now, at: offset))
    }

    static func formerFix(_ former: String, _ now: String) -> String {
        "write \"\(now)\" in place of \"\(former)\""
    }

    /// Returns an edit that replaces the former name at or after `offset`; nil if the name is written with escapes.
    private func replacement(ofFormer former: String, _ now: String, at offset: Int) -> Finding.Replacement? {
        let bytes = document.bytes
        let opening = Array("\"'{ \t".utf8)
        var start = offset
        while start < bytes.count, opening.contains(bytes[start]) { start += 1 }
        guard bytes[start...].starts(with: former.utf8) else { return nil }
        return replacement(of: former, from: start, by: now, isFormerName: true)
    }

    /// Returns an edit that replaces the former code in a `// lint:` comment; nil if the comment does not contain it.
    func replacement(
        ofFormer former: String, _ now: String, in comment: JSON5LintComment
    ) -> Finding.Replacement? {
        let bytes = document.bytes
        let word = Array(former.utf8)
        let end = bytes[comment.start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
        guard comment.start < end - word.count else { return nil }
        for start in comment.start + 1...end - word.count
        where bytes[start - 1] == UInt8(ascii: " ") && bytes[start...].starts(with: word) {
            return replacement(of: former, from: start, by: now, isFormerName: true)
        }
        return nil
    }

    /// Members that are lists of steps. A plain text in such a list was probably meant to be a `say` step.
    static let stepLists = ["replies", "greeting", "opens"]

    mutating func list(_ value: JSON5Value, _ name: String) -> [JSON5Value]? {
        if case .list(let items) = value.content { return items }
        let source = document.source(of: value)
        var item = source
        var more = ""
        if case .text(let text) = value.content {
            if Self.stepLists.contains(name) { item = "{ say: \(source) }" }
            let numbers = text.split { $0 == "," || $0 == " " }
            if name == "positions", !numbers.isEmpty, numbers.allSatisfy({ Int($0) != nil }) {
                (item, more) = (numbers.joined(separator: ", "), ", numbers without quotes")
            }
        }
        let isOffered = value.content != .null && value.content != .object([]) && !value.isFlag
        report(
            .wrongType, at: value, "\"\(name)\" must be a list in [ ], not \(value.kindName).",
            fix: isOffered ? "write \(name): [\(MessageFormat.shortened(item))]\(more)" : nil,
            replacement: isOffered ? replacement(of: value, by: "[\(item)]") : nil)
        return nil
    }

    mutating func text(_ value: JSON5Value, _ name: String) -> String? {
        read(value, name) { reader throws(ValueMistake) in try reader.text() }
    }

    mutating func filledText(_ value: JSON5Value, _ name: String) -> String? {
        read(value, name) { reader throws(ValueMistake) in try reader.filledText() }
    }

    mutating func flag(_ value: JSON5Value, _ name: String) -> Bool? {
        read(value, name) { reader throws(ValueMistake) in try reader.flag() }
    }

    mutating func number(_ value: JSON5Value, _ name: String) -> Double? {
        read(value, name) { reader throws(ValueMistake) in try reader.number() }
    }

    mutating func whole(
        _ value: JSON5Value, _ name: String, in range: ClosedRange<Int>, code: FindingCode = .wrongType
    ) -> Int? {
        read(value, name, code: code) { reader throws(ValueMistake) in try reader.whole(in: range) }
    }

    mutating func word(_ value: JSON5Value, _ name: String, among known: [String]) -> String? {
        read(value, name) { reader throws(ValueMistake) in try reader.word(among: known) }
    }

    mutating func interval(_ value: JSON5Value, _ name: String) -> Interval? {
        guard let interval = read(value, name, { reader throws(ValueMistake) in try reader.interval() })
        else { return nil }
        guard interval <= FixtureLimits.longestInterval else {
            let most = FixtureLimits.longestInterval.seconds / 3_600
            let text = if case .text(let text) = value.content { text } else { "" }
            let source = "\"\(MessageFormat.shortened(text))\""
            report(
                .duration, at: value, "\(source) is too long: nothing in a fixture takes over \(most) hours.")
            return nil
        }
        return interval
    }

    /// Reads a percentage: `"20%"` is 0.2.
    mutating func share(_ value: JSON5Value, _ name: String) -> Double? {
        guard case .text(let text) = value.content, let share = ValueSyntax.share(text) else {
            let source = MessageFormat.shortened(document.source(of: value))
            report(.wrongType, at: value, "\"\(name)\" cannot be \(source). Write a share such as \"20%\".")
            return nil
        }
        return share
    }

    mutating func require(_ names: [String], in block: Block, _ owner: String) {
        let missing = names.filter { !block.has($0) }
        guard !missing.isEmpty else { return }
        let list = MessageFormat.alternatives(missing.map { "\"\($0)\"" })
        report(.missingPart, at: block.value, "\(owner) needs \(list).")
    }
}
