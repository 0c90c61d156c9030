// This file was type-checked only: it has never run on an Apple device.
#if canImport(SwiftUI)
    public import ChatPresentation
    public import PolyMessaging
    public import SwiftUI

    #if canImport(UIKit)
        import UIKit
    #endif

    /// Chat screen: rows, typing indicator, suggestions, banners and text field.
    public struct ChatView: View {
        @StateObject private var model: ChatScreenModel
        @State private var text = ""
        @State private var asksForEnd = false

        /// Makes the screen of a session of the Messaging API, in the language of `strings`. Default: English.
        public init(session: ChatSession, strings: ChatStrings = ChatStrings()) {
            self.init(source: MessagingSource(session.client), strings: strings)
        }

        /// Makes the screen of any source, in the language of `strings`. Default: English.
        public init(source: any ChatSource, strings: ChatStrings = ChatStrings()) {
            _model = StateObject(wrappedValue: ChatScreenModel(source, strings: strings))
        }

        /// The banners, the rows and the text field.
        public var body: some View {
            VStack(spacing: 0) {
                head
                ZStack {
                    if model.state.cover == .loading { LoadingSkeleton() } else { log }
                    if case .failed(let failure) = model.state.cover {
                        ErrorScreen(failure: failure, strings: model.strings) { model.recover() }
                    }
                }
                foot
            }
            .confirmationDialog(model.strings.say("end.confirm"), isPresented: $asksForEnd) {
                Button(model.strings.say("menu.end")) { model.end() }
            }
            .onAppear {
                model.announce = announceToScreenReader
                model.start()
            }
            .onDisappear { model.stop() }
        }

        @ViewBuilder private var head: some View {
            if model.state.canEnd {
                HStack {
                    Spacer()
                    Button(model.strings.say("menu.end")) { asksForEnd = true }
                }
                .padding(4)
            }
            ForEach(model.state.banners, id: \.self) { banner in
                Banner(text: model.strings.say(banner.key, banner.arguments))
            }
        }

        private var log: some View {
            ScrollViewReader { proxy in
                ScrollView(.vertical) {
                    LazyVStack(alignment: .leading, spacing: 4) {
                        ForEach(model.chat.rows) { row in
                            ChatRowView(row: row, model: model)
                        }
                        if let name = model.chat.typing {
                            TypingIndicator(label: model.strings.say("typing.one", ["name": .text(name)]))
                        }
                        SuggestionRow(suggestions: model.chat.suggestions) {
                            model.send($0.text, payload: $0.payload)
                        }
                        Color.clear.frame(height: 1).id(Self.end)
                            .onAppear { model.scrolled(.settled(distance: 0)) }
                    }
                    .padding(12)
                }
                .simultaneousGesture(
                    DragGesture().onChanged { drag in
                        if drag.translation.height > 4 { model.scrolled(.movedUp) }
                    }
                )
                .onChange(of: model.chat.rows.last) { _ in
                    if model.follow.isFollowing { proxy.scrollTo(Self.end, anchor: .bottom) }
                }
            }
        }

        private static let end = "end"

        @ViewBuilder private var foot: some View {
            if model.chat.ending != nil {
                Button(model.strings.say("ended.start")) { model.startNew() }.padding(12)
            } else {
                if let message = model.answered {
                    HStack {
                        QuoteView(name: model.strings.speaker(of: message), text: message.plainText)
                        Button(model.strings.say("cancel")) { model.answer(nil) }
                    }
                    .padding(4)
                }
                let box = Composer(text: text)
                HStack(spacing: 8) {
                    TextField(model.strings.say("composer.placeholder"), text: $text)
                        .onChange(of: text) { changed($0) }
                        .onSubmit { send(box) }
                    if let count = box.count {
                        Text(
                            model.strings.say(
                                "composer.count",
                                ["n": .number(count), "max": .number(Composer.maxCharacters)])
                        )
                        .font(.caption)
                    }
                    Button(model.strings.say("composer.send")) { send(box) }.disabled(box.state != .ready)
                }
                .padding(12)
            }
        }

        private func changed(_ new: String) {
            if let cut = Composer.cut(new) { text = cut }
            model.typed()
        }

        private func send(_ box: Composer) {
            guard box.state == .ready else { return }
            text = ""
            model.send(box.message)
        }
    }

    /// Posts an announcement to the screen reader. On macOS, does nothing.
    @MainActor func announceToScreenReader(_ text: String) {
        #if canImport(UIKit)
            UIAccessibility.post(notification: .announcement, argument: text)
        #endif
    }

    /// View of one row: the dividers above it, and the message or notice.
    struct ChatRowView: View {
        let row: ChatRow
        let model: ChatScreenModel

        var body: some View {
            VStack(alignment: .leading, spacing: 4) {
                if row.hasTimeDivider { TimestampSeparator(text: model.divider(row.at)) }
                if row.hasUnreadDivider { TimestampSeparator(text: model.strings.say("divider.new")) }
                switch row.content {
                case .notice(let notice): TimestampSeparator(text: model.strings.text(of: notice))
                case .message(let message):
                    MessageBubbleView(
                        message: message, position: row.position, time: model.time(row.at),
                        strings: model.strings, actions: message.actions(offering: model.source.offers),
                        onAction: { model.choose($0, on: message) })
                }
            }
        }
    }
#endif
