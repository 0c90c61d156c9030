import FixtureTools
import Texts

/// Fixtures of a server.
extension ControlTables {
    static func fixtures(_ json: JSONValue) -> ToolAnswer {
        table(
            json["fixtures"]?.array ?? [],
            [
                field("FIXTURE", "name"), field("STANDARD", "standard"), field("FILE", "file"),
                (.init("ABOUT"), { FactText.text($0["about"]?.string == nil ? $0["title"] : $0["about"]) }),
            ], empty: "no fixture")
    }

    /// What `fixtures try` tells: the report where there is one, else the facts.
    static func tried(_ json: JSONValue) -> ToolAnswer {
        var answer = ToolAnswer()
        if let report = json["report"]?.string, !report.isEmpty {
            answer.lines = ControlDisplay.lines(of: report)
        } else {
            answer.lines = FactText.facts(json, except: ["asked"])
        }
        if let asked = json["asked"] {
            let advice = asked["advice"]?.string.map { "; \($0)" } ?? ""
            answer.lines.append("\(FactText.text(asked["rule"])): \(FactText.text(asked["why"]))\(advice)")
        }
        return answer
    }

    static func news(_ json: JSONValue) -> ToolAnswer {
        let news = (json["news"]?.array ?? []).map { said($0) }
        return news.isEmpty ? ToolAnswer(talk: ["nothing has changed"]) : ToolAnswer(lines: news)
    }

    /// One fixture: what it is, what is wrong with it, and its rules.
    static func fixture(_ json: JSONValue) -> ToolAnswer {
        let lists: Set = ["text", "findings", "stages", "troubles", "handoffs", "rules"]
        var answer = ToolAnswer(lines: FactText.facts(json, except: lists) + findings(json))
        let rules = table(
            json["rules"]?.array ?? [],
            [
                field("RULE", "name"), field("LINE", "line", isNumber: true), field("WHERE", "where"),
                field("HEARS", "hears"), field("USES", "uses", isNumber: true),
            ], empty: "no rule")
        answer.lines += rules.lines
        answer.talk += rules.talk
        return answer
    }

    static func checked(_ json: JSONValue) -> ToolAnswer {
        let findings = findings(json)
        return findings.isEmpty
            ? ToolAnswer(talk: ["nothing to complain about"]) : ToolAnswer(lines: findings)
    }

    static func saved(_ json: JSONValue) -> ToolAnswer {
        let isPlayed = json["inForce"]?.bool ?? false
        let what = isPlayed ? "new sessions play it" : "it has mistakes, so the version before stays in force"
        return ToolAnswer(
            lines: findings(json), talk: ["\(FactText.text(json["file"])) is saved: \(what)"])
    }

    static func hasErrors(_ json: JSONValue?) -> Bool {
        json?["findings"]?.array?.contains { $0["severity"]?.string == "error" } ?? true
    }

    private static func findings(_ json: JSONValue) -> [String] {
        (json["findings"]?.array ?? []).flatMap { ControlDisplay.lines(of: FactText.text($0["text"])) }
    }
}
