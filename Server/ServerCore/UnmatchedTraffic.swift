package import Clocks
import ConversationEngine
package import Matching
import Timeline

/// A message or request that no rule or route matched.
package struct UnmatchedTraffic: Sendable {
    package enum Kind: String, Sendable {
        /// A message without a matching rule.
        case message
        /// A request for a run that does not meet an expectation of the script.
        case expectation
        /// A request without a route.
        case request
    }

    package var kind: Kind
    /// From 1 upwards, server-wide.
    package var number: UInt64
    package var time: Instant
    package var session: String
    /// The message, or method and path.
    package var text: String
    /// The reason, in lines for people: the near-miss report of a message.
    package var report: String
    package var place: SourcePlace
    package var file: String
    /// 0: not known.
    package var row: UInt32 = 0
    /// Of a message alone.
    package var scene: Scene?

    /// The state of the conversation at a message, and its near misses.
    package struct Scene: Sendable {
        /// Empty in a fixture without stages.
        package var stage: String
        /// The number of the message in its session, from 1.
        package var message: Int
        /// The rule that answered without a match.
        package var substitute: String?
        /// nil beyond ``CoreLimits/reportsPerSecond``.
        package var report: UnmatchedReport?
    }
}

/// The newest unmatched messages and requests.
package struct UnmatchedList: ServerEventReader {
    /// The newest last, at least ``CoreLimits/unmatchedKept`` once there were so many.
    package private(set) var items: [UnmatchedTraffic] = []
    /// Since the start.
    package private(set) var count: UInt64 = 0
    /// The row of the present request.
    package var row: UInt32 = 0
    private let isOn: Bool
    /// Reports made in this second.
    private var reports: (second: Int64, count: Int) = (0, 0)

    package init(isOn: Bool) { self.isOn = isOn }

    package mutating func removeAll() { items = [] }

    /// Bytes of the items; a report counts twice, as a text and in its parts.
    package var heldBytes: Int {
        items.reduce(0) {
            $0 + MemoryLayout<UnmatchedTraffic>.stride + $1.text.utf8.count + 2 * $1.report.utf8.count
        }
    }

    package mutating func forgetMoments() { reports = (0, 0) }

    package mutating func read(_ event: ServerEvent, at moment: EventTime) {
        guard isOn else { return }
        switch event {
        case .noted(.unmatched(let unmatched), let outbox, let reasons):
            let report = report(reasons, at: moment.now)
            keep(
                UnmatchedTraffic(
                    kind: .message, number: 0, time: moment.now, session: outbox.id, text: unmatched.text,
                    report: report?.text
                        ?? "too many messages were not heard in this second to look at each",
                    place: unmatched.substitute?.place ?? SourcePlace(), file: outbox.file,
                    row: unmatched.mark,
                    scene: UnmatchedTraffic.Scene(
                        stage: unmatched.stage, message: unmatched.number,
                        substitute: unmatched.substitute?.name,
                        report: report.map(Self.kept))))
        case .noted(.missed(let missed), let outbox, _):
            keep(
                UnmatchedTraffic(
                    kind: .expectation, number: 0, time: moment.now, session: outbox.id, text: missed.text,
                    report: missed.report, place: missed.place, file: outbox.file, row: missed.mark))
        case .unmatchedRequest(let method, _, let path, let hint, _):
            keep(
                UnmatchedTraffic(
                    kind: .request, number: 0, time: moment.now, session: "", text: "\(method) \(path)",
                    report: "nothing here answers \(method) \(path); \(hint)", place: SourcePlace(), file: "",
                    row: row))
        case .accepted, .requested, .responded, .judged, .answered, .handshakeRefused, .controlled,
            .connected, .disconnected, .dropped, .stalled, .framed, .opened, .heard, .flooded, .told, .sent,
            .sentAll, .noted, .fired, .forgotten, .broke, .remarked:
            break
        }
    }

    private mutating func report(_ reasons: UnmatchedReasons?, at now: Instant) -> UnmatchedReport? {
        if now.secondsSince1970 != reports.second { reports = (now.secondsSince1970, 0) }
        reports.count += 1
        return reports.count > CoreLimits.reportsPerSecond ? nil : reasons?.report
    }

    /// A report without the message, which is kept already, and with bounded memory.
    private static func kept(_ report: UnmatchedReport) -> UnmatchedReport {
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
        // Requests and messages may carry tokens, and have any length.
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
