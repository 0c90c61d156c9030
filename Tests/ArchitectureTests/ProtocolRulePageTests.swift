import Expectations
import Testing

/// `Shared/Docs/protocol-rules.md` lists the protocol rules that there are.
@Suite("The page of protocol rules")
struct ProtocolRulePageTests {
    @Test("The table of the page has each protocol rule of the sources, once, and no other")
    func table() throws {
        let page = try #require(Repository.current.file("Shared/Docs/protocol-rules.md")).text
        let listed = page.split(separator: "\n").filter { $0.hasPrefix("| `") }.compactMap {
            $0.split(separator: "`").dropFirst().first.map(String.init)
        }
        let sources = Repository.current.swift(in: "Server/Dialects/PolyDialect/ProtocolRules").map(\.text)
            .joined()
        #expect(listed.count >= 20 && Set(listed).count == listed.count)
        for protocolRule in listed { #expect(sources.contains("\"\(protocolRule)\""), "\(protocolRule)") }
        let declared = sources.matches(of: /id: "([a-z-]+)"/).map { String($0.1) }
        #expect(Set(declared) == Set(listed) || declared.isEmpty)
    }

    @Test("Each weakness of the published chat SDK has a check, which is there")
    func weaknesses() throws {
        let page = try #require(Repository.current.file("Tests/interop/connect/README.md")).text
        let rows = page.split(separator: "\n").filter { $0.hasPrefix("| CW-") }
        expectEqual(
            rows.compactMap { $0.split(separator: " ").dropFirst().first }, (1...40).map { "CW-\($0)" })
        let tests = Repository.current.swift(in: "Tests/ConnectChatTests").map(\.text).joined()
        let named = Set(tests.matches(of: /CC-\d+/).map { String($0.0) })
        for row in rows {
            let checks = row.matches(of: /CC-\d+/).map { String($0.0) }
            let file = row.split(separator: "`").first { $0.hasPrefix(".ci/") || $0.hasPrefix("Tests/") }
            #expect(
                !checks.isEmpty || file.map { Repository.current.file(String($0)) != nil } == true, "\(row)")
            #expect(Set(checks).isSubset(of: named), "\(row)")
        }
    }

    @Test(
        "Each protocol rule of AG-UI has its statement on the page, and each statement says how it is known")
    func agentRuns() throws {
        let protocolRules = try #require(
            Repository.current.file("Server/Dialects/AGUIDialect/AGUIProtocolRules.swift")
        ).text
        let page = try #require(Repository.current.file("Shared/Docs/protocol-agui.md")).text
        let ids = protocolRules.matches(of: /= protocolRule\(\s*"([a-z-]+)"/).map { String($0.1) }
        let statements = page.split(separator: "\n#### ").dropFirst()
        let anchors = statements.compactMap { $0.split(separator: "\n").first.map(String.init) }
        #expect(ids.count == 6 && Set(ids).isSubset(of: anchors))
        expectEqual(Set(anchors).count, anchors.count)
        for statement in statements {
            let tags = ["**documented**", "**observed**", "**assumed**"].filter { statement.contains($0) }
            expectEqual(tags.count, 1, "\(statement.prefix(40))")
        }
    }
}
