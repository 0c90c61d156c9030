import Clocks
import ConversationEngine
import ServerCore
import SocketTransport
import WebSocketCore

/// Starting and stopping.
extension ServerLoop {
    func listen(on host: String, port: UInt16) -> Result<UInt16, ServerError> {
        do throws(SocketError) {
            let (id, address) = try sockets.listen(host: host, port: port)
            listener = id
            guard sockets.hasSpareDescriptors(ServerLimits.leastDescriptors) else {
                sockets.stopListening(id)
                return .failure(
                    .cannotListen(
                        "the system lets this program open too few files at once (ulimit -n); allow 64 or "
                            + "more, and one for each connection"))
            }
            if !address.isLoopback, configuration.control.isOn, configuration.control.token == nil {
                remark(
                    "warning",
                    "anyone who reaches \(host) may steer this server under /_mock/; set a control token "
                        + "(--control-token), or switch the control API off (--no-control)")
            }
            return .success(address.port)
        } catch {
            return .failure(.cannotListen("\(error)"))
        }
    }

    func start(timer: any EventTimer, on queue: LoopQueue, onReady: @escaping @Sendable () -> Void) {
        start(timer: timer)
        sockets.start(on: queue, onReady: onReady)
        noteShortTokens()
    }

    /// The published SDKs renew a token that has 300 seconds left or less before they connect, and a session is bound
    /// to its token.
    private func noteShortTokens() {
        let life = configuration.tokens.life
        guard life <= .seconds(ServerLimits.renewalSeconds), configuration.tokens.binding != .off else {
            return
        }
        remark(
            "note",
            "access tokens live for \(life) (tokens.life, --expires-in): the published SDKs renew them before they "
                + "connect, are refused with 401 and give up; use more than \(ServerLimits.renewalSeconds) seconds, "
                + "or tokens.binding \"off\"")
    }

    /// Looks at the fixture files again, on a queue of its own: compiling a large file must not keep clients
    /// waiting. `done` brings the result back onto this loop, to ``adopt(_:_:)``.
    func reloadFixtures(_ done: @escaping @Sendable (FixtureShelf, [FixtureShelf.News]) -> Void) {
        guard !isStopping else { return }
        guard !isReloading else {
            reloadsAgain = true
            return
        }
        isReloading = true
        let shelf = fixtures
        fixtureQueue.async {
            var copy = shelf
            let news = copy.reload()
            done(copy, news)
        }
    }

    /// Takes over what changed on disk and tells the developer about it.
    ///
    /// - Returns: true when files changed meanwhile, so that another look is due.
    func adopt(_ shelf: FixtureShelf, _ news: [FixtureShelf.News]) -> Bool {
        isReloading = false
        fixtures.adopt(shelf)
        for item in news { tell(item) }
        defer { reloadsAgain = false }
        return reloadsAgain
    }

    private func tell(_ news: FixtureShelf.News) {
        switch news {
        case .reloaded(let name, let file, let failures):
            remark("fixture", "\(name) reloaded from \(file)")
            for failure in failures { remark("fixture", failure) }
        case .refused(let name, let findings, let hasGoodVersion):
            remark(
                "fixture",
                hasGoodVersion
                    ? "\(name) has mistakes, so its last good version stays in force"
                    : "\(name) has mistakes and cannot be played until they are mended")
            for finding in findings { remark("fixture", finding) }
        case .missing(let name, let file):
            remark("fixture", "\(file) is gone; the last version of \(name) stays in force")
        }
    }

    /// Accepts nothing more and closes what is open.
    ///
    /// - Returns: true when there are peers that should get the time to leave.
    func beginStop() -> Bool {
        guard !isStopping else { return sockets.openSockets > 0 }
        isStopping = true
        if let listener { sockets.stopListening(listener) }
        for connection in connections.compactMap({ $0 }) {
            switch connection.stage {
            case .webSocket, .stream:
                connection.withChannel { $0.letGo(of: nil) }
                release(connection)
                end(connection, .goingAway, "server stopping")
            case .http, .handshake, .held, .sending, .waiting, .working: close(connection)
            case .closing: break
            }
        }
        sockets.flush()
        return sockets.openSockets > 0
    }

    func shutDown(_ completion: @escaping @Sendable () -> Void) {
        isStopping = true
        connections = []
        socketsOfAddress = [:]
        turnedAwayCount = 0
        // A timer that is already on its way finds nothing to do.
        deadlines = DeadlineHeap()
        openWebSockets = 0
        stopTimer()
        controlState.timer?.disarm()
        sockets.shutDown(completion)
        checkEmpty()
    }

    /// Tells whoever waits for the last socket to go.
    func checkEmpty() {
        guard sockets.openSockets == 0, !onEmpty.isEmpty else { return }
        let waiting = onEmpty
        onEmpty = []
        for tell in waiting { tell() }
    }
}
