import Clocks
import ConnectCore
import PolyMessaging

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Amazon Connect chat, through its SDK: begins a contact as a backend does, and talks in it.
final class ContactService: ChatService {
    private struct State {
        var reader = ContactUpdates()
        var updates: [ClientUpdate] = []
        var isWoken = false
        var hasLeft = false
        var contact: String?
        var work: Task<Void, Never>?
        var news: @Sendable () -> Void = {}
    }

    private let start: ContactStart
    private let http: any WebTransport
    private let session: ConnectCore.ChatSession
    private let state = Locked(State())

    convenience init(_ endpoint: URL, flow: String, isStreaming: Bool) {
        var start = ContactStart(endpoint: endpoint, flow: flow)
        start.isStreaming = isStreaming
        self.init(start, ConnectCore.Dependencies.standard)
    }

    init(_ start: ContactStart, _ dependencies: ConnectCore.Dependencies) {
        self.start = start
        http = dependencies.http
        session = ConnectCore.ChatSession(GlobalConfig(endpoint: start.endpoint), dependencies)
    }

    var sessionID: String? { state.withLock { $0.contact } }

    func start(_ tell: @escaping @Sendable (ChatInput) -> Void, news: @escaping @Sendable () -> Void) {
        state.withLock { $0.news = news }
        let events = session.events
        let work = Task { [weak self, start, http, session] in
            do throws(ConnectChatError) {
                let details = try await start(over: http)
                self?.began(details.contactId ?? "")
                session.connect(chatDetails: details) { [weak self] result in
                    if case .failure(let error) = result { self?.failed(error) }
                }
            } catch {
                self?.failed(error)
            }
            for await event in events {
                guard let self else { return }
                self.take(event)
            }
        }
        state.withLock { $0.work = work }
    }

    private func began(_ contact: String) {
        state.withLock { $0.contact = contact }
        add { _ in [.sessionChanged(contact)] }
    }

    private func failed(_ error: any Error) {
        let error = Self.error(error)
        add { _ in [.status(.failed(reason: error))] }
    }

    private func take(_ event: ChatSessionEvent) {
        add { $0.read(event) }
    }

    private func add(_ updates: (inout ContactUpdates) -> [ClientUpdate]) {
        let news = state.withLock { state -> (@Sendable () -> Void)? in
            guard !state.hasLeft else { return nil }
            state.updates += updates(&state.reader)
            guard !state.updates.isEmpty, !state.isWoken else { return nil }
            state.isWoken = true
            return state.news
        }
        news?()
    }

    func takeUpdates() -> [ClientUpdate] {
        state.withLock { state in
            defer { (state.updates, state.isWoken) = ([], false) }
            return state.updates
        }
    }

    func leave() {
        state.withLock { $0.hasLeft = true }
    }

    func stop() async {
        state.withLock { $0.work }?.cancel()
        session.shutDown()
    }

    func perform(_ call: ChatCall) async -> PolyError? {
        do {
            switch call {
            case .send(let text): try await session.sendMessage(contentType: .plainText, message: text)
            case .retry(let draft): try await session.resendFailedMessage(messageId: draft)
            case .typing, .setTyping(true): try await session.sendEvent(event: .typing, content: "")
            case .end: try await session.disconnect()
            case .setTyping(false), .discard: break
            case .heartbeat, .raw, .resume, .startNew:
                return .invalidConfiguration("a contact of Amazon Connect chat has no such order")
            }
            return nil
        } catch {
            return Self.error(error)
        }
    }

    private static func error(_ error: any Error) -> PolyError {
        guard let error = error as? ConnectChatError else { return .transport(.networkError("\(error)")) }
        if case .notConnected = error { return .transport(.notConnected) }
        if case .service(let refusal) = error, !refusal.message.isEmpty {
            return .transport(.networkError(refusal.message))
        }
        return .transport(.networkError(error.text))
    }
}
