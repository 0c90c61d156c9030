import ConversationEngine
import Matching

/// Compiles a fixture's entity types, the clock's time zone, and times of day such as `09:00`.
extension FixtureCompiler {
    /// Compiles `kinds: { size: ["small", "large"], crust: { thin: ["crispy"], thick: [] } }`.
    mutating func compileKinds(_ top: Block) {
        guard let value = top["kinds"] else { return }
        for member in members(of: value, "\"kinds\"") ?? [] {
            let name = MessageFormat.shortened(member.name)
            if SlotKind(rawValue: member.name) != nil {
                report(
                    .reservedName, at: member.nameStart,
                    "There is a kind \"\(name)\" already; take another name.")
                continue
            }
            guard Self.isSlotName(member.name) else {
                report(
                    .reservedName, at: member.nameStart,
                    "\"\(name)\" cannot stand in a gap: a name has letters, digits, _ and -, and begins "
                        + "with a letter.")
                continue
            }
            map.kinds[member.name] = document.place(at: member.nameStart)
            kinds.append(OwnKind(name: member.name, values: values(of: member)))
        }
    }

    /// Reads the values of an entity type.
    private mutating func values(of kind: JSON5Member) -> [OwnKind.Value] {
        var values: [OwnKind.Value] = []
        var heard: [String: String] = [:]
        switch kind.value.content {
        case .list(let items):
            for item in items {
                guard let name = spelling(item, kind.name) else { continue }
                claim(name, for: name, at: item.start, &heard)
                values.append(OwnKind.Value(name: name))
            }
        case .object:
            for member in members(of: kind.value, "A kind") ?? [] {
                guard isSpelling(member.name, at: member.nameStart) else { continue }
                claim(member.name, for: member.name, at: member.nameStart, &heard)
                var value = OwnKind.Value(name: member.name)
                let others: [JSON5Value]
                if case .list(let items) = member.value.content {
                    others = items
                } else {
                    others = [member.value]
                }
                for item in others {
                    guard let text = spelling(item, member.name) else { continue }
                    claim(text, for: member.name, at: item.start, &heard)
                    value.spellings.append(text)
                }
                values.append(value)
            }
        default:
            report(
                .wrongType, at: kind.value,
                "\"\(MessageFormat.shortened(kind.name))\" must be a list of values, or a block of values with their "
                    + "other spellings, not \(kind.value.kindName).")
            return []
        }
        if kind.value.content == .list([]) || kind.value.content == .object([]) {
            report(
                .missingPart, at: kind.value,
                "The kind \"\(MessageFormat.shortened(kind.name))\" has no values, such as [\"small\", \"large\"]."
            )
        }
        return values
    }

    private mutating func spelling(_ value: JSON5Value, _ owner: String) -> String? {
        guard let text = constant(value) else {
            report(
                .wrongType, at: value,
                "\"\(MessageFormat.shortened(owner))\" must be a text or a number here, not \(value.kindName)."
            )
            return nil
        }
        return isSpelling(text, at: value.start) ? text : nil
    }

    private mutating func isSpelling(_ text: String, at offset: Int) -> Bool {
        spellingCount += 1
        guard spellingCount <= FixtureLimits.kindSpellings else {
            if spellingCount == FixtureLimits.kindSpellings + 1 {
                report(
                    .tooMany, at: offset,
                    "The kinds of a fixture have at most \(FixtureLimits.kindSpellings) values and spellings."
                )
            }
            return false
        }
        guard text.utf8.count <= FixtureLimits.phraseBytes else {
            report(
                .tooMany, at: offset,
                "There are \(text.utf8.count) bytes to listen for here; \(FixtureLimits.phraseBytes) are the most."
            )
            return false
        }
        if text.contains("{") {
            report(.badPhrase, at: offset, "A value is plain words; there are no gaps in it.")
            return false
        }
        if PreparedMessage(text).words.isEmpty {
            report(.badPhrase, at: offset, "There is no word to hear in this text.")
            return false
        }
        return true
    }

