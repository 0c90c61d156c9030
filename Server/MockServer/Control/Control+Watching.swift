import Clocks
import ConversationEngine
import HTTPCore
import ServerCore
import SocketTransport
import Texts
import Timeline

/// Rows for requests that wait for them.
extension Control {
    /// Shows new rows to everyone who watches. Called when the loop has dealt with what there was.
    func serveWatchers() {
        gatherChanges()
        for id in state.watching {
            guard let connection = server.connection(of: id) else { continue }
            serve(connection)
        }
        state.watching.removeAll { id in server.connection(of: id).map { !$0.isWatching } ?? true }
        if !state.toldRows.isEmpty { state.toldRows = [:] }
        server.flush()
    }

    private func serve(_ connection: Connection) {
        if case .waiting(var wait) = connection.stage {
            let before = wait.foundBytes
            look(for: &wait)
            connection.stage = .waiting(wait)
            if wait.isAnswered || isOver(wait) { return answer(wait, on: connection) }
            if wait.foundBytes > before { charge(wait.foundBytes - before, to: connection) }
        } else {
            continueFeed(of: connection)
        }
    }

    func watch(_ connection: Connection) {
        state.watching.append(connection.id)
    }

    // MARK: - Waits

    /// Answers at once when the rows are there; else the connection waits. Many rows are looked at away from the
    /// loop.
    ///
    /// - Returns: nil when it waits.
    func begin(_ wait: RowWait, on connection: Connection) throws(ControlProblem) -> Response? {
        guard timeline.isLong else {
            var wait = wait
            look(for: &wait)
            if wait.isAnswered || wait.timeout <= .zero {
                return wait.response(from: timeline, now: server.now)
            }
            hold(wait, on: connection)
            return nil
        }
        let (timeline, now) = (timeline, server.now)
        let work = ControlWork(
            prepare: { () -> (RowWait, Response?) in
                var wait = wait
                wait.look(in: timeline, now: now)
                let isOver = wait.isAnswered || wait.timeout <= .zero
                return (wait, isOver ? wait.response(from: timeline, now: now) : nil)
            },
            proceed: { [id = connection.id] server, prepared in
                if let response = prepared.1 { return .done(.success(response)) }
                if let connection = server.connection(of: id) {
                    let control = Control(server: server)
                    control.hold(prepared.0, on: connection)
                    // Rows that came meanwhile.
                    control.serve(connection)
                }
                return .handedOver
            })
        return try begin(work, wait.head, on: connection)
    }

    private func hold(_ wait: RowWait, on connection: Connection) {
        connection.stage = .waiting(wait)
        watch(connection)
        arm(wait, of: connection)
        if wait.foundBytes > 0 { charge(wait.foundBytes, to: connection) }
    }

    /// Charges rows that a wait has found; it is refused where all waits together have found too much.
    private func charge(_ bytes: Int, to connection: Connection) {
        guard case .waiting(let wait) = connection.stage, !server.charge(bytes, toWaitOf: connection) else {
            return
        }
        let problem = ControlProblem(
            503, "The rows that all waits have found take more than \(CoreLimits.waitBytes) bytes.",
            headers: ["Retry-After": "\(ServerLimits.retryAfterSeconds)"])
        server.answer(Self.hardened(problem.response), to: wait.head, on: connection)
    }

    /// The server's clock has reached the deadline of a wait.
    func timeOutWait(_ connection: Connection) {
        guard case .waiting(var wait) = connection.stage else { return expect(false, "it does not wait") }
        look(for: &wait)
        answer(wait, on: connection)
    }

    private func look(for wait: inout RowWait) { wait.look(in: timeline, now: server.now) }

    private func answer(_ wait: RowWait, on connection: Connection) {
        if timeline.isLong, state.resume != nil {
            let (timeline, now) = (timeline, server.now)
            server.setDeadline(nil, of: connection)
            return start(
                ControlWork(isLong: true) { () throws(ControlProblem) in
                    wait.response(from: timeline, now: now)
                }, wait.head, on: connection)
        }
        let response = wait.response(from: timeline, now: server.now)
        server.answer(response, to: wait.head, on: connection)
    }

    // MARK: - Time of waits

    /// A clock of the server's own that stands still would never let a wait end. A clock that a test brought
    /// is moved by that test.
    var waitsInRealTime: Bool { server.configuration.clock == nil && server.clockMode == .frozen }

    private func isOver(_ wait: RowWait) -> Bool {
        waitsInRealTime ? server.wallNow >= wait.realDeadline : server.now >= wait.deadline
    }

    private func arm(_ wait: RowWait, of connection: Connection) {
        guard waitsInRealTime else { return server.setDeadline(wait.deadline, of: connection) }
        server.setDeadline(nil, of: connection)
        armRealTime(noLaterThan: wait.realDeadline)
    }

    /// The clock goes another way from now on.
    func rearmWaits() {
        for id in state.watching {
            guard let connection = server.connection(of: id), case .waiting(let wait) = connection.stage
            else {
                continue
            }
            arm(wait, of: connection)
        }
        server.rearmHeld()
    }

    /// Has ``wakeWatchers()`` called at `moment` of the wall's clock, or before.
    func armRealTime(noLaterThan moment: Instant) {
        if let due = state.timerDue, due <= moment { return }
        if state.timer == nil, let wake = state.wake { state.timer = server.wallClock.makeTimer(wake) }
        state.timerDue = moment
        state.timer?.arm(at: moment)
    }

    /// The wall's time has reached the deadline of some wait, or the moment at which a feed may tell changes.
    func wakeWatchers() {
        state.timerDue = nil
        server.releaseHeld()
        serveWatchers()
        guard waitsInRealTime else { return }
        if let due = state.heldSince.values.compactMap(\.realEnd).min() { armRealTime(noLaterThan: due) }
        for id in state.watching {
            guard case .waiting(let wait)? = server.connection(of: id)?.stage else { continue }
            armRealTime(noLaterThan: wait.realDeadline)
        }
    }
}

extension RowWait {
    fileprivate mutating func look(in timeline: Timeline, now: Instant) {
        let more = timeline.rows(after: seen, limit: count - found.count, matching: filter, now: now)
        foundBytes += more.reduce(0) { $0 + $1.raw.count + ($1.original?.count ?? 0) }
        found += more
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
