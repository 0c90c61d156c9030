import ConversationEngine
import Fixtures
import Matching
import SocketTransport
import Texts
import Timeline

/// Routes for the texts of fixtures.
extension ControlAPI {
    func fixture() -> Work {
        let (name, shelf, uses) = (id, server.fixtures, RuleRecord(server))
        return Work(isLong: true) { () throws(ControlProblem) in
            guard let copy = shelf.copy(of: name) else { throw Self.unknown(name, in: shelf) }
            let compiled = Self.compile(name, copy.bytes, file: copy.file).rehearsed()
            let script = compiled.script ?? shelf.shelved[name]?.script.value
            var members: [(String, JSONValue)] = [
                ("name", .string(name)), ("title", ControlJSON.optional(script?.title)),
                ("about", ControlJSON.optional(script?.about)),
                ("default", .bool(name == shelf.defaultName)), ("source", .string(copy.source.rawValue)),
                ("file", ControlJSON.optional(copy.file)),
                ("writable", .bool(Self.isFixtureName(name) && shelf.isSavable(name))),
                ("text", .string(String(decoding: copy.bytes, as: UTF8.self))),
                ("version", ControlJSON.optional(copy.version)), ("inForce", .bool(compiled.script != nil)),
                ("findings", Self.json(compiled.findings)),
            ]
            let outline = script.map { FixtureOutline($0, of: copy.bytes) }
            members += [
                ("stages", outline?.stages ?? .array([])), ("faults", outline?.faults ?? .array([])),
                ("handoffs", outline?.handoffs ?? .array([])),
                ("rules", script.flatMap { uses.rules(of: $0, outline) } ?? .array([])),
            ]
            return ControlJSON.response(ControlJSON.object(members))
        }
    }

    func checkFixture() throws(ControlProblem) -> Work {
        let body = try body(["name", "text", "examples"])
        guard let name = try body.shortText("name") else {
            throw .bad("\"name\" is missing; write \"name\": \"mine\".")
        }
        let text = try fixtureText(body)
        let playsExamples = try body.flag("examples") ?? true
        let shelf = server.fixtures
        return Work(isLong: true) { () throws(ControlProblem) in
            let compiled = Self.compile(name, text, file: shelf.copy(of: name)?.file)
            let rules = compiled.script.map { FixtureOutline($0, of: text).rules() }
            return ControlJSON.response(
                .object([
                    "findings": Self.json((playsExamples ? compiled.rehearsed() : compiled).findings),
                    "rules": rules ?? .array([]),
                ]))
        }
    }

    func saveFixture() throws(ControlProblem) -> Work {
        let name = id
        let body = try body(["text", "version", "force"])
        guard name.utf8.count <= ServerLimits.Control.nameBytes, Self.isFixtureName(name) else {
            throw .bad(
                "A fixture cannot be called \"\(Logger.clip(name))\"; use letters, digits, hyphens and "
                    + "underlines, such as \"mine\".")
        }
        let text = try fixtureText(body)
        let version = try body.text("version")
        let isForced = try body.flag("force") ?? false
        guard isForced || body.object["version"] != nil else {
            throw .bad(
                "\"version\" is missing; write the one that came with the text, or null for a file that is not "
                    + "there yet.")
        }
        let shelf = server.fixtures
        return Work(
            prepare: {
                Result { () throws(ControlProblem) in
                    let place = try Self.savingPlace(of: name, in: shelf)
                    let copy = shelf.copy(of: name)
                    if version != nil, copy == nil { throw Self.unknown(name, in: shelf) }
                    let compiled = Self.compile(name, text, file: place).rehearsed()
                    // Compares the version last, because the file may change while the examples run.
                    if !isForced { try Self.compare(version, with: place, orElse: copy?.version) }
                    if let fault = Files.replace(place, with: text) {
                        throw ControlProblem(403, "\(place) cannot be written: \(fault).")
                    }
                    return compiled
                }
            },
            proceed: { (server, result: Result<CompiledFixture, ControlProblem>) in
                .done(
                    result.map { compiled in
                        server.reloading.adopt(compiled, text, into: server)
                        return ControlJSON.response(
                            .object([
                                "name": .string(name), "file": .string(compiled.fileName),
                                "version": .string(SHA256.hex(of: text)),
                                "inForce": .bool(compiled.script != nil),
                                "findings": Self.json(compiled.findings),
                            ]))
                    })
            })
    }

    // MARK: - Parts

