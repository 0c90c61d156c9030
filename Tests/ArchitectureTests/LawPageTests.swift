import Testing

/// `Shared/Docs/laws.md` lists the laws that the book has.
@Suite("The page of laws")
struct LawPageTests {
    @Test("The table of the page has each law of the sources, once, and no other")
    func table() throws {
        let page = try #require(Repository.current.file("Shared/Docs/laws.md")).text
        let listed = page.split(separator: "\n").filter { $0.hasPrefix("| `") }.compactMap {
            $0.split(separator: "`").dropFirst().first.map(String.init)
        }
        let sources = Repository.current.swift(in: "Server/LawBook").map(\.text).joined()
        #expect(listed.count >= 20 && Set(listed).count == listed.count)
        for law in listed { #expect(sources.contains("\"\(law)\""), "\(law)") }
        let declared = sources.matches(of: /id: "([a-z-]+)"/).map { String($0.1) }
        #expect(Set(declared) == Set(listed) || declared.isEmpty)
    }

    @Test("Each law of AG-UI has its statement on the page, and each statement says how it is known")
    func agentRuns() throws {
        let laws = try #require(Repository.current.file("Server/Dialects/AGUIDialect/AGUILaws.swift")).text
        let page = try #require(Repository.current.file("Shared/Docs/protocol-agui.md")).text
        let ids = laws.matches(of: /= law\(\s*"([a-z-]+)"/).map { String($0.1) }
        let statements = page.split(separator: "\n#### ").dropFirst()
        let anchors = statements.compactMap { $0.split(separator: "\n").first.map(String.init) }
        #expect(ids.count == 6 && Set(ids).isSubset(of: anchors))
        #expect(Set(anchors).count == anchors.count)
        for statement in statements {
            let tags = ["**documented**", "**observed**", "**assumed**"].filter { statement.contains($0) }
            #expect(tags.count == 1, "\(statement.prefix(40))")
        }
    }
}
