import Expectations
import TestSupport
import Testing

@testable import SocketTransport

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A folder for one test, removed with its contents when released.
private final class Folder: Sendable {
    let path: String

    init() throws {
        var template = Array("/tmp/polymock-watch-XXXXXX".utf8CString)
        path = try #require(mkdtemp(&template).map { String(cString: $0) })
    }

    deinit { Self.empty(path) }

    private static func empty(_ path: String) {
        for name in Files.list(path) {
            let entry = path + "/" + name
            if FileSystem.linkTarget(entry) == nil, FileSystem.isFolder(entry) {
                empty(entry)
            } else {
                unlink(entry)
            }
        }
        rmdir(path)
    }

    func at(_ name: String) -> String { path + "/" + name }

    func write(_ name: String, _ text: String = "text") throws {
        let file = try #require(fopen(at(name), "w"))
        fputs(text, file)
        fclose(file)
    }

    func rename(_ from: String, _ to: String) { moveFile(at(from), at(to)) }
    func remove(_ name: String) { unlink(at(name)) }
    func link(_ name: String, to target: String) { symlink(target, at(name)) }
    func makeFolder(_ name: String) { mkdir(at(name), 0o755) }
    func removeFolder(_ name: String) { Self.empty(at(name)) }
}

private func moveFile(_ from: String, _ to: String) {
    _ = rename(from, to)
}

/// A watcher whose calls can be awaited.
private struct Watch {
    let watcher: FileWatcher
    private let calls: AsyncStream<Void>

    init(_ path: String) throws {
        let (calls, sink) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.calls = calls
        watcher = try FileWatcher(path: path) { sink.yield() }
    }

    /// Returns at the next call; the suite's time limit catches the call that never comes.
    func change() async {
        for await _ in calls { return }
    }

    func stop() async {
        await withCheckedContinuation { continuation in watcher.cancel { continuation.resume() } }
    }
}

@Suite("File watcher", .timeLimit(.minutes(5)))
struct FileWatcherTests {
    enum Change: CaseIterable {
        case write
        case renameOver
        case remove
    }

    @Test("A file tells of every way to save it", arguments: Change.allCases, [false, true] as [Bool])
    func file(_ change: Change, watchingFolder: Bool) async throws {
        let folder = try Folder()
        try folder.write("a.json5")
        let watch = try Watch(watchingFolder ? folder.path : folder.at("a.json5"))
        switch change {
        case .write: try folder.write("a.json5", "other")
        case .renameOver:
            try folder.write("a.tmp")
            folder.rename("a.tmp", "a.json5")
        case .remove: folder.remove("a.json5")
        }
        await watch.change()
        await watch.stop()
    }

    @Test("Saving by rename is seen the second time too")
    func renameTwice() async throws {
        let folder = try Folder()
        try folder.write("a")
        let watch = try Watch(folder.at("a"))
        for _ in 0..<2 {
            try folder.write("b")
            folder.rename("b", "a")
            await watch.change()
        }
        await watch.stop()
    }

    @Test("A file and a folder that do not exist yet are seen when they come")
    func creation() async throws {
        let folder = try Folder()
        let file = try Watch(folder.at("a"))
        try folder.write("a")
        await file.change()
        await file.stop()

        let nested = try Watch(folder.at("sub/deep"))
        folder.makeFolder("sub")
        await nested.change()
        folder.makeFolder("sub/deep")
        await nested.change()
        try folder.write("sub/deep/a")
        await nested.change()
        await nested.stop()
    }

    @Test("A folder that was deleted and made again is watched again")
    func recreatedFolder() async throws {
        let folder = try Folder()
        folder.makeFolder("sub")
        let watch = try Watch(folder.at("sub"))
        folder.removeFolder("sub")
        await watch.change()
        folder.makeFolder("sub")
        await watch.change()
        try folder.write("sub/a")
        await watch.change()
        await watch.stop()
    }

    @Test("A change of what a symbolic link points to counts", arguments: [false, true] as [Bool])
    func linkTarget(watchingFolder: Bool) async throws {
        let target = try Folder()
        let folder = try Folder()
        try target.write("real")
        folder.link("a", to: target.at("real"))
        let watch = try Watch(watchingFolder ? folder.path : folder.at("a"))
        try target.write("new")
        target.rename("new", "real")
        await watch.change()
        await watch.stop()
    }

