// This file was type-checked only: it has never run on an Apple device.
import ChatPresentation
import Combine
import Foundation

/// A local back end: notes in a file, and a source that shows them and executes the user's commands.
@MainActor
final class NotesStore: ObservableObject {
    struct Note: Codable {
        var id: String
        var text: String
        var at: Milliseconds
    }

    private(set) var source = ValueSource(execute: { _ in })
    private var notes: [Note] = []
    private let file = URL(fileURLWithPath: NSHomeDirectory()).appendingPathComponent("Documents/notes.json")

    init() {
        if let data = try? Data(contentsOf: file) {
            notes = (try? JSONDecoder().decode([Note].self, from: data)) ?? []
        }
        source = ValueSource(offers: [.edit, .unsend]) { [weak self] in await self?.execute($0) }
        show()
    }

    private func execute(_ command: ChatCommand) {
        switch command {
        case .send(let text, _, _):
            let now = Milliseconds(Date(timeIntervalSinceNow: 0).timeIntervalSince1970 * 1_000)
            notes.append(Note(id: UUID().uuidString, text: text, at: now))
        case .change(let id, .text(let text)):
            for index in notes.indices where notes[index].id == id { notes[index].text = text }
        case .change(let id, .deleted): notes.removeAll { $0.id == id }
        case .startNew: notes = []
        default: return
        }
        try? JSONEncoder().encode(notes).write(to: file)
        show()
    }

    /// Passes all rows to the screens.
    private func show() {
        let entries = notes.map { ChatHistory.Entry.draft(id: $0.id, text: $0.text, at: $0.at, .sent) }
        source.show(ChatHistory(entries: entries, isOpen: true))
    }
}
