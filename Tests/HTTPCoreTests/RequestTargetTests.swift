import Expectations
import HTTPCore
import TestSupport
import Testing

@Suite("Request target")
struct RequestTargetTests {
    @Test("Path and query are taken apart and decoded (RFC 3986 §3)")
    func originForm() throws {
        let target = try #require(RequestTarget(parsing: "/a%20b/%C3%A9?x=1&y=a+b%2B&z&=v&&x=2?"))
        expectEqual(target.form, .origin)
        expectEqual(target.rawPath, "/a%20b/%C3%A9")
        expectEqual(target.path, "/a b/\u{E9}")
        expectEqual(target.query.map(\.name), ["x", "y", "z", "", "x"])
        expectEqual(target.query.map(\.value), ["1", "a b+", "", "v", "2?"])
        expectEqual(target.value(of: "x"), "1")
        expectEqual(target.value(of: "w"), nil)
        expectEqual(target.authority, nil)
    }

    @Test("A plus is a space in a query, not in a path")
    func plus() {
        expectEqual(RequestTarget(parsing: "/a+b")?.path, "/a+b")
    }

    @Test(
        "An absolute target names the host (RFC 9112 §3.2.2)",
        arguments: [
            ("http://a:80/b?c", "a:80", "/b"), ("HTTPS://[::1]:1/", "[::1]:1", "/"), ("http://a", "a", "/"),
            ("http://a?c", "a", "/"),
        ] as [(String, String, String)])
    func absoluteForm(_ text: String, _ authority: String, _ path: String) throws {
        let target = try #require(RequestTarget(parsing: text))
        expectEqual(target.form, .absolute)
        expectEqual(target.authority, authority)
        expectEqual(target.path, path)
        expectEqual(target.rawPath, path)
        expectEqual(target.query.first?.name == "c", text.contains("?"))
    }

    @Test("The host of an absolute target outranks the Host field (RFC 9112 §3.2.2)")
    func authority() {
        let fields: HeaderFields = ["Host": "b"]
        expectEqual(RequestHead(method: "GET", target: "http://a/", headers: fields).authority, "a")
        expectEqual(RequestHead(method: "GET", target: "/", headers: fields).authority, "b")
        expectEqual(RequestHead(method: "OPTIONS", target: "*", headers: fields).authority, "b")
    }

    @Test("* is for the server as a whole, host and port for CONNECT (RFC 9112 §3.2.3, §3.2.4)")
    func otherForms() throws {
        let asterisk = try #require(RequestTarget(parsing: "*"))
        expectEqual(asterisk.form, .asterisk)
        expectEqual(asterisk.path, "*")
        let tunnel = try #require(RequestTarget(parsing: "a.example:443"))
        expectEqual(tunnel.form, .authority)
        expectEqual(tunnel.authority, "a.example:443")
        expectEqual(tunnel.path, "")
    }

    @Test(
        "Dot segments are gone from the path, however they were written (RFC 3986 §5.2.4)",
        arguments: [
            ("/a/./b", "/a/b"), ("/a/../b", "/b"), ("/../../etc/passwd", "/etc/passwd"), ("/a/..", "/"),
            ("/a/.", "/a/"),
            ("/..", "/"), ("/.", "/"), ("/%2e%2e/%2E%2e/a", "/a"), ("/a/..%2f..%2fb", "/b"),
            ("/./.././../a", "/a"),
            ("/...", "/..."), ("/.a/..b", "/.a/..b"), ("//a", "//a"), ("/a//../b", "/a/b"),
            ("/....//a", "/....//a"),
            ("/%252e%252e/a", "/%2e%2e/a"), ("/..;/a", "/..;/a"), ("/a.b/c", "/a.b/c"),
            ("http://a/../b", "/b"),
        ] as [(String, String)])
    func dotSegments(_ text: String, _ path: String) {
        expectEqual(RequestTarget(parsing: text)?.path, path)
    }

    @Test(
        "Invalid escapes, text that is not UTF-8, NUL and unknown forms are refused",
        arguments: [
            "", "a", "?a", "/%zz", "/a%", "/a%4", "/%00", "/.%00./a", "/%ff%fe", "/%c0%af", "/%ed%a0%80",
            "/%uff0e",
            "/?a=%zz", "/?%", "/?a=%00", "/?%ff", "/a b", "/a#b", "/\u{E9}", "http://", "http:///",
            "http://u@a/", "a:",
            "a:b", "ftp://a/", "**",
        ] as [String])
    func invalid(_ text: String) {
        expectEqual(RequestTarget(parsing: text), nil)
    }

    @Test("A target never has a dot segment, whatever is sent", arguments: 1...Strength.of(20, full: 50))
    func hostileTargets(seed: UInt64) {
        var chance = Chance(state: seed)
        let pieces = ["/", "..", ".", "%2e", "%2F", "a", "%5c", "//", "%25", "?", "%c3%a9", ";"]
        for _ in 0..<200 {
            let count = Int.random(in: 0...12, using: &chance)
            let text =
                "/"
                + (0..<count).map { _ in pieces[Int.random(in: 0..<pieces.count, using: &chance)] }.joined()
            guard let path = RequestTarget(parsing: text)?.path else { continue }
            let segments = path.split(separator: "/", omittingEmptySubsequences: false)
            #expect(path.hasPrefix("/") && !segments.contains("..") && !segments.contains("."), "\(text)")
        }
    }
}

@Suite("Percent-encoding")
struct PercentCodingTests {
    @Test("Everything but unreserved characters is escaped (RFC 3986 §2.3)")
    func encode() {
        expectEqual(PercentCoding.encode("aZ09-._~"), "aZ09-._~")
        expectEqual(PercentCoding.encode("a b/?&=+%\u{E9}\u{0}"), "a%20b%2F%3F%26%3D%2B%25%C3%A9%00")
        expectEqual(PercentCoding.encode(""), "")
    }

    @Test("What was encoded is decoded to the same text", arguments: 1...20)
    func roundTrip(seed: UInt64) {
        var chance = Chance(state: seed)
        var text = ""
        for _ in 0..<50 {
            let scalar = Unicode.Scalar(UInt32.random(in: 1...0x10FFFF, using: &chance))
            if let scalar { text.unicodeScalars.append(scalar) }
        }
        expectEqual(PercentCoding.decode(PercentCoding.encode(text)), text)
    }

    @Test("Hexadecimal digits are taken in any case")
    func digits() {
        expectEqual(PercentCoding.decode("%c3%A9%2f"), "\u{E9}/")
    }
}
