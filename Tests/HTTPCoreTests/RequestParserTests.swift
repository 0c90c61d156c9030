import Expectations
import HTTPCore
import Testing

@Suite("Requests on a connection")
struct RequestParserTests {
    /// Every kind of request that keeps the connection, one after the other.
    static let conversation: [UInt8] =
        get("/a", "Accept: */*") + post("Content-Length: 5", body: "hello")
        + chunked("5;x=\"y\"\r\nhello\r\n6\r\n world\r\n0\r\nX-Sum: 1\r\n\r\n") + bytes("\r\n")
        + get("/b", "Connection: close")

    @Test("Input split at any byte leads to the same outputs")
    func split() {
        let whole = parse(Self.conversation)
        let wrong = (0...Self.conversation.count).filter { cut in
            var parser = RequestParser()
            let outputs =
                parser.receive(Array(Self.conversation[..<cut]))
                + parser.receive(Array(Self.conversation[cut...]))
            return joined(outputs) != whole || outputs.count(where: { $0 == .end }) != 4
        }
        expectEqual(wrong, [], "places of the cut")
    }

    @Test("Input in single bytes leads to the same outputs")
    func singleBytes() {
        var parser = RequestParser()
        let outputs = Self.conversation.flatMap { parser.receive([$0]) }
        expectEqual(joined(outputs), parse(Self.conversation))
    }

    @Test(
        "A refusal does not depend on how the input was split",
        arguments: [
            "GET / HTTP/1.1\r\nHost: a\r\nX : v\r\n\r\n", "GET / HTTP/1.1\nHost: a\r\n\r\n",
            "GET / HTTP/3.0\r\n",
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabcdef",
        ] as [String])
    func splitRefusal(_ text: String) {
        let whole = parse(bytes(text))
        #expect(refusal(whole) != nil)
        for cut in 0...text.utf8.count {
            var parser = RequestParser()
            let outputs =
                parser.receive(Array(bytes(text)[..<cut])) + parser.receive(Array(bytes(text)[cut...]))
            expectEqual(refusal(outputs), refusal(whole), "cut at \(cut)")
        }
    }

    @Test("A request that was written is read back, in any pieces", arguments: 1...50)
    func roundTrip(seed: UInt64) {
        var chance = Chance(state: seed)
        var wire: [UInt8] = []
        var expected: [RequestParser.Output] = []
        for number in 0..<Int.random(in: 1...8, using: &chance) {
            let content = (0..<Int.random(in: 0...300, using: &chance)).map { _ in
                UInt8.random(in: 0...255, using: &chance)
            }
            var head = RequestHead(method: "PUT", target: "/\(number)", headers: ["Host": "a"])
            for field in 0..<Int.random(in: 0...5, using: &chance) {
                head.headers.append(
                    "X-\(field)", String(repeating: "v", count: Int.random(in: 0...20, using: &chance)))
            }
            let isChunked = Bool.random(using: &chance)
            head.headers.append(
                isChunked ? "Transfer-Encoding" : "Content-Length", isChunked ? "chunked" : "\(content.count)"
            )
            wire += bytes("PUT /\(number) HTTP/1.1\r\n")
            for field in head.headers.fields { wire += bytes("\(field.name): \(field.value)\r\n") }
            wire += bytes("\r\n")
            var rest = content[...]
            while isChunked, !rest.isEmpty {
                let part = rest.prefix(Int.random(in: 1...100, using: &chance))
                TransferChunk.append(Array(part), into: &wire)
                rest = rest.dropFirst(part.count)
            }
            wire += isChunked ? TransferChunk.last : content
            expected += [.head(head)] + (content.isEmpty ? [] : [.body(content)]) + [.end]
        }
        var parser = RequestParser()
        var outputs: [RequestParser.Output] = []
        var rest = wire[...]
        while !rest.isEmpty {
            let part = rest.prefix(Int.random(in: 1...200, using: &chance))
            outputs += parser.receive(Array(part))
            rest = rest.dropFirst(part.count)
        }
        expectEqual(joined(outputs), expected)
        #expect(parser.isIdle)
    }

    @Test("Noise is refused or waited for, never taken for more than one request", arguments: 1...50)
    func noise(seed: UInt64) {
        var chance = Chance(state: seed)
        var parser = RequestParser()
        var refusals = 0
        for _ in 0..<40 {
            var input = Self.conversation
            for _ in 0..<Int.random(in: 1...3, using: &chance) {
                input[Int.random(in: 0..<input.count, using: &chance)] = UInt8.random(
                    in: 0...255, using: &chance)
            }
            parser = RequestParser()
            var isOver = false
            for output in parser.receive(input) + parser.inputClosed() {
                #expect(!isOver, "an output after the last one")
                if case .refuse(let refusal) = output {
                    refusals += 1
                    isOver = true
                    #expect((400...505).contains(refusal.status))
                }
            }
        }
        #expect(refusals > 0)
    }

    @Test("Pipelined requests come out in order (RFC 9112 §9.3.2)")
    func pipelining() {
        let outputs = parse((0..<50).flatMap { get("/\($0)") })
        let targets = outputs.compactMap { if case .head(let head) = $0 { head.target } else { nil } }
        expectEqual(targets, (0..<50).map { "/\($0)" })
    }

    @Test(
        "A body on GET or HEAD is consumed, not taken for a request (RFC 9110 §9.3.1)",
        arguments: ["GET", "HEAD"] as [String])
    func unusualBody(_ method: String) {
        let hidden = String(decoding: get("/hidden"), as: UTF8.self)
        let outputs = parse(
            bytes("\(method) / HTTP/1.1\r\nHost: a\r\nContent-Length: \(hidden.utf8.count)\r\n\r\n\(hidden)")
                + get("/next"))
        expectEqual(outputs[1], .body(bytes(hidden)))
        expectEqual(outputs.count, 5)
    }

