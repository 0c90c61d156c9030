import Clocks
package import ConversationEngine
package import DialectKit
import HTTPCore
import Matching
package import Timeline

package struct WireRecorder: ServerEventReader {
    package private(set) var timeline: Timeline
    package let isOn: Bool
    /// The last one is nil, for no dialect. Variable, since a row takes one as a parameter without retaining it.
    private var readings: [RowReading?]
    /// Row readers from ``RowReading/following`` for event streams, by connection.
    private var streams: [UInt32: RowReading] = [:]
    private var request: Asked?
    /// Earlier requests without a response yet, by connection.
    private var unanswered: [UInt32: Asked] = [:]
    package private(set) var heardRow: UInt32 = 0
    /// Row of the client action that the last event reports, or 0.
    package private(set) var causeRow: UInt32 = 0

    /// Limits of ``types``.
    private static let keptTypes = 16
    private static let keptTypeBytes = 128
    /// Types of requests without a query: 60 instructions each in place of 2,200.
    private var types: [(method: String, target: String, type: String)] = []

    /// A class, because copies of its texts take 1,900 instructions of a request.
    private final class Asked {
        let connection: UInt32
        let row: UInt64
        var session = ""
        let target: String
        let type: String
        var isAnswered = false

        init(connection: UInt32, row: UInt64, target: String, type: String) {
            self.connection = connection
            self.row = row
            self.target = target
            self.type = type
        }
    }

    /// Creates a recorder of at most `rows` rows. `readings` are in the order of the dialects.
    package init(rows: Int, readings: [RowReading] = []) {
        self.readings = readings + [nil]
        isOn = rows > 0
        timeline = Timeline(capacity: max(rows, 1))
    }

    /// Number of rows dropped before the last ``removeAll()``.
    package private(set) var forgottenCount: UInt64 = 0

    package mutating func removeAll() {
        forgottenCount += timeline.droppedCount
        timeline.removeAll()
    }

    package mutating func append(_ row: Row) { if isOn { timeline.append(row) } }

    package var requestRow: UInt32 { UInt32(exactly: request?.row ?? 0) ?? 0 }

    private func reading(_ dialect: Int?) -> RowReading? { dialect.flatMap { readings[place($0)] } }

    private func place(_ dialect: Int) -> Int { min(dialect, readings.count - 1) }

    /// Forgets the row of the event before.
    package mutating func forgetCause() {
        if isOn { causeRow = 0 }
    }

    package mutating func read(_ event: ServerEvent, at moment: EventTime) {
        guard isOn else { return }
        causeRow = 0
        switch event {
        case .requested(let head, let body, let dialect, let connection):
            // Pages and the control API are not client traffic.
            guard let dialect else { return }
            let type = type(of: head)
            timeline.append(
                time: moment.now, wallTime: moment.wall, direction: .inbound, kind: .rest,
                socket: connection, type: type, raw: Self.text(of: head, body),
                reading: reading(dialect))
            if let last = request, !last.isAnswered {
                if unanswered.count >= CoreLimits.unansweredRequests { unanswered = [:] }
                unanswered[last.connection] = last
            }
            request = Asked(
                connection: connection, row: timeline.lastNumber, target: head.target, type: type)
            causeRow = requestRow
        case .judged(let facts, _, _, _, _, let connection):
            causeRow = requestRow
            guard let asked = request, asked.connection == connection, !facts.session.isEmpty else { return }
            timeline.attribute(asked.row, to: facts.session)
            asked.session = facts.session
        case .responded(let head, let bytes, let dialect, let status, let fault, let connection):
            guard let dialect else { return }
            var asked = unanswered.isEmpty ? nil : unanswered.removeValue(forKey: connection)
            if let request, request.connection == connection {
                request.isAnswered = true
                asked = request
            }
            timeline.append(
                time: moment.now, wallTime: moment.wall, direction: .outbound, kind: .rest,
                session: asked?.session ?? "", socket: connection,
                type: asked.flatMap { $0.target == head.target ? $0.type : nil } ?? type(of: head),
                status: status, fault: fault,
                raw: bytes.count > CoreLimits.rowBytes
                    ? Array(bytes.prefix(CoreLimits.rowHeadBytes)) : bytes,
                flags: status >= 400 ? .error : .none, cause: asked?.row ?? 0, reading: reading(dialect))
        case .framed(let link, let frame, let isInbound, let code):
            timeline.append(
                time: moment.now, wallTime: moment.wall, direction: isInbound ? .inbound : .outbound,
                kind: .control, session: link.session, socket: link.number, type: frame.rawValue,
                status: code)
            if isInbound { noteHeard() }
        case .heard(let link, let bytes, let decoded, let outbox):
            heard(link, bytes, decoded, of: outbox, at: moment)
        case .flooded(let link, let bytes, let outbox):
            appendHeard(link, bytes, "dropped", isFine: false, outbox, moment)
        case .sent(let link, let bytes, let context, let outbox):
            sent(link, bytes, context, of: outbox, at: moment)
        case .sentToMany(let numbers, let dialect, let bytes, let context, let outbox):
            appendSent(numbers[0], isStream: false, dialect, bytes, context, outbox, moment)
            // The other rows differ only in their connections.
            timeline.repeatLast(
                session: context.session, sockets: numbers.dropFirst(), reading: reading(dialect))
        case .delivered(_, let entry, _): delivered(entry)
        case .sentAll(let link, let texts, let outbox): appendSent(link, texts, outbox, moment)
        case .noted(let note, let outbox, _): append(note, of: outbox, moment)
        case .broke(let violation, _):
            timeline.append(
                time: moment.now, wallTime: moment.wall, direction: .inside, kind: .violation,
                session: violation.session, socket: UInt32(truncatingIfNeeded: violation.connection ?? 0),
                type: violation.protocolRule.id, raw: Array(violation.detail.utf8), flags: .error,
                cause: UInt64(violation.row))
        case .connected: causeRow = requestRow
        case .disconnected(let link) where link.isStream: streams[link.number] = nil
        case .accepted, .answered, .unmatchedRequest, .handshakeRefused, .controlled, .disconnected, .dropped,
            .stalled,
            .opened, .fired, .forgotten, .remarked:
            break
        }
    }

    /// Like ``read(_:at:)`` with ``ServerEvent/delivered(session:_:connections:)``.
    package mutating func delivered(_ entry: JournalEntry) {
        guard isOn, entry.cause.mark == heardRow else { return }
        if case .said(let message) = entry.values {
            timeline.refer(UInt64(heardRow), to: message)
        } else if case .long(let message) = entry.values {
            timeline.refer(UInt64(heardRow), to: message)
        }
    }

    /// Like ``read(_:at:)`` with ``ServerEvent/noted(_:of:_:)``.
    package mutating func noted(_ note: Note, of outbox: DeliveryLog, at moment: EventTime) {
        guard isOn else { return }
        causeRow = 0
        append(note, of: outbox, moment)
    }

    /// Like ``read(_:at:)`` with ``ServerEvent/heard(_:_:_:of:)``.
    package mutating func heard(
        _ link: ConnectionReference, _ bytes: [UInt8], _ decoded: Decoded, of outbox: DeliveryLog,
        at moment: EventTime
    ) {
        guard isOn else { return }
        appendHeard(link, bytes, decoded.type, isFine: decoded.fault == nil, outbox, moment)
    }

    private mutating func appendHeard(
        _ link: ConnectionReference, _ bytes: [UInt8], _ type: String, isFine: Bool, _ outbox: DeliveryLog,
        _ moment: EventTime
    ) {
        bytes.withUnsafeBytes { lent in
            lend(link.dialect) { timeline, reading in
                timeline.append(
                    lent: lent, time: moment.now, wallTime: moment.wall, direction: .inbound, kind: .ws,
                    session: link.session, socket: link.number, type: type,
                    flags: isFine ? .none : .error, reading: reading)
            }
        }
        noteHeard()
    }

    /// Lends a dialect's reading as a parameter, since reading the property retains it.
    private mutating func lend(_ dialect: Int, _ body: (inout Timeline, inout RowReading?) -> Void) {
        body(&timeline, &readings[place(dialect)])
    }

    private mutating func noteHeard() {
        heardRow = UInt32(exactly: timeline.lastNumber) ?? 0
        causeRow = heardRow
    }

    /// Like ``read(_:at:)`` with ``ServerEvent/sent(_:_:_:of:)``.
    package mutating func sent(
        _ link: ConnectionReference, _ bytes: [UInt8], _ context: OutboundContext, of outbox: DeliveryLog?,
        at moment: EventTime
    ) {
        guard isOn else { return }
        causeRow = 0
        appendSent(link.number, isStream: link.isStream, link.dialect, bytes, context, outbox, moment)
    }

    private mutating func appendSent(
        _ number: UInt32, isStream: Bool, _ dialect: Int, _ bytes: [UInt8], _ context: OutboundContext,
        _ outbox: DeliveryLog?, _ moment: EventTime
    ) {
        guard isStream else {
            return lend(dialect) {
                Self.appendSent(number, .ws, bytes, context, outbox, moment, &$0, &$1)
            }
        }
        var reading = reading(dialect)
        if let next = reading?.following(context.type, { bytes }) { streams[number] = next }
        reading = streams[number] ?? reading
        Self.appendSent(number, .stream, bytes, context, outbox, moment, &timeline, &reading)
    }

    private static func appendSent(
        _ number: UInt32, _ kind: Row.Kind, _ bytes: [UInt8], _ context: OutboundContext,
        _ outbox: DeliveryLog?, _ moment: EventTime, _ timeline: inout Timeline, _ reading: inout RowReading?
    ) {
        let (flags, cause, sequence) = (Self.flags(of: context), UInt64(context.cause), context.sequence)
        var latency: Interval?
        if context.isEcho || !context.words.rule.isEmpty, let heard = timeline.origin(of: cause)?.time {
            latency = moment.now - heard
        }
        // If the message is the unchanged text of its entry, the row keeps the entry's contents instead of the text.
        // The text is encoded again when the row is read. This saves some 350 bytes per row.
        let isOfEntry = reading?.text != nil && context.isUnchanged
        let file = context.words.line > 0 ? outbox?.file ?? "" : ""
        let hasExtras = context.hasExtras
        bytes.withUnsafeBytes { lent in
            context.lend(&reading) { reading, session, type, words, entry, _ in
                let source = isOfEntry ? entry?.source : nil
                guard hasExtras else {
                    return timeline.append(
                        lent: lent, time: moment.now, wallTime: moment.wall, direction: .outbound, kind: kind,
                        session: session, socket: number, type: type, sequence: sequence, latency: latency,
                        rule: words.rule, flags: flags, file: file, line: words.line, cause: cause,
                        reading: reading, source: source)
                }
                timeline.append(
                    time: moment.now, wallTime: moment.wall, direction: .outbound, kind: kind,
                    session: session, socket: number, type: type, sequence: sequence, latency: latency,
                    rule: words.rule, fault: context.fault, raw: bytes, original: context.original,
                    flags: flags, file: file, line: words.line, cause: cause, author: context.author ?? "",
                    timer: words.timer, reading: reading, source: source)
            }
        }
    }

    private mutating func appendSent(
        _ link: ConnectionReference, _ texts: EncodedMessages, _ outbox: DeliveryLog, _ moment: EventTime
    ) {
        var reading = streams[link.number] ?? reading(link.dialect)
        texts.forEach { type, text in
            if let next = reading?.following(type, { Array(text) }) {
                streams[link.number] = next
                reading = next
            }
            timeline.append(
                lent: text, time: moment.now, wallTime: moment.wall, direction: .outbound, kind: .stream,
                session: link.session, socket: link.number, type: type, reading: reading)
        }
    }

    private static func flags(of context: OutboundContext) -> Row.Flags {
        guard context.isHeld else { return context.isReplay ? .replayed : .none }
        return context.isReplay ? [.held, .replayed] : .held
    }

    private mutating func append(_ note: Note, of outbox: DeliveryLog, _ moment: EventTime) {
        let (now, wall) = (moment.now, moment.wall)
        switch note {
        case .heard(var text, let rule, let place, _, let cause):
            let line = UInt32(clamping: max(place.line, 0))
            text.withUTF8 { lent in
                timeline.append(
                    lent: UnsafeRawBufferPointer(lent), time: now, wallTime: wall, direction: .inside,
                    kind: .rule, session: outbox.id, type: rule, rule: rule,
                    file: line > 0 ? outbox.file : "", line: line, cause: UInt64(cause.mark))
            }
        case .unmatched(let unmatched):
            timeline.append(
                time: now, wallTime: wall, direction: .inside, kind: .rule, session: outbox.id,
                type: "unmatched", raw: Array(unmatched.text.utf8), flags: .unmatched,
                cause: UInt64(unmatched.mark))
        case .missed(let missed):
            timeline.append(
                time: now, wallTime: wall, direction: .inside, kind: .rule, session: outbox.id,
                type: "missed", raw: Array(missed.report.utf8), flags: .unmatched,
                file: missed.place.line > 0 ? outbox.file : "",
                line: UInt32(clamping: max(missed.place.line, 0)), cause: UInt64(missed.mark))
        case .faultFired(let name, let mark):
            let cause = UInt64(mark)
            timeline.append(
                time: now, wallTime: wall, direction: .inside, kind: .fault, session: outbox.id,
                socket: timeline.origin(of: cause)?.socket ?? 0, type: name, fault: name, cause: cause)
        case .ended, .agentJoined, .emptyGap, .ignored, .brokenOff, .handoff, .faultAdded, .takeover: return
        }
    }

    private mutating func type(of head: RequestHead) -> String {
        for known in types where known.target == head.target && known.method == head.method {
            return known.type
        }
        let query = head.target.utf8.firstIndex(of: UInt8(ascii: "?"))
        let path = head.target[..<(query ?? head.target.endIndex)]
        // Reserves no room for the query, which has the token. This saves 350 bytes in the row of each handshake.
        var type = ""
        type.reserveCapacity(head.method.utf8.count + 1 + path.utf8.count)
        type += head.method
        type += " "
        type += path
        if query == nil, type.utf8.count <= Self.keptTypeBytes {
            if types.count >= Self.keptTypes { types = [] }
            types.append((head.method, head.target, type))
        }
        return type
    }

    private static func text(of head: RequestHead, _ body: [UInt8]) -> [UInt8] {
        // Only the beginning of a long body is recorded.
        head.text(
            followedBy: body.count > CoreLimits.rowBytes ? body.prefix(CoreLimits.rowHeadBytes) : body[...])
    }
}

extension JournalEntry {
    fileprivate var source: any RowSource {
        switch values {
        case .event(let contents): contents
        case .said(let message): message
        case .long(let message): message
        }
    }
}

extension JournalEntry.Contents: RowSource {}

extension JournalEntry.SaidMessage: RowSource {
    package func lendWords(_ body: (RowWords) -> Bool) -> Bool {
        words.withUnsafeBytes { body(RowWords($0, text: places.text, metadata: places.customMetadata)) }
    }
}

extension JournalEntry.LongMessage: RowSource {
    package func lendWords(_ body: (RowWords) -> Bool) -> Bool {
        words.withUnsafeBytes { body(RowWords($0, text: places.text, metadata: places.customMetadata)) }
    }
}
