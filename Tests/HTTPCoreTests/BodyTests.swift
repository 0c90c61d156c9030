import Expectations
import HTTPCore
import Testing

@Suite("Request bodies")
struct BodyTests {
    @Test("Content-Length delimits the body; what follows is the next request (RFC 9112 §6.3)")
    func length() {
        let outputs = parse(post("Content-Length: 5", body: "hello") + get("/next"))
        expectEqual(outputs.count, 5)
        expectEqual(outputs[1], .body(bytes("hello")))
        expectEqual(outputs[2], .end)
        expectEqual(outputs[3], .head(RequestHead(method: "GET", target: "/next", headers: ["Host": "a"])))
    }

    @Test("Without Content-Length and Transfer-Encoding there is no body (RFC 9112 §6.3)")
    func none() {
        expectEqual(parse(post()).last, .end)
        expectEqual(body(of: parse(post("Content-Length: 0"))), "")
    }

    @Test("A body is handed over as it arrives, not collected")
    func streaming() {
        var parser = RequestParser()
        _ = parser.receive(post("Content-Length: 4"))
        expectEqual(parser.receive(bytes("ab")), [.body(bytes("ab"))])
        expectEqual(parser.receive(bytes("c")), [.body(bytes("c"))])
        expectEqual(parser.receive(bytes("d")), [.body(bytes("d")), .end])
    }

    @Test(
        "A Content-Length that is not a number is refused (RFC 9110 §8.6)",
        arguments: ["", "-1", "+5", "0x5", "5 5", "5;", "abc", "5.0", "1e1", "5, 6", "5,5", "\u{665}"]
            as [String])
    func invalidLength(_ value: String) {
        expectEqual(
            refusal(of: post("Content-Length: " + value, body: "hello")), Refusal(.invalidContentLength))
    }

    @Test(
        "A length beyond the limit is answered with 413 before the body comes (RFC 9110 §15.5.14)",
        arguments: [
            "1048577", "9223372036854775808", "18446744073709551621", "1" + String(repeating: "0", count: 40),
        ] as [String])
    func longBody(_ value: String) {
        let outputs = parse(post("Content-Length: " + value))
        // The head comes first: who knows what the request is for may have a smaller limit to name.
        guard outputs.count == 2, case .head = outputs[0] else {
            Issue.record("\(outputs)")
            return
        }
        expectEqual(outputs[1], .refuse(Refusal(.bodyTooLarge(limit: 1_048_576))))
    }

    @Test("A length at the limit is served")
    func longestBody() {
        expectEqual(refusal(of: post("Content-Length: 1048576")), nil)
        expectEqual(body(of: parse(post("Content-Length: 0005", body: "hello"))), "hello")
    }

    @Test("Different Content-Length fields are refused, equal ones are one (RFC 9112 §6.3)")
    func repeatedLength() {
        expectEqual(
            refusal(of: post("Content-Length: 5", "Content-Length: 6", body: "hello")),
            Refusal(.conflictingContentLengths))
        expectEqual(body(of: parse(post("Content-Length: 5", "content-length: 5", body: "hello"))), "hello")
    }

    @Test("Content-Length and Transfer-Encoding together are refused, in either order (RFC 9112 §6.3)")
    func lengthAndCoding() {
        let fields = ["Content-Length: 5", "Transfer-Encoding: chunked"]
        expectEqual(refusal(of: post(fields[0], fields[1], body: "0\r\n\r\n")), Refusal(.lengthAndCoding))
        expectEqual(refusal(of: post(fields[1], fields[0], body: "0\r\n\r\n")), Refusal(.lengthAndCoding))
    }

    @Test(
        "The only transfer coding is chunked, once and in any case (RFC 9112 §6.1)",
        arguments: [
            ("chunked", nil), ("Chunked", nil), ("gzip", 501), ("identity", 501), ("xchunked", 501),
            ("chunk", 501),
            ("gzip, chunked", 501), ("chunked, gzip", 400), ("chunked, chunked", 400), ("chunked;q=1", 400),
            ("\"chunked\"", 400), ("", 400), (",chunked", 400), ("chunked,", 400), ("\u{B}chunked", 400),
        ] as [(String, Int?)])
    func codings(_ value: String, _ status: Int?) {
        expectEqual(refusal(of: post("Transfer-Encoding: " + value, body: "0\r\n\r\n"))?.status, status)
    }

    @Test("Transfer-Encoding in two fields is one list (RFC 9110 §5.3)")
    func repeatedCoding() {
        expectEqual(
            refusal(of: chunked("0\r\n\r\n", "Transfer-Encoding: chunked")), Refusal(.malformedCoding))
        expectEqual(
            refusal(of: chunked("0\r\n\r\n", "Transfer-Encoding: identity")), Refusal(.malformedCoding))
    }

    @Test("Transfer-Encoding in HTTP/1.0 is refused (RFC 9112 §6.1)")
    func codingInHTTP10() {
        let input = "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
        expectEqual(refusal(of: input), Refusal(.codingInHTTP10))
    }

