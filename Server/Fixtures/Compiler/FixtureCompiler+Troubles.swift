import ConversationEngine
import Texts

/// Faults on demand (fixtures/README.md#troubles).
extension FixtureCompiler {
    private static let effects = [
        "drop", "stall", "close", "refuse", "delay", "lose", "repeat", "swap", "garble", "agentError",
        "handoff",
    ]

    mutating func compileTrouble(_ member: JSON5Member, number: Int, also: [String] = []) {
        let place = document.place(at: member.nameStart)
        var trouble = Trouble(name: member.name, place: place, moment: .anyEvent, effect: .drop)
        map.moments.append(place)
        if let block = block(member.value, "A trouble", known: ["at", "do", "times", "per", "chance"] + also)
        {
            require(["at", "do"], in: block, "A trouble")
            if let at = block["at"] {
                map.moments[number] = self.place(of: at)
                if let moment = moment(at) { trouble.moment = moment }
            }
            if let effect = block["do"].flatMap({ effect($0) }) { trouble.effect = effect }
            trouble.times = block["times"].flatMap { whole($0, "times", in: 1...Limits.repetitions) }
            if let per = block["per"] {
                trouble.chosenSpan = span(per, ofRequest: trouble.moment.isBeforeSessions)
            }
            if let chance = block["chance"].flatMap({ share($0, "chance") }) { trouble.chance = chance }
        }
        script.troubles.append(trouble)
    }

    /// What `times` counts over.
    private mutating func span(_ value: JSON5Value, ofRequest: Bool) -> Trouble.Span? {
        let span = word(value, "per", among: Trouble.Span.allCases.map(\.rawValue))
            .flatMap(Trouble.Span.init(rawValue:))
        if span == .session, ofRequest {
            report(.wrongType, at: value, "There is no session at this moment: it counts per \"token\".")
            return nil
        }
        return span
    }

    private mutating func moment(_ value: JSON5Value) -> Trouble.Moment? {
        guard let text = text(value, "at") else { return nil }
        if let moment = Notation.moment(text) { return moment }
        let near = NearestName.suggestion(for: Notation.momentShape(text), among: Notation.momentForms)
        let help =
            near.map { "Did you mean something like \"\($0)\"?" }
            ?? "Moments are \(Words.alternatives(Notation.momentForms.map { "\"\($0)\"" })), with any number."
        report(.unknownName, at: value, "\"\(Words.shortened(text))\" is not a moment. \(help)")
        return nil
    }

    private mutating func effect(_ value: JSON5Value) -> Trouble.Effect? {
        guard let block = block(value, "A trouble's \"do\"", known: Self.effects + ["retryAfter"]) else {
            return nil
        }
        let found = block.members.filter { $0.name != "retryAfter" }
        guard found.count == 1, let member = found.first else {
            if case .object(let all) = value.content, all.count != block.members.count { return nil }
            let has = found.isEmpty ? "nothing" : found.map(\.name).joined(separator: ", ")
            report(.oneVerb, at: value, "A trouble does exactly one thing; this one has \(has).")
            return nil
        }
        if member.name != "refuse", let wait = block["retryAfter"] {
            report(.wrongType, at: wait, "\"retryAfter\" goes with \"refuse\" only.")
        }
        return effect(member.name, member.value, retryAfter: block["retryAfter"])
    }

    private mutating func effect(
        _ name: String, _ value: JSON5Value, retryAfter: JSON5Value?
    ) -> Trouble.Effect? {
        switch name {
        case "drop": return word(value, name, among: ["connection"]).map { _ in .drop }
        case "stall":
            if value.content == .text("forever") { return .stall(nil) }
            return interval(value, name).map { .stall($0) }
        case "close": return closeCode(value).map { .close(code: $0) }
        case "refuse":
            let wait = retryAfter.flatMap { interval($0, "retryAfter") }
            return whole(value, name, in: 400...599).map { .refuse(status: $0, retryAfter: wait) }
        case "delay": return interval(value, name).map { .delay($0) }
        case "lose": return word(value, name, among: ["event"]).map { _ in .lose }
        case "repeat": return word(value, name, among: ["event"]).map { _ in .repeated }
        case "swap": return word(value, name, among: ["event"]).map { _ in .swap }
        case "garble":
            return word(value, name, among: ["event"] + Trouble.Garble.allCases.map(\.rawValue))
                .map { .garble(Trouble.Garble(rawValue: $0) ?? .badJSON) }
        case "agentError": return knownProblem(value, name).map { .agentError($0) }
        case "handoff":
            return word(value, name, among: ["fails", "times out"])
                .map { .handoff($0 == "fails" ? .fails(reason: nil) : .timesOut(reason: nil)) }
        default: return nil
        }
    }

    /// A code that may be sent in a Close frame (RFC 6455 §7.4).
    private mutating func closeCode(_ value: JSON5Value) -> Int? {
        guard let code = whole(value, "close", in: 1_000...4_999) else { return nil }
        switch code {
        case 1_000...1_003, 1_007...1_014, 3_000...4_999: return code
        default:
            report(
                .wrongType, at: value, "\(code) is never sent in a close frame (RFC 6455, section 7.4).",
                fix: "write { drop: \"connection\" } for a connection that just breaks")
            return nil
        }
    }
}

extension Trouble.Moment {
    /// The request comes before there is a session.
    fileprivate var isBeforeSessions: Bool { self == .token || self == .session }
}
