import HTTPCore

/// One call and its answer, without the socket.
struct CallExchange: Sendable {
    private let url: String
    private var parser = ResponseParser()
    private var head: ResponseHead?
    private var body: [UInt8] = []
    private(set) var outcome: Result<ControlAnswer, ControlError>?

    init(method: String, url: String) {
        self.url = url
        parser.begin(method: method)
    }

    mutating func receive(_ bytes: UnsafeRawBufferPointer) {
        var outputs: [ResponseParser.Output] = []
        parser.receive(bytes) { outputs.append($0) }
        for output in outputs { take(output) }
    }

    /// The server sends nothing more.
    mutating func inputClosed() {
        for output in parser.inputClosed() { take(output) }
        if outcome == nil { fail("the connection ended before the answer was complete") }
    }

    mutating func fail(_ reason: String) {
        if outcome == nil { outcome = .failure(.broken(url: url, reason: reason)) }
    }

    private mutating func take(_ output: ResponseParser.Output) {
        guard outcome == nil else { return }
        switch output {
        case .informational, .trailers: break
        case .head(let head): self.head = head
        case .body(let part):
            guard body.count + part.count <= ControlLimits.answerBytes else {
                body = []
                return fail("it is larger than \(ControlLimits.answerBytes >> 20) MiB; ask for less")
            }
            body += part
        case .end:
            guard let head else { return }
            var answer = ControlAnswer(status: head.status, body: body)
            answer.hint = head.headers["X-Mock-Hint"]
            outcome = Self.judged(answer)
        case .upgrade: fail("the protocol was changed without being asked")
        case .failed(let error): fail(error.description)
        }
    }

    static func judged(_ answer: ControlAnswer) -> Result<ControlAnswer, ControlError> {
        guard (200..<300).contains(answer.status) else {
            return .failure(
                .refused(status: answer.status, message: answer.refusal, body: answer.body))
        }
        return .success(answer)
    }
}
