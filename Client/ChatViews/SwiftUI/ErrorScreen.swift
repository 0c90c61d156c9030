// This file was type-checked only: it has never run on an Apple device.
#if canImport(SwiftUI)
    import ChatPresentation
    import PolyMessaging
    import SwiftUI

    /// Cover over the rows after a failure: the reason, and a button that resumes the chat or starts a new one.
    struct ErrorScreen: View {
        let reason: PolyError
        let canResume: Bool
        let strings: ChatStrings
        let onRetry: () -> Void

        var body: some View {
            VStack(spacing: 12) {
                Spacer(minLength: 0)
                Text(strings.say("failed.title"))
                Text(reason.localizedDescription).font(.caption).multilineTextAlignment(.center)
                Button(strings.say(canResume ? "failed.retry" : "ended.start"), action: onRetry)
                Spacer(minLength: 0)
            }
            .padding(24).frame(maxWidth: .infinity).background(.regularMaterial)
        }
    }

    /// Grey placeholders for messages. They are not animated.
    struct LoadingSkeleton: View {
        var body: some View {
            VStack(alignment: .leading, spacing: 12) {
                ForEach([180.0, 240.0, 140.0], id: \.self) { width in
                    Color.gray.opacity(0.15).frame(width: width, height: 36).cornerRadius(16)
                }
                Spacer(minLength: 0)
            }
            .padding(12).accessibilityHidden(true)
        }
    }
#endif
