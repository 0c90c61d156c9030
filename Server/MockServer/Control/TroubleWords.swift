import Clocks
import ConversationEngine
import MessagingWire
import ServerCore
import Texts

/// Troubles in the words that fixtures use for them; reads back as the same trouble.
enum TroubleWords {
    /// `{name, at, do, times, per, chance}`, with `id` and `strikes` where they are known.
    static func json(_ trouble: Trouble, id: UInt64?, strikes: Int) -> JSONValue {
        ControlJSON.object(
            [("id", id.map { ControlJSON.count($0) } ?? .null)] + members(trouble)
                + [("strikes", ControlJSON.count(strikes))])
    }

    static func members(_ trouble: Trouble) -> [(String, JSONValue)] {
        [
            ("name", .string(trouble.name)), ("at", .string(moment(trouble.moment))),
            ("do", effect(trouble.effect)), ("times", ControlJSON.count(trouble.times ?? 1)),
            ("per", .string(trouble.span.rawValue)),
            ("chance", trouble.chance == 1 ? .integer(1) : .double(trouble.chance)),
        ]
    }

    static func moment(_ moment: Trouble.Moment) -> String {
        switch moment {
        case .token: "token"
        case .session: "session"
        case .handshake(let number): "handshake \(number)"
        case .connect(let number): "connect \(number)"
        case .userMessage(let number): "user message \(number)"
        case .reply(let number): "reply \(number)"
        case .replyChunk(let reply, let chunk): "reply \(reply) chunk \(chunk)"
        case .queueUpdate(let number): "queue update \(number)"
        case .personJoins: "person joins"
        case .heartbeat(let number): "heartbeat \(number)"
        case .request(let operation, let number): "request \(operation) \(number)"
        case .anyEvent: "any event"
        }
    }

    static func effect(_ effect: Trouble.Effect) -> JSONValue {
        switch effect {
        case .drop: .object(["drop": .string("connection")])
        case .stall(let time): .object(["stall": .string(time.map(ControlJSON.length) ?? "forever")])
        case .close(let code): .object(["close": ControlJSON.count(code)])
        case .refuse(let status, nil): .object(["refuse": ControlJSON.count(status)])
        case .refuse(let status, let retryAfter?):
            .object([
                "refuse": ControlJSON.count(status), "retryAfter": .string(ControlJSON.length(retryAfter)),
            ])
        case .delay(let time): .object(["delay": .string(ControlJSON.length(time))])
        case .lose: .object(["lose": .string("event")])
        case .repeated: .object(["repeat": .string("event")])
        case .swap: .object(["swap": .string("event")])
        case .garble(let kind): .object(["garble": .string(kind.rawValue)])
        case .agentError(let problem): .object(["agentError": .string(problem.rawValue)])
        case .handoff(.fails): .object(["handoff": .string("fails")])
        case .handoff(.timesOut): .object(["handoff": .string("times out")])
        case .handoff(.joins): .object(["handoff": .string("joins")])
        }
    }

    static func scope(_ scope: TroubleScope) -> String {
        switch scope {
        case .all: "all"
        case .tag(let tag): "tag:\(tag)"
        case .session(let id): "session:\(id)"
        case .connection(let number): "connection:\(number)"
        }
    }
}
