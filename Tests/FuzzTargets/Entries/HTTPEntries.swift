import HTTPCore

/// HTTP/1.1 messages as they arrive (RFC 9112).
enum HTTPEntries {
    static let words = [
        "GET / HTTP/1.1\r\n", "POST /a HTTP/1.1\r\n", "HTTP/1.1 200 OK\r\n", "HTTP/1.0", "\r\n", "\r\n\r\n",
        "\n", "Host: a\r\n", "Content-Length: 5\r\n", "Content-Length: 0\r\n",
        "Transfer-Encoding: chunked\r\n", "Transfer-Encoding: gzip, chunked\r\n", "Connection: close\r\n",
        "Connection: keep-alive\r\n", "Connection: Upgrade\r\nUpgrade: websocket\r\n",
        "Expect: 100-continue\r\n", "Trailer: X\r\n", "5\r\nhello\r\n", "0\r\n\r\n", "0\r\nX: y\r\n\r\n",
        ";ext=\"q\\\"\"", ";a=b", ":", ",", "chunked", "HTTP/1.1 204 No Content\r\n",
        "HTTP/1.1 101 Switching Protocols\r\n", "HTTP/1.1 100 Continue\r\n\r\n", "HEAD", "CONNECT",
        "OPTIONS *",
        "http://a.example:80/x?y", " \t", "X: \u{E9}\r\n",
    ]

    /// Limits small enough to be met by short inputs.
    static var small: HTTPLimits {
        var limits = HTTPLimits()
        limits.requestLineBytes = 48
        limits.statusLineBytes = 48
        limits.methodBytes = 8
        limits.headerBytes = 160
        limits.headerFieldCount = 6
        limits.bodyBytes = 24
        limits.chunkLineBytes = 24
        limits.chunkExtensionBytes = 32
        limits.trailerBytes = 40
        limits.trailerFieldCount = 2
        return limits
    }

    // MARK: Requests

    /// Control byte: bit 0 small limits, the others where to cut.
    static func request(_ bytes: [UInt8]) throws(BrokenRule) -> Trait {
        var input = FuzzInput(bytes)
        let control = input.control()
        let limits = control & 1 == 1 ? small : HTTPLimits()
        let whole = read(CollectionOfOne(input.rest), limits)
        let pieces = read(Pieces(input.rest, seed: control >> 1), limits)
        try require(whole.outputs == pieces.outputs, "fed in pieces, the requests differ")
        try require(whole.leftover.starts(with: pieces.leftover), "what is left for the new protocol differs")

        var trait = Trait()
        var bodyBytes = 0
        for (index, output) in whole.outputs.enumerated() {
            switch output {
            case .head(let head), .upgrade(let head, _):
                bodyBytes = 0
                trait.add(roughly: head.method.utf8.count)
                trait.add(roughly: head.headers.fields.count)
                try check(head, limits)
            case .body(let part):
                bodyBytes += part.count
                try require(bodyBytes <= limits.bodyBytes, "a body is longer than the limit")
                trait.add(1)
            case .trailers(let fields):
                try require(fields.fields.count <= limits.trailerFieldCount, "too many trailers")
                trait.add(2)
            case .end, .expectContinue: trait.add(3)
            case .refuse(let refusal):
                try require(index == whole.outputs.count - 1, "something follows a refusal")
                try require(400...505 ~= refusal.status, "a refusal has the status \(refusal.status)")
                trait.add(refusal.status)
                trait.add(roughly: refusal.reason.utf8.count)
                trait.add(String(refusal.reason.prefix(12)))
            }
        }
        try chunkedRoundTrip(input.rest, seed: control >> 1)
        return trait
    }

    private static func read(
        _ pieces: some Sequence<[UInt8]>, _ limits: HTTPLimits
    ) -> (outputs: [RequestParser.Output], leftover: [UInt8]) {
        var parser = RequestParser(limits: limits)
        var outputs: [RequestParser.Output] = []
        var leftover: [UInt8] = []
        func note(_ output: RequestParser.Output) {
            switch (outputs.last, output) {
            // Depends on what has arrived already, and so on the cuts.
            case (_, .expectContinue): break
            case (.body(let start)?, .body(let part)):
                outputs[outputs.count - 1] = .body(start + part)
            case (_, .upgrade(let head, let rest)):
                leftover = rest
                outputs.append(.upgrade(head, leftover: []))
            default: outputs.append(output)
            }
        }
        for piece in pieces { for output in parser.receive(piece) { note(output) } }
        for output in parser.inputClosed() { note(output) }
        return (outputs, leftover)
    }

