import HTTPClient
import WebSocketCore

/// State machine of one URLSession WebSocket: the order of its reports and its end. Pure.
///
/// URLSession reports one connection in several places: the delegate receives the opening, the Close frame and the
/// end of the task, and each message has to be asked for. Their order at the end is not documented. So the last
/// messages are asked for until that fails, and only then the end is reported, with the Close frame if there was one.
/// A deadline ends the wait if one of the callbacks never comes.
struct URLSessionWebSocketCore {
    enum Input: Equatable {
        case opened
        /// An answer to ``Action/receive``.
        case message(HTTPClient.Report)
        /// The other answer to ``Action/receive``: nothing more will come.
        case receiveFailed(String)
        case closeFrame(CloseCode, reason: String)
        /// The task has ended; for one that never opened, with the report of the failure.
        case ended(HTTPClient.Report, reason: String)
        /// Our side asks for the end and sends a Close frame.
        case closing
        /// Our side aborts silently and ignores later events.
        case cut
        /// The deadline has passed: for the opening, or since ``Action/wait``.
        case timeIsOver
    }

    /// Actions for the shell, in this order.
    enum Action: Equatable {
        case report(HTTPClient.Report)
        case receive
        /// The connection is open: the deadline of the opening is gone.
        case stopWaiting
        /// Schedule ``Input/timeIsOver`` after `ClientLimits.closeHandshake`.
        case wait
        /// End the task, and forget the deadline.
        case cancel
    }

    private enum Phase { case opening, open, over }

    private let timedOut: HTTPClient.Failure
    private var phase = Phase.opening
    /// Whether a message was requested and has neither arrived nor failed.
    private var isReceiving = false
    private var isWaiting = false
    private var isTaskOver = false
    private var closeFrame: HTTPClient.Report?
    private var failure: String?

    /// `timedOut`: the report when the opening takes too long.
    init(timedOut: HTTPClient.Failure) {
        self.timedOut = timedOut
    }

    /// Whether text can be sent; text before the opening is dropped.
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
            // The deadline of the opening may have been on its way when the connection opened.
            return isWaiting ? end(lastReport) : []
        }
    }

    /// Reports the end once everything before it was received.
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
