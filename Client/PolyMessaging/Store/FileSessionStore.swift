import SocketTransport

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Session store with one private file per connector token. An invalid file, or one that other users could access, is
/// discarded.
package final class FileSessionStore: SessionStore {
    private let folder: String

    /// - Parameter folder: The path of the folder. Created when the first record is written, with access for its owner
    ///   only.
    package init(folder: String) {
        self.folder = folder
    }

    /// Store in `~/Library/Application Support` on Apple platforms, elsewhere in `$XDG_STATE_HOME` or `~/.local/state`
    /// (XDG Base Directory Specification).
    package static var usual: FileSessionStore {
        #if canImport(Darwin)
            let base = NSHomeDirectory() + "/Library/Application Support"
        #else
            let home = ProcessInfo.processInfo.environment["XDG_STATE_HOME"] ?? ""
            let base =
                home.hasPrefix("/")
                ? home : FileManager.default.homeDirectoryForCurrentUser.path + "/.local/state"
        #endif
        return FileSessionStore(folder: base + "/PolyMessaging")
    }

    package func load(_ namespace: String) -> StoreReading {
        let path = path(namespace)
        switch PrivateFile.read(path, atMost: MessagingLimits.storedBytes) {
        case .missing: return StoreReading()
        case .refused(let reason): return discard(path, reason)
        case .contents(let bytes):
            guard let record = StoredSession(bytes, namespace) else {
                return discard(path, "does not hold a session record")
            }
            return StoreReading(record)
        }
    }

    package func save(_ record: StoredSession?, _ namespace: String) -> String? {
        let path = path(namespace)
        guard let record else {
            return PrivateFile.remove(path).map {
                "The stored session in \(path) could not be removed (errno \($0))."
            }
        }
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            return "The folder \(folder) for stored sessions could not be made: \(error)."
        }
        return PrivateFile.write(record.encoded(namespace), to: path).map {
            "The session could not be stored in \(path) (errno \($0)); it cannot be resumed later."
        }
    }

    private func path(_ namespace: String) -> String { "\(folder)/\(namespace).session" }

    private func discard(_ path: String, _ reason: String) -> StoreReading {
        PrivateFile.remove(path)
        return StoreReading(note: "The stored session in \(path) \(reason); it was discarded.")
    }
}

extension MessagingLimits {
    /// Maximum bytes of a stored record.
    package static let storedBytes = 65_536
}
