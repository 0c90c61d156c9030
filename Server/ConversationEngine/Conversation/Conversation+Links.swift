import Clocks

extension Conversation {
    mutating func attach(
        _ connection: ConnectionID, cursor: UInt64, firstFrameAt: Instant, at now: Instant,
        _ outbox: inout [Effect]
    ) -> Bool {
        guard !hasEnded else { return false }
        if links.count >= connectionLimit {
            guard terms?.value.overLimit == .closeOldest, !links.isEmpty else { return false }
            outbox.append(.close(links.removeFirst().id, .tooManyConnections))
        }
        links.append(
            SessionConnection(
                id: connection, openedAt: now, lastInput: now, cursor: cursor,
                historyDue: max(firstFrameAt, now)))
        lastInput = now
        return true
    }

    mutating func expectHistory(of connection: ConnectionID, due: Instant) -> Bool {
        guard let index = links.firstIndex(where: { $0.id == connection }) else { return false }
        // Nil: the history was already sent.
        if links[index].historyDue != nil { links[index].historyDue = due }
        return true
    }

    mutating func detach(_ connection: ConnectionID) {
        links.removeAll { $0.id == connection }
        guard links.isEmpty else { return }
        // Without connections, the memory of the arrays is freed.
        links = []
        if player.turns.isEmpty { player.turns = [] }
    }

    mutating func touch(_ connection: ConnectionID, at now: Instant) {
        if let index = links.firstIndex(where: { $0.id == connection }) {
            links[index].lastInput = now
        } else if connection != .none {
            return
        }
        lastInput = now
    }

    /// Fires due timers in the order of their deadlines, each with its deadline as the current time. After
    /// ``EngineLimits/stepsOfTurn`` steps, the remaining timers stay due. Returns ``nextDeadline``.
    @discardableResult
    mutating func advance(to now: Instant, _ outbox: inout [Effect]) -> Instant? {
        var left = EngineLimits.stepsOfTurn
        var next = findNextDeadline()
        while left > 0, let deadline = next, deadline <= now {
            left -= 1
            fire(at: deadline, &left, &outbox)
            next = findNextDeadline()
        }
        return next
    }

    private mutating func fire(at now: Instant, _ left: inout Int, _ outbox: inout [Effect]) {
        for index in links.indices {
            if let due = links[index].historyDue, due <= now { sendHistory(to: index, &outbox) }
        }
        if case .ended(let end, _, _) = responder { return closeEnded(since: end, at: now, &outbox) }
        applyDelayedInputs(dueAt: now, &outbox)
        while left > 0, let due = player.dueAt, due <= now, !hasEnded {
            left -= 1
            continueSteps(at: now, &outbox)
        }
        guard !hasEnded else { return }
        if idleDue <= now { return endForSilence(at: now, &outbox) }
        closeIdleLinks(at: now, &outbox)
    }

    /// Deadline of the idle timeout or, if later, the last expiry of the pending interrupts.
    @inline(__always) var idleDue: Instant {
        let due = lastInput + sessionIdle
        guard let runs = keptRuns else { return due }
        return runs.log.pendingAsks.compactMap(\.expires).max().map { max(due, $0) } ?? due
    }

    mutating func endForSilence(at now: Instant, _ outbox: inout [Effect]) {
        cause = Cause(part: .silence)
        defer { cause = Cause() }
        end(.abandoned, at: now, &outbox)
    }

    mutating func sendHistory(to index: Int, _ outbox: inout [Effect]) {
        let link = links[index]
        let newest = UInt64(journal.count)
        links[index].historyDue = nil
        links[index].held = []
        connectCount += 1
        fireOnWire(.connect(connectCount), on: link.id, &outbox)
        outbox.append(
            .replay(
                handle, to: link.id, after: min(link.cursor, newest),
                includesStart: options.alwaysReplaysSessionStart || link.cursor == 0))
        for held in link.held where !isOvertaken(held) {
            for firing in held.firings { outbox.append(.fire(handle, firing)) }
            outbox.append(.deliver(handle, held.entry, audience: .one(link.id)))
        }
    }

    /// Whether the history makes a held typing or thinking event obsolete (protocol.md#stale-signs).
    private func isOvertaken(_ held: Held) -> Bool {
        guard held.entry.kind == .agentThinking || held.entry.kind == .liveAgentTyping else { return false }
        return journal[held.journalCount...].contains { entry in
            switch entry.kind {
            case .agentMessage, .agentChunk, .liveAgentMessage, .sessionEnded: true
            default: false
            }
        }
    }

    private mutating func closeIdleLinks(at now: Instant, _ outbox: inout [Effect]) {
        var overdue: [(ConnectionID, CloseCause)] = []
        for index in links.indices {
            if links[index].lastInput + connectionIdle <= now {
                overdue.append((links[index].id, .connectionIdle))
            } else if let age = connectionAge, links[index].openedAt + age <= now {
                overdue.append((links[index].id, .connectionTooOld))
            }
        }
        for (link, cause) in overdue { close(link, cause, &outbox) }
    }

    mutating func close(_ link: ConnectionID, _ cause: CloseCause, _ outbox: inout [Effect]) {
        outbox.append(.close(link, cause))
        detach(link)
    }

    mutating func closeEnded(since end: Instant, at now: Instant, _ outbox: inout [Effect]) {
        if !areLinksClosed, end + options.endGrace <= now {
            areLinksClosed = true
            for index in links.indices where links[index].historyDue != nil {
                sendHistory(to: index, &outbox)
            }
            for link in links { outbox.append(.close(link.id, .sessionEnded)) }
            links = []
        }
        if areLinksClosed, end + max(options.endedRetention, options.endGrace) <= now { isForgotten = true }
    }
}
