// This file was type-checked only: it has never run on an Apple device.
import ChatPresentation
import Combine
import ExyteChat
import Foundation
import SwiftUI

/// The chat view of the library ExyteChat for any source of ChatPresentation, such as
/// `MessagingSource(session.client)`.
struct ExyteScreen: View {
    @StateObject private var model: ExyteModel

    init(source: any ChatSource) {
        _model = StateObject(wrappedValue: ExyteModel(source))
    }

    var body: some View {
        ChatView(messages: model.messages) { draft in model.send(draft) }
            .onAppear { model.start() }
            .onDisappear { model.stop() }
    }
}

/// The messages of a source, updated while the screen is shown.
@MainActor
final class ExyteModel: ObservableObject {
    @Published private(set) var messages: [Message] = []
    private let source: any ChatSource
    private let strings = ChatStrings(preferring: Locale.preferredLanguages)
    private var chat = ChatModel()
    private var listening: Task<Void, Never>?

    init(_ source: any ChatSource) {
        self.source = source
    }

    func start() {
        guard listening == nil else { return }
        let following = source.follow()
        listening = Task { [weak self] in
            for await _ in following.news { self?.take(following) }
        }
    }

    func stop() {
        listening?.cancel()
        listening = nil
    }

    func send(_ draft: DraftMessage) {
        let command = ChatCommand(draft)
        Task { [source] in try? await source.execute(command) }
    }

    private func take(_ following: ScreenFollowing) {
        let now = Milliseconds(Date(timeIntervalSinceNow: 0).timeIntervalSince1970 * 1_000)
        for action in following.take() { _ = chat.apply(action, at: now) }
        messages = chat.rows.compactMap { Message($0, strings) }
    }
}