    @Test(
        "Requests after Connection: close are not read (RFC 9112 §9.6)",
        arguments: ["close", "Close", "foo, close"] as [String])
    func close(_ value: String) {
        var parser = RequestParser()
        expectEqual(parser.receive(get("/", "Connection: " + value) + get("/more")).count, 2)
        #expect(parser.isFinished)
        #expect(parser.receive(get()).isEmpty)
        #expect(parser.inputClosed().isEmpty)
    }

    @Test("HTTP/1.0 closes unless it asks to keep the connection (RFC 9112 §9.3)")
    func persistence() throws {
        #expect(RequestHead(method: "GET", target: "/").keepsAlive)
        #expect(
            !RequestHead(method: "GET", target: "/", headers: ["Connection": "keep-alive, close"]).keepsAlive)
        #expect(!RequestHead(method: "GET", target: "/", minorVersion: 0).keepsAlive)
        #expect(
            RequestHead(method: "GET", target: "/", minorVersion: 0, headers: ["connection": "Keep-Alive"])
                .keepsAlive)
        expectEqual(parse(bytes("GET / HTTP/1.0\r\n\r\n") + get()).count, 2)
        expectEqual(parse(bytes("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n") + get()).count, 4)
    }

    @Test("100-continue is asked for only while the body is still to come (RFC 9110 §10.1.1)")
    func expectContinue() {
        var parser = RequestParser()
        expectEqual(parser.receive(post("Content-Length: 2", "Expect: 100-continue")).last, .expectContinue)
        expectEqual(parser.receive(bytes("ok")), [.body(bytes("ok")), .end])
        #expect(
            !parse(post("Content-Length: 2", "Expect: 100-continue", body: "o")).contains(.expectContinue))
        #expect(!parse(get("/", "Expect: 100-continue")).contains(.expectContinue))
        expectEqual(parse(chunked("", "Expect: 100-continue")).last, .expectContinue)
        let old = "POST / HTTP/1.0\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n"
        #expect(!parse(bytes(old)).contains(.expectContinue))
    }

    @Test("Bytes after a WebSocket handshake belong to the new protocol (RFC 9110 §7.8)")
    func upgrade() throws {
        let request = get("/ws", "Connection: keep-alive, Upgrade", "Upgrade: WebSocket")
        let head = try #require(requestHead(of: request))
        var parser = RequestParser()
        expectEqual(parser.receive(request + [0x81, 0x00]), [.upgrade(head, leftover: [0x81, 0x00])])
        #expect(parser.isFinished)
        #expect(parser.receive([0x81]).isEmpty)
    }

    @Test(
        "Other upgrades, and upgrades that no WebSocket client sends, are ordinary requests (RFC 9110 §7.8)")
    func otherUpgrades() {
        let upgrade = ["Connection: Upgrade", "Upgrade: websocket"]
        expectEqual(parse(get("/", "Connection: Upgrade", "Upgrade: h2c")).last, .end)
        expectEqual(parse(get("/", "Upgrade: websocket")).last, .end)
        expectEqual(parse(post(upgrade[0], upgrade[1])).last, .end)
        expectEqual(parse(get("/", upgrade[0], upgrade[1], "Content-Length: 2") + bytes("ok")).last, .end)
        expectEqual(parse(bytes("GET / HTTP/1.0\r\n\(upgrade[0])\r\n\(upgrade[1])\r\n\r\n")).last, .end)
    }

    @Test("The end of the input between requests is harmless, inside one it is not (RFC 9112 §8)")
    func inputClosed() {
        let request = chunked("5\r\nhello\r\n0\r\n\r\n")
        for cut in 0...request.count {
            var parser = RequestParser()
            _ = parser.receive(Array(request[..<cut]))
            let isBetween = cut == 0 || cut == request.count
            expectEqual(parser.isIdle, isBetween, "cut at \(cut)")
            expectEqual(
                parser.inputClosed(), isBetween ? [] : [.refuse(Refusal(.incomplete))], "cut at \(cut)")
            #expect(parser.receive(get()).isEmpty)
        }
    }

    @Test("No bytes lead to no output")
    func nothing() {
        var parser = RequestParser()
        #expect(parser.receive([]).isEmpty)
        #expect(parser.isIdle)
    }

    @Test("A refusal is an answer in plain words")
    func refusalResponse() {
        let response = Refusal(.missingHost).response
        expectEqual(response.status, 400)
        expectEqual(
            String(decoding: response.body, as: UTF8.self), "A request in HTTP/1.1 needs a Host field.\n")
    }

    @Test(
        "A request with two readings ends the connection (RFC 9112 §11.2)",
        arguments: [
            "Content-Length: 32\r\nTransfer-Encoding : chunked",
            "Content-Length: 32\r\nTransfer-Encoding: xchunked",
            "Content-Length: 32\r\nTransfer-Encoding:\tchunked",
            "Content-Length: 32\r\nTransfer-Encoding:\r\n chunked",
            "Content-Length: 32\r\nX: b\rTransfer-Encoding: chunked",
            "Content-Length: 32\r\nContent-Length : 0",
            "Content-Length: 32\r\nX: b\nTransfer-Encoding: chunked",
            "Content-Length: 32\r\nContent-Length: 0",
        ] as [String])
    func smuggling(_ fields: String) {
        let outputs = parse(post(fields, body: "0\r\n\r\n" + String(decoding: get("/hidden"), as: UTF8.self)))
        expectEqual(outputs.count, 1)
        #expect(refusal(outputs) != nil)
    }
}
