import Clocks
import ConversationEngine
import DialectKit
import HTTPCore
import LawBook
import ServerCore
import SocketTransport
import WebSocketCore

/// Sessions whose dialect remembers what it tells (``Projection``), and event streams.
extension ServerLoop {
    /// Changes a session's projection and does what comes of it; `mark` is that of the client's text behind it.
    func project(
        _ outbox: SessionOutbox, isReplay: Bool = false, mark: UInt32 = 0,
        _ body: (inout any Projection, inout [ProjectionStep]) -> Void
    ) {
        guard var projection = outbox.projection else { return expect(false, "projections do not nest") }
        outbox.projection = nil
        var steps: [ProjectionStep] = []
        body(&projection, &steps)
        let due = projection.nextDeadline
        outbox.projection = projection
        timers.projections.note(due, for: outbox.handle.slot)
        for step in steps { perform(step, outbox, isReplay: isReplay, mark: mark) }
        performEffects()
    }

    private func perform(_ step: ProjectionStep, _ outbox: SessionOutbox, isReplay: Bool, mark: UInt32) {
        switch step {
        case .send(let text, let type, let id):
            guard let connection = state.connection(of: id) else { return }
            let context = OutboundContext(session: outbox.id, type: type, isReplay: isReplay)
            // What is live waits for the history.
            if isReplay {
                sendText(text, context, to: connection)
            } else {
                tell(text, context, to: connection)
            }
        case .close(let id, let code, let reason):
            guard let connection = state.connection(of: id) else { return }
            end(connection, CloseCode(rawValue: code), reason)
        case .hear, .push, .name, .shelve: state.take(step, of: outbox, mark: mark)
        }
    }

    /// An entry for all who do not find it in the history that is on its way to them.
    func project(_ entry: JournalEntry, _ outbox: SessionOutbox, to audience: Audience) {
        state.keep(entry, size: entry.contents.event.textBytes + ServerLimits.entryBytes, in: outbox)
        let ids = audience.connections.filter {
            entry.sequence == nil || state.connection(of: $0)?.channel?.history == nil
        }
        project(outbox) { $0.tell(entry, to: ids, isHistory: false, at: clock.now, into: &$1) }
    }

    /// An event of a run, for the connection that asked for it. Without a projection the dialect has no words for it.
    func tell(_ entry: RunEntry, of run: RunFacts, in handle: SessionHandle) {
        guard let outbox = state.outbox(of: handle), outbox.isProjected else { return }
        let log =
            entry.event.buildsOnLog
            ? state.engine.with(handle) { $0.runs?.before(entry, of: run) } ?? nil : nil
        project(outbox) { $0.tell(entry, of: run, log: log, at: entry.time, into: &$1) }
    }

    /// A page of a history; entries have no size of their own here, so it has a number of them.
    func projectPage(of history: Channel.History, _ outbox: SessionOutbox, to connection: Connection) {
        let entries = outbox.entries(after: history.next, limit: ServerLimits.projectedEntries)
        connection.withChannel {
            $0.sentPage(upTo: history.next + entries.count, events: entries.count)
        }
        let now = clock.now
        project(outbox, isReplay: true) { projection, steps in
            for entry in entries {
                projection.tell(entry, to: [connection.id], isHistory: true, at: now, into: &steps)
            }
        }
    }

    func advanceProjections(at now: Instant) {
        for due in timers.projections.takeDue(by: now) {
            guard let outbox = state.outboxes[Int(due.slot)] else { continue }
            project(outbox) { $0.advance(to: now, into: &$1) }
        }
    }

    // MARK: - Event streams

    /// Answers a request with an event stream, with the history to come; then the request says its `input`.
    func open(
        _ opening: RequestDesk.Opening, _ headers: HeaderFields, _ input: ClientInput?,
        to head: RequestHead,
        on connection: Connection
    ) {
        let now = clock.now
        guard let holds = FaultPlan.holds(ofAnswerStruckBy: opening.strikes, at: now) else {
            return close(connection)
        }
        var response = Response(
            status: 200, headers: ["Content-Type": "text/event-stream", "Cache-Control": "no-cache"])
        for field in headers.fields { response.headers.set(field.name, field.value) }
        var bytes: [UInt8] = []
        let framing = response.appendStreamHead(into: &bytes, to: head, closing: true, date: httpDate)
        state.tell(.responded(head, bytes, status: 200, fault: "", connection: connection.number))
        sockets.write(connection.socket, bytes)
        guard framing != .none else { return close(connection) }
        var channel = Channel(
            of: opening.handle, dialect: opening.dialect, outlet: .stream(isChunked: framing == .chunked))
        channel.hold(holds)
        setDeadline(nil, of: connection)
        connection.userAgent = state.userAgent(of: head)
        let stage = Connection.Stage.stream(Connection.OpenStream(channel, framing))
        guard attach(connection, as: stage, to: opening.handle, cursor: opening.cursor),
            let outbox = state.outbox(of: opening.handle)
        else { return }
        if outbox.isProjected {
            project(outbox) { $0.attach(connection.id, channel.outlet, at: now, into: &$1) }
        }
        _ = state.withEngine {
            $0.expectHistory(of: connection.id, in: opening.handle, due: now, at: now, into: &$1)
        }
        guard let input, connection.session == opening.handle else { return }
        state.withEngine { $0.handle(input, from: connection.id, in: opening.handle, at: now, into: &$1) }
    }

    /// The last words of a stream. A body without chunks ends with its connection.
    func endStream(_ connection: Connection, _ code: CloseCode) {
        guard let stream = connection.stream else { return expect(false, "it is no stream") }
        state.tellDropped(connection, .server(code: code.rawValue))
        if stream.framing == .chunked { sockets.write(connection.socket, TransferChunk.last) }
        close(connection)
    }
}
