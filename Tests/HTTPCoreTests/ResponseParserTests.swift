import Expectations
import Testing

@testable import HTTPCore

@Suite("Reading responses")
struct ResponseParserTests {
    private func parse(_ text: String, to methods: [String] = ["GET"], ends: Bool = false) -> [ResponseParser
        .Output]
    {
        var parser = ResponseParser()
        for method in methods { parser.begin(method: method) }
        let outputs = parser.receive(bytes(text))
        return joined(outputs + (ends ? parser.inputClosed() : []))
    }

    private func failure(_ text: String, to methods: [String] = ["GET"]) -> ResponseError? {
        if case .failed(let error)? = parse(text, to: methods).last { return error }
        return nil
    }

    private static let conversation =
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"
        + "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200\r\nTransfer-Encoding: chunked\r\n\r\n"
        + "5\r\nhello\r\n0\r\nX-Sum: 1\r\n\r\nHTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n"
        + "HTTP/1.0 200 OK\r\n\r\nuntil the end"

    @Test("Each way to delimit a body, one after the other (RFC 9112 §6.3)")
    func framings() {
        let outputs = parse(Self.conversation, to: ["GET", "GET", "GET", "GET"], ends: true)
        expectEqual(
            outputs,
            [
                .head(ResponseHead(status: 200, reason: "OK", headers: ["Content-Length": "5"])),
                .body(bytes("hello")), .end,
                .informational(ResponseHead(status: 103, reason: "Early Hints")),
                .head(ResponseHead(status: 200, headers: ["Transfer-Encoding": "chunked"])),
                .body(bytes("hello")), .trailers(["X-Sum": "1"]), .end,
                .head(ResponseHead(status: 304, reason: "Not Modified", headers: ["Content-Length": "9"])),
                .end,
                .head(ResponseHead(status: 200, reason: "OK", minorVersion: 0)),
                .body(bytes("until the end")), .end,
            ])
    }

    @Test("Input split at any byte leads to the same outputs")
    func split() {
        let wire = bytes(Self.conversation)
        let whole = parse(Self.conversation, to: ["GET", "GET", "GET", "GET"], ends: true)
        let wrong = (0...wire.count).filter { cut in
            var parser = ResponseParser()
            for _ in 0..<4 { parser.begin(method: "GET") }
            let outputs =
                parser.receive(Array(wire[..<cut])) + parser.receive(Array(wire[cut...]))
                + parser.inputClosed()
            return joined(outputs) != whole
        }
        expectEqual(wrong, [], "places of the cut")
    }

    @Test("What the server writes, the client reads", arguments: ["GET", "HEAD"] as [String])
    func roundTrip(_ method: String) throws {
        let request = RequestHead(method: method, target: "/")
        let response = Response(status: 201, headers: ["X": "\u{E9}"], body: bytes("hello"))
        var parser = ResponseParser()
        parser.begin(method: method)
        let outputs = parser.receive(response.serialized(to: request, closing: false, date: nil))
        let head = ResponseHead(
            status: 201, reason: "Created", headers: ["X": "\u{E9}", "Content-Length": "5"])
        expectEqual(outputs, [.head(head)] + (method == "HEAD" ? [] : [.body(bytes("hello"))]) + [.end])
        #expect(parser.isReusable)
    }

    @Test("A response without a length ends with the connection (RFC 9112 §6.3)")
    func untilClose() {
        var parser = ResponseParser()
        parser.begin(method: "GET")
        expectEqual(parser.receive(bytes("HTTP/1.1 200 OK\r\n\r\nab")).last, .body(bytes("ab")))
        expectEqual(parser.receive(bytes("c")), [.body(bytes("c"))])
        expectEqual(parser.inputClosed(), [.end])
        #expect(!parser.isReusable)
    }

