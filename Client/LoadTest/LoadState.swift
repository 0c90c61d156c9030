import ClientSupport
import Clocks
import HTTPClient
import PolyMessaging

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

struct LoadSocket: Hashable, Sendable {
    var user: LoadUser.ID
    var attempt: Int
}

struct LoadEvent: Sendable {
    var user: LoadUser.ID
    var request: String
    var input: ClientCore.Input
    /// WebSocket events only: the connection attempt, whether it has ended, and the handled bytes.
    var attempt: Int?
    var isEnd = false
    var byteCount: Int?
}

/// Driver of a ``LoadRun``: serves the sockets of all users with one loop and one timer.
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

    func execute(_ output: LoadUsers.Output) {
        switch output {
        case .user(let user, .request(let request)): self.request(request, user)
        case .user(let user, .open(let attempt, let url)): dial(url, LoadSocket(user: user, attempt: attempt))
        case .user(let user, .transmit(let attempt, let frame)):
            sockets[LoadSocket(user: user, attempt: attempt)]?.send(frame)
        case .user(let user, .close(let attempt, let code, let reason)):
            let socket = LoadSocket(user: user, attempt: attempt)
            if sockets[socket]?.close(code, reason: reason) == false { sockets[socket] = nil }
        case .user: break
        case .progress(let snapshot): progress?.report(snapshot)
        case .finished(let summary): completion(summary)
        }
    }

    private func request(_ request: RESTRequest, _ user: LoadUser.ID) {
        let (id, name, post) = (request.id, request.endpoint.rawValue, post)
        web.post(request, to: restBase) { reply in
            post(LoadEvent(user: user, request: name, input: .restEnded(request: id, reply)))
        }
    }

    private func dial(_ url: URL, _ socket: LoadSocket) {
        let post = post
        sockets[socket] = web.dial(url) { report in
            post(
                LoadEvent(
                    user: socket.user, request: "upgrade",
                    input: ClientCore.Input(report, attempt: socket.attempt), attempt: socket.attempt,
                    isEnd: report.isEnd, byteCount: report.byteCount))
        }
    }

    private var post: @Sendable (LoadEvent) -> Void {
        { [inbox, submit] event in
            if inbox.post(event) { submit { $0.receiveEvents() } }
        }
    }

    private func receiveEvents() {
        let events = inbox.takeAll()
        handle(events.map { .event($0) })
        for event in events {
            guard let attempt = event.attempt else { continue }
            let socket = LoadSocket(user: event.user, attempt: attempt)
            if let size = event.byteCount { sockets[socket]?.taken(size) }
            if event.isEnd { sockets[socket] = nil }
        }
    }
}
