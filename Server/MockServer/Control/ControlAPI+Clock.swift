import Clocks
import ConversationEngine
import Fixtures
import HTTPCore
import Texts
import Timeline

extension ControlAPI {
    func clock() -> Response { ControlJSON.response(ControlJSON.object(clockMembers)) }

    var clockMembers: [(String, JSONValue)] {
        let mode: String
        var scale = 1.0
        switch server.clockMode {
        case .real: mode = "real"
        case .scaled(let factor): (mode, scale) = ("scaled", factor)
        case .frozen: (mode, scale) = ("frozen", 0)
        }
        return [
            ("mode", .string(mode)),
            ("scale", scale == scale.rounded() ? .integer(Int64(scale)) : .double(scale)),
            ("now", ControlJSON.time(now)), ("nanoseconds", .integer(now.nanoseconds)),
        ]
    }

    func setClock() throws(ControlProblem) -> Response {
        let body = try body(["mode", "scale", "advance", "untilIdle", "limit", "next", "by"])
        let by = try body.shortText("by") ?? ConversationEngine.controls
        let orders = ["mode", "advance", "untilIdle", "next"].filter { body.has($0) }
        guard orders.count == 1 else {
            throw .bad(
                "Give one of \"mode\", \"advance\", \"untilIdle\" and \"next\"; there are \(orders.count).")
        }
        if body.has("scale"), try body.text("mode") != "scaled" {
            throw .bad("\"scale\" goes with \"mode\": \"scaled\".")
        }
        guard !body.has("limit") || orders == ["untilIdle"] else {
            throw .bad("\"limit\" goes with \"untilIdle\".")
        }
        var result: [(String, JSONValue)] = []
        switch orders[0] {
        case "mode": try setMode(body, by: by)
        case "advance":
            let length = try body.length("advance", atMost: ServerLimits.Control.advance) ?? .zero
            guard now + length < ServerLimits.Control.lastMoment else {
                throw .bad("The clock would go beyond the year 2200; start a new server.")
            }
            record("advance \(ValueSyntax.text(length))", by: by)
            result = [("ran", ControlJSON.strings(advance(to: now + length)))]
        case "untilIdle":
            try needTrue(body, "untilIdle")
            let limit = try body.length("limit", atMost: ServerLimits.Control.advance) ?? .hours(1)
            record("until idle", by: by)
            result = [("idle", .bool(server.runUntilIdle(limit: limit)))]
        default:
            try needTrue(body, "next")
            record("next timer", by: by)
            result = [("ran", ControlJSON.strings(server.runNextTimer().map { [name(of: $0)] } ?? []))]
        }
        return ControlJSON.response(ControlJSON.object(clockMembers + result))
    }

    private func needTrue(_ body: ControlBody, _ name: String) throws(ControlProblem) {
        guard try body.flag(name) == true else { throw .bad("\"\(name)\" can only be true.") }
    }

    private func record(_ change: String, by name: String) {
        server.controls.clockMoves += 1
        record(change, of: "", by: name)
    }

    private func record(_ change: String, of session: String, by name: String) {
        server.record(
            Row(
                time: now, wallTime: server.wallMoment, direction: .inside, kind: .clock, session: session,
                type: change, author: name))
    }

    private func setMode(_ body: ControlBody, by name: String) throws(ControlProblem) {
        let mode: ClockMode
        let change: String
        switch try body.choice("mode", ["real", "scaled", "frozen"]) {
        case "frozen": (mode, change) = (.frozen, "frozen")
        case "scaled":
            let range = ServerLimits.Control.scale
            guard let scale = try body.number("scale"), range.contains(scale) else {
                throw .bad("\"scale\" is no number from \(range.lowerBound) to \(range.upperBound).")
            }
            let isWhole = scale == scale.rounded()
            (mode, change) = (.scaled(scale), "scaled \(isWhole ? "\(Int(scale))" : "\(scale)")")
        default: (mode, change) = (.real, "real")
        }
        try set(mode)
        record(change, by: name)
    }

    func set(_ mode: ClockMode) throws(ControlProblem) {
        guard server.setClockMode(mode) else {
            throw ControlProblem(
                409,
                "The test that started this server moves its clock, so the mode cannot be changed; "
                    + "advance it instead.")
        }
        if mode != .real { server.leaveWallTime() }
        rearmWaits()
    }

