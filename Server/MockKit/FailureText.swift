import Clocks

/// The text of a failed expectation.
struct FailureText {
    var expectation: Check
    var observedEvents: [ObservedEvent]
    var replay: ReplayLine
    var lastSaid: Saying?
    var due: Due?
    var movesBySteps = false

    struct Saying: Sendable {
        var number: Int
        var text: String
        var site: CallSite
    }

    struct Due: Sendable {
        var name: String
        var delay: Interval
    }

    var text: String {
        let matches = expectation.matches(in: observedEvents)
        var lines = [header(matches)]
        lines += table(
            matches.map { ($0, $0.note ?? "") },
            isQuoted: expectation.isOrdered || expectation.steps[0].text == nil)
        if let missing = missingStep(matches) {
            lines += closest(to: missing, besides: matches)
            lines += outlook(for: missing)
        }
        lines += unmatched
        lines += violations
        if let cause {
            let rule = cause.rule.map { " (rule \"\($0)\")" } ?? ""
            lines.append("In the fixture: \(cause.place.words)\(rule)")
        }
        lines.append("Journal attached: \(replay.journalName)")
        let session = matches.last { !$0.session.isEmpty }?.session ?? observedEvents.mainSession
        lines.append(
            "Again: " + replay.command(observedEvents, session: session, until: until(matches, in: session)))
        if let remark = replay.remark(observedEvents, session: session) { lines.append(remark) }
        return lines.joined(separator: "\n")
    }

    // MARK: - Header

    private func header(_ matches: [ObservedEvent]) -> String {
        let pattern = expectation.steps[0]
        if expectation.isOrdered { return orderedHeader(matches) }
        let saw = matches.isEmpty ? "none" : "\(matches.count)"
        let time = expectation.within > .zero ? " within \(expectation.within)" : ""
        switch expectation.count {
        case .atLeast(1): return "Expected \(pattern.one)\(time), saw \(saw)."
        case .atLeast(let wanted):
            return "Expected at least \(pattern.counted(wanted))\(time), saw \(saw)."
        case .exactly(0): return "Expected \(pattern.counted(0))\(time), saw \(saw)."
        case .exactly(let wanted): return "Expected exactly \(pattern.counted(wanted))\(time), saw \(saw)."
        case .never: return "Expected \(pattern.counted(0))\(time), saw \(saw)."
        }
    }

    private func orderedHeader(_ matches: [ObservedEvent]) -> String {
        let steps = expectation.steps
        let time = expectation.within > .zero ? " within \(expectation.within) for all of them" : ""
        guard matches.count < steps.count else { return "Expected \(steps.count) things in order\(time)." }
        let missing = steps[matches.count]
        let start =
            "Expected \(steps.count) things in order\(time); number \(matches.count + 1), \(missing.one), "
        guard let last = matches.last else { return start + "did not come." }
        if let early = observedEvents.first(where: { missing.matches($0) }), early.number < last.number {
            return start + "came before number \(matches.count), \(steps[matches.count - 1].one)."
        }
        return start + "did not come after number \(matches.count), \(steps[matches.count - 1].one)."
    }

    // MARK: - Tables

    private func table(_ rows: [(observed: ObservedEvent, remark: String)], isQuoted: Bool) -> [String] {
        let shown = rows.count > KitLimits.tableRows ? Array(rows.suffix(KitLimits.tableRows)) : rows
        let connections = shown.map { row in row.observed.connection.map { "connection \($0)" } ?? "" }
        let events = shown.map { row in row.observed.sequence.map { "event \($0)" } ?? "" }
        let remarks = shown.map { row in
            ([isQuoted ? Self.quoted(row.observed) : nil, row.remark].compactMap { $0 })
                .filter { !$0.isEmpty }.joined(separator: "   ")
        }
        let numberWidth = "\(rows.count)".count
        let connectionWidth = connections.map(\.count).max() ?? 0
        let eventWidth = events.map(\.count).max() ?? 0
        var lines: [String] = []
        if shown.count < rows.count { lines.append("  … \(rows.count - shown.count) more before these") }
        for (index, row) in shown.enumerated() {
            let number = "\(rows.count - shown.count + index + 1)"
            var line = "  " + String(repeating: " ", count: numberWidth - number.count) + number
            line += "   " + row.observed.time.stamp
            if connectionWidth > 0 { line += "  " + Self.pad(connections[index], connectionWidth) }
            if eventWidth > 0 { line += "  " + Self.pad(events[index], eventWidth) }
            if !remarks[index].isEmpty { line += "   " + remarks[index] }
            lines.append(Self.trimmed(line))
        }
        return lines
    }

    private static func quoted(_ observed: ObservedEvent) -> String? {
        guard !observed.text.isEmpty else { return nil }
        let text = String(observed.text.map { $0.isNewline ? " " : $0 })
        let limit = KitLimits.quotedCharacters
        return "\"" + (text.count > limit ? text.prefix(limit - 1) + "…" : text) + "\""
    }

