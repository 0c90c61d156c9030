import Expectations
import HTTPCore
import Testing

@Suite("Request line")
struct RequestLineTests {
    private func line(_ line: String) -> Refusal? {
        refusal(of: line + "\r\nHost: a\r\n\r\n")
    }

    @Test("Method, target and version are taken as sent (RFC 9112 §3)")
    func parts() throws {
        let head = try #require(requestHead(of: get("/a%20b?c=d")))
        expectEqual(head, RequestHead(method: "GET", target: "/a%20b?c=d", headers: ["Host": "a"]))
    }

    @Test(
        "A line that is not three words with single spaces is refused (RFC 9112 §3)",
        arguments: [
            "GET / x HTTP/1.1", "GET  / HTTP/1.1", "GET /  HTTP/1.1", " GET / HTTP/1.1", "GET\t/\tHTTP/1.1",
            "GET / HTTP 1.1", "GET", "GET ", "GET  HTTP/1.1", "\u{5}\u{1}",
        ] as [String])
    func words(_ text: String) {
        expectEqual(line(text)?.status, 400)
    }

    @Test("HTTP/0.9 is refused at the line end, without waiting for more (RFC 9112 §2.3)")
    func missingVersion() {
        expectEqual(refusal(of: "GET /\r\n"), Refusal(.missingVersion))
    }

    @Test(
        "A version that is not written as HTTP/digit.digit is refused (RFC 9112 §2.3)",
        arguments: ["HTTQ/1.1", "http/1.1", "HTTP/1.", "HTTP/1.10", "HTTP/01.1", "HTTP/x.1", "HTTP/1,1"]
            as [String])
    func malformedVersion(_ version: String) {
        expectEqual(line("GET / " + version), Refusal(.malformedVersion))
    }

    @Test(
        "Another major version is answered with 505 (RFC 9110 §15.6.6)",
        arguments: ["0.9", "2.0", "3.0"] as [String])
    func unsupportedVersion(_ version: String) {
        expectEqual(line("GET / HTTP/" + version)?.status, 505)
        expectEqual(refusal(of: "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")?.status, 505)
    }

    @Test("A higher minor version is served (RFC 9110 §2.5)")
    func higherMinorVersion() {
        expectEqual(requestHead(of: bytes("GET / HTTP/1.2\r\nHost: a\r\n\r\n"))?.minorVersion, 2)
    }

    @Test(
        "A method is a token of any case (RFC 9110 §9.1)",
        arguments: ["get", "BREW", "M-SEARCH", "!#$%&'*+.^_`|~9"] as [String])
    func methods(_ method: String) {
        expectEqual(requestHead(of: bytes("\(method) / HTTP/1.1\r\nHost: a\r\n\r\n"))?.method, method)
    }

    @Test(
        "A method with other characters is refused (RFC 9110 §9.1)",
        arguments: ["G\u{1}T", "GET()", "G\u{E9}T", "A:"] as [String])
    func invalidMethod(_ method: String) {
        expectEqual(line(method + " / HTTP/1.1"), Refusal(.invalidMethod))
    }

    @Test(
        "A method beyond its limit is answered with 501 (RFC 9112 §3)",
        arguments: [33, 4096, 100_000] as [Int])
    func longMethod(_ count: Int) {
        expectEqual(line(String(repeating: "M", count: 32) + " / HTTP/1.1"), nil)
        expectEqual(
            line(String(repeating: "M", count: count) + " / HTTP/1.1"), Refusal(.methodTooLong(limit: 32)))
    }

    @Test("CONNECT is answered with 501: this is no proxy (RFC 9110 §9.3.6)")
    func connect() {
        expectEqual(line("CONNECT example.com:443 HTTP/1.1"), Refusal(.connectMethod))
    }

    @Test(
        "A target of no known form, or with bytes that no URL has, is refused (RFC 9112 §3.2)",
        arguments: [
            "index.html", "?a=1", "*", "a:80", "/#top", "/\u{0}", "/\u{1}\u{1F}", "/\u{7F}", "/\u{E9}",
            "http://",
            "http:///x", "http://user@a/", "http://a:99999/", "ftp://a/",
        ] as [String])
    func invalidTarget(_ target: String) {
        expectEqual(line("GET \(target) HTTP/1.1"), Refusal(.invalidTarget))
    }

    @Test("The target * is for OPTIONS alone (RFC 9112 §3.2.4)")
    func asterisk() {
        expectEqual(line("OPTIONS * HTTP/1.1"), nil)
        expectEqual(line("GET * HTTP/1.1")?.status, 400)
    }

    @Test("A request line at its limit is served, one byte more is answered with 414 (RFC 9110 §15.5.15)")
    func lineLimit() {
        let room = HTTPLimits().requestLineBytes - "GET / HTTP/1.1".utf8.count
        expectEqual(line("GET /\(String(repeating: "a", count: room)) HTTP/1.1"), nil)
        expectEqual(line("GET /\(String(repeating: "a", count: room + 1)) HTTP/1.1")?.status, 414)
    }

    @Test("A request line without an end is refused at its limit")
    func endlessLine() {
        var parser = RequestParser()
        let outputs = parser.receive(bytes("GET /" + String(repeating: "a", count: 10_000)))
        expectEqual(refusal(outputs), Refusal(.targetTooLong(limit: 8192)))
        #expect(parser.receive(get()).isEmpty)
    }

    @Test(
        "A CR inside the line is refused (RFC 9112 §2.2)",
        arguments: ["GET /\rX HTTP/1.1", "GET / HTTP/1.1\r", "\rGET / HTTP/1.1"] as [String])
    func bareCarriageReturn(_ text: String) {
        expectEqual(line(text)?.status, 400)
    }

    @Test("A line that ends with LF alone is refused (RFC 9112 §2.2)")
    func bareLineFeed() {
        expectEqual(refusal(of: "GET / HTTP/1.1\nHost: a\n\n"), Refusal(.bareLineFeed))
        expectEqual(refusal(of: "\nGET / HTTP/1.1\r\n"), Refusal(.bareLineFeed))
    }

    @Test("Empty lines before the request line are skipped, within their limit (RFC 9112 §2.2)")
    func leadingEmptyLines() {
        #expect(requestHead(of: bytes(String(repeating: "\r\n", count: 8)) + get()) != nil)
        expectEqual(refusal(of: String(repeating: "\r\n", count: 9)), Refusal(.tooManyEmptyLines(limit: 8)))
    }

    @Test("A TLS handshake is answered at its first byte with the way out (RFC 8446 §5.1)")
    func tls() {
        let refusal = refusal(of: [0x16, 0x03, 0x01])
        expectEqual(refusal, Refusal(.tlsHandshake))
        expectEqual(refusal?.reason.contains("http://"), true)
    }

    @Test(
        "Bytes that cannot start a request are refused without waiting for a line end",
        arguments: [0, 0x20, 0x7B, 0x81, 0xFF] as [UInt8])
    func otherProtocols(_ byte: UInt8) {
        expectEqual(refusal(of: [byte]), Refusal(.malformedRequestLine))
    }
}
