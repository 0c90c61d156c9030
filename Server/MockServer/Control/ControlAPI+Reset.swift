import ConversationEngine
import HTTPCore
import ServerCore
import Texts

extension ControlAPI {
    func reset() throws(ControlProblem) -> Work {
        let parts = ["sessions", "faults", "clock", "log", "fixtures"]
        let body = try body(parts)
        var wanted: [String] = []
        var unwanted: [String] = []
        for part in parts {
            switch try body.flag(part) {
            case true?: wanted.append(part)
            case false?: unwanted.append(part)
            case nil: continue
            }
        }
        if wanted.isEmpty { wanted = parts.filter { !unwanted.contains($0) } }
        let handles = wanted.contains("sessions") ? server.engine.sessionHandles : []
        let chosen = wanted
        return Work(
            isLong: handles.count > ServerLimits.Control.shortList,
            prepare: { () throws(ControlProblem) in handles },
            begin: { _ in },
            apply: { server, handles, _ in
                for handle in handles { server.forget(handle) }
            },
            end: { server, _, _ in server.control.finishReset(chosen) })
    }
    private func finishReset(_ wanted: [String]) -> Response {
        if wanted.contains("faults") {
            for item in server.faults.active { _ = server.remove(item.id) }
            server.faults.forgetLines()
            for handle in server.controls.holds.keys { server.hold(handle, nil) }
        }
        var members: [(String, JSONValue)] = [("reset", ControlJSON.strings(wanted))]
        // A clock that a test provides keeps its mode.
        if wanted.contains("clock") {
            if server.configuration.clock == nil, server.setClockMode(.real) { rearmWaits() }
            server.controls.clockMoves += 1
            members.append(("onWallTime", .bool(server.returnToWall())))
        }
        if wanted.contains("log") { server.forgetRecord() }
        if wanted.contains("fixtures") { server.fixtures.forgetTexts() }
        announce(nil, "reset", ControlJSON.strings(wanted))
        return ControlJSON.response(ControlJSON.object(members))
    }
}

extension ControlRoute {
    static let resetting: [ControlRoute] = [
        .init(
            "reset", "POST", "reset", "Bring the server back to its start, between two tests", body: .object,
            .long(ControlAPI.reset))
    ]
}
