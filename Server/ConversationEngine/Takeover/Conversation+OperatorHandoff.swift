import Clocks

/// Handoffs that an operator controls, and checks of their order (protocol.md#human-at-the-controls).
extension Conversation {
    mutating func triggerHandoff(at now: Instant, _ outbox: inout [Effect]) {
        record(.handoffTriggered, at: now, &outbox)
        switch responder {
        case .agent:
            record(.agentLeft(reason: nil), at: now, &outbox)
            displaceScript(to: .conducted(isAccepted: false), at: now)
        case .departed: displaceScript(to: .conducted(isAccepted: false), at: now)
        default: break
        }
    }

    /// Records that the handoff has failed or timed out, and sets the next responder.
    mutating func concludeHandoff(_ event: Event, at now: Instant, _ outbox: inout [Effect]) {
        record(event, at: now, &outbox)
        var next: Responder = options.agentReturnsAfterFailedHandoff ? .agent : .departed
        switch responder {
        case .waiting(let run):
            next = responder(without: run)
            outbox.append(
                .note(handle, .handoff(name: script.handoffs[run.index].name, state: "ended by hand")))
            responder = next
            player = StepPlayer()
            pause?.remaining = nil
            // The script causes the following events, not the operator.
            pusher = nil
            if next != .departed, run.rest.next < run.rest.steps.count { enqueue(run.rest, at: now, &outbox) }
        case .conducted:
            if next == .departed {
                player = StepPlayer()
                pause?.remaining = nil
            }
            pause?.displaced = nil
            responder = next
            if operatorState == nil { resumeScript(at: now, &outbox) }
        default: break
        }
    }

    mutating func requireClientHandoff(
        reason: String?, route: String?, at now: Instant, _ outbox: inout [Effect]
    ) {
        let isFromAgent = responder == .agent
        if isFromAgent { record(.handoffTriggered, at: now, &outbox) }
        record(.clientHandoffRequired(reason: reason, queueName: nil, route: route), at: now, &outbox)
        if isFromAgent { record(.agentLeft(reason: nil), at: now, &outbox) }
        switch responder {
        case .agent, .waiting, .conducted:
            responder = .departed
            player = StepPlayer()
            pause?.remaining = nil
            pause?.displaced = nil
            if operatorState == nil { pause = nil }
        default: break
        }
    }

    // MARK: - Out of order

    /// Returns how `action` differs from production; nil if it does not.
    func whyUnusual(_ action: OperatorAction) -> String? {
        switch action {
        case .takeOver, .leave, .change: nil
        case .handBack: whyHandBackIsUnusual
        case .typing, .send: whySpeakingIsUnusual
        case .join: whyJoinIsUnusual
        case .triggerHandoff:
            responder == .agent || responder == .departed ? nil : "the agent is not the current speaker"
        case .accept:
            switch responder {
            case .conducted(isAccepted: false): nil
            case .conducted, .waiting: "the handoff was accepted already"
            default: Self.noHandoff
            }
        case .updateQueue:
            switch responder {
            case .conducted(isAccepted: true), .waiting: nil
            case .conducted: "the handoff was not accepted yet"
            default: Self.noHandoff
            }
        case .fail, .timeOut:
            switch responder {
            case .conducted, .waiting: nil
            default: Self.noHandoff
            }
        case .requireClientHandoff: responder == .agent ? nil : "the agent is not the current speaker"
        }
    }

    private static let noHandoff = "no handoff is under way"
    private static let agentAway = "the agent has left already"
    private static let agentMissing = "the agent has not joined yet"

    private var whyHandBackIsUnusual: String? {
        switch responder {
        case .guest: "the live agent has not left"
        case .conducted: Self.agentAway
        default: nil
        }
    }

    private var whySpeakingIsUnusual: String? {
        switch responder {
        case .nobody: return Self.agentMissing
        case .waiting, .conducted, .departed: return Self.agentAway
        default: break
        }
        if case .streaming = player.activity, responder == .agent { return "a streamed reply is half sent" }
        return nil
    }

    private var whyJoinIsUnusual: String? {
        switch responder {
        case .nobody: Self.agentMissing
        case .departed: "the client was to bring the user to a live agent itself"
        case .liveAgent, .guest: "a live agent is here already"
        default: nil
        }
    }
}
