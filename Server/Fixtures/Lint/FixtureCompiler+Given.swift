import ConversationEngine

/// Names that point to something which another part of the file brings about.
extension FixtureCompiler {
    /// Rules that hear the answer to a question which nobody asks. A file with other errors may have asked it.
    mutating func checkHeardQuestions() {
        let isWhole = !findings.contains { $0.severity == .error }
        for (name, offset) in map.heardQuestions where !map.questions.contains(name) {
            guard tellsErrors else { return }
            let help = didYouMean(name, among: map.questions.sorted())
            guard isWhole || help != nil else { continue }
            report(
                .unknownAsk, at: offset,
                "Nobody asks \"\(Words.shortened(name))\"." + (help.map { " " + $0 } ?? ""))
        }
    }

    /// Arguments, answers and tools of the client that have almost the name of one that the file knows. Others may
    /// be there: the client decides what it sends.
    mutating func findMisspeltGiven() {
        let owners = Set(names.tools.keys).union(map.questions)
        map.answers.formUnion(["text", "status", "approved"])
        // By name: each look compares with many others.
        var near: [String: String?] = [:]
        for (name, offset) in map.given {
            if near[name] == nil, near.count < Limits.findings { near[name] = .some(meant(by: name, owners)) }
            guard let help = near[name] ?? nil else { continue }
            warn(
                .unknownSlot, at: document.place(at: offset),
                "Nothing here is called \"\(Words.shortened(name))\". \(help)")
        }
    }

    /// The likely spelling; nil where the name is known, or nothing is near.
    private func meant(by name: String, _ owners: Set<String>) -> String? {
        guard let dot = name.firstIndex(of: ".") else { return nil }
        let (family, rest) = (String(name[...dot]), String(name[name.index(after: dot)...]))
        let known: Set<String>
        switch family {
        case "args.": known = map.arguments
        case "message.": known = Set(DeclaredNames.ofMessages)
        case "tools.": known = Set(names.tools.keys)
        case "answer.": known = map.answers.union(answers(of: owners, for: rest))
        default: return nil
        }
        return known.contains(rest) ? nil : didYouMean(name, among: known.sorted().map { family + $0 })
    }

    /// `answer.pick.text` is what one tool or question was answered: what `rest` may have been meant to be.
    private func answers(of owners: Set<String>, for rest: String) -> Set<String> {
        guard let dot = rest.firstIndex(of: ".") else { return [] }
        let whose = owners.filter { rest.hasPrefix($0 + ".") }
        if whose.isEmpty { return Set(owners.map { $0 + rest[dot...] }) }
        return Set(whose.flatMap { owner in map.answers.map { owner + "." + $0 } })
    }
}
