package import Clocks
package import PolyMessaging

/// Input of a chat program. The program is a value; a shell feeds it inputs and performs its outputs.
package enum ChatInput: Sendable {
    case update(ClientUpdate)
    /// A connection is over, for good or to be made again.
    case connectionOver(ConnectionCloseEvent)
    /// Bytes of standard input; empty at its end.
    case input([UInt8])
    /// Control-C as a signal.
    case interrupted
    /// `kill`.
    case terminated
    case resized(columns: Int, rows: Int)
    case callFailed(ChatCall, ChatFailure)
    /// A connection could not be made, for good or to be tried again.
    case failed(ChatFailure)
    /// A file was written, or could not be.
    case exported(String, Bool)
    /// The program was stopped and goes on.
    case continued
    /// The reader of standard output is gone.
    case brokenPipe
    case tick
}

/// Call of the SDK, made by the shell one after the other.
package enum ChatCall: Equatable, Sendable {
    case send(String)
    case retry(draftID: String)
    case discard(draftID: String)
    case typing
    case setTyping(Bool)
    case heartbeat
    /// A frame, unchanged.
    case raw(String)
    case resume
    case startNew
    case end
}

/// Output of a chat program, performed in order.
package enum ChatOutput: Equatable, Sendable {
    /// To standard output.
    case write([UInt8])
    /// To standard error.
    case talk(String)
    case call(ChatCall)
    /// A file with these bytes.
    case export(String, [UInt8])
    /// Stops the process until it is continued.
    case suspend
    /// Leaves when all calls are done.
    case exit(Int32)
}

/// A chat program: line mode, JSON mode or the full screen.
package protocol ChatProgram: Sendable {
    mutating func handle(_ input: ChatInput, at now: Instant) -> [ChatOutput]
    /// Handles simultaneous inputs in order: shown once, not after each.
    mutating func handle(_ inputs: [ChatInput], at now: Instant) -> [ChatOutput]
    /// Time of the next ``ChatInput/tick``.
    var nextDeadline: Instant? { get }
    /// Time limit set by the user, calls included.
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
