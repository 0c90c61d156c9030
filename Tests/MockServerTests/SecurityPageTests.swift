import DialectKit
import Expectations
import Foundation
import MockServer
import ServerCore
import Testing

/// `Shared/Docs/security.md` lists the routes that pages of other origins may use, and those of dialects that they may not.
@Suite("The page on security", .timeLimit(.minutes(5)))
struct SecurityPageTests {
    /// `METHOD /path` of the first cells of the table with this heading.
    private static func listed(under heading: String) throws -> Set<String> {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let page = try String(
            contentsOf: root.appendingPathComponent("Shared/Docs/security.md"), encoding: .utf8)
        let lines = page.split(separator: "\n", omittingEmptySubsequences: false)
        let start = try #require(lines.firstIndex { $0.hasPrefix("| \(heading)") })
        let cells = lines[(start + 2)...].prefix { $0.hasPrefix("|") }.map { $0.split(separator: "|")[0] }
        let words = cells.flatMap { $0.split(separator: "`").filter { $0.contains(" /") } }
        return Set(words.map(String.init).filter { !$0.hasPrefix(",") })
    }

    @Test("Each route of a protocol stands in one of its tables, open or closed as it is")
    func routes() async throws {
        try await World.run { world in
            var (open, closed): (Set<String>, Set<String>) = ([], [])
            for (owner, route) in await world.server.inspect({ $0.routes.all }) {
                guard case .dialect = owner else { continue }
                let name = "\(route.methods[0]) \(route.path)"
                if route.isOpenToPages { open.insert(name) } else { closed.insert(name) }
            }
            let listedOpen = try Self.listed(under: "open to pages")
            let listedClosed = try Self.listed(under: "closed to pages")
            expectEqual(listedOpen, open)
            expectEqual(listedClosed, closed)
        }
    }
}
