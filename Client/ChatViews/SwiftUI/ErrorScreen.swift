// This file was type-checked only: it has never run on an Apple device.
#if canImport(SwiftUI)
    import ChatPresentation
    import SwiftUI

    /// View that covers the rows after the conversation has failed. It shows the reason and a button that resumes the
    /// conversation or starts a new one.
    struct ErrorScreen: View {
        let failure: SourceStatus.Failure
        let strings: ChatStrings
        let onRetry: () -> Void

        var body: some View {
            VStack(spacing: 12) {
                Spacer(minLength: 0)
                Text(strings.say("failed.title"))
                Text(failure.text).font(.caption).multilineTextAlignment(.center)
                Button(strings.say(failure.canResume ? "failed.retry" : "ended.start"), action: onRetry)
                Spacer(minLength: 0)
            }
            .padding(24).frame(maxWidth: .infinity).background(.regularMaterial)
        }
    }

    /// Grey placeholders for messages while the chat loads. They are not animated.
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
