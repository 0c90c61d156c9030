// This file was type-checked only: it has never run on an Apple device.
#if canImport(UIKit)
    import ChatPresentation
    public import PolyMessaging
    import SwiftUI
    public import UIKit

    /// Table cell of one row: dividers, and a message with bubble, pictures, cards, numbers and delivery, or a notice.
    public final class MessageCell: UITableViewCell {
        /// The identifier for the table's reuse.
        public static let reuseID = "MessageCell"

        private let divider = UILabel()
        private let name = UILabel()
        private let avatar = RetryableImageView()
        private let bubble = UITextView()
        private let pictures = AttachmentCarouselView()
        private let calls = CallActionsRow()
        private let foot = UILabel()
        private let line = UIStackView()
        private let column = UIStackView()
        private var retryButton: UIButton?
        private var retry: @MainActor () -> Void = {}
        private var avatarWidth: NSLayoutConstraint?

        /// Makes an empty cell.
        public override init(style: UITableViewCell.CellStyle, reuseIdentifier: String?) {
            super.init(style: style, reuseIdentifier: reuseIdentifier)
            let again = UIAction(title: ChatStrings.system.say("delivery.retry")) { [weak self] _ in
                self?.retry()
            }
            let button = UIButton(primaryAction: again)
            retryButton = button
            bubble.isEditable = false
            bubble.isScrollEnabled = false
            column.axis = .vertical
            column.spacing = 2
            for view in [name, bubble, pictures, calls, foot, button] { column.addArrangedSubview(view) }
            line.axis = .horizontal
            line.alignment = .top
            line.spacing = 8
            for view in [avatar, column] { line.addArrangedSubview(view) }
            let all = UIStackView(arrangedSubviews: [divider, line])
            all.axis = .vertical
            all.spacing = 4
            contentView.fill(with: all, inset: 8)
            for label in [divider, name, foot] {
                label.numberOfLines = 0
                label.font = UIFont.preferredFont(forTextStyle: .caption1)
                label.adjustsFontForContentSizeCategory = true
            }
            divider.textAlignment = .center
            // A scroll view has no width of its own.
            pictures.widthAnchor.constraint(equalTo: column.widthAnchor).isActive = true
            avatarWidth = avatar.widthAnchor.constraint(equalToConstant: 0)
            avatarWidth?.isActive = true
            avatar.heightAnchor.constraint(equalTo: avatar.widthAnchor).isActive = true
        }

        /// Returns nil, because storyboards are not supported.
        public required init?(coder: NSCoder) { nil }

        /// Shows a message of a session. `onRetry` receives the text of a failed message, to be sent again.
        public func configure(
            with message: ChatMessage, onRetry: @escaping @MainActor (String) -> Void
        ) {
            line.isHidden = true
            divider.isHidden = true
            guard let row = ChatRow(message) else { return }
            show(row) { onRetry(message.text ?? "") }
        }

        func show(
            _ row: ChatRow, divider date: String? = nil, strings: ChatStrings = .system,
            theme: ChatTheme = ChatTheme(), onRetry: @escaping @MainActor () -> Void = {}
        ) {
            retry = onRetry
            var lines = [date, row.hasUnreadDivider ? strings.say("divider.new") : nil].compactMap { $0 }
            if let notice = row.notice { lines.append(strings.text(of: notice)) }
            divider.text = lines.joined(separator: "\n")
            divider.textColor = UIColor(theme.secondary)
            divider.isHidden = lines.isEmpty
            line.isHidden = row.message == nil
            if let message = row.message { show(message, row, strings, theme) }
        }

        private func show(
            _ message: RowMessage, _ row: ChatRow, _ strings: ChatStrings, _ theme: ChatTheme
        ) {
            let isOwn = message.speaker == .user
            name.text = isOwn || !row.position.isFirst ? nil : strings.speaker(of: message)
            name.isHidden = name.text == nil
            name.textColor = UIColor(theme.secondary)
            avatarWidth?.constant = isOwn ? 0 : theme.avatarSize
            avatar.alpha = row.position.isFirst ? 1 : 0
            avatar.layer.cornerRadius = theme.avatarSize / 2
            if !isOwn {
                let picture = message.avatar.flatMap { URL(string: $0) }
                avatar.load(url: picture, placeholder: String(message.name.prefix(1)))
            }
            bubble.attributedText = NSAttributedString(Self.text(of: message, strings))
            bubble.backgroundColor = UIColor(theme.bubble(of: message.speaker))
            bubble.layer.cornerRadius = theme.cornerRadius
            bubble.textAlignment = isOwn ? .right : .natural
            bubble.isHidden = bubble.attributedText.length == 0
            column.alignment = isOwn ? .trailing : .leading
            pictures.show(message.attachments, strings: strings)
            calls.show(message.calls, strings: strings)
            let hasFailed = message.delivery == .failed
            if let key = message.delivery?.key, message.delivery != .sent {
                foot.text = strings.say(key)
            } else {
                foot.text = row.position.isLast ? strings.time(row.at) : nil
            }
            foot.isHidden = foot.text == nil
            foot.textColor = UIColor(hasFailed ? theme.failed : theme.secondary)
            retryButton?.isHidden = !hasFailed
        }

        private static func text(of message: RowMessage, _ strings: ChatStrings) -> AttributedString {
            var parts: [AttributedString] = []
            if let quote = message.quote { parts.append(AttributedString("> " + quote.text)) }
            if message.isDeleted { parts.append(AttributedString(strings.say("message.deleted"))) }
            if !message.text.isEmpty { parts.append(MessageText.attributed(message.blocks)) }
            if message.isEdited { parts.append(AttributedString(strings.say("message.edited"))) }
            if message.isInterrupted { parts.append(AttributedString(strings.say("stream.interrupted"))) }
            if !message.reactions.isEmpty {
                let all = message.reactions.map { "\($0.text) \($0.speakers.count)" }
                parts.append(AttributedString(all.joined(separator: " ")))
            }
            return parts.dropFirst().reduce(parts.first ?? AttributedString()) {
                $0 + AttributedString("\n") + $1
            }
        }
    }
#endif
