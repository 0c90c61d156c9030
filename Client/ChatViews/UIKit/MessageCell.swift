// This file was type-checked only: it has never run on an Apple device.
#if canImport(UIKit)
    import ChatPresentation
    import UIKit

    /// Table cell of one row. One attributed string contains the dividers, the name, the text, the attachments and the
    /// delivery state.
    final class MessageCell: UITableViewCell {
        static let reuseID = "MessageCell"
        private let text = UITextView()

        override init(style: UITableViewCell.CellStyle, reuseIdentifier: String?) {
            super.init(style: style, reuseIdentifier: reuseIdentifier)
            text.isEditable = false
            text.isScrollEnabled = false
            text.frame = contentView.bounds
            text.autoresizingMask = [.flexibleWidth, .flexibleHeight]
            contentView.addSubview(text)
        }

        required init?(coder: NSCoder) { nil }

        func show(_ row: ChatRow, time: String, divider: String?, strings: ChatStrings) {
            var parts: [AttributedString] = []
            if let divider { parts.append(AttributedString(divider)) }
            if row.hasUnreadDivider { parts.append(AttributedString(strings.say("divider.new"))) }
            switch row.content {
            case .notice(let notice): parts.append(AttributedString(strings.text(of: notice)))
            case .message(let message):
                if row.position.isFirst, message.speaker != .user {
                    parts.append(AttributedString(strings.speaker(of: message)))
                }
                if let quote = message.quote { parts.append(AttributedString("> " + quote.text)) }
                if message.isDeleted { parts.append(AttributedString(strings.say("message.deleted"))) }
                parts.append(MessageText.attributed(message.blocks))
                if message.isEdited { parts.append(AttributedString(strings.say("message.edited"))) }
                if !message.reactions.isEmpty {
                    let all = message.reactions.map { "\($0.text) \($0.speakers.count)" }
                    parts.append(AttributedString(all.joined(separator: " ")))
                }
                parts += message.attachments.map { Self.link($0.title ?? $0.url, to: $0.url) }
                parts += message.calls.map { call in
                    Self.link(
                        strings.say("call", ["title": .text(call.title)]), to: call.number.map { "tel:" + $0 }
                    )
                }
                if let key = message.delivery?.key, message.delivery != .sent {
                    parts.append(AttributedString(strings.say(key)))
                } else if row.position.isLast {
                    parts.append(AttributedString(time))
                }
            }
            let all = parts.dropFirst().reduce(parts.first ?? AttributedString()) {
                $0 + AttributedString("\n") + $1
            }
            text.attributedText = NSAttributedString(all)
            text.textAlignment =
                row.message == nil ? .center : row.message?.speaker == .user ? .right : .natural
        }

        private static func link(_ words: String, to address: String?) -> AttributedString {
            var link = AttributedString(words)
            link.link = address.flatMap { URL(string: $0) }
            return link
        }
    }

    /// A row of suggested replies; empty if there are none.
    final class SuggestionsView: UIStackView {
        var choose: (RowSuggestion) -> Void = { _ in }

        func show(_ suggestions: [RowSuggestion]) {
            for view in arrangedSubviews { view.removeFromSuperview() }
            for suggestion in suggestions {
                let action = UIAction(title: suggestion.text) { [weak self] _ in self?.choose(suggestion) }
                addArrangedSubview(UIButton(primaryAction: action))
            }
            isHidden = suggestions.isEmpty
        }
    }
#endif
