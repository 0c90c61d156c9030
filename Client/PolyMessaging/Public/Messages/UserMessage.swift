#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Something the user said.
public struct UserMessage: Identifiable, Sendable, Equatable {
    /// The id of the row.
    public let id: UUID
    /// The text, without surrounding white space.
    public let text: String
    /// Time of sending.
    public let timestamp: Date
    /// The delivery state.
    public var delivery: Delivery
    /// Names the draft in ``MessagingEvent`` and for `ChatSession.removeMessage(draftId:)`.
    public let draftId: String

    /// Makes a message.
    ///
    /// - Parameters:
    ///   - id: The id of the row; a new one by default.
    ///   - text: What was said.
    ///   - timestamp: When; now by default.
    ///   - delivery: The delivery state.
    ///   - draftId: The name of the draft.
    public init(
        id: UUID = UUID(), text: String, timestamp: Date = Date(timeIntervalSinceNow: 0), delivery: Delivery,
        draftId: String
    ) {
        self.id = id
        self.text = text
        self.timestamp = timestamp
        self.delivery = delivery
        self.draftId = draftId
    }
}

/// Delivery state of a message of the user.
public enum Delivery: Sendable, Equatable, CaseIterable {
    /// Shown, and not confirmed by the server yet.
    case pending
    /// Confirmed by the server.
    case sent
    /// Given up.
    case failed
}
