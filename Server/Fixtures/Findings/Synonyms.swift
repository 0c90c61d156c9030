/// Names that other tools use, with the corresponding names in fixtures.
enum Synonyms {
    private static let names: [String: [String]] = [
        "answer": ["replies"], "answers": ["replies"], "response": ["replies"], "responses": ["replies"],
        "text": ["hears", "say"], "message": ["hears", "say"], "match": ["hears"], "when": ["hears"],
        "intent": ["hears"], "pattern": ["hears", "regex"], "phrases": ["hears"], "contains": ["all"],
        "goto": ["then"], "next": ["then"], "target": ["then"], "condition": ["if"],
        "delay": ["wait"], "sleep": ["wait"], "pause": ["wait"], "typing": ["think"], "duration": ["takes"],
        "buttons": ["suggest"], "quickReplies": ["suggest"], "options": ["suggest"], "choices": ["suggest"],
        "set": ["remember"], "escalate": ["handoff"], "attachments": ["attach"],
        "fallback": ["otherwise"], "default": ["otherwise"], "global": ["anywhere"], "welcome": ["greeting"],
        "variables": ["memory"], "slots": ["memory"], "entities": ["kinds"], "constants": ["values"],
        "states": ["stages"], "nodes": ["stages"], "start": ["begin"], "initial": ["begin"],
        "tests": ["examples"], "speed": ["pace"],
    ]

    /// Returns one of the `known` names with the same meaning; nil if there is none.
    static func name(for name: String, among known: [String]) -> String? {
        names[name]?.first { known.contains($0) }
    }
}
