/// Messages and files of a session with extensions, to check changes (extensions.md#who-changes).
struct MessageLedger: Sendable {
    struct Refusal: Error, Equatable {
        let words: String
        init(_ words: String) { self.words = words }
    }

    private struct Message {
        let author: EventSummary.Speaker
        var isDeleted = false
        /// The participants who reacted, by reaction.
        var reactions: [String: [EventSummary.Speaker]] = [:]
        /// The last receipt of a client.
        var receipt: Receipt?
    }

    private struct File {
        var message: String?
        var state = MessageChange.FileState.uploading(percent: nil)
        var arrived: UserFile?
    }

    private var messages: [String: Message] = [:]
    private var files: [String: File] = [:]
    private var lastReply: String?
    private var lastOfUser: String?

    private(set) var heldBytes = 0
    private static let entryBytes = 160

    mutating func note(_ event: Event) {
        switch event {
        case .userMessage(let id, _):
            lastOfUser = id.text
            add(id.text, by: .user)
        case .agentMessage(let message): addReply(message.id, by: .agent)
        case .agentChunk(let chunk): addReply(chunk.messageID, by: .agent)
        case .liveAgentMessage(let message, _): addReply(message.id, by: .liveAgent)
        default: break
        }
    }

    private mutating func addReply(_ id: String, by author: EventSummary.Speaker) {
        lastReply = id
        add(id, by: author)
    }

    private mutating func add(_ id: String, by author: EventSummary.Speaker) {
        guard messages[id] == nil else { return }
        messages[id] = Message(author: author)
        heldBytes += Self.entryBytes + id.utf8.count
    }

    /// Returns the message that a change without an id applies to.
    func lastMessage(for kind: MessageChange.Kind, by speaker: EventSummary.Speaker) -> String? {
        var isOwn = true
        if case .reaction = kind { isOwn = false }
        return (speaker == .user) == isOwn ? lastOfUser : lastReply
    }

    /// Checks and records a change. Returns false if it has no effect.
    mutating func apply(_ change: MessageChange) throws(Refusal) -> Bool {
        guard let message = messages[change.messageID] else { throw Refusal("no message has this id") }
        guard !message.isDeleted else { throw Refusal("the message was withdrawn") }
        switch change.kind {
        case .text, .deleted:
            guard (message.author == .user) == (change.by == .user) else {
                throw Refusal("the message is not the sender's own")
            }
            if case .text(let text) = change.kind, text.allSatisfy(\.isWhitespace) {
                throw Refusal("an edit without text")
            }
            if change.kind == .deleted {
                messages[change.messageID]?.isDeleted = true
                heldBytes -= Self.entryBytes * message.reactions.values.reduce(0) { $0 + $1.count }
                messages[change.messageID]?.reactions = [:]
            }
            return true
        case .reaction(let text, let isOn):
            return try react(text, isOn: isOn, change, message.reactions)
        case .file(let id, let state, _):
            guard let file = files[id], file.message == change.messageID else {
                throw Refusal("the message has no such file")
            }
            guard let next = try Self.state(after: file.state, state) else { return false }
            files[id]?.state = next
            return true
        }
    }

    private mutating func react(
        _ text: String, isOn: Bool, _ change: MessageChange, _ reactions: [String: [EventSummary.Speaker]]
    ) throws(Refusal) -> Bool {
        guard (1...ConversationLimits.reactionBytes).contains(text.utf8.count),
            !text.contains(where: \.isWhitespace), !text.unicodeScalars.contains(where: Self.isHidden)
        else {
            throw Refusal(
                "a reaction has 1 to \(ConversationLimits.reactionBytes) bytes without spaces or control characters"
            )
        }
        var speakers = reactions[text] ?? []
        guard speakers.contains(change.by) != isOn else { return false }
        if isOn {
            guard !speakers.isEmpty || reactions.count < ConversationLimits.reactions else {
                throw Refusal("a message has at most \(ConversationLimits.reactions) reactions")
            }
            speakers.append(change.by)
            heldBytes += Self.entryBytes
        } else {
            speakers.removeAll { $0 == change.by }
            heldBytes -= Self.entryBytes
        }
        messages[change.messageID]?.reactions[text] = speakers.isEmpty ? nil : speakers
        return true
    }

    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .control || scalar.properties.isBidiControl
    }

    private static func state(
        after old: MessageChange.FileState, _ next: MessageChange.FileState
    ) throws(Refusal) -> MessageChange.FileState? {
        guard case .uploading(let before) = old else { throw Refusal("the file is \(old) already") }
        guard case .uploading(let percent) = next else { return next }
        guard let percent else { return nil }
        guard 0...100 ~= percent else { throw Refusal("a percentage is 0 to 100") }
        guard percent >= before ?? 0 else { throw Refusal("the percentage falls") }
        return percent == before ? nil : next
    }

    /// Checks and records a client's receipt. Returns false if it has no effect.
    mutating func receive(_ receipt: Receipt, of id: String) throws(Refusal) -> Bool {
        guard let message = messages[id] else { throw Refusal("no message has this id") }
        guard message.author != .user else { throw Refusal("the message is the sender's own") }
        guard message.receipt != .userRead, message.receipt != receipt else { return false }
        messages[id]?.receipt = receipt
        return true
    }

    // MARK: - Files

    /// Connects files with the message that names them, except files of other messages. Returns the ids of the files
    /// whose bytes have arrived, and whether another message has one of the files.
    mutating func connect(_ ids: [String], with message: String) throws(Refusal) -> (
        arrived: [String], isForeign: Bool
    ) {
        guard ids.count <= ConversationLimits.filesOfMessage else {
            throw Refusal("a message has at most \(ConversationLimits.filesOfMessage) files")
        }
        var arrived: [String] = []
        var isForeign = false
        for id in ids where !id.isEmpty && id.utf8.count <= ConversationLimits.fileIDBytes {
            if let owner = files[id]?.message {
                if owner != message { isForeign = true }
                continue
            }
            if files[id] == nil { heldBytes += Self.entryBytes + id.utf8.count }
            files[id, default: File()].message = message
            if files[id]?.arrived != nil { arrived.append(id) }
        }
        return (arrived, isForeign)
    }

    /// Records that a file has arrived. Returns the message that names the file.
    mutating func arrive(_ file: UserFile) -> String? {
        if files[file.id] == nil { heldBytes += Self.entryBytes + file.id.utf8.count }
        files[file.id, default: File()].arrived = file
        return files[file.id]?.message
    }

    func file(_ id: String) -> UserFile? { files[id]?.arrived }
}
