package import Clocks
import ConversationEngine
package import Matching
import Timeline

/// Traffic that nothing was prepared for.
package struct UnmatchedTraffic: Sendable {
    package enum Kind: String, Sendable {
        /// A message that no rule heard.
        case message
        /// A request for a run that lacks what the script expects of it.
        case expectation
        /// A request to a path, or with a method, that no route takes.
        case request
    }

    package var kind: Kind
    /// From 1 upwards, server-wide.
    package var number: UInt64
    package var time: Instant
    package var session: String
    /// The message, or method and path.
    package var text: String
    /// Why, in lines for people: the near-miss report of a message.
    package var report: String
    package var place: SourcePlace
    package var file: String
    /// That of the message or request; 0: not known.
    package var row: UInt32 = 0
    /// Of a message alone.
    package var scene: Scene?

    /// Where a message was said, and what came near to hearing it.
    package struct Scene: Sendable {
        /// Empty in a fixture without stages.
        package var stage: String
        /// Which message of its session it was, from 1.
        package var message: Int
        /// The rule that answered in place of one that hears.
        package var substitute: String?
        /// nil where too many were not heard to look at each.
        package var report: UnheardReport?
    }
}

/// The newest messages that no rule heard, and requests that no route takes.
package struct UnmatchedList: ServerEventReader {
    /// The newest last, ``CoreLimits/unmatchedKept`` at least once there were so many.
    package private(set) var items: [UnmatchedTraffic] = []
    /// All there ever were.
    package private(set) var count: UInt64 = 0
    /// The row of the request that is being answered.
    package var row: UInt32 = 0
    private let isOn: Bool
    /// How many reports were made in this second.
    private var reports: (second: Int64, count: Int) = (0, 0)

    package init(isOn: Bool) { self.isOn = isOn }

    package mutating func removeAll() { items = [] }

    /// Bytes of the items; a report counts twice, as a text and in its parts.
    package var heldBytes: Int {
        items.reduce(0) {
            $0 + MemoryLayout<UnmatchedTraffic>.stride + $1.text.utf8.count + 2 * $1.report.utf8.count
        }
    }

    /// The clock was set back.
    package mutating func forgetMoments() { reports = (0, 0) }

    package mutating func read(_ happening: ServerEvent, at moment: EventTime) {
        guard isOn else { return }
        switch happening {
        case .noted(.unheard(let unheard), let outbox, let reasons):
            let report = report(reasons, at: moment.now)
            keep(
                UnmatchedTraffic(
                    kind: .message, number: 0, time: moment.now, session: outbox.id, text: unheard.text,
                    report: report?.text
                        ?? "too many messages were not heard in this second to look at each",
                    place: unheard.substitute?.place ?? SourcePlace(), file: outbox.file, row: unheard.mark,
                    scene: UnmatchedTraffic.Scene(
                        stage: unheard.stage, message: unheard.number, substitute: unheard.substitute?.name,
                        report: report.map(Self.kept))))
        case .noted(.missed(let missed), let outbox, _):
            keep(
                UnmatchedTraffic(
                    kind: .expectation, number: 0, time: moment.now, session: outbox.id, text: missed.text,
                    report: missed.report, place: missed.place, file: outbox.file, row: missed.mark))
        case .stray(let method, _, let path, let hint, _):
            keep(
                UnmatchedTraffic(
                    kind: .request, number: 0, time: moment.now, session: "", text: "\(method) \(path)",
                    report: "nothing here answers \(method) \(path); \(hint)", place: SourcePlace(), file: "",
                    row: row)
            )
        case .accepted, .requested, .responded, .judged, .answered, .handshakeRefused, .controlled,
            .connected, .disconnected, .dropped, .stalled, .framed, .opened, .heard, .flooded, .told, .sent,
            .sentAll,
            .noted, .struck, .forgotten, .broke, .remarked:
            break
        }
    }

    private mutating func report(_ reasons: UnheardReasons?, at now: Instant) -> UnheardReport? {
        if now.secondsSince1970 != reports.second { reports = (now.secondsSince1970, 0) }
        reports.count += 1
        return reports.count > CoreLimits.reportsPerSecond ? nil : reasons?.report
    }

    /// Without the message, which is kept besides, and no more of the memory than of a message.
    private static func kept(_ report: UnheardReport) -> UnheardReport {
        var report = report
        report.message = ""
        var left = CoreLimits.unmatchedBytes
        report.memory = report.memory.filter { item in
            left -= item.slot.utf8.count + (item.value?.utf8.count ?? 0)
            return left >= 0 && item.value != nil
        }
        report.said = report.said.map(kept)
        return report
    }

    private mutating func keep(_ item: UnmatchedTraffic) {
        count += 1
        var item = item
        item.number = count
        // Requests and messages may carry tokens, and be as long as a client likes.
        item.text = Self.kept(item.text)
        item.report = Self.kept(item.report)
        if items.count >= 2 * CoreLimits.unmatchedKept {
            items.removeFirst(items.count - CoreLimits.unmatchedKept)
        }
        items.append(item)
    }

    private static func kept(_ text: String) -> String {
        let most = CoreLimits.unmatchedBytes
        guard text.utf8.count > most else { return Secrets.masked.applied(toLine: text) }
        return Secrets.masked.applied(toLine: String(decoding: text.utf8.prefix(most), as: UTF8.self)) + "…"
    }
}
