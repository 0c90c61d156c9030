import Expectations
import Testing

@testable import Matching

@Suite("What a condition says of a value that does not pass")
struct ConditionTests {
    @Test(
        "Of a header neither the value nor the wanted one is told",
        arguments: [
            ("authorization", "Basic YW5uOnNlc2FtZQ=="), ("cookie", "sid=sesame; theme=dark"), ("cookie", ""),
        ] as [(String, String)])
    func headers(name: String, value: String) {
        let slot = "header." + name
        let another = "\(slot) is another than is expected"
        for (test, words) in [
            (.equals("open"), another), (.differs(value), another), (.atLeast(2), another),
            (.isKnown(false), "\(slot) is there, where nothing is expected"),
        ] as [(Condition.Test, String)] {
            expectEqual(Condition(slot: slot, test: test).complaint(about: value), words)
        }
        for test in [.equals("open"), .atMost(2), .isKnown(true)] as [Condition.Test] {
            expectEqual(Condition(slot: slot, test: test).complaint(about: nil), "there is no \(slot)")
        }
    }

    @Test("Of another value the first 80 characters are told, whatever its length")
    func longValues() {
        let condition = Condition(slot: "state.note", test: .equals("tea"))
        let words = condition.complaint(about: String(repeating: "x", count: 100_000))
        let beginning = String(repeating: "x", count: 79)
        expectEqual(words, "state.note is \"\(beginning)…\", where \"tea\" is expected")
        expectEqual(condition.complaint(about: "milk"), #"state.note is "milk", where "tea" is expected"#)
        expectEqual(condition.complaint(about: nil), #"there is no state.note, where "tea" is expected"#)
    }
}
