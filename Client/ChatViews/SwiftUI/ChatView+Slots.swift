// This file was type-checked only: it has never run on an Apple device.
#if canImport(SwiftUI)
    public import ChatPresentation
    public import Foundation
    public import SwiftUI

    @MainActor
    struct ChatSlots {
        var theme = ChatTheme()
        var textStyle = ChatTextStyle()
        var showsDates = true
        var showsMenu = true
        var messageToShow: String?
        var order = RowOrder.conversation
        var message: (MessageContext) -> AnyView = { AnyView($0.standard) }
        var input: (InputContext) -> AnyView = { AnyView(InputView($0)) }
        var header: () -> AnyView = { AnyView(EmptyView()) }
        var between: () -> AnyView = { AnyView(EmptyView()) }
        var dateHeader: (Milliseconds, String) -> AnyView = { AnyView(TimestampSeparator(text: $1)) }
        var actions: (RowMessage) -> [OwnAction] = { _ in [] }
        var perform: (OwnAction, RowMessage) -> Void = { _, _ in }
        var tapAvatar: (RowMessage) -> Void = { _ in }
    }

    /// Input of an app's own message view.
    public struct MessageContext {
        /// The row, with its position in the group and its dividers.
        public let row: ChatRow
        /// The message of the row.
        public let message: RowMessage
        /// The module's view of the message.
        public let standard: MessageBubbleView
    }

    /// Input of an app's own text field.
    public struct InputContext {
        /// The text of the field.
        public let text: Binding<String>
        /// State of the text: whether it can be sent, and its number of characters near the limit.
        public let composer: Composer
        /// Sends the text if it can be sent, and empties the field.
        public let send: @MainActor () -> Void
        /// Reports that the user is typing.
        public let typed: @MainActor () -> Void
    }

    extension ChatView {
        /// Replaces the view of each message. Notices and dividers keep their views.
        public func message<Content: View>(
            @ViewBuilder _ content: @escaping @MainActor (MessageContext) -> Content
        ) -> ChatView {
            setting { $0.message = { AnyView(content($0)) } }
        }

        /// Replaces the text field. Default: ``InputView``.
        public func input<Content: View>(
            @ViewBuilder _ content: @escaping @MainActor (InputContext) -> Content
        ) -> ChatView {
            setting { $0.input = { AnyView(content($0)) } }
        }

        /// Adds a view above the banners.
        public func header<Content: View>(
            @ViewBuilder _ content: @escaping @MainActor () -> Content
        ) -> ChatView {
            setting { $0.header = { AnyView(content()) } }
        }

        /// Adds a view between the rows and the text field.
        public func between<Content: View>(
            @ViewBuilder _ content: @escaping @MainActor () -> Content
        ) -> ChatView {
            setting { $0.between = { AnyView(content()) } }
        }

        /// Replaces the view of each time divider, which shows date and time.
        public func dateHeader<Content: View>(
            @ViewBuilder _ content: @escaping @MainActor (Date) -> Content
        ) -> ChatView {
            setting { $0.dateHeader = { at, _ in AnyView(content(Date(milliseconds: at))) } }
        }

        /// Shows or hides the time dividers; shown by default.
        public func dateHeaders(_ areShown: Bool) -> ChatView {
            setting { $0.showsDates = areShown }
        }

        /// Shows or hides the menus of messages; shown by default.
        public func menus(_ areShown: Bool) -> ChatView {
            setting { $0.showsMenu = areShown }
        }

        /// Adds the app's own `actions` to each message's menu. `perform` executes the chosen action.
        public func actions(
            _ actions: @escaping @MainActor (RowMessage) -> [OwnAction],
            perform: @escaping @MainActor (OwnAction, RowMessage) -> Void
        ) -> ChatView {
            setting { ($0.actions, $0.perform) = (actions, perform) }
        }

        /// Calls `action` when the user taps the picture of a speaker.
        public func onAvatarTap(_ action: @escaping @MainActor (RowMessage) -> Void) -> ChatView {
            setting { $0.tapAvatar = action }
        }

        /// Sets colours and sizes.
        public func theme(_ theme: ChatTheme) -> ChatView {
            setting { $0.theme = theme }
        }

        /// Sets how the blocks of a message are converted to the text that is shown.
        public func textStyle(_ style: ChatTextStyle) -> ChatView {
            setting { $0.textStyle = style }
        }

        /// Scrolls to a message each time that `messageID` changes to an id in the conversation.
        public func scrolled(to messageID: String?) -> ChatView {
            setting { $0.messageToShow = messageID }
        }

        /// Sets the order of the rows: a conversation, or comments with the latest at the top.
        public func order(_ order: RowOrder) -> ChatView {
            setting { $0.order = order }
        }

        private func setting(_ change: (inout ChatSlots) -> Void) -> ChatView {
            var view = self
            change(&view.slots)
            return view
        }
    }
#endif
