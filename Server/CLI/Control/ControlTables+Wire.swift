import FixtureTools
import Texts

/// Rows of the wire, what nobody answered, and what the server knows of itself.
extension ControlTables {
    static func wire(_ json: JSONValue) -> ToolAnswer {
        let rows = json["rows"]?.array ?? []
        var answer = ToolAnswer(lines: rows.map { row($0) })
        if rows.isEmpty { answer.talk.append("no row" + (json["hint"]?.string.map { ": \($0)" } ?? "")) }
        if let dropped = json["dropped"]?.integer, dropped > 0 {
            answer.talk.append("\(Counted.text(Int(dropped), "older row")) no longer kept")
        }
        return answer
    }

    /// What a wait found that was not enough, and the rows that came near (status 408).
    static func tooFew(_ json: JSONValue) -> ToolAnswer {
        var answer = ToolAnswer(lines: (json["rows"]?.array ?? []).map { row($0) })
        let seen = json["seen"]?.array ?? []
        if !seen.isEmpty { answer.talk.append("seen besides:") }
        answer.talk += seen.map { row($0) }
        for near in json["near"]?.array ?? [] {
            let missing = (near["missing"]?.array ?? []).map { FactText.text($0) }.joined(separator: " ")
            answer.talk.append("row \(FactText.text(near["row"]?["n"])) misses \(missing)")
        }
        return answer
    }

    /// One row as one line, in columns that fit most rows.
    static func row(_ row: JSONValue) -> String {
        let session = FactText.text(row["session"])
        var line = [
            TextTable.padded(FactText.text(row["n"]), to: 6, atStart: true),
            TextTable.padded(FactText.clockTime(row["mt"] ?? row["t"]), to: 12),
            TextTable.padded(FactText.text(row["dir"]), to: 3),
            TextTable.padded(FactText.text(row["kind"]), to: 7),
            TextTable.padded(session.isEmpty ? "-" : String(session.prefix(8)), to: 8),
            FactText.text(row["type"]),
        ]
        func add(_ name: String, _ form: (String) -> String) {
            let text = FactText.text(row[name])
            if !text.isEmpty { line.append(form(text)) }
        }
        add("seq") { "#" + $0 }
        add("status") { $0 }
        add("size") { $0 == "0" ? "" : $0 + " B" }
        add("lat") { Self.tenths($0) + " ms" }
        add("rule") { "rule \($0)" }
        add("fault") { "trouble \($0)" }
        for flag in row["flags"]?.array ?? [] { line.append("[" + FactText.text(flag) + "]") }
        if let text = saying(row) { line.append(text) }
        let shard = row["shard"].map { [FactText.text($0)] } ?? []
        return TextTable.oneLine((shard + line.filter { !$0.isEmpty }).joined(separator: "  "))
    }

    /// A decimal number with one digit behind the point; others as they are.
    private static func tenths(_ text: String) -> String {
        guard text.contains("."), let number = Double(text) else { return text }
        return "\((number * 10).rounded() / 10)"
    }

    /// What a message of a row says, in quotes; rows carry the exact text of the wire.
    private static func saying(_ row: JSONValue) -> String? {
        guard
            FactText.text(row["type"]).hasSuffix("MESSAGE") || FactText.text(row["type"]).hasSuffix("CHUNK"),
            let raw = row["raw"]?.string, let event = ControlVerb.json(raw),
            let text = event["payload"]?["text"]?.string
        else { return nil }
        return "\"" + (text.count > VerbLimits.cell ? text.prefix(VerbLimits.cell) + "…" : text) + "\""
    }

    static func unmatched(_ json: JSONValue) -> ToolAnswer {
        var answer = ToolAnswer()
        for item in json["unmatched"]?.array ?? [] {
            let facts = [
                FactText.text(item["number"]), FactText.clockTime(item["time"]),
                FactText.text(item["session"]), FactText.text(item["kind"]),
                "\"" + FactText.text(item["text"]) + "\"",
            ]
            answer.lines.append(TextTable.oneLine(facts.filter { !$0.isEmpty }.joined(separator: "  ")))
            for line in ControlDisplay.lines(of: FactText.text(item["report"])) {
                answer.lines.append("    " + line)
            }
        }
        if answer.lines.isEmpty { answer.talk.append("everything was answered") }
        let policy = FactText.text(json["policy"])
        if !policy.isEmpty { answer.talk.append("policy: \(policy)") }
        return answer
    }

    static func laws(_ json: JSONValue) -> ToolAnswer {
        var answer = table(
            json["laws"]?.array ?? [],
            [
                field("BREACHES", "breaches", isNumber: true), field("LAW", "id"), field("SAYS", "title"),
                field("STATEMENT", "source"),
            ],
            empty: "the server has no law book")
        for breach in json["breaches"]?.array ?? [] {
            let law = FactText.text(breach["law"]).isEmpty ? breach["id"] : breach["law"]
            let told = ["detail", "message"].lazy.compactMap { breach[$0]?.string }.first
            let facts = [
                FactText.text(breach["shard"]), FactText.clockTime(breach["time"]), FactText.text(law),
                FactText.text(breach["session"]),
                told ?? FactText.compact(breach),
            ]
            answer.lines.append(TextTable.oneLine(facts.filter { !$0.isEmpty }.joined(separator: "  ")))
        }
        return answer
    }

    static func imported(_ json: JSONValue) -> ToolAnswer {
        let count = Counted.text(Int(json["imported"]?.integer ?? 0), "row")
        return ToolAnswer(lines: ["\(count) imported as \(FactText.text(json["session"]))"])
    }
}
