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
}