    /// What was read is written and read again.
    private static func check(_ head: RequestHead, _ limits: HTTPLimits) throws(BrokenRule) {
        try require(head.headers.fields.count <= limits.headerFieldCount, "more fields than the limit")
        try require(
            RequestTarget(parsing: head.target) != nil || head.target.contains("%"),
            "a bad target got through")
        var text = Array("\(head.method) \(head.target) HTTP/1.\(head.minorVersion)\r\n".utf8)
        for field in head.headers.fields { text += Array("\(field.name): \(field.value)\r\n".utf8) }
        text += [0x0D, 0x0A]
        // Values that were ISO 8859-1 grow when they are written as UTF-8.
        guard text.count < 32_768 else { return }
        var parser = RequestParser()
        switch parser.receive(text).first {
        case .head(head), .upgrade(head, _): return
        default: throw BrokenRule("a request that was read cannot be read again")
        }
    }

    /// Bytes written as chunks come out as they went in.
    private static func chunkedRoundTrip(_ body: [UInt8], seed: Int) throws(BrokenRule) {
        var text = Array("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)
        for part in Pieces(body, seed: 3) { TransferChunk.append(part, into: &text) }
        text += TransferChunk.last
        let (outputs, _) = read(Pieces(text, seed: seed | 2), HTTPLimits())
        let parts = outputs.dropFirst().dropLast()
        try require(outputs.last == .end, "a chunked body does not end")
        try require(
            body.isEmpty ? parts.isEmpty : Array(parts) == [.body(body)], "a chunked body comes out different"
        )
    }

    // MARK: Responses

    /// Control bytes: bit 0 small limits, the others where to cut; then bits of the methods asked with.
    static func response(_ bytes: [UInt8]) throws(BrokenRule) -> Trait {
        var input = FuzzInput(bytes)
        let control = input.control()
        let asked = input.control()
        let methods = [
            ["GET", "HEAD", "CONNECT", "POST"][asked & 3], ["GET", "HEAD"][asked >> 2 & 1], "GET",
        ]
        let limits = control & 1 == 1 ? small : HTTPLimits()
        let whole = read(CollectionOfOne(input.rest), methods, limits)
        let pieces = read(Pieces(input.rest, seed: control >> 1), methods, limits)
        try require(whole.outputs == pieces.outputs, "fed in pieces, the responses differ")
        try require(whole.leftover.starts(with: pieces.leftover), "what is left for the new protocol differs")

        var trait = Trait()
        var pending: (head: ResponseHead, body: [UInt8])?
        for output in whole.outputs {
            switch output {
            case .head(let head):
                pending = (head, [])
                trait.add(head.status / 100)
            case .informational(let head), .upgrade(let head, _): trait.add(head.status)
            case .body(let part): pending?.body += part
            case .trailers: trait.add(2)
            case .end:
                trait.add(3)
                if let (head, body) = pending { try check(head, body) }
            case .failed(let error): trait.add(String(error.description.prefix(16)))
            }
        }
        return trait
    }

    private static func read(
        _ pieces: some Sequence<[UInt8]>, _ methods: [String], _ limits: HTTPLimits
    ) -> (outputs: [ResponseParser.Output], leftover: [UInt8]) {
        var parser = ResponseParser(limits: limits)
        for method in methods { parser.begin(method: method) }
        var outputs: [ResponseParser.Output] = []
        var leftover: [UInt8] = []
        func note(_ output: ResponseParser.Output) {
            switch (outputs.last, output) {
            case (.body(let start)?, .body(let part)):
                outputs[outputs.count - 1] = .body(start + part)
            case (_, .upgrade(let head, let rest)):
                leftover = rest
                outputs.append(.upgrade(head, leftover: []))
            default: outputs.append(output)
            }
        }
        for piece in pieces { for output in parser.receive(piece) { note(output) } }
        for output in parser.inputClosed() { note(output) }
        return (outputs, leftover)
    }

    /// What our own server would write for a response that was read is read as the same.
    private static func check(_ head: ResponseHead, _ body: [UInt8]) throws(BrokenRule) {
        guard head.status >= 200 else { return }
        let written = Response(status: head.status, headers: head.headers, body: body).serialized(
            to: RequestHead(method: "GET", target: "/"), closing: false, date: nil)
        guard written.count < 32_768 else { return }
        let (outputs, _) = read(CollectionOfOne(written), ["GET"], HTTPLimits())
        guard case .head(let again)? = outputs.first, outputs.last == .end else {
            throw BrokenRule("a response that was read cannot be read again")
        }
        try require(again.status == head.status, "the status differs after a round trip")
        try require(plain(again.headers) == plain(head.headers), "the fields differ after a round trip")
        if ![204, 304].contains(head.status), !body.isEmpty {
            try require(outputs.dropFirst().first == .body(body), "the body differs after a round trip")
        }
    }

    /// Without what belongs to the connection, which the writer decides.
    private static func plain(_ headers: HeaderFields) -> HeaderFields {
        var headers = headers
        for name in ["Content-Length", "Transfer-Encoding", "Connection"] { headers.remove(name) }
        return headers
    }
}
