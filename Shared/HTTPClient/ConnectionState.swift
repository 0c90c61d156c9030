import Clocks
import SocketTransport

/// One request or WebSocket on the loop, from address resolution to the last byte.
final class ConnectionState {
    let number: Int
    let host: String
    let timeout: Interval?
    /// Maximum time between two parts of a streamed response; nil means no limit.
    let silence: Interval?
    /// Backpressure; nil if reports are not counted.
    let backlog: Backlog?
    let report: @Sendable (HTTPClient.Report) -> Void
    /// The unsent rest of the body file, and the number of bytes that it must have.
    var file: (reader: Files.Reader?, missing: Int)?
    /// nil once the end was reported and only the connection has to be closed.
    var exchange: Exchange?
    var race = AddressRace([])
    /// Active connection attempts; the first to succeed is used.
    var dialling: [SocketID] = []
    var socket: SocketID?
    /// The error of the last attempt, or the reason why no attempt was possible.
    var lastFailure: SocketError
    /// The timeout; nil for an open WebSocket, which may be silent for hours.
    var deadline: Instant?
    /// Time at which the next address is tried, although the last attempt is still active (RFC 8305).
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
