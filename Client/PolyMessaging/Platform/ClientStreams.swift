package import Clocks

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Everything a client lets others follow.
package struct ClientStreams: Sendable {
    package let events = Multicast<MessagingEvent>()
    package let statuses = Multicast<ConnectionStatus>(replaying: .idle)
    package let sessionStates: Multicast<SessionState>
    /// All of the above in one order.
    package let feed: EventBroadcast

    package let opens = Multicast<Void>()
    package let closes = Multicast<ConnectionCloseEvent>()
    package let messages = Multicast<MessagingEvent>()
    package let batches = Multicast<[MessagingEvent]>()
    package let frames = Multicast<Data>()
    package let errors = Multicast<PolyError>()

    package init(isProgressive: Bool, generator: SeededGenerator) {
        sessionStates = Multicast(
            replaying: SessionState(
                sessionId: nil, status: .unknown, isReady: false, isLoading: false, error: nil))
        feed = EventBroadcast(isProgressive: isProgressive, generator: generator)
    }

    package func tell(_ update: ClientUpdate, at now: Instant) {
        feed.tell(update, at: now)
        switch update {
        case .event(let event): events.send(event)
        case .status(let status): statuses.send(status)
        case .sessionState(let state): sessionStates.send(state)
        case .sessionChanged: break
        }
    }

    package func tell(_ output: ClientCore.RawOutput) {
        switch output {
        case .opened: opens.send(())
        case .closed(let event): closes.send(event)
        case .frame(let bytes): if frames.isHeard { frames.send(Data(bytes)) }
        case .message(let event): messages.send(event)
        case .batch(let events):
            batches.send(events)
            for event in events { messages.send(event) }
        case .fault(let error): errors.send(error)
        }
    }

    package func finish() {
        events.finish()
        statuses.finish()
        sessionStates.finish()
        feed.finish()
        opens.finish()
        closes.finish()
        messages.finish()
        batches.finish()
        frames.finish()
        errors.finish()
    }
}
