import Clocks
import ConversationEngine
import DialectKit
import Fixtures
import HTTPCore
import Matching
import ServerCore
import Texts

extension ControlAPI {
    func sessions() throws(ControlProblem) -> Work {
        let tag = request.query("tag")
        let state = request.query("state")
        if let state, state != "open", state != "ended" {
            throw .bad("?state=\(Logger.clip(state)) is no state; use open or ended.")
        }
        let (snapshot, facts) = (server.engine.snapshot, SessionDetails(server))
        let isLong = server.engine.sessionCount > ServerLimits.Control.shortList
        return Work(isLong: isLong) { () throws(ControlProblem) in
            Self.list(snapshot, facts, tag: tag, state: state)
        }
    }

    private static func list(
        _ snapshot: ConversationEngine.Snapshot, _ facts: SessionDetails, tag: String?, state: String?
    ) -> Response {
        var found: [(openedAt: Instant, id: String, json: [UInt8])] = []
        snapshot.forEach { session in
            guard tag == nil || tag == FaultRegistry.tag(of: session.scenario),
                state == nil || session.hasEnded == (state == "ended")
            else { return }
            let json = ControlJSON.bytes(ControlJSON.object(members(of: session, facts)))
            found.append((session.openedAt, session.id, json))
        }
        found.sort { ($0.openedAt, $0.id) < ($1.openedAt, $1.id) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(found.reduce(32) { $0 + $1.json.count + 1 })
        JSONWriter.literal("{\"sessions\":[", into: &bytes)
        for (index, item) in found.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes += item.json
        }
        JSONWriter.literal("]}\n", into: &bytes)
        return ControlJSON.response(bytes)
    }

    func session() throws(ControlProblem) -> Response {
        let session = try find(id)
        let faults = session.faults.map { added in
            JSONValue.object(
                JSONObject(
                    [.init("id", added.id.map { ControlJSON.count($0) } ?? .null)]
                        + FaultWords.members(added.fault)
                        + [.init("fired", ControlJSON.count(added.firings))]))
        }
        let uses = session.ruleUses.map { use in
            JSONValue.object([
                "rule": .string(use.name), "file": .string(use.file),
                "line": ControlJSON.count(use.place.line), "count": ControlJSON.count(use.count),
            ])
        }
        let members = Self.members(of: session, SessionDetails(server))
        return ControlJSON.response(
            ControlJSON.object(
                members + [
                    ("faults", .array(faults)),
                    ("timers", .array(server.pendingTimers(of: session).map { timer($0) })),
                    ("takeover", Self.takeover(of: session)), ("capabilities", capabilities(of: session)),
                    ("sockets", .array(session.links.compactMap { socket($0, of: session) })),
                    ("ruleUses", .array(uses)),
                ]))
    }

    private func capabilities(of session: Conversation) -> JSONValue {
        guard let (entries, _, dialect) = server.delivered(in: session.handle), let start = entries.first
        else { return .null }
        var bytes: [UInt8] = []
        dialect.describe(start, into: &bytes)
        return (try? JSONReader.read(bytes))?["payload"]?["capabilities"] ?? .null
    }

    private func socket(_ link: Conversation.SessionConnection, of session: Conversation) -> JSONValue? {
        guard let connection = server.connection(of: link.id) else { return nil }
        let waiting = link.historyDue == nil ? nil : link.cursor
        let cursor = waiting ?? connection.channel?.history.map { UInt64($0.next) }
        return .object([
            "connection": ControlJSON.count(connection.number), "address": .string("\(connection.peer)"),
            "openedAt": ControlJSON.time(link.openedAt),
            "cursor": ControlJSON.count(cursor ?? UInt64(session.journal.count)),
            "userAgent": ControlJSON.optional(connection.userAgent),
        ])
    }

