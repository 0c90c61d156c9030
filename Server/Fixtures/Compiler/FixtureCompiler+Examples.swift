import ConversationEngine
import Matching
import Texts

/// Compiles examples (fixtures/README.md#examples).
extension FixtureCompiler {
    private static let lineKinds =
        Example.Speaker.allCases.map(\.rawValue)
        + ["queue", "end", "tool", "asks", "state", "fails", "event", "answer", "decline"]

    mutating func compileExample(_ value: JSON5Value) {
        guard let block = block(value, .example) else { return }
        let name = block["name"].flatMap { filledText($0, "name") } ?? ""
        var lines: [Example.PlacedLine] = []
        for item in block["talk"].flatMap({ list($0, "talk") }) ?? [] {
            if let line = exampleLine(item) { lines.append(Example.PlacedLine(line, place: place(of: item))) }
        }
        examples.append(
            Example(
                name: name, place: place(of: value), lines: lines,
                now: block["now"].flatMap { exampleTime($0) },
                memory: block["memory"].map { exampleMemory($0) } ?? [:]))
    }

    private mutating func exampleTime(_ value: JSON5Value) -> WallTime? {
        guard let text = text(value, "now") else { return nil }
        if let time = WallTime(text) { return time }
        let day = text.split(separator: " ").first.map(String.init) ?? ""
        let help =
            text.contains(" ") ? didYouMean(day, among: WallTime.weekdays).map { " " + $0 } ?? "" : ""
        report(
            .wrongType, at: value,
            "\"now\" cannot be \"\(MessageFormat.shortened(text))\". Write \"21:00\" or \"Monday 21:00\".\(help)"
        )
        return nil
    }

    private mutating func exampleMemory(_ value: JSON5Value) -> [String: String] {
        var memory: [String: String] = [:]
        for member in members(of: value, "\"memory\"") ?? [] {
            guard let slot = memorySlot(member.name, at: member.nameStart) else { continue }
            guard let text = constant(member.value) else {
                report(
                    .wrongType, at: member.value,
                    "What an example begins with is a text or a number, not \(member.value.kindName).")
                continue
            }
            map.filled.insert(slot)
            map.fillers[slot, default: []].insert("")
            memory[slot] = text
        }
        return memory
    }

    private mutating func exampleLine(_ value: JSON5Value) -> Example.Line? {
        guard let text = text(value, "talk") else { return nil }
        guard let colon = text.firstIndex(of: ":") else {
            report(
                .unknownName, at: value, "A line of a talk begins with who speaks.",
                fix: "begin it with \(MessageFormat.alternatives(Self.lineKinds.map { $0 + ":" }))")
            return nil
        }
        let kind = String(text[..<colon])
        let words = Self.trimmed(text[text.index(after: colon)...])
        switch kind {
        case "queue":
            guard let position = ValueSyntax.count(words, upTo: FixtureLimits.queuePosition) else {
                report(.wrongType, at: value, "A queue line has a number from 1, as in \"queue: 3\".")
                return nil
            }
            return .queue(position)
        case "end":
            guard let reason = EndReason(rawValue: String(words)) else {
                report(
                    .wrongType, at: value,
                    "An end line has natural, user or abandoned, as in \"end: natural\".")
                return nil
            }
            return .end(reason)
        case "tool", "asks", "state", "fails", "event", "answer", "decline":
            return runLine(kind, String(words), value)
        default:
            guard let speaker = Example.Speaker(rawValue: kind) else {
                if let now = FormerNames.lines[kind], Self.lineKinds.contains(now) {
                    reportFormer(kind + ":", now + ":", at: value.start)
                    return nil
                }
                let help =
                    didYouMean(kind, among: Self.lineKinds)
                    ?? "It can be \(MessageFormat.alternatives(Self.lineKinds))."
                report(
                    .unknownName, at: value,
                    "Nobody is called \"\(MessageFormat.shortened(kind))\" here. \(help)")
                return nil
            }
            return says(speaker, words, value)
        }
    }

    /// Reads a line about a run, such as `tool: get_weather Leeds` or `answer: pick_date 2026-12-03`.
    private mutating func runLine(
        _ kind: String, _ words: String, _ value: JSON5Value
    ) -> Example.Line? {
        guard !words.isEmpty else {
            report(.missingPart, at: value, "This line has no words after \"\(kind):\".")
            return nil
        }
        if kind == "asks" { return .asks(words) }
        if kind == "state" { return .state(words) }
        if kind == "fails" { return .fails(words) }
        if kind == "event" { return .event(words) }
        // Tool names may contain spaces, so the longest known name is used.
        let name =
            names.tools.keys.filter { words == $0 || words.hasPrefix($0 + " ") }.max { $0.count < $1.count }
            ?? String(words.prefix { $0 != " " })
        guard names.tools[name] != nil else {
            reportMissing(
                .unknownTool, "No tool is called \"\(MessageFormat.shortened(name))\".", name, in: ["tools"],
                among: names.tools.keys.sorted(), at: value.start)
            return nil
        }
        let rest = String(Self.trimmed(words.dropFirst(name.count)))
        return kind == "tool" ? .tool(name, rest) : .answers(tool: name, rest, isFailure: kind == "decline")
    }

    private mutating func says(
        _ speaker: Example.Speaker, _ words: Substring, _ value: JSON5Value
    ) -> Example.Line? {
        let isExact = words.hasPrefix("exactly:")
        let wanted = isExact ? Self.trimmed(words.dropFirst(8)) : words
        guard !wanted.isEmpty else {
            report(.missingPart, at: value, "This line has no words after \"\(speaker.rawValue):\".")
            return nil
        }
        guard !isExact || speaker != .user else {
            report(
                .wrongType, at: value,
                "\"exactly:\" goes with what is answered; a user line is said as it is.",
                fix: "remove \"exactly:\"")
            return nil
        }
        return .says(speaker, String(wanted), isExact: isExact)
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text.drop { $0 == " " || $0 == "\t" }
        while let last = text.last, last == " " || last == "\t" { text = text.dropLast() }
        return text
    }
}