    private static func pad(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    private static func trimmed(_ line: String) -> String {
        var line = Substring(line)
        while line.last == " " { line.removeLast() }
        return String(line)
    }

    // MARK: - Near misses

    private func missingStep(_ matches: [ObservedEvent]) -> Pattern? {
        if expectation.isOrdered {
            return matches.count < expectation.steps.count ? expectation.steps[matches.count] : nil
        }
        switch expectation.count {
        case .atLeast(let wanted), .exactly(let wanted):
            return matches.count < wanted ? expectation.steps[0] : nil
        case .never: return nil
        }
    }

    private func closest(to pattern: Pattern, besides matches: [ObservedEvent]) -> [String] {
        let known = Set(matches.map(\.number))
        let related = observedEvents.filter { pattern.isRelated(to: $0) && !known.contains($0.number) }
        guard !related.isEmpty else { return summary(instead: pattern) }
        guard let text = pattern.text, !pattern.isExact else {
            let last = related.suffix(KitLimits.nearMisses).map { ($0, $0.note ?? "") }
            return ["Closest:"] + table(last, isQuoted: true)
        }
        let compared = related.map {
            observed -> (observed: ObservedEvent, difference: (likeness: Double, words: String)) in
            var difference = TextDifference.compare(text, with: observed.text)
            if pattern.matches(observed) { difference = (1, "came too early") }
            if !observed.hasArrived { difference.words = "sent, but it has not reached the chat" }
            return (observed: observed, difference: difference)
        }
        let best = compared.enumerated().sorted { left, right in
            let (a, b) = (left.element.difference.likeness, right.element.difference.likeness)
            return a == b ? left.offset > right.offset : a > b
        }
        return ["Closest:"]
            + table(
                best.prefix(KitLimits.nearMisses).map { ($0.element.observed, $0.element.difference.words) },
                isQuoted: true)
    }

    private func summary(instead pattern: Pattern) -> [String] {
        let kinds: [Pattern] = [
            .connection, .join, .userMessage, .reply, .queue, .liveAgentJoined, .liveAgentMessage, .heartbeat,
            .sessionEnded,
        ]
        let counts = kinds.filter { $0.kind != pattern.kind }.compactMap { kind -> String? in
            let count = observedEvents.count { kind.matches($0) }
            return count == 0 ? nil : kind.counted(count)
        }
        return ["Seen instead: " + (counts.isEmpty ? "nothing" : counts.joined(separator: ", ")) + "."]
    }

    private func outlook(for missing: Pattern) -> [String] {
        var lines: [String] = []
        if let lastSaid {
            let text =
                lastSaid.text.count > KitLimits.quotedCharacters
                ? lastSaid.text.prefix(KitLimits.quotedCharacters - 1) + "…" : lastSaid.text[...]
            let place = "\(lastSaid.site.fileName):\(lastSaid.site.line)"
            lines.append("Last said: message \(lastSaid.number), \"\(text)\" (\(place))")
        }
        if let due {
            let delay = due.delay
            lines.append(
                movesBySteps
                    ? "Due next: \(due.name), in \(delay); this mock moves by steps, clock.runNextTimer() runs it."
                    : expectation.within > .zero
                        ? "Due next: \(due.name), \(delay) after the deadline."
                        : "Due next: \(due.name), in \(delay); `within:` lets time pass.")
        }
        if missing.kind == .sessionEnded, [nil, Pattern.Ending.abandoned.rawValue].contains(missing.text),
            isConnected
        {
            lines.append(
                "A connected client is never idle, as its heartbeats count: chat.leave() lets the idle time begin."
            )
        }
        return lines
    }

    var isConnected: Bool {
        observedEvents.count { $0.kind == .connection } > observedEvents.count { $0.kind == .disconnection }
    }

    private var unmatched: [String] {
        guard missingStep(expectation.matches(in: observedEvents)) != nil,
            let last = observedEvents.last(where: { $0.kind == .unmatchedMessage }), let report = last.note
        else { return [] }
        return report.split(separator: "\n").map(String.init)
    }

    private var violations: [String] {
        observedEvents.filter { $0.kind == .violation }.suffix(KitLimits.nearMisses).map { observed in
            "Protocol rule broken: \"\(observed.text)\"" + (observed.note.map { " (\($0))" } ?? "") + "."
        }
    }

    // MARK: - Places

    private func until(_ matches: [ObservedEvent], in session: String?) -> UInt64? {
        if let last = matches.last, last.session == session, let sequence = last.sequence { return sequence }
        return observedEvents.filter { $0.session == session }.compactMap(\.sequence).max()
    }

    /// The fixture line of the last answer or unmatched message, if an answer is missing; otherwise nil.
    var place: CallSite? { cause?.place }

    private var cause: (place: CallSite, rule: String?)? {
        guard let missing = missingStep(expectation.matches(in: observedEvents)) else { return nil }
        switch missing.kind {
        case .reply, .liveAgentMessage:
            let last = observedEvents.last { observed in
                switch observed.kind {
                case .reply, .liveAgentMessage, .unmatchedMessage: observed.place != nil
                default: false
                }
            }
            return last.flatMap { last in last.place.map { ($0, last.rule) } }
        default: return nil
        }
    }
}

extension [ObservedEvent] {
    /// The session of the user's last message. If there is no such message, the session of the last event that has one.
    var mainSession: String? {
        last { $0.kind == .userMessage }?.session ?? last { !$0.session.isEmpty }?.session
    }
}

extension Interval {
    var stamp: String {
        func padded(_ number: Int64, _ width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        return padded(milliseconds / 60_000, 2) + ":" + padded(milliseconds / 1_000 % 60, 2) + "."
            + padded(milliseconds % 1_000, 3)
    }
}
