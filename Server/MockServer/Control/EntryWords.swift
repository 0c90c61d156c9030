import ConversationEngine
import Texts

/// JSON members that describe a journal entry.
struct EntryWords {
    private(set) var members: [(String, JSONValue)]

    init(_ entry: JournalEntry) {
        let summary = entry.event.summary
        members = [("kind", .string(entry.kind.rawValue))]
        if let speaker = summary.speaker, let text = summary.text {
            members += [("speaker", .string(speaker.rawValue)), ("text", .string(text))]
        }
        if let name = summary.name { members.append(("name", .string(name))) }
        if summary.speaker == .agent, let message = summary.message {
            members.append(("message", .string(message)))
        }
        if let isComplete = summary.isComplete { members.append(("isComplete", .bool(isComplete))) }
        if case .liveAgentStatus(let status, _) = entry.event {
            members.append(("status", .string(status.rawValue)))
        }
    }

    func write(into bytes: inout [UInt8]) {
        for (name, value) in members {
            bytes.append(UInt8(ascii: ","))
            JSONWriter.string(name, into: &bytes)
            bytes.append(UInt8(ascii: ":"))
            JSONWriter.value(value, into: &bytes)
        }
    }
}
