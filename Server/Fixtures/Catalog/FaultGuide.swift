package import ConversationEngine

extension Fault.Moment.Kind {
    /// Form of the moment in fixtures, with `N` and `M` for its numbers: `reply N chunk M`.
    package var form: String {
        var letters = ["N", "M"][...]
        return rawValue.split(separator: " ").map { $0 == "1" ? letters.removeFirst() : String($0) }
            .joined(separator: " ")
    }

    package var about: String {
        switch self {
        case .token: "somebody asks for a token"
        case .session: "somebody asks for a session"
        case .handshake: "a connection of the session is asked for the N-th time"
        case .connect: "the N-th connection of the session gets its history"
        case .userMessage: "the N-th message of the user is echoed"
        case .reply: "the agent begins its N-th reply; the greeting is the first"
        case .replyChunk: "chunk M of the N-th reply leaves"
        case .queueUpdate: "the N-th position in the queue is sent"
        case .liveAgentJoins: "a live agent joins"
        case .heartbeat: "the N-th heartbeat is answered"
        case .request: "the N-th request for an operation of the protocol, here CreateSession"
        case .run: "the N-th run of the session sends its first event"
        case .runEvent: "event M of the N-th run leaves"
        case .anyEvent: "whatever is sent next"
        }
    }
}

extension Fault.Effect.Kind {
    /// Description of the effect's arguments.
    package var takes: String {
        switch self {
        case .drop: "connection"
        case .stall: "a length of time, forever"
        case .close: "1000–1003, 1007–1014, 3000–4999"
        case .refuse: "400–599, with it retryAfter and type"
        case .delay, .lag: "a length of time"
        case .lose, .repeated, .swap: "event"
        case .garble: (["event"] + Fault.Garble.allCases.map(\.rawValue)).joined(separator: ", ")
        case .split: "2–\(FixtureLimits.pieces)"
        case .throttle: "1–\(FixtureLimits.throttle)"
        case .expire: "token"
        case .agentError: KnownProblem.allCases.map(\.rawValue).joined(separator: ", ")
        case .handoff: "fails, times out"
        }
    }

    package var about: String {
        switch self {
        case .drop: "the connection breaks before it, without a close frame"
        case .stall: "it waits, and so does all that follows"
        case .close: "a close frame with this code comes instead"
        case .refuse: "the request is refused with this status"
        case .delay: "it is late, and so is what follows"
        case .lose: "it is not sent; the journal has it"
        case .repeated: "it is sent twice"
        case .swap: "it changes places with the next one"
        case .garble: "it is damaged on its way"
        case .split: "it comes in so many frames"
        case .throttle: "from here on the client gets so many bytes a second"
        case .lag: "from here on the server hears the client so much later"
        case .expire: "the session's token is refused from now on"
        case .agentError: "the agent fails with this problem"
        case .handoff: "the handoff under way ends so"
        }
    }

    package var moments: [Fault.Moment.Kind] {
        Fault.Moment.Kind.allCases.filter { kind in
            let moment = Fault.Moment(kind.rawValue, count: { Int($0) }, isOperation: { _ in true })
            return moment.map { target.absence(at: $0) == nil } ?? false
        }
    }
}
