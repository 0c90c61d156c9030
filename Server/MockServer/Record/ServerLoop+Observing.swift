import Clocks
import ConversationEngine
import DialectKit
import HTTPCore
import LawBook
import Matching
import SocketTransport
import Timeline
import WebSocketCore

/// Rows and observations of what clients do and are told.
extension ServerLoop {
    // MARK: - Messages

    /// What `entry` is about.
    func telling(_ entry: JournalEntry, in wire: SessionWire) -> Telling {
        // The event is only lent: a copy counts everything it holds.
        var telling = Telling(
            session: wire.id, time: entry.time, type: dialects[wire.dialect].type(of: entry.event),
            sequence: entry.sequence,
            told: configuration.watchesLaws
                ? Told(entry.event, localID: localID(of: entry, in: wire)) : nil)
        switch entry.kind {
        case .agentMessage, .agentChunk, .personMessage, .agentThinking:
            telling.rule = wire.rule
        default: break
        }
        return telling
    }

    /// What the client calls the message that `entry` echoes. It was read when it was heard; only what is told again
    /// later, or by somebody else, is read again.
    private func localID(of entry: JournalEntry, in wire: SessionWire) -> String? {
        guard let metadata = entry.metadata else { return nil }
        if let heard = wire.heard, heard.metadata == metadata { return heard.localID }
        return dialects[wire.dialect].localID(in: metadata)
    }

    /// A message has left for a client.
    func noteSent(
        _ bytes: [UInt8], _ telling: Telling, on connection: Connection, at moment: Instant? = nil
    ) {
        let now = moment ?? clock.now
        let wire = wire(of: connection)
        if keepsRows {
            var latency: Interval?
            if telling.type == "USER_MESSAGE" || !telling.rule.isEmpty, let heard = wire?.lastHeard {
                latency = now - heard
            }
            record(
                Row(
                    time: now, wallTime: wallNow(now), direction: .outbound, kind: .ws,
                    session: telling.session, socket: connection.number, type: telling.type,
                    sequence: telling.sequence, latency: latency, rule: telling.rule, fault: telling.fault,
                    raw: bytes, original: telling.original, flags: telling.isReplay ? .replayed : .none))
        }
        guard configuration.watchesLaws else { return }
        if let told = telling.told {
            observe(
                .told(
                    session: telling.session, connection: UInt64(connection.number),
                    sequence: telling.sequence, kind: told, isReplay: false), of: wire, at: now)
        }
        for (sequence, told) in telling.batch {
            observe(
                .told(
                    session: telling.session, connection: UInt64(connection.number), sequence: sequence,
                    kind: told, isReplay: true), of: wire, at: now)
        }
    }

    func noteHeard(
        _ bytes: [UInt8], _ decoded: Decoded, of handle: SessionHandle, on connection: Connection,
        isDropped: Bool = false, at moment: Instant? = nil
    ) {
        let now = moment ?? clock.now
        let wire = wire(of: handle)
        let session = wire?.id ?? ""
        if case .say = decoded.input.word {
            wire?.lastHeard = now
            wire?.heard = decoded.input.metadata.map { ($0, decoded.input.localID) }
        }
        if keepsRows {
            record(
                Row(
                    time: now, wallTime: wallNow(now), direction: .inbound, kind: .ws, session: session,
                    socket: connection.number, type: decoded.type, raw: bytes,
                    flags: decoded.fault == nil && !isDropped ? .none : .error))
        }
        guard configuration.watchesLaws else { return }
        let number = UInt64(connection.number)
        observe(
            .heard(
                session: session, connection: number,
                isDropped ? .rateLimited : HeardMessage(decoded, bytes: bytes.count)), of: wire, at: now)
        if let field = decoded.serverField {
            observe(.heard(session: session, connection: number, .serverField(name: field)))
        }
        if decoded.hasOddMetadata {
            observe(.heard(session: session, connection: number, .metadataNotStrings))
        }
    }

