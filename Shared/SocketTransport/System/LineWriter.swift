import Clocks

/// Asynchronous writer of lines to a standard stream. A stalled reader never blocks the caller: lines beyond the
/// backlog are dropped, and the next written line is preceded by their number.
package final class LineWriter: Sendable {
    private struct State {
        var waiting = 0
        var dropped = 0
    }

    /// Limit of the lines that wait for a slow reader.
    private static let backlog = 10_000

    private let output: Files.Output
    private let queue = LoopQueue(label: "polymock.log")
    private let state = Locked(State())

    package init(_ output: Files.Output) {
        self.output = output
    }

    package func write(_ line: String) {
        let dropped = state.withLock { state -> Int? in
            guard state.waiting < Self.backlog else {
                state.dropped += 1
                return nil
            }
            state.waiting += 1
            defer { state.dropped = 0 }
            return state.dropped
        }
        guard let dropped else { return }
        queue.async { [self] in
            var text = ""
            if dropped > 0 { text = "(\(dropped) lines were lost: nobody read them)\n" }
            text += line + "\n"
            // An error is ignored, because a failed log must not end the program.
            _ = Files.write(Array(text.utf8), to: output)
            state.withLock { $0.waiting -= 1 }
        }
    }
}
