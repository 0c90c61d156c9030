import Clocks
import Dispatch

/// Watcher of one file or folder: reports changed contents, replacement by a rename, removal and return.
///
/// A folder stands for the entries directly in it; symbolic links are followed. Several calls for one save
/// are usual, so the user waits a moment before reading. Stops when cancelled or released.
package final class FileWatcher: Sendable {
    private let watch: FolderWatch
    private let queue: LoopQueue

    /// `path` need not exist yet. `onChange` is called on the watcher's own queue.
    package init(path: String, onChange: @escaping @Sendable () -> Void) throws(SocketError) {
        queue = LoopQueue(label: "polymock.watcher")
        do {
            watch = try FolderWatch(path: path, queue: queue, onChange: onChange)
        } catch {
            throw SocketError(.watch(path: path), errno: error.code)
        }
    }

    deinit { cancel() }

    /// Calls nothing any more, apart from a call already under way, and releases its descriptors;
    /// `completion` is called once they are released.
    package func cancel(_ completion: @escaping @Sendable () -> Void = {}) {
        watch.cancel(completion)
    }
}
