// This file was type-checked only: it has never run on an Apple device.
#if canImport(UIKit)
    public import ChatPresentation
    public import PolyMessaging
    import SwiftUI
    public import UIKit

    /// A row of suggested replies. Hidden if there are none.
    public final class SuggestionsView: SidewaysView {
        private var choose: @MainActor (RowSuggestion) -> Void = { _ in }

        /// Shows the suggested replies of a message. `onTap` receives the chosen one.
        public func configure(
            suggestions: [ResponseSuggestion], onTap: @escaping @MainActor (ResponseSuggestion) -> Void
        ) {
            let rows = suggestions.map { RowSuggestion(text: $0.messageText, payload: $0.payload) }
            show(rows) { row in
                if let index = rows.firstIndex(of: row) { onTap(suggestions[index]) }
            }
        }

        func show(
            _ suggestions: [RowSuggestion], strings: ChatStrings = .system,
            onTap: @escaping @MainActor (RowSuggestion) -> Void
        ) {
            choose = onTap
            show(
                suggestions.map { suggestion in
                    let title = suggestion.title { strings.time($0) }
                    let action = UIAction(title: title) { [weak self] _ in self?.choose(suggestion) }
                    return UIButton(primaryAction: action)
                })
        }
    }

    /// Table cell of suggested replies.
    public final class SuggestionsCell: UITableViewCell {
        /// The identifier for the table's reuse.
        public static let reuseID = "SuggestionsCell"
        private let row = SuggestionsView()

        /// Makes an empty cell.
        public override init(style: UITableViewCell.CellStyle, reuseIdentifier: String?) {
            super.init(style: style, reuseIdentifier: reuseIdentifier)
            contentView.fill(with: row, inset: 8)
        }

        /// Returns nil, because storyboards are not supported.
        public required init?(coder: NSCoder) { nil }

        /// Shows the suggested replies of a message. `onTap` receives the chosen one.
        public func configure(
            suggestions: [ResponseSuggestion], onTap: @escaping @MainActor (ResponseSuggestion) -> Void
        ) {
            row.configure(suggestions: suggestions, onTap: onTap)
        }
    }

    /// Typing indicator: three dots, which fade in and out unless motion is reduced.
    public final class TypingDotsView: UIStackView {
        /// Shows that `name` is typing; nil hides the dots.
        public func show(_ name: String?, strings: ChatStrings = .system, theme: ChatTheme = ChatTheme()) {
            isHidden = name == nil
            for view in arrangedSubviews { view.removeFromSuperview() }
            guard let name else { return }
            spacing = 4
            isAccessibilityElement = true
            accessibilityLabel = strings.say("typing.one", ["name": .text(name)])
            for number in 0..<3 {
                let dot = UILabel()
                dot.text = "●"
                dot.textColor = UIColor(theme.secondary)
                addArrangedSubview(dot)
                guard !UIAccessibility.isReduceMotionEnabled else { continue }
                UIView.animate(
                    withDuration: 0.4, delay: Double(number) * 0.15, options: [.repeat, .autoreverse]
                ) { dot.alpha = 0.3 }
            }
        }
    }
#endif
