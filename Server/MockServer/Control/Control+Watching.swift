import Clocks
import ConversationEngine
import HTTPCore
import ServerCore
import SocketTransport
import Texts
import Timeline

/// Rows to whoever waits for them: requests that wait, and feeds.
extension Control {
    /// Shows new rows to everyone who watches. Called when the loop has dealt with what there was.
    func serveWatchers() {
        for id in state.watching {
            guard let connection = server.connection(of: id) else { continue }
            serve(connection)
        }
        state.watching.removeAll { id in server.connection(of: id).map { !$0.isWatching } ?? true }
        server.flush()
    }

    private func serve(_ connection: Connection) {
        if case .waiting(var wait) = connection.stage {
            look(for: &wait)
            connection.stage = .waiting(wait)
            if wait.isAnswered || isOver(wait) { answer(wait, on: connection) }
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
        let response = Self.hardened(wait.response(from: timeline, now: server.now))
        server.answer(response, to: wait.head, on: connection)
    }

    // MARK: - Time of waits

    /// A clock of the server's own that stands still would never let a wait end. A clock that a test brought
    /// is moved by that test.
    private var waitsInRealTime: Bool { server.configuration.clock == nil && server.clockMode == .frozen }

    private func isOver(_ wait: RowWait) -> Bool {
        waitsInRealTime ? server.wallNow >= wait.realDeadline : server.now >= wait.deadline
    }

    private func arm(_ wait: RowWait, of connection: Connection) {
        guard waitsInRealTime else { return server.setDeadline(wait.deadline, of: connection) }
        server.setDeadline(nil, of: connection)
        armRealTime()
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
    }

    private func armRealTime() {
        var earliest: Instant?
        for id in state.watching {
            guard case .waiting(let wait)? = server.connection(of: id)?.stage else { continue }
            earliest = min(earliest ?? wait.realDeadline, wait.realDeadline)
        }
        guard let earliest else { return }
        if state.timer == nil, let wake = state.wake { state.timer = server.wallClock.makeTimer(wake) }
        state.timer?.arm(at: earliest)
    }

    /// The wall's time has reached the deadline of some wait.
    func wakeWaits() {
        serveWatchers()
        if waitsInRealTime { armRealTime() }
    }

    // MARK: - Feeds

    /// A feed that waits for what nothing is called would stay silent without a word.
    func hint(at feed: RowFeed, of connection: Connection) {
        guard let filter = feed.filter else { return }
        guard timeline.isLong, let resume = state.resume else {
            return tell(hint: filter.hint(among: timeline), to: connection)
        }
        let (timeline, id) = (timeline, connection.id)
        state.queue.async {
            let hint = filter.hint(among: timeline)
            resume { server in
                guard let connection = server.connection(of: id), connection.isFeed else { return }
                server.perform { Control(server: server).tell(hint: hint, to: connection) }
            }
        }
    }

    private func tell(hint: String?, to connection: Connection) {
        guard let hint else { return }
        var bytes = Array("{\"hint\":".utf8)
        JSONWriter.string(hint, into: &bytes)
        bytes.append(UInt8(ascii: "}"))
        tell(bytes, to: connection)
    }

    /// Tells new rows while the reader keeps up. A slow one goes on where it was when it has read; rows that
    /// have left the timeline by then are told as a count.
    func continueFeed(of connection: Connection) {
        guard let webSocket = connection.webSocket, case .feed(var feed) = webSocket.purpose else { return }
        while feed.seen < timeline.lastNumber, server.hasRoom(connection) {
            let missed = timeline.firstNumber - 1
            if feed.seen < missed {
                tell(Array("{\"dropped\":\(missed - feed.seen)}".utf8), to: connection)
                feed.seen = missed
                continue
            }
            guard let row = timeline.row(feed.seen + 1) else { break }
            feed.seen = row.number
            guard feed.filter?.matches(row, now: server.now) ?? true else { continue }
            var bytes: [UInt8] = []
            JSONWriter.literal("{\"row\":", into: &bytes)
            TimelineExport.appendJSON(row, into: &bytes)
            bytes.append(UInt8(ascii: "}"))
            server.send(bytes, of: webSocket, on: connection)
        }
        webSocket.purpose = .feed(feed)
    }

    private func tell(_ text: [UInt8], to connection: Connection) {
        guard let webSocket = connection.webSocket else { return }
        server.send(text, of: webSocket, on: connection)
    }
}

extension RowWait {
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
