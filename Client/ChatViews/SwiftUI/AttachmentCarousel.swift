// This file was type-checked only: it has never run on an Apple device.
#if canImport(SwiftUI)
    import ChatPresentation
    public import PolyMessaging
    public import SwiftUI

    /// Horizontal list of the pictures, cards and files of a message. Empty if there are none.
    public struct AttachmentCarousel: View {
        private let rows: [RowAttachment]
        @SwiftUI.Environment(\.chatStrings) private var strings

        /// Makes the list. Unknown kinds and unsafe addresses are left out.
        public init(attachments: [Attachment]) {
            rows = attachments.compactMap { RowAttachment($0) }
        }

        init(rows: [RowAttachment]) {
            self.rows = rows
        }

        /// One card for each attachment.
        public var body: some View {
            if !rows.isEmpty {
                ScrollView(.horizontal, showsIndicators: false) {
                    HStack(alignment: .top, spacing: 8) {
                        ForEach(Array(rows.enumerated()), id: \.offset) { _, row in URLCard(row: row) }
                    }
                }
                .accessibilityLabel(strings.say("attachments"))
            }
        }
    }

    /// Card of a picture, a link, or a file with its title and state, 220 points wide. A tap opens its URL.
    public struct URLCard: View {
        private let row: RowAttachment?
        @SwiftUI.Environment(\.chatStrings) private var strings

        /// Makes the card of an attachment; empty for an unknown kind or an unsafe address.
        public init(attachment: Attachment) {
            row = RowAttachment(attachment)
        }

        init(row: RowAttachment) {
            self.row = row
        }

        /// The picture above title and button.
        public var body: some View {
            if let row {
                if let url = URL(string: row.url), !row.url.isEmpty {
                    Link(destination: url) { content(row) }
                } else {
                    Text(strings.text(of: row)).font(.caption).frame(width: 220)
                }
            }
        }

        private func content(_ row: RowAttachment) -> some View {
            VStack(alignment: .leading, spacing: 4) {
                if let picture = row.preview ?? (row.kind == .image ? row.url : nil) {
                    RetryableAsyncImage(url: URL(string: picture)).frame(width: 220, height: 140).clipped()
                }
                let words = strings.text(of: row)
                if !words.isEmpty { Text(words).font(.caption) }
                if let button = row.button { Text(button).font(.caption) }
            }
            .frame(width: 220)
        }
    }

    /// Button that calls a number. A number without digits is shown as text.
    public struct CallActionButton: View {
        private let call: RowCall
        @SwiftUI.Environment(\.chatStrings) private var strings

        /// Makes the button of a number that the agent offers.
        public init(action: ChatCallAction) {
            call = RowCall(title: action.title, number: action.contactNumber)
        }

        init(call: RowCall) {
            self.call = call
        }

        /// A link of the scheme `tel`.
        public var body: some View {
            let title = strings.say("call", ["title": .text(call.title)])
            if let number = call.number, let url = URL(string: "tel:" + number) {
                Link(destination: url) { Text(title) }
            } else {
                Text(title)
            }
        }
    }

    struct CallActionButtons: View {
        let calls: [RowCall]

        var body: some View {
            ForEach(Array(calls.enumerated()), id: \.offset) { _, call in CallActionButton(call: call) }
        }
    }
#endif
