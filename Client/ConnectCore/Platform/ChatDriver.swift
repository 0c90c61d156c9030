import ClientSupport
import Clocks
import HTTPClient
import SocketTransport
import Texts

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Runs a ``ChatCore``: gives it what happens, one thing at a time, and does what it says. Decides nothing.
final class ChatDriver: Sendable {
    /// Ends a call on the main actor.
    typealias Completion = @MainActor @Sendable (ChatCore.Answer, ItemStore) -> Void

    let facts: Locked<ChatSnapshot>
    let streams = ChatStreams()
    let inbox: MainInbox
    private let loop: Loop<ChatDriverState>

    /// Starts at once.
    init(_ config: GlobalConfig, _ dependencies: Dependencies, handlers: Locked<Handlers>) {
        let facts = Locked(ChatSnapshot(config: config))
        let inbox = MainInbox(store: ItemStore(handlers: handlers))
        let streams = streams
        (self.facts, self.inbox) = (facts, inbox)
        loop = Loop(driving: "ConnectChat.session") {
            ChatDriverState(config, dependencies, facts, streams, inbox)
        }
    }

    deinit { shutDown() }

    func submit(_ input: ChatCore.Input) {
        loop.submit { $0.handle(input) }
    }

    func configure(_ config: GlobalConfig) {
        facts.withLock { $0.config = config }
        loop.submit { $0.configure(config) }
    }

    /// Ignores earlier notifications: the list is empty from here on.
    func reset() {
        let generation = facts.withLock { facts in
            facts.generation += 1
            return facts.generation
        }
        loop.submit { $0.reset(generation) }
    }

    func call(
        _ input: @escaping @Sendable (ChatCore.Call) -> ChatCore.Input, _ completion: @escaping Completion
    ) {
        loop.submit { $0.call(input, completion) }
    }

    func attach(_ url: URL, _ completion: @escaping Completion) {
        let scope = TransferScope.current
        loop.submit { $0.attach(url, scope, completion) }
    }

    /// Fetches a file. `completion` gets its place as an address.
    func download(_ id: String, name: String, _ completion: @escaping Completion) {
        let scope = TransferScope.current
        loop.submit { $0.download(id, name: name, isRepeated: false, scope, completion) }
    }

    /// Closes the connection. Pending calls complete; there are no other notifications afterwards.
    func shutDown() {
        loop.submit { $0.shutDown() }
    }

    /// Returns when everything that was submitted before has been dealt with; for tests.
    func settle() async { await loop.run { _ in } }

    /// Settles on the caller's thread, which blocks; for tests.
    ///
    /// - Returns: the number of inputs so far.
    func settleHere() -> Int { loop.runHere { $0.run.inputCount } }

    var isCalmHere: Bool { loop.runHere { $0.isCalm } }

    /// The main actor still owes the app something; for tests.
    var owesMain: Bool { inbox.isBusy }
}

/// Snapshot of the session, readable from any thread.
struct ChatSnapshot: Sendable {
    var config: GlobalConfig
    var details: ChatDetails?
    var connection: ConnectionDetails?
    var isActive = false
    /// Counts resets.
    var generation = 0
}
