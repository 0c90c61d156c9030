import Expectations
import Testing

@testable import HTTPCore

@Suite("Field lines")
struct FieldLineTests {
    @Test("Names keep their case and are found in any (RFC 9110 §5.1)")
    func names() throws {
        let head = try #require(requestHead(of: get("/", "x-TOKEN: v")))
        expectEqual(head.headers.fields.last, .init(name: "x-TOKEN", value: "v"))
        expectEqual(head.headers["X-Token"], "v")
    }

    @Test("Every token character may be in a name, and no other byte (RFC 9110 §5.6.2)")
    func tokenCharacters() {
        let token = Set("!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)
        for byte in UInt8.min...UInt8.max where byte != UInt8(ascii: ":") {
            let input = bytes("GET / HTTP/1.1\r\nHost: a\r\nX") + [byte] + bytes("X: v\r\n\r\n")
            expectEqual(refusal(of: input) == nil, token.contains(byte), "byte \(byte)")
        }
    }

    @Test(
        "Blanks around a value are not part of it (RFC 9112 §5.1)",
        arguments: [
            ("X:v", "v"), ("X: \t v \t ", "v"), ("X:", ""), ("X: \t ", ""), ("X: a b", "a b"),
            ("X: a:b", "a:b"),
        ] as [(String, String)])
    func values(_ line: String, _ value: String) {
        expectEqual(requestHead(of: get("/", line))?.headers["X"], value)
    }

    @Test("A value is UTF-8 where it is, and ISO 8859-1 otherwise (RFC 9110 §5.5)")
    func highBytes() {
        let start = bytes("GET / HTTP/1.1\r\nHost: a\r\nX: ")
        expectEqual(requestHead(of: start + [0x63, 0xC3, 0xA9] + bytes("\r\n\r\n"))?.headers["X"], "c\u{E9}")
        expectEqual(requestHead(of: start + [0x63, 0xE9] + bytes("\r\n\r\n"))?.headers["X"], "c\u{E9}")
    }

    @Test("Each byte of a value counts, wherever it stands", arguments: 0..<20)
    func everyPlace(_ place: Int) {
        let start = bytes("GET / HTTP/1.1\r\nHost: a\r\nX: " + String(repeating: "x", count: place))
        let end = bytes("yyyyyyyyyyyy\r\n\r\n")
        for byte in UInt8.min...UInt8.max where ![0x09, 0x0A, 0x20].contains(byte) {
            let value = requestHead(of: start + [byte] + end)?.headers["X"]
            expectEqual(value != nil, byte >= 0x20 && byte != 0x7F, "byte \(byte)")
            if value != nil {
                expectEqual(value?.unicodeScalars.dropFirst(place).first, UnicodeScalar(byte), "byte \(byte)")
            }
        }
    }

    @Test(
        "A malformed line is refused (RFC 9112 §5)",
        arguments: [
            ("X : v", .spaceBeforeColon), ("X\t: v", .spaceBeforeColon), ("nonsense", .missingColon),
            (": v", .invalidFieldName), ("X A: v", .invalidFieldName), ("X(A): v", .invalidFieldName),
            ("X-\u{E9}: v", .invalidFieldName), (" X: v", .foldedField), ("\tX: v", .foldedField),
            ("X\rY: v", .bareCarriageReturn), ("X: a\rb", .bareCarriageReturn),
            ("X: a\r", .bareCarriageReturn),
            ("X: a\nb", .bareLineFeed), ("X: one\r\n two", .foldedField),
        ] as [(String, MessageFault)])
    func malformed(_ line: String, _ fault: MessageFault) {
        expectEqual(refusal(of: get("/", line)), Refusal(fault))
    }

    @Test("A folded line right after the request line is refused (RFC 9112 §2.2)")
    func foldedFirstLine() {
        expectEqual(refusal(of: "GET / HTTP/1.1\r\n Host: a\r\n\r\n"), Refusal(.foldedField))
    }

    @Test(
        "Control characters other than tab are refused in a value (RFC 9110 §5.5)",
        arguments: Array(0...31) + [127] as [UInt8])
    func controlCharacters(_ byte: UInt8) {
        let input = bytes("GET / HTTP/1.1\r\nHost: a\r\nX: a") + [byte] + bytes("b\r\n\r\n")
        expectEqual(refusal(of: input) == nil, byte == 9)
    }

    @Test("Fields up to their number are served, one more is answered with 431 (RFC 6585 §5)")
    func count() {
        let lines = { (count: Int) in (0..<count).map { "X-\($0): 1\r\n" }.joined() }
        let input = { bytes("GET / HTTP/1.1\r\nHost: a\r\n" + lines($0) + "\r\n") }
        expectEqual(requestHead(of: input(127))?.headers.fields.count, 128)
        expectEqual(refusal(of: input(128)), Refusal(.tooManyFields(limit: 128)))
    }

    @Test("A header up to its size is served, one byte more is answered with 431 (RFC 6585 §5)")
    func size() {
        let room = 65_536 - "Host: a\r\nX: \r\n".utf8.count
        expectEqual(refusal(of: get("/", "X: " + String(repeating: "v", count: room))), nil)
        expectEqual(
            refusal(of: get("/", "X: " + String(repeating: "v", count: room + 1))),
            Refusal(.headerTooLarge(limit: 65_536)))
    }

    @Test("The same limit holds for many lines, for a name, and without any line end")
    func sizeOfOtherShapes() {
        let filler = "X: " + String(repeating: "v", count: 1000) + "\r\n"
        let name = String(repeating: "N", count: 70_000)
        let starts = [String(repeating: filler, count: 70), name + ": v", "X: " + name]
        for start in starts {
            expectEqual(refusal(of: "GET / HTTP/1.1\r\nHost: a\r\n" + start)?.status, 431)
        }
    }

    @Test(
        "Host must be a name or address with a port up to 65535 (RFC 9112 §3.2)",
        arguments: [
            "a b", "a/b", "user@a", "a:99999", "a, b", "a,b", "a:b", ":80", "[::1", "[]", "::1", "a:80:80",
        ] as [String])
    func invalidHost(_ host: String) {
        expectEqual(refusal(of: "GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n"), Refusal(.invalidHost))
    }

    @Test(
        "Names, addresses and ports are served",
        arguments: ["localhost:8787", "127.0.0.1", "[::1]:80", "a-b.example", "a:", ""] as [String])
    func validHost(_ host: String) {
        expectEqual(refusal(of: "GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n"), nil)
    }

    @Test("HTTP/1.1 needs one Host, HTTP/1.0 none (RFC 9112 §3.2)")
    func hostCount() {
        expectEqual(refusal(of: "GET / HTTP/1.1\r\n\r\n"), Refusal(.missingHost))
        expectEqual(refusal(of: "GET / HTTP/1.0\r\n\r\n"), nil)
        expectEqual(refusal(of: get("/", "host: a")), Refusal(.repeatedHost))
        expectEqual(refusal(of: get("/", "Host: b")), Refusal(.repeatedHost))
    }

    @Test("An expectation other than 100-continue is answered with 417 (RFC 9110 §10.1.1)")
    func expectation() {
        expectEqual(refusal(of: get("/", "Expect: x-miracle"))?.status, 417)
        expectEqual(refusal(of: get("/", "Expect: 100-Continue")), nil)
    }
}
