import ControlClient
import Texts

/// State machine of `polymock takeover`: converts typed lines to calls, without a socket.
struct OperatorSession {
    enum Output: Equatable {
        /// A call to the server. With `carriesParts`, its success clears the collected parts.
        case call(ControlRequest, carriesParts: Bool = false)
        case talk(String)
        case misuse(String)
        case quit
    }

    private let session: String
    private(set) var parts = SpokenParts()
    private(set) var isLiveAgentHere = false
    private(set) var isOver = false

    init(session: String) { self.session = session }

    mutating func receive(_ line: String) -> [Output] {
        switch OperatorCommand(line) {
        case .nothing: return []
        case .say(let text): return [send(text)]
        case .take: return [action("takeOver")]
        case .back(let answersLast): return [action("handBack", ("answersLast", .bool(answersLast)))]
        case .join(let name): return [action("join", ("name", .string(name)))]
        case .type(let isOn): return [action("typing", ("state", .string(isOn ? "started" : "stopped")))]
        case .suggest(let texts):
            parts.suggestions += texts
            return [.talk(waiting)]
        case .card(let card):
            parts.cards.append(card)
            return [.talk(waiting)]
        case .call(let call):
            parts.calls.append(call)
            return [.talk(waiting)]
        case .handoff: return [action("triggerHandoff")]
        case .accept: return [action("accept")]
        case .queue(let name, let position, let waitSeconds):
            return [
                action(
                    "updateQueue", ("queue", name.map { .string($0) }), ("position", .integer(position)),
                    ("waitSeconds", waitSeconds.map { .integer($0) }))
            ]
        case .fail(let reason): return [action("fail", ("reason", reason.map { .string($0) }))]
        case .timeOut(let reason): return [action("timeOut", ("reason", reason.map { .string($0) }))]
        case .require(let route):
            return [action("requireClientHandoff", ("route", route.map { .string($0) }))]
        case .leave(let reason): return [action("leave", ("reason", reason.map { .string($0) }))]
        case .end: return [end()]
        case .quit: return [.quit]
        case .help: return [.talk(OperatorCommand.helpText)]
        case .misuse(let sentence): return [.misuse(sentence)]
        }
    }

    /// Updates the state from an event. Events must be in journal order.
    mutating func record(_ event: JSONValue) {
        switch EventText.shortType(event["type"]?.string ?? "") {
        case "LIVE_AGENT_JOINED": isLiveAgentHere = true
        case "LIVE_AGENT_LEFT": isLiveAgentHere = false
        case "SESSION_END": (isLiveAgentHere, isOver) = (false, true)
        default: break
        }
    }

    mutating func clearParts() { parts = SpokenParts() }

    private var waiting: String {
        let counts = [
            (parts.suggestions.count, "suggestion"), (parts.cards.count, "card"),
            (parts.calls.count, "call button"),
        ]
        let names = counts.filter { $0.0 > 0 }.map { Counted.text($0.0, $0.1) }
        return "with the next line: " + names.joined(separator: ", ")
    }

    private func send(_ text: String) -> Output {
        var object: JSONObject = ["action": .string("send"), "text": .string(text)]
        object.members += parts.members
        return .call(request("takeover", object), carriesParts: !parts.isEmpty)
    }

    /// Ends the session.
    private func end() -> Output {
        guard !isLiveAgentHere else { return action("leave", ("ends", .bool(true))) }
        return .call(request("end", ["reason": .string("natural")]))
    }

    private func action(_ action: String, _ members: (String, JSONValue?)...) -> Output {
        .call(request("takeover", JSONObject(present: [("action", .string(action))] + members)))
    }

    private func request(_ path: String, _ body: JSONObject) -> ControlRequest {
        ControlRequest("POST", "sessions", session, path, body: body)
    }
}
