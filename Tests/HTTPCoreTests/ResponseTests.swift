import Expectations
import HTTPCore
import Testing

@Suite("Writing responses")
struct ResponseTests {
    private let ask = RequestHead(method: "GET", target: "/")

    private func text(_ response: Response, to head: RequestHead?, closing: Bool = false, date: String? = nil)
        -> String
    {
        String(decoding: response.serialized(to: head, closing: closing, date: date), as: UTF8.self)
    }

    @Test("Status line, date, fields, length and body come in this order (RFC 9112 §4)")
    func whole() {
        let response = Response(status: 200, headers: ["Content-Type": "text/plain"], body: bytes("hi"))
        expectEqual(
            text(response, to: ask, date: "D"),
            "HTTP/1.1 200 OK\r\nDate: D\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\nhi")
    }

    @Test("An unknown status still has a reason and its space (RFC 9112 §4)")
    func unknownStatus() {
        #expect(text(Response(status: 299), to: ask).hasPrefix("HTTP/1.1 299 Status\r\n"))
    }

    @Test("HEAD is told the length and sent no body (RFC 9110 §9.3.2)")
    func head() {
        let response = Response(status: 200, body: bytes("hi"))
        expectEqual(
            text(response, to: RequestHead(method: "HEAD", target: "/")),
            "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n")
    }

    @Test(
        "1xx, 204 and 304 have neither a body nor a length (RFC 9110 §8.6)",
        arguments: [101, 204, 304] as [Int])
    func withoutBody(_ status: Int) {
        let written = text(Response(status: status, body: bytes("hi")), to: ask)
        #expect(written.hasSuffix("\r\n\r\n"))
        #expect(!written.contains("Content-Length"))
    }

    @Test("The connection is announced as the client needs it (RFC 9112 §9.3)")
    func connection() {
        let response = Response(status: 200)
        let old = RequestHead(method: "GET", target: "/", minorVersion: 0)
        let kept = RequestHead(
            method: "GET", target: "/", minorVersion: 0, headers: ["Connection": "keep-alive"])
        let last = RequestHead(method: "GET", target: "/", headers: ["Connection": "close"])
        #expect(!text(response, to: ask).contains("Connection"))
        #expect(text(response, to: ask, closing: true).contains("\r\nConnection: close\r\n"))
        #expect(text(response, to: last).contains("\r\nConnection: close\r\n"))
        #expect(text(response, to: old).contains("\r\nConnection: close\r\n"))
        #expect(text(response, to: kept).contains("\r\nConnection: keep-alive\r\n"))
        #expect(text(response, to: nil, closing: true).contains("\r\nConnection: close\r\n"))
    }

    @Test("Framing fields of the response itself are replaced (RFC 9112 §6)")
    func framingFields() {
        let fields: HeaderFields = [
            "content-length": "9", "Transfer-Encoding": "chunked", "connection": "close",
        ]
        expectEqual(
            text(Response(status: 200, headers: fields), to: ask),
            "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    }

    @Test("101 keeps Connection: Upgrade (RFC 9110 §7.8)")
    func switching() {
        let response = Response(status: 101, headers: ["Connection": "Upgrade", "Upgrade": "websocket"])
        expectEqual(
            text(response, to: ask),
            "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
    }

    @Test("Text from elsewhere cannot start a new field line (RFC 9110 §5.5)")
    func injection() {
        let fields: HeaderFields = ["X": "a\r\nX-Injected: 1\u{0}", "Bad name": "v", "": "v", "Y\r\nZ": "v"]
        expectEqual(
            text(Response(status: 200, headers: fields), to: ask),
            "HTTP/1.1 200 OK\r\nX: a  X-Injected: 1 \r\nContent-Length: 0\r\n\r\n")
    }

    @Test("A response is appended behind what the buffer holds")
    func append() {
        var buffer = bytes("before")
        Response(status: 204).append(into: &buffer, to: ask, closing: false, date: nil)
        expectEqual(buffer, bytes("beforeHTTP/1.1 204 No Content\r\n\r\n"))
    }

    @Test(
        "A chunk in parts is the same bytes as a whole one; nothing is no chunk (RFC 9112 §7.1)",
        arguments: [0, 1, 70_000] as [Int])
    func chunkInParts(count: Int) {
        let part = [UInt8](repeating: 7, count: count)
        var whole: [UInt8] = []
        TransferChunk.append(part, into: &whole)
        expectEqual(TransferChunk.parts(of: part).flatMap { $0 }, whole)
    }

    @Test("A streamed body is chunked for HTTP/1.1 and ends with the connection for HTTP/1.0 (RFC 9112 §6.1)")
    func streams() {
        var buffer: [UInt8] = []
        let response = Response(status: 200)
        expectEqual(response.appendStreamHead(into: &buffer, to: ask, closing: false, date: nil), .chunked)
        TransferChunk.append(bytes("0123456789abcdef"), into: &buffer)
        TransferChunk.append([], into: &buffer)
        buffer += TransferChunk.last
        expectEqual(
            buffer,
            bytes(
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n10\r\n0123456789abcdef\r\n0\r\n\r\n"
            ))

        buffer = []
        let old = RequestHead(
            method: "GET", target: "/", minorVersion: 0, headers: ["Connection": "keep-alive"])
        expectEqual(response.appendStreamHead(into: &buffer, to: old, closing: false, date: nil), .untilClose)
        expectEqual(buffer, bytes("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n"))

        let onlyHead = RequestHead(method: "HEAD", target: "/")
        expectEqual(response.appendStreamHead(into: &buffer, to: onlyHead, closing: false, date: nil), .none)
    }

    @Test(
        "Dates have the fixed format (RFC 9110 §5.6.7)",
        arguments: [
            (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
            (-1, "Wed, 31 Dec 1969 23:59:59 GMT"), (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
            (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
            (1_735_689_599, "Tue, 31 Dec 2024 23:59:59 GMT"),
            (.max, "Fri, 31 Dec 9999 23:59:59 GMT"), (.min, "Sat, 01 Jan 0000 00:00:00 GMT"),
        ] as [(Int64, String)])
    func dates(_ seconds: Int64, _ text: String) {
        expectEqual(HTTPDate.format(seconds), text)
    }

    @Test("A date that is remembered is that of its second")
    func rememberedDates() {
        var date = HTTPDate()
        for second: Int64 in [0, 0, 1, 1, 0, -1, .max, .max] {
            expectEqual(date.text(at: second), HTTPDate.format(second))
        }
    }
}

@Suite("Header fields")
struct HeaderFieldsTests {
    @Test("A list holds whole tokens in any case, over all fields of the name (RFC 9110 §5.6.1)")
    func lists() {
        let fields: HeaderFields = [
            "Connection": "keep-alive ,\tUpgrade", "connection": "Foo,,", "X": "close",
        ]
        for token in ["keep-alive", "upgrade", "FOO"] { #expect(fields.list("CONNECTION", contains: token)) }
        for token in ["close", "keep", "alive", "grade"] {
            #expect(!fields.list("Connection", contains: token))
        }
    }

    @Test("Fields are replaced, removed and added to by name in any case")
    func changes() {
        var fields: HeaderFields = ["A": "1", "a": "2", "B": "3"]
        fields.set("a", "4")
        expectEqual(fields, ["B": "3", "a": "4"])
        fields.addToList("b", "x")
        fields.addToList("B", "X")
        fields.addToList("C", "y")
        fields.remove("A")
        expectEqual(fields, ["B": "3, x", "C": "y"])
        expectEqual(fields.values(of: "b"), ["3, x"])
    }
}
