import Clocks
import ConnectCore
import PolyMessaging

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Client of Amazon Connect chat, which also starts the contact.
final class ContactService: ChatService {
    private struct State {
        var reader = ContactUpdates()
        var listener: ChatListener?
        /// Inputs to deliver before the chat's events (``begun``) and after them (``failed``).
        var begun: [ChatInput] = []
        var failed: [ChatInput] = []
        var hasLeft = false
        var contact: String?
        var work: Task<Void, Never>?
        var wake: @Sendable () -> Void = {}
    }

    private let start: ContactStart
    private let http: any WebTransport
    private let session: ConnectCore.ChatSession
    private let state = Locked(State())
    /// Stream without elements. It finishes once the contact has started, or could not start.
    private let (gate, gateKeeper) = AsyncStream.makeStream(of: Never.self)

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

    func start(_ send: @escaping @Sendable (ChatInput) -> Void, wake: @escaping @Sendable () -> Void) {
        let listener = session.listen(wake: wake)
        let work = Task { [weak self, start, http, session, gateKeeper] in
            do throws(ConnectChatError) {
                let details = try await start(over: http)
                self?.began(details.contactId ?? "")
                session.connect(chatDetails: details) { [weak self] result in
                    if case .failure(let error) = result { self?.failed(error) }
                }
            } catch {
                self?.failed(error)
            }
            gateKeeper.finish()
        }
        state.withLock { ($0.listener, $0.wake, $0.work) = (listener, wake, work) }
    }

    private func began(_ contact: String) {
        change { state in
            state.contact = contact
            state.begun.append(.update(.sessionChanged(contact)))
        }
    }

    private func failed(_ error: any Error) {
        change { $0.failed += [.failed(ChatFailure(error)), .update(.status(.failed(reason: nil)))] }
    }

    private func change(_ body: (inout State) -> Void) {
        let wake = state.withLock { state in
            body(&state)
            return state.wake
        }
        wake()
    }

    func takeUpdates() -> [ChatInput] {
        let listener = state.withLock { $0.hasLeft ? nil : $0.listener }
        let events = listener?.takeAll() ?? []
        return state.withLock { state in
            guard !state.hasLeft else { return [] }
            var inputs = state.begun
            for event in events { inputs += state.reader.read(event) }
            inputs += state.failed
            (state.begun, state.failed) = ([], [])
            return inputs
        }
    }

    func leave() {
        state.withLock { $0.hasLeft = true }
        state.withLock { $0.listener }?.stop()
    }

    func stop() async {
        state.withLock { $0.work }?.cancel()
        session.shutDown()
    }

    func execute(_ call: ChatCall) async -> ChatFailure? {
        for await _ in gate {}
        do {
            switch call {
            case .send(let text): try await session.sendMessage(contentType: .plainText, message: text)
            case .sendFile(let path): try await session.sendAttachment(file: URL(fileURLWithPath: path))
            case .retry(let draft): try await session.resendFailedMessage(messageId: draft)
            case .typing, .setTyping(true): try await session.sendEvent(event: .typing, content: "")
            case .end: try await session.disconnect()
            case .setTyping(false), .discard: break
            case .heartbeat, .raw, .resume, .startNew:
                return ChatFailure(
                    .invalidConfiguration("a contact of Amazon Connect chat has no such order"))
            }
            return nil
        } catch {
            return ChatFailure(error)
        }
    }
}
