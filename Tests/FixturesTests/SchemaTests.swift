import ConversationEngine
import Expectations
import Matching
import Testing

@testable import Fixtures

/// The schema is for editors; `Tests/interop/schema` compares its verdicts with the compiler's. Here: its names.
@Suite("The schema of fixtures")
struct SchemaTests {
    private static let root = Result {
        let document = JSON5Document(reading: try Samples.file("fixtures/fixture-1.schema.json"))
        try #require(document.problems.isEmpty, "\(document.problems)")
        return try #require(document.root)
    }

    static func schema() throws -> JSON5Value { try root.get() }

    /// The value at `path`, by names.
    static func value(_ path: String) throws -> JSON5Value {
        var value = try schema()
        for name in path.split(separator: "/") {
            if let index = Int(name), case .list(let items) = value.content {
                value = items[index]
            } else {
                value = try #require(value[String(name)], "\(name) of \(path)")
            }
        }
        return value
    }

    static func members(_ value: JSON5Value?) -> [JSON5Member] {
        guard case .object(let members)? = value?.content else { return [] }
        return members
    }

    /// A block with an unknown name in it, and where the schema describes that block.
    ///
    /// The compiler's answer to such a name ends with all names it knows.
    static let blocks: [(text: String, path: String)] = [
        ("{ qqqqqqqqqq: 1 }", ""),
        ("{ agent: { qqqqqqqqqq: 1 } }", "definitions/agent"),
        ("{ session: { qqqqqqqqqq: 1 } }", "definitions/session"),
        ("{ paces: { a: { qqqqqqqqqq: 1 } } }", "definitions/pace"),
        ("{ anywhere: [{ qqqqqqqqqq: 1 }] }", "definitions/rule"),
        ("{ otherwise: [{ qqqqqqqqqq: 1 }] }", "definitions/lastRule"),
        ("{ anywhere: [{ hears: { qqqqqqqqqq: 1 } }] }", "definitions/hears/anyOf/2"),
        (
            "{ memory: { a: 1 }, otherwise: [{ if: { a: { qqqqqqqqqq: 1 } } }] }",
            "definitions/conditions/additionalProperties/anyOf/1"
        ),
        ("{ otherwise: [{ if: { now: { qqqqqqqqqq: 1 } } }] }", "definitions/hours"),
        ("{ greeting: [{ say: '', attach: [{ qqqqqqqqqq: 1 }] }] }", "definitions/attachment"),
        (
            "{ greeting: [{ say: '', call: [{ qqqqqqqqqq: 1 }] }] }",
            "definitions/step/properties/call/items"
        ),
        (
            "{ greeting: [{ say: '', suggest: [{ qqqqqqqqqq: 1 }] }] }",
            "definitions/step/properties/suggest/items/anyOf/1"
        ),
        ("{ greeting: [{ system: { qqqqqqqqqq: 1 } }] }", "definitions/step/properties/system/anyOf/1"),
        ("{ greeting: [{ emit: { qqqqqqqqqq: 1 } }] }", "definitions/step/properties/emit"),
        ("{ handoffs: { a: { qqqqqqqqqq: 1 } } }", "definitions/handoff"),
        ("{ handoffs: { a: { queue: { qqqqqqqqqq: 1 } } } }", "definitions/handoff/properties/queue"),
        ("{ handoffs: { a: { liveAgent: { qqqqqqqqqq: 1 } } } }", "definitions/liveAgent"),
        ("{ runs: { qqqqqqqqqq: 1 } }", "definitions/runs"),
        ("{ tools: { a: { qqqqqqqqqq: 1 } } }", "definitions/tool"),
        ("{ tools: { a: { results: [{ qqqqqqqqqq: 1 }] } } }", "definitions/toolResult"),
        ("{ greeting: [{ together: [{ qqqqqqqqqq: 1 }] }] }", "definitions/toolCall"),
        ("{ greeting: [{ ask: { qqqqqqqqqq: 1 } }] }", "definitions/ask"),
        ("{ greeting: [{ patch: [{ qqqqqqqqqq: 1 }] }] }", "definitions/operations/items"),
        ("{ greeting: [{ usage: [{ qqqqqqqqqq: 1 }] }] }", "definitions/usage"),
        ("{ tools: { a: { results: [{ parts: [{ qqqqqqqqqq: 1 }] }] } } }", "definitions/parts/items"),
        (
            "{ tools: { a: { results: [{ parts: [{ source: { qqqqqqqqqq: 1 } }] }] } } }",
            "definitions/parts/items/properties/source"
        ),
        ("{ greeting: [{ card: { qqqqqqqqqq: 1 } }] }", "definitions/step/properties/card"),
        ("{ greeting: [{ activity: { qqqqqqqqqq: 1 } }] }", "definitions/step/properties/activity"),
        ("{ faults: { a: { qqqqqqqqqq: 1 } } }", "definitions/fault"),
        ("{ faults: { a: { do: { qqqqqqqqqq: 1 } } } }", "definitions/effect"),
        ("{ examples: [{ qqqqqqqqqq: 1 }] }", "definitions/example"),
    ]

