import HTTPClient
import WebSocketCore

/// State machine of one WebSocket over URLSession. URLSession documents no order of its callbacks at the end. The
/// machine therefore requests messages until a request fails, and then reports the end, with a close frame if one came.
/// A deadline limits this wait.
struct URLSessionWebSocketCore {
    enum Input: Equatable {
        case opened
        case message(HTTPClient.Report)
        /// The request for a message failed.
        case receiveFailed(String)
        case closeFrame(CloseCode, reason: String)
        /// The task has ended. The report is used if the connection never opened, otherwise `reason`, the error's text.
        case ended(HTTPClient.Report, reason: String)
        case closing
        /// The client aborts.
        case cut
        /// The deadline of the opening or of ``Action/wait`` has passed.
        case timeIsOver
    }

    enum Action: Equatable {
        case report(HTTPClient.Report)
        case receive
        case stopWaiting
        /// Schedule ``Input/timeIsOver`` after `ClientLimits.closeHandshake`.
        case wait
        case cancel
    }

    private enum Phase { case opening, open, over }

    private let timedOut: HTTPClient.Failure
    private var phase = Phase.opening
    private var isReceiving = false
    private var isWaiting = false
    private var isTaskOver = false
    private var closeFrame: HTTPClient.Report?
    private var failure: String?

    /// `timedOut` is reported if the opening takes too long.
    init(timedOut: HTTPClient.Failure) {
        self.timedOut = timedOut
    }

    /// Whether a message may be sent.
    var canSend: Bool { phase == .open && closeFrame == nil }
    var isOver: Bool { phase == .over }

    mutating func handle(_ input: Input) -> [Action] {
        guard phase != .over else { return [] }
        switch input {
        case .opened:
            guard phase == .opening else { return [] }
            (phase, isReceiving) = (.open, true)
            return [.stopWaiting, .report(.opened), .receive]
        case .message(let report):
            guard phase == .open else { return [] }
            return [.report(report), .receive]
        case .receiveFailed(let text):
            isReceiving = false
            failure = failure ?? text
            return goOn()
        case .closeFrame(let code, let reason):
            closeFrame = closeFrame ?? .closed(code, reason: reason)
            return goOn()
        case .ended(let report, let reason):
            guard phase == .open else { return end(report) }
            isTaskOver = true
            failure = failure ?? reason
            return goOn()
        case .closing:
            return wait()
        case .cut:
            phase = .over
            return [.cancel]
        case .timeIsOver:
            guard phase == .open else { return end(.failed(timedOut)) }
            // The deadline of the opening is ignored if it is reported just after the connection opened.
            return isWaiting ? end(lastReport) : []
        }
    }

    /// Reports the end if no more messages can come and a close frame or the end of the task has arrived. Otherwise
    /// starts the deadline.
    private mutating func goOn() -> [Action] {
        guard phase == .open, !isReceiving, closeFrame != nil || isTaskOver else { return wait() }
        return end(lastReport)
    }

    private mutating func wait() -> [Action] {
        guard phase == .open, !isWaiting else { return [] }
        isWaiting = true
        return [.wait]
    }

    private mutating func end(_ report: HTTPClient.Report) -> [Action] {
        phase = .over
        return [.report(report), .cancel]
    }

    private var lastReport: HTTPClient.Report {
        closeFrame ?? .failed(.systemLost(failure ?? "The connection ended."))
    }
}
