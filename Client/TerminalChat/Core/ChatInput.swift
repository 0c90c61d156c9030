package import ChatPresentation
package import Clocks
package import PolyMessaging

/// Input of a chat program. The program is a value: a shell passes inputs to it and executes its outputs.
package enum ChatInput: Sendable {
    case update(ClientUpdate)
    /// A message of the user was delivered or read.
    case receipt(messageID: String, RowMessage.Delivery)
    /// A connection has ended. The SDK may restore it.
    case connectionOver(ConnectionCloseEvent)
    /// Bytes of standard input. An empty array means the end of the input.
    case input([UInt8])
    /// SIGINT.
    case interrupted
    /// SIGTERM.
    case terminated
    case resized(columns: Int, rows: Int)
    case callFailed(ChatCall, ChatFailure)
    /// A connection attempt has failed. The SDK may try again.
    case failed(ChatFailure)
    /// The export to the file with this path has ended. True means success.
    case exported(String, Bool)
    /// A line for the author of the fixtures that the server plays.
    case news(String)
    /// The suspended process continues.
    case continued
    /// The program that read standard output has ended.
    case brokenPipe
    case tick
}

/// A call to the SDK. The shell makes the calls one after the other.
package enum ChatCall: Equatable, Sendable {
    case send(String)
    /// Sends a file from the disk.
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

/// Output of a chat program. The shell executes the outputs in order.
package enum ChatOutput: Equatable, Sendable {
    /// Bytes for standard output.
    case write([UInt8])
    /// A line for standard error.
    case talk(String)
    case call(ChatCall)
    /// Write a file with these bytes.
    case export(String, [UInt8])
    case suspend
    /// Exit with this code after all calls are done.
    case exit(Int32)
}

/// A chat program: line mode, JSON mode or the full screen.
package protocol ChatProgram: Sendable {
    mutating func handle(_ input: ChatInput, at now: Instant) -> [ChatOutput]
    /// Handles inputs in order, and then shows only the final state.
    mutating func handle(_ inputs: [ChatInput], at now: Instant) -> [ChatOutput]
    /// The time of the next ``ChatInput/tick``.
    var nextDeadline: Instant? { get }
    /// The end of the time that the user allows with `--timeout`; nil if there is no limit. Running calls are cancelled
    /// soon after this time.
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