    @Test("Bytes after 101, and after 2xx to CONNECT, belong to the new protocol (RFC 9110 §7.8, §9.3.6)")
    func upgrade() {
        let switching = ResponseHead(status: 101, reason: "S", headers: ["Upgrade": "websocket"])
        expectEqual(
            parse("HTTP/1.1 101 S\r\nUpgrade: websocket\r\n\r\nxy"),
            [
                .upgrade(switching, leftover: bytes("xy"))
            ])
        expectEqual(
            parse("HTTP/1.1 200 \r\n\r\nxy", to: ["CONNECT"]),
            [.upgrade(ResponseHead(status: 200), leftover: bytes("xy"))])
        expectEqual(parse("HTTP/1.1 407 \r\nContent-Length: 0\r\n\r\n", to: ["CONNECT"]).last, .end)
    }

    @Test("The connection is reusable until the server says otherwise (RFC 9112 §9.3)")
    func reuse() {
        for (fields, isReusable) in [("", true), ("Connection: close\r\n", false)] {
            var parser = ResponseParser()
            parser.begin(method: "GET")
            #expect(!parser.isReusable)
            _ = parser.receive(bytes("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\(fields)\r\n"))
            expectEqual(parser.isReusable, isReusable)
        }
    }

    @Test(
        "A malformed status line is an error (RFC 9112 §4)",
        arguments: [
            "HTTP/1.1 20 OK", "HTTP/1.1 2000 OK", "HTTP/1.1 600 OK", "HTTP/1.1 099 OK", "HTTP/1.1",
            "HTTP/1.1 abc OK",
            "HTTP/2.0 200 OK", "http/1.1 200 OK", "HTTP/1.1  200 OK", "HTTP/1.1 200 O\u{0}K",
            "SSH-2.0-OpenSSH_9.2", "",
        ] as [String])
    func statusLine(_ line: String) {
        guard case .malformed? = failure(line + "\r\n\r\n") else {
            Issue.record("accepted \(line)")
            return
        }
    }

    @Test(
        "Fields that contradict each other or are malformed are errors (RFC 9112 §6.3)",
        arguments: [
            ("Content-Length: 1\r\nContent-Length: 2", .conflictingContentLengths),
            ("Content-Length: 1\r\nTransfer-Encoding: chunked", .lengthAndCoding),
            ("Content-Length: x", .invalidContentLength), ("Transfer-Encoding: gzip", .unknownCoding),
            ("X : v", .spaceBeforeColon), (" X: v", .foldedField), ("X: a\nY: b", .bareLineFeed),
        ] as [(String, MessageFault)])
    func fields(_ lines: String, _ fault: MessageFault) {
        expectEqual(failure("HTTP/1.1 200 OK\r\n\(lines)\r\n\r\n"), .malformed(fault))
    }

    @Test("Lines and fields have the limits of requests")
    func limits() {
        let long = String(repeating: "x", count: 70_000)
        expectEqual(failure("HTTP/1.1 200 " + long), .malformed(.statusLineTooLong(limit: 8192)))
        expectEqual(failure("HTTP/1.1 200 OK\r\nX: " + long), .malformed(.headerTooLarge(limit: 65_536)))
        let many = String(repeating: "X: 1\r\n", count: 129)
        expectEqual(failure("HTTP/1.1 200 OK\r\n" + many), .malformed(.tooManyFields(limit: 128)))
    }

    @Test("A body may be longer than a request's, since it is not kept")
    func longBody() {
        let outputs = parse("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffff\r\nx")
        expectEqual(outputs.last, .body(bytes("x")))
    }

    @Test("A response that nothing asked for is an error")
    func unrequested() {
        expectEqual(failure("HTTP/1.1 408 \r\n\r\n", to: []), .unrequested)
        expectEqual(failure("HTTP/1.1 204 \r\n\r\nHTTP/1.1 204 \r\n\r\n"), .unrequested)
    }

    @Test("The end of the input inside a response is an error, before it as well (RFC 9112 §8)")
    func inputClosed() {
        let wire = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"
        for cut in 0..<wire.utf8.count {
            let outputs = parse(String(decoding: bytes(wire)[..<cut], as: UTF8.self), ends: true)
            expectEqual(outputs.last, .failed(cut == 0 ? .noResponse : .incomplete), "cut at \(cut)")
        }
        expectEqual(parse(wire, ends: true).last, .end)
        #expect(parse("", to: [], ends: true).isEmpty)
    }
}
