// This file was type-checked only: it has never run on an Apple device.
#if canImport(SwiftUI)
    import ChatPresentation
    import SwiftUI

    /// Message bubble. The first of a group shows name and picture, the last one time or delivery state.
    struct MessageBubbleView: View {
        let message: RowMessage
        let position: ChatRow.Position
        let time: String
        let strings: ChatStrings
        let onRetry: () -> Void
        let onDelete: () -> Void

        private var isOwn: Bool { message.speaker == .user }

        var body: some View {
            HStack(alignment: .top, spacing: 8) {
                if isOwn { Spacer(minLength: 40) }
                if !isOwn {
                    AgentAvatarView(url: message.avatar, name: message.name).opacity(position.isFirst ? 1 : 0)
                }
                VStack(alignment: isOwn ? .trailing : .leading, spacing: 2) {
                    if !isOwn, position.isFirst { Text(strings.speaker(of: message)).font(.caption) }
                    if !message.text.isEmpty { bubble }
                    AttachmentCarousel(attachments: message.attachments, strings: strings)
                    CallActionsRow(calls: message.calls, strings: strings)
                    foot
                }
                if !isOwn { Spacer(minLength: 40) }
            }
        }

        private var bubble: some View {
            RichText(blocks: message.blocks)
                .padding(10)
                .background(isOwn ? Color.accentColor.opacity(0.2) : Color.gray.opacity(0.15))
                .cornerRadius(16)
                .accessibilityElement(children: .combine)
                .accessibilityLabel("\(strings.speaker(of: message)), \(time): \(message.plainText)")
        }

        @ViewBuilder private var foot: some View {
            if message.isInterrupted { Text(strings.say("stream.interrupted")).font(.caption) }
            if let key = message.delivery?.key, message.delivery != .sent {
                Text(strings.say(key)).font(.caption).foregroundColor(
                    message.delivery == .failed ? .red : .secondary)
            } else if position.isLast {
                Text(time).font(.caption).foregroundColor(.secondary)
            }
            if message.delivery == .failed {
                HStack(spacing: 8) {
                    Button(strings.say("delivery.retry"), action: onRetry)
                    Button(strings.say("delivery.delete"), action: onDelete)
                }
            }
        }
    }
#endif
