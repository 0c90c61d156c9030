import Expectations
import ServerCore
import Testing

@Suite("Bearers that are kept")
struct KeptBearersTests {
    @Test("A bearer is read once, until there are too many; one that says nothing is read each time")
    func bound() {
        var bearers = TokenCache()
        var count = 0
        func read(_ bearer: String, _ value: Int?) -> Int? {
            bearers.reading(of: bearer) {
                count += 1
                return value
            }
        }
        for _ in 0..<3 { expectEqual(read("good", 7), 7) }
        expectEqual(count, 1)
        for _ in 0..<3 { expectEqual(read("bad", nil), nil) }
        expectEqual(count, 4)
        for number in 1..<CoreLimits.keptBearers { _ = read("bearer \(number)", number) }
        count = 0
        #expect(read("good", 8) == 7 && count == 0)
        expectEqual(read("one too many", 9), 9)
        #expect(read("good", 8) == 8 && count == 2)
    }

    @Test("A bearer read for the last time is read again; other kinds of its reading stay")
    func last() {
        var bearers = TokenCache()
        expectEqual(bearers.reading(of: "b") { 1 }, 1)
        expectEqual(bearers.reading(of: "b") { "one" }, "one")
        expectEqual(bearers.reading(of: "b", isLast: true) { 3 }, 1)
        expectEqual(bearers.reading(of: "b", isLast: true) { 4 }, 4)
        expectEqual(bearers.reading(of: "b") { 2 }, 2)
        expectEqual(bearers.reading(of: "b") { "two" }, "one")
    }

    @Test("The same text is kept for each kind of reading by itself")
    func kinds() {
        var bearers = TokenCache()
        expectEqual(bearers.reading(of: "b") { 1 }, 1)
        expectEqual(bearers.reading(of: "b") { "one" }, "one")
        expectEqual(bearers.reading(of: "b") { 2 }, 1)
    }
}
