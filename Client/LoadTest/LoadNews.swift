import Clocks
import PolyMessaging

/// What the network told about one user.
struct LoadNews: Sendable {
    enum Content: Sendable {
        case rest(request: Int, RESTRequest.Endpoint, RESTReply)
        case socket(attempt: Int, SocketReport)
    }

    var slot: Int
    /// Users are numbered; the slot may have another one by now.
    var user: Int
    var content: Content
}

/// Collects what the threads of the network tell, and wakes the loop once for all of it.
final class LoadInbox: Sendable {
    private let news = Locked<[LoadNews]>([])
    private let wake: @Sendable () -> Void

    init(wake: @escaping @Sendable () -> Void) {
        self.wake = wake
    }

    func post(_ item: LoadNews) {
        let isFirst = news.withLock { news in
            news.append(item)
            return news.count == 1
        }
        if isFirst { wake() }
    }

    func takeAll() -> [LoadNews] {
        news.withLock { news in
            defer { news = [] }
            return news
        }
    }
}
