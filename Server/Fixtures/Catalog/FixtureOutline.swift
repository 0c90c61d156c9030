package import ConversationEngine
import Matching
package import Texts

/// Outline of a fixture as JSON: each part with its line.
package struct FixtureOutline: Sendable {
    private let script: Script
    private let document: JSON5Document
    /// Last line of each block, by the position at which the block starts.
    private let ends: [SourcePlace: Int]

    package init(_ script: Script, of bytes: [UInt8]) {
        self.script = script
        document = JSON5Document(reading: bytes)
        var ends: [SourcePlace: Int] = [:]
        if let root = document.root { Self.note(root, in: document, into: &ends) }
        self.ends = ends
    }

    private static func note(
        _ value: JSON5Value, in document: JSON5Document, into ends: inout [SourcePlace: Int]
    ) {
        switch value.content {
        case .object(let members):
            ends[document.place(of: value)] = document.place(at: value.range.upperBound - 1).line
            for member in members { note(member.value, in: document, into: &ends) }
        case .list(let items): for item in items { note(item, in: document, into: &ends) }
        case .null, .boolean, .number, .text: break
        }
    }

    package var stages: JSONValue {
        guard case .object(let members)? = document.root?["stages"]?.content else { return .array([]) }
        return .array(
            members.map {
                .object(["name": .string($0.name), "line": Self.line(document.place(at: $0.nameStart))])
            })
    }

    package var faults: JSONValue {
        .array(
            script.faults.map { fault in
                .object(JSONObject(FaultWords.members(fault) + [.init("line", Self.line(fault.place))]))
            })
    }

    package var handoffs: JSONValue {
        .array(
            script.handoffs.map { handoff in
                .object([
                    "name": .string(handoff.name), "line": Self.line(handoff.place),
                    "liveAgent": .string(handoff.liveAgent.name),
                    "says": .array(handoff.opens.compactMap(Self.text).map { .string($0) }),
                ])
            })
    }

    /// Returns all rules. `more` returns additional members for a rule's name.
    package func rules(_ more: (_ name: String) -> [JSONObject.Member] = { _ in [] }) -> JSONValue {
        .array(
            script.listedRules.map { rule, name, section in
                .object(
                    JSONObject(
                        [
                            .init("name", .string(name)), .init("line", Self.line(rule.place)),
                            .init("column", .integer(Int64(rule.place.column))),
                            .init("endLine", .integer(Int64(ends[rule.place] ?? rule.place.line))),
                            .init("where", .string(section)),
                            .init("hears", rule.hears.map { .string($0.words) } ?? .null),
                            .init(
                                "says",
                                rule.steps.lazy.compactMap(Self.text).first.map { .string($0) } ?? .null),
                        ] + more(name)))
            })
    }

    private static func line(_ place: SourcePlace) -> JSONValue { .integer(Int64(place.line)) }

    /// Returns the first text of a `say` step with its placeholders; nil for other steps.
    private static func text(_ step: Step) -> String? {
        guard case .say(let speech) = step.verb else { return nil }
        return speech.texts.first?.filled { "{\($0)}" }
    }
}
