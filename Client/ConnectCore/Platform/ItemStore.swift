import Clocks
import Texts

/// Store of the items that apps see. Updates items and calls the app's handlers, in order, on the main actor.
@MainActor
final class ItemStore {
    private(set) var items: [TranscriptItem] = []
    private var byPersistentID: [String: TranscriptItem] = [:]
    private var previousToken: String?
    /// Set while a call of the transcript handler is due. Returns false if the chat has been reset since then.
    private var notifiesList: (() -> Bool)?
    private let handlers: Locked<Handlers>

    nonisolated init(handlers: Locked<Handlers>) {
        self.handlers = handlers
    }

    /// Applies changes in order, and calls the message handler for each new or changed item.
    func apply(
        _ changes: [TranscriptCore.Change], previousToken: String?, tells: @escaping () -> Bool
    ) {
        var changed: [TranscriptItem] = []
        for change in changes {
            switch change {
            case .insert(let row, let index):
                let item = row.kind == .message ? Message(row) : Event(row)
                item.shown = row
                items.insert(item, at: index)
                byPersistentID[item.persistentId] = item
                changed.append(item)
            case .update(let row, let index):
                update(index, row)
                changed.append(items[index])
            case .move(let row, let from, let to):
                update(from, row)
                let item = items.remove(at: from)
                items.insert(item, at: to)
                changed.append(item)
            case .remove(let index): forget(items.remove(at: index))
            case .removeFirst(let count):
                for item in items.prefix(count) { forget(item) }
                items.removeFirst(count)
            case .removeAll:
                items = []
                byPersistentID = [:]
                changed = []
            }
        }
        self.previousToken = previousToken
        var seen: Set<ObjectIdentifier> = []
        let onMessage = handlers.withLock { $0.onMessageReceived }
        for item in changed where seen.insert(ObjectIdentifier(item)).inserted {
            // After a reset of the chat, the remaining items are not delivered.
            guard tells() else { return }
            onMessage?.value(item)
        }
        notifiesList = tells
    }

    private func forget(_ item: TranscriptItem) {
        if byPersistentID[item.persistentId] === item { byPersistentID[item.persistentId] = nil }
    }

    /// Passes the list to the transcript handler, if the list has changed since the handler's last call.
    func notifyList() {
        guard let tells = notifiesList else { return }
        notifiesList = nil
        guard tells() else { return }
        let onTranscript = handlers.withLock { $0.onTranscriptUpdated }
        onTranscript?.value(
            TranscriptData(transcriptList: items, previousTranscriptNextToken: previousToken))
    }

    /// Sets the properties in which `row` differs from the row that the item showed before. The others keep values that
    /// the app has set.
    private func update(_ index: Int, _ row: TranscriptRow) {
        let item = items[index]
        guard let old = item.shown else { return }
        item.shown = row
        item.announce()
        if row.id != old.id { item.id = row.id }
        if row.timeStamp != old.timeStamp { item.timeStamp = row.timeStamp }
        if row.contentType != old.contentType { item.contentType = row.contentType }
        if row.frame != old.frame { item.frame = row.frame }
        if let event = item as? Event {
            if row.participant != old.participant { event.participant = row.participant }
            if row.displayName != old.displayName { event.displayName = row.displayName }
            return
        }
        guard let message = item as? Message else { return }
        if row.participant != old.participant { message.participant = row.participant }
        if row.displayName != old.displayName { message.displayName = row.displayName }
        if row.text != old.text { message.text = row.text }
        if row.direction != old.direction { message.messageDirection = row.direction }
        if row.attachmentId != old.attachmentId { message.attachmentId = row.attachmentId }
        message.attachmentStatus = row.attachmentStatus
        message.isComplete = row.isComplete
        guard row.status != old.status, let status = row.status else { return }
        if let metadata = message.metadata {
            metadata.status = status
        } else {
            message.metadata = Metadata(row, status)
        }
    }

    func item(_ persistentID: String) -> TranscriptItem? {
        byPersistentID[persistentID]
    }

    func notify(_ event: ChatSessionEvent, _ row: TranscriptRow?) {
        let handlers = handlers.withLock { $0 }
        switch event {
        case .typing, .readReceipt, .deliveredReceipt, .uploadProgress: break
        // A changed list is delivered before the event, except before the frequent events above.
        default: notifyList()
        }
        switch event {
        case .connectionEstablished: handlers.onConnectionEstablished?.value()
        case .connectionReEstablished: handlers.onConnectionReEstablished?.value()
        case .connectionBroken: handlers.onConnectionBroken?.value()
        case .deepHeartbeatFailure: handlers.onDeepHeartbeatFailure?.value()
        case .chatEnded: handlers.onChatEnded?.value()
        case .connecting, .waiting, .connectionFailed, .messageReceived, .transcriptUpdated, .uploadProgress:
            break
        default:
            guard let row, let handler = handlers.handler(of: event) else { return }
            handler.value(item(row.persistentId) as? Event ?? Self.receipt(row))
        }
    }

    private static func receipt(_ row: TranscriptRow) -> Event {
        let event = Event(row)
        event.serializedContent = ReceiptContent.content(of: row)
        event.displayName = nil
        return event
    }
}

/// The app's event handlers. The closures are not `Sendable`; they are called on the main actor alone.
struct Handlers: Sendable {
    typealias Plain = UncheckedBox<() -> Void>
    typealias OfEvent = UncheckedBox<(Event) -> Void>

    var onConnectionEstablished: Plain?
    var onConnectionReEstablished: Plain?
    var onConnectionBroken: Plain?
    var onDeepHeartbeatFailure: Plain?
    var onMessageReceived: UncheckedBox<(TranscriptItem) -> Void>?
    var onTranscriptUpdated: UncheckedBox<(TranscriptData) -> Void>?
    var onChatEnded: Plain?
    var onTyping: OfEvent?
    var onReadReceipt: OfEvent?
    var onDeliveredReceipt: OfEvent?
    var onParticipantIdle: OfEvent?
    var onParticipantReturned: OfEvent?
    var onAutoDisconnection: OfEvent?
    var onParticipantInvited: OfEvent?
    var onChatRehydrated: OfEvent?
    var onTransferSucceeded: OfEvent?
    var onTransferFailed: OfEvent?

    func handler(of event: ChatSessionEvent) -> OfEvent? {
        switch event {
        case .typing: onTyping
        case .readReceipt: onReadReceipt
        case .deliveredReceipt: onDeliveredReceipt
        case .participantIdle: onParticipantIdle
        case .participantReturned: onParticipantReturned
        case .autoDisconnection: onAutoDisconnection
        case .participantInvited: onParticipantInvited
        case .chatRehydrated: onChatRehydrated
        case .transferSucceeded: onTransferSucceeded
        case .transferFailed: onTransferFailed
        default: nil
        }
    }
}

enum ReceiptContent {
    /// Returns the members of the frame, the recipient's receipt as `receipt`, and the item as `originalMessage`.
    static func content(of row: TranscriptRow) -> [String: Any] {
        guard let item = try? JSONReader.read(row.frame, manner: .lenient) else { return [:] }
        let receipts = item["MessageMetadata"]?["Receipts"]?.array ?? []
        let own = receipts.first { $0["RecipientParticipantId"]?.string == row.participant } ?? receipts.first
        var content: [String: Any] = [
            "content": String(decoding: row.frame, as: UTF8.self), "contentType": "application/json",
            "topic": "aws/chat",
        ]
        content["receipt"] = own?.dictionary
        content["originalMessage"] = item.dictionary
        return content
    }
}
