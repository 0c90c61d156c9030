import Expectations
import Foundation
import Testing

/// Files that a code host, Docker and new users look for.
@Suite("Adoption files")
struct AdoptionFileTests {
    private func text(_ path: String) throws -> String {
        let bytes = FileManager.default.contents(atPath: Repository.current.root + "/" + path)
        return String(decoding: try #require(bytes, "\(path)"), as: UTF8.self)
    }

    @Test("The container's commands on the page are those of its files; the control token is a secret")
    func container() throws {
        let page = try text("Shared/Docs/getting-polymock.md")
        let (file, compose) = try (text("Server/Docker/Dockerfile"), text("Server/Docker/compose.yaml"))
        for (owner, command) in [
            (file, "docker build -t polymock -f Server/Docker/Dockerfile ."),
            (file, "docker run --rm -p 127.0.0.1:8787:8787 polymock"),
            (compose, "export POLYMOCK_CONTROL_TOKEN=$(openssl rand -hex 16)"),
            (compose, "docker compose -f Server/Docker/compose.yaml up"),
        ] {
            #expect(page.contains("\n" + command + "\n"), "\(command)")
            #expect(owner.contains("#     " + command + "\n"), "\(command)")
        }
        #expect(compose.contains(#""--control-token", "/run/secrets/control_token""#))
        #expect(compose.contains("    environment: POLYMOCK_CONTROL_TOKEN\n"))
        #expect(compose.contains(#"- "127.0.0.1:8787:8787""#))
    }

    @Test("Files of the code host: the checks, a template for changes, how to talk and how to report")
    func codeHost() throws {
        #expect(try text(".github/workflows/checks.yml").contains("run: bash .ci/run"))
        for path in ["CONTRIBUTING.md", "SECURITY.md", "CODE_OF_CONDUCT.md", "PULL_REQUEST_TEMPLATE.md"] {
            #expect(try text(".github/" + path).count > 100, "\(path)")
        }
    }

    @Test("The README names three jobs, each with a link, and each protocol's publisher")
    func doors() throws {
        let start = try #require(try text("README.md").split(separator: "## Two commands").first)
        for link in [
            "[write an app](#a-client)", "[test one](#a-test)", "[write conversations](fixtures/README.md)",
            "https://docs.poly.ai/",
        ] { #expect(start.contains(link), "\(link)") }
        #expect(try text("Shared/Docs/connect.md").contains("https://docs.aws.amazon.com/"))
        #expect(try text("Shared/Docs/agent-runs.md").contains("https://docs.ag-ui.com"))
        #expect(try text("README.md").split(whereSeparator: \.isWhitespace).count <= 800)
    }

    @Test("Each page for users begins with what one can do after it")
    func begins() throws {
        let names = [
            "agent-runs", "connect", "filters", "getting-polymock", "github-actions", "many-machines",
            "packages", "replies-from-elsewhere", "testing-with-node", "testing-with-python",
            "testing-with-swift-testing", "testing-with-xctest", "testing-with-xcuitest",
        ]
        for path in names.map({ "Shared/Docs/\($0).md" }) + ["fixtures/README.md"] {
            let paragraphs = try text(path).split(separator: "\n\n")
            #expect(paragraphs[1].hasPrefix("After this page you can "), "\(path)")
        }
    }

    @Test("Sentences that readers stumbled over are gone")
    func sentences() {
        for (path, words) in [
            ("README.md", "what came near"),
            ("Server/Pages/web/inspect/unmatched.js", "The talk would stand"),
            ("Server/Pages/openapi.json", "hold back leaves"),
            ("Server/Pages/openapi.json", "the version before"),
            ("Server/CLI/Control/ControlVerb+Fixtures.swift", "the version before"),
            ("Server/CLI/Control/Verb.swift", "several show as one"),
        ] { expectEqual(Repository.current.file(path)?.bytes.contains(words), false, "\(path): \(words)") }
    }
}