    private static func savingPlace(of name: String, in shelf: FixtureStore) throws(ControlProblem) -> String
    {
        try Result { () throws(FixtureStore.Unsavable) in try shelf.savingPlace(of: name) }
            .mapError { ControlProblem(403, $0.sentence) }.get()
    }

    /// Throws unless the file has the version `version`. For a missing file, `version` may be nil or `other`.
    private static func compare(
        _ version: String?, with place: String, orElse other: String?
    ) throws(ControlProblem) {
        let bytes = Files.read(place, atMost: FixtureLoader.fileBytes)
        let present = bytes.map { SHA256.hex(of: $0) }
        guard present != version, present != nil || version != other else { return }
        throw ControlProblem(
            409,
            present == nil
                ? "\(place) is gone; save with \"version\": null to make it anew."
                : "\(place) \(version == nil ? "is there already" : "was changed meanwhile"), so nothing was "
                    + "saved; look at both texts, then save with its present version or with \"force\": true.",
            details: [
                "version": ControlJSON.optional(present),
                "text": ControlJSON.optional(bytes.map { String(decoding: $0, as: UTF8.self) }),
            ])
    }

    private static func compile(_ name: String, _ text: [UInt8], file: String?) -> CompiledFixture {
        FixtureLoader.compile(bytes: text, fileName: file ?? name + ".json5", name: name)
    }

    private static func unknown(_ name: String, in shelf: FixtureStore) -> ControlProblem {
        ControlProblem(404, "\(UnknownFixture(name: name, among: shelf.names))")
    }

    func fixtureText(_ body: ControlBody) throws(ControlProblem) -> [UInt8] {
        guard let given = try body.text("text") else {
            throw .bad("\"text\" is missing; write \"text\": \"{ fixture: 1, … }\".")
        }
        return Array(given.utf8)
    }

    static func json(_ findings: [Finding]) -> JSONValue {
        .array(
            findings.map { finding in
                .object(
                    JSONObject(present: [
                        ("file", .string(finding.file)), ("line", ControlJSON.count(finding.place.line)),
                        ("column", ControlJSON.count(finding.place.column)),
                        ("severity", .string(finding.severity.rawValue)),
                        ("code", .string(finding.code.rawValue)),
                        ("message", .string(finding.message)), ("fix", ControlJSON.optional(finding.fix)),
                        ("details", ControlJSON.strings(finding.details)),
                        ("replacement", finding.replacement?.json), ("text", .string(finding.description)),
                    ]))
            })
    }
}

/// Uses of rules since the start, or since ``Server/forgetRecord()`` last dropped the rows.
struct RuleRecord: Sendable {
    /// Key of a rule. It lacks the line number, so that an edit of the fixture keeps the counts.
    struct Key: Hashable, Sendable {
        let file: String
        let name: String

        init(_ use: RuleUse) { (file, name) = (use.file, use.name) }
    }

    private let snapshot: ConversationEngine.Snapshot
    private let before: [Key: Int]
    private let timeline: Timeline

    init(_ server: Server) {
        snapshot = server.engine.snapshot
        before = server.controls.usesAtReset
        timeline = server.timeline
    }

    static func counts(_ uses: [RuleUse]) -> [Key: Int] {
        uses.reduce(into: [:]) { $0[Key($1), default: 0] += $1.count }
    }

    func rules(of script: Script, _ outline: FixtureOutline?) -> JSONValue? {
        guard let first = script.rules.first else { return nil }
        let counts = Self.counts(snapshot.ruleUses)
        let last = lastUses(of: script)
        return outline?.rules { name in
            let key = Key(RuleUse(file: first.file, place: first.place, name: name))
            return [
                .init("uses", ControlJSON.count(max(0, (counts[key] ?? 0) - (before[key] ?? 0)))),
                .init("lastUse", last[name] ?? .null),
            ]
        }
    }

    private func lastUses(of script: Script) -> [String: JSONValue] {
        var sessions: Set<String> = []
        snapshot.forEach { if $0.script.file == script.file { sessions.insert($0.id) } }
        var found: [String: JSONValue] = [:]
        for row in timeline.rows() where row.kind == .rule && !row.rule.isEmpty {
            guard sessions.contains(row.session) else { continue }
            found[row.rule] = .object([
                "time": ControlJSON.time(row.time), "session": .string(row.session),
                "row": ControlJSON.count(row.number),
            ])
        }
        return found
    }
}
