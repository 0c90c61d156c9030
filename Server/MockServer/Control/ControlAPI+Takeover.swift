import ConversationEngine
import DialectKit
import HTTPCore
import Texts

/// Takeover of a session by an operator (protocol.md#human-at-the-controls).
extension ControlAPI {
    /// JSON members of each action, except `action` and `by`.
    static let actions: [(name: String, members: [String])] = [
        ("takeOver", []), ("handBack", ["answersLast"]), ("join", ["name", "id", "avatar"]),
        ("typing", ["state"]), ("send", ["text", "suggestions", "attachments", "calls", "pieces"]),
        ("leave", ["reason", "ends"]), ("triggerHandoff", []), ("accept", ["queue"]),
        ("updateQueue", ["queue", "position", "waitSeconds", "displayMessage"]), ("fail", ["reason"]),
        ("timeOut", ["reason"]), ("requireClientHandoff", ["reason", "route"]),
    ]

    func takeOver() throws(ControlProblem) -> Response {
        let session = try find(id)
        let body = try ControlBody(request.body)
        let names = Self.actions.map(\.name)
        guard let name = try body.choice("action", names) else {
            throw .bad("\"action\" is missing; use \(names.joined(separator: ", ")).")
        }
        let members = Self.actions.first { $0.name == name }?.members ?? []
        try body.allow(["action", "by"] + members)
        let by = try body.shortText("by") ?? ConversationEngine.controls
        let action = try action(name, body, by: by)
        if let refusal = server.apply(action, in: session.handle, by: by) {
            throw ControlProblem(409, refusal.description)
        }
        let takeover = server.engine[session.handle].map { Self.takeover(of: $0) } ?? .null
        return ControlJSON.response(.object(["takeover": takeover]))
    }

    private func action(
        _ name: String, _ body: ControlBody, by: String
    ) throws(ControlProblem) -> OperatorAction {
        switch name {
        case "takeOver": return .takeOver
        case "handBack": return .handBack(answersLast: try body.flag("answersLast") ?? false)
        case "join":
            var profile = Self.profile(named: try body.shortText("name") ?? by)
            if let id = try body.shortText("id") { profile.id = id }
            profile.avatar = try body.text("avatar")
            return .join(profile)
        case "typing":
            let state = try body.choice("state", ["started", "stopped"]) ?? "started"
            return .typing(state == "started" ? .started : .stopped)
        case "send":
            let said = try RequestedMessage(body)
            return .send(
                text: said.text, parts: said.parts, pieces: try body.count("pieces", in: 1...1_000) ?? 1)
        case "leave": return .leave(reason: try body.text("reason"), ends: try body.flag("ends") ?? false)
        case "triggerHandoff": return .triggerHandoff
        case "accept": return .accept(queueName: try body.text("queue"))
        case "updateQueue":
            return .updateQueue(
                QueueStatus(
                    queueName: try body.text("queue"),
                    position: try body.count("position", in: 1...1_000_000),
                    estimatedWaitSeconds: try body.count("waitSeconds", in: 0...1_000_000),
                    displayMessage: try body.text("displayMessage")))
        case "fail": return .fail(reason: try body.text("reason"))
        case "timeOut": return .timeOut(reason: try body.text("reason"))
        default:
            return .requireClientHandoff(reason: try body.text("reason"), route: try body.text("route"))
        }
    }
}

extension ControlRoute {
    static let agents: [ControlRoute] = [
        .init(
            "takeOver", "POST", "sessions/{id}/takeover", "Take over a session", body: .object,
            refuses: [409], .once(ControlAPI.takeOver))
    ]
}
