import Clocks
import SocketTransport

/// One call or one feed on the loop, from dialling to the last byte.
final class ControlLine {
    enum Work {
        case call(CallExchange, completion: @Sendable (Result<ControlAnswer, ControlError>) -> Void)
        case feed(FeedExchange, report: @Sendable (FeedExchange.Output) -> Void)
        /// The outcome has been told.
        case none
    }

    let number: Int
    let url: String
    /// Sent as soon as there is a connection.
    let opening: [UInt8]
    var work: Work
    /// Addresses that were not tried yet.
    var addresses: ArraySlice<SocketAddress> = []
    var socket: SocketID?
    /// How long the whole call may take; nil for a feed, which may be silent for hours.
    let patience: Interval?
    let timer: any EventTimer

    init(
        number: Int, url: String, opening: [UInt8], work: Work, patience: Interval?, timer: any EventTimer
    ) {
        self.number = number
        self.url = url
        self.opening = opening
        self.work = work
        self.patience = patience
        self.timer = timer
    }

    /// Tells that nothing came of it, unless the outcome has been told.
    func fail(_ error: ControlError) {
        let work = work
        self.work = .none
        switch work {
        case .call(_, let completion): completion(.failure(error))
        case .feed(_, let report): report(.ended(error))
        case .none: break
        }
    }
}