    static func members(
        of session: borrowing Conversation, _ facts: SessionDetails
    ) -> [(String, JSONValue)] {
        var endReason: JSONValue = .null
        if case .ended(_, let reason, _) = session.responder { endReason = .string(reason.rawValue) }
        let (holder, speaker) = session.holder
        let counts = facts.counts[session.id] ?? SessionTally.Counts()
        let slots = session.script.memory.map(\.name)
        let held = session.memory
        let others = held.keys.filter { !slots.contains($0) }.sorted()
        let memory = (slots + others).compactMap { name in
            held[name].map { (name, JSONValue.string($0)) }
        }
        return [
            ("id", .string(session.id)), ("fixture", .string(session.script.name)),
            ("scenario", ControlJSON.optional(session.scenario)),
            ("tag", ControlJSON.optional(FaultRegistry.tag(of: session.scenario))),
            ("state", .string(session.hasEnded ? "ended" : "open")),
            ("openedAt", ControlJSON.time(session.openedAt)), ("endReason", endReason),
            ("currentSpeaker", .string(holder.rawValue)), ("speaker", ControlJSON.optional(speaker)),
            ("lastActivity", ControlJSON.time(session.lastActivity)),
            ("idleEnds", session.idleEnd.map { ControlJSON.time($0) } ?? .null),
            ("connections", ControlJSON.count(session.links.count)),
            ("connectionLimit", ControlJSON.count(session.connectionLimit)),
            ("userAgent", ControlJSON.optional(facts.userAgents[session.handle])),
            ("streaming", .bool(session.isStreaming)),
            ("chunks", .string(session.wishedChunks?.rawValue ?? "pace")),
            ("platform", .string(session.platform)),
            ("stage", .string(session.stageName)), ("memory", ControlJSON.object(memory)),
            ("entries", ControlJSON.count(session.journal.count)),
            ("userMessages", ControlJSON.count(session.userMessageCount)),
            ("replies", ControlJSON.count(session.replyCount)),
            ("runs", ControlJSON.count(session.runs?.runs.last?.facts.number ?? 0)),
            ("unmatched", ControlJSON.count(counts.unmatched)),
            ("violations", ControlJSON.count(counts.violations)),
            ("fired", ControlJSON.count(counts.firings)),
            ("intercepts", .bool(facts.holds[session.handle] != nil)),
            // The seed is a text, because not every JSON reader keeps all 64 bits of a number.
            ("seed", .string("\(session.seed)")), ("replay", .string(replay(of: session))),
        ]
    }

    static func replay(of session: borrowing Conversation) -> String {
        let line = session.scenario ?? "mock:\(session.script.name)"
        let parts = line.split(separator: "@", omittingEmptySubsequences: false)
        var kept = parts.filter { !$0.hasPrefix("seed=") }.joined(separator: "@")
        // Adds a chunk size that the scenario line does not contain.
        if let chunks = session.wishedChunks, session.isStreaming, !kept.holds("@chunks=") {
            kept += "@chunks=\(chunks.rawValue)"
        }
        return "polymock replay " + ShellWord.quoted("\(kept)@seed=\(session.seed)")
    }

    static func takeover(of session: Conversation) -> JSONValue {
        guard let takeover = session.takeover else { return .null }
        var members: [(String, JSONValue)] = []
        switch takeover.seat {
        case .agent: members = [("seat", .string("agent")), ("name", .string(session.script.agent.name))]
        case .liveAgent(let profile):
            members = [
                ("seat", .string("live-agent")), ("name", .string(profile.name)), ("id", .string(profile.id)),
            ]
        }
        members += [
            ("by", .string(takeover.by)), ("since", ControlJSON.time(takeover.since)),
            ("isTyping", .bool(takeover.isTyping)), ("unanswered", ControlJSON.optional(takeover.unanswered)),
        ]
        return ControlJSON.object(members)
    }

    // MARK: - Journal

    /// Answers with the journal as clients of the session's protocol, or of the protocol `as`, receive it.
    func journal() throws(ControlProblem) -> Work {
        let session = try find(self.id)
        let after = Int(clamping: try number("after") ?? 0)
        let (id, last) = (session.id, session.journal.count)
        guard let (entries, size, dialect) = server.delivered(in: session.handle, after: after) else {
            throw ControlProblem(404, "The session \(id) is forgotten.")
        }
        let asked = request.query("as")
        guard let dialect = asked.map({ name in server.dialects.first { $0.name == name } }) ?? dialect else {
            let names = server.dialects.map(\.name).joined(separator: ", ")
            throw .bad("?as=\(Logger.clip(asked ?? "")) is no protocol of this server; it speaks \(names).")
        }
        let remembers = server.outbox(of: session.handle)?.encoder.memory != nil
        let isLong =
            entries.count > ServerLimits.Control.shortList || size > ServerLimits.Control.shortBytes
        return Work(isLong: isLong) { () throws(ControlProblem) in
            Self.journal(of: id, entries, last: last) { entry, bytes in
                // An encoder with state does not make one message for each entry.
                if remembers { EntryWords(entry).write(into: &bytes) }
                JSONWriter.literal(",\"event\":", into: &bytes)
                let start = bytes.count
                dialect.describe(entry, into: &bytes)
                if bytes.count == start { JSONWriter.literal("null", into: &bytes) }
            }
        }
    }

