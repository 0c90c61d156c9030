import Expectations
import Testing
import Texts

@Suite("Nearest name")
struct NearestNameTests {
    @Test(
        "One swapped, wrong, missing or added letter costs one; two are the most",
        arguments: [
            ("sugest", "suggest"), ("suggset", "suggest"), ("sgugset", "suggest"), ("SUGGEST", "suggest"),
            ("peple", "people"), ("repplies", "replies"), ("confrim", "confirm"), ("frontdesk", "front-desk"),
            ("sugg", nil), ("reply", "replies"), ("suggests", "suggest"), ("xyz", nil), ("", nil),
            ("sya", "say"),
            ("syx", nil),
        ] as [(String, String?)])
    func nearest(name: String, suggestion: String?) {
        let names = ["say", "suggest", "replies", "people", "confirm", "front-desk"]
        expectEqual(NearestName.suggestion(for: name, among: names), suggestion)
    }

    @Test("The nearest wins, then the first in the list")
    func order() {
        expectEqual(NearestName.suggestion(for: "cord", among: ["code", "card", "cord2"]), "card")
        expectEqual(NearestName.suggestion(for: "day1", among: ["day2", "day3"]), "day2")
    }

    @Test("A name of silly length has no neighbour")
    func longName() {
        let long = String(repeating: "a", count: 41)
        expectEqual(NearestName.suggestion(for: long, among: [long]), nil)
    }
}
