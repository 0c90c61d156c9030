extension RowFilter {
    /// Returns a hint such as `nothing here is called USER_MESAGE; did you mean type:USER_MESSAGE?`, if there is one.
    package func hint(among timeline: Timeline) -> String? {
        for term in terms.sorted(by: { $0.place < $1.place }) where !term.isNegated {
            if let hint = term.hint(among: timeline, names) { return hint }
        }
        return nil
    }
}

extension FilterTerm {
    fileprivate func hint(among timeline: Timeline, _ events: EventNames) -> String? {
        switch test {
        case .type(let names): hint("type", names, events, timeline) { [$0.type] }
        case .id(let field, let values):
            hint(field.rawValue, values.filter { !$0.isLast }.map(\.name), nil, timeline) {
                field.ids($0)
            }
        case .text: textHint(timeline, events)
        default: nil
        }
    }

    /// Returns a hint for the first name that matches neither a known event nor any row.
    private func hint(
        _ field: String, _ names: [NamePattern], _ events: EventNames?, _ timeline: Timeline,
        _ found: (Row) -> [String]
    ) -> String? {
        var strange = names.filter { name in events?.all.contains { name.takes($0) } != true }
        guard !strange.isEmpty else { return nil }
        var seen: Set<String> = []
        // Reads one row at a time, because a list of all rows would copy all their bytes.
        for number in timeline.firstNumber..<timeline.lastNumber + 1 {
            for text in timeline.row(number).map(found) ?? [] where seen.insert(text).inserted {
                strange.removeAll { $0.takes(text) }
            }
            if strange.isEmpty { return nil }
        }
        guard let name = strange.first else { return nil }
        let meant = Spelling.likely(name.text, in: seen.sorted(), events)
        return Self.sentence(field, name.text, meant)
    }

    private static func sentence(_ field: String, _ text: String, _ meant: String?) -> String {
        let what =
            switch field {
            case "type": "nothing here is called \(text)"
            case "session": "no session here is called \(text)"
            case "corr": "nothing here has the id \(text)"
            default: "no \(field) here is called \(text)"
            }
        guard let meant else { return what }
        let isPlain = !meant.contains { $0.isWhitespace || $0 == "," || $0 == "\"" }
        return "\(what); did you mean \(field):\(isPlain ? meant : "\"\(meant)\"")?"
    }

    /// Returns a hint for a text that no row has, if it looks like a field (`dir=in`) or an event name.
    private func textHint(_ timeline: Timeline, _ events: EventNames) -> String? {
        guard let first = text.utf8.first, first != UInt8(ascii: "\"") else { return nil }
        var meant: String?
        if let sign = text.firstIndex(of: "="),
            let field = FilterParser.fields.first(where: { $0 == text[..<sign].lowercased() })
        {
            meant = "\(field):\(text[text.index(after: sign)...])"
        } else if text.utf8.allSatisfy({ 0x41...0x5A ~= $0 || $0 == 0x5F || $0 == 0x2A }), text.contains("_")
        {
            meant = Spelling.likely(text, in: [], events).map { "type:\($0)" }
        }
        guard let meant else { return nil }
        for number in timeline.firstNumber..<timeline.lastNumber + 1 {
            if let row = timeline.row(number), test.holds(row, now: row.time) { return nil }
        }
        return "the text \(text) is nowhere here; did you mean \(meant)?"
    }
}

extension Spelling {
    /// Returns the likely spelling of `text`, which may begin or end with stars.
    fileprivate static func likely(_ text: String, in names: [String], _ events: EventNames?) -> String? {
        let core = text.drop { $0 == "*" || $0 == "_" }
        let end = core.lastIndex { $0 != "*" && $0 != "_" }
        guard let end, !core[...end].contains("*") else { return nil }
        let known = (events?.withParts ?? []) + names.prefix(TimelineLimits.comparedNames)
        guard let meant = nearest(to: String(core[...end]), in: known) else { return nil }
        return text[..<core.startIndex] + meant + core[core.index(after: end)...]
    }
}
