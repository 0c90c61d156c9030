import ConversationEngine
import Fixtures
import HTTPCore
import ServerCore
import Texts
import Timeline

extension ControlAPI {
    private static let own = ["session", "tag", "connection", "by", "fixture"]

    func faults() -> Response {
        ControlJSON.response(
            .object([
                "faults": faultList,
                "presets": ControlJSON.strings(FaultPreset.allCases.map(\.rawValue)),
                "fixture": .object([
                    "name": .string(server.fixtures.standard.value.name),
                    "faults": ControlJSON.strings(server.fixtures.standard.value.faults.map(\.name)),
                ]),
                "moments": .array(
                    Fault.Moment.Kind.allCases.map {
                        .object(["at": .string($0.form), "about": .string($0.about)])
                    }),
                "effects": .array(
                    Fault.Effect.Kind.allCases.map { kind in
                        .object([
                            "do": .string(kind.rawValue), "takes": .string(kind.takes),
                            "about": .string(kind.about),
                            "moments": ControlJSON.strings(kind.moments.map(\.form)),
                        ])
                    }),
            ]))
    }

    var faultList: JSONValue { .array(server.faults.active.map { json($0) }) }

    private func json(_ added: FaultRegistry.Active) -> JSONValue {
        .object(
            JSONObject(
                [.init("id", ControlJSON.count(added.id))] + FaultWords.members(added.fault) + [
                    .init("scope", .string("\(added.scope)")), .init("by", .string(added.author)),
                    .init("fired", ControlJSON.count(server.faults.firings[added.id] ?? 0)),
                    .init("lastFired", lastFiring(of: added)),
                ]))
    }

    private func lastFiring(of added: FaultRegistry.Active) -> JSONValue {
        guard let firing = server.faults.lastFirings[added.id] else { return .null }
        let row = server.timeline.firstRow(from: firing.time, atMost: ServerLimits.Control.firedRows) {
            row in
            row.session == firing.session && (row.kind == .fault ? row.type : row.fault) == added.fault.name
        }
        return .object([
            "time": ControlJSON.time(firing.time),
            "session": firing.session.isEmpty ? .null : .string(firing.session),
            "row": row.map { ControlJSON.count($0.number) } ?? .null,
        ])
    }

    func addFault() throws(ControlProblem) -> Response {
        let body = try body(["name", "at", "do", "times", "per", "chance"] + Self.own)
        let scope = try scope(body)
        let by = try body.shortText("by") ?? ConversationEngine.controls
        var added: [FaultRegistry.Active] = []
        let wanted = try wanted(body)
        if let fault = wanted.first, !wanted.contains(where: { scope.reaches($0.moment) }) {
            throw .bad(
                "\"\(fault.moment)\" is before there is \(scope.noun); add it for a \"tag\", or for all.")
        }
        for fault in wanted {
            guard let item = server.inject(fault, scope: scope, by: by) else {
                for item in added { _ = server.remove(item.id) }
                throw ControlProblem(
                    409,
                    "\(CoreLimits.activeFaults) faults are in force, which is the most; remove some "
                        + "with DELETE \(ControlRoute.prefix)faults.")
            }
            added.append(item)
        }
        return ControlJSON.response(.object(["faults": .array(added.map { json($0) })]))
    }

    /// Returns the fault that `at` and `do` describe, or the faults called `name`.
    private func wanted(_ body: ControlBody) throws(ControlProblem) -> [Fault] {
        if body.has("at") || body.has("do") {
            guard !body.has("fixture") else {
                throw .bad(
                    "\"fixture\" goes with the \"name\" of a fault in it, not with \"at\" and \"do\".")
            }
            _ = try body.shortText("name")
            var object = body.object
            // `chance` is either a text such as "50%", or a number from 0 to 1.
            let chance = object["chance"]?.string == nil ? try body.number("chance") : nil
            if let chance {
                guard (0...1).contains(chance) else { throw .bad("\"chance\" is no number from 0 to 1.") }
                object.members.removeAll { $0.name == "chance" }
            }
            switch read(object) {
            case .success(var fault):
                fault.chance = chance ?? fault.chance
                return [fault]
            case .failure(let problem): throw .bad(problem.sentence)
            }
        }
        try body.allow(["name"] + Self.own)
        let name = try body.neededText("name", example: "tunnel")
        let script = try script(try body.text("fixture"))
        guard let faults = FaultPreset.faults(named: name, in: script) else {
            let names = FaultPreset.names(in: script)
            let meant = NearestName.suggestion(for: name, among: names).map { "did you mean \"\($0)\"?" }
            throw ControlProblem(
                404,
                "There is no fault \"\(Logger.clip(name))\" in the fixture \"\(script.name)\"; "
                    + (meant ?? "there are \(names.joined(separator: ", "))."))
        }
        return faults
    }

