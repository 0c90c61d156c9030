// swift-format-ignore-file
// What an app brings: views of its own under the names the published snippets call them by, and what they stand in.
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

func systemLabel(_ event: SystemEvent) -> String { "" }

struct Haptics { func success() {} }
struct Analytics {
    func track(_ name: String, _ value: String? = nil) {}
    func record(_ frame: Data) {}
}

/// Where a statement stands: what it finds around it.
@MainActor struct Surroundings {
    let session: ChatSession
    let message: ChatMessage
    let suggestion: ResponseSuggestion
    let agent: AgentMessage
    let text: String
    let isLast: Bool
    let error: PolyError
    let haptics: Haptics
    let analytics: Analytics
    func showError(_ text: String) {}
}

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
class Carousel: UIView {
    func configure(with attachments: [Attachment]) {}
    func configure(actions: [ChatCallAction]) {}
    func load(url: URL?) {}
}

extension UIViewController {
    func setTypingIndicatorVisible(_ isVisible: Bool) {}
}

/// A screen that statements for UIKit stand in.
class Screen: UIViewController {
    var session = PolyMessaging.chat()
    let tableView = UITableView()
    let inputField = UITextField()
    let reconnectBanner = UILabel()
    let statusLabel = UILabel()
    let nameLabel = UILabel()
    let timeLabel = UILabel()
    let errorLabel = UILabel()
    let errorView = UIView()
    let skeleton = UIView()
    let bubble = UIView()
    let inputBar = UIView()
    let textView = UITextView()
    let cell = SuggestionsCell()
    let imageCarousel = Carousel()
    let urlCarousel = Carousel()
    let callActionsRow = Carousel()
    let avatarView = Carousel()
    #if canImport(Combine)
        var bag = Set<AnyCancellable>()
    #endif
    func showRetry(_ action: @escaping @MainActor () -> Void) {}
}
