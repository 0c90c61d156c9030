// swift-format-ignore-file
// The views of ChatViews that the published snippets name, by their names and parameters. Types only: nothing of it runs.
import PolyMessaging
import SwiftUI

struct MessageBubbleView: Leaf {
    init(
        message: ChatMessage, onRetry: @escaping @MainActor (String) -> Void, showSuggestions: Bool,
        onSuggestionTap: @escaping @MainActor (String) -> Void
    ) {}
}
struct TypingIndicator: Leaf { init(avatarUrl: URL?) {} }
struct AgentAvatarView: Leaf { init(url: URL?) {} }
struct LoadingSkeleton: Leaf {}
struct RichText: Leaf { init(_ text: String) {} }
struct AttachmentCarousel: Leaf { init(attachments: [Attachment]) {} }
struct URLCard: Leaf { init(attachment: Attachment) {} }
struct CallActionButton: Leaf { init(action: ChatCallAction) {} }
struct SuggestionRow: Leaf { init(suggestions: [String], onTap: @escaping @MainActor (String) -> Void) {} }

class MessageCell: UITableViewCell {
    static let reuseID = "message"
    func configure(with message: ChatMessage, onRetry: @escaping @MainActor (String) -> Void) {}
}
class SuggestionsCell: UITableViewCell {
    static let reuseID = "suggestions"
    func configure(
        suggestions: [ResponseSuggestion], onTap: @escaping @MainActor (ResponseSuggestion) -> Void
    ) {}
}
class AttachmentCarouselView: UIView {
    func configure(with attachments: [Attachment]) {}
}
class CallActionsRow: UIView {
    func configure(actions: [ChatCallAction]) {}
}
class RetryableImageView: UIView {
    func load(url: URL?) {}
}
