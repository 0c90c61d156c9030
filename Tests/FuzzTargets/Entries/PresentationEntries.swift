import ChatPresentation

/// What apps show of talks: the grammar of messages, and rows.
enum PresentationEntries {
    static let words = [
        "**", "__", "*", "_", "`", "```\n", "[", "](", ")", "https://", "mailto:", "tel:+", "@a.b", "<b>",
        "</b>",
        "<a href=\"https://a\">", "</a>", "<code>", "</code>", "<ul>", "<ol>", "<li>", "</ul>", "<br>", "<p>",
        "<script>", "</script>", "<!--", "-->", "- ", "  - ", "1. ", "# ", "\n\n", "\r\n", "&amp;", "&#x2A;",
        "&lt;",
        "\u{202E}", "\u{200D}", "\\", "javascript:",
    ]

    /// A text that grows in pieces ends as it is read whole; no address leads astray, and the tree is no larger than
    /// the text.
    static func markup(_ bytes: [UInt8]) throws(BrokenRule) -> Trait {
        var input = FuzzInput(bytes)
        let seed = input.control()
        // Long enough that work beyond the linear is seen as slow.
        let bytes = input.rest.prefix(16_384)
        let text = String(decoding: bytes, as: UTF8.self)
        let whole = MessageText.parse(text)
        var reader = MessageTextReader()
        var grown: [UInt8] = []
        // What is open is read again with each piece: thirty of them, and of no long text, keep an input cheap.
        for piece in Pieces(Array(bytes.prefix(2_000)), seed: seed) {
            let isDue = grown.count / 64 != (grown.count + piece.count) / 64
            grown += piece
            if isDue { _ = reader.read(String(decoding: grown, as: UTF8.self), isOpen: true) }
        }
        try require(reader.read(text) == whole, "a text that grew is read otherwise")
        var trait = Trait("markup")
        for block in whole + MessageText.literal(text) {
            switch block {
            case .paragraph(let inlines): try check(inlines, depth: 0, &trait)
            case .code(_, let language): trait.add(language == nil ? 1 : 2)
            case .list(let list):
                try require(!list.items.isEmpty, "a list without items")
                for item in list.items {
                    try check(item.text, depth: 0, &trait)
                    for inner in item.inner?.items ?? [] { try check(inner.text, depth: 0, &trait) }
                }
            }
        }
        let plain = MessageText.plain(whole)
        try require(
            plain.unicodeScalars.count <= 2 * text.unicodeScalars.count + 16, "words came out of nowhere")
        trait.add(roughly: whole.count)
        return trait
    }

    private static func check(
        _ inlines: [MessageText.Inline], depth: Int, _ trait: inout Trait
    ) throws(BrokenRule) {
        // A heading, four marks, and an address inside of them.
        try require(depth <= 6, "marks in marks in marks")
        for inline in inlines {
            switch inline {
            case .text(let text):
                try require(!text.isEmpty, "an empty text")
                trait.add(depth)
            case .code(let code): try require(!code.isEmpty, "empty code")
            case .strong(let inner), .emphasis(let inner):
                trait.add(10 + depth)
                try check(inner, depth: depth + 1, &trait)
            case .link(let address, let inner):
                trait.add(20 + depth)
                let address = address.lowercased()
                // By bytes: a joiner behind a slash makes another character of it.
                let isSafe = ["http://", "https://", "mailto:", "tel:"].contains {
                    address.utf8.starts(with: $0.utf8)
                }
                try require(
                    isSafe && !address.contains { $0.isWhitespace || $0 == "\\" }, "a link to \(address)")
                try check(inner, depth: depth + 1, &trait)
            }
        }
    }

