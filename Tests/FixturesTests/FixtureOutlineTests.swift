import Expectations
import Fixtures
import Testing
import Texts

@Suite("Outline of a fixture")
struct FixtureOutlineTests {
    @Test("A rule ends in the line of its last brace")
    func lines() throws {
        let text = """
            {
              fixture: 1,
              anywhere: [
                { hears: "a",
                  replies: [{ say: "b" }] },
                { hears: "c", replies: [{ say: "d" }] },
                {
                  hears: "e",
                  replies: [{ say: "f" }],
                }
              ],
            }
            """
        let bytes = Array(text.utf8)
        let fixture = FixtureLoader.compile(bytes: bytes, fileName: "f", name: "f")
        let outline = FixtureOutline(try #require(fixture.script), of: bytes)
        let rules = try #require(outline.rules().array)
        expectEqual(rules.map { $0["line"]?.integer }, [4, 6, 7])
        expectEqual(rules.map { $0["endLine"]?.integer }, [5, 6, 10])
    }
}
