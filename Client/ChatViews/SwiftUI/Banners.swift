// This file was type-checked only: it has never run on an Apple device.
#if canImport(SwiftUI)
    import ChatPresentation
    public import PolyMessaging
    public import SwiftUI

    struct Banner: View {
        let text: String
        @SwiftUI.Environment(\.chatTheme) private var theme

        var body: some View {
            Text(text).font(.caption).padding(6).frame(maxWidth: .infinity).background(theme.banner)
        }
    }

    /// Banner of a reconnecting chat; empty in other states.
    public struct ConnectionBanner: View {
        private let status: ConnectionStatus
        @SwiftUI.Environment(\.chatStrings) private var strings

        /// Makes the banner of a status.
        public init(status: ConnectionStatus) {
            self.status = status
        }

        /// A line with the number of the attempt.
        public var body: some View {
            if case .reconnecting(let attempt) = status {
                Banner(text: strings.say("conn.reconnecting", ["n": .number(attempt)]))
            }
        }
    }

    /// Banner of a device without a network.
    public struct OfflineBanner: View {
        private let isOffline: Bool
        @SwiftUI.Environment(\.chatStrings) private var strings

        /// Makes the banner; empty unless `isOffline` is true. See ``NetworkMonitor``.
        public init(isOffline: Bool) {
            self.isOffline = isOffline
        }

        /// A line above the conversation.
        public var body: some View {
            if isOffline { Banner(text: strings.say("conn.offline")) }
        }
    }

    /// Centred line between messages: a date, "New messages", or a notice.
    public struct TimestampSeparator: View {
        private let text: String?
        private let date: Date?
        @SwiftUI.Environment(\.chatTheme) private var theme
        @SwiftUI.Environment(\.chatStrings) private var strings

        /// Makes the line of a date, with its time.
        public init(date: Date) {
            (text, self.date) = (nil, date)
        }

        init(text: String) {
            (self.text, date) = (text, nil)
        }

        /// One line of small text.
        public var body: some View {
            Text(text ?? date.map { strings.divider(Milliseconds($0), age: .old) } ?? "")
                .font(.caption).foregroundColor(theme.secondary).multilineTextAlignment(.center)
                .padding(6).frame(maxWidth: .infinity)
        }
    }

    /// Time of day of a message.
    public struct MessageTimestamp: View {
        private let date: Date
        @SwiftUI.Environment(\.chatTheme) private var theme
        @SwiftUI.Environment(\.chatStrings) private var strings

        /// Makes the time of a message.
        public init(date: Date) {
            self.date = date
        }

        /// One line of small text.
        public var body: some View {
            Text(strings.time(Milliseconds(date))).font(.caption).foregroundColor(theme.secondary)
        }
    }

    /// Typing indicator: the typing agent's picture and three dots. With reduced motion, the dots do not move.
    public struct TypingIndicator: View {
        private let avatarUrl: URL?
        private let name: String?
        @State private var isUp = false
        @SwiftUI.Environment(\.accessibilityReduceMotion) private var isStill
        @SwiftUI.Environment(\.chatTheme) private var theme
        @SwiftUI.Environment(\.chatStrings) private var strings

        /// Makes the typing indicator of an agent.
        public init(avatarUrl: URL?, name: String? = nil) {
            (self.avatarUrl, self.name) = (avatarUrl, name)
        }

        /// Picture and dots.
        public var body: some View {
            HStack(alignment: .center, spacing: 8) {
                AgentAvatarView(url: avatarUrl, name: name ?? "")
                HStack(spacing: 4) {
                    ForEach([0, 1, 2], id: \.self) { number in
                        theme.secondary.frame(width: 6, height: 6).cornerRadius(3)
                            .offset(y: isUp ? -3 : 0)
                            .animation(isStill ? nil : Self.motion(number), value: isUp)
                    }
                }
                .padding(10).background(theme.agent).cornerRadius(theme.cornerRadius)
            }
            .onAppear { isUp = !isStill }
            .accessibilityElement(children: .ignore)
            .accessibilityLabel(
                strings.say("typing.one", ["name": .text(name ?? strings.say("presence.agent"))]))
        }

        private static func motion(_ number: Int) -> Animation {
            .easeInOut(duration: 0.4).repeatForever(autoreverses: true).delay(Double(number) * 0.15)
        }
    }

    /// View of the latest events of a chat, for developers.
    public struct DebugStrip: View {
        private let events: [MessagingEvent]

        /// Makes a view of the last three of these events.
        public init(events: [MessagingEvent]) {
            self.events = events
        }

        /// One line for each event.
        public var body: some View {
            VStack(alignment: .leading, spacing: 2) {
                ForEach(Array(events.suffix(3).enumerated()), id: \.offset) { _, event in
                    Text(event.debugSummary).font(.caption)
                }
            }
            .padding(6)
        }
    }
#endif
