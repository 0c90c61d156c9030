import Clocks
import Fixtures
import SocketTransport

/// Reloader of changed fixture files, on a queue.
final class FixtureReloading {
    private let queue = LoopQueue(label: "polymock.fixtures")
    private var isUnderWay = false
    /// Whether files changed during the current reload.
    private var looksAgain = false
    /// Whether other fixtures were adopted during the reload.
    private var isOvertaken = false

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

    /// Adopts the reloaded fixtures, unless others were adopted meanwhile. Returns true if another reload is due.
    func adopt(_ shelf: FixtureStore, _ news: [FixtureStore.News], into server: Server) -> Bool {
        isUnderWay = false
        if !isOvertaken { server.adopt(shelf, news) }
        defer { (looksAgain, isOvertaken) = (false, false) }
        return looksAgain || isOvertaken
    }

    /// Adopts a fixture that was saved, and repeats a running reload.
    func adopt(_ compiled: CompiledFixture, _ bytes: [UInt8], into server: Server) {
        server.report([server.fixtures.adopt(compiled, bytes)])
        isOvertaken = isUnderWay
    }

    /// Adopts fixtures that were reloaded on request. Repeats a running reload.
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

/// Watcher of fixture files, debounced in real time.
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

    func cancel() async {
        timer.disarm()
        for watcher in watchers {
            await withCheckedContinuation { continuation in
                watcher.cancel { continuation.resume() }
            }
        }
    }
}
