/// State of a contact's connection, as its events tell it.
package struct LinkStatus: Equatable, Sendable {
    package enum Phase: Equatable, Sendable {
        /// The first connection is being made.
        case connecting
        case open
        /// The connection is being made again. `attempt` counts from 1.
        case reconnecting(attempt: Int)
        /// The contact has ended.
        case closed
    }

    package var phase = Phase.connecting
    /// The reason why the first connection could not be made.
    package var failure: ConnectChatError?

    package init() {}

    package mutating func apply(_ event: ChatSessionEvent) {
        switch event {
        case .connectionEstablished, .connectionReEstablished: (phase, failure) = (.open, nil)
        case .connecting where failure != nil || phase == .closed: (phase, failure) = (.connecting, nil)
        case .connectionBroken: phase = .reconnecting(attempt: 1)
        case .waiting(_, let attempt) where phase != .connecting: phase = .reconnecting(attempt: attempt)
        case .connectionFailed(let error) where phase == .connecting: failure = error
        case .chatEnded: (phase, failure) = (.closed, nil)
        default: break
        }
    }
}