    @Test("Each block has the names that the compiler knows, and no other", arguments: blocks)
    func names(block: (text: String, path: String)) throws {
        let finding = try #require(
            Samples.findings(block.text).first { $0.contains("has nothing called \"qqqqqqqqqq\"") })
        let start = try #require(finding.firstRange(of: "It knows ")).upperBound
        let end = try #require(finding.firstRange(of: ". [unknown-name]")).lowerBound
        let known = finding[start..<end].split(separator: ",").map { $0.drop { $0 == " " } }.map(String.init)
        let described = Self.members(try Self.value(block.path)["properties"]).map(\.name)
        expectEqual(Set(described), Set(known))
        try expectEqual(Self.value(block.path)["additionalProperties"]?.content, .boolean(false))
    }

    @Test("A step has the 43 verbs, what goes with a text, and what goes with the verbs of runs")
    func steps() throws {
        let step = try Self.value("definitions/step")
        let verbs = FixtureCompiler.verbNames
        expectEqual(verbs.count, 43)
        let described = Self.members(step["properties"]).map(\.name)
        let speech = ["suggest", "attach", "call", "pace", "chunks", "off"]
        let runs = [
            "with", "text", "pieces", "cut", "every", "takes", "id", "owner", "gives", "parts", "fails",
            "silent",
            "order", "results", "sealed", "sharesId", "unchecked", "about", "as", "orFails",
        ]
        expectEqual(Set(described), Set(verbs + speech + runs))
        expectEqual(step["additionalProperties"]?.content, .boolean(false))
    }

    @Test("Every name in the schema is explained")
    func descriptions() throws {
        func check(_ value: JSON5Value, _ path: String) {
            switch value.content {
            case .object(let members):
                for member in Self.members(value["properties"]) {
                    // A reference to a definition brings its words along.
                    let isExplained = member.value["description"] != nil || member.value["$ref"] != nil
                    #expect(isExplained, "\(path)/properties/\(member.name)")
                }
                // What stands under these two only tests what is described elsewhere.
                for member in members where member.name != "if" && member.name != "dependencies" {
                    check(member.value, path + "/" + member.name)
                }
            case .list(let items):
                for (number, item) in items.enumerated() { check(item, path + "/\(number)") }
            default: break
            }
        }
        check(try Self.schema(), "")
        for definition in Self.members(try Self.value("definitions")) {
            let isShared = ["count", "speech"].contains(definition.name)
            #expect(isShared || definition.value["description"] != nil, "\(definition.name)")
        }
    }

    @Test("It lists the catalogue of error texts, in its order")
    func catalogue() throws {
        let names = KnownProblem.allCases.map { JSON5Value.Content.text($0.rawValue) }
        guard case .list(let items) = try Self.value("definitions/problem/enum").content else {
            Issue.record("no list")
            return
        }
        expectEqual(items.map(\.content), names)
    }

    @Test("It tells the kinds of gaps")
    func kinds() throws {
        guard case .text(let words) = try Self.value("definitions/hears/description").content else {
            Issue.record("no text")
            return
        }
        for kind in SlotKind.allCases { #expect(words.contains(kind.rawValue)) }
    }
}
