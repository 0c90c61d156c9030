import Clocks
import ConversationEngine
import DialectKit
import HTTPCore
import ServerCore
import Texts
import Timeline

/// `GET /_mock/health`.
extension Server {
    /// The seed predicts ids of sessions, so that it is only for those who may use the control API.
    func health(_ head: RequestHead) -> Response {
        var members: [(String, JSONValue)] = [
            ("status", .string("ok")), ("version", .string(MockServer.version)),
            ("uptimeSeconds", .integer(uptimeSeconds)), ("instance", .string(instance)),
        ]
        if let shard = configuration.shard { members.append(("shard", .string("\(shard)"))) }
        if configuration.control.isOn, ControlGate(configuration).allowsLooking(head) {
            let (rows, dropped) = (timeline.count, timeline.droppedCount + events.recorder.forgottenCount)
            members += [
                ("seed", ControlJSON.count(seed)), ("fixture", .string(fixtures.standardName)),
                (
                    "rows",
                    Self.counts([
                        ("limit", configuration.limits.rows), ("held", rows), ("dropped", Int(dropped)),
                    ])
                ),
                (
                    "memory",
                    Self.counts([
                        ("sessions", ledger.sessionBytes), ("sessionsLimit", ledger.limits.sessions),
                        ("bodies", ledger[.bodies]), ("bodiesLimit", ledger.limits.bodies),
                        ("files", shelf.heldBytes), ("filesLimit", shelf.limits.totalBytes),
                    ])
                ),
            ]
        }
        members += [
            ("controls", .bool(configuration.control.isOn)),
            ("sessions", ControlJSON.count(engine.sessionCount)),
            ("connections", ControlJSON.count(openWebSockets)),
            ("unmatched", ControlJSON.count(events.unmatched.count)),
            ("breaches", ControlJSON.count(breaches.count + events.breaches.droppedBreaches)),
        ]
        return ControlJSON.response(JSONWriter.bytes(ControlJSON.object(members)) + [0x0A])
    }

    private static func counts(_ counts: [(String, Int)]) -> JSONValue {
        ControlJSON.object(counts.map { ($0, ControlJSON.count($1)) })
    }
}
