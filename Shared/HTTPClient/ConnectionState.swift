import Clocks
import SocketTransport

/// One request or one WebSocket on the loop, from the look-up of its host to the last byte.
final class ConnectionState {
    let number: Int
    let host: String
    /// Time from the beginning to ``deadline``.
    let timeout: Interval?
    /// Time allowed after each part of a streamed answer; nil for no deadline.
    let silence: Interval?
    /// Flow control of a WebSocket; nil when its reports are not counted.
    let backlog: Backlog?
    let report: @Sendable (HTTPClient.Report) -> Void
    /// The rest of the body to send; nil when there is none.
    var file: (reader: Files.Reader?, missing: Int)?
    /// Nil once the end has been reported and only the connection remains to be closed.
    var exchange: Exchange?
    /// Addresses that were not tried yet.
    var race = AddressRace([])
    /// Connection attempts under way; the first to succeed wins.
    var dialling: [SocketID] = []
    /// The connection, once there is one.
    var socket: SocketID?
    /// The error of the last attempt, or the reason why none could be made.
    var lastFailure: SocketError
    /// The time-out; nil for an open WebSocket, which may be silent for hours.
    var deadline: Instant?
    /// The time at which the next address is tried while the last attempt is still under way (RFC 8305).
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
