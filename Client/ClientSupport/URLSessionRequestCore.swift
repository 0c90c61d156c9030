import Clocks
import HTTPClient

/// State machine of one request over URLSession.
struct URLSessionRequestCore {
    enum Input: Equatable {
        case head(HTTPClient.Answer)
        case body([UInt8])
        /// The task has ended with an error, or with the complete response (nil).
        case ended(String?)
        /// The client aborts.
        case cut
        /// The timeout has passed since the start of the request, or since ``Action/wait``.
        case timeIsOver
    }

    enum Action: Equatable {
        case report(HTTPClient.Report)
        /// Schedule ``Input/timeIsOver`` after the request's timeout.
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
            // The response is too long. If the server refused a streamed request, the beginning of its response is
            // enough.
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
            // The timer may have fired just before streaming began. The timeout of the response head no longer applies.
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
    /// URL of the request. For a WebSocket, the scheme is `ws` or `wss`, because URLSession crashes for others
    /// (https://developer.apple.com/documentation/foundation/urlsession/websockettask(with:)-2qe48).
    var systemAddress: String {
        let scheme = webSocket == nil ? "http" : "ws"
        return scheme + (endpoint.isEncrypted ? "s" : "") + "://" + endpoint.authority + target
    }
}
