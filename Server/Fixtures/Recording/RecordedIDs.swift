package import Texts

/// Ids of messages, calls, interrupts and subagents in the events of recorded runs.
package enum RecordedIDs {
    private static let names: Set<String> = [
        "messageId", "toolCallId", "parentMessageId", "entityId", "subagentRunId", "parentSubagentRunId",
        "pendingToolCallIds", "interruptIds",
    ]
    /// Members whose values belong to the application or to a provider. They are not searched for ids.
    private static let opaque: Set<String> = [
        "rawEvent", "snapshot", "value", "event", "content", "metadata", "usage", "result", "responseSchema",
        "delta", "patch", "input", "function",
    ]

    /// Returns an event's ids in order, with repetitions.
    package static func ids(in event: JSONObject) -> [String] {
        let hasItems = ["MESSAGES_SNAPSHOT", "RUN_FINISHED"].contains(event["type"]?.string)
        var found: [String] = []
        func read(_ value: JSONValue, _ isID: Bool) {
            switch value {
            case .string(let id): if isID, !id.isEmpty { found.append(id) }
            case .array(let items): for item in items { read(item, isID) }
            case .object(let object):
                for member in object.members where !opaque.contains(member.name) {
                    read(member.value, names.contains(member.name) || hasItems && member.name == "id")
                }
            default: break
            }
        }
        read(.object(event), false)
        return found
    }

    /// Replaces the ids in a value. `name` returns an id's replacement, or nil for a string that is no id; `plain`
    /// converts all other text.
    package static func replaced(
        in value: JSONValue, named member: String = "", by name: (String) -> String?,
        plain: (String) -> String = { $0 }
    ) -> JSONValue {
        switch value {
        case .string(let text):
            if holdsID(member) || isUnmistakable(text), let new = name(text) { return .string(new) }
            return .string(replaced(in: text, by: name, plain: plain))
        case .array(let items):
            return .array(items.map { replaced(in: $0, named: member, by: name, plain: plain) })
        case .object(let object):
            return .object(
                JSONObject(
                    object.members.map {
                        .init($0.name, replaced(in: $0.value, named: $0.name, by: name, plain: plain))
                    }))
        default: return value
        }
    }

    /// Replaces the ids between quotation marks of a text, such as JSON.
    package static func replaced(
        in text: String, by name: (String) -> String?, plain: (String) -> String = { $0 }
    ) -> String {
        guard text.utf8.contains(UInt8(ascii: "\"")) else { return plain(text) }
        return text.split(separator: "\"", omittingEmptySubsequences: false).map { part in
            let part = String(part)
            return (isUnmistakable(part) ? name(part) : nil) ?? plain(part)
        }.joined(separator: "\"")
    }

    private static func holdsID(_ member: String) -> Bool {
        member == "id" || ["Id", "ID", "_id", "Ids", "_ids"].contains { member.hasSuffix($0) }
    }

    private static func isUnmistakable(_ text: String) -> Bool {
        (8...128).contains(text.utf8.count)
            && text.utf8.contains { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            && !text.utf8.contains(UInt8(ascii: " "))
    }
}
