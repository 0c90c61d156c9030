import Clocks
import PolyMessaging

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Chat client of a ``ChatShell``, for any protocol, with the types of the Messaging SDK.
protocol ChatService: Sendable {
    var sessionID: String? { get }
    /// Connects, and passes inputs to `send`. Calls `wake` when ``takeUpdates()`` has updates.
    func start(_ send: @escaping @Sendable (ChatInput) -> Void, wake: @escaping @Sendable () -> Void)
    func takeUpdates() -> [ChatInput]
    /// Executes a call. Returns the error, or nil.
    func execute(_ call: ChatCall) async -> ChatFailure?
    func leave()
    func stop() async
}

final class MessagingService: ChatService {
    private let client: PolyMessagingClient
    private let listener = Locked<EventSubscription?>(nil)
    private let following = Locked<Task<Void, Never>?>(nil)

    init(_ client: PolyMessagingClient) { self.client = client }

    var sessionID: String? { client.sessionID }

    func start(_ send: @escaping @Sendable (ChatInput) -> Void, wake: @escaping @Sendable () -> Void) {
        let listener = client.driver.streams.feed.subscribe(progressively: false, wake: wake).listener
        self.listener.withLock { $0 = listener }
        let ends = client.driver.streams.closes.subscribe()
        let task = Task { for await event in ends { send(.connectionOver(event)) } }
        following.withLock { $0 = task }
    }

    func takeUpdates() -> [ChatInput] {
        let items = listener.withLock { $0 }?.takeAll().items ?? []
        return items.compactMap { item in
            if case .update(let update, _, _) = item { .update(update) } else { nil }
        }
    }

    func leave() { listener.withLock { $0 }?.leave() }

    func stop() async {
        await client.shutdown()
        following.withLock { $0 }?.cancel()
    }

    func execute(_ call: ChatCall) async -> ChatFailure? {
        let connection = client.getConnection()
        do {
            switch call {
            case .send(let text): try await client.send(text)
            case .sendFile:
                return ChatFailure(.invalidConfiguration("the Messaging API takes no files: use --connect"))
            case .retry(let draft): try await client.retry(draftId: draft)
            case .discard(let draft): client.driver.submit(.removeDraft(draft))
            case .typing: try await client.sendTyping()
            case .setTyping(let isOn): await connection.send(.userTyping(isOn ? .started : .stopped))
            case .heartbeat: await connection.send(.heartbeat)
            case .raw(let frame): try await connection.sendRaw(Data(frame.utf8))
            case .resume: try await client.resume()
            case .startNew: try await client.startNewSession()
            case .end: try await client.end()
            }
            return nil
        } catch let error as PolyError {
            return ChatFailure(error)
        } catch {
            return ChatFailure(.transport(.networkError("\(error)")))
        }
    }
}
