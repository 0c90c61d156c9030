import Patterns

/// Near-miss report about an unmatched message.
package struct UnmatchedReport: Equatable, Sendable {
    package struct Remembered: Equatable, Sendable {
        package var slot: String
        package var value: String?

        package init(slot: String, value: String?) {
            self.slot = slot
            self.value = value
        }
    }

    package var message: String
    package var stage: String
    /// The current handoff, if a live agent has the conversation.
    package var handoff: String?
    package var session: String
    package var number: Int
    package var file: String
    package var misses: [NearMiss]
    package var memory: [Remembered]
    /// Text of the fallback answer; nil if there was none.
    package var said: String?
    package var saidBy: String

    package init(
        message: String, stage: String, handoff: String? = nil, session: String, number: Int, file: String,
        misses: [NearMiss],
        memory: [Remembered] = [], said: String? = nil, saidBy: String = ""
    ) {
        self.message = message
        self.stage = stage
        self.handoff = handoff
        self.session = session
        self.number = number
        self.file = file
        self.misses = misses
        self.memory = memory
        self.said = said
        self.saidBy = saidBy
    }

    package var text: String {
        var lines = ["Nothing heard \(quoted(message))\(scene) (session \(session), message \(number))."]
        let shown = misses.prefix(3)
        let names = shown.map { shorten($0.name, to: 24) }
        let places = shown.map { $0.place.line > 0 ? "\(file):\($0.place.line)" : "" }
        let nameWidth = names.map(\.count).max() ?? 0
        let placeWidth = places.map(\.count).max() ?? 0
        for (index, miss) in shown.enumerated() {
            lines.append(
                "  \(index + 1)  " + pad(names[index], nameWidth + 3) + pad(places[index], placeWidth + 3)
                    + oneLine(miss.explanation))
        }
        let folded = Folding.fold(message)
        if folded != message { lines.append("  folded  \(quoted(folded))") }
        if !memory.isEmpty {
            let values = memory.map { "\($0.slot) \($0.value.map { shorten($0, to: 24) } ?? "–")" }
            lines.append("  memory  " + oneLine(values.joined(separator: "  ")))
        }
        if let said {
            lines.append("  said    \(quoted(said))" + (saidBy.isEmpty ? "" : "   from \(saidBy)"))
        }
        let advice = advice.prefix(2)
        if !advice.isEmpty { lines.append("  fix?    " + oneLine(advice.joined(separator: ", or "))) }
        return lines.joined(separator: "\n")
    }

    /// Suggested changes for the nearest rules, at most three.
    package var advice: [String] { misses.prefix(3).filter { $0.score >= 300 }.compactMap(\.advice) }

    private var scene: String {
        if let handoff { return " in handoff \"\(shorten(oneLine(handoff), to: 40))\"" }
        return stage.isEmpty ? "" : " in stage \"\(shorten(oneLine(stage), to: 40))\""
    }

    private func quoted(_ text: String) -> String { "\"\(oneLine(shorten(text, to: 120)))\"" }

    private func oneLine(_ text: String) -> String {
        String(text.map { $0.isNewline || $0 == "\t" ? " " : $0 })
    }

    private func shorten(_ text: String, to length: Int) -> String {
        text.prefix(length + 1).count <= length ? text : String(text.prefix(length - 1)) + "…"
    }

    private func pad(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
