import ConversationEngine
import Expectations
import Fixtures
import TestSupport
import Testing

@Suite("Fixtures that mean harm")
struct BadInputTests {
    private func findings(_ bytes: [UInt8]) -> [String] {
        FixtureLoader.compile(bytes: bytes, fileName: "f", name: "f").rehearsed().findings.map(\.description)
    }

    private func findings(_ text: String) -> [String] { findings(Array(text.utf8)) }

    @Test("100,000 nested brackets are one finding", arguments: ["[", "{ a: ", "[{ a: "] as [String])
    func nesting(bracket: String) {
        let found = findings(String(repeating: bracket, count: 100_000))
        expectEqual(found.count, 1)
        #expect(found[0].hasSuffix("more than 64 brackets inside each other [syntax]"))
    }

    @Test("A file of 50 MB is one finding")
    func hugeFile() {
        let bytes = [UInt8](repeating: UInt8(ascii: " "), count: 4_194_305)
        expectEqual(
            findings(bytes),
            [
                "f:1:1: error: the file is larger than the 4194304 bytes it may have [syntax]"
            ])
    }

    @Test("Bytes that are no text are told with their place")
    func invalidUTF8() {
        let bytes = Array("{ fixture: 1,\n  name: \"a".utf8) + [0xC3, 0x28] + Array("\" }".utf8)
        expectEqual(
            findings(bytes),
            [
                "f:2:11: error: the byte 0xC3 is not UTF-8 text; save the file with the encoding UTF-8 [syntax]"
            ])
    }

    @Test(
        "A pattern that would hang other engines is refused, or costs a bounded number of steps",
        arguments: ["(a+)+$", "(a|a)*b", "(a|aa)+$", "(.*)*x", "(a?){30}a{30}"] as [String])
    func regexBomb(pattern: String) throws {
        let message = String(repeating: "a", count: 3_000)
        let text = """
            { fixture: 1, anywhere: [ { hears: { regex: "\(pattern)" }, replies: [ { say: "Yes." } ] } ],
              otherwise: [ { replies: [ { say: "No." } ] } ],
              examples: [ { name: "bomb", talk: [ "user: \(message)!", "agent: ." ] } ] }
            """
        let found = findings(text)
        #expect(found.allSatisfy { $0.contains("[slow-regex]") }, "\(found)")
    }

    @Test("Many slow patterns together cannot hang a talk: after a while only the last resort answers")
    func manySlowPatterns() throws {
        let rule = #"{ hears: { regex: "(x?y?z?w?a?b?){60}q" }, replies: [ { say: "Yes." } ] },"#
        let text = """
            { fixture: 1, anywhere: [ \(String(repeating: rule, count: Strength.of(30, full: 400))) ],
              otherwise: [ { replies: [ { say: "No." } ] } ] }
            """
        let fixture = FixtureLoader.compile(bytes: Array(text.utf8), fileName: "f", name: "f")
        let script = try #require(fixture.script)
        let message = String(repeating: "xyzwab", count: Strength.of(300, full: 2_000))
        let trial = try RuleProbe(of: script, saying: message)
        expectEqual(trial.said, ["No."])
    }

    @Test("A value that names itself is said as it stands")
    func selfReference() {
        let text = """
            { fixture: 1, values: { a: "{a}{a}" }, greeting: [ { say: "{a}" } ],
              examples: [ { name: "self", talk: [ "agent: exactly: {a}{a}" ] } ] }
            """
        expectEqual(findings(text), [])
    }

    @Test("Memory that doubles with every step stops growing, and so does a text full of it")
    func doublingMemory() throws {
        let doubling = String(repeating: #"{ remember: { a: "{a}{a}" } }, "#, count: 64)
        let text = """
            { fixture: 1, memory: { a: "ha" },
              anywhere: [ { hears: "go", replies: [ \(doubling) { say: "ha \(String(repeating: "{a}", count: 999))" } ] } ],
              examples: [ { name: "grows", talk: [ "user: go", "agent: ha" ] } ] }
            """
        let fixture = FixtureLoader.compile(bytes: Array(text.utf8), fileName: "f", name: "f")
        #expect(fixture.rehearsed().findings.isEmpty)
        let trial = try RuleProbe(of: try #require(fixture.script), saying: "go")
        expectEqual(trial.said.map(\.utf8.count), [1_048_576])
    }

    @Test("A queue of more positions than a file may have values is one finding")
    func longQueue() {
        func text(_ count: Int) -> String {
            let positions = String(repeating: "1,", count: count)
            return "{ fixture: 1, handoffs: { h: { queue: { positions: [\(positions)] } } } }"
        }
        let found = findings(text(Strength.of(250_000, full: 1_000_000)))
        expectEqual(found.count, 1)
        #expect(found[0].hasSuffix("the file has more than 200000 values [syntax]"))
        let long = Strength.of(10_000, full: 100_000)
        #expect(
            findings(text(long)).contains {
                $0.hasSuffix(#""positions" has \#(long) numbers; 1000 are the most. [too-many]"#)
            })
    }

    @Test(
        "A wait of a year is refused",
        arguments: ["8760h", "31536000s", "525600m", "999999999999h"] as [String])
    func longWait(time: String) {
        let found = findings(
            #"{ fixture: 1, greeting: [ { wait: "\#(time)" } ], examples: [ { name: "e", talk: [] } ] }"#)
        expectEqual(found.count, 1)
        #expect(found[0].contains("is too long: nothing in a fixture takes over 24 hours. [duration]"))
    }
}
