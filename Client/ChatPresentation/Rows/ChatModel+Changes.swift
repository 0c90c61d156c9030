extension ChatModel {
    private enum Bounds {
        /// Maximum changes that wait for their messages.
        static let early = 100
        static let reactions = 20
        /// The longest emoji, a kiss of two people with skin tones, has 35 bytes.
        static let reactionBytes = 40
        static let files = 20
        static let quoted = 200
    }

    /// Applies a change, or keeps it until its message has arrived completely.
    mutating func change(_ id: String, _ change: MessageChange) {
        guard let slot = messages[id] ?? drafts[id], items[slot].isDone else {
            if early.count == Bounds.early { early.removeFirst() }
            early.append((id, change))
            return
        }
        apply(change, to: slot)
    }

    /// Updates the quotes of a message that has arrived, and applies the changes that came before it.
    mutating func applyEarly(_ slot: Int) {
        guard let id = items[slot].message?.id else { return }
        for other in quoting[id] ?? [] { quote(id, in: other) }
        guard !early.isEmpty else { return }
        let waiting = early.filter { $0.id == id }
        guard !waiting.isEmpty else { return }
        early.removeAll { $0.id == id }
        for (_, change) in waiting { apply(change, to: slot) }
    }

    private mutating func apply(_ change: MessageChange, to slot: Int) {
        guard let old = items[slot].message, !old.isDeleted else { return }
        var message = old
        switch change {
        case .text(let text):
            guard text.contains(where: { !$0.isWhitespace }) else { return }
            (message.text, message.isEdited) = (text, true)
        case .deleted:
            message = RowMessage(
                id: old.id, speaker: old.speaker, name: old.name, avatar: old.avatar, text: "",
                delivery: old.delivery)
            message.isDeleted = true
            (items[slot].attachments, items[slot].suggestions, items[slot].calls) = ([], [], [])
        case .reaction(let text, let isOn, let speaker): Self.react(text, isOn, speaker, &message)
        case .receipt(let state): message.delivery = Self.farther(old, state)
        case .file(let id, let state, let name, let type):
            Self.follow(id, state, name, type, &message)
            items[slot].attachments = message.attachments
        }
        guard message != old else { return }
        items[slot].message = message
        stale.append(slot)
        for other in quoting[message.id] ?? [] { quote(message.id, in: other) }
    }

    private static func react(_ text: String, _ isOn: Bool, _ speaker: Speaker, _ message: inout RowMessage) {
        guard let index = message.reactions.firstIndex(where: { $0.text == text }) else {
            let isShown = !text.isEmpty && text.utf8.count <= Bounds.reactionBytes
            guard isOn, isShown, message.reactions.count < Bounds.reactions else { return }
            return message.reactions.append(RowReaction(text: text, speakers: [speaker]))
        }
        if isOn {
            message.reactions[index].speakers.insert(speaker)
        } else {
            message.reactions[index].speakers.remove(speaker)
            if message.reactions[index].speakers.isEmpty { message.reactions.remove(at: index) }
        }
    }

    /// Updates the state of a file, or adds a missing file.
    private static func follow(
        _ id: String, _ state: RowAttachment.State, _ name: String?, _ type: String?,
        _ message: inout RowMessage
    ) {
        // A service may assign the file's id only during the upload, so a message's only file needs no matching id.
        let isOnly = message.attachments.count == 1 && name == nil
        let indexes = message.attachments.indices.filter {
            isOnly || message.attachments[$0].id == id && !id.isEmpty
        }
        for index in indexes {
            let old = message.attachments[index]
            let next = later(old.state, state)
            message.attachments[index].state = next
            if let name, old.title == nil {
                message.attachments[index] = RowAttachment(
                    file: id, name: name, type: type ?? "", state: next)
            }
        }
        guard indexes.isEmpty, let name, !id.isEmpty, message.attachments.count < Bounds.files else { return }
        message.attachments.append(RowAttachment(file: id, name: name, type: type ?? "", state: state))
    }

    /// Returns `state`, or the delivery state of the message if that is later: receipts may arrive twice and in any
    /// order.
    private static func farther(_ message: RowMessage, _ state: RowMessage.Delivery) -> RowMessage.Delivery? {
        let order: [RowMessage.Delivery] = [.failed, .pending, .sending, .sent, .delivered, .read]
        guard message.speaker == .user, state.hasArrived, let old = message.delivery,
            let (from, to) = order.firstIndex(of: old).flatMap({ from in
                order.firstIndex(of: state).map { (from, $0) }
            })
        else { return message.delivery }
        return from < to ? state : old
    }

    private static func later(
        _ old: RowAttachment.State, _ new: RowAttachment.State
    ) -> RowAttachment.State {
        switch (old, new) {
        case (.uploading(let before), .uploading(let percent)):
            let most = [before, percent].compactMap { $0 }.max()
            return .uploading(percent: most.map { min(max($0, 0), 100) })
        case (.uploading, _): return new
        default: return old
        }
    }

    // MARK: Quotes

    mutating func quote(_ id: String, in slot: Int) {
        guard items[slot].message?.isDeleted == false else { return }
        if items[slot].message?.quote == nil { quoting[id, default: []].append(slot) }
        let quoted = messages[id].flatMap { items[$0].message }
        let text = quoted?.plainText ?? ""
        items[slot].message?.quote = RowQuote(
            id: id, name: quoted?.name ?? "", text: String(text.prefix(Bounds.quoted)))
        stale.append(slot)
    }
}
