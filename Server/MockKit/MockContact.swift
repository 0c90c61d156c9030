public import ConnectCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A simulated customer: one contact in the SDK for Amazon Connect chat, connected to a ``Mock``.
///
/// ```swift
/// let contact = try await mock.contact()
/// try await contact.say("a table, please")
/// try await mock.expect(.reply("For how many"))
/// print(try await contact.replies)
/// try await contact.end()
/// ```
public final class MockContact: Sendable {
    /// The SDK's session, for views and other code that shows a chat.
    public let session: ChatSession
    /// The contact and its participant token.
    public let details: ChatDetails

    private let mock: Mock

    init(mock: Mock, session: ChatSession, details: ChatDetails) {
        self.mock = mock
        self.session = session
        self.details = details
    }

    /// Sends a message and waits until the server has accepted it. Mock time passes during the wait.
    /// - Throws: what `ChatSession.sendMessage(contentType:message:)` throws; ``MockError`` when that has not ended
    ///   within five minutes of mock time.
    public func say(
        _ text: String, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
        column: Int = #column
    ) async throws {
        try await mock.at(CallSite(fileID: fileID, filePath: filePath, line: line, column: column)) {
            mock.note(.user)
            let session = session
            try await mock.untilDone {
                session.sendMessage(contentType: .plainText, message: text, completion: $0)
            }
            try await mock.afterAct()
        }
    }

    /// Leaves the chat, which ends the contact.
    /// - Throws: what `ChatSession.disconnect()` throws; ``MockError`` when that has not ended within five minutes of
    ///   mock time.
    public func end(
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async throws {
        try await mock.at(CallSite(fileID: fileID, filePath: filePath, line: line, column: column)) {
            mock.note(.user)
            let session = session
            try await mock.untilDone { session.disconnect(completion: $0) }
            try await mock.afterAct()
        }
    }

    func shutDown() { session.shutDown() }

    func settleHere() -> Int { session.settleHere() }

    var owesMain: Bool { session.owesMain }

    var isCalm: Bool { session.isCalmHere }

    /// The rows of the transcript, after everything that is due now has run.
    public var rows: [TranscriptRow] {
        get async throws {
            try await mock.catchUp()
            return session.latestTranscript.rows
        }
    }

    /// Messages of agents and live agents in the present transcript. An interactive message is its JSON.
    public var replies: [String] {
        get async throws {
            try await rows.filter { $0.kind == .message && $0.direction == .Incoming }.map(\.text)
        }
    }
}

extension Mock {
    /// Starts a contact of Amazon Connect chat with this mock and returns it connected. `ContactFlowId` is the mock's
    /// ``line``. `streaming` requests replies in pieces (`INCREMENTAL`). `change` may set every property of the
    /// configuration except the endpoint.
    /// - Throws: `ConnectChatError` when the contact is refused, ``MockError`` when it is not connected after five
    ///   minutes of mock time.
    public func contact(
        streaming: Bool = true, _ change: @Sendable (inout GlobalConfig) -> Void = { _ in },
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async throws -> MockContact {
        try await at(CallSite(fileID: fileID, filePath: filePath, line: line, column: column)) {
            let contact = try await contact(streaming: streaming, through: tap, change)
            try await afterAct()
            return contact
        }
    }

    func contact(
        streaming: Bool, through tap: WebTap, _ change: (inout GlobalConfig) -> Void = { _ in }
    ) async throws -> MockContact {
        try await catchUp()
        guard let endpoint = URL(string: url) else {
            throw MockError("the server's address \(url) is no URL")
        }
        var start = ContactStart(endpoint: endpoint, flow: line)
        start.isStreaming = streaming
        let wish = start
        let details: ChatDetails = try await untilDone { completion in
            wish(over: tap) { result in completion(result.mapError { $0 as any Error }) }
        }
        return try await join(details, at: endpoint, through: tap, change)
    }

    /// Connects to an existing contact.
    func join(
        _ details: ChatDetails, at endpoint: URL, through tap: WebTap,
        _ change: (inout GlobalConfig) -> Void = { _ in }
    ) async throws -> MockContact {
        var configuration = GlobalConfig(endpoint: endpoint)
        change(&configuration)
        let (number, clock) = nextClient("contact")
        let session = ChatSession(
            configuration,
            Dependencies(
                clock: clock, http: tap, network: monitor, lifecycle: lifecycle,
                seed: plan.seed &+ UInt64(number)))
        let contact = MockContact(mock: self, session: session, details: details)
        keep(contact)
        note(.client)
        try await untilDone { session.connect(chatDetails: details, completion: $0) }
        return contact
    }
}
