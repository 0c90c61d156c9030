// This file was type-checked only: it has never run on an Apple device.
#if canImport(SwiftUI)
    public import ChatPresentation
    public import PolyMessaging
    public import SwiftUI

    #if canImport(UIKit)
        import UIKit
    #endif

    /// Chat screen: rows, typing indicator, suggestions, banners and text field. Modifiers replace parts of it.
    public struct ChatView: View {
        @StateObject private var model: ChatScreenModel
        @State private var text = ""
        @State private var asksForEnd = false
        @State private var showsDetails = false
        var slots = ChatSlots()

        /// Makes the screen of a session of the Messaging API. The default language is the system's.
        public init(session: ChatSession, strings: ChatStrings = .system) {
            self.init(source: MessagingSource(session.client), strings: strings)
        }

        /// Makes the screen of any source. The default language is the system's.
        public init(source: any ChatSource, strings: ChatStrings = .system) {
            _model = StateObject(wrappedValue: ChatScreenModel(source, strings: strings))
        }

        /// The banners, the rows and the text field.
        public var body: some View {
            VStack(spacing: 0) {
                head
                ZStack {
                    if model.state.cover == .loading { LoadingSkeleton() } else { log }
                    if case .failed(let failure) = model.state.cover {
                        ErrorScreen(failure: failure) { model.recover() }
                    }
                }
                slots.between()
                foot
            }
            .background(slots.theme.background)
            .environment(\.chatTheme, slots.theme)
            .environment(\.chatStrings, model.strings)
            .environment(\.chatTextStyle, slots.textStyle)
            .environment(
                \.layoutDirection, model.strings.isRightToLeft ? .rightToLeft : .leftToRight
            )
            .confirmationDialog(model.strings.say("end.confirm"), isPresented: $asksForEnd) {
                Button(model.strings.say("menu.end")) { model.end() }
            }
            .alert(model.strings.say("message.details"), isPresented: $showsDetails) {
                Button(model.strings.say("cancel")) { model.show(details: nil) }
            } message: {
                Text(model.detailed.map { model.strings.details(of: $0) } ?? "")
            }
            .onChange(of: model.detailed) { showsDetails = $0 != nil }
            .onChange(of: model.purpose) { purpose in
                if case .edit(let message) = purpose { text = message.text }
            }
            .onAppear {
                model.announce = announceToScreenReader
                model.start()
            }
            .onDisappear { model.stop() }
            .onChange(of: slots.messageToShow) { if let id = $0 { model.scroll(to: id) } }
        }

        @ViewBuilder private var head: some View {
            slots.header()
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
                ScrollView(.vertical) { rows }
                    .modifier(InteractiveKeyboardDismiss())
                    .simultaneousGesture(
                        DragGesture().onChanged { drag in
                            // Positive if the drag moves away from the latest row.
                            let way = drag.translation.height * (slots.order == .comments ? -1 : 1)
                            if way > 4 { model.scrolled(.movedUp) }
                        }
                    )
                    .onChange(of: model.chat.rows.last) { _ in
                        if model.follow.isFollowing { proxy.scrollTo(Self.end, anchor: endAnchor) }
                    }
                    .onChange(of: model.follow) { follow in
                        if let row = follow.target { proxy.scrollTo(row, anchor: .center) }
                        if follow.isFollowing { proxy.scrollTo(Self.end, anchor: endAnchor) }
                    }
                    .overlay(alignment: .bottom) { jump }
            }
        }

        /// View next to the oldest row, which loads older messages.
        @ViewBuilder private var earlier: some View {
            if !model.chat.hasEarlier {
                EmptyView()
            } else if model.pages.hasFailed {
                Button(model.strings.say("failed.retry")) { model.loadEarlierAgain() }
            } else {
                ProgressView().onAppear { model.reachedBeginning() }
            }
        }

        private var rows: some View {
            LazyVStack(alignment: .leading, spacing: 4) {
                if slots.order == .comments { latest } else { earlier }
                ForEach(model.chat.rows(in: slots.order)) { ChatRowView(row: $0, model: model, slots: slots) }
                if slots.order == .conversation { latest } else { earlier }
            }
            .padding(12)
        }

        /// Typing indicator and suggestions next to the latest row, and the invisible view ``end`` to scroll to.
        @ViewBuilder private var latest: some View {
            if slots.order == .comments { end }
            if let name = model.chat.typing {
                TypingIndicator(avatarUrl: model.typingAvatar, name: name)
            }
            SuggestionRow(rows: model.chat.suggestions) { model.send($0.text, payload: $0.payload) }
            if slots.order == .conversation { end }
        }

        private var end: some View {
            Color.clear.frame(height: 1).id(Self.end)
                .onAppear { model.scrolled(.settled(distance: 0)) }
        }

        @ViewBuilder private var jump: some View {
            if let button = JumpButton(model.chat, model.follow) {
                Button(model.strings.say(button.key, button.arguments)) { model.scrolled(.wentToEnd) }
                    .padding(8).background(.regularMaterial).cornerRadius(slots.theme.cornerRadius)
            }
        }

        private static let end = "end"
        private var endAnchor: UnitPoint { slots.order == .comments ? .top : .bottom }

        @ViewBuilder private var foot: some View {
            if model.chat.ending != nil {
                Button(model.strings.say("ended.start")) { model.startNew() }.padding(12)
            } else {
                if let message = model.purpose.about {
                    HStack {
                        QuoteView(name: model.strings.speaker(of: message), text: message.plainText)
                        Button(model.strings.say("cancel")) { leave() }
                    }
                    .padding(4)
                }
                slots.input(
                    InputContext(
                        text: $text, composer: Composer(text: text), send: send, typed: { model.typed() }))
            }
        }

        private func leave() {
            if case .edit = model.purpose { text = "" }
            model.write(.message)
        }

        private func send() {
            let box = Composer(text: text)
            guard box.state == .ready else { return }
            text = ""
            model.send(box.message)
        }
    }

    /// Text field and button of a ``ChatView``.
    public struct InputView: View {
        private let context: InputContext
        @SwiftUI.Environment(\.chatStrings) private var strings

        /// Makes the field of a screen.
        public init(_ context: InputContext) {
            self.context = context
        }

        /// The field, the number of characters near the limit, and the button.
        public var body: some View {
            HStack(spacing: 8) {
                TextField(strings.say("composer.placeholder"), text: context.text)
                    .onChange(of: context.text.wrappedValue) { changed($0) }
                    .onSubmit { context.send() }
                if let count = context.composer.count {
                    Text(
                        strings.say(
                            "composer.count", ["n": .number(count), "max": .number(Composer.maxCharacters)])
                    )
                    .font(.caption)
                }
                Button(strings.say("composer.send")) { context.send() }
                    .disabled(context.composer.state != .ready)
            }
            .padding(12)
        }

        private func changed(_ new: String) {
            if let cut = Composer.cut(new) { context.text.wrappedValue = cut }
            context.typed()
        }
    }

    /// Announces a text with the screen reader. Has no effect on macOS.
    @MainActor func announceToScreenReader(_ text: String) {
        #if canImport(UIKit)
            UIAccessibility.post(notification: .announcement, argument: text)
        #endif
    }

    struct ChatRowView: View {
        let row: ChatRow
        let model: ChatScreenModel
        let slots: ChatSlots

        var body: some View {
            VStack(alignment: .leading, spacing: 4) {
                if row.hasTimeDivider, slots.showsDates { slots.dateHeader(row.at, model.divider(row.at)) }
                if row.hasUnreadDivider { TimestampSeparator(text: model.strings.say("divider.new")) }
                if let message = row.message {
                    slots.message(MessageContext(row: row, message: message, standard: standard(message)))
                } else {
                    MessageBubbleView(row: row)
                }
            }
        }

        private func standard(_ message: RowMessage) -> MessageBubbleView {
            let own = slots.actions(message)
            return MessageBubbleView(
                row: row,
                menu: slots.showsMenu
                    ? MessageMenu(message, offers: model.source.offers, own: own) : nil,
                onChoose: { entry in
                    switch entry {
                    case .chat(let action): model.choose(action, on: message)
                    case .own(let action): slots.perform(action, message)
                    }
                },
                onAvatarTap: { slots.tapAvatar(message) })
        }
    }
#endif
