import ConversationEngine
import Matching
import Patterns

/// Slot with an initial value from outside the fixture.
struct GivenMemory {
    private let name: String
    private let fixture: String
    private var gaps: [Phrase.Slot] = []
    /// Fixed values that the script assigns to the slot or compares with it.
    private var known: [String] = []
    private var isCompared = false

    init(_ name: String, in script: Script) {
        self.name = name
        fixture = script.name
        known = script.memory.filter { $0.name == name }.compactMap(\.initial)
        for rule in script.allRules {
            gaps += rule.hears?.phrases.flatMap(\.slots).filter { $0.name == name } ?? []
            for condition in rule.conditions where condition.slot == name {
                switch condition.test {
                case .equals(let value), .differs(let value): known.append(value)
                case .atLeast, .atMost: isCompared = true
                case .isKnown, .isWithin: break
                }
            }
            for case .remember(let changes) in rule.steps.map(\.verb) {
                for change in changes where change.slot == name && change.value.slots.isEmpty {
                    known.append(change.value.filled { _ in nil })
                }
            }
        }
    }

    /// Returns `text` in captured form, such as `4` for "four" if the slot holds a number.
    ///
    /// - Throws: a sentence with the expected values.
    func value(of text: String) throws(ScenarioProblem) -> String {
        for gap in gaps {
            let kind = gap.own?.name ?? gap.kind.rawValue
            let phrase = try? Phrase("{value:\(kind)}", kinds: gap.own.map { [$0] } ?? [])
            let caught = phrase.flatMap { Hears.exactly($0).match(PreparedMessage(text)) }
            if let value = caught?["value"] { return value }
        }
        let folded = Folding.fold(text)
        if let value = known.first(where: { Folding.fold($0) == folded }) { return value }
        if let gap = gaps.first { throw problem(text, takes: Self.words(for: gap)) }
        if isCompared, Double(text) == nil { throw problem(text, takes: "a number") }
        return text
    }

    private func problem(_ text: String, takes kind: String) -> ScenarioProblem {
        ScenarioProblem(
            "memory \"\(MessageFormat.shortened(name))\" of fixture \"\(fixture)\" takes \(kind), not "
                + "\"\(MessageFormat.shortened(text))\"")
    }

    private static func words(for gap: Phrase.Slot) -> String {
        if let own = gap.own {
            return "one of "
                + MessageFormat.conjunction(own.values.prefix(20).map { MessageFormat.shortened($0.name) })
        }
        return switch gap.kind {
        case .number: "a number"
        case .day: "a day such as Friday"
        case .time: "a time such as 19:30"
        case .word: "one word"
        case .words: "words"
        case .email: "an e-mail address"
        case .phone: "a telephone number"
        case .code: "a code such as FB-2048"
        }
    }
}
