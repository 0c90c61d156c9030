package import Clocks

package enum SessionTimer: Hashable, Sendable {
    case history(of: ConnectionID)
    case activity
    case echoDelay
    case idle
    case connectionIdle(of: ConnectionID)
    case connectionAge(of: ConnectionID)
    case closing
    case forgetting

    var isScript: Bool {
        switch self {
        case .history, .activity, .echoDelay: true
        case .idle, .connectionIdle, .connectionAge, .closing, .forgetting: false
        }
    }
}

extension Conversation {
    /// Calls `body` with each timer, unordered.
    @inline(__always)
    private func eachTimer(_ body: (SessionTimer, Instant) -> Void) {
        // By index, because an element's copy retains its held entries.
        for index in links.indices {
            if let due = links[index].historyDue, due != .distantFuture {
                body(.history(of: links[index].id), due)
            }
        }
        if case .ended(let end, _, _) = responder {
            if !areLinksClosed { body(.closing, end + options.endGrace) }
            if !isForgotten { body(.forgetting, end + max(options.endedRetention, options.endGrace)) }
            return
        }
        if let due = player.dueAt { body(.activity, due) }
        if let delayed = delayedInputs.first { body(.echoDelay, delayed.due) }
        body(.idle, idleDue)
        let age = links.isEmpty ? nil : connectionAge
        for index in links.indices {
            body(.connectionIdle(of: links[index].id), links[index].lastInput + connectionIdle)
            if let age { body(.connectionAge(of: links[index].id), links[index].openedAt + age) }
        }
    }

    /// Time of the next ``advance(to:_:)``; nil only if the session is to be removed.
    package var nextDeadline: Instant? { earliestTimer }

    /// Like ``nextDeadline``. In a mutating function, that getter would copy the session: 504 bytes for each of two
    /// calls per message.
    mutating func findNextDeadline() -> Instant? { earliestTimer }

    @inline(__always)
    private var earliestTimer: Instant? {
        // Compares nanoseconds, because `min` of instants is not inlined across modules. Saves 80 of 260 instructions.
        var (earliest, isThere) = (Int64.max, false)
        eachTimer { _, due in
            earliest = min(earliest, due.nanoseconds)
            isThere = true
        }
        return isThere ? Instant(nanosecondsSince1970: earliest) : nil
    }

    package var scriptDeadline: Instant? {
        var earliest: Instant?
        eachTimer { timer, due in
            if timer.isScript { earliest = min(earliest ?? due, due) }
        }
        return earliest
    }

    package var pendingTimers: [PendingTimer] {
        var timers: [PendingTimer] = []
        eachTimer { timer, due in
            guard due != .distantFuture else { return }
            let (name, connection) = words(for: timer)
            timers.append(
                PendingTimer(
                    name: name, sessionID: id, connection: connection, deadline: due,
                    isScript: timer.isScript, timer: timer, progress: progress(of: timer)))
        }
        return timers
    }

    /// Returns a text that differs once the timer has fired.
    private func progress(of timer: SessionTimer) -> String {
        guard timer != .echoDelay else { return "\(userMessageCount)" }
        guard timer == .activity else { return "" }
        var place = 0
        if case .playing(let play) = player.activity { place = play.next }
        let turn = player.turns.first
        return "\(turn?.cause.mark ?? 0) \(turn?.next ?? 0) \(replyCount) \(player.nextPiece) \(place)"
    }

    // MARK: - By themselves

    mutating func run(_ timer: SessionTimer, at now: Instant, _ outbox: inout [Effect]) {
        switch timer {
        case .history(let id):
            if let index = links.firstIndex(where: { $0.id == id }) { sendHistory(to: index, &outbox) }
        case .activity: continueSteps(at: now, &outbox)
        case .echoDelay: applyNextDelayedInput(at: now, &outbox)
        case .idle: endForSilence(at: now, &outbox)
        case .connectionIdle(let id): close(id, .connectionIdle, &outbox)
        case .connectionAge(let id): close(id, .connectionTooOld, &outbox)
        case .closing, .forgetting:
            guard case .ended(let end, _, _) = responder else { return }
            let retention = timer == .closing ? .zero : options.endedRetention
            closeEnded(since: end, at: end + max(retention, options.endGrace), &outbox)
        }
    }

    /// Cancels a timer. Returns false if the timer cannot be cancelled.
    mutating func drop(_ timer: SessionTimer, at now: Instant, _ outbox: inout [Effect]) -> Bool {
        switch timer {
        case .activity: dropActivity(at: now, &outbox)
        case .echoDelay: delayedInputs.removeFirst()
        case .history, .idle, .connectionIdle, .connectionAge, .closing, .forgetting: return false
        }
        return true
    }

    private func words(for timer: SessionTimer) -> (name: String, connection: ConnectionID?) {
        switch timer {
        case .history(let id): ("history due", id)
        case .activity: (nameOfActivity, nil)
        case .echoDelay: ("echo delay", nil)
        case .idle: (script.timerName(of: .silence), nil)
        case .connectionIdle(let id): ("connection idle", id)
        case .connectionAge(let id): ("connection age", id)
        case .closing: ("close delay", nil)
        case .forgetting: ("session cleanup", nil)
        }
    }

    private var nameOfActivity: String {
        if case .waiting(let run) = responder {
            let isOver = run.positionsSent >= script.handoffs[run.index].queue?.positions.count ?? 0
            return script.timerName(
                of: isOver ? .outcome(run.index) : .queue(run.index, update: queueUpdateCount + 1))
        }
        switch player.activity {
        case .idle: return "next step"
        case .pausing: return "pause"
        case .streaming(let utterance): return "next chunk of reply \(utterance.number)"
        case .playing: return "next event of a run"
        case .composing(let utterance):
            if case .liveAgent = responder { return "typing before reply \(utterance.number)" }
            return "thinking before reply \(utterance.number)"
        }
    }
}
