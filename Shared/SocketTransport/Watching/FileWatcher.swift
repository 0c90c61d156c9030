import Clocks
import Dispatch

/// Watches one file, or the direct entries of one folder. Follows symbolic links. One save usually causes several
/// calls, so the user of this class should wait a moment before reading. Stops when it is cancelled or released.
package final class FileWatcher: Sendable {
    private let watch: FolderWatch
    private let queue: LoopQueue

    /// Calls `onChange` on the watcher's own queue. Nothing needs to exist at `path` yet.
    package init(path: String, onChange: @escaping @Sendable () -> Void) throws(SocketError) {
        queue = LoopQueue(label: "polymock.watcher")
        do {
            watch = try FolderWatch(path: path, queue: queue, onChange: onChange)
        } catch {
            throw SocketError(.watch(path: path), errno: error.code)
        }
    }

    deinit { cancel() }

    /// Stops the calls of `onChange`; one that is already running continues. `completion` is called after the
    /// descriptors are closed.
    package func cancel(_ completion: @escaping @Sendable () -> Void = {}) {
        watch.cancel(completion)
    }
}