    /// Rows that are patched are those that would be made anew, whatever happens in whatever order, and changes lead
    /// from each list of rows to the next.
    static func rows(_ bytes: [UInt8]) throws(BrokenRule) -> Trait {
        var input = FuzzInput(bytes)
        var options = ChatModel.Options()
        let choice = input.control()
        options.isProgressive = choice & 1 == 0
        options.delivery =
            choice & 2 == 0 ? .reported : .timed(waitsForever: choice & 4 != 0, repeats: choice & 8 != 0)
        var chat = ChatModel(options: options)
        var patched: [ChatRow] = []
        var now: Milliseconds = 1_768_469_400_000
        var trait = Trait("rows")
        while !input.isAtEnd {
            let action = action(&input, at: now)
            now += Milliseconds(1 << (input.control() & 31)) / 16
            // Ticks come at their time; there is always an end to them.
            for _ in 0..<200 {
                guard let next = chat.nextDeadline(after: now), next <= now else { break }
                patch(&patched, chat.apply(.tick, at: now))
            }
            patch(&patched, chat.apply(action, at: now))
            let next = chat.nextDeadline(after: now)
            try require(next.map { $0 > now } ?? true, "a deadline that has passed stays")
            try require(patched == chat.rows, "the changes do not lead to the rows")
        }
        try require(Set(chat.rows.map(\.id)).count == chat.rows.count, "two rows have one id")
        for index in chat.rows.indices {
            try check(chat.rows, index)
            trait.add(chat.rows[index].position == .single ? 1 : 2)
            trait.add(chat.rows[index].message?.speaker == .user ? 1 : 2)
        }
        for suggestion in chat.suggestions { trait.add(roughly: suggestion.text.utf8.count) }
        trait.add(chat.ending?.rawValue ?? "on")
        return trait
    }

    private static func patch(_ rows: inout [ChatRow], _ effects: [ChatEffect]) {
        for case .rows(let change) in effects {
            switch change {
            case .inserted(let row, let index): rows.insert(row, at: index)
            case .updated(let row, let index): rows[index] = row
            case .removed(let index): rows.remove(at: index)
            }
        }
    }

    /// The group and the divider of a row, reckoned from all rows.
    private static func check(_ rows: [ChatRow], _ index: Int) throws(BrokenRule) {
        let row = rows[index]
        func isTogether(_ first: Int, _ second: Int) -> Bool {
            guard rows.indices.contains(first), rows.indices.contains(second), !rows[second].hasUnreadDivider,
                let upper = rows[first].message, let lower = rows[second].message
            else { return false }
            return upper.speaker == lower.speaker && upper.name == lower.name
                && abs(rows[second].at - rows[first].at) <= 300_000 && day(rows[first]) == day(rows[second])
        }
        guard row.message != nil else { return }
        let (up, down) = (isTogether(index - 1, index), isTogether(index, index + 1))
        try require(
            row.position.isFirst == !up && row.position.isLast == !down, "row \(index): its group is stale")
        let before = rows[..<index].last { $0.message != nil }
        let divides = before.map { row.at - $0.at > 300_000 || day($0) != day(row) } ?? true
        try require(row.hasTimeDivider == divides, "row \(index): its divider is stale")
    }

    private static func day(_ row: ChatRow) -> Int64 { Int64((Double(row.at) / 86_400_000).rounded(.down)) }

    private static func action(_ input: inout FuzzInput, at now: Milliseconds) -> ChatAction {
        let ids = ["a", "b", "c", "d", ""]
        let kind = input.control() & 31
        let id = ids[(input.control() & 31) % 5]
        let others: [ChatAction] = [
            .say(id: id, text: "x"), .retry(id: id, freshID: id + "2"), .remove(id: id), .failed(id: id),
            .confirmed(id: id, messageID: id), .opened, .lost, .closed, .end, .hidden, .shown, .scrolledUp,
            .reachedEnd, .resumed(after: id), .active, .note(key: "copied"),
        ]
        if kind < others.count { return others[kind] }
        let number = input.control() & 15
        let content = ChatEvent.Content(
            id: id, text: number == 3 ? "" : "x", name: number & 4 == 0 ? "Ada" : nil,
            suggestions: number & 8 == 0 ? [] : [RowSuggestion(text: "Yes")])
        let events: [ChatEvent.Kind] = [
            .message(content, from: .agent), .message(content, from: .person),
            .chunk(content, index: number & 3, isLast: number > 11),
            .userMessage(id: id, text: "x", draftID: id), .personJoined(name: "Kim", avatar: nil),
            .personLeft(name: nil), .handoffStarted, .queue(position: number, waitSeconds: nil, text: nil),
            .idleWarning, .ended(by: .agent), .agentThinking, .systemMessage(text: "x", level: .error),
            .personTyping(isTyping: number > 7, name: nil), .agentJoined(name: nil, avatar: nil), .userEnded,
            .other,
        ]
        let event = events[kind - others.count]
        let sequence = number == 0 ? nil : input.control() & 31
        return .event(
            ChatEvent(
                id: number & 1 == 0 ? "" : "\(kind)-\(number)", sequence: sequence,
                at: now - Milliseconds(number) * 40_000, event))
    }
}
