import Clocks

/// A handoff moved along by a human: its steps, and which of them are out of order
/// (protocol.md#human-at-the-controls).
extension Conversation {
    mutating func triggerHandoff(at now: Instant, _ outbox: inout [Effect]) {
        tell(.handoffTriggered, at: now, &outbox)
        switch floor {
        case .agent:
            tell(.agentLeft(reason: nil), at: now, &outbox)
            displaceScript(to: .conducted(isAccepted: false), at: now)
        case .departed:
            displaceScript(to: .conducted(isAccepted: false), at: now)
        default: break
        }
    }

    /// Tells how the handoff ended; the agent goes on unless a human sits in its chair
    /// (protocol.md#handoff-fails).
    mutating func concludeHandoff(_ event: Event, at now: Instant, _ outbox: inout [Effect]) {
        tell(event, at: now, &outbox)
        var next: Floor = options.agentReturnsAfterFailedHandoff ? .agent : .departed
        switch floor {
        case .waiting(let run):
            next = floor(without: run)
            outbox.append(
                .note(handle, .handoff(name: script.handoffs[run.index].name, state: "ended by hand")))
            floor = next
            performance = Performance()
            pause?.remaining = nil
            // From here on the script speaks.
            pusher = nil
            if next != .departed, run.rest.next < run.rest.steps.count { perform(run.rest, at: now, &outbox) }
        case .conducted:
            if next == .departed {
                performance = Performance()
                pause?.remaining = nil
            }
            pause?.displaced = nil
            floor = next
            if takeover == nil { resumeScript(at: now, &outbox) }
        default: break
        }
    }

    mutating func requireClientHandoff(
        reason: String?, route: String?, at now: Instant, _ outbox: inout [Effect]
    ) {
        let isFromAgent = floor == .agent
        if isFromAgent { tell(.handoffTriggered, at: now, &outbox) }
        tell(.clientHandoffRequired(reason: reason, queueName: nil, route: route), at: now, &outbox)
        if isFromAgent { tell(.agentLeft(reason: nil), at: now, &outbox) }
        switch floor {
        case .agent, .waiting, .conducted:
            floor = .departed
            performance = Performance()
            pause?.remaining = nil
            pause?.displaced = nil
            if takeover == nil { pause = nil }
        default: break
        }
    }

    // MARK: - Out of order

    /// What a client would not see in production about `action` now; nil when it may come here.
    func whyUnusual(_ action: ChairAction) -> String? {
        switch action {
        case .takeOver, .leave: nil
        case .handBack: whyHandBackIsUnusual
        case .typing, .send: whySpeakingIsUnusual
        case .join: whyJoinIsUnusual
        case .triggerHandoff:
            floor == .agent || floor == .departed ? nil : "the agent does not have the floor"
        case .accept:
            switch floor {
            case .conducted(isAccepted: false): nil
            case .conducted, .waiting: "the handoff was accepted already"
            default: Self.noHandoff
            }
        case .updateQueue:
            switch floor {
            case .conducted(isAccepted: true), .waiting: nil
            case .conducted: "the handoff was not accepted yet"
            default: Self.noHandoff
            }
        case .fail, .timeOut:
            switch floor {
            case .conducted, .waiting: nil
            default: Self.noHandoff
            }
        case .requireClientHandoff:
            floor == .agent ? nil : "the agent does not have the floor"
        }
    }

    private static let noHandoff = "no handoff is under way"
    private static let agentAway = "the agent has left already"
    private static let agentMissing = "the agent has not joined yet"

    private var whyHandBackIsUnusual: String? {
        switch floor {
        case .guest: "the person was not told to have left"
        case .conducted: Self.agentAway
        default: nil
        }
    }

    private var whySpeakingIsUnusual: String? {
        switch floor {
        case .nobody: return Self.agentMissing
        case .waiting, .conducted, .departed: return Self.agentAway
        default: break
        }
        if case .streaming = performance.activity, floor == .agent { return "a streamed reply is half told" }
        return nil
    }

    private var whyJoinIsUnusual: String? {
        switch floor {
        case .nobody: Self.agentMissing
        case .departed: "the client was to bring the user to a person itself"
        case .person, .guest: "a person is here already"
        default: nil
        }
    }
}