    /// A ping, a pong or a close frame.
    func noteControl(
        _ type: String, _ direction: Row.Direction, status: Int? = nil, on connection: Connection
    ) {
        guard case .session(let handle, _) = connection.purpose else { return }
        let now = clock.now
        record(
            Row(
                time: now, wallTime: wallNow(now), direction: direction, kind: .control,
                session: sessionID(of: handle), socket: connection.number, type: type, status: status))
        if configuration.watchesLaws, direction == .inbound, status == nil {
            observe(
                .heard(session: sessionID(of: handle), connection: UInt64(connection.number), .control))
        }
    }

    func noteDropped(_ connection: Connection, _ cause: DropCause) {
        guard configuration.watchesLaws, case .session(let handle, _) = connection.purpose else { return }
        observe(
            .dropped(
                session: sessionID(of: handle), connection: UInt64(connection.number), cause: cause))
    }

    // MARK: - Requests

    func noteRequest(_ head: RequestHead, body: [UInt8], on connection: Connection, session: String = "") {
        guard !Self.isOwn(head.target) else { return }
        let now = clock.now
        record(
            Row(
                time: now, wallTime: wallNow(now), direction: .inbound, kind: .rest, session: session,
                socket: connection.number, type: Self.type(of: head), raw: Self.text(of: head, body)))
    }

    func noteResponse(
        _ bytes: [UInt8], status: Int, to head: RequestHead, on connection: Connection, session: String = "",
        fault: String = ""
    ) {
        guard !Self.isOwn(head.target) else { return }
        let now = clock.now
        record(
            Row(
                time: now, wallTime: wallNow(now), direction: .outbound, kind: .rest, session: session,
                socket: connection.number, type: Self.type(of: head), status: status, fault: fault,
                raw: bytes,
                flags: status >= 400 ? .error : .none))
    }

