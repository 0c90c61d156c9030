import Clocks
import HTTPClient

/// State machine of one URLSession request, with the same reports as `HTTPClient`.
struct URLSessionRequestCore {
    enum Input: Equatable {
        case head(HTTPClient.Answer)
        case body([UInt8])
        /// The task has ended; nil means that the whole answer has arrived.
        case ended(String?)
        /// The client aborts. Later events are ignored.
        case cut
        /// The timeout of the request has passed since the start, or since ``Action/wait``.
        case timeIsOver
    }

    enum Action: Equatable {
        case report(HTTPClient.Report)
        /// Schedule ``Input/timeIsOver`` after the timeout of the request.
        case wait
        case stopWaiting
        case cancel
    }

    private let request: HTTPClient.Request
    private var answer: HTTPClient.Answer?
    private var isStreaming = false
    private var isOver = false

    init(_ request: HTTPClient.Request) {
        self.request = request
    }

    mutating func handle(_ input: Input) -> [Action] {
        guard !isOver else { return [] }
        switch input {
        case .head(let head):
            answer = head
            isStreaming = request.streamedBytes != nil && 200..<300 ~= head.status
            guard isStreaming else { return [] }
            return [.report(.began(head)), request.limitsSilence ? .wait : .stopWaiting]
        case .body(let bytes) where isStreaming:
            return [.report(.part(bytes))] + (request.limitsSilence ? [.wait] : [])
        case .body(let bytes):
            guard var answer else { return [] }
            let room = request.answerBytes - answer.body.count
            answer.body += bytes.prefix(room)
            self.answer = answer
            guard bytes.count > room else { return [] }
            // If the server refuses a stream, the beginning of its answer is enough.
            return end(
                request.streamedBytes == nil
                    ? .failed(.tooLong(limitBytes: request.answerBytes)) : .answered(answer))
        case .ended(let failure?): return end(.failed(.system(failure)))
        case .ended(nil):
            return end(answer.map { .answered($0) } ?? .failed(.system("The server did not answer.")))
        case .cut:
            isOver = true
            return [.cancel]
        case .timeIsOver:
            // The deadline for the head may already be queued when the stream begins.
            guard !isStreaming || request.limitsSilence else { return [] }
            return end(
                .failed(.timedOut(host: request.endpoint.host, seconds: request.timeout?.seconds ?? 0)))
        }
    }

    private mutating func end(_ report: HTTPClient.Report) -> [Action] {
        isOver = true
        return [.report(report), .cancel]
    }
}

extension HTTPClient.Request {
    /// The URL for URLSession, which crashes for a WebSocket with a scheme other than `ws` and `wss`
    /// (https://developer.apple.com/documentation/foundation/urlsession/websockettask(with:)-2qe48).
    var systemAddress: String {
        let scheme = webSocket == nil ? "http" : "ws"
        return scheme + (endpoint.isEncrypted ? "s" : "") + "://" + endpoint.authority + target
    }
}
