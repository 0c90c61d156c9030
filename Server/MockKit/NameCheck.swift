import Clocks
import ConversationEngine
import DialectKit
import Fixtures
import Matching
import MockServer
import Patterns
import Texts

/// The names that expectations may use.
struct NameCheck: Sendable {
    var faults: Set<String> = []
    var rules: Set<String> = []
    var types: Set<String> = []

    func problem(in pattern: Pattern) -> String? {
        if let type = pattern.type { return problem(ofType: type) }
        switch (pattern.kind, pattern.text) {
        case (.fault, let name?): return problem(ofFault: name)
        case (.violation, let words?): return Self.problem(ofLaw: words)
        case (.system, let words?) where pattern.isError: return Self.problem(ofError: words)
        default: return nil
        }
    }

    func problem(ofRule name: String) -> String? {
        guard name != ReplyOverride.unmatched, !rules.contains(name) else { return nil }
        return Self.sentence(
            "no rule is called", name, among: rules.sorted(),
            else: rules.isEmpty ? "the fixture has none" : "the rules are \(Self.listed(rules.sorted()))")
    }

    private func problem(ofFault name: String) -> String? {
        let presets = FaultPreset.allCases.map(\.rawValue)
        let known = faults.union(presets)
        guard !known.contains(name), !FaultPreset.partNames.contains(name) else { return nil }
        // An injected fault is named `moment: effect`. A test may expect that name before it injects the fault.
        if let colon = name.firstIndex(of: ":") {
            let effect = name[name.index(after: colon)...]
            if case .success = FaultReader.read(at: String(name[..<colon]), do: String(effect)) {
                return nil
            }
        }
        return Self.sentence(
            "no fault is called", name, among: known.sorted(),
            else: "there are \(Self.listed(known.sorted())), and those that the test adds")
    }

    private static func problem(ofLaw words: String) -> String? {
        let protocolRules = Server.protocolRules
        let folded = Folding.fold(words)
        guard !protocolRules.contains(where: { $0.id == words || Folding.fold($0.title).holds(folded) })
        else {
            return nil
        }
        return sentence(
            "no protocol rule is called", words, among: protocolRules.map(\.id) + protocolRules.map(\.title),
            else: "Shared/Docs/protocol-rules.md names all \(protocolRules.count), such as \"join-once\"")
    }

    /// Finds only texts similar to the name of a known error, because fixtures may define other errors.
    private static func problem(ofError words: String) -> String? {
        let names = KnownProblem.allCases.map(\.rawValue)
        let texts = KnownProblem.allCases.map { Server.words(of: .known($0, detail: nil)) }
        let folded = Folding.fold(words)
        guard !(names + texts).contains(where: { Folding.fold($0).holds(folded) }),
            let meant = NearestName.suggestion(for: words, among: names)
        else { return nil }
        return "no error is called \"\(words)\": did you mean \"\(meant)\"?"
    }

    private func problem(ofType type: String) -> String? {
        guard !types.contains(type), !Self.knownTypes.contains(type) else { return nil }
        // A test may push any event type, so only a type close to a known type counts as misspelt.
        guard let meant = NearestName.suggestion(for: type, among: Self.knownTypes.sorted()) else {
            return nil
        }
        return "no event has the type \"\(type)\": did you mean \"\(meant)\"?"
    }

    private static let knownTypes: Set<String> =
        Set(Server.types).union(
            // The type of `.receipt` and `.raw` differs from event to event; `.liveAgentStatus` has none.
            EventKind.allCases.filter { ![.receipt, .raw, .liveAgentStatus].contains($0) }.map {
                Server.type(ofKind: $0)
            })

    static func sentence(
        _ beginning: String, _ name: String, among names: [String], else hint: String
    ) -> String {
        let meant = NearestName.suggestion(for: name, among: names).map { "did you mean \"\($0)\"?" }
        return "\(beginning) \"\(name)\": \(meant ?? hint)"
    }

    static func listed(_ names: [String]) -> String {
        names.map { "\"\($0)\"" }.joined(separator: ", ")
    }
}

extension FaultPreset {
    fileprivate static let partNames = Set(allCases.flatMap { $0.faults.map(\.name) })
}

extension Mock {
    func names() async -> NameCheck {
        let (scripts, types) = log.withLock { log in
            (Array(log.scripts.values), Set(log.observedEvents.map(\.type)))
        }
        let (standard, added) = await server.inspect { ($0.defaultScript, $0.faultNames) }
        let all = scripts + [standard]
        return NameCheck(
            faults: Set(all.flatMap { $0.faults.map(\.name) }).union(added).union(faultNames),
            rules: Set(all.flatMap { $0.rules.map(\.name) }), types: types)
    }
}
