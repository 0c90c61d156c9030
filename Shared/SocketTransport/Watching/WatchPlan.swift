#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Folders to watch for changes at one path, with the names that matter in each. Watching only the file fails if an
/// editor saves by renaming: the watch stays on the old file.
struct WatchPlan: Equatable {
    enum Names: Equatable {
        case every
        case some(Set<String>)

        func contains(_ name: String) -> Bool {
            switch self {
            case .every: true
            case .some(let names): names.contains(name)
            }
        }

        func merged(with other: Names) -> Names {
            guard case .some(let left) = self, case .some(let right) = other else { return .every }
            return .some(left.union(right))
        }
    }

    private(set) var folders: [String: Names] = [:]

    /// Makes the plan for the current state of the file system.
    init(path: String) {
        follow(path)
        if let target = FileSystem.realPath(path), FileSystem.isFolder(target) {
            folders[target] = .every
            for link in FileSystem.links(in: target).prefix(SocketLimits.watchedLinks) {
                follow(target + "/" + link)
            }
        }
    }

    /// Adds `path` and every symbolic link that must be followed to reach it (path_resolution(7)).
    private mutating func follow(_ path: String) {
        var linksLeft = SocketLimits.watchedSteps
        var rest = FileSystem.parts(of: path)[...]
        var place = path.hasPrefix("/") ? "/" : "."
        while let part = rest.popFirst() {
            let step = place == "/" ? "/" + part : place + "/" + part
            guard let target = FileSystem.linkText(step) else {
                if rest.isEmpty || !FileSystem.isFolder(step) { return addEntry(step) }
                place = step
                continue
            }
            addEntry(step)
            linksLeft -= 1
            guard linksLeft > 0 else { return }
            rest = FileSystem.parts(of: target) + rest
            if target.hasPrefix("/") { place = "/" }
        }
    }

    /// Watches the name of `path` in its folder. If the folder is missing, watches the missing name in the nearest
    /// existing parent.
    private mutating func addEntry(_ path: String) {
        var (folder, name) = FileSystem.split(path)
        while !FileSystem.isFolder(folder), folder != "/", folder != "." {
            (folder, name) = FileSystem.split(folder)
        }
        folders[folder] = folders[folder].map { $0.merged(with: .some([name])) } ?? .some([name])
    }
}

enum FileSystem {
    static func split(_ path: String) -> (folder: String, name: String) {
        var trimmed = Substring(path)
        while trimmed.count > 1, trimmed.hasSuffix("/") { trimmed.removeLast() }
        guard let slash = trimmed.lastIndex(of: "/") else { return (".", String(trimmed)) }
        let folder = trimmed[..<slash]
        return (folder.isEmpty ? "/" : String(folder), String(trimmed[trimmed.index(after: slash)...]))
    }

    static func isFolder(_ path: String) -> Bool {
        var info = stat()
        return stat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFDIR
    }

    static func realPath(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    static func parts(of path: String) -> [String] {
        path.split(separator: "/").filter { $0 != "." }.map(String.init)
    }

    /// Returns the direct target of a symbolic link; nil if `path` is none.
    static func linkTarget(_ path: String) -> String? {
        linkText(path).map { $0.hasPrefix("/") ? $0 : split(path).folder + "/" + $0 }
    }

    /// Returns the text of a symbolic link (readlink(2)); nil if `path` is none.
    static func linkText(_ path: String) -> String? {
        var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = bytes.withUnsafeMutableBytes { buffer in
            guard let base = buffer.baseAddress else { return -1 }
            return readlink(path, base.assumingMemoryBound(to: CChar.self), buffer.count)
        }
        guard count > 0 else { return nil }
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }

    static func links(in folder: String) -> [String] {
        Files.list(folder, atMost: .max).filter { linkTarget(folder + "/" + $0) != nil }
    }
}