    @Test(
        "Chunks are joined; sizes are hexadecimal in any case, with leading zeros (RFC 9112 §7.1)",
        arguments: [
            "5\r\nhello\r\n0\r\n\r\n", "1\r\nh\r\n4\r\nello\r\n0\r\n\r\n", "0005\r\nhello\r\n000\r\n\r\n",
            "5;name=value\r\nhello\r\n0;last\r\n\r\n", "5;a=\"b;\\\"c\"\r\nhello\r\n0\r\n\r\n",
            "5 ; a = b ;c\r\nhello\r\n0\r\n\r\n", "5\r\nhello\r\n0\r\nX-Sum: 1\r\n\r\n",
        ] as [String])
    func chunks(_ wire: String) {
        expectEqual(body(of: parse(chunked(wire))), "hello")
    }

    @Test(
        "A size in upper or lower case is the same number (RFC 9112 §7.1)",
        arguments: ["1a", "1A"] as [String])
    func sizeCase(_ size: String) {
        let text = String(repeating: "x", count: 26)
        expectEqual(body(of: parse(chunked("\(size)\r\n\(text)\r\n0\r\n\r\n"))), text)
    }

    @Test(
        "A malformed chunk is refused (RFC 9112 §7.1)",
        arguments: [
            "xyz\r\nabc\r\n", "\r\nabc\r\n", "-3\r\nabc\r\n", "0x3\r\nabc\r\n", "+3\r\nabc\r\n",
            "3\r\nabc0\r\n",
            "3\r\nabcdef\r\n", " 3\r\nabc\r\n", "3\nabc\r\n", "3\r\nabc\n", "3\rabc\r\n", "1_0\r\nabc\r\n",
            "3;a\nb\r\n", "3;\r\n", "3;=\r\n", "3;a=\r\n", "3;a=\"b\r\n", "3;a b\r\n", "3;a=\"\\\r\n",
            "3 3\r\n",
            "3\r\nabc\r\n0\r\nnonsense\r\n\r\n", "0\r\n X: v\r\n\r\n", "0\r\nX : v\r\n\r\n",
        ] as [String])
    func malformedChunk(_ wire: String) {
        expectEqual(refusal(of: chunked(wire))?.status, 400)
    }

    @Test(
        "A chunk size beyond the limit is answered with 413, however large",
        arguments: ["100001", "7fffffffffffffff", "ffffffffffffffff", "10000000000000003"] as [String])
    func largeChunk(_ size: String) {
        expectEqual(refusal(of: chunked(size + "\r\nabc\r\n"))?.status, 413)
    }

    @Test("The limit holds for all chunks together")
    func manyChunks() {
        var limits = HTTPLimits()
        limits.bodyBytes = 5
        expectEqual(body(of: parse(chunked("3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"), limits: limits)), "abcde")
        expectEqual(
            refusal(of: chunked("3\r\nabc\r\n3\r\ndef\r\n0\r\n\r\n"), limits: limits),
            Refusal(.bodyTooLarge(limit: 5)))
    }

    @Test("A chunk line, and extensions over all lines, have a limit")
    func chunkLines() {
        let long = String(repeating: "x", count: 1025)
        expectEqual(refusal(of: chunked("3;" + long)), Refusal(.chunkLineTooLong(limit: 1024)))
        let extended = "1;" + String(repeating: "x", count: 1000) + "\r\nb\r\n"
        expectEqual(refusal(of: chunked(String(repeating: extended, count: 16))), nil)
        expectEqual(
            refusal(of: chunked(String(repeating: extended, count: 17))),
            Refusal(.chunkLineTooLong(limit: 16_384)))
    }

    @Test("Trailers come after the body, without those that decide about framing (RFC 9110 §6.5.1)")
    func trailers() {
        let outputs = parse(chunked("0\r\nX-Sum: 1\r\nContent-Length: 9\r\nHost: b\r\n\r\n"))
        expectEqual(Array(outputs.suffix(2)), [.trailers(["X-Sum": "1"]), .end])
        expectEqual(parse(chunked("0\r\nContent-Length: 9\r\n\r\n")).count, 2)
    }

    @Test("Trailers have a limit in bytes and in number")
    func longTrailers() {
        let trailer = "X: " + String(repeating: "y", count: 1000) + "\r\n"
        expectEqual(refusal(of: chunked("0\r\n" + String(repeating: trailer, count: 9)))?.status, 431)
        expectEqual(refusal(of: chunked("0\r\nX: " + String(repeating: "y", count: 9000)))?.status, 431)
        expectEqual(refusal(of: chunked("0\r\n" + String(repeating: "X: 1\r\n", count: 33)))?.status, 431)
        expectEqual(parse(chunked("0\r\n" + String(repeating: "X: 1\r\n", count: 32) + "\r\n")).last, .end)
    }
}
