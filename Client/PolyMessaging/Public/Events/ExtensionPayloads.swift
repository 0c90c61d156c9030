import MessagingWire

/// Extension of the published protocol, for servers such as polymock (extensions.md#asking).
public enum SessionExtension: String, Sendable, CaseIterable {
    /// Edited and withdrawn messages, and reactions.
    case changes
    /// Receipts for received and read messages, in the session's history. The client can also send receipts.
    case receipts
    /// Files that the user sends.
    case files
}

/// Change of an earlier message (extensions.md#event-ext-message-changed), in addition to the published protocol.
public struct MessageChangedPayload: Sendable, Equatable {
    /// Kind of a change, with its new value.
    public enum Change: Sendable, Equatable {
        /// The text was replaced.
        case text(String)
        /// The message was withdrawn.
        case deleted
        /// A reaction was added (`isOn`) or removed.
        case reaction(String, isOn: Bool)
        /// The state of a file of the message changed. Only a ready file has a name and a type.
        case file(id: String, FileState, name: String? = nil, type: String? = nil)
    }

    /// State of a file.
    public enum FileState: Sendable, Equatable {
        /// The file is being uploaded. `percent` is from 0 to 100; nil if the progress is unknown.
        case uploading(percent: Int?)
        /// The server has the file.
        case ready
        /// The sender stopped the upload.
        case cancelled
        /// The upload failed.
        case failed
    }

    /// Author of a change. The raw values are the texts in the protocol.
    public enum Author: String, Sendable {
        /// The user, here or on another device.
        case user
        /// The PolyAI agent.
        case agent
        /// A live agent.
        case liveAgent = "live_agent"
        /// The server.
        case system
    }

    /// The server's id of the message.
    public var messageId: String
    /// The change.
    public var change: Change
    /// The author of the change; nil if the server did not say.
    public var by: Author?

    /// Creates a payload with these properties.
    public init(messageId: String, change: Change, by: Author? = nil) {
        self.messageId = messageId
        self.change = change
        self.by = by
    }

    init(_ wire: WireChange) {
        let change: Change =
            switch wire.kind {
            case .text(let text): .text(text)
            case .deleted: .deleted
            case .reaction(let text, let isOn): .reaction(text, isOn: isOn)
            case .file(let id, let state, let percent, let details):
                .file(id: id, .init(state, percent), name: details?.name, type: details?.type)
            }
        self.init(messageId: wire.messageID, change: change, by: wire.by.flatMap { Author(rawValue: $0) })
    }
}

extension MessageChangedPayload.FileState {
    init(_ state: WireChange.FileState, _ percent: Int?) {
        switch state {
        case .uploading: self = .uploading(percent: percent)
        case .ready: self = .ready
        case .cancelled: self = .cancelled
        case .failed: self = .failed
        }
    }
}

/// Receipt for a message, only with ``SessionExtension/receipts`` (extensions.md#journaled-receipts).
public struct MessageReceiptPayload: Sendable, Equatable {
    /// The server's id of the message.
    public var messageId: String
    /// True if the message was read, false if it was received.
    public var isRead: Bool
    /// True for a receipt of the user, on any device; false for a receipt of an agent.
    public var isByUser: Bool

    /// Creates a payload with these properties.
    public init(messageId: String, isRead: Bool, isByUser: Bool) {
        self.messageId = messageId
        self.isRead = isRead
        self.isByUser = isByUser
    }
}

extension MessagingEvent {
    static func addition(_ payload: WirePayload, _ envelope: Envelope) -> MessagingEvent? {
        switch payload {
        case .messageChanged(let change): return .messageChanged(envelope, .init(change))
        case .receipt(let type, let id):
            let isRead = [.userReadMessage, .agentReadMessage, .liveAgentReadMessage].contains(type)
            let isByUser = [.userReadMessage, .userReceivedMessage].contains(type)
            return .messageReceipt(envelope, .init(messageId: id, isRead: isRead, isByUser: isByUser))
        default: return nil
        }
    }
}
