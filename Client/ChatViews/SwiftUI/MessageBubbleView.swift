// This file was type-checked only: it has never run on an Apple device.
#if canImport(SwiftUI)
    import ChatPresentation
    import SwiftUI

    #if canImport(UIKit)
        import UIKit
    #endif

    /// Quote above a message: the name and the text of the message that it answers, in two lines.
    struct QuoteView: View {
        let name: String
        let text: String

        var body: some View {
            VStack(alignment: .leading, spacing: 2) {
                if !name.isEmpty { Text(name).font(.caption) }
                Text(text).font(.caption).foregroundColor(.secondary)
            }
            .padding(6).background(Color.gray.opacity(0.15)).cornerRadius(8)
        }
    }

    /// View of a message. The first message of a group shows the speaker's name and picture; the last one shows the
    /// time and the delivery state.
    struct MessageBubbleView: View {
        let message: RowMessage
        let position: ChatRow.Position
        let time: String
        let strings: ChatStrings
        let actions: [MessageAction]
        let onAction: (MessageAction) -> Void

        private var isOwn: Bool { message.speaker == .user }

        var body: some View {
            HStack(alignment: .top, spacing: 8) {
                if isOwn { Spacer(minLength: 40) }
                if !isOwn {
                    AgentAvatarView(url: message.avatar, name: message.name).opacity(position.isFirst ? 1 : 0)
                }
                VStack(alignment: isOwn ? .trailing : .leading, spacing: 2) {
                    if !isOwn, position.isFirst { Text(strings.speaker(of: message)).font(.caption) }
                    if let quote = message.quote { QuoteView(name: quote.name, text: quote.text) }
                    if message.isDeleted {
                        Text(strings.say("message.deleted")).font(.caption).foregroundColor(.secondary)
                    }
                    if !message.text.isEmpty { bubble }
                    AttachmentCarousel(attachments: message.attachments, strings: strings)
                    CallActionsRow(calls: message.calls, strings: strings)
                    if !message.reactions.isEmpty { reactions }
                    foot
                }
                .contextMenu { menu }
                if !isOwn { Spacer(minLength: 40) }
            }
        }

        private var bubble: some View {
            RichText(blocks: message.blocks)
                .padding(10)
                .background(tint)
                .cornerRadius(16)
                .accessibilityElement(children: .combine)
                .accessibilityLabel("\(strings.speaker(of: message)), \(time): \(message.plainText)")
        }

        /// Background colour of the message. It depends on the speaker: user, agent or live agent.
        private var tint: Color {
            switch message.speaker {
            case .user: Color.accentColor.opacity(0.2)
            case .agent: Color.gray.opacity(0.15)
            case .person: Color.green.opacity(0.15)
            }
        }

        private var reactions: some View {
            HStack(spacing: 4) {
                ForEach(Array(message.reactions.enumerated()), id: \.offset) { _, reaction in
                    Text("\(reaction.text) \(reaction.speakers.count)").font(.caption)
                }
            }
        }

        private var menu: some View {
            ForEach(actions, id: \.self) { action in
                Button(strings.say(action.key)) { choose(action) }
            }
        }

        private func choose(_ action: MessageAction) {
            #if canImport(UIKit)
                if action == .copy { UIPasteboard.general.string = message.plainText }
            #endif
            onAction(action)
        }

        @ViewBuilder private var foot: some View {
            if message.isEdited { Text(strings.say("message.edited")).font(.caption) }
            if message.isInterrupted { Text(strings.say("stream.interrupted")).font(.caption) }
            if let key = message.delivery?.key, message.delivery != .sent {
                Text(strings.say(key)).font(.caption).foregroundColor(
                    message.delivery == .failed ? .red : .secondary)
            } else if position.isLast {
                Text(time).font(.caption).foregroundColor(.secondary)
            }
            if message.delivery == .failed {
                HStack(spacing: 8) {
                    Button(strings.say("delivery.retry")) { onAction(.retry) }
                    Button(strings.say("delivery.delete")) { onAction(.delete) }
                }
            }
        }
    }
#endif
