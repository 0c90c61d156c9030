import Expectations
import HTTPCore
import MockServer
import TestSupport
import Testing
import Texts

@Suite("What files are sent as", .timeLimit(.minutes(5)))
struct FileTypeTests {
    private static let office = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"

    /// Uploads a file, and what its link answers.
    private static func sent(
        _ name: String, _ type: String, asked: String?, by guest: Guest
    ) async throws -> Line.Answer {
        let target = try await link(name, type, asked: asked, by: guest)
        return try await guest.desk.ask("GET", target)
    }

    private static func link(
        _ name: String, _ type: String, asked: String?, by guest: Guest
    ) async throws -> String {
        let (id, target) = try await guest.announce(
            3, ["ContentType": .string(type), "AttachmentName": .string(name)])
        let put = try await guest.desk.client.request("PUT", target, ["Content-Length": "3"], body: "<b>")
        expectEqual(put.status, 200)
        try await expectEqual(
            guest.ask("complete-attachment-upload", ["AttachmentIds": .array([.string(id)])]).status,
            200)
        var body: JSONObject = ["AttachmentId": .string(id)]
        if let asked { body.members.append(.init("UrlContentDisposition", .string(asked))) }
        let answer = try await guest.ask("attachment", body)
        return Desk.target(of: try #require(answer["Url"]?.string, "\(answer.text)"))
    }

    @Test(
        "A type that does not fit the name's ending, or is none, becomes plain bytes to save, whatever was asked",
        arguments: [
            ("notes.txt", "text/html"), ("notes.txt", "TEXT/HTML; charset=utf-16"),
            ("a.csv", "image/svg+xml"),
            ("a.png", "image/svg+xml"), ("a.pdf", "application/xhtml+xml"), ("a.txt", "text/xml"),
            ("a.txt", "application/xml"), ("a.html.txt", "text/html;x=text/plain"), ("a.jpg", "image/png"),
            ("a.txt", " text/html"), ("a.docx", "multipart/x-mixed-replace"),
            ("a.txt", "text/plain,text/html"),
            ("a.txt", "text/javascript"), ("a.pdf", "text/plain"), ("a.mp4", "application/mathml+xml"),
            ("a.txt", "x"), ("a.wav", "text/cache-manifest"), ("a.rtf", "application/rss+xml"),
            ("a.txt", ";text/plain"),
        ] as [(String, String)])
    func strange(name: String, type: String) async throws {
        try await Desk.run { desk in
            let answer = try await Self.sent(name, type, asked: "INLINE", by: try await desk.start())
            #expect(answer.status == 200 && answer.text == "<b>")
            expectEqual(answer.headers["Content-Type"], "application/octet-stream")
            expectEqual(answer.headers["Content-Disposition"]?.hasPrefix("attachment"), true)
            expectEqual(answer.headers["Content-Security-Policy"], "sandbox; default-src 'none'")
            expectEqual(answer.headers["X-Content-Type-Options"], "nosniff")
            expectEqual(answer.headers["Cross-Origin-Resource-Policy"], "cross-origin")
        }
    }

    @Test(
        "One that fits is kept, in small letters and without parameters; pictures, sound, video, PDF and text are shown",
        arguments: [
            ("a.png", "image/png", "image/png", true), ("a.JPG", "Image/JPEG ; q=1", "image/jpeg", true),
            ("a.heic", "image/heif", "image/heif", true), ("a.wav", "audio/x-wav", "audio/x-wav", true),
            ("a.mov", "video/quicktime", "video/quicktime", true),
            ("a.pdf", "application/pdf", "application/pdf", true),
            ("a.txt", "text/plain", "text/plain", true),
            ("a.txt", "text/plain; Charset=\"UTF-8\"", "text/plain; charset=utf-8", true),
            ("a.txt", "text/plain;charset=utf-7", "text/plain", true),
            ("a.csv", "text/csv", "text/csv", false),
            ("a.docx", office, office, false), ("a.rtf", "application/rtf", "application/rtf", false),
        ] as [(String, String, String, Bool)])
    func fitting(name: String, type: String, sent: String, isShown: Bool) async throws {
        try await Desk.run { desk in
            let guest = try await desk.start()
            let answer = try await Self.sent(name, type, asked: "INLINE", by: guest)
            expectEqual(answer.headers["Content-Type"], sent)
            let kind = isShown ? "inline" : "attachment"
            expectEqual(answer.headers["Content-Disposition"]?.hasPrefix(kind + ";"), true)
            for asked in [nil, "ATTACHMENT"] {
                let saved = try await Self.sent(name, type, asked: asked, by: guest)
                expectEqual(saved.headers["Content-Disposition"]?.hasPrefix("attachment;"), true)
            }
        }
    }

    @Test("What a link is for is signed: no parameter and no change of its text makes it another one")
    func signed() async throws {
        try await Desk.run { desk in
            let guest = try await desk.start()
            let saved = try await Self.link("a.png", "image/png", asked: "ATTACHMENT", by: guest)
            for query in [
                "disposition=inline", "response-content-type=text/html", "UrlContentDisposition=INLINE",
            ] {
                let answer = try await desk.ask("GET", saved + "?" + query)
                expectEqual(answer.headers["Content-Disposition"]?.hasPrefix("attachment;"), true)
                expectEqual(answer.headers["Content-Type"], "image/png")
            }
            let parts = saved.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
            var others = [saved + "/", saved + "//", saved.replacing("/file/", with: "/file//")]
            for (index, part) in parts.enumerated() {
                for change in ["inline", "", part + "0", String(part.dropLast())] where change != part {
                    var changed = parts
                    changed[index] = change
                    others.append(changed.joined(separator: "."))
                }
            }
            for other in others {
                let answer = try await desk.ask("GET", other)
                #expect([400, 403, 404].contains(answer.status), "\(other)")
            }
        }
    }

    @Test("A page of any origin may bring the bytes of a file")
    func pages() async throws {
        try await Desk.run { desk in
            let guest = try await desk.start()
            let (_, target) = try await guest.announce(3)
            let headers: HeaderFields = ["Origin": "http://a.example", "Content-Length": "3"]
            let answer = try await desk.client.request("PUT", target, headers, body: "abc")
            #expect(answer.status == 200 && answer.headers["Access-Control-Allow-Origin"] == "*")
        }
    }
}
