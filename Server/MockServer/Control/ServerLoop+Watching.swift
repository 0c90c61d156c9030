import Clocks
import ConversationEngine
import HTTPCore
import MessagingWire
import ServerCore
import SocketTransport
import Texts
import Timeline
import WebSocketCore

/// Rows to whoever waits for them: requests that wait, and feeds.
extension ServerLoop {
    var timeline: Timeline { chronicle.recorder.timeline }

    /// Shows new rows to everyone who watches. Called when the loop has dealt with what there was; costs
    /// nothing while nobody watches.
    func serveWatchers() {
        guard !control.watching.isEmpty else { return }
        for id in control.watching {
            guard let connection = connection(of: id) else { continue }
            serve(connection)
        }
        control.watching.removeAll { id in connection(of: id).map { !$0.isWatching } ?? true }
        sockets.flush()
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
        control.watching.append(connection.id)
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
                return wait.response(from: timeline, now: clock.now)
            }
            hold(wait, on: connection)
            return nil
        }
        let (timeline, now) = (timeline, clock.now)
        let work = ControlWork(
            prepare: { () -> (RowWait, Response?) in
                var wait = wait
                wait.look(in: timeline, now: now)
                let isOver = wait.isAnswered || wait.timeout <= .zero
                return (wait, isOver ? wait.response(from: timeline, now: now) : nil)
            },
            proceed: { [id = connection.id] loop, prepared in
                if let response = prepared.1 { return .done(.success(response)) }
                if let connection = loop.connection(of: id) {
                    loop.hold(prepared.0, on: connection)
                    // Rows that came meanwhile.
                    loop.serve(connection)
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
        guard case .waiting(var wait) = connection.stage else { return }
        look(for: &wait)
        answer(wait, on: connection)
    }

    private func look(for wait: inout RowWait) { wait.look(in: timeline, now: clock.now) }

    private func answer(_ wait: RowWait, on connection: Connection) {
        if timeline.isLong, control.resume != nil {
            let (timeline, now) = (timeline, clock.now)
            setDeadline(nil, of: connection)
            return start(
                ControlWork(isLong: true) { () throws(ControlProblem) in
                    wait.response(from: timeline, now: now)
                }, wait.head, on: connection)
        }
        let response = Self.hardened(wait.response(from: timeline, now: clock.now))
        sockets.write(connection.socket, response.serialized(to: wait.head, closing: true, date: httpDate))
        close(connection)
    }

    // MARK: - Time of waits

    /// A clock of the server's own that stands still would never let a wait end. A clock that a test brought
    /// is moved by that test.
    private var waitsInRealTime: Bool { configuration.clock == nil && clock.mode == .frozen }

    private func isOver(_ wait: RowWait) -> Bool {
        waitsInRealTime ? wallClock.now >= wait.realDeadline : clock.now >= wait.deadline
    }

    private func arm(_ wait: RowWait, of connection: Connection) {
        guard waitsInRealTime else { return setDeadline(wait.deadline, of: connection) }
        setDeadline(nil, of: connection)
        armRealTime()
    }

    /// The clock goes another way from now on.
    func rearmWaits() {
        for id in control.watching {
            guard let connection = connection(of: id), case .waiting(let wait) = connection.stage else {
                continue
            }
            arm(wait, of: connection)
        }
    }

    private func armRealTime() {
        var earliest: Instant?
        for id in control.watching {
            guard case .waiting(let wait)? = connection(of: id)?.stage else { continue }
            earliest = min(earliest ?? wait.realDeadline, wait.realDeadline)
        }
        guard let earliest else { return }
        if control.timer == nil, let wake = control.wake { control.timer = wallClock.makeTimer(wake) }
        control.timer?.arm(at: earliest)
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
        guard timeline.isLong, let resume = control.resume else {
            return tell(hint: filter.hint(among: timeline), to: connection)
        }
        let (timeline, id) = (timeline, connection.id)
        control.queue.async {
            let hint = filter.hint(among: timeline)
            resume { loop in
                guard let connection = loop.connection(of: id), connection.isFeed else { return }
                loop.perform { $0.tell(hint: hint, to: connection) }
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
        let highWater = sockets.limits.highWaterBytes
        while feed.seen < timeline.lastNumber, sockets.pendingBytes(connection.socket) <= highWater {
            let missed = timeline.firstNumber - 1
            if feed.seen < missed {
                tell(Array("{\"dropped\":\(missed - feed.seen)}".utf8), to: connection)
                feed.seen = missed
                continue
            }
            guard let row = timeline.row(feed.seen + 1) else { break }
            feed.seen = row.number
            guard feed.filter?.matches(row, now: clock.now) ?? true else { continue }
            var bytes: [UInt8] = []
            JSONWriter.literal("{\"row\":", into: &bytes)
            TimelineExport.appendJSON(row, into: &bytes)
            bytes.append(UInt8(ascii: "}"))
            send(bytes, as: .text, of: webSocket, on: connection)
        }
        webSocket.purpose = .feed(feed)
    }

    private func tell(_ text: [UInt8], to connection: Connection) {
        guard let webSocket = connection.webSocket else { return }
        send(text, as: .text, of: webSocket, on: connection)
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
