package import ChatPresentation
package import Clocks
package import PolyMessaging

package enum ChatInput: Sendable {
    case update(ClientUpdate)
    case receipt(messageID: String, RowMessage.Delivery)
    /// A connection has ended.
    case connectionOver(ConnectionCloseEvent)
    /// Bytes of standard input. An empty array means its end.
    case input([UInt8])
    case interrupted
    case terminated
    case resized(columns: Int, rows: Int)
    case callFailed(ChatCall, ChatFailure)
    /// The start of a contact, or a connection attempt, has failed.
    case failed(ChatFailure)
    /// Path of the export, and whether it succeeded.
    case exported(String, Bool)
    /// Answer to ``ChatOutput/askForRest(session:)``.
    case rest(isDue: Bool)
    /// A line for the author of the server's fixtures.
    case news(String)
    case continued
    /// The process that reads standard output has ended.
    case brokenPipe
    case tick
}

/// Call of the chat client.
package enum ChatCall: Equatable, Sendable {
    case send(String)
    case sendFile(String)
    case retry(draftID: String)
    case discard(draftID: String)
    case typing
    case setTyping(Bool)
    case heartbeat
    case raw(String)
    case resume
    case startNew
    case end
}

package enum ChatOutput: Equatable, Sendable {
    case write([UInt8])
    case talk(String)
    case call(ChatCall)
    /// Ask whether the server's script has more messages for this session.
    case askForRest(session: String)
    case export(String, [UInt8])
    case suspend
    case exit(Int32)
}

/// State machine of line mode, JSON mode or the full screen.
package protocol ChatProgram: Sendable {
    mutating func handle(_ input: ChatInput, at now: Instant) -> [ChatOutput]
    mutating func handle(_ inputs: [ChatInput], at now: Instant) -> [ChatOutput]
    var nextDeadline: Instant? { get }
    /// Time at which `--timeout` ends the program, or nil.
    var end: Instant? { get }
}

extension ChatProgram {
    package var end: Instant? { nil }

    package mutating func handle(_ inputs: [ChatInput], at now: Instant) -> [ChatOutput] {
        var outputs: [ChatOutput] = []
        for input in inputs { outputs += handle(input, at: now) }
        return outputs
    }
}
