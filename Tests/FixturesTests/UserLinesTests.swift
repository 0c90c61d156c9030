import Expectations
import Testing

@testable import Fixtures

@Suite("What the users of examples say")
struct UserLinesTests {
    private static func lines(_ text: String) -> [UserLines] {
        let fixture = FixtureLoader.compile(bytes: Array(text.utf8), fileName: "f", name: "f")
        guard let script = fixture.script else { return [] }
        return fixture.examples.compactMap { UserLines($0, of: script) }
    }

    @Test("The examples of the booking fixture, with the replies that follow each line, up to the queue")
    func booking() throws {
        let talks = Self.lines(try Samples.text("fixtures/booking.json5"))
        expectEqual(talks.map(\.greetings), [1, 1, 1])
        expectEqual(talks[0].lines.map(\.replies), [1, 1, 2, 1])
        expectEqual(talks[0].lines.map(\.ends), [false, false, false, true])
        expectEqual(talks[1].lines.map(\.text), ["a table", "twelve"])
        expectEqual(talks[2].lines.map(\.text), ["purple", "???", "hm"])
    }

    @Test("Lines behind one that nobody answers are left out")
    func unanswered() {
        let talks = Self.lines(
            #"""
            { fixture: 1, name: "f",
              anywhere: [
                { name: "tea", hears: "tea", replies: [ { say: "Which kind?" } ] },
                { name: "hush", hears: "hush", replies: [ { wait: "1s" } ] },
              ],
              examples: [
                { name: "one", talk: [ "user: tea", "user: hush", "user: tea" ] },
                { name: "none", talk: [ "user: hush" ] },
              ] }
            """#)
        expectEqual(talks.map(\.example), ["one"])
        expectEqual(talks.first?.lines, [.init(text: "tea", replies: 1, ends: false)])
    }
}
