import Clocks
import SocketTransport

/// One request or one WebSocket on the network loop, from the look-up of its host to the last byte.
final class PlainLine {
    enum Work {
        case request(RequestExchange, completion: @Sendable (RESTReply) -> Void)
        case socket(SocketExchange, report: @Sendable (SocketReport) -> Void)
        /// The outcome has been told; only the connection is still to be closed.
        case none
    }

    let number: Int
    let host: String
    /// What was reported of a WebSocket and is not dealt with yet; nil for a request.
    let backlog: Backlog?
    var work: Work
    /// Addresses that were not tried yet.
    var race = AddressRace([])
    /// Tries that are under way; the first to connect wins.
    var dialling: [SocketID] = []
    /// The connection, once there is one.
    var socket: SocketID?
    /// Why the last try failed.
    var lastFailure: String?
    /// When patience ends; nil for an open WebSocket, which may be silent for hours.
    var deadline: Instant?
    /// When the next address is tried although the last try is still under way.
    var nextTry: Instant?
    private let timer: any EventTimer

    init(
        number: Int, host: String, work: Work, backlog: Backlog?, deadline: Instant, timer: any EventTimer
    ) {
        self.number = number
        self.host = host
        self.work = work
        self.backlog = backlog
        self.deadline = deadline
        self.timer = timer
    }

    /// What to send as soon as there is a connection.
    var opening: [UInt8] {
        switch work {
        case .request(let exchange, _): exchange.request
        case .socket(let exchange, _): exchange.request
        case .none: []
        }
    }

    func armTimer() {
        if let next = [deadline, nextTry].compactMap({ $0 }).min() {
            timer.arm(at: next)
        } else {
            timer.disarm()
        }
    }
}
