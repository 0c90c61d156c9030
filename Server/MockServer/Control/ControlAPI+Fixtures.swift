import ConversationEngine
import Fixtures
import HTTPCore
import Texts

extension ControlAPI {
    func fixtures() -> Work {
        let shelf = server.fixtures
        return Work(
            prepare: {
                var shelf = shelf
                let list = Self.list(&shelf)
                return (list: list, shelf: shelf)
            },
            proceed: { (server, made: (list: Response, shelf: FixtureStore)) in
                server.fixtures.keep(made.shelf)
                return .done(.success(made.list))
            })
    }

    private static func list(_ shelf: inout FixtureStore) -> Response {
        let list = shelf.namesForUsers.map { name in
            var members: [(String, JSONValue)] = [("name", .string(name))]
            var isInForce = !shelf.isSpoilt(name)
            do throws(ScenarioProblem) {
                let script = try shelf.script(named: name).value
                members += [("title", .string(script.title)), ("about", .string(script.about))]
                if let error = shelf.firstError(of: name) { members.append(("error", .string(error))) }
            } catch {
                members += [("title", .null), ("about", .null), ("error", .string(error.sentence))]
                isInForce = false
            }
            members += [
                ("file", ControlJSON.optional(shelf.file(of: name))),
                ("default", .bool(name == shelf.defaultName)), ("inForce", .bool(isInForce)),
            ]
            return ControlJSON.object(members)
        }
        return ControlJSON.response(.object(["fixtures": .array(list)]))
    }

    func script(_ name: String?) throws(ControlProblem) -> Script {
        guard let name else { return server.fixtures.standard.value }
        return try Result { () throws(ScenarioProblem) in try server.fixtures.script(named: name).value }
            .mapError { ControlProblem(404, $0.sentence) }.get()
    }

    /// Finds the rule that would answer a message, or the reason why none matches.
    func tryFixture() throws(ControlProblem) -> Work {
        let body = try body(["fixture", "message", "stage", "session", "memory", "rule"])
        let session = try body.text("session").map { id throws(ControlProblem) in try find(id) }
        if session != nil {
            for name in ["fixture", "stage"] where body.has(name) {
                throw .bad("\"\(name)\" does not go with \"session\", which says where the talk stands.")
            }
        }
        let played: Script
        if let session { played = session.script } else { played = try script(try body.text("fixture")) }
        let message = try body.neededText("message", example: "Hello")
        let (stage, rule) = (try body.text("stage"), try body.text("rule"))
        let memory = try memory(body, of: played)
        let standing = session.map { RuleProbe.Standing($0, at: now) }

        return Work(isLong: true) { () throws(ControlProblem) in
            do throws(RuleProbe.Failure) {
                let trials = try RuleProbe.talk(
                    of: played, saying: [message], in: stage, memory: memory, asking: rule, from: standing)
                return ControlJSON.response(Array((trials[0].json(of: played) + "\n").utf8))
            } catch {
                throw .bad(error.description)
            }
        }
    }

    /// Reads initial values of slots, checked like those in `mock:` lines.
    private func memory(_ body: ControlBody, of script: Script) throws(ControlProblem) -> [String: String] {
        guard let value = body.value("memory") else { return [:] }
        guard let members = value.object?.members else {
            throw .bad("\"memory\" is no object; write {\"people\": \"4\"}.")
        }
        var line = ScenarioLine(fixture: script.name)
        for member in members {
            guard let text = member.value.string else {
                throw .bad("\"memory.\(Logger.clip(member.name))\" is no text; write it in quotes.")
            }
            line.memory[member.name] = text
        }
        return try Result { [line] () throws(ScenarioProblem) in try Scenario(line, playing: script).memory }
            .mapError { ControlProblem.bad($0.sentence) }.get()
    }

    func reloadFixtures() throws(ControlProblem) -> Work {
        _ = try body([])
        let shelf = server.fixtures
        return Work(
            prepare: {
                var shelf = shelf
                let news = shelf.reload()
                return (news: news, shelf: shelf)
            },
            proceed: { (server, seen: (news: [FixtureStore.News], shelf: FixtureStore)) in
                server.reloading.overtake(seen.shelf, seen.news, into: server)
                return .done(
                    .success(ControlJSON.response(.object(["news": .array(seen.news.map(Self.json))]))))
            })
    }

