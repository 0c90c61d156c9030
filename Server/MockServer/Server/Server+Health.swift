import Clocks
import ConversationEngine
import DialectKit
import HTTPCore
import ServerCore
import Texts
import Timeline

/// `GET /_mock/health`.
extension Server {
    /// The seed tells the ids of sessions to come, so it is for those who may use the control API.
    func health(_ head: RequestHead) -> Response {
        let uptime = clock.now - startedAt
        var body: [UInt8] = []
        body.append(contentsOf: "{\"status\":\"ok\",\"version\":\"\(MockServer.version)\"".utf8)
        body.append(contentsOf: ",\"uptimeSeconds\":\(max(0, uptime.seconds))".utf8)
        body.append(contentsOf: ",\"instance\":\"\(instance)\"".utf8)
        if let shard = configuration.shard {
            body.append(contentsOf: ",\"shard\":\"\(shard)\"".utf8)
        }
        if configuration.control.isOn, ControlGate(configuration).allowsLooking(head) {
            body.append(contentsOf: ",\"seed\":\(seed),\"fixture\":".utf8)
            JSONWriter.string(fixtures.standardName, into: &body)
            let recorder = chronicle.recorder
            let (limit, held) = (configuration.limits.rows, recorder.timeline.count)
            let dropped = recorder.timeline.droppedCount + recorder.forgottenCount
            body.append(
                contentsOf:
                    ",\"rows\":{\"limit\":\(limit),\"held\":\(held),\"dropped\":\(dropped)}".utf8)
            let ledger = ledger
            body.append(
                contentsOf:
                    ",\"memory\":{\"sessions\":\(ledger.sessionBytes),\"sessionsLimit\":\(ledger.limits.sessions)"
                    .utf8)
            body.append(
                contentsOf: ",\"bodies\":\(ledger[.bodies]),\"bodiesLimit\":\(ledger.limits.bodies)".utf8)
            body.append(
                contentsOf:
                    ",\"files\":\(shelf.heldBytes),\"filesLimit\":\(shelf.limits.totalBytes)}"
                    .utf8)
        }
        body.append(contentsOf: ",\"controls\":\(configuration.control.isOn)".utf8)
        body.append(
            contentsOf: ",\"sessions\":\(engine.sessionCount),\"connections\":\(openWebSockets)"
                .utf8)
        let kept = chronicle.breaches
        body.append(
            contentsOf:
                ",\"unmatched\":\(chronicle.unmatched.count),\"breaches\":\(kept.breaches.count + kept.droppedBreaches)}\n"
                .utf8)
        return ControlJSON.response(body)
    }
}