    @Test("Pointing a link elsewhere counts")
    func linkMoved() async throws {
        let folder = try Folder()
        try folder.write("one")
        try folder.write("two")
        folder.link("a", to: "one")
        let watch = try Watch(folder.at("a"))
        folder.link("b", to: "two")
        folder.rename("b", "a")
        await watch.change()
        await watch.stop()
    }

    /// A path to a file of `release-1`, its links, and the one that is turned to `release-2`.
    struct Flip: Sendable {
        let path: String
        var links: [(name: String, target: String)]
        var turned: (name: String, target: String)

        static let all = [
            Flip(path: "now/a", links: [("now", "release-1")], turned: ("now", "release-2")),
            Flip(path: "now/a", links: [("now", "/release-1")], turned: ("now", "/release-2")),
            Flip(
                path: "now/./a", links: [("now", "./release-1/")], turned: ("now", "release-1/../release-2")),
            // A ConfigMap of Kubernetes: the file is a link through a link.
            Flip(
                path: "a", links: [("a", "..data/a"), ("..data", "release-1")],
                turned: ("..data", "release-2")),
            Flip(
                path: "now/a", links: [("now", "stage"), ("stage", "release-1")],
                turned: ("stage", "release-2")),
            Flip(
                path: "deep/now/a", links: [("deep", "."), ("now", "release-1")], turned: ("now", "release-2")
            ),
            // A link that leads nowhere until the release is there.
            Flip(path: "now/a", links: [("now", "release-3")], turned: ("now", "release-2")),
        ]
    }

    @Test(
        "A link anywhere on the way to a file counts, and so does what it then leads to", arguments: Flip.all)
    func linkOnTheWay(_ flip: Flip) async throws {
        let folder = try Folder()
        let root = try #require(FileSystem.realPath(folder.path))
        func target(_ text: String) -> String { text.hasPrefix("/") ? root + text : text }
        for release in ["release-1", "release-2"] {
            folder.makeFolder(release)
            try folder.write(release + "/a", release)
        }
        for link in flip.links { folder.link(link.name, to: target(link.target)) }
        let watch = try Watch(folder.at(flip.path))
        folder.link("next", to: target(flip.turned.target))
        folder.rename("next", flip.turned.name)
        await watch.change()
        // One call for each event: the last of the turn itself may come late.
        let folders = WatchPlan(path: root + "/" + flip.path).folders
        #expect(
            folders.contains { FileSystem.realPath($0.key) == root + "/release-2" && $0.value.contains("a") })
        try folder.write("release-2/a", "edited")
        await watch.change()
        await watch.stop()
    }

    @Test("A burst of changes is told, and cancelling releases the descriptor")
    func burst() async throws {
        await #expect(processExitsWith: .success) {
            let folder = try Folder()
            for round in 0..<20 {
                let before = ProcessInfoLite.openDescriptors
                let watch = try Watch(folder.path)
                for number in 0..<200 { try folder.write("file\(number)") }
                await watch.change()
                await watch.stop()
                await watch.stop()
                // The first round makes Dispatch open descriptors of its own.
                if round > 0 { expectEqual(ProcessInfoLite.openDescriptors, before) }
            }
        }
    }

    @Test("A plan names the entry in its folder and each step of its links")
    func plan() throws {
        let folder = try Folder()
        try folder.write("real")
        folder.link("middle", to: "real")
        folder.link("top", to: "middle")
        let root = try #require(FileSystem.realPath(folder.path))
        expectEqual(WatchPlan(path: root + "/top").folders, [root: .some(["top", "middle", "real"])])
        folder.makeFolder("one")
        try folder.write("one/file")
        folder.link("folder", to: root + "/one")
        expectEqual(
            WatchPlan(path: root + "/folder/file").folders,
            [root: .some(["folder"]), root + "/one": .some(["file"])])
        folder.link("circle", to: "circle")
        expectEqual(WatchPlan(path: root + "/circle").folders, [root: .some(["circle"])])
    }
}
