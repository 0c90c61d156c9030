// This file was type-checked only: it has never run on an Apple device.
import ChatViews
import PolyMessaging
import SwiftUI

/// An app's own view of agent messages: text, pictures, cards and numbers to call.
struct RichView: View {
    @StateObject private var session = PolyMessaging.chat()

    var body: some View {
        VStack(spacing: 0) {
            ScrollView {
                LazyVStack(alignment: .leading, spacing: 12) {
                    ForEach(session.messages) { message in
                        switch message {
                        case .agent(let agent): RichMessage(message: agent)
                        default:
                            MessageBubbleView(
                                message: message, onRetry: { _ in }, showSuggestions: false,
                                onSuggestionTap: { _ in })
                        }
                    }
                }
                .padding(12)
            }
            SuggestionRow(suggestions: ["Markdown", "Pictures", "Cards", "Call"]) { text in
                Task { try? await session.send(text) }
            }
            .padding(12)
        }
    }
}

/// One message of an agent.
struct RichMessage: View {
    let message: AgentMessage

    private func attachments(_ kind: AttachmentContentType) -> [Attachment] {
        message.attachments.filter { $0.contentType == kind }
    }

    var body: some View {
        HStack(alignment: .top, spacing: 8) {
            AgentAvatarView(url: message.avatarUrl, name: message.agentName ?? "")
            VStack(alignment: .leading, spacing: 6) {
                RichText(message.text)
                AttachmentCarousel(attachments: attachments(.image))
                ForEach(Array(attachments(.url).enumerated()), id: \.offset) { _, card in
                    URLCard(attachment: card)
                }
                ForEach(message.callActions) { CallActionButton(action: $0) }
                MessageTimestamp(date: message.timestamp)
            }
        }
    }
}
