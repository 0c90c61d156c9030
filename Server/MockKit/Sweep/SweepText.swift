import ConversationEngine
import MockServer
import PolyMessaging
import Texts

enum SweepText {
    /// Returns the event types in one message, without prefix. For a contact's item: author's role and content type.
    static func types(of message: [UInt8]) -> [String] {
        guard let value = try? JSONReader.read(message) else { return ["?"] }
        if let item = item(in: value) {
            let kind = item["ContentType"]?.string ?? "?"
            return [[item["ParticipantRole"]?.string, kind].compactMap { $0 }.joined(separator: " ")]
        }
        let events = value["payload"]?["events"]?.array ?? [value]
        return events.map { Server.shortType($0["type"]?.string ?? "?") }
    }

    /// For example `POLY_AGENT_MESSAGE` or `SESSION_START and 3 more`.
    static func name(of message: [UInt8]) -> String {
        let types = types(of: message)
        guard let first = types.first else { return "an empty batch" }
        return types.count == 1 ? first : "\(first) and \(types.count - 1) more"
    }

    static func item(_ message: [UInt8]) -> JSONValue? {
        (try? JSONReader.read(message)).flatMap { item(in: $0) }
    }

    private static func item(in value: JSONValue) -> JSONValue? {
        guard value["topic"]?.string == "aws/chat", let content = value["content"]?.string else { return nil }
        return try? JSONReader.read(Array(content.utf8))
    }

    static func isItem(_ message: [UInt8]) -> Bool { item(message) != nil }

    static func isReply(_ message: [UInt8]) -> Bool {
        guard let item = item(message) else {
            return types(of: message).contains { $0.hasSuffix("AGENT_MESSAGE") }
        }
        return item["Type"]?.string == "MESSAGE" && item["ParticipantRole"]?.string != customer
    }

    private static let customer = "CUSTOMER"

    /// Whether the message is an echo of the client's own event, or the first batch of a connection.
    static func answersClient(_ message: [UInt8]) -> Bool {
        if let item = item(message) { return item["ParticipantRole"]?.string == customer }
        let answers: [EventKind] = [.sessionStarted, .joinRequested, .userMessage, .userEnded]
        return types(of: message).contains { type in
            answers.contains { Server.type(ofKind: $0) == type }
        }
    }

    /// Whether each event has a sequence, by which clients recognise a second copy (protocol.md#event-ids).
    static func hasSequence(_ message: [UInt8]) -> Bool {
        guard let value = try? JSONReader.read(message) else { return false }
        return (value["payload"]?["events"]?.array ?? [value]).allSatisfy { $0["sequence"]?.integer != nil }
    }

    /// Whether this error makes clients send another join (protocol.md#join-invitations).
    static func asksForJoin(_ message: [UInt8]) -> Bool {
        guard let payload = (try? JSONReader.read(message))?["payload"], payload["level"] != nil,
            let text = payload["message"]?.string
        else { return false }
        return RecoveryCore.isLostConversation(text)
    }

    static func row(_ message: ChatMessage) -> String {
        switch message {
        case .user(let message): "user \"\(message.text)\" \(message.delivery)"
        case .agent(let message):
            (message.agentKind == .live ? "live agent" : "agent") + " \"\(message.text)\""
        case .system(let message): "system \(message.event)"
        }
    }

    static func isOwn(_ row: String) -> Bool { row.hasPrefix("user \"") }

    /// Whether the row is in no journal and cannot be recovered (protocol.md#what-is-transient).
    static func isTransient(_ message: ChatMessage) -> Bool {
        guard case .system(let message) = message else { return false }
        switch message.event {
        case .serverMessage, .idleWarning: return true
        default: return false
        }
    }

    static func entry(_ entry: JournalEntry) -> String {
        let text = entry.event.summary.words
        return Server.type(of: entry.event) + (text.isEmpty ? "" : " \"\(text)\"")
    }

    /// Returns the lines that differ: `-` marks the undisturbed run, `+` the interrupted run.
    static func difference(_ quiet: [String], _ other: [String], of what: String) -> [String] {
        guard quiet != other else { return [] }
        var marked: [(place: Int, line: String)] = []
        for change in other.difference(from: quiet) {
            switch change {
            case .remove(let place, let line, _): marked.append((place * 2, "- " + line))
            case .insert(let place, let line, _): marked.append((place * 2 + 1, "+ " + line))
            }
        }
        marked.sort { $0.place < $1.place }
        var lines = marked.prefix(KitLimits.differingLines).map { "  \(what) \($0.line)" }
        if marked.count > lines.count { lines.append("  \(what) … \(marked.count - lines.count) lines more") }
        return lines
    }
}
