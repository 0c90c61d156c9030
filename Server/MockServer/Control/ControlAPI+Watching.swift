import Clocks
import ConversationEngine
import HTTPCore
import ServerCore
import SocketTransport
import Texts
import Timeline

/// Rows for requests that wait for them.
extension ControlAPI {
    /// Shows new rows to everyone who watches. Called when the loop has dealt with what there was. Where a further turn is
    /// due, that does it: many answers that are ready at once would look at all who watch each.
    func serveWatchers() {
        for item in server.takeFixtureNews() { announce(.fixtures, "fixture", Self.json(item)) }
        gatherChanges()
        // While the clock is moved no further turn comes in between.
        guard !server.controls.watching.isEmpty, !server.controls.isTurnDue || server.isSteered else {
            return
        }
        guard server.controls.steps.visit(server.controls.watching.count) else { return goOn() }
        let turn = makeTurn()
        var first: Int?
        for (place, id) in server.controls.watching.enumerated() {
            guard let connection = server.connection(of: id) else { continue }
            serve(connection, in: turn)
            if turn.isOver, first == nil { first = place }
        }
        if let first, first < server.controls.watching.count {
            // The next turn begins with those that this one had no steps left for.
            server.controls.watching = Array(
                server.controls.watching[first...] + server.controls.watching[..<first])
            compareAway()
            if turn.hasBegun { goOn() }
        }
        server.controls.watching.removeAll { id in server.connection(of: id).map { !$0.isWatching } ?? true }
    }

    /// A look at the rows, within the budget of the turn.
    func makeTurn() -> WatchTurn { WatchTurn(timeline, server.controls.steps) }

    private func serve(_ connection: Connection, in turn: WatchTurn) {
        if case .waiting(var wait) = connection.stage {
            wait.look(in: timeline, turn, now: server.now)
            connection.stage = .waiting(wait)
            if wait.isAnswered || isOver(wait) { return answer(wait, on: connection) }
            // Rows that were found away from the loop are new here as well.
            let more = wait.foundBytes - connection.costs.wait
            if more > 0 { charge(more, to: connection) }
        } else {
            continueFeed(of: connection, in: turn)
        }
    }

    /// Asks for a further turn, after the work that the loop has already.
    private func goOn() {
        guard !server.controls.isTurnDue else { return }
        server.controls.isTurnDue = true
        server.outputs.append(
            .again { server in
                server.controls.isTurnDue = false
                server.controls.steps.renew()
            })
    }

    // MARK: - Away from the loop

    /// Comparison of all rows that were left over with their filters, away from the loop; a further turn takes the result.
    private func compareAway() {
        guard !server.controls.isComparing else { return }
        var ids: [ConnectionID] = []
        var comparisons: [RowComparison] = []
        for id in server.controls.watching {
            guard let comparison = server.connection(of: id)?.leave(behind: timeline) else { continue }
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

    func watch(_ connection: Connection) {
        server.controls.watching.append(connection.id)
    }

    // MARK: - Waits

    /// Answers at once when the rows are there; else the connection waits. Where they are more than the loop may look at
    /// now, that is done for all who wait together.
    ///
    /// - Returns: nil when it waits.
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

    /// Charges rows that a wait has found; it is refused where all waits together have found too much.
    private func charge(_ bytes: Int, to connection: Connection) {
        guard case .waiting(let wait) = connection.stage, !server.charge(bytes, toWaitOf: connection) else {
            return
        }
        let problem = ControlProblem(
            503, "The rows that all waits have found take more than \(CoreLimits.waitBytes) bytes.",
            headers: ["Retry-After": "\(ServerLimits.retryAfterSeconds)"])
        server.answer(problem.response, to: wait.head, on: connection)
    }

    /// The server's clock has reached the deadline of a wait.
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

    /// The answer to a wait that is over, made away from the loop.
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

    /// The clock goes another way from now on.
    func rearmWaits() {
        for id in server.controls.watching {
            guard let connection = server.connection(of: id), case .waiting(let wait) = connection.stage
            else { continue }
            arm(wait, of: connection)
        }
        server.rearmHeld()
    }

    /// The wall's time has reached the deadline of some wait, or the moment at which a feed may tell changes.
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
}

extension ControlAPI {
    /// Whether the loop may look at all rows with `filter` now; the steps are taken from those of this turn, which many
    /// requests share. What it may not do is done away from it.
    func affords(_ filter: RowFilter?) -> Bool {
        let steps = filter?.steps(forRows: timeline.count, bytes: timeline.heldBytes) ?? 0
        return !timeline.isLong && server.controls.steps.take(steps)
    }
}

extension Connection {
    /// The rows not looked at yet, to be compared away from the loop; nil when there are none, or when the
    /// comparison is under way.
    fileprivate func leave(behind timeline: Timeline) -> RowComparison? {
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

    /// Goes on with what was found.
    fileprivate func apply(_ comparison: RowComparison) {
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
    /// Rows are there that it has not looked at.
    fileprivate func isBehind(_ timeline: Timeline) -> Bool { !isAnswered && seen < timeline.lastNumber }

    /// Looks at what is new as far as the turn has steps left.
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
        // `after` may name a row that is not there yet.
        seen = max(seen, timeline.lastNumber)
    }

    fileprivate func response(from timeline: Timeline, now: Instant) -> Response {
        if isAnswered { return ControlJSON.response(ControlRows.list(found, timeline)) }
        return WaitReport(self, timeline, now: now).response
    }
}

extension Timeline {
    /// It takes longer to look at all of it than other clients should wait.
    var isLong: Bool {
        count > ServerLimits.Control.shortList || heldBytes > ServerLimits.Control.shortBytes
    }
}
