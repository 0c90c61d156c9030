import Clocks
import SocketTransport

/// Notices that fixture files changed, and waits until a burst of writes is over before it says so.
///
/// Real time, also for servers whose own clock stands still: files are saved by people.
final class FixtureWatch: Sendable {
    private let watchers: [FileWatcher]
    private let timer: any EventTimer

    /// Paths that cannot be watched are left out; the fixtures then stay as they are.
    init(_ paths: [String], onChange: @escaping @Sendable () -> Void) {
        let clock = SystemClock()
        let timer = clock.makeTimer(onChange)
        self.timer = timer
        watchers = paths.compactMap { path in
            try? FileWatcher(path: path) {
                timer.arm(at: clock.now + .milliseconds(ServerLimits.saveSettlingMilliseconds))
            }
        }
    }

    /// Returns when no descriptor is left.
    func cancel() async {
        timer.disarm()
        for watcher in watchers {
            await withCheckedContinuation { continuation in
                watcher.cancel { continuation.resume() }
            }
        }
    }
}
