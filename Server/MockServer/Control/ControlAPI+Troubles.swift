import Clocks
import ConversationEngine
import Fixtures
import HTTPCore
import ServerCore
import Texts
import Timeline

/// Troubles armed from outside.
extension ControlAPI {
    private static let own = ["session", "tag", "connection", "by", "fixture"]

    func troubles() -> Response {
        ControlJSON.response(
            .object([
                "troubles": troubleList,
                "profiles": ControlJSON.strings(TroubleProfile.allCases.map(\.rawValue)),
                "moments": .array(
                    Trouble.Moment.Kind.allCases.map {
                        .object(["at": .string($0.form), "about": .string($0.about)])
                    }),
                "effects": .array(
                    Trouble.Effect.Kind.allCases.map { kind in
                        .object([
                            "do": .string(kind.rawValue), "takes": .string(kind.takes),
                            "about": .string(kind.about),
                            "moments": ControlJSON.strings(kind.moments.map(\.form)),
                        ])
                    }),
            ]))
    }

    var troubleList: JSONValue { .array(server.faults.armed.map { json($0) }) }

    private func json(_ armed: FaultRegistry.Armed) -> JSONValue {
        .object(
            JSONObject(
                [.init("id", ControlJSON.count(armed.id))] + TroubleWords.members(armed.trouble) + [
                    .init("scope", .string("\(armed.scope)")), .init("by", .string(armed.author)),
                    .init("strikes", ControlJSON.count(server.faults.strikes[armed.id] ?? 0)),
                    .init("lastStrike", lastStrike(of: armed)),
                ]))
    }

    private func lastStrike(of armed: FaultRegistry.Armed) -> JSONValue {
        guard let strike = server.faults.lastStrikes[armed.id] else { return .null }
        let row = server.timeline.firstRow(from: strike.time, atMost: ServerLimits.Control.struckRows) {
            row in
            row.session == strike.session && (row.kind == .fault ? row.type : row.fault) == armed.trouble.name
        }
        return .object([
            "time": ControlJSON.time(strike.time),
            "session": strike.session.isEmpty ? .null : .string(strike.session),
            "row": row.map { ControlJSON.count($0.number) } ?? .null,
        ])
    }

    func armTrouble() throws(ControlProblem) -> Response {
        let body = try body(["name", "at", "do", "times", "per", "chance"] + Self.own)
        let scope = try scope(body)
        let by = try body.shortText("by") ?? ConversationEngine.controls
        var armed: [FaultRegistry.Armed] = []
        let wanted = try wanted(body)
        if let trouble = wanted.first, !wanted.contains(where: { scope.reaches($0.moment) }) {
            throw .bad(
                "\"\(trouble.moment)\" is before there is \(scope.noun); arm it for a \"tag\", or for all.")
        }
        for trouble in wanted {
            guard let item = server.arm(trouble, scope: scope, by: by) else {
                for item in armed { _ = server.disarm(item.id) }
                throw ControlProblem(
                    409,
                    "\(CoreLimits.armedTroubles) troubles are in force, which is the most; take some "
                        + "away with DELETE \(ControlRoute.prefix)troubles.")
            }
            armed.append(item)
        }
        return ControlJSON.response(.object(["troubles": .array(armed.map { json($0) })]))
    }

    /// The trouble in the body, or those of a name.
    private func wanted(_ body: ControlBody) throws(ControlProblem) -> [Trouble] {
        if body.has("at") || body.has("do") {
            guard !body.has("fixture") else {
                throw .bad(
                    "\"fixture\" goes with the \"name\" of a trouble in it, not with \"at\" and \"do\".")
            }
            _ = try body.shortText("name")
            var object = body.object
            // A share such as "50%", or a number from 0 to 1.
            let chance = object["chance"]?.string == nil ? try body.number("chance") : nil
            if let chance {
                guard (0...1).contains(chance) else { throw .bad("\"chance\" is no number from 0 to 1.") }
                object.members.removeAll { $0.name == "chance" }
            }
            switch read(object) {
            case .success(var trouble):
                trouble.chance = chance ?? trouble.chance
                return [trouble]
            case .failure(let problem): throw .bad(problem.sentence)
            }
        }
        try body.allow(["name"] + Self.own)
        let name = try body.neededText("name", example: "tunnel")
        let script = try script(try body.text("fixture"))
        guard let troubles = TroubleProfile.troubles(named: name, in: script) else {
            let names = TroubleProfile.names(in: script)
            let meant = NearestName.suggestion(for: name, among: names).map { "did you mean \"\($0)\"?" }
            throw ControlProblem(
                404,
                "There is no trouble \"\(Logger.clip(name))\" in the fixture \"\(script.name)\"; "
                    + (meant ?? "there are \(names.joined(separator: ", "))."))
        }
        return troubles
    }

    /// `do` is an object, or a text as in fixtures.
    private func read(_ object: JSONObject) -> Result<Trouble, ScenarioProblem> {
        guard let words = object["do"]?.string, let moment = object["at"]?.string else {
            return TroubleReader.read(JSONWriter.bytes(.object(object)), also: Self.own)
        }
        var others = object
        others.members.removeAll { ["at", "do"].contains($0.name) }
        let text = String(decoding: JSONWriter.bytes(.object(others)), as: UTF8.self)
        return TroubleReader.read(
            at: moment, do: words, others: String(text.dropFirst().dropLast()), also: Self.own)
    }

    private func scope(_ body: ControlBody) throws(ControlProblem) -> TroubleScope {
        let given = ["session", "tag", "connection"].filter { body.has($0) }
        guard given.count <= 1 else {
            throw .bad("A trouble has one scope; \(given.joined(separator: " and ")) are too many.")
        }
        // Empty must not mean all, or the only session.
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

    func deleteTroubles() -> Response {
        let ids = server.faults.armed.map(\.id)
        for id in ids { _ = server.disarm(id) }
        return ControlJSON.response(.object(["removed": ControlJSON.count(ids.count)]))
    }

    func deleteTrouble() throws(ControlProblem) -> Response {
        guard let number = UInt64(id), server.disarm(number) else {
            let ids = server.faults.armed.map { "\($0.id)" }
            throw ControlProblem(
                404,
                "There is no trouble \(Logger.clip(id)); "
                    + (ids.isEmpty
                        ? "none is in force." : "those in force are \(ids.joined(separator: ", ")).")
            )
        }
        return ControlJSON.response(.object(["removed": .integer(1)]))
    }
}

extension TroubleScope {
    /// Whether a trouble of this scope may strike at `moment`: a session has no name before it begins.
    fileprivate func reaches(_ moment: Trouble.Moment) -> Bool {
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
    static let troubles: [ControlRoute] = [
        .init("troubles", "GET", "troubles", "Troubles armed from outside", .once(ControlAPI.troubles)),
        .init(
            "armTrouble", "POST", "troubles", "Arm a trouble", body: .object, refuses: [404, 409],
            .once(ControlAPI.armTrouble)),
        .init(
            "deleteTroubles", "DELETE", "troubles", "Take all troubles away", refuses: [404],
            .once(ControlAPI.deleteTroubles)),
        .init(
            "deleteTrouble", "DELETE", "troubles/{id}", "Take one trouble away",
            .once(ControlAPI.deleteTrouble)),
    ]
}
