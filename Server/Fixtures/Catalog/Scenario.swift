package import ConversationEngine
package import Matching
import Texts

/// What one session plays: a script, its troubles, a seed and a pace.
package struct Scenario: Equatable, Sendable {
    package var script: Script
    package var troubles: [Trouble]
    package var seed: UInt64?
    package var pace: Pace?
    package var chunks: ChunkWish?
    /// What is known from the start, in place of what the script says; values as the gaps of the script would
    /// catch them.
    package var memory: [String: String] = [:]
    /// What the clock of the talk shows at the start; nil for the time of the script's zone.
    package var localTime: WallTime?

    package init(
        script: Script, troubles: [Trouble] = [], seed: UInt64? = nil, pace: Pace? = nil,
        chunks: ChunkWish? = nil
    ) {
        self.script = script
        self.troubles = troubles
        self.seed = seed
        self.pace = pace
        self.chunks = chunks
    }

    /// Finds what `line` names inside `script`.
    package init(_ line: ScenarioLine, playing script: Script) throws(ScenarioProblem) {
        var troubles: [Trouble] = []
        for name in line.troubles {
            guard let named = TroubleProfile.troubles(named: name, in: script) else {
                throw Self.unknown("trouble", name, among: TroubleProfile.names(in: script), in: script.name)
            }
            troubles += named
        }
        var pace: Pace?
        if let name = line.pace {
            guard let found = script.paces[name] else {
                throw Self.unknown("pace", name, among: script.paces.keys.sorted(), in: script.name)
            }
            pace = found
        }
        self.init(script: script, troubles: troubles, seed: line.seed, pace: pace, chunks: line.chunks)
        localTime = line.now
        for (name, value) in line.memory.sorted(by: { $0.key < $1.key }) {
            guard script.memory.contains(where: { $0.name == name }) else {
                throw Self.unknown("memory", name, among: script.memory.map(\.name), in: script.name)
            }
            memory[name] = try GivenMemory(name, in: script).value(of: value)
        }
    }

    private static func unknown(
        _ what: String, _ name: String, among names: [String], in fixture: String
    ) -> ScenarioProblem {
        let meant = NearestName.suggestion(for: name, among: names).map { "did you mean \"\($0)\"?" }
        let hint = meant ?? (names.isEmpty ? "it has none" : "it has \(Words.conjunction(names))")
        return ScenarioProblem("fixture \"\(fixture)\" has no \(what) \"\(Words.shortened(name))\": \(hint)")
    }
}
