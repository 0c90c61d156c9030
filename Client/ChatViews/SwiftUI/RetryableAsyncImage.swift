// This file was type-checked only: it has never run on an Apple device.
#if canImport(SwiftUI)
    import ChatPresentation
    public import SwiftUI

    /// Remote picture with a placeholder while it loads, and a button to try again after a failure. See `ImageLoad`.
    public struct RetryableAsyncImage: View {
        private let url: URL?
        private let placeholder: String
        @State private var load = ImageLoad()
        @SwiftUI.Environment(\.chatTheme) private var theme
        @SwiftUI.Environment(\.chatStrings) private var strings

        /// Makes the view. `placeholder` is a short text, such as an initial.
        public init(url: URL?, placeholder: String = "") {
            (self.url, self.placeholder) = (url, placeholder)
        }

        /// The picture, filling its frame.
        public var body: some View {
            ZStack {
                theme.agent
                switch load.phase {
                case .empty: Text(placeholder)
                case .failed: Button(strings.say("image.retry")) { _ = load.retry() }.font(.caption)
                case .loading, .shown: picture
                }
            }
            .onAppear { _ = load.show(url?.absoluteString) }
            .onChange(of: url) { _ = load.show($0?.absoluteString) }
        }

        private var picture: some View {
            AsyncImage(url: load.request.flatMap { URL(string: $0.address) }) { phase in
                switch phase {
                case .success(let image): image.resizable().scaledToFill().onAppear { finish(true) }
                case .failure: Color.clear.onAppear { finish(false) }
                default: Text(placeholder)
                }
            }
            .id(load.request)
        }

        private func finish(_ succeeded: Bool) {
            guard let request = load.request else { return }
            load.finish(request, succeeded: succeeded)
        }
    }

    /// Round picture of an agent, or the first letter of its name.
    public struct AgentAvatarView: View {
        private let url: URL?
        private let name: String
        @SwiftUI.Environment(\.chatTheme) private var theme

        /// Makes an avatar. Screen readers ignore it.
        public init(url: URL?, name: String = "") {
            (self.url, self.name) = (url, name)
        }

        /// The picture in a circle.
        public var body: some View {
            RetryableAsyncImage(url: url, placeholder: String(name.prefix(1)))
                .frame(width: theme.avatarSize, height: theme.avatarSize)
                .cornerRadius(theme.avatarSize / 2)
                .accessibilityHidden(true)
        }
    }
#endif
