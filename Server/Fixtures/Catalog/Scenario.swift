package import ConversationEngine
package import Matching
import Texts

/// Parameters of one session.
package struct Scenario: Equatable, Sendable {
    package private(set) var shared: SharedValue<Script>
    package var script: Script { shared.value }
    package var faults: [Fault]
    package var seed: UInt64?
    package var pace: Pace?
    package var chunks: ChunkWish?
    /// Initial slot values in captured form (`4`, not `four`).
    package var memory: [String: String] = [:]
    /// Wall-clock time at the start; nil for the current time in the script's zone.
    package var localTime: WallTime?

    package init(
        script: SharedValue<Script>, faults: [Fault] = [], seed: UInt64? = nil, pace: Pace? = nil,
        chunks: ChunkWish? = nil
    ) {
        shared = script
        self.faults = faults
        self.seed = seed
        self.pace = pace
        self.chunks = chunks
    }

    /// Throws a sentence about the first unknown name or invalid value.
    package init(_ line: ScenarioLine, playing script: Script) throws(ScenarioProblem) {
        try self.init(line, playing: SharedValue(script))
    }

    package init(_ line: ScenarioLine, playing shared: SharedValue<Script>) throws(ScenarioProblem) {
        let script = shared.value
        var faults: [Fault] = []
        for name in line.faults {
            guard let named = FaultPreset.faults(named: name, in: script) else {
                throw Self.unknown("fault", name, among: FaultPreset.names(in: script), in: script.name)
            }
            faults += named
        }
        var pace: Pace?
        if let name = line.pace {
            guard let found = script.paces[name] else {
                throw Self.unknown("pace", name, among: script.paces.keys.sorted(), in: script.name)
            }
            pace = found
        }
        self.init(script: shared, faults: faults, seed: line.seed, pace: pace, chunks: line.chunks)
        localTime = line.now
        var own = script
        if let name = line.stage {
            guard let stage = script.stages.firstIndex(where: { $0.name == name }) else {
                throw Self.unknown("stage", name, among: script.stages.map(\.name), in: script.name)
            }
            own.begin = stage
        }
        if let greeting = line.greeting { own.session.greetingMessage = greeting }
        if line.stage != nil || line.greeting != nil { self.shared = SharedValue(own) }
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
        let hint = meant ?? (names.isEmpty ? "it has none" : "it has \(MessageFormat.conjunction(names))")
        return ScenarioProblem(
            "fixture \"\(fixture)\" has no \(what) \"\(MessageFormat.shortened(name))\": \(hint)")
    }
}

/// Error for a fixture name that does not exist, with the likely file or spelling.
package struct UnknownFixture: Error, Equatable, Sendable, CustomStringConvertible {
    package var name: String
    package var suggestion: String?
    /// A file that the name probably means, such as `dentist.json5` for `dentist` or `dentist.json`.
    package var file: String?
    package var known: [String]

    /// `isFile` tests whether a file exists. The default says no, so that a server does not reveal its files.
    package init(
        name: String, among known: [String], orAgents agents: [String] = [],
        isFile: (String) -> Bool = { _ in false }
    ) {
        self.name = name
        self.known = known
        suggestion = NearestName.suggestion(for: name, among: known + agents)
        let path = name.hasSuffix(".json") ? name + "5" : name + ".json5"
        if isFile(path) { file = path }
    }

    package var description: String {
        let name = MessageFormat.shortened(name)
        if let file { return "unknown fixture \"\(name)\": did you mean the file \(file)?" }
        if let suggestion { return "unknown fixture \"\(name)\": did you mean \"\(suggestion)\"?" }
        if known.isEmpty { return "unknown fixture \"\(name)\": there are no fixtures here" }
        let wanted = Array(self.name.lowercased().unicodeScalars.prefix(Self.comparedLetters))
        let nearest = known.map { (NearestName.distance(wanted, Array($0.lowercased().unicodeScalars)), $0) }
            .sorted { $0 < $1 }
        var names = nearest.prefix(Self.mostNames).map { "\"\($0.1)\"" }
        if known.count > names.count { names.append("\(known.count - names.count) more") }
        return "unknown fixture \"\(name)\": there are \(MessageFormat.conjunction(names))"
    }

    private static let mostNames = 10
    private static let comparedLetters = 40
}
