import Clocks
import ConnectCore
import Foundation
import MockKit
import MockServer

extension Stage {
    /// A contact that is connected, over `tap`. Its session goes by the contact's id.
    @MainActor
    func contact(_ number: Int, streaming: Bool, tap: WebTap) async throws -> (ChatSession, ChatDetails) {
        guard let endpoint = URL(string: try server.url) else {
            throw Stuck(description: "the server has no address")
        }
        var start = ContactStart(endpoint: endpoint, flow: "storm")
        start.isStreaming = streaming
        let begun = Locked<Result<ChatDetails, ConnectChatError>?>(nil)
        start(over: tap) { result in begun.withLock { $0 = result } }
        try await play("the contact") { begun.withLock { $0 != nil } }
        guard let details = try begun.withLock({ $0 })?.get() else { throw Stuck(description: "no contact") }
        return (try await join(details, number, tap: tap), details)
    }

    /// A connection of a contact that has begun; it may have several.
    @MainActor
    func join(_ details: ChatDetails, _ number: Int, tap: WebTap) async throws -> ChatSession {
        guard let endpoint = URL(string: try server.url) else {
            throw Stuck(description: "the server has no address")
        }
        let session = ChatSession(
            GlobalConfig(endpoint: endpoint),
            Dependencies(
                clock: clock, http: tap, network: monitor, lifecycle: lifecycle, seed: UInt64(number)))
        keep {
            let count = session.settleHere()
            return session.owesMain ? nil : count
        }
        let connected = Locked<Result<Void, any Error>?>(nil)
        session.connect(chatDetails: details) { result in connected.withLock { $0 = result } }
        try await play("the connection") { connected.withLock { $0 != nil } }
        try connected.withLock { $0 }?.get()
        return session
    }
}
