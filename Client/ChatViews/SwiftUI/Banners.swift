// This file was type-checked only: it has never run on an Apple device.
#if canImport(SwiftUI)
    import ChatPresentation
    import PolyMessaging
    import SwiftUI

    /// Banner above the rows, shown for example while the device has no network or the chat connects.
    struct Banner: View {
        let text: String

        var body: some View {
            Text(text).font(.caption).padding(6).frame(maxWidth: .infinity)
                .background(Color.yellow.opacity(0.2))
        }
    }

    /// Centred line between messages: a time, "New messages", or a notice.
    struct TimestampSeparator: View {
        let text: String

        var body: some View {
            Text(text).font(.caption).foregroundColor(.secondary).multilineTextAlignment(.center)
                .padding(6).frame(maxWidth: .infinity)
        }
    }

    /// Typing indicator: three dots, which are not animated.
    struct TypingIndicator: View {
        let label: String

        var body: some View {
            Text("● ● ●").font(.caption).foregroundColor(.secondary).padding(10)
                .background(Color.gray.opacity(0.15)).cornerRadius(16).accessibilityLabel(label)
        }
    }

    /// View of the latest events of a chat, for developers.
    struct DebugStrip: View {
        let events: [MessagingEvent]

        var body: some View {
            VStack(alignment: .leading, spacing: 2) {
                ForEach(Array(events.suffix(3).enumerated()), id: \.offset) { _, event in
                    Text(event.debugSummary).font(.caption)
                }
            }
            .padding(6)
        }
    }
#endif
