import Clocks
import ConversationEngine
package import DialectKit
package import LawBook

/// Tells the law book what clients do and are told, in its words.
package struct LawWatcher: HappeningReader {
    package var book: LawBook
    private let isOn: Bool
    private let connectionLimit: Int
    /// By the dialect. Those of their own judge with the same value from the start to the end.
    private var laws: [Laws]
    /// Which of them are those of the book. Asked for each message.
    private let areInTheBook: [Bool]
    /// Found since they were last taken.
    private var found: [Breach] = []

    package init(isOn: Bool, connectionLimit: Int, laws: [Laws] = [.book]) {
        self.isOn = isOn
        self.laws = laws
        areInTheBook = laws.map { if case .book = $0 { true } else { false } }
        self.connectionLimit = connectionLimit
        book = LawBook(connectionLimit: connectionLimit)
    }

    /// Sessions that are under way are not judged by the new book, since it has not seen them begin.
    package mutating func beginAnew() { book = LawBook(connectionLimit: connectionLimit, after: book) }

    package var hasFound: Bool { !found.isEmpty }

    package mutating func takeBreaches() -> [Breach] {
        defer { found = [] }
        return found
    }

    private mutating func observe(_ observation: Observation, _ moment: Moment) {
        add(book.observe(observation, at: moment.now))
    }

    private mutating func observe(_ observation: Observation, of outbox: SessionOutbox?, _ moment: Moment) {
        guard let outbox else { return observe(observation, moment) }
        add(book.observe(observation, at: moment.now, place: &outbox.lawPlace))
    }

    private mutating func add(_ breaches: [Breach]) {
        if !breaches.isEmpty { found += breaches }
    }

    private func isInTheBook(_ dialect: Int) -> Bool { areInTheBook[dialect] }

    /// Lets a dialect's own laws judge.
    private mutating func judge(_ deed: ClientDeed, _ dialect: Int, _ moment: Moment) {
        guard case .own(var own) = laws[dialect] else { return }
        // Out of its place while it judges: all that it knows would be copied if it were in both.
        laws[dialect] = .book
        let breaches = own.judge(deed, at: moment.now)
        laws[dialect] = .own(own)
        for breach in breaches { found.append(book.add(breach)) }
    }

    package mutating func read(_ happening: Happening, at moment: Moment) {
        guard isOn else { return }
        switch happening {
        case .judged(let facts, let operation, let dialect, let status, let retryAfter, let connection):
            judge(.asked(operation: operation, facts, status: status), dialect, moment)
            guard isInTheBook(dialect),
                let observation = Self.observation(facts, status, retryAfter, connection)
            else { return }
            observe(observation, moment)
        case .connected(let link, let cursor):
            observe(
                .connected(session: link.session, connection: UInt64(link.number), cursor: cursor), moment)
        case .dropped(let link, let cause):
            observe(.dropped(session: link.session, connection: UInt64(link.number), cause: cause), moment)
        case .stalled(let link, let isStalled):
            observe(
                .stalled(session: link.session, connection: UInt64(link.number), isStalled: isStalled),
                moment)
        case .framed(let link, let frame, let isInbound, _):
            guard isInbound, frame != .close else { return }
            observe(.heard(session: link.session, connection: UInt64(link.number), .control), moment)
        case .heard(let link, let bytes, let decoded, let outbox):
            guard isInTheBook(outbox.dialect) else {
                return judge(
                    .said(session: link.session, connection: UInt64(link.number), bytes), outbox.dialect,
                    moment)
            }
            readHeard(link, bytes, decoded, outbox, moment)
        case .flooded(let link, _, let outbox):
            observe(
                .heard(session: link.session, connection: UInt64(link.number), .rateLimited), of: outbox,
                moment)
        case .sent(let link, _, let context, let outbox):
            if let outbox, !isInTheBook(outbox.dialect) { return }
            readSent(link, context, outbox, moment)
        case .noted(.ended, let outbox, _): observe(.ended(session: outbox.id), moment)
        case .forgotten(let session): observe(.forgotten(session: session), moment)
        case .accepted, .requested, .responded, .answered, .stray, .handshakeRefused, .controlled,
            .disconnected, .opened, .told, .sentAll, .noted, .struck, .broke, .remarked:
            break
        }
    }

    private mutating func readHeard(
        _ link: Link, _ bytes: [UInt8], _ decoded: Decoded, _ outbox: SessionOutbox, _ moment: Moment
    ) {
        let number = UInt64(link.number)
        observe(
            .heard(
                session: link.session, connection: number, HeardMessage(decoded, bytes: bytes.count)),
            of: outbox, moment)
        if let field = decoded.serverField {
            observe(.heard(session: link.session, connection: number, .serverField(name: field)), moment)
        }
        if decoded.hasOddMetadata {
            observe(.heard(session: link.session, connection: number, .metadataNotStrings), moment)
        }
    }

    private mutating func readSent(
        _ link: Link, _ context: OutboundContext, _ outbox: SessionOutbox?, _ moment: Moment
    ) {
        if let told = context.told {
            observe(
                .told(
                    session: context.session, connection: UInt64(link.number), sequence: context.sequence,
                    kind: told, isReplay: false), of: outbox, moment)
        }
        for (sequence, told) in context.batch {
            observe(
                .told(
                    session: context.session, connection: UInt64(link.number), sequence: sequence,
                    kind: told, isReplay: true), of: outbox, moment)
        }
    }

    private static func observation(
        _ facts: RequestFacts, _ status: Int, _ retryAfter: String?, _ connection: UInt32
    ) -> Observation? {
        let wait = retryAfter.flatMap { Int64($0) }.map { Interval.seconds($0) }
        let caller = Caller(client: "\(connection)", correlation: facts.correlation)
        return switch facts.kind {
        case .token:
            .tokenRequest(
                connector: facts.subject, origin: facts.origin, caller: caller, status: status,
                retryAfter: wait)
        case .session:
            .sessionRequest(
                subject: facts.subject, caller: caller, tokenExpiry: facts.tokenExpiry, status: status,
                retryAfter: wait, session: facts.session.isEmpty ? nil : facts.session)
        case .connect:
            .connectRequest(
                session: facts.session, subject: facts.subject, tokenExpiry: facts.tokenExpiry,
                cursorText: facts.cursorText, status: status, retryAfter: wait)
        case .other: nil
        }
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
            case .receipt, .run: self = .control
            case .heartbeat: self = .heartbeat
            case .refused: self = .unreadable
            case .ignored: self = .control
            }
        }
    }
}
