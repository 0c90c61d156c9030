// This file was type-checked only: it has never run on an Apple device.
#if canImport(SwiftUI)
    public import ChatPresentation
    public import Foundation
    public import SwiftUI

    /// Colours and sizes of all views of this module. Fonts are the system's text styles, in the user's text size.
    ///
    /// ```swift
    /// var theme = ChatTheme()
    /// theme.own = .purple
    /// ChatView(source: source).theme(theme)
    /// ```
    public struct ChatTheme: Sendable {
        /// Background of the user's messages.
        public var own = Color.accentColor.opacity(0.2)
        /// Background of messages of the automatic agent, and of quotes and placeholders.
        public var agent = Color.gray.opacity(0.15)
        /// Background of messages of a live agent.
        public var person = Color.green.opacity(0.15)
        /// Background of the banners.
        public var banner = Color.yellow.opacity(0.2)
        /// Text "Not sent" of a failed message.
        public var failed = Color.red
        /// Text of times, names and notices.
        public var secondary = Color.secondary
        /// Background of suggested replies.
        public var suggestion = Color.accentColor.opacity(0.12)
        /// Background of the whole screen.
        public var background = Color.clear
        /// Corner radius of message bubbles, in points.
        public var cornerRadius: CGFloat = 16
        /// Width and height of avatars, in points.
        public var avatarSize: CGFloat = 28

        /// Makes the default theme.
        public init() {}

        /// Returns the background of a speaker's messages.
        public func bubble(of speaker: Speaker) -> Color {
            switch speaker {
            case .user: own
            case .agent: agent
            case .person: person
            }
        }
    }

    /// Conversion of a message's blocks to the text that views show.
    public struct ChatTextStyle: Sendable {
        /// Returns the text of the blocks; nil for the layout of this module.
        public var text: @Sendable ([MessageText.Block]) -> AttributedString?

        /// Makes a style. By default, each block has the layout of this module.
        public init(_ text: @escaping @Sendable ([MessageText.Block]) -> AttributedString? = { _ in nil }) {
            self.text = text
        }
    }

    private struct ThemeKey: EnvironmentKey {
        static let defaultValue = ChatTheme()
    }

    private struct StringsKey: EnvironmentKey {
        static let defaultValue = ChatStrings.system
    }

    private struct TextStyleKey: EnvironmentKey {
        static let defaultValue = ChatTextStyle()
    }

    extension EnvironmentValues {
        /// The theme of chat views.
        public var chatTheme: ChatTheme {
            get { self[ThemeKey.self] }
            set { self[ThemeKey.self] = newValue }
        }

        /// The texts of chat views. Default: the system's language.
        public var chatStrings: ChatStrings {
            get { self[StringsKey.self] }
            set { self[StringsKey.self] = newValue }
        }

        /// The style of texts in chat views.
        public var chatTextStyle: ChatTextStyle {
            get { self[TextStyleKey.self] }
            set { self[TextStyleKey.self] = newValue }
        }
    }
#endif
