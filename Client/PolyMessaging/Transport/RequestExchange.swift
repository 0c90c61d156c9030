import HTTPCore

/// One POST and its answer, without the socket.
struct RequestExchange: Sendable {
    /// What to send.
    let request: [UInt8]
    private var parser = ResponseParser()
    private var head: ResponseHead?
    private var body: [UInt8] = []
    private var interimCount = 0
    private(set) var reply: RESTReply?

    init(_ call: HTTPCall, to target: PlainTarget) {
        var bytes = Array("POST \(target.path) HTTP/1.1\r\n".utf8)
        FieldText.append("Host", target.authority, to: &bytes)
        for header in call.headers { FieldText.append(header.name, header.value, to: &bytes) }
        FieldText.append("Content-Length", String(call.body.count), to: &bytes)
        FieldText.append("Connection", "close", to: &bytes)
        bytes.append(contentsOf: "\r\n".utf8)
        bytes.append(contentsOf: call.body)
        request = bytes
        parser.begin(method: "POST")
    }

    mutating func receive(_ bytes: UnsafeRawBufferPointer) {
        var outputs: [ResponseParser.Output] = []
        parser.receive(bytes) { outputs.append($0) }
        for output in outputs { take(output) }
    }

    /// The server sends nothing more.
    mutating func inputClosed() {
        for output in parser.inputClosed() { take(output) }
    }

    private mutating func take(_ output: ResponseParser.Output) {
        guard reply == nil else { return }
        switch output {
        case .trailers: break
        case .informational:
            interimCount += 1
            if interimCount > Limits.interimResponses {
                reply = .failed(.protocolViolation("The server sends interim responses and no answer."))
            }
        case .head(let head): self.head = head
        case .body(let part):
            guard body.count + part.count <= Limits.responseBytes else {
                body = []
                reply = .failed(
                    .protocolViolation(
                        "The server's answer is larger than \(Limits.responseBytes >> 10) KiB. "
                            + "Is this the address of the Messaging API?"))
                return
            }
            body += part
        case .end:
            guard let head else { return }
            reply = .answered(status: head.status, retryAfter: head.headers["Retry-After"], body: body)
        case .upgrade(let head, _):
            reply = .answered(status: head.status, retryAfter: nil, body: [])
        case .failed(.noResponse): reply = .failed(.network("\(ResponseError.noResponse)"))
        case .failed(.incomplete): reply = .failed(.network("\(ResponseError.incomplete)"))
        case .failed(let error): reply = .failed(.protocolViolation("\(error)"))
        }
    }
}

/// Field lines of a request.
enum FieldText {
    /// Control characters become blanks: text from elsewhere must not start a new line (RFC 9110 §5.5).
    static func append(_ name: String, _ value: String, to bytes: inout [UInt8]) {
        for byte in "\(name): \(value)".utf8 {
            bytes.append(byte < 0x20 && byte != 0x09 || byte == 0x7F ? 0x20 : byte)
        }
        bytes.append(contentsOf: "\r\n".utf8)
    }
}
