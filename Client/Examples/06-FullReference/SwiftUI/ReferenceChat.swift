// This file was type-checked only: it has never run on an Apple device.
import ChatPresentation
import ChatViews
import PolyMessaging
import SwiftUI

/// The chat screen of ChatViews, with the changes that apps make most often.
struct ReferenceChat: View {
    let session: ChatSession
    let onLeave: () -> Void
    @State private var pinned: String?
    @State private var shown: String?

    private var theme: ChatTheme {
        var theme = ChatTheme()
        theme.own = .blue.opacity(0.25)
        theme.cornerRadius = 12
        theme.avatarSize = 36
        return theme
    }

    var body: some View {
        ChatView(session: session)
            .theme(theme)
            .header { Button("Leave", action: onLeave) }
            .between { pin }
            .message { context in
                VStack(alignment: .leading, spacing: 2) {
                    context.standard
                    if context.message.id == pinned { Text("Pinned").font(.caption) }
                }
            }
            .actions({ _ in [OwnAction(id: "pin", title: "Pin", isSwipe: true)] }) { _, message in
                pinned = message.id
            }
            .scrolled(to: shown)
    }

    @ViewBuilder private var pin: some View {
        if pinned != nil { Button("Go to the pinned message") { shown = pinned } }
    }
}
