// This file was type-checked only: it has never run on an Apple device.
#if canImport(SwiftUI)
    public import ChatPresentation
    public import PolyMessaging
    public import SwiftUI

    #if canImport(UIKit)
        import UIKit
    #endif

    /// One row of a chat: a message with its bubble, pictures, cards, numbers to call and delivery, or a notice. The
    /// first message of a group shows the speaker, the last one the time.
    public struct MessageBubbleView: View {
        private let row: ChatRow?
        private var menu: MessageMenu?
        private var suggestions: [RowSuggestion] = []
        private var choose: @MainActor (MessageMenu.Entry) -> Void = { _ in }
        private var suggest: @MainActor (RowSuggestion) -> Void = { _ in }
        private var tapAvatar: (@MainActor () -> Void)?
        @SwiftUI.Environment(\.chatTheme) private var theme
        @SwiftUI.Environment(\.chatStrings) private var strings

        /// Makes the view of a message of a session.
        ///
        /// - Parameters:
        ///   - message: The message. A system event without a text shows nothing.
        ///   - onRetry: Receives the text of a failed message, to be sent again.
        ///   - showSuggestions: Whether the suggested replies are shown, as below the last message.
        ///   - onSuggestionTap: Receives the text of the reply that the user chose.
        public init(
            message: ChatMessage, onRetry: @escaping @MainActor (String) -> Void, showSuggestions: Bool,
            onSuggestionTap: @escaping @MainActor (String) -> Void
        ) {
            row = ChatRow(message)
            if showSuggestions {
                suggestions = message.suggestions.map { RowSuggestion(text: $0.messageText) }
            }
            suggest = { onSuggestionTap($0.text) }
            choose = { if $0 == .chat(.retry) { onRetry(message.text ?? "") } }
        }

        /// Makes the view of a row of a `ChatModel`, with its menu.
        public init(
            row: ChatRow, menu: MessageMenu? = nil,
            onChoose: @escaping @MainActor (MessageMenu.Entry) -> Void = { _ in },
            onAvatarTap: (@MainActor () -> Void)? = nil
        ) {
            (self.row, self.menu, choose, tapAvatar) = (row, menu, onChoose, onAvatarTap)
        }

        /// The message or notice, and its suggested replies.
        public var body: some View {
            VStack(alignment: .leading, spacing: 6) {
                switch row?.content {
                case .message(let message)?: content(message)
                case .notice(let notice)?: TimestampSeparator(text: strings.text(of: notice))
                case nil: EmptyView()
                }
                if !suggestions.isEmpty { SuggestionRow(rows: suggestions, onTap: suggest) }
            }
        }

        private var position: ChatRow.Position { row?.position ?? .single }
        private var time: String { row.map { strings.time($0.at) } ?? "" }

        private func content(_ message: RowMessage) -> some View {
            let isOwn = message.speaker == .user
            return HStack(alignment: .top, spacing: 8) {
                if isOwn { Spacer(minLength: 40) } else { avatar(message) }
                VStack(alignment: isOwn ? .trailing : .leading, spacing: 2) {
                    if !isOwn, position.isFirst {
                        Text(strings.speaker(of: message)).font(.caption).foregroundColor(theme.secondary)
                    }
                    if let quote = message.quote { QuoteView(name: quote.name, text: quote.text) }
                    if message.isDeleted {
                        Text(strings.say("message.deleted")).font(.caption).foregroundColor(theme.secondary)
                    }
                    if !message.text.isEmpty { bubble(message) }
                    AttachmentCarousel(rows: message.attachments)
                    CallActionButtons(calls: message.calls)
                    foot(message)
                }
                .contextMenu { items(message) }
                .simultaneousGesture(DragGesture().onEnded { swiped($0.translation, message) })
                if !isOwn { Spacer(minLength: 40) }
            }
        }

        private func avatar(_ message: RowMessage) -> some View {
            AgentAvatarView(url: message.avatar.flatMap { URL(string: $0) }, name: message.name)
                .opacity(position.isFirst ? 1 : 0)
                .onTapGesture { tapAvatar?() }
        }

        private func bubble(_ message: RowMessage) -> some View {
            RichText(blocks: message.blocks)
                .padding(10)
                .background(theme.bubble(of: message.speaker))
                .cornerRadius(theme.cornerRadius)
                .accessibilityElement(children: .combine)
                .accessibilityLabel("\(strings.speaker(of: message)), \(time): \(message.plainText)")
        }

        private func items(_ message: RowMessage) -> some View {
            ForEach(menu?.entries ?? []) { entry in
                Button(entry.title(strings), role: entry.isDestructive ? .destructive : nil) {
                    perform(entry, on: message)
                }
            }
        }

        private func perform(_ entry: MessageMenu.Entry, on message: RowMessage) {
            #if canImport(UIKit)
                if entry == .chat(.copy) { UIPasteboard.general.string = message.plainText }
            #endif
            choose(entry)
        }

        /// Performs the swipe's action if the drag is over 60 points wide, and over twice as wide as high.
        private func swiped(_ way: CGSize, _ message: RowMessage) {
            guard let entry = menu?.swipe, abs(way.width) > max(60, 2 * abs(way.height)) else { return }
            perform(entry, on: message)
        }

        @ViewBuilder private func foot(_ message: RowMessage) -> some View {
            if !message.reactions.isEmpty {
                HStack(spacing: 4) {
                    ForEach(Array(message.reactions.enumerated()), id: \.offset) { _, reaction in
                        Text("\(reaction.text) \(reaction.speakers.count)").font(.caption)
                    }
                }
            }
            if message.isEdited { Text(strings.say("message.edited")).font(.caption) }
            if message.isInterrupted { Text(strings.say("stream.interrupted")).font(.caption) }
            if let key = message.delivery?.key, message.delivery != .sent {
                Text(strings.say(key)).font(.caption)
                    .foregroundColor(message.delivery == .failed ? theme.failed : theme.secondary)
            } else if position.isLast {
                Text(time).font(.caption).foregroundColor(theme.secondary)
            }
            if message.delivery == .failed {
                HStack(spacing: 8) {
                    Button(strings.say("delivery.retry")) { choose(.chat(.retry)) }
                    if menu != nil { Button(strings.say("delivery.delete")) { choose(.chat(.delete)) } }
                }
            }
        }
    }

    struct QuoteView: View {
        let name: String
        let text: String
        @SwiftUI.Environment(\.chatTheme) private var theme

        var body: some View {
            VStack(alignment: .leading, spacing: 2) {
                if !name.isEmpty { Text(name).font(.caption) }
                Text(text).font(.caption).foregroundColor(theme.secondary)
            }
            .padding(6).background(theme.agent).cornerRadius(8)
        }
    }
#endif
