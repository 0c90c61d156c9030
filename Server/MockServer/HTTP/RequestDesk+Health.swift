import Clocks
import ConversationEngine
import DialectKit
import HTTPCore
import ServerCore
import Texts
import Timeline

/// `GET /_mock/health`.
extension RequestDesk {
    /// The seed tells the ids of sessions to come, so it is for those who may use the control API.
    func health(_ head: RequestHead) -> Response {
        let uptime = state.clock.now - state.startedAt
        var body: [UInt8] = []
        body.append(contentsOf: "{\"status\":\"ok\",\"version\":\"\(MockServer.version)\"".utf8)
        body.append(contentsOf: ",\"uptimeSeconds\":\(max(0, uptime.seconds))".utf8)
        body.append(contentsOf: ",\"instance\":\"\(state.instance)\"".utf8)
        if let shard = state.configuration.shard {
            body.append(contentsOf: ",\"shard\":\"\(shard)\"".utf8)
        }
        if state.configuration.control.isOn, ControlGate(state.configuration).allowsLooking(head) {
            body.append(contentsOf: ",\"seed\":\(state.seed),\"fixture\":".utf8)
            JSONWriter.string(state.fixtures.standardName, into: &body)
            let recorder = state.chronicle.recorder
            let (limit, held) = (state.configuration.limits.rows, recorder.timeline.count)
            let dropped = recorder.timeline.droppedCount + recorder.forgottenCount
            body.append(
                contentsOf:
                    ",\"rows\":{\"limit\":\(limit),\"held\":\(held),\"dropped\":\(dropped)}".utf8)
            let ledger = state.ledger
            body.append(
                contentsOf:
                    ",\"memory\":{\"sessions\":\(ledger.sessionBytes),\"sessionsLimit\":\(ledger.limits.sessions)"
                    .utf8)
            body.append(
                contentsOf: ",\"bodies\":\(ledger[.bodies]),\"bodiesLimit\":\(ledger.limits.bodies)".utf8)
            body.append(
                contentsOf:
                    ",\"files\":\(state.shelf.heldBytes),\"filesLimit\":\(state.shelf.limits.totalBytes)}"
                    .utf8)
        }
        body.append(contentsOf: ",\"controls\":\(state.configuration.control.isOn)".utf8)
        body.append(
            contentsOf: ",\"sessions\":\(state.engine.sessionCount),\"connections\":\(state.openWebSockets)"
                .utf8)
        let kept = state.chronicle.breaches
        body.append(
            contentsOf:
                ",\"unmatched\":\(state.chronicle.unmatched.count),\"breaches\":\(kept.breaches.count + kept.droppedBreaches)}\n"
                .utf8)
        return ControlJSON.response(body)
    }
}