    /// The server's own pages and controls are no traffic of clients.
    static func isOwn(_ target: String) -> Bool {
        if target == "/" || target.hasPrefix(ControlRoute.prefix) || target == ControlRoute.folder
            || isAskedByBrowsers(target)
        {
            return true
        }
        // However it is written: a control token may be in it.
        guard
            !target.hasPrefix("/")
                || target.utf8.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: ".") })
        else { return false }
        return RequestTarget(parsing: target).map { ($0.path + "/").hasPrefix(ControlRoute.prefix) } ?? false
    }

    private static func type(of head: RequestHead) -> String {
        let path = head.target.utf8.prefix { $0 != UInt8(ascii: "?") }
        return head.method + " " + (String(path) ?? "")
    }

    private static func text(of head: RequestHead, _ body: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(ServerLimits.usualHeadBytes + body.count)
        func add(_ text: String) { bytes.append(contentsOf: text.utf8) }
        add(head.method)
        add(" ")
        add(head.target)
        add(" HTTP/1.1\r\n")
        for field in head.headers.fields {
            add(field.name)
            add(": ")
            add(field.value)
            add("\r\n")
        }
        add("\r\n")
        bytes.append(contentsOf: body)
        return bytes
    }

    /// Tells the laws how a request was answered.
    func note(
        _ facts: RequestFacts?, answeredWith status: Int, _ retryAfter: String?, on connection: Connection
    ) {
        guard configuration.watchesLaws, let facts else { return }
        let wait = retryAfter.flatMap { Int64($0) }.map { Interval.seconds($0) }
        let caller = Caller(client: "\(connection.number)", correlation: facts.correlation)
        switch facts.kind {
        case .token:
            observe(
                .tokenRequest(
                    connector: facts.subject, origin: facts.origin, caller: caller, status: status,
                    retryAfter: wait))
        case .session:
            observe(
                .sessionRequest(
                    subject: facts.subject, caller: caller, tokenExpiry: facts.tokenExpiry, status: status,
                    retryAfter: wait, session: facts.session.isEmpty ? nil : facts.session))
        case .connect:
            observe(
                .connectRequest(
                    session: facts.session, subject: facts.subject, tokenExpiry: facts.tokenExpiry,
                    cursorText: facts.cursorText, status: status, retryAfter: wait))
        }
    }

    // MARK: - Inside

    func note(_ note: Note, in handle: SessionHandle) {
        let session = sessionID(of: handle)
        let now = clock.now
        var row = Row(
            time: now, wallTime: wallNow(now), direction: .inside, kind: .rule, session: session)
        switch note {
        case .heard(let text, let rule, _, _):
            wire(of: handle)?.rule = rule
            row.type = rule
            row.rule = rule
            row.raw = Array(text.utf8)
        case .unheard(let unheard):
            row.type = "unheard"
            row.raw = Array(unheard.text.utf8)
            row.flags = .unmatched
            keepUnmatched(unheard, in: handle, at: now)
        case .troubled(let name):
            row.kind = .fault
            row.type = name
            row.fault = name
        case .ended:
            if configuration.watchesLaws { observe(.ended(session: session)) }
            return
        default: return
        }
        row.size = row.raw.count
        record(row)
    }

    private func keepUnmatched(_ unheard: Unheard, in handle: SessionHandle, at now: Instant) {
        guard configuration.unmatched != .pass, let wire = wire(of: handle) else { return }
        if now.secondsSince1970 != reports.second { reports = (now.secondsSince1970, 0) }
        reports.count += 1
        let report =
            reports.count > ServerLimits.reportsPerSecond
            ? nil
            : engine.with(handle) {
                $0.report(on: unheard).text
            }
        keep(
            UnmatchedTraffic(
                kind: .message, number: 0, time: now, session: wire.id, text: unheard.text,
                report: report ?? "too many messages were not heard in this second to look at each",
                place: unheard.substitute?.place ?? SourcePlace(), file: wire.file))
    }

    /// `hint`: what was probably meant.
    func keepStray(_ head: RequestHead, _ hint: String) {
        guard configuration.unmatched != .pass else { return }
        let path = String(head.target.prefix { $0 != "?" })
        keep(
            UnmatchedTraffic(
                kind: .request, number: 0, time: clock.now, session: "",
                text: "\(head.method) \(Logger.clip(path))",
                report: "nothing here answers \(head.method) \(Logger.clip(path)); \(hint)",
                place: SourcePlace(),
                file: ""))
    }

    private func keep(_ item: UnmatchedTraffic) {
        unmatchedCount += 1
        var item = item
        item.number = unmatchedCount
        // Requests and messages may carry tokens, and be as long as a client likes.
        item.text = Self.kept(item.text)
        item.report = Self.kept(item.report)
        if unmatched.count >= 2 * ServerLimits.unmatchedKept {
            unmatched.removeFirst(unmatched.count - ServerLimits.unmatchedKept)
        }
        unmatched.append(item)
    }
}

extension ServerLoop {
    private static func kept(_ text: String) -> String {
        let most = ServerLimits.unmatchedBytes
        guard text.utf8.count > most else { return Secrets.masked.applied(toLine: text) }
        return Secrets.masked.applied(toLine: String(decoding: text.utf8.prefix(most), as: UTF8.self)) + "…"
    }
}

extension HeardMessage {
    /// The laws' word for a message.
    init(_ decoded: Decoded, bytes: Int) {
        switch decoded.fault {
        case .serverOnly?: self = .serverOnly(type: decoded.type)
        case .unknownType?: self = .unknown(type: decoded.type)
        case .badPayload?: self = .badPayload(type: decoded.type)
        case .unreadable?: self = .unreadable
        case .binary?: self = .binary
        case nil:
            switch decoded.input.word {
            case .join: self = .join
            case .say(let text):
                self = .message(localID: decoded.input.localID, text: text, bytes: bytes)
            case .typing: self = .typing
            case .end: self = .end
            case .heartbeat: self = .heartbeat
            case .refused: self = .unreadable
            case .ignored: self = .control
            }
        }
    }
}
