import ConversationEngine
import Texts

/// An entry in the server's own words, for sessions whose clients are told something else than entries.
struct EntryWords {
    private(set) var members: [(String, JSONValue)]

    init(_ entry: JournalEntry) {
        members = [("kind", .string(entry.kind.rawValue))]
        switch entry.event {
        case .userMessage(_, let text): say(text, as: "user")
        case .agentMessage(let message):
            say(message.text, as: "agent")
            members.append(("message", .string(message.id)))
        case .agentChunk(let chunk):
            say(chunk.text, as: "agent")
            members += [("message", .string(chunk.messageID)), ("isComplete", .bool(chunk.isComplete))]
        case .personMessage(let message, let person): say(message.text, as: "person", person.name)
        case .personJoined(let person), .personTyping(_, let person), .personLeft(let person, _),
            .agentJoined(let person):
            members.append(("name", .string(person.name)))
        case .personStatus(let status, let person):
            members += [("name", .string(person.name)), ("status", .string(status.rawValue))]
        case .notice(_, .words(let text)): say(text, as: "system")
        case .raw(let type, _): members.append(("name", .string(type)))
        default: break
        }
    }

    private mutating func say(_ text: String, as speaker: String, _ name: String? = nil) {
        members += [("speaker", .string(speaker)), ("text", .string(text))]
        if let name { members.append(("name", .string(name))) }
    }

    /// Members of an object that has some already.
    func write(into bytes: inout [UInt8]) {
        for (name, value) in members {
            bytes.append(UInt8(ascii: ","))
            JSONWriter.string(name, into: &bytes)
            bytes.append(UInt8(ascii: ":"))
            JSONWriter.value(value, into: &bytes)
        }
    }
}
