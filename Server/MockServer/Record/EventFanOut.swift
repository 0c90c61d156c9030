import Clocks
import ConversationEngine
import DialectKit
import ServerCore
import Timeline

/// Those who read what happens in the server, each for its own purpose.
struct EventFanOut {
    var counts = ServerCounts()
    var recorder: WireRecorder
    var unmatched: UnmatchedList
    var tally = SessionTally()
    var breaches: BreachRecorder
    let log: Logger
    private let observer: (@Sendable (ServerNews, Instant) -> Void)?
    private let tellsUnheard: Bool
    /// Readers that tests bring along.
    var further: [any ServerEventReader] = []

    init(_ parts: ServerDependencies) {
        let configuration = parts.configuration
        recorder = WireRecorder(rows: configuration.limits.rows, readings: parts.dialects.map(\.reading))
        unmatched = UnmatchedList(isOn: configuration.unmatched != .pass)
        breaches = BreachRecorder(laws: configuration.watchesLaws ? parts.dialects.map(\.laws) : [])
        log = Logger(configuration.log)
        observer = configuration.observer
        tellsUnheard = configuration.unmatched != .pass
        further = configuration.readers
    }

    /// Tells all of them. A breach of a law that shows in it is told to all of them, too.
    mutating func tell(
        _ happening: ServerEvent, at moment: EventTime, connection: (UInt64) -> ConnectionID?
    ) {
        counts.read(happening, at: moment)
        recorder.read(happening, at: moment)
        unmatched.row = recorder.requestRow
        unmatched.read(happening, at: moment)
        tally.read(happening, at: moment)
        if !log.isQuiet { log.tell(happening, tellsUnheard: tellsUnheard) }
        if let observer, let news = ServerNews(happening) { observer(news, moment.now) }
        if !further.isEmpty {
            for index in further.indices { further[index].read(happening, at: moment) }
        }
        breaches.row = recorder.deedRow
        breaches.read(happening, at: moment)
        if breaches.hasFound { tell(breaches.takeBreaches(), at: moment, connection: connection) }
    }

    mutating func tell(
        _ breaches: [Breach], at moment: EventTime, connection: (UInt64) -> ConnectionID?
    ) {
        for breach in breaches {
            let happening = ServerEvent.broke(breach, breach.connection.flatMap(connection))
            tell(happening, at: moment, connection: connection)
        }
    }
}

extension ServerNews {
    /// What those who watch from the same process hear of it; nil for what does not concern them.
    init?(_ happening: ServerEvent) {
        switch happening {
        case .opened(let session, let script): self = .opened(session: session, script: script)
        case .connected(let link, let cursor):
            self = .connected(session: link.session, connection: link.id, cursor: cursor)
        case .disconnected(let link): self = .disconnected(session: link.session, connection: link.id)
        case .heard(let link, _, let decoded, _):
            self = .said(session: link.session, connection: link.id, decoded.input)
        case .told(let session, let entry, _): self = .told(session: session, entry)
        case .noted(let note, let outbox, let reasons):
            self = .noted(session: outbox.id, note, report: reasons?.report)
        case .broke(let breach, let connection):
            self = .broken(
                session: breach.session, connection: connection, law: breach.law.title,
                source: breach.law.source)
        case .stray(let method, let path, _, _, _): self = .stray("\(method) \(path)")
        case .accepted, .requested, .responded, .judged, .answered, .handshakeRefused, .controlled, .dropped,
            .stalled, .framed, .flooded, .sent, .sentAll, .struck, .forgotten, .remarked:
            return nil
        }
    }
}
