import ClientSupport
import Clocks
import HTTPClient
import PolyMessaging

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The driver of a ``LoadRun``, with the sockets of all users. One loop and one timer serve every user; an app has a loop
/// for its one client.
final class LoadState: Driver {
    typealias Machine = LoadUsers

    let run: MachineRun<LoadState>
    private var sockets: [LoadSocket: any WebExchange] = [:]
    private let inbox = Inbox<LoadEvent>()
    private let restBase: URL
    private let web: any WebTransport
    private let progress: LoadRun.Progress?
    private let completion: @Sendable (LoadSummary) -> Void

    init(
        _ run: LoadRun, _ settings: ClientSettings, restBase: URL,
        completion: @escaping @Sendable (LoadSummary) -> Void
    ) {
        let users = LoadUsers(
            run.plan, settings, progressInterval: run.progress?.interval, at: run.clock.now)
        self.run = MachineRun(users, clock: run.clock)
        self.restBase = restBase
        self.completion = completion
        (web, progress) = (run.web, run.progress)
    }

    func start() { handle(.start) }

    func perform(_ output: LoadUsers.Output) {
        switch output {
        case .user(let user, .request(let request)): post(request, user)
        case .user(let user, .open(let attempt, let url)): dial(url, LoadSocket(user: user, attempt: attempt))
        case .user(let user, .transmit(let attempt, let frame)):
            sockets[LoadSocket(user: user, attempt: attempt)]?.send(frame)
        case .user(let user, .close(let attempt, let code, let reason)):
            let socket = LoadSocket(user: user, attempt: attempt)
            if sockets[socket]?.close(code, reason: reason) == false { sockets[socket] = nil }
        case .user: break
        case .progress(let snapshot): progress?.tell(snapshot)
        case .finished(let summary): completion(summary)
        }
    }

    private func post(_ request: RESTRequest, _ user: LoadUser.ID) {
        let (id, name, tell) = (request.id, request.endpoint.rawValue, tell)
        web.post(request, to: restBase) { reply in
            tell(LoadEvent(user: user, request: name, input: .restEnded(request: id, reply)))
        }
    }

    private func dial(_ url: URL, _ socket: LoadSocket) {
        let tell = tell
        sockets[socket] = web.dial(url) { report in
            tell(
                LoadEvent(
                    user: socket.user, request: "upgrade",
                    input: ClientCore.Input(report, attempt: socket.attempt), attempt: socket.attempt,
                    isEnd: report.isEnd, byteCount: report.byteCount))
        }
    }

    private var tell: @Sendable (LoadEvent) -> Void {
        { [inbox, submit] news in
            if inbox.post(news) { submit { $0.takeNews() } }
        }
    }

    private func takeNews() {
        let all = inbox.takeAll()
        handle(all.map { .news($0) })
        for news in all {
            guard let attempt = news.attempt else { continue }
            let socket = LoadSocket(user: news.user, attempt: attempt)
            if let size = news.byteCount { sockets[socket]?.taken(size) }
            if news.isEnd { sockets[socket] = nil }
        }
    }
}