    /// Records `text` as a spelling of `value`. Reports an error if `text` is already a spelling of another value, or
    /// if the name of `value` occurs twice.
    private mutating func claim(
        _ text: String, for value: String, at offset: Int, _ heard: inout [String: String]
    ) {
        guard let earlier = heard.updateValue(value, forKey: PreparedMessage(text).folded) else { return }
        // Spellings of one value may be equal after folding: "sì" and "si". Only the value's name must not occur twice.
        guard earlier != value || text == value else { return }
        report(
            .duplicateKey, at: offset,
            "\"\(MessageFormat.shortened(text))\" means \"\(MessageFormat.shortened(earlier))\" already.",
            fix: "leave it with one of the values")
    }

    static func isSlotName(_ name: String) -> Bool {
        guard let first = name.unicodeScalars.first, first != "$", JSON5Characters.beginsName(first) else {
            return false
        }
        return name.unicodeScalars.dropFirst().allSatisfy { JSON5Characters.continuesName($0) || $0 == "-" }
    }

    // MARK: Times

    /// Reads `zone: "+01:00"`, the offset of the conversation's clock from UTC.
    mutating func compileZone(_ value: JSON5Value) {
        guard let text = text(value, "zone") else { return }
        if text == "UTC" { return }
        let sign = text.hasPrefix("-") ? -1 : 1
        guard text.hasPrefix("+") || text.hasPrefix("-"), text.utf8.count == 6,
            let minutes = WallTime.minute(text.dropFirst()), minutes <= FixtureLimits.zoneMinutes
        else {
            report(
                .wrongType, at: value,
                "\"zone\" cannot be \"\(MessageFormat.shortened(text))\". Write \"UTC\", \"+01:00\" or \"-05:00\"; there "
                    + "is no summer time.")
            return
        }
        script.zone = sign * minutes * 60
    }

    /// Reads `{ from: "17:00", to: "22:00", days: ["Friday"] }`.
    mutating func hours(_ value: JSON5Value) -> Hours? {
        guard case .object = value.content else {
            report(
                .wrongType, at: value, "\"now\" is compared with hours, not with \(value.kindName).",
                fix: "write { from: \"17:00\", to: \"22:00\" }")
            return nil
        }
        guard let block = block(value, .hours) else { return nil }
        if value.content == .object([]) {
            report(
                .missingPart, at: value,
                "A time of day needs \(MessageFormat.alternatives(BlockForm.hours.names)).")
        }
        var hours = Hours()
        if let from = block["from"].flatMap({ minute($0, "from", upTo: 1_439) }) { hours.from = from }
        if let to = block["to"].flatMap({ minute($0, "to", upTo: 1_440) }) { hours.to = to }
        guard let days = block["days"] else { return hours }
        let items: [JSON5Value]
        if case .list(let several) = days.content { items = several } else { items = [days] }
        if items.isEmpty {
            report(.missingPart, at: days, "\"days\" names no day, such as [\"Friday\", \"Saturday\"].")
        }
        for item in items {
            guard let name = word(item, "days", among: WallTime.weekdays) else { continue }
            if let day = WallTime.weekdays.firstIndex(of: name) { hours.days.append(day) }
        }
        return hours
    }

    private mutating func minute(_ value: JSON5Value, _ name: String, upTo limit: Int) -> Int? {
        guard let text = text(value, name) else { return nil }
        if let minute = WallTime.minute(text[...]), minute <= limit { return minute }
        report(
            .wrongType, at: value,
            "\"\(name)\" cannot be \"\(MessageFormat.shortened(text))\". Write a time of day such as \"17:00\"."
        )
        return nil
    }

    // MARK: Unused

    mutating func findUnusedKinds() {
        for kind in kinds where !map.usedKinds.contains(kind.name) {
            warn(
                .unusedKind, at: map.kinds[kind.name] ?? SourcePlace(),
                "No gap takes the kind \"\(MessageFormat.shortened(kind.name))\".",
                fix: "listen for a gap such as {\(kind.name):\(kind.name)}")
        }
    }
}