    static func json(_ news: FixtureStore.News) -> JSONValue {
        switch news {
        case .reloaded(let name, let file, let failures):
            .object([
                "what": .string("reloaded"), "name": .string(name), "file": .string(file),
                "findings": ControlJSON.strings(failures),
            ])
        case .refused(let name, let findings, let hasGoodVersion):
            .object([
                "what": .string("refused"), "name": .string(name), "hasGoodVersion": .bool(hasGoodVersion),
                "findings": ControlJSON.strings(findings),
            ])
        case .missing(let name, let file):
            .object([
                "what": .string("missing"), "name": .string(name), "file": .string(file),
                "findings": .array([]),
            ])
        }
    }

    /// Adds a fixture given as text.
    func addFixture() throws(ControlProblem) -> Work {
        let body = try body(["name", "text"])
        let name = try body.neededText("name", example: "mine")
        guard name.utf8.count <= ServerLimits.Control.nameBytes, Self.isFixtureName(name) else {
            throw .bad(
                "\"name\" cannot be \"\(Logger.clip(name))\"; use letters, digits, hyphens and underlines, "
                    + "such as \"mine\".")
        }
        let text = try fixtureText(body)
        return Work(
            prepare: { FixtureLoader.compile(bytes: text, fileName: name + ".json5", name: name) },
            proceed: { (server, compiled: CompiledFixture) in
                .done(Result { () throws(ControlProblem) in try Self.shelve(compiled, name, text, server) })
            })
    }

    private static func shelve(
        _ compiled: CompiledFixture, _ name: String, _ text: [UInt8], _ server: Server
    ) throws(ControlProblem) -> Response {
        let findings = ControlJSON.strings(compiled.findings.map(\.description))
        guard let script = compiled.script else {
            let first = compiled.findings.first { $0.severity == .error }?.message ?? "It cannot be read."
            throw ControlProblem(
                422, "The fixture \"\(name)\" has mistakes, so nothing changed. The first: \(first)",
                details: ["findings": findings])
        }
        guard server.fixtures.shelve(script, text: text) else {
            throw ControlProblem(
                409,
                "\(ServerLimits.Control.fixtures) fixtures were given as text, which is the most; reset them with "
                    + "POST \(ControlRoute.prefix)reset {\"fixtures\": true}.")
        }
        return ControlJSON.response(
            .object([
                "name": .string(name), "scenario": .string("mock:\(name)"), "title": .string(script.title),
                "findings": findings,
            ]))
    }

    static func isFixtureName(_ name: String) -> Bool {
        name.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"): true
            default: false
            }
        }
    }
}

extension ControlRoute {
    static let fixtures: [ControlRoute] = [
        .init("fixtures", "GET", "fixtures", "The fixtures that can be played", .long(ControlAPI.fixtures)),
        .init(
            "addFixture", "POST", "fixtures", "Bring a fixture along as text", body: .fixture,
            refuses: [409, 422], .long(ControlAPI.addFixture)),
        .init(
            "fixture", "GET", "fixtures/{name}", "One fixture with its text, rules and uses",
            .long(ControlAPI.fixture)),
        .init(
            "saveFixture", "PUT", "fixtures/{name}", "Save the file of a fixture, and play it",
            body: .fixture, refuses: [409], .long(ControlAPI.saveFixture)),
        .init(
            "checkFixture", "POST", "fixtures/check", "What is wrong with the text of a fixture",
            body: .fixture, .long(ControlAPI.checkFixture)),
        .init(
            "tryFixture", "POST", "fixtures/try", "Which rule would answer a message, or why none",
            body: .object, refuses: [404], .long(ControlAPI.tryFixture)),
        .init(
            "reloadFixtures", "POST", "fixtures/reload", "Look at the fixture files again", body: .object,
            .long(ControlAPI.reloadFixtures)),
    ]
}
