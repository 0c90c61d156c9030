package import Clocks

/// What will happen by itself, and when. Says the same as ``nextDeadline``, with names.
extension Conversation {
    /// In no order. A connection whose history has no moment yet has no timer for it.
    package var pendingTimers: [PendingTimer] {
        var timers: [PendingTimer] = []
        func add(_ name: String, at deadline: Instant, isScript: Bool) {
            guard deadline != .distantFuture else { return }
            timers.append(PendingTimer(name: name, sessionID: id, deadline: deadline, isScript: isScript))
        }
        for link in links {
            if let due = link.historyDue {
                add("history due of connection \(link.id.rawValue)", at: due, isScript: true)
            }
        }
        if case .ended(let end, _) = floor {
            if !areLinksClosed { add("closing after the end", at: end + options.endGrace, isScript: false) }
            if !isForgotten {
                add("forgetting", at: end + max(options.endedRetention, options.endGrace), isScript: false)
            }
            return timers
        }
        if let due = performance.dueAt { add(nameOfActivity, at: due, isScript: true) }
        for delayed in delayedInputs { add("echo delay", at: delayed.due, isScript: true) }
        add("idle end", at: lastInput + sessionIdle, isScript: false)
        for link in links {
            let connection = "of connection \(link.id.rawValue)"
            add("connection idle \(connection)", at: link.lastInput + options.connectionIdle, isScript: false)
            if let age = options.connectionAge {
                add("connection age \(connection)", at: link.openedAt + age, isScript: false)
            }
        }
        return timers
    }

    /// The earliest deadline of ``pendingTimers`` that belongs to the script.
    package var scriptDeadline: Instant? {
        var earliest = Instant.distantFuture
        for link in links {
            if let due = link.historyDue { earliest = min(earliest, due) }
        }
        if !hasEnded {
            if let due = performance.dueAt { earliest = min(earliest, due) }
            if let delayed = delayedInputs.first { earliest = min(earliest, delayed.due) }
        }
        return earliest == .distantFuture ? nil : earliest
    }

    private var nameOfActivity: String {
        if case .waiting(let run) = floor {
            let handoff = script.handoffs[run.index]
            let isOver = run.told >= handoff.queue?.positions.count ?? 0
            return isOver ? "outcome of handoff \(handoff.name)" : "queue update \(queueUpdateCount + 1)"
        }
        switch performance.activity {
        case .idle: return "next step"
        case .pausing: return "pause"
        case .streaming(let utterance): return "next chunk of reply \(utterance.number)"
        case .composing(let utterance):
            if case .person = floor { return "typing before reply \(utterance.number)" }
            return "thinking before reply \(utterance.number)"
        }
    }
}