    /// The `do` of a fault is an object, or a text as in fixtures.
    private func read(_ object: JSONObject) -> Result<Fault, ScenarioProblem> {
        guard let words = object["do"]?.string, let moment = object["at"]?.string else {
            return FaultReader.read(JSONWriter.bytes(.object(object)), also: Self.own)
        }
        var others = object
        others.members.removeAll { ["at", "do"].contains($0.name) }
        let text = String(decoding: JSONWriter.bytes(.object(others)), as: UTF8.self)
        return FaultReader.read(
            at: moment, do: words, others: String(text.dropFirst().dropLast()), also: Self.own)
    }

    private func scope(_ body: ControlBody) throws(ControlProblem) -> FaultScope {
        let given = ["session", "tag", "connection"].filter { body.has($0) }
        guard given.count <= 1 else {
            throw .bad("A fault has one scope; \(given.joined(separator: " and ")) are too many.")
        }
        // Refuses an empty value, because it is a prefix of every id.
        if let name = given.first, body.value(name)?.string?.isEmpty == true {
            throw .bad("\"\(name)\" is empty; say which \(name), or leave it out for all.")
        }
        if let id = try body.text("session") { return .session(try find(id).id) }
        if let tag = try body.shortText("tag") { return .tag(tag) }
        guard let number = try body.count("connection", in: 1...Int(UInt32.max)) else { return .all }
        guard server.connection(number: UInt32(number)) != nil else {
            throw ControlProblem(404, "There is no connection \(number); rows and the log number those open.")
        }
        return .connection(UInt32(number))
    }

    func deleteFaults() -> Response {
        let ids = server.faults.active.map(\.id)
        for id in ids { _ = server.remove(id) }
        return ControlJSON.response(.object(["removed": ControlJSON.count(ids.count)]))
    }

    func deleteFault() throws(ControlProblem) -> Response {
        // Selects faults by number, name or preset.
        let wanted = server.faults.active.filter {
            "\($0.id)" == id || $0.fault.name == id || $0.fault.name.hasPrefix(id + " (")
        }
        if wanted.isEmpty {
            let ids = server.faults.active.map { "\($0.id) (\($0.fault.name))" }
            throw ControlProblem(
                404,
                "There is no fault \(Logger.clip(id)); "
                    + (ids.isEmpty
                        ? "none is in force." : "those in force are \(ids.joined(separator: ", ")).")
            )
        }
        for item in wanted { _ = server.remove(item.id) }
        return ControlJSON.response(.object(["removed": ControlJSON.count(wanted.count)]))
    }
}

extension FaultScope {
    /// Whether a fault of this scope can fire at `moment`.
    fileprivate func reaches(_ moment: Fault.Moment) -> Bool {
        switch self {
        case .all, .tag: true
        case .session: moment.kind.stage != .opening
        case .connection: moment.kind.stage == .talk && moment.kind != .connect
        }
    }

    fileprivate var noun: String {
        switch self {
        case .all, .tag: "anything"
        case .session: "a session"
        case .connection: "a connection"
        }
    }
}

extension ControlRoute {
    static let faults: [ControlRoute] = [
        .init("faults", "GET", "faults", "Faults added from outside", .once(ControlAPI.faults)),
        .init(
            "addFault", "POST", "faults", "Add a fault", body: .object, refuses: [404, 409],
            .once(ControlAPI.addFault)),
        .init(
            "deleteFaults", "DELETE", "faults", "Take all faults away", refuses: [404],
            .once(ControlAPI.deleteFaults)),
        .init(
            "deleteFault", "DELETE", "faults/{id}", "Take one fault away",
            .once(ControlAPI.deleteFault)),
    ]
}
