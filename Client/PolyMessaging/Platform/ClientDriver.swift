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
        let streams = ClientStreams(
            isProgressive: configuration.rendersProgressively, generator: generator.stream("rows"))
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
        let error = await withCheckedContinuation { continuation in
            loop.submit { state in state.call(input) { continuation.resume(returning: $0) } }
        }
        if let error { throw error }
    }

    /// Returns when everything that was submitted before has been dealt with.
    ///
    /// - Returns: how much has happened so far, to see whether something happens in between.
    @discardableResult
    package func settle() async -> Int { await loop.run { $0.run.inputCount } }

    /// Settles on the caller's thread, which blocks; for tests and tools.
    package func settleHere() -> Int { loop.runHere { $0.run.inputCount } }
}