    private static func journal(
        of id: String, _ entries: [JournalEntry], last: Int,
        encode: (JournalEntry, inout [UInt8]) -> Void
    ) -> Response {
        var bytes: [UInt8] = []
        JSONWriter.literal("{\"session\":", into: &bytes)
        JSONWriter.string(id, into: &bytes)
        JSONWriter.literal(",\"entries\":[", into: &bytes)
        for (index, entry) in entries.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            append(entry, into: &bytes, encode: encode)
        }
        JSONWriter.literal("],\"last\":", into: &bytes)
        JSONWriter.integer(last, into: &bytes)
        JSONWriter.literal("}\n", into: &bytes)
        return ControlJSON.response(bytes)
    }

    private static func append(
        _ entry: JournalEntry, into bytes: inout [UInt8], encode: (JournalEntry, inout [UInt8]) -> Void
    ) {
        JSONWriter.literal("{\"sequence\":", into: &bytes)
        JSONWriter.integer(entry.sequence ?? 0, into: &bytes)
        JSONWriter.literal(",\"id\":", into: &bytes)
        JSONWriter.string(entry.id.text, into: &bytes)
        JSONWriter.literal(",\"time\":", into: &bytes)
        JSONWriter.value(ControlJSON.time(entry.time), into: &bytes)
        JSONWriter.literal(",\"author\":", into: &bytes)
        switch entry.author {
        case .script: JSONWriter.literal("\"script\"", into: &bytes)
        case .client: JSONWriter.literal("\"client\"", into: &bytes)
        case .pushed(let name):
            JSONWriter.literal("\"pushed\",\"by\":", into: &bytes)
            JSONWriter.string(name, into: &bytes)
        }
        encode(entry, &bytes)
        bytes.append(UInt8(ascii: "}"))
    }

    // MARK: - Ends

    func endSession() throws(ControlProblem) -> Response {
        let session = try find(id)
        let body = try body(["reason", "by"])
        let reason = try body.choice("reason", ["natural", "user", "abandoned"])
        let by = try body.shortText("by") ?? ConversationEngine.controls
        guard !session.hasEnded else {
            throw ControlProblem(409, "The session \(session.id) has ended already.")
        }
        let end = reason.flatMap { EndReason(rawValue: $0) } ?? .natural
        server.withEngine {
            $0.end(session.handle, reason: end, by: by, at: server.now, into: &$1)
        }
        return ControlJSON.response(.object(["ended": .bool(true), "reason": .string(end.rawValue)]))
    }

    func deleteSession() throws(ControlProblem) -> Response {
        _ = try body([])
        server.forget(try find(id).handle)
        return ControlJSON.response(.object(["ended": .bool(true)]))
    }
}

/// Details of sessions that the engine does not store.
struct SessionDetails: Sendable {
    let counts: [String: SessionTally.Counts]
    let userAgents: [SessionHandle: String]
    let holds: [SessionHandle: Interval]

    init(_ server: Server) {
        (counts, userAgents, holds) = (server.tally, server.userAgents, server.controls.holds)
    }

    init(_ server: Server, of handles: some Sequence<SessionHandle>) {
        (counts, holds) = (server.tally, server.controls.holds)
        userAgents = handles.reduce(into: [:]) { $0[$1] = server.outbox(of: $1)?.userAgent }
    }
}

extension ControlRoute {
    static let sessions: [ControlRoute] = [
        .init(
            "sessions", "GET", "sessions", "Sessions that are held, oldest first", query: ["tag", "state"],
            .long(ControlAPI.sessions)),
        .init(
            "session", "GET", "sessions/{id}", "One session with what is in force and under way in it",
            .once(ControlAPI.session)),
        .init(
            "deleteSession", "DELETE", "sessions/{id}", "End a session and forget it",
            .once(ControlAPI.deleteSession)),
        .init(
            "journal", "GET", "sessions/{id}/journal", "The journal of a session", query: ["after", "as"],
            .long(ControlAPI.journal)),
        .init(
            "endSession", "POST", "sessions/{id}/end", "End a session", body: .object, refuses: [409],
            .once(ControlAPI.endSession)),
    ]
}
