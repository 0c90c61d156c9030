package struct LinkStatus: Equatable, Sendable {
    package enum Phase: Equatable, Sendable {
        case connecting
        case open
        /// `attempt` counts from 1.
        case reconnecting(attempt: Int)
        case closed
    }

    package var phase = Phase.connecting
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
