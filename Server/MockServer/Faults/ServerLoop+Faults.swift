import Clocks
import ConversationEngine
import DialectKit
import HTTPCore
import LawBook
import SocketTransport
import WebSocketCore

/// Troubles on the wire: transformations of what is about to be sent. A connection that none
/// acts on has neither strikes nor a valve, and takes the short way.
extension ServerLoop {
    // MARK: - Arming

    /// Puts a trouble in force at once: in the sessions there are, and in those to come. nil when too many are.
    func arm(_ trouble: Trouble, scope: TroubleScope, by author: String) -> TroubleDesk.Armed? {
        guard let item = desk.arm(trouble, scope: scope, by: author) else { return nil }
        for handle in engine.sessionHandles { arm(item, in: handle) }
        log.line("trouble", "\(trouble.name) armed by \(author)")
        return item
    }

    /// Puts what is armed in force in a session that just opened.
    func armTroubles(in handle: SessionHandle) {
        for item in desk.armed { arm(item, in: handle) }
    }

    private func arm(_ item: TroubleDesk.Armed, in handle: SessionHandle) {
        guard let trouble = desk.left(of: item) else { return }
        // Not the session itself: it would be copied.
        guard let session = engine.with(handle, { (id: $0.id, scenario: $0.scenario) }) else { return }
        switch item.scope {
        case .all: break
        case .tag(let tag): guard tag == TroubleDesk.tag(of: session.scenario) else { return }
        case .session(let id): guard id == session.id else { return }
        case .connection(let number):
            guard let connection = connection(number: number),
                case .session(let own, _) = connection.purpose, own == handle
            else { return }
            return engine.arm(trouble, id: item.id, in: handle, connection: connection.id)
        }
        engine.arm(trouble, id: item.id, in: handle)
    }

    /// Counts a strike in a session.
    func noteStrike(_ strike: Strike, in handle: SessionHandle) {
        desk.noteStrike(
            strike, line: strike.span == .token ? engine.with(handle) { $0.scenario } ?? nil : nil)
        // One that counts over all sessions is over in all of them.
        if strike.span == .token, let id = strike.id, desk.isUsedUp(id) { engine.disarm(id) }
    }

    /// Takes a trouble out of force; what it holds back leaves now, in order.
    ///
    /// - Returns: false when there was none with this id.
    func disarm(_ id: UInt64) -> Bool {
        guard desk.disarm(id) else { return false }
        engine.disarm(id)
        for connection in connections.compactMap({ $0 }) {
            if connection.valve != nil {
                connection.valve?.value.letGo(of: id)
                release(connection)
            }
            guard connection.answerHolds.contains(where: { $0.holder == id }) else { continue }
            connection.answerHolds.removeAll { $0.holder == id }
            setDeadline(connection.heldUntil ?? clock.now, of: connection)
        }
        return true
    }

    // MARK: - Messages

    /// Sends one text message through whatever troubles act on it.
    func sendStruck(_ bytes: [UInt8], _ telling: Telling, to connection: Connection) {
        let strikes = connection.strikes
        connection.strikes = []
        let dialect: Int
        if case .session(_, let number) = connection.purpose { dialect = number } else { dialect = 0 }
        var texts = [bytes.exact]
        var holds: [Valve.Hold] = []
        var swap: Strike?
        for strike in strikes {
            let now = clock.now
            switch strike.effect {
            case .drop: return leave(.cut, connection)
            case .close(let code):
                return leave(.close(CloseCode(rawValue: UInt16(code)), strike.name), connection)
            case .stall(let time):
                let end = time.map { now + $0 } ?? .distantFuture
                openValve(connection)
                connection.valve?.value.stall(until: end, by: strike.id)
            case .delay(let time): holds.append(Valve.Hold(end: now + time, holder: strike.id))
            case .lose: texts = []
            case .repeated:
                // One copy more for each trouble.
                if texts.count < ServerLimits.eventCopies, let copy = texts.last { texts.append(copy) }
            case .swap: swap = strike
            case .garble(.halfFrame):
                for text in texts { leave(.bytes(FrameDamage.halfFrame(text)), connection) }
                return leave(.cut, connection)
            case .garble(let kind): texts = texts.flatMap { garbled($0, kind, dialect) }
            case .refuse, .agentError, .handoff: break
            }
        }
        var telling = telling
        if !strikes.isEmpty { telling.fault = strikes.map(\.name).joined(separator: ", ") }
        for (index, text) in texts.enumerated() {
            if text != bytes { telling.original = bytes }
            // What was damaged or repeated was told once, or not at all.
            if index > 0 || text != bytes { telling.told = nil }
            let item = Valve.Item.message(text, telling)
            if let swap {
                openValve(connection)
                let end = clock.now + .milliseconds(ServerLimits.swapMilliseconds)
                connection.valve?.value.swap(item, until: end, by: swap.id)
            } else if !holds.isEmpty {
                openValve(connection)
                connection.valve?.value.push(item, holds: holds)
            } else {
                leave(item, connection)
            }
        }
        release(connection)
    }

    func openValve(_ connection: Connection) {
        guard connection.valve == nil else { return }
        connection.valve = Aside(Valve())
        noteStalled(connection, true)
    }

