import Clocks
import ConversationEngine
import HTTPCore
import ServerCore
import Timeline

extension ControlAPI {
    /// Passes new rows and changes to waits and feeds, as far as the turn's budget allows.
    func serveWatchers() {
        for item in server.takeFixtureNews() { announce(.fixtures, "fixture", Self.json(item)) }
        gatherChanges()
        // No requested turn runs while the clock is moved.
        guard !server.controls.watching.isEmpty, !server.controls.isTurnDue || server.isSteered else {
            return
        }
        guard server.controls.steps.visit(server.controls.watching.count) else { return requestTurn() }
        let turn = makeTurn()
        var first: Int?
        for (place, id) in server.controls.watching.enumerated() {
            guard let connection = server.connection(of: id) else { continue }
            serve(connection, in: turn)
            if turn.isOver, first == nil { first = place }
        }
        if let first, first < server.controls.watching.count {
            // The next turn begins with the waits and feeds that this turn had no time for.
            let watching = server.controls.watching
            server.controls.watching = Array(watching[first...] + watching[..<first])
            compareAway()
            if turn.hasBegun { requestTurn() }
        }
        server.controls.watching.removeAll { id in server.connection(of: id).map { !$0.isWatching } ?? true }
    }

    func makeTurn() -> WatchTurn { WatchTurn(timeline, server.controls.steps) }

    private func serve(_ connection: Connection, in turn: WatchTurn) {
        if case .waiting(var wait) = connection.stage {
            wait.look(in: timeline, turn, now: server.now)
            connection.stage = .waiting(wait)
            if wait.isAnswered || isOver(wait) { return answer(wait, on: connection) }
            // Charges new rows, including rows that a queue has found.
            let more = wait.foundBytes - connection.costs.wait
            if more > 0 { charge(more, to: connection) }
        } else {
            continueFeed(of: connection, in: turn)
        }
    }

    private func requestTurn() {
        guard !server.controls.isTurnDue else { return }
        server.controls.isTurnDue = true
        server.outputs.append(
            .again { server in
                server.controls.isTurnDue = false
                server.controls.steps.renew()
            })
    }

    // MARK: - Away from the loop

    private func compareAway() {
        guard !server.controls.isComparing else { return }
        var ids: [ConnectionID] = []
        var comparisons: [RowComparison] = []
        for id in server.controls.watching {
            guard let comparison = server.connection(of: id)?.leave(for: timeline) else { continue }
            ids.append(id)
            comparisons.append(comparison)
        }
        guard !ids.isEmpty else { return }
        server.controls.isComparing = true
        let (timeline, now, found) = (timeline, server.now, comparisons)
        let away = AwayWork(.filters) { [ids] in
            var advanced = found
            RowComparison.advance(&advanced, in: timeline, now: now)
            return AwayWork.Result { [advanced] server in
                server.controls.isComparing = false
                for (id, comparison) in zip(ids, advanced) { server.connection(of: id)?.apply(comparison) }
            }
        }
        server.outputs.append(.work(away))
    }

    func watch(_ connection: Connection) { server.controls.watching.append(connection.id) }

    // MARK: - Waits

    /// Starts a wait. Returns its answer, or nil if the answer comes later.
    func begin(_ wait: RowWait, on connection: Connection) throws(ControlProblem) -> Response? {
        var wait = wait
        if affords(wait.filter) {
            wait.look(in: timeline, now: server.now)
            if wait.isAnswered || wait.timeout <= .zero {
                return wait.response(from: timeline, now: server.now)
            }
        } else if wait.timeout <= .zero {
            return try begin(report(on: wait), wait.head, on: connection)
        }
        connection.stage = .waiting(wait)
        watch(connection)
        arm(wait, of: connection)
        if wait.foundBytes > 0 { charge(wait.foundBytes, to: connection) }
        return nil
    }

    /// Charges the memory of rows that a wait has found, or refuses the wait.
    private func charge(_ bytes: Int, to connection: Connection) {
        guard case .waiting(let wait) = connection.stage, !server.charge(bytes, toWaitOf: connection) else {
            return
        }
        let problem = ControlProblem(
            503, "The rows that all waits have found take more than \(CoreLimits.waitBytes) bytes.",
            headers: ["Retry-After": "\(ServerLimits.retryAfterSeconds)"])
        server.answer(problem.response, to: wait.head, on: connection)
    }

    func timeOutWait(_ connection: Connection) {
        guard case .waiting(var wait) = connection.stage else { return expect(false, "it does not wait") }
        wait.look(in: timeline, makeTurn(), now: server.now)
        answer(wait, on: connection)
    }

