import ConversationEngine
import DialectKit
import Matching
import ServerCore
import Texts
import Timeline

/// The writer of the log. Masks secrets.
struct Logger: Sendable {
    private let output: Log

    init(_ output: Log) { self.output = output }

    var isQuiet: Bool {
        if case .quiet = output { true } else { false }
    }
    func log(_ event: ServerEvent, reportsUnmatched: Bool) {
        switch event {
        case .answered(let method, let path, let status, let reason, let peer):
            request(method, path, status: status, peer: "\(peer)", reason: reason)
        case .unmatchedRequest(let method, let path, _, let hint, let peer?):
            line("unknown path", peer: peer, "\(method) \(path); \(hint)")
        case .connected(let link, let cursor):
            let place = cursor == .max ? "" : " with cursor \(cursor)"
            session("connect", link.session, "connected\(place)")
        case .opened(let id, let script): session("session", id, "opened with \(script.value.name)")
        case .noted(.unmatched, let outbox, let reasons):
            if reportsUnmatched { unmatched(session: outbox.id, reasons?.report) }
        case .noted(let note, let outbox, _): log(note, session: outbox.id)
        case .fired(let name, let id?): log(.faultFired(name), session: id)
        case .broke(let violation, _):
            line(
                "violation", peer: nil,
                "\(violation.protocolRule.title): \(violation.detail) (\(violation.protocolRule.source))")
        case .remarked(let topic, let detail, let peer, let id):
            if let id { session(topic, id, detail) } else { line(topic, peer: peer, detail) }
        case .accepted, .requested, .responded, .judged, .handshakeRefused, .controlled, .disconnected,
            .dropped, .stalled, .framed, .heard, .flooded, .delivered, .sent, .sentToMany, .sentAll,
            .forgotten,
            .unmatchedRequest,
            .fired:
            break
        }
    }

    private func line(_ event: String, peer: String?, _ detail: String) {
        var fields: [(String, String)] = []
        if let peer { fields.append(("peer", peer)) }
        fields.append(("detail", detail))
        write(event, fields, text: detail)
    }

    /// `reason` says why the request was refused.
    private func request(_ method: String, _ path: String, status: Int, peer: String, reason: String?) {
        var fields = [("method", method), ("path", path), ("status", "\(status)"), ("peer", peer)]
        if let reason { fields.append(("reason", reason)) }
        write("request", fields, text: "\(method) \(path) \(status)" + (reason.map { ": \($0)" } ?? ""))
    }

    private func session(_ event: String, _ id: String, _ detail: String) {
        write(event, [("session", id), ("detail", detail)], text: "\(Self.short(id)) \(detail)")
    }

    private func log(_ note: Note, session id: String) {
        switch note {
        case .agentJoined(let name): session("joined", id, "\(name) joined")
        case .heard(let text, let rule, let place, let stage, _):
            let line = place.line > 0 ? " (line \(place.line))" : ""
            let stage = stage.isEmpty ? "" : " in stage \(stage)"
            session("heard", id, "\"\(Self.clip(text))\" answered by rule \(rule)\(line)\(stage)")
        case .unmatched: break
        case .missed(let missed): session("missed", id, missed.report)
        case .emptyGap(let name, let place):
            let line = place.line > 0 ? "in line \(place.line) " : ""
            session("gap", id, "the text \(line)has nothing for {\(name)}")
        case .ignored(let reason): session("ignored", id, "message not answered: \(reason)")
        case .brokenOff(let words): session("script", id, words)
        case .handoff(let name, let state): session("handoff", id, "handoff \(name): \(state)")
        case .faultAdded(let name): session("fault", id, "fault \(name) is in force")
        case .faultFired(let name, _): session("fault", id, "fault \(name) fired")
        case .takeover(let action, let by, let unusual):
            session("takeover", id, "\(by): \(action)\(unusual.map { " (unusual: \($0))" } ?? "")")
        case .ended(let reason): session("ended", id, "session ended (\(reason.rawValue))")
        }
    }

    private func unmatched(session id: String, _ report: UnmatchedReport?) {
        guard let report else { return }
        if case .text(let sink) = output {
            let lines = report.text.split(separator: "\n")
            write("unmatched", [], text: String(lines.first ?? ""))
            for line in lines.dropFirst() { sink(Self.oneLine(String(line))) }
        } else {
            write("unmatched", [("session", id), ("detail", report.text)], text: "")
        }
    }

    private func write(_ event: String, _ fields: [(String, String)], text: String) {
        switch output {
        case .quiet: break
        case .text(let sink):
            let name = event + String(repeating: " ", count: max(0, 15 - event.count))
            sink("\(name) \(Self.oneLine(text))")
        case .json(let sink):
            let fields = fields.map { ($0.0, JSONValue.string(Secrets.masked.applied(toLine: $0.1))) }
            let line = JSONWriter.bytes(ControlJSON.object([("event", .string(event))] + fields))
            sink(ForeignText.json(String(decoding: line, as: UTF8.self)))
        }
    }

    private static func short(_ id: String) -> String { String(id.prefix(8)) }

    /// Shortens a text from a peer.
    static func clip(_ text: String) -> String { ForeignText.clipped(text) }

    static func firstLine(_ text: String) -> String { String(text.prefix { !$0.isNewline }) }

    /// Masks secrets, and makes one line without characters that affect a terminal.
    private static func oneLine(_ text: String) -> String {
        ForeignText.line(Secrets.masked.applied(toLine: text))
    }
}
