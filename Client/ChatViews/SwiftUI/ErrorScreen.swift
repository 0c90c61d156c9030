// This file was type-checked only: it has never run on an Apple device.
#if canImport(SwiftUI)
    import ChatPresentation
    public import PolyMessaging
    public import SwiftUI

    /// View over the rows of a failed conversation, with the reason and a button that resumes it or starts a new one.
    public struct ErrorScreen: View {
        private let failure: SourceStatus.Failure
        private let retry: @MainActor () -> Void
        @SwiftUI.Environment(\.chatStrings) private var strings

        /// Makes the view of a failure. `onRetry` must resume the session, or begin another one.
        public init(reason: PolyError, onRetry: @escaping @MainActor () -> Void) {
            failure = SourceStatus.Failure(text: reason.description, canResume: reason.isRetryable)
            retry = onRetry
        }

        init(failure: SourceStatus.Failure, onRetry: @escaping @MainActor () -> Void) {
            (self.failure, retry) = (failure, onRetry)
        }

        /// The reason above the button.
        public var body: some View {
            VStack(spacing: 12) {
                Spacer(minLength: 0)
                Text(strings.say("failed.title"))
                Text(failure.text).font(.caption).multilineTextAlignment(.center)
                Button(strings.say(failure.canResume ? "failed.retry" : "ended.start"), action: retry)
                Spacer(minLength: 0)
            }
            .padding(24).frame(maxWidth: .infinity).background(.regularMaterial)
        }
    }

    /// Grey placeholders for messages while the chat loads. They are not animated.
    public struct LoadingSkeleton: View {
        @SwiftUI.Environment(\.chatTheme) private var theme

        /// Makes the placeholders.
        public init() {}

        /// Three placeholders.
        public var body: some View {
            VStack(alignment: .leading, spacing: 12) {
                ForEach([180.0, 240.0, 140.0], id: \.self) { width in
                    theme.agent.frame(width: width, height: 36).cornerRadius(theme.cornerRadius)
                }
                Spacer(minLength: 0)
            }
            .padding(12).accessibilityHidden(true)
        }
    }
#endif
