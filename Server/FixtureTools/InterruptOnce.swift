import Clocks
import SocketTransport

/// Handler of interrupt signals: calls back at the first one, and ends the process at the second.
final class InterruptOnce: Sendable {
    private let watcher = Locked<SignalWatcher?>(nil)

    func watch(onReady: @escaping @Sendable () -> Void, _ first: @escaping @Sendable () -> Void) {
        let isFirst = Locked(true)
        let watcher = SignalWatcher(onReady: onReady) { [self] _ in
            let tells = isFirst.withLock { flag in
                defer { flag = false }
                return flag
            }
            guard tells else { Files.exitProcess(130) }
            first()
            _ = self
        }
        self.watcher.withLock { $0 = watcher }
    }
}
