// This file was type-checked only: it has never run on an Apple device.
#if canImport(UIKit)
    import ChatPresentation
    public import PolyMessaging
    public import UIKit

    /// Pictures and cards of a message. Hidden if there are none.
    public final class AttachmentCarouselView: SidewaysView {
        /// Shows the attachments of a message. Unknown kinds and unsafe addresses are left out.
        public func configure(with attachments: [Attachment]) {
            show(attachments.compactMap { RowAttachment($0) })
        }

        func show(_ attachments: [RowAttachment], strings: ChatStrings = .system) {
            show(
                attachments.map { attachment in
                    let card = URLCardView()
                    card.widthAnchor.constraint(equalToConstant: 220).isActive = true
                    card.show(attachment, strings: strings)
                    return card
                })
        }
    }

    /// Card of a picture, a link, or a file with its title and state. A tap opens its URL.
    public final class URLCardView: UIStackView {
        /// Shows an attachment; hidden for an unknown kind or an unsafe address.
        public func configure(with attachment: Attachment) {
            isHidden = true
            if let row = RowAttachment(attachment) { show(row, strings: .system) }
        }

        func show(_ row: RowAttachment, strings: ChatStrings) {
            for view in arrangedSubviews { view.removeFromSuperview() }
            axis = .vertical
            spacing = 4
            isHidden = false
            if let picture = row.preview ?? (row.kind == .image ? row.url : nil) {
                let view = RetryableImageView()
                view.heightAnchor.constraint(equalToConstant: 140).isActive = true
                view.load(url: URL(string: picture))
                addArrangedSubview(view)
            }
            let words = [strings.text(of: row), row.button ?? ""].filter { !$0.isEmpty }
            let open = UIAction(title: words.joined(separator: "\n")) { _ in
                if let url = URL(string: row.url), !row.url.isEmpty { UIApplication.shared.open(url) }
            }
            if !words.isEmpty { addArrangedSubview(UIButton(primaryAction: open)) }
        }
    }

    /// Numbers to call, in a column. Hidden if there are none.
    public final class CallActionsRow: UIStackView {
        /// Shows the numbers that the agent offers.
        public func configure(actions: [ChatCallAction]) {
            show(actions.map { RowCall(title: $0.title, number: $0.contactNumber) })
        }

        func show(_ calls: [RowCall], strings: ChatStrings = .system) {
            for view in arrangedSubviews { view.removeFromSuperview() }
            axis = .vertical
            for call in calls {
                let title = strings.say("call", ["title": .text(call.title)])
                let action = UIAction(title: title) { _ in
                    guard let number = call.number, let url = URL(string: "tel:" + number) else { return }
                    UIApplication.shared.open(url)
                }
                addArrangedSubview(UIButton(primaryAction: action))
            }
            isHidden = calls.isEmpty
        }
    }
#endif
