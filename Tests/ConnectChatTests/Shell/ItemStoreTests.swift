import Clocks
import Expectations
import TestSupport
import Testing

@testable import ConnectChat
@testable import ConnectCore

@MainActor
@Suite("ConnectChat: items")
struct ItemStoreTests {
    private func row(_ id: String, _ text: String, status: MessageStatus? = nil) -> TranscriptRow {
        var row = TranscriptRow(
            kind: .message, id: id, persistentId: id, timeStamp: "t", contentType: "text/plain")
        (row.text, row.status) = (text, status)
        return row
    }

    @Test("CC-57 One row is one object for life; what the app has changed and the server has not stays")
    func identity() throws {
        let store = ItemStore(handlers: Locked(Handlers()))
        store.apply([.insert(row("a", "One"), at: 0)], previousToken: nil, tells: { true })
        let message = try #require(store.items.first as? Message)
        message.messageDirection = .Common
        var moved = row("a", "One!", status: .Read)
        moved.id = "server"
        let changes: [TranscriptCore.Change] = [
            .insert(row("b", "Two"), at: 1), .move(moved, from: 0, to: 1),
        ]
        store.apply(changes, previousToken: nil, tells: { true })
        #expect(store.items.last === message && message.text == "One!" && message.id == "server")
        #expect(message.persistentId == "a" && message.messageDirection == .Common)
        expectEqual(message.metadata?.status, .Read)
    }

    @Test("CC-58 CC-59 Each item that is new or changed is told once, then the list; also when it is empty")
    func telling() {
        let handlers = Locked(Handlers())
        let heard = Gathering<String>()
        let onMessage = UncheckedBox<(TranscriptItem) -> Void> { heard.append($0.id) }
        let onTranscript = UncheckedBox<(TranscriptData) -> Void> { data in
            heard.append("\(data.transcriptList.count) \(data.previousTranscriptNextToken ?? "-")")
        }
        handlers.withLock { ($0.onMessageReceived, $0.onTranscriptUpdated) = (onMessage, onTranscript) }
        let store = ItemStore(handlers: handlers)
        store.apply(
            [
                .insert(row("a", "One"), at: 0), .insert(row("b", "Two"), at: 1),
                .update(row("a", "1"), at: 0),
            ],
            previousToken: "older", tells: { true })
        store.notifyList()
        store.notifyList()
        store.apply([.removeAll], previousToken: nil, tells: { true })
        store.notifyList()
        store.apply([.insert(row("c", "Three"), at: 0)], previousToken: nil, tells: { false })
        store.notifyList()
        expectEqual(heard.all, ["a", "b", "2 older", "0 -"])
    }

    @Test("CC-127 Of several items that came at once nothing is told behind a reset by a handler")
    func resetBetween() {
        let handlers = Locked(Handlers())
        let heard = Gathering<String>()
        let isReset = Locked(false)
        let onMessage = UncheckedBox<(TranscriptItem) -> Void> { item in
            heard.append(item.id)
            isReset.withLock { $0 = true }
        }
        let onTranscript = UncheckedBox<(TranscriptData) -> Void> { _ in heard.append("list") }
        handlers.withLock { ($0.onMessageReceived, $0.onTranscriptUpdated) = (onMessage, onTranscript) }
        let store = ItemStore(handlers: handlers)
        let rows: [TranscriptCore.Change] = [
            .insert(row("a", "One"), at: 0), .insert(row("b", "Two"), at: 1),
        ]
        store.apply(rows, previousToken: nil, tells: { !isReset.withLock { $0 } })
        store.notifyList()
        #expect(heard.all == ["a"] && store.items.count == 2)
    }
}
