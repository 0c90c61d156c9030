import Fixtures
import ServerCore
import SocketTransport

/// Looks at the fixture files again when they changed, on a queue of its own: compiling a large file must not keep
/// clients waiting.
final class FixtureReloading {
    private let queue = LoopQueue(label: "polymock.fixtures")
    private var isUnderWay = false
    /// Files changed during the look that is under way.
    private var looksAgain = false
    /// What the look under way has read may be older than what the server has.
    private var isOvertaken = false

    /// `done` brings the result back onto the loop, to ``adopt(_:_:into:)``.
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

    /// Takes over what changed on disk.
    ///
    /// - Returns: true when files changed meanwhile, so that another look is due.
    func adopt(_ shelf: FixtureStore, _ news: [FixtureStore.News], into server: Server) -> Bool {
        isUnderWay = false
        if !isOvertaken { server.adopt(shelf, news) }
        defer { (looksAgain, isOvertaken) = (false, false) }
        return looksAgain || isOvertaken
    }

    /// Takes over a version that was saved by this server. A look that is under way may have read an older one; it counts
    /// for nothing, and another follows.
    func take(_ compiled: CompiledFixture, _ bytes: [UInt8], into server: Server) {
        server.tell([server.fixtures.take(compiled, bytes)])
        isOvertaken = isUnderWay
    }

    /// Takes over what a look found that somebody asked for, in place of a look that is under way.
    func take(_ shelf: FixtureStore, _ news: [FixtureStore.News], into server: Server) {
        server.adopt(shelf, news)
        isOvertaken = isUnderWay
    }
}

extension Server {
    /// Takes over fixtures and tells the developer about them.
    fileprivate func adopt(_ shelf: FixtureStore, _ news: [FixtureStore.News]) {
        fixtures.adopt(shelf)
        tell(news)
    }

    fileprivate func tell(_ news: [FixtureStore.News]) {
        for line in news.flatMap(\.lines) { remark("fixture", line) }
        if !controls.watching.isEmpty { fixtureNews += news }
    }

    func takeFixtureNews() -> [FixtureStore.News] {
        defer { fixtureNews = [] }
        return fixtureNews
    }
}

extension FixtureStore.News {
    /// What the log says of it.
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
