package import Clocks
package import DialectKit

package struct ConnectProtocolRules: ClientProtocolRules {
    static func protocolRule(_ id: String, _ title: String, _ advice: String) -> ProtocolRule {
        ProtocolRule(id: "connect-" + id, title: title, source: "protocol-connect.md#" + id, advice: advice)
    }

    static let connects = protocolRule(
        "connect-first", "connect before sending",
        "Subscribe on the WebSocket, or ask with ConnectParticipant, before the first SendMessage.")
    static let pages = protocolRule(
        "own-next-token", "page with the tokens of the same contact and direction",
        "Send back the NextToken of the page before, with its ScanDirection.")
    static let waits = protocolRule(
        "wait-when-throttled", "wait when throttled",
        "Wait longer after each 429, and give up after three attempts.")
    static let stops = protocolRule(
        "stop-when-over", "stop when the chat is over",
        "Take a 403 on CreateParticipantConnection for the end of the chat.")
    static let rests = protocolRule(
        "no-connection-storm", "ask for few connections",
        "Keep a connection token until a minute before its Expiry, and wait between attempts to connect.")

    package var all: [ProtocolRule] { [Self.connects, Self.pages, Self.waits, Self.stops, Self.rests] }

    private struct Record {
        var isConnected = false
        var hasBrokenOrder = false
        /// Consecutive 429 responses by operation.
        var throttled: [String: Int] = [:]
        var refused = 0
        var connections = 0
        var since = Instant(nanosecondsSince1970: 0)
    }

    /// Number of consecutive 429 responses to an operation that are no violation yet.
    private static let attempts = 3
    /// Number of consecutive 403 responses that count as a violation.
    private static let lateCalls = 10
    /// Number of CreateParticipantConnection calls within two seconds that counts as a violation.
    private static let storm = 20
    /// Maximum number of tracked contacts.
    private static let most = 10_000
    private var records: [String: Record] = [:]

    package init() {}

    package mutating func judge(
        _ activity: borrowing ClientActivity, at now: Instant, place: inout Int
    ) -> [Violation] {
        if records.count > Self.most { records = [:] }
        switch activity {
        case .asked(let operation, let facts, let status, _, _):
            let session = facts.session
            guard !session.isEmpty else { return [] }
            let found = Self.judge(operation, facts, status, &records[session, default: Record()], at: now)
            return found.map { protocolRule, detail in
                Violation(
                    protocolRule: protocolRule, session: session, connection: nil, at: now, event: nil,
                    detail: detail)
            }
        default: return []
        }
    }

    package mutating func judge(
        _ decoded: Decoded, _ bytes: [UInt8], of session: String, on connection: UInt64, at now: Instant,
        place: inout Int
    ) -> [Violation] {
        if records.count > Self.most { records = [:] }
        if ClientFrame(bytes) == .subscribe { records[session, default: Record()].isConnected = true }
        return []
    }

    private static func judge(
        _ operation: String, _ facts: RequestInfo, _ status: Int, _ record: inout Record, at now: Instant
    ) -> [(ProtocolRule, String)] {
        var found: [(ProtocolRule, String)] = []
        if facts.kind == .connect, status == 200 { record.isConnected = true }
        if operation == "SendMessage", status == 200, !record.isConnected, !record.hasBrokenOrder {
            record.hasBrokenOrder = true
            found.append((connects, "a message before the participant was connected"))
        }
        if facts.cursorText != nil, status == 400 {
            found.append((pages, "a NextToken of another contact or direction"))
        }
        let row = status == 429 ? (record.throttled[operation] ?? 0) + 1 : 0
        record.throttled[operation] = row == 0 ? nil : row
        if row == attempts + 1 {
            found.append((waits, "\(row) times \(operation) in a row, throttled each time"))
        }
        record.refused = status == 403 ? record.refused + 1 : 0
        if record.refused == lateCalls { found.append((stops, "\(lateCalls) refused calls in a row")) }
        guard operation == "CreateParticipantConnection" else { return found }
        if now - record.since > .seconds(2) { (record.since, record.connections) = (now, 0) }
        record.connections += 1
        if record.connections == storm {
            found.append((rests, "\(storm) connections asked for within two seconds"))
        }
        return found
    }
}
