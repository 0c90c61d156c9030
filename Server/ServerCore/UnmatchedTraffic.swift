package import Clocks
import ConversationEngine
package import Matching
import Timeline

/// Message without a matching rule, run request that misses an expectation, or request without a route.
package struct UnmatchedTraffic: Sendable {
    package enum Kind: String, Sendable {
        case message
        case expectation
        case request
    }

    package var kind: Kind
    /// Number on this server, from 1.
    package var number: UInt64
    package var time: Instant
    package var session: String
    /// The message, or the method and path of the request.
    package var text: String
    /// The reason, such as a message's near-miss report.
    package var report: String
    package var place: SourcePlace
    package var file: String
    /// Row in the timeline; 0 if unknown.
    package var row: UInt32 = 0
    /// State of the conversation. Nil unless ``kind`` is ``Kind/message``.
    package var scene: Scene?

    package struct Scene: Sendable {
        /// Current stage. Empty for a fixture without stages.
        package var stage: String
        /// Number of the message in its session, from 1.
        package var message: Int
        /// The `otherwise` rule that answered.
        package var substitute: String?
        /// Near-miss report; nil beyond ``CoreLimits/reportsPerSecond``.
        package var report: UnmatchedReport?
    }
}

package struct UnmatchedList: ServerEventReader {
    /// The newest items, oldest first. At least ``CoreLimits/unmatchedKept`` are kept.
    package private(set) var items: [UnmatchedTraffic] = []
    package private(set) var count: UInt64 = 0
    package var row: UInt32 = 0
    private let isOn: Bool
    private var reports: (second: Int64, count: Int) = (0, 0)

    package init(isOn: Bool) { self.isOn = isOn }

    package mutating func removeAll() { items = [] }

    /// Estimated bytes of the items.
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
            .connected, .disconnected, .dropped, .stalled, .framed, .opened, .heard, .flooded, .delivered,
            .sent,
            .sentToMany, .sentAll, .noted, .fired, .forgotten, .broke, .remarked:
            break
        }
    }

    private mutating func report(_ reasons: UnmatchedReasons?, at now: Instant) -> UnmatchedReport? {
        if now.secondsSince1970 != reports.second { reports = (now.secondsSince1970, 0) }
        reports.count += 1
        return reports.count > CoreLimits.reportsPerSecond ? nil : reasons?.report
    }

    /// Drops the message, which the item contains itself, and shortens long parts.
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
        // Masks and shortens the texts, which may contain tokens.
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
