import Clocks

/// Writer of lines to a standard stream, without blocking the caller. Lines beyond a backlog of 10,000 are dropped.
package final class LineWriter: Sendable {
    private struct State {
        var waiting = 0
        var dropped = 0
    }

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
            // Errors are ignored: a log that cannot be written must not stop the program.
            _ = Files.write(Array(text.utf8), to: output)
            state.withLock { $0.waiting -= 1 }
        }
    }
}