    private func noteStalled(_ connection: Connection, _ isStalled: Bool) {
        guard configuration.watchesLaws, case .session(let handle, _) = connection.purpose else { return }
        observe(
            .stalled(
                session: sessionID(of: handle), connection: UInt64(connection.number), isStalled: isStalled))
    }

    private func garbled(_ text: [UInt8], _ kind: Trouble.Garble, _ dialect: Int) -> [[UInt8]] {
        switch kind {
        case .badJSON: [FrameDamage.brokenOff(text)]
        case .badUTF8: [FrameDamage.badUTF8(text)]
        case .halfFrame: [text]
        case .unknownEvent: dialects[dialect].garbled(text, as: .unknownEvent)
        case .oversized: dialects[dialect].garbled(text, as: .oversized)
        case .wrongSequence: dialects[dialect].garbled(text, as: .wrongSequence)
        }
    }

    /// Sends, or holds back behind what is held back already.
    func leave(_ item: Valve.Item, _ connection: Connection) {
        guard connection.valve != nil else { return perform(item, on: connection) }
        connection.valve?.value.push(item)
        release(connection)
    }

    /// Lets out what may leave by now and notes when more may.
    func release(_ connection: Connection) {
        guard connection.valve != nil else { return }
        let now = clock.now
        // No faster than the client reads: what was held for long may be more than may wait for it.
        while sockets.pendingBytes(connection.socket) <= sockets.limits.highWaterBytes,
            let item = connection.valve?.value.next(at: now)
        { perform(item, on: connection) }
        guard let valve = connection.valve?.value else { return }
        guard valve.bytes <= ServerLimits.heldBytes else { return cutOverfull(connection) }
        let slot = Int32(connection.socket.slot)
        // More leaves when the peer has read (`.writable`); until then no deadline could change anything.
        guard sockets.pendingBytes(connection.socket) <= sockets.limits.highWaterBytes else {
            return valves.remove(slot)
        }
        if valve.isOpen {
            connection.valve = nil
            valves.remove(slot)
            noteStalled(connection, false)
        } else if let due = valve.nextDeadline, due != .distantFuture {
            valves.set(due, for: slot)
        } else {
            valves.remove(slot)
        }
    }

    private func cutOverfull(_ connection: Connection) {
        log.line(
            "connection cut", peer: connection.peer,
            "troubles hold back more than \(ServerLimits.heldBytes) bytes of it")
        noteDropped(connection, .lost)
        abort(connection)
    }

    /// Each connection once: what has to wait again waits for the next turn.
    func releaseValves(at now: Instant) {
        for due in valves.takeDue(by: now) {
            if let connection = connections[Int(due.slot)] { release(connection) }
        }
    }

    private func perform(_ item: Valve.Item, on connection: Connection) {
        guard case .webSocket = connection.stage else { return }
        switch item {
        case .message(let bytes, let telling):
            guard connection.webSocket?.state == .open else { return }
            send(bytes, as: .text, to: connection)
            noteSent(bytes, telling, on: connection)
        case .bytes(let bytes): sockets.write(connection.socket, bytes)
        case .close(let code, let reason): beginClosing(connection, code, reason)
        case .cut:
            connection.valve = nil
            noteDropped(connection, .trouble(code: nil))
            close(connection)
        }
    }

    // MARK: - Requests

    /// Sends a response, or what the troubles that struck its request make of it.
    ///
    /// - Returns: false when the connection is not to be used any more.
    func deliver(_ bytes: [UInt8], struckBy strikes: [Strike], on connection: Connection) -> Bool {
        guard hold(connection, by: strikes) else { return false }
        guard let due = connection.heldUntil else {
            sockets.write(connection.socket, bytes)
            return true
        }
        connection.stage = .answering(bytes)
        setDeadline(due, of: connection)
        return false
    }

    /// Notes how long an answer or a handshake has to wait.
    ///
    /// - Returns: false when the connection was cut instead.
    func hold(_ connection: Connection, by strikes: [Strike]) -> Bool {
        let now = clock.now
        connection.answerHolds = []
        for strike in strikes {
            switch strike.effect {
            case .drop:
                close(connection)
                return false
            case .stall(let time):
                let end = now + (time ?? .hours(ServerLimits.endlessStallHours))
                connection.answerHolds.append(Valve.Hold(end: end, holder: strike.id))
            case .delay(let time):
                connection.answerHolds.append(Valve.Hold(end: now + time, holder: strike.id))
            default: break
            }
        }
        return true
    }

    /// The refusal that a trouble asks for, in the words of the dialect.
    func refusal(by strikes: [Strike], _ request: Request, dialect: Int) -> Response? {
        for strike in strikes {
            guard case .refuse(let status, let retryAfter) = strike.effect else { continue }
            var host: any DialectHost = Host(loop: self, dialect: dialect)
            return dialects[dialect].refuse(
                .status(status, retryAfter: retryAfter), request: request, host: &host)
        }
        return nil
    }

    /// Counts and logs the strikes on a request; `handle` is its session, if there is one.
    func tell(_ strikes: [Strike], of handle: SessionHandle?) {
        let session = handle.map { sessionID(of: $0) } ?? ""
        for strike in strikes {
            if let handle {
                noteStrike(strike, in: handle)
            } else {
                // The desk itself counts those of a line that strike requests.
                desk.noteStrike(strike, line: nil)
            }
            control.counts.troubleStrikes += 1
            log.note(.troubled(strike.name), session: session)
        }
    }
}
