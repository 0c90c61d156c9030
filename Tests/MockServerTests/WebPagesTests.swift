import Expectations
import Foundation
import HTTPCore
import TestSupport
import Testing

@testable import MockServer

@Suite("The pages for people", .timeLimit(.minutes(5)))
struct WebPagesTests {
    @Test(
        "Each file has its type, and nothing else is asked for",
        arguments: [
            ("/chat", "text/html; charset=utf-8"), ("/inspect", "text/html; charset=utf-8"),
            ("/docs", "text/html; charset=utf-8"), ("/pages/docs/all.json", "application/json"),
            ("/chat/", "text/html; charset=utf-8"), ("/inspect/", "text/html; charset=utf-8"),
            ("/pages/shared/md.js", "text/javascript; charset=utf-8"),
            ("/pages/shared/tokens.css", "text/css; charset=utf-8"),
            ("/pages/shared/strings/de.json", "application/json"), ("/pages/config.json", "application/json"),
        ] as [(String, String)])
    func files(_ path: String, _ type: String) async throws {
        try await World.run { world in
            let answer = try await world.client.request("GET", path)
            expectEqual(answer.status, 200)
            expectEqual(answer.headers["Content-Type"], type)
            expectEqual(answer.headers["X-Content-Type-Options"], "nosniff")
            expectEqual(answer.headers["Cache-Control"], "no-cache")
            #expect(!answer.text.isEmpty)
            let rows = await world.server.inspect { $0.rows() }
            #expect(rows.isEmpty, "pages are no traffic of clients")
        }
    }

    @Test("Both pages allow scripts of their own alone, and no markup made of texts")
    func policies() async throws {
        try await World.run { world in
            for path in ["/chat", "/inspect", "/docs"] {
                let policy =
                    try await world.client.request("GET", path).headers["Content-Security-Policy"] ?? ""
                for part in [
                    "default-src 'none'", "script-src 'self'", "trusted-types 'none'", "base-uri 'none'",
                ] {
                    #expect(policy.contains(part), "\(path)")
                }
            }
        }
    }

    @Test(
        "A browser that has a file gets 304, until it changes",
        arguments: ["{}", "W/{}", "\"x\", {}", "*"] as [String])
    func known(_ form: String) async throws {
        try await World.run { world in
            let first = try await world.client.request("GET", "/pages/shared/md.js")
            let tag = try #require(first.headers["ETag"])
            let field = form == "*" ? "*" : form.replacing("{}", with: tag)
            let again = try await world.client.request("GET", "/pages/shared/md.js", ["If-None-Match": field])
            expectEqual(again.status, 304)
            #expect(again.text.isEmpty)
            let other = try await world.client.request("GET", "/pages/shared/dom.js", ["If-None-Match": tag])
            expectEqual(other.status, 200)
        }
    }

    @Test(
        "What is no file of the pages is not there, however it is written",
        arguments: [
            "/pages/../x", "/pages/%2e%2e/x", "/pages/shared/%2e%2e%2fchat%2fchat.js",
            "/pages/shared/none.js",
            "/pages/web/README.md", "/pages/shared", "/pages/shared/strings/../md.js",
            "/pages/chat/chat.html", "/pages/inspect/inspect.html", "/pages/inspect/inspect%2Ehtml",
        ] as [String])
    func missing(_ path: String) async throws {
        try await World.run { world in
            let answer1 = try await world.client.request("GET", path)
            expectEqual(answer1.status, 404)
        }
    }

    @Test("Other methods, foreign hosts and foreign pages are refused")
    func refused() async throws {
        try await World.run { world in
            let answer2 = try await world.client.request("POST", "/chat")
            expectEqual(answer2.status, 405)
            let answer3 = try await world.client.request("GET", "/chat", ["Host": "evil.example"])
            expectEqual(answer3.status, 403)
            let origin: HeaderFields = ["Origin": "https://evil.example"]
            let answer4 = try await world.client.request("GET", "/pages/shared/md.js", origin)
            expectEqual(answer4.status, 403)
        }
    }

    @Test("Without the control API there is a chat page, and no inspector")
    func noControl() async throws {
        try await World.run {
            $0.control.isOn = false
        } _: { world in
            let answer5 = try await world.client.request("GET", "/chat")
            expectEqual(answer5.status, 200)
            for path in ["/inspect", "/inspect/", "/pages/inspect/app.js", "/pages/inspect/inspect.html"] {
                try await expectEqual(world.client.request("GET", path).status, 404, "\(path)")
            }
            let start = try await world.client.request("GET", "/").text
            #expect(start.contains(#"<a href="/chat">Open the chat</a></p>"#))
            #expect(!start.contains("/inspect") && !start.contains("/_mock/sessions"))
            #expect(start.contains(#"<p><a href="/_mock/health">health</a></p>"#))
        }
    }

    @Test("A folder of pages that is none is refused before the server starts")
    func noFolder() {
        var configuration = Configuration()
        configuration.pages.folder = "/nowhere/at all"
        #expect {
            try configuration.check()
        } throws: { error in
            "\(error)".contains("pages.folder /nowhere/at all is not a folder")
        }
    }

    @Test("The chat page reads what the configuration says of it")
    func settings() async throws {
        let settings =
            "{ pages: { token: 'mock:hello', header: 'Help', maxLength: 200, links: [ { text: 'a' } ] } }"
        var configuration = Configuration()
        try ConfigurationFile.apply(Array(settings.utf8), named: "settings.json5", to: &configuration)
        let pages = configuration.pages
        try await World.run {
            $0.pages = pages
        } _: { world in
            let text = try await world.client.request("GET", "/pages/config.json").text
            expectEqual(
                text,
                #"{"header":"Help","links":[{"text":"a"}],"maxLength":200,"runs":true,"#
                    + #""token":"mock:hello"}"#)
        }
    }

    @Test("A folder of one's own is read at each request, and nothing beside it")
    func folder() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let page = folder.appendingPathComponent("web/chat/chat.html")
        try FileManager.default.createDirectory(
            at: page.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data("<p>mine".utf8).write(to: page)
        try Data("no".utf8).write(to: folder.appendingPathComponent("secret.html"))
        try await World.run {
            $0.pages.folder = folder.path + "/web"
        } _: { world in
            let answer7 = try await world.client.request("GET", "/chat")
            expectEqual(answer7.text, "<p>mine")
            try Data("<p>changed".utf8).write(to: page)
            let answer8 = try await world.client.request("GET", "/chat")
            expectEqual(answer8.text, "<p>changed")
            for path in ["/pages/..%2fsecret.html/x", "/pages/%2e%2e/secret.html", "/pages/chat/none.js"] {
                let answer9 = try await world.client.request("GET", path)
                expectEqual(answer9.status, 404)
            }
        }
    }
}
