import HTTPCore
import SocketTransport

struct AnswerReader: Sendable {
    enum Outcome: Sendable {
        case whole(HTTPClient.Answer)
        case upgrade(ResponseHead, leftover: [UInt8])
        case failed(HTTPClient.Failure)
    }

    private let limitBytes: Int
    private let streams: Bool
    /// True: a body beyond the limit is truncated. False: the request fails.
    private let cutsBody: Bool
    private var parser = ResponseParser()
    private var head: ResponseHead?
    private var body: [UInt8] = []
    private var interimCount = 0
    private var isStreaming = false
    private var news: [HTTPClient.Report] = []

    init(_ request: HTTPClient.Request) {
        limitBytes = request.answerBytes
        streams = request.streamedBytes != nil
        cutsBody = request.webSocket != nil || streams
        parser.begin(method: request.method)
    }

    /// Returns the request's outcome, or nil while the response is incomplete.
    mutating func receive(_ bytes: UnsafeRawBufferPointer) -> Outcome? {
        var outputs: [ResponseParser.Output] = []
        parser.receive(bytes) { outputs.append($0) }
        return read(outputs)
    }

    /// Handles the end of the stream. A nil `error` means a normal end.
    mutating func inputClosed(because error: SocketError?) -> Outcome? {
        let outcome = read(parser.inputClosed())
        guard let error else { return outcome }
        // A body without a declared length is complete only after a normal end (RFC 9112 §8).
        guard case .failed(.badAnswer(let cause, _)) = outcome else {
            return .failed(.badAnswer(.incomplete, because: error))
        }
        return .failed(.badAnswer(cause, because: error))
    }

    mutating func takeNews() -> [HTTPClient.Report] {
        defer { news = [] }
        return news
    }

    private mutating func read(_ outputs: [ResponseParser.Output]) -> Outcome? {
        for output in outputs {
            if let outcome = read(output) { return outcome }
        }
        return nil
    }

    private mutating func read(_ output: ResponseParser.Output) -> Outcome? {
        switch output {
        case .trailers: return nil
        case .informational:
            interimCount += 1
            return interimCount > ClientLimits.interimResponses ? .failed(.onlyInterimAnswers) : nil
        case .head(let head):
            self.head = head
            isStreaming = streams && 200..<300 ~= head.status
            if isStreaming, let whole = answer { news.append(.began(whole)) }
            return cutsBody && limitBytes == 0 ? whole : nil
        case .body(let part) where isStreaming:
            news.append(.part(Array(part)))
            return nil
        case .body(let part):
            let room = limitBytes - body.count
            body += part.prefix(room)
            guard part.count > room else { return nil }
            return cutsBody ? whole : .failed(.tooLong(limitBytes: limitBytes))
        case .end: return whole
        case .upgrade(let head, let leftover): return .upgrade(head, leftover: leftover)
        case .failed(let error): return .failed(.badAnswer(error, because: nil))
        }
    }

    private var whole: Outcome? { answer.map { .whole($0) } }

    private var answer: HTTPClient.Answer? {
        head.map { HTTPClient.Answer(status: $0.status, headers: $0.headers, body: body) }
    }
}
