// This file was type-checked only: it has never run on an Apple device.
#if canImport(SwiftUI)
    import ChatPresentation
    import SwiftUI

    /// Horizontal list of the pictures and link cards of a message.
    struct AttachmentCarousel: View {
        let attachments: [RowAttachment]
        let strings: ChatStrings

        var body: some View {
            if !attachments.isEmpty {
                ScrollView(.horizontal, showsIndicators: false) {
                    HStack(alignment: .top, spacing: 8) {
                        ForEach(Array(attachments.enumerated()), id: \.offset) { _, attachment in
                            URLCard(attachment: attachment, strings: strings)
                        }
                    }
                }
                .accessibilityLabel(strings.say("attachments"))
            }
        }
    }

    /// Card of an attachment, 220 points wide: a picture, a link, or a file with its title and state. A tap opens the
    /// attachment's URL.
    struct URLCard: View {
        let attachment: RowAttachment
        let strings: ChatStrings

        private var picture: String? {
            attachment.preview ?? (attachment.kind == .image ? attachment.url : nil)
        }

        /// Text that is shown for a file without a URL: its name and its state.
        private var words: String {
            let state: String =
                switch attachment.state {
                case .complete: ""
                case .uploading(let percent):
                    strings.say("file.uploading") + (percent.map { " \($0) %" } ?? "")
                case .cancelled: strings.say("file.cancelled")
                case .failed: strings.say("file.failed")
                }
            return [attachment.title ?? "", state].filter { !$0.isEmpty }.joined(separator: " – ")
        }

        var body: some View {
            if let url = URL(string: attachment.url), !attachment.url.isEmpty {
                Link(destination: url) {
                    VStack(alignment: .leading, spacing: 4) {
                        if let picture {
                            AsyncImage(url: URL(string: picture)) {
                                $0.resizable().scaledToFill()
                            } placeholder: {
                                Color.gray.opacity(0.15)
                            }
                            .frame(width: 220, height: 140).clipped()
                        }
                        if let title = attachment.title { Text(title).font(.caption) }
                        if let button = attachment.button { Text(button).font(.caption) }
                    }
                    .frame(width: 220)
                }
            } else {
                Text(words).font(.caption).frame(width: 220)
            }
        }
    }

    /// Row of buttons that call a phone number. A number without digits is shown as text.
    struct CallActionsRow: View {
        let calls: [RowCall]
        let strings: ChatStrings

        var body: some View {
            ForEach(Array(calls.enumerated()), id: \.offset) { _, call in
                if let number = call.number, let url = URL(string: "tel:" + number) {
                    Link(destination: url) { Text(strings.say("call", ["title": .text(call.title)])) }
                } else {
                    Text(strings.say("call", ["title": .text(call.title)]))
                }
            }
        }
    }

    /// Round picture of the agent. Without a picture, the first letter of the agent's name is shown.
    struct AgentAvatarView: View {
        let url: String?
        let name: String

        var body: some View {
            AsyncImage(url: url.flatMap { URL(string: $0) }) {
                $0.resizable().scaledToFill()
            } placeholder: {
                Text(String(name.prefix(1))).frame(width: 28, height: 28).background(Color.gray.opacity(0.3))
            }
            .frame(width: 28, height: 28).cornerRadius(14).accessibilityHidden(true)
        }
    }
#endif
