import FixtureTools
import Texts

/// The server's lists as tables. What a server does not tell stays a hyphen.
enum ControlTables {
    /// A column, and the member of each element that stands in it.
    typealias Field = (column: TextTable.Column, text: (JSONValue) -> String)

    static func field(_ title: String, _ name: String, isNumber: Bool = false) -> Field {
        (TextTable.Column(title, isNumber: isNumber), { FactText.text($0[name]) })
    }

    static func time(_ title: String, _ name: String) -> Field {
        (TextTable.Column(title), { FactText.clockTime($0[name]) })
    }

    /// `empty` is told when there is no element.
    static func table(_ elements: [JSONValue], _ fields: [Field], empty: String) -> ToolAnswer {
        guard !elements.isEmpty else { return ToolAnswer(talk: [empty]) }
        // Where several servers answered.
        let isShared = elements.contains { $0["shard"] != nil }
        let fields = (isShared ? [field("SHARD", "shard")] : []) + fields
        var table = TextTable(fields.map(\.column))
        table.rows = elements.map { element in fields.map { $0.text(element) } }
        return ToolAnswer(lines: table.lines)
    }

    // MARK: Sessions

    static func sessions(_ json: JSONValue) -> ToolAnswer {
        table(
            json["sessions"]?.array ?? [],
            [
                field("SESSION", "id"), field("STATE", "state"), field("FIXTURE", "fixture"),
                field("STAGE", "stage"), field("TAG", "tag"),
                field("CONNECTIONS", "connections", isNumber: true),
                field("ENTRIES", "entries", isNumber: true), field("USER", "userMessages", isNumber: true),
                field("REPLIES", "replies", isNumber: true), time("OPENED", "openedAt"),
            ], empty: "no session yet")
    }

    static func session(_ json: JSONValue) -> ToolAnswer {
        let lists: Set = ["troubles", "timers", "ruleUses", "memory"]
        var lines = FactText.facts(json, except: lists)
        for member in json["memory"]?.object?.members ?? [] {
            lines.append("remembers  \(TextTable.oneLine(member.name)) = \(FactText.text(member.value))")
        }
        for use in json["ruleUses"]?.array ?? [] { lines.append("rule       \(said(use))") }
        for trouble in json["troubles"]?.array ?? [] { lines.append("trouble    \(said(trouble))") }
        for timer in json["timers"]?.array ?? [] { lines.append("timer      \(said(timer))") }
        return ToolAnswer(lines: lines)
    }

    /// The values of an object's members in a row.
    static func said(_ value: JSONValue) -> String {
        guard let members = value.object?.members else { return FactText.text(value) }
        return TextTable.oneLine(
            members.map { FactText.text($0.value) }.filter { !$0.isEmpty }.joined(separator: "  "))
    }

    static func journal(_ json: JSONValue) -> ToolAnswer {
        var text = EventText()
        return table(
            json["entries"]?.array ?? [],
            [
                field("ENTRY", "sequence", isNumber: true), time("TIME", "time"),
                (.init("AUTHOR"), { author($0) }),
                (.init("TYPE"), { EventText.shortType(FactText.text($0["kind"] ?? $0["event"]?["type"])) }),
                (.init("WHAT"), { text.line(ofEntry: $0) ?? "…" }),
            ], empty: "no entry yet")
    }

    /// `pushed (Ada)`: who pushed it, in brackets.
    private static func author(_ entry: JSONValue) -> String {
        let name = FactText.text(entry["by"])
        return FactText.text(entry["author"]) + (name.isEmpty ? "" : " (\(name))")
    }

    static func pushed(_ json: JSONValue) -> ToolAnswer {
        let sequences = (json["sequences"]?.array ?? []).map { FactText.text($0) }
        guard !sequences.isEmpty else { return ToolAnswer(talk: ["sent; nothing is added to the journal"]) }
        let noun = sequences.count == 1 ? "entry" : "entries"
        return ToolAnswer(talk: ["told as \(noun) \(sequences.joined(separator: ", "))"])
    }

    static func held(_ json: JSONValue) -> ToolAnswer {
        table(
            json["held"]?.array ?? [],
            [
                field("FRAME", "id", isNumber: true), field("SESSION", "session"),
                field("CONNECTION", "connection", isNumber: true), field("TYPE", "type"),
                field("ENTRY", "seq", isNumber: true), time("LEAVES", "releaseAt"), field("TEXT", "text"),
            ], empty: "no frame waits")
    }

    // MARK: Troubles and time

    private static var troubleFields: [Field] {
        [
            field("TROUBLE", "id"), field("NAME", "name"), field("AT", "at"), field("DO", "do"),
            (.init("TIMES", isNumber: true), { times($0) }),
            (.init("CHANCE", isNumber: true), { chance($0["chance"]) }),
            field("STRIKES", "strikes", isNumber: true), field("SCOPE", "scope"),
        ]
    }

    /// How often it strikes, and over what that counts.
    private static func times(_ value: JSONValue) -> String {
        guard let times = value["times"] else { return FactText.text(nil) }
        return FactText.text(times) + (value["per"]?.string == "token" ? " in all" : " a session")
    }

    /// A share as people write it, whether the server tells `"20%"` or `0.2`.
    private static func chance(_ value: JSONValue?) -> String {
        let share: Double
        switch value {
        case .integer(let number)?: share = Double(number)
        case .double(let number)?: share = number
        default: return FactText.text(value)
        }
        let percent = (share * 1_000).rounded() / 10
        guard let whole = Int64(exactly: percent) else { return "\(percent)%" }
        return whole == 100 ? "always" : "\(whole)%"
    }

    static func troubles(_ json: JSONValue) -> ToolAnswer {
        var answer = table(json["troubles"]?.array ?? [], troubleFields, empty: "no trouble is armed")
        let profiles = (json["profiles"]?.array ?? []).map { FactText.text($0) }
        if !profiles.isEmpty { answer.talk.append("ready to add: " + profiles.joined(separator: ", ")) }
        return answer
    }

    static func armed(_ json: JSONValue) -> ToolAnswer {
        table(json["troubles"]?.array ?? [], troubleFields, empty: "nothing was armed")
    }

    static func clock(_ json: JSONValue) -> ToolAnswer {
        let now = FactText.text(json["now"])
        let mode = FactText.text(json["mode"])
        var lines: [String] = []
        switch mode {
        case "frozen": lines.append("frozen at \(now)")
        case "scaled": lines.append("scaled by \(FactText.text(json["scale"])), now \(now)")
        default: lines.append("\(mode.isEmpty ? "unknown" : mode), now \(now)")
        }
        if let ran = json["ran"]?.array {
            let names = ran.map { FactText.text($0) }
            lines.append(names.isEmpty ? "nothing was due" : "ran: " + names.joined(separator: ", "))
        }
        if let isQuiet = json["quiet"]?.bool {
            lines.append(isQuiet ? "quiet: nothing more is due" : "not quiet: there is more to come")
        }
        return ToolAnswer(lines: lines)
    }

    static func timers(_ json: JSONValue) -> ToolAnswer {
        table(
            json["timers"]?.array ?? [],
            [
                field("IN", "dueIn", isNumber: true), time("DUE", "due"), field("SESSION", "session"),
                field("SCRIPT", "script"), field("ID", "id"), field("TIMER", "name"),
            ], empty: "nothing is due")
    }
}
