import Texts

/// Names that a fixture declares.
struct DeclaredNames {
    /// Names of slots and values, for spelling suggestions.
    var slots: [String] = []
    var memory: Set<String> = []
    var values: [String: String] = [:]
    var stages: [String: Int] = [:]
    var handoffs: [String: Int] = [:]
    var clientHandoffs: Set<String> = []
    var faults: [String: Int] = [:]
    var tools: [String: Int] = [:]
    /// Blocks that declare a name twice.
    var doubled: Set<String> = []

    /// Names of placeholders that need no declaration.
    static let builtIn = ["message", "now", "agent.name", "liveAgent.name"]

    /// Prefixes of names whose values come from run requests or client answers, such as `state.plan.status`.
    static let givenPrefixes = [
        "state.", "props.", "context.", "tools.", "args.", "answer.", "run.", "header.", "metadata.",
        "message.",
    ]

    static let ofMessages = ["parts", "text", "image", "audio", "video", "document", "binary"]

    static let ofRuns = [
        "run.number", "run.id", "run.thread", "run.parent", "run.agent", "run.version", "run.protocol",
        "run.message",
    ]

    static func isGiven(_ name: String) -> Bool { givenPrefixes.contains { name.hasPrefix($0) } }
}

extension FixtureCompiler {
    /// Collects declared names.
    mutating func gatherNames(_ root: Block) {
        if case .object(let members)? = root["memory"]?.content {
            names.slots += members.map(\.name)
            names.memory = Set(members.map(\.name))
        } else if case .list(let items)? = root["memory"]?.content {
            // A list is a mistake, but its names count as declared, so that their uses are not reported.
            for item in items { if case .text(let name) = item.content { names.memory.insert(name) } }
            names.slots += names.memory.sorted()
        }
        if case .object(let members)? = root["values"]?.content {
            names.slots += members.map(\.name)
            for member in members { names.values[member.name] = constant(member.value) ?? "" }
        }
        names.stages = numbered(root["stages"])
        names.handoffs = numbered(root["handoffs"])
        if case .object(let members)? = root["handoffs"]?.content {
            let ofClient = members.filter { $0.value["mode"]?.content == .text("client") }
            names.clientHandoffs = Set(ofClient.map(\.name))
        }
        names.faults = numbered(root["faults"])
        names.tools = numbered(root["tools"])
        for part in ["kinds", "memory", "values", "paces", "stages", "handoffs", "tools", "faults"] {
            guard case .object(let members)? = root[part]?.content else { continue }
            if Set(members.map(\.name)).count < members.count { names.doubled.insert(part) }
        }
    }

    /// Reports that `parts` do not declare `name`.
    mutating func reportMissing(
        _ code: FindingCode, _ sentence: String, _ name: String, in parts: [String], among known: [String],
        at offset: Int, fix: String? = nil
    ) {
        let meant = tellsErrors ? NearestName.suggestion(for: name, among: known) : nil
        if meant == nil, !names.doubled.isDisjoint(with: parts) { return }
        let help =
            meant.map { " Did you mean \"\($0)\"?" }
            ?? (code == .unknownPace && tellsErrors ? " There is \(MessageFormat.conjunction(known))." : "")
        report(
            code, at: offset, sentence + help, fix: meant == nil ? fix : nil,
            replacement: replacement(of: name, at: offset, by: meant))
    }

    private func numbered(_ block: JSON5Value?) -> [String: Int] {
        guard case .object(let members)? = block?.content else { return [:] }
        var result: [String: Int] = [:]
        for (number, member) in members.enumerated() { result[member.name] = number }
        return result
    }

    /// Returns a text, or a finite number as text; nil for other values.
    func constant(_ value: JSON5Value) -> String? {
        switch value.content {
        case .text(let text): return text
        case .number(let number) where number.isFinite:
            let exact = JSON5Writer.numberText(number, source: document.bytes[value.range])
            if exact.allSatisfy({ JSON5Escape.isDigit($0) || $0 == UInt8(ascii: "-") }) {
                return String(decoding: exact, as: UTF8.self)
            }
            return Int64(exactly: number).map(String.init) ?? "\(number)"
        default: return nil
        }
    }
}
