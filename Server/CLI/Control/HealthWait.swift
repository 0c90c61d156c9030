import Clocks
import ControlClient
import SocketTransport

/// Polling of a starting server, for `polymock health --wait`.
struct HealthWait {
    private let clock: any EventClock
    private let deadline: Instant

    init(_ length: Interval, clock: any EventClock = SystemClock()) {
        self.clock = clock
        deadline = clock.now + length
    }

    /// Returns the first answer. Throws if waiting does not help, or is over.
    func answer(of client: ControlClient) async throws(ControlError) -> ControlAnswer {
        while true {
            do throws(ControlError) {
                let left = max(deadline - clock.now, VerbLimits.healthPause)
                return try await client.call("GET", "health", patience: min(left, VerbLimits.healthPatience))
            } catch {
                guard Self.mayPass(error), clock.now < deadline else { throw error }
            }
            await pause()
        }
    }

    private static func mayPass(_ error: ControlError) -> Bool {
        switch error {
        case .badAddress: false
        case .refused(let status, _, _): status >= 500
        case .nothingAnswers, .unreachable, .broken, .tooLate: true
        }
    }

    private func pause() async {
        let (rings, bell) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let timer = clock.makeTimer { bell.yield() }
        timer.arm(at: min(clock.now + VerbLimits.healthPause, deadline))
        for await _ in rings { break }
    }
}
