import Clocks
import ConversationEngine
import Expectations
import Testing

@testable import Fixtures

@Suite("Lengths of time in fixtures")
struct ValueSyntaxTests {
    @Test("What is written is read again, exactly where 12 digits are enough")
    func roundTrip() throws {
        var digits = SeededGenerator(seed: 7)
        for _ in 0..<20_000 {
            // Lengths of all sizes: few of them would be short otherwise.
            let length = Interval.nanoseconds(Int64(digits.next() >> (1 + digits.next() % 63)))
            let text = ValueSyntax.text(length)
            let read = try #require(ValueSyntax.interval(text), "\(length.nanoseconds) as \(text)")
            // A thousandth of a thousandth of what was meant.
            let off = (read.nanoseconds - length.nanoseconds).magnitude
            #expect(off <= length.nanoseconds.magnitude / 1_000_000, "\(length.nanoseconds) as \(text)")
            if length < .seconds(1_000) { expectEqual(read, length, "\(text)") }
            expectEqual(ValueSyntax.text(read), text)
        }
    }

    @Test(
        "Spellings of people have one correct form, or none",
        arguments: [
            ("8 seconds", "8s"), ("1 s", "1s"), ("0,5s", "0.5s"), ("500 ms", "500ms"), ("1sec", "1s"),
            ("5S", "5s"),
            ("2 min", "2m"), ("1 hour", "1h"), ("1m 30s", "90s"), ("1 hour 30 minutes", "90m"),
            (" 2 s ", "2s"),
            ("250 milliseconds", "250ms"), ("5", nil), ("about 5 s", nil), ("half an hour", nil), ("", nil),
            ("s", nil), ("1.2.3 s", nil), ("1s 1s 1s 1s", nil), ("5 days", nil), ("999999999999h 9h", nil),
        ] as [(String, String?)])
    func meant(_ text: String, _ form: String?) {
        expectEqual(ValueSyntax.intervalMeant(by: text), form)
    }

    @Test(
        "Known lengths",
        arguments: [
            (3_599_998_242_268, "3599.99824227s"), (3_599_999_999_999, "1h"),
            (999_999_999_999, "999.999999999s"),
            (9_999_999_999_999_999, "10000000s" as String?), (86_400_000_000_000, "24h"), (0, "0s"),
            (-5, "0s"),
            (1, "0.000001ms"), (1_500_000_000, "1.5s"), (Int64.max, nil),
        ] as [(Int64, String?)])
    func known(_ nanoseconds: Int64, _ text: String?) {
        let written = ValueSyntax.text(Interval.nanoseconds(nanoseconds))
        if let text { expectEqual(written, text) }
        #expect(ValueSyntax.interval(written) != nil)
    }

    @Test("An operation has letters and digits of ASCII behind a letter, 64 at most")
    func operations() {
        let longest = String(repeating: "a", count: FixtureLimits.operationBytes)
        for name in ["Get", "get2", longest] {
            expectEqual(ValueSyntax.moment("request \(name) 1"), .request(name, 1))
        }
        for name in ["2nd", "Größe", "GetIt!", "Get-It", "", longest + "a"] {
            expectEqual(ValueSyntax.moment("request \(name) 1"), nil)
        }
    }
}
