package import Clocks
import SocketTransport

/// Runs a ``ClientCore``: gives it what happens, one thing at a time, and does what it says.
///
/// Everything happens on a loop of the driver's own. The driver decides nothing.
package final class ClientDriver: Sendable {
    package let streams: ClientStreams
    package let clock: any EventClock
    private let loop: Loop<ClientDriverState>

    /// Starts at once.
    package init(_ configuration: Configuration, _ dependencies: Dependencies) {
        let generator = SeededGenerator(seed: dependencies.seed)
        let streams = ClientStreams(generator: generator.stream("rows"))
        self.streams = streams
        clock = dependencies.clock
        loop = Loop(driving: "PolyMessaging.client") {
            ClientDriverState(configuration, dependencies, streams)
        }
    }

    /// Passes on what needs no answer.
    package func submit(_ input: ClientCore.Input) {
        loop.submit { $0.handle(input) }
    }

    /// Makes a call of the app and waits for its end.
    package func call(_ input: @escaping @Sendable (ClientCore.CallID) -> ClientCore.Input) async throws {
        try await wait { $0.call(input, $1) }
    }

    /// Says a text; the metadata is remembered until it has arrived.
    package func send(_ text: String, metadata: [String: String]) async throws {
        try await wait { $0.send(text, metadata, $1) }
    }

    /// Says once more what a draft that was given up had to say; the draft is forgotten.
    package func retry(draftID: String) async throws {
        try await wait { $0.retry(draftID, $1) }
    }

    private func wait(
        _ call: @escaping @Sendable (ClientDriverState, @escaping ClientDriverState.Answer) -> Void
    ) async throws {
        let error = await withCheckedContinuation { continuation in
            loop.submit { state in call(state) { continuation.resume(returning: $0) } }
        }
        if let error { throw error }
    }

    /// No more copies of a draft, and no row of it for those who begin to listen later.
    package func removeDraft(_ id: String) {
        loop.submit { $0.removeDraft(id) }
    }

    /// Returns when everything that was submitted before has been dealt with.
    ///
    /// - Returns: how much has happened so far, to see whether something happens in between.
    @discardableResult
    package func settle() async -> Int { await loop.run { $0.run.inputCount } }

    /// The same on the caller's thread, which waits; for tests and tools.
    package func settleHere() -> Int { loop.runHere { $0.run.inputCount } }
}
