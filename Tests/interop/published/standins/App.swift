// swift-format-ignore-file
// What an app brings: what the published snippets stand in. The views that they name are those of ChatViews, on Linux of Views.swift.
#if canImport(Combine)
    import ChatViews
    import Combine
#endif
import PolyMessaging
import SwiftUI

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
    let imageCarousel = AttachmentCarouselView()
    let urlCarousel = AttachmentCarouselView()
    let callActionsRow = CallActionsRow()
    let avatarView = RetryableImageView()
    #if canImport(Combine)
        var bag = Set<AnyCancellable>()
    #endif
    func showRetry(_ action: @escaping @MainActor () -> Void) {}
}