    private func answer(_ wait: RowWait, on connection: Connection) {
        let isLong =
            wait.isAnswered
            ? wait.foundBytes > ServerLimits.Control.shortBytes
            : wait.isBehind(timeline) || !affords(wait.filter)
        if isLong {
            server.setDeadline(nil, of: connection)
            return start(report(on: wait), wait.head, on: connection)
        }
        let response = wait.response(from: timeline, now: server.now)
        server.answer(response, to: wait.head, on: connection)
    }

    private func report(on wait: RowWait) -> Work {
        let (timeline, now) = (timeline, server.now)
        return Work(isLong: true) { () throws(ControlProblem) in
            var wait = wait
            wait.look(in: timeline, now: now)
            return wait.response(from: timeline, now: now)
        }
    }

    // MARK: - Time of waits

    private func isOver(_ wait: RowWait) -> Bool {
        server.waitsInRealTime ? server.wallNow >= wait.realDeadline : server.now >= wait.deadline
    }

    private func arm(_ wait: RowWait, of connection: Connection) {
        guard server.waitsInRealTime else { return server.setDeadline(wait.deadline, of: connection) }
        server.setDeadline(nil, of: connection)
        server.armRealTime(noLaterThan: wait.realDeadline)
    }

    /// Updates the deadlines of waits and held frames for the clock's mode.
    func rearmWaits() {
        for id in server.controls.watching {
            guard let connection = server.connection(of: id), case .waiting(let wait) = connection.stage
            else { continue }
            arm(wait, of: connection)
        }
        server.rearmHeld()
    }

    /// Runs what is due by the wall clock: time-outs of waits and held frames, and changes in feeds.
    func wakeWatchers() {
        server.controls.realDeadline = nil
        server.releaseHeld()
        serveWatchers()
        guard server.waitsInRealTime else { return }
        if let due = server.controls.heldSince.values.compactMap(\.realEnd).min() {
            server.armRealTime(noLaterThan: due)
        }
        for id in server.controls.watching {
            guard case .waiting(let wait)? = server.connection(of: id)?.stage else { continue }
            server.armRealTime(noLaterThan: wait.realDeadline)
        }
    }
    /// Takes the steps for comparing all rows, or returns false.
    func affords(_ filter: RowFilter?) -> Bool {
        let steps = filter?.steps(forRows: timeline.count, bytes: timeline.heldBytes) ?? 0
        return !timeline.isLong && server.controls.steps.spend(steps)
    }
}

extension Connection {
    /// Returns a comparison that a queue must make for this wait or feed, or nil.
    func leave(for timeline: Timeline) -> RowComparison? {
        if case .waiting(var wait) = stage, !wait.isAway, wait.isBehind(timeline) {
            wait.isAway = true
            stage = .waiting(wait)
            return RowComparison(wait.filter, from: wait.seen, most: wait.count - wait.found.count)
        }
        guard let webSocket, case .feed(var feed) = webSocket.purpose, let filter = feed.filter, !feed.isAway,
            feed.compared < timeline.lastNumber
        else { return nil }
        feed.isAway = true
        webSocket.purpose = .feed(feed)
        return RowComparison(filter, from: feed.compared)
    }

    func apply(_ comparison: RowComparison) {
        if case .waiting(var wait) = stage {
            wait.isAway = false
            wait.found += comparison.found
            wait.seen = max(wait.seen, comparison.to)
            stage = .waiting(wait)
        }
        guard let webSocket, case .feed(var feed) = webSocket.purpose else { return }
        feed.isAway = false
        feed.judged = (feed.judged.taken + comparison.found.map(\.number), comparison.to)
        webSocket.purpose = .feed(feed)
    }
}

extension RowWait {
    fileprivate func isBehind(_ timeline: Timeline) -> Bool { !isAnswered && seen < timeline.lastNumber }

    fileprivate mutating func look(in timeline: Timeline, _ turn: WatchTurn, now: Instant) {
        guard !isAway else { return }
        seen = max(seen, timeline.firstNumber - 1)
        while isBehind(timeline), turn.allows(filter, row: seen + 1) {
            seen += 1
            if let row = turn.row(seen), filter.matches(row, now: now) { found.append(row) }
        }
    }

    fileprivate mutating func look(in timeline: Timeline, now: Instant) {
        found += timeline.rows(after: seen, limit: count - found.count, matching: filter, now: now)
        // `after` may be higher than the last row's number.
        seen = max(seen, timeline.lastNumber)
    }

    fileprivate func response(from timeline: Timeline, now: Instant) -> Response {
        if isAnswered { return ControlJSON.response(ControlRows.list(found, timeline)) }
        return WaitReport(self, timeline, now: now).response
    }
}

extension Timeline {
    var isLong: Bool {
        count > ServerLimits.Control.shortList || heldBytes > ServerLimits.Control.shortBytes
    }
}
