/// Extensions of the protocol that a client requests for its session (extensions.md#asking).
package struct Extensions: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Edited and withdrawn messages, and reactions.
    package static let changes = Self(rawValue: 1)
    /// Receipts of clients, and receipts in the journal.
    package static let receipts = Self(rawValue: 2)
    /// Uploaded files and their states.
    package static let files = Self(rawValue: 4)
}

/// Change of a message that was already sent (extensions.md#event-ext-message-changed).
package struct MessageChange: Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
        case text(String)
        case deleted
        case reaction(String, isOn: Bool)
        /// `details` has the name and type of a ready file.
        case file(String, FileState, details: UserFile? = nil)
    }

    /// The state of a message's file. Every state but `uploading` is final.
    package enum FileState: Equatable, Sendable {
        case uploading(percent: Int?)
        case ready
        case cancelled
        case failed
    }

    package var messageID: String
    package var kind: Kind
    package var by: EventSummary.Speaker

    package init(_ messageID: String, _ kind: Kind, by: EventSummary.Speaker = .user) {
        self.messageID = messageID
        self.kind = kind
        self.by = by
    }

    /// Change as text: `+👍`, `edited: Half past seven`.
    package var words: String {
        switch kind {
        case .text(let text): "edited: \(text)"
        case .deleted: "withdrawn"
        case .reaction(let text, let isOn): (isOn ? "+" : "-") + text
        case .file(let id, .uploading(let percent), _):
            "file \(id) uploading" + (percent.map { " \($0) %" } ?? "")
        case .file(let id, let state, _): "file \(id) \(state)"
        }
    }

    package var textBytes: Int {
        let own =
            switch kind {
            case .text(let text), .reaction(let text, _): text.utf8.count
            case .deleted: 0
            case .file(let id, _, let file):
                id.utf8.count + (file.map { $0.name.utf8.count + $0.type.utf8.count } ?? 0)
            }
        return own + messageID.utf8.count
    }
}

/// Change of a message by a step of the script.
package enum ChangeStep: Equatable, Sendable {
    /// Replaces the text of the last reply.
    case edit(Template)
    /// Withdraws the last reply.
    case unsend
    /// Reacts to the user's last message.
    case react(String, isOn: Bool)
}
