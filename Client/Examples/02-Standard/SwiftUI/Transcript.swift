// This file was type-checked only: it has never run on an Apple device.
import ChatViews
import PolyMessaging
import SwiftUI

/// The messages of a session, with the suggested replies of the last message.
struct Transcript: View {
    @ObservedObject var session: ChatSession

    var body: some View {
        ScrollView {
            LazyVStack(alignment: .leading, spacing: 8) {
                ForEach(session.messages) { message in
                    MessageBubbleView(
                        message: message, onRetry: { _ in retry(message) },
                        showSuggestions: !session.hasEnded && message.id == session.messages.last?.id,
                        onSuggestionTap: { choose($0, of: message) })
                }
                if session.isAgentTyping {
                    TypingIndicator(avatarUrl: session.agentAvatarUrl)
                }
            }
            .padding(12)
        }
        .modifier(InteractiveKeyboardDismiss())
    }

    /// Removes the row of a failed message and sends its text again. The row would otherwise stay above the new row.
    private func retry(_ message: ChatMessage) {
        guard case .user(let failed) = message else { return }
        session.removeMessage(draftId: failed.draftId)
        Task { try? await session.send(failed.text) }
    }

    private func choose(_ suggestion: String, of message: ChatMessage) {
        session.clearSuggestions(for: message.id)
        Task { try? await session.send(suggestion) }
    }
}
