import Clocks
import Fixtures
import ServerCore
import SocketTransport

/// The reloading of changed fixture files. It runs on a separate queue, because compiling a large file would delay
/// clients.
final class FixtureReloading {
    private let queue = LoopQueue(label: "polymock.fixtures")
    private var isUnderWay = false
    /// Whether files changed during the current reload.
    private var looksAgain = false
    /// Whether the server has adopted files from elsewhere since the current reload began. Those files may be newer than
    /// the ones that the reload has read.
    private var isOvertaken = false

    /// Begins a reload; `done` passes the result to ``adopt(_:_:into:)`` on the loop.
    func begin(
        _ shelf: FixtureStore, _ done: @escaping @Sendable (FixtureStore, [FixtureStore.News]) -> Void
    ) {
        guard !isUnderWay else {
            looksAgain = true
            return
        }
        isUnderWay = true
        queue.async {
            var copy = shelf
            let news = copy.reload()
            done(copy, news)
        }
    }

    /// Gives the server the reloaded fixtures. Returns true if files changed during the reload, so that another reload
    /// is due.
    func adopt(_ shelf: FixtureStore, _ news: [FixtureStore.News], into server: Server) -> Bool {
        isUnderWay = false
        if !isOvertaken { server.adopt(shelf, news) }
        defer { (looksAgain, isOvertaken) = (false, false) }
        return looksAgain || isOvertaken
    }

    /// Adopts a fixture saved by this server. If a reload is running, the reload is repeated, because it may have read
    /// an older version of the file.
    func adopt(_ compiled: CompiledFixture, _ bytes: [UInt8], into server: Server) {
        server.report([server.fixtures.adopt(compiled, bytes)])
        isOvertaken = isUnderWay
    }

    /// Gives the server the fixtures that the control API reloaded. If another reload is running, it is repeated.
    func overtake(_ shelf: FixtureStore, _ news: [FixtureStore.News], into server: Server) {
        server.adopt(shelf, news)
        isOvertaken = isUnderWay
    }
}

extension Server {
    fileprivate func adopt(_ shelf: FixtureStore, _ news: [FixtureStore.News]) {
        fixtures.adopt(shelf)
        report(news)
    }

    fileprivate func report(_ news: [FixtureStore.News]) {
        for line in news.flatMap(\.lines) { remark("fixture", line) }
        if !controls.watching.isEmpty { fixtureNews += news }
    }

    func takeFixtureNews() -> [FixtureStore.News] {
        defer { fixtureNews = [] }
        return fixtureNews
    }
}

extension FixtureStore.News {
    fileprivate var lines: [String] {
        switch self {
        case .reloaded(let name, let file, let failures): ["\(name) reloaded from \(file)"] + failures
        case .refused(let name, let findings, let hasGoodVersion):
            [
                hasGoodVersion
                    ? "\(name) has mistakes, so its last good version stays in force"
                    : "\(name) has mistakes and cannot be played until they are mended"
            ] + findings
        case .missing(let name, let file): ["\(file) is gone; the last version of \(name) stays in force"]
        }
    }
}

/// A watcher of fixture files. It reports a change when no further change follows for a while (debouncing, in real
/// time).
final class FixtureWatch: Sendable {
    private let watchers: [FileWatcher]
    private let timer: any EventTimer

    /// Paths that cannot be watched are ignored.
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

    /// Returns when all descriptors are closed.
    func cancel() async {
        timer.disarm()
        for watcher in watchers {
            await withCheckedContinuation { continuation in
                watcher.cancel { continuation.resume() }
            }
        }
    }
}