    /// Moves time to `target`. Returns the names of the first timers that fell due.
    private func advance(to target: Instant) -> [String] {
        var ran: [String] = []
        while ran.count < ServerLimits.Control.ranTimers {
            let due = server.pendingTimers().prefix { $0.deadline <= target }
            guard let first = due.first else { break }
            let before = server.now
            let moment = max(first.deadline, before)
            let names = due.prefix { $0.deadline <= moment }.map { name(of: $0) }
            server.advance(to: moment)
            ran += names
            // Stops at a deadline that stays due, because the loop would not end.
            if moment == before, server.pendingTimers(limit: 1).first == first { break }
        }
        server.advance(to: target)
        return ran
    }

    private func name(of timer: PendingTimer) -> String {
        timer.sessionID.isEmpty ? timer.name : "\(timer.name) in session \(timer.sessionID.prefix(8))"
    }

    // MARK: - Timers

    func timers() -> Response {
        ControlJSON.response(.object(["timers": .array(server.pendingTimers().map { timer($0) })]))
    }

    func timer(_ timer: PendingTimer) -> JSONValue {
        .object([
            "id": .string(Self.id(of: timer)), "name": .string(timer.name),
            "session": timer.sessionID.isEmpty ? .null : .string(timer.sessionID),
            "dueIn": .string(ValueSyntax.text(.milliseconds((timer.deadline - now).milliseconds))),
            "due": ControlJSON.time(timer.deadline), "script": .bool(timer.isScript),
        ])
    }

    /// A script timer's id includes its time, because the timers of chunks share a name.
    private static func id(of timer: PendingTimer) -> String {
        let moment = timer.isScript ? timer.deadline.nanoseconds : 0
        let words = "\(timer.sessionID) \(timer.name) \(moment) \(timer.progress)"
        return String(SHA256.hex(of: Array(words.utf8)).prefix(16))
    }

    func fireTimer() throws(ControlProblem) -> Response {
        let by = try body(["by"]).shortText("by") ?? ConversationEngine.controls
        let timer = try pending(id)
        record("fire \(timer.name)", of: timer.sessionID, by: by)
        guard server.run(timer) else { throw Self.gone(id) }
        return ControlJSON.response(.object(["ran": ControlJSON.strings([name(of: timer)])]))
    }

    func dropTimer() throws(ControlProblem) -> Response {
        let by = try body(["by"]).shortText("by") ?? ConversationEngine.controls
        let timer = try pending(id)
        guard server.drop(timer) else {
            throw ControlProblem(
                409,
                "The timer \"\(timer.name)\" follows from what has happened, so it cannot be taken away; fire it, or "
                    + "let clients speak.")
        }
        record("take away \(timer.name)", of: timer.sessionID, by: by)
        return ControlJSON.response(.object(["removed": .integer(1)]))
    }

    private func pending(_ id: String) throws(ControlProblem) -> PendingTimer {
        guard let timer = server.pendingTimers(limit: .max).first(where: { Self.id(of: $0) == id }) else {
            throw Self.gone(id)
        }
        guard timer.timer != nil else {
            throw ControlProblem(
                409,
                "The timer \"\(timer.name)\" belongs to a connection, not to a talk, so it cannot be changed alone; "
                    + "move the clock.")
        }
        return timer
    }

    private static func gone(_ id: String) -> ControlProblem {
        ControlProblem(
            404,
            "There is no timer \(Logger.clip(id)) any more; GET \(ControlRoute.prefix)timers lists what is pending."
        )
    }
}

extension ControlRoute {
    static let clock: [ControlRoute] = [
        .init("clock", "GET", "clock", "The server's clock", .once(ControlAPI.clock)),
        .init(
            "setClock", "POST", "clock", "Steer the clock", body: .object, refuses: [409],
            .once(ControlAPI.setClock)),
        .init(
            "timers", "GET", "timers", "What will happen by itself, earliest first", .once(ControlAPI.timers)),
        .init(
            "fireTimer", "POST", "timers/{id}/fire", "Let one timer run now", body: .object, refuses: [409],
            .once(ControlAPI.fireTimer)),
        .init(
            "deleteTimer", "DELETE", "timers/{id}", "Take one timer away", body: .object, refuses: [409],
            .once(ControlAPI.dropTimer)),
    ]
}
