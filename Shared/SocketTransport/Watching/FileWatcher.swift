import Dispatch

/// Watcher of one file, or of the direct entries of one folder, through symbolic links. One save may cause several
/// calls. Stops when cancelled or released.
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

    /// Stops the calls of `onChange`, except one already running. Calls `completion` after the descriptors are closed.
    package func cancel(_ completion: @escaping @Sendable () -> Void = {}) {
        watch.cancel(completion)
    }
}
