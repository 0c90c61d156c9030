import AGUIDialect
import Clocks
import ConversationEngine
import DialectKit
import Texts

extension ControlAPI {
    func runs() throws(ControlProblem) -> Work {
        let session = try find(id)
        let wires = request.query("wires")
        if let wires, wires != "true", wires != "false" {
            throw .bad("?wires=\(Logger.clip(wires)) is neither true nor false.")
        }
        let last = Int(clamping: try number("last") ?? .max)
        let members: [(String, JSONValue)] = [
            ("session", .string(session.id)), ("hasRuns", .bool(session.script.hasRuns)),
            ("isRunning", .bool(session.runs?.isRunning ?? false)), ("waits", Self.waits(session.runs)),
        ]
        let (log, journal) = (session.runs, session.journal)
        let view = wires == "true" ? server.view(of: session.handle) : nil
        let dialects = server.dialects
        let count = (log?.runs ?? []).reduce(journal.count) { $0 + $1.entries.count }
        let isLong =
            count > ServerLimits.Control.shortList
            || log?.heldBytes ?? 0 > ServerLimits.Control.shortBytes
        return Work(isLong: isLong) { () throws(ControlProblem) in
            var all = members + [("runs", .array((log?.runs ?? []).suffix(last).map { Self.json($0) }))]
            if let view { all.append(("talk", Self.talk(journal, log, of: view, dialects))) }
            return ControlJSON.response(ControlJSON.object(all))
        }
    }

    private static func json(_ run: Run) -> JSONValue {
        let entries = run.entries.enumerated().map { index, entry in
            let members: [(String, JSONValue)] = [
                ("n", ControlJSON.count(index + 1)), ("time", ControlJSON.time(entry.time)),
            ]
            return ControlJSON.object(members + RunWords.members(of: entry.event))
        }
        return .object([
            "run": .string(run.facts.id), "thread": .string(run.facts.thread),
            "parent": ControlJSON.optional(run.facts.parent), "number": ControlJSON.count(run.facts.number),
            "asked": .string(RunWords.name(of: run.facts.words)), "entries": .array(entries),
        ])
    }

    private static func waits(_ log: RunLog?) -> JSONValue {
        .object([
            "calls": .array(
                (log?.pendingCalls ?? []).map { .object(["call": .string($0.id), "name": .string($0.tool)]) }),
            "asks": .array((log?.pendingAsks ?? []).map { ControlJSON.object(RunWords.members(of: $0)) }),
        ])
    }

    /// Lists each entry with its messages in each protocol.
    private static func talk(
        _ journal: [JournalEntry], _ log: RunLog?, of view: SessionView, _ dialects: [any Dialect]
    ) -> JSONValue {
        let moments = TalkMoment.all(of: journal, log)
        let encoded = dialects.map { ($0.name, $0.retell(moments, of: view.id, log)) }
        let rows = moments.enumerated().map { index, moment in
            var members = [("time", ControlJSON.time(moment.time))]
            switch moment {
            case .entry(let entry):
                members.append(("sequence", entry.sequence.map { ControlJSON.count($0) } ?? .null))
                members += EntryWords(entry).members
            case .run(let entry, let run, let number):
                members += [("run", ControlJSON.count(run.number)), ("n", ControlJSON.count(number))]
                members += RunWords.members(of: entry.event)
            }
            let wires = encoded.map { name, texts in
                let texts = texts[index].map { event in
                    JSONValue.object([
                        "type": .string(event.type),
                        "text": .string(String(decoding: event.text, as: UTF8.self)),
                    ])
                }
                return (name, JSONValue.array(texts))
            }
            return ControlJSON.object(members + [("sent", ControlJSON.object(wires))])
        }
        return .array(rows)
    }

    // MARK: - Answers

