import Texts

/// Formatter of journal events as lines of a conversation.
struct EventText {
    /// Texts of incomplete messages by id.
    private var open: [(id: String, text: String)] = []

    static func shortType(_ type: String) -> String {
        type.hasPrefix("EVENT_TYPE_") ? String(type.dropFirst("EVENT_TYPE_".count)) : type
    }

    /// Formats a journal entry. Returns nil for a chunk of an incomplete reply.
    mutating func line(ofEntry entry: JSONValue) -> String? {
        guard let kind = entry["kind"]?.string else { return line(entry["event"] ?? .null) }
        let name = ValueText.text(entry["name"])
        guard let text = entry["text"]?.string else {
            // `liveAgentJoined` becomes "live agent joined".
            let words = kind.map { $0.isUppercase ? " \($0.lowercased())" : "\($0)" }.joined()
            return TextTable.oneLine("* \(words)" + (name.isEmpty ? "" : " (\(name))"))
        }
        let speaker =
            switch entry["speaker"]?.string {
            case "user": "User"
            case "live-agent": name
            case "system": "* system"
            default: "Agent"
            }
        guard let message = entry["message"]?.string else {
            return TextTable.oneLine("\(speaker): " + Self.shortened(text))
        }
        let whole = piece(text, of: message, isLast: entry["isComplete"]?.bool ?? true)
        return whole.map { TextTable.oneLine("\(speaker): " + Self.shortened($0)) }
    }

    /// Formats an event of the Messaging API. Returns nil for a chunk of an incomplete reply.
    mutating func line(_ event: JSONValue) -> String? {
        let type = Self.shortType(event["type"]?.string ?? "")
        let payload = event["payload"] ?? .null
        guard type == "POLY_AGENT_MESSAGE_CHUNK" else { return Self.line(type, payload) }
        return piece(
            payload["text"]?.string ?? "", of: payload["message_id"]?.string ?? "",
            isLast: payload["is_complete"]?.bool == true
        ).map { "Agent: " + Self.said($0, payload) }
    }

    /// Collects a piece of a message. With the last piece, returns the message's text, which is complete up to
    /// ``VerbLimits/saying`` characters; otherwise nil.
    private mutating func piece(_ piece: String, of id: String, isLast: Bool) -> String? {
        let place = open.firstIndex { $0.id == id }
        let text = (place.map { open[$0].text } ?? "") + piece
        if let place { open.remove(at: place) }
        guard !isLast else { return text }
        open.append((id, String(text.prefix(VerbLimits.saying + 1))))
        if open.count > VerbLimits.openMessages { open.removeFirst() }
        return nil
    }

    private static func line(_ type: String, _ payload: JSONValue) -> String {
        let person = payload["agent_name"]?.string ?? payload["agent"]?["name"]?.string ?? "a live agent"
        switch type {
        case "USER_MESSAGE": return "User: " + said(payload["text"]?.string ?? "", payload)
        case "POLY_AGENT_MESSAGE": return "Agent: " + said(payload["text"]?.string ?? "", payload)
        case "LIVE_AGENT_MESSAGE": return "\(person): " + said(payload["text"]?.string ?? "", payload)
        case "SESSION_START": return "* the session begins"
        case "SESSION_END": return "* the session has ended" + detail(payload)
        case "USER_END_SESSION": return "* the user ends the session"
        case "REQUEST_POLY_AGENT_JOIN": return "* the client asks for the agent"
        case "POLY_AGENT_JOINED": return "* the agent joins"
        case "POLY_AGENT_LEFT": return "* the agent leaves" + detail(payload)
        case "POLY_AGENT_THINKING": return "* the agent thinks"
        case "POLY_AGENT_TRIGGERED_HANDOFF": return "* a handoff begins"
        case "HANDOFF_ACCEPTED": return "* a person will join soon" + detail(payload, "queue_name")
        case "HANDOFF_QUEUE_STATUS": return queue(payload)
        case "HANDOFF_FAILED": return "* the handoff has failed" + detail(payload)
        case "HANDOFF_TIMEOUT": return "* the handoff has timed out" + detail(payload)
        case "CLIENT_HANDOFF_REQUIRED": return "* the client is to hand off" + detail(payload, "route")
        case "LIVE_AGENT_JOINED": return "* \(person) joined"
        case "LIVE_AGENT_LEFT": return "* \(person) left" + detail(payload)
        case "LIVE_AGENT_TYPING": return "* \(person) types" + detail(payload, "state")
        case "USER_TYPING": return "* the user types" + detail(payload, "state")
        case "SYSTEM_MESSAGE": return "* system: " + said(payload["message"]?.string ?? "", payload)
        default: return "* \(type) \(shortened(ValueText.compact(payload)))"
        }
    }

    private static func queue(_ payload: JSONValue) -> String {
        let place = payload["position_in_queue"]?.integer
        var line = place.map { "* position \($0) in line" } ?? "* waiting in line"
        if let name = payload["queue_name"]?.string { line += " of \(name)" }
        if let seconds = payload["estimated_wait_seconds"]?.integer { line += ", about \(seconds) s" }
        return line
    }

    private static func detail(_ payload: JSONValue, _ name: String = "reason") -> String {
        let text = ValueText.text(payload[name])
        return text.isEmpty ? "" : " (\(text))"
    }

    private static func said(_ text: String, _ payload: JSONValue) -> String {
        var line = shortened(text)
        for suggestion in payload["response_suggestions"]?.array ?? [] {
            line += " [\(ValueText.text(suggestion["message_text"]))]"
        }
        for card in payload["attachments"]?.array ?? [] {
            line += " [\(ValueText.text(card["title"])): \(address(ValueText.text(card["content_url"])))]"
        }
        for call in payload["chat_call_actions"]?.array ?? [] {
            line += " [\(ValueText.text(call["title"])): call \(ValueText.text(call["contact_number"]))]"
        }
        return TextTable.oneLine(line)
    }

    /// Returns the URL; of a `data:` URL, only the part before its data.
    private static func address(_ url: String) -> String {
        guard url.hasPrefix("data:"), let comma = url.firstIndex(of: ",") else { return url }
        return url[...comma] + "…"
    }

    private static func shortened(_ text: String) -> String {
        text.count > VerbLimits.saying ? text.prefix(VerbLimits.saying) + "…" : text
    }
}
