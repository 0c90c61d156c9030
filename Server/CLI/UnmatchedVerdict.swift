import ControlClient
import TerminalChat
import Texts

/// Check of `polymock chat --fail-on-unmatched`: whether rules matched every message of a conversation.
struct UnmatchedVerdict {
    static let code: Int32 = 5

    let url: String
    let token: String?

    /// Returns the exit code after a conversation. A non-zero code of the conversation takes precedence.
    func code(after outcome: TerminalChat.Outcome) async -> Int32 {
        guard !outcome.sessions.isEmpty else { return outcome.code }
        let unmatched: [String]
        do throws(ControlError) {
            let client = try ControlClient(url: url, token: token)
            let answer = try await client.call("GET", "unmatched")
            let items = answer.json?["unmatched"]?.array ?? []
            unmatched = items.filter { item in
                item["session"]?.string.map { outcome.sessions.contains($0) } ?? false
            }.map(Self.sentence)
        } catch {
            let advice = ControlRun.advice(on: error, hasFlag: false)
            ControlRun.talk("polymock chat: --fail-on-unmatched cannot be judged: \(error)\(advice)")
            return outcome.code == 0 ? 1 : outcome.code
        }
        for line in unmatched { ControlRun.talk("polymock chat: \(line)") }
        return unmatched.isEmpty || outcome.code != 0 ? outcome.code : Self.code
    }

    static func sentence(_ item: JSONValue) -> String {
        let said = "no rule heard \"\(TextTable.oneLine(ValueText.text(item["text"])))\""
        guard let near = item["nearest"]?.array?.first, near["reason"]?.string != "nothing" else {
            return said + ", and none came near"
        }
        let advice = near["advice"]?.string.map { "; \($0)" } ?? ""
        return said + "; nearest is \"\(ValueText.text(near["rule"]))\", \(ValueText.text(near["file"])):"
            + "\(ValueText.text(near["line"])): \(ValueText.text(near["why"]))\(advice)"
    }
}
