import Clocks
import SocketTransport

/// State of one request or WebSocket on the loop, from address resolution to the last byte.
final class ConnectionState {
    let number: Int
    let host: String
    let timeout: Interval?
    /// Maximum time between two parts of a streamed response. Nil: no limit.
    let silence: Interval?
    /// Nil: no backpressure.
    let backlog: Backlog?
    let report: @Sendable (HTTPClient.Report) -> Void
    /// The body file's reader, and the number of its bytes not yet sent.
    var file: (reader: Files.Reader?, missing: Int)?
    /// Length of the body file. Nil unless its progress is reported.
    let fileBytes: Int?
    var sentBytes = 0
    /// Nil after the end was reported. Then the connection only has to be closed.
    var exchange: Exchange?
    var race = AddressRace([])
    /// Connection attempts in progress. The first one that succeeds is used.
    var dialling: [SocketID] = []
    var socket: SocketID?
    /// The error of the last attempt, or the reason why no attempt was possible.
    var lastFailure: SocketError
    /// Nil for an open WebSocket, which may be silent for hours.
    var deadline: Instant?
    /// The time at which the next address is tried, even if the last attempt is still in progress (RFC 8305).
    var nextTry: Instant?
    private let timer: any EventTimer

    init(
        number: Int, _ request: HTTPClient.Request, _ exchange: Exchange, backlog: Backlog?, at now: Instant,
        lastFailure: SocketError, timer: any EventTimer,
        report: @escaping @Sendable (HTTPClient.Report) -> Void
    ) {
        self.number = number
        host = request.endpoint.host
        timeout = request.timeout
        silence = request.limitsSilence ? request.timeout : nil
        self.exchange = exchange
        file = request.bodyFile.map { (Files.Reader($0.path), $0.byteCount) }
        fileBytes = request.reportsProgress ? request.bodyFile?.byteCount : nil
        self.backlog = backlog
        deadline = request.timeout.map { now + $0 }
        self.lastFailure = lastFailure
        self.timer = timer
        self.report = report
    }

    func armTimer() {
        if let next = [deadline, nextTry].compactMap({ $0 }).min() {
            timer.arm(at: next)
        } else {
            timer.disarm()
        }
    }
}
