import Clocks
import PolyMessaging

/// A report of the network about one user.
struct LoadNews: Sendable {
    var slot: Int
    /// Users are numbered; the slot may have another one by now.
    var user: Int
    /// What was asked for, as errors call it.
    var request: String
    var input: ClientCore.Input
    /// The attempt whose WebSocket has ended.
    var ended: Int?
    /// The attempt whose WebSocket waits until a message of so many bytes was dealt with.
    var owed: (attempt: Int, byteCount: Int)?
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