    func answerRun() throws(ControlProblem) -> Work {
        let session = try find(id)
        let body = try body(["by", "answers"])
        let by = try body.shortText("by") ?? ConversationEngine.controls
        guard !session.hasEnded, let log = session.runs,
            !log.pendingAsks.isEmpty || !log.pendingCalls.isEmpty
        else { throw ControlProblem(409, "Nothing in the session \(session.id) waits for an answer.") }
        let items = try body.bodies("answers")
        let name = UniqueID.text("run_", server.controls.identities.next())
        let isAsked = !log.pendingAsks.isEmpty
        let results = isAsked ? [] : try Self.results(items, log)
        let decisions = isAsked ? try Self.decisions(items, log) : []
        let handle = session.handle
        // The request contains all messages of the thread.
        return Work(isLong: log.heldBytes > ServerLimits.Control.shortBytes) {
            isAsked
                ? RunRequest(name, of: log, decisions: decisions)
                : RunRequest(name, of: log, answers: results)
        } proceed: { server, request in
            guard server.view(of: handle)?.hasEnded == false else {
                return .done(.failure(ControlProblem(409, "The session has ended meanwhile.")))
            }
            server.speak(ClientInput(.run(request)), in: handle, by: by)
            return .done(.success(ControlJSON.response(.object(["run": .string(name)]))))
        }
    }

    private static func decisions(
        _ items: [ControlBody], _ log: RunLog
    ) throws(ControlProblem) -> [(ask: String, payload: JSONValue?)] {
        let asked = log.pendingAsks.map(\.id)
        var found: [(ask: String, payload: JSONValue?)] = []
        for item in items {
            try item.allow(["ask", "payload", "cancel"])
            let ask = try known("ask", in: item, among: asked, before: found.map(\.ask))
            let cancels = try item.flag("cancel") ?? false
            guard cancels != item.has("payload") else {
                throw .bad("\(item.name("payload")) or \"cancel\": true must be there, and not both.")
            }
            found.append((ask, item.value("payload")))
        }
        let left = asked.filter { id in !found.contains { $0.ask == id } }
        guard left.isEmpty else {
            throw .bad("All that is asked is answered at once; \(left.joined(separator: ", ")) is missing.")
        }
        return found
    }

    private static func results(
        _ items: [ControlBody], _ log: RunLog
    ) throws(ControlProblem) -> [(call: String, content: String, error: String?)] {
        var found: [(call: String, content: String, error: String?)] = []
        for item in items {
            try item.allow(["call", "content", "error"])
            let call = try known(
                "call", in: item, among: log.pendingCalls.map(\.id), before: found.map(\.call))
            let (content, error) = (try item.text("content"), try item.text("error"))
            guard content != nil || error != nil else {
                throw .bad("\(item.name("content")) or \"error\" must be there.")
            }
            found.append((call, content ?? "", error))
        }
        guard !found.isEmpty else {
            throw .bad("\"answers\" is empty; write \"answers\": [{\"call\": …, \"content\": \"…\"}].")
        }
        return found
    }

    private static func known(
        _ name: String, in item: ControlBody, among ids: [String], before: [String]
    ) throws(ControlProblem) -> String {
        let id = try item.neededText(name, example: ids.first ?? "id")
        guard ids.contains(id) else {
            throw .bad(
                "\(item.name(name)) cannot be \"\(Logger.clip(id))\"; what waits is "
                    + "\(ids.isEmpty ? "none of that kind" : ids.joined(separator: ", ")).")
        }
        guard !before.contains(id) else {
            throw .bad("\(item.name(name)): \"\(Logger.clip(id))\" is there twice.")
        }
        return id
    }
}

extension ControlRoute {
    static let runs: [ControlRoute] = [
        .init(
            "runs", "GET", "sessions/{id}/runs", "The runs of a session, and what waits for an answer",
            query: ["wires", "last"], .long(ControlAPI.runs)),
        .init(
            "answerRun", "POST", "sessions/{id}/runs", "Answer what a run waits for, in place of the client",
            body: .object, refuses: [409], .long(ControlAPI.answerRun)),
    ]
}
