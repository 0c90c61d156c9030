package import Clocks

package enum ThreadChange: Sendable {
    case said(id: String, at: Instant)
    /// The client has requested a run or, with `isRun` false, the stored messages and state of the thread.
    case requested(isRun: Bool, at: Instant)
    case event(AgentRunEvent, at: Instant)
    /// The request is over, with an error if it failed.
    case ended(AgentRunError?, at: Instant)
}

final class ThreadFollowers: Sendable {
    private let closures = Locked<(all: [Int: @Sendable (ThreadChange) -> Void], nextID: Int)>(([:], 0))

    func notify(_ change: ThreadChange) {
        for closure in closures.withLock({ $0.all.sorted { $0.key < $1.key }.map(\.value) }) {
            closure(change)
        }
    }

    func add(_ closure: @escaping @Sendable (ThreadChange) -> Void) -> Int {
        closures.withLock { closures in
            closures.nextID += 1
            closures.all[closures.nextID] = closure
            return closures.nextID
        }
    }

    func remove(_ id: Int) { closures.withLock { $0.all[id] = nil } }
}

package final class ThreadFollowing: Sendable {
    private let followers: ThreadFollowers
    private let id: Int

    init(_ followers: ThreadFollowers, _ closure: @escaping @Sendable (ThreadChange) -> Void) {
        (self.followers, id) = (followers, followers.add(closure))
    }

    deinit { followers.remove(id) }
}

extension AGUIThread {
    /// Calls `closure` with each later change, in order, on any thread, until the result is released.
    package nonisolated func follow(_ closure: @escaping @Sendable (ThreadChange) -> Void) -> ThreadFollowing
    {
        ThreadFollowing(followers, closure)
    }
}
