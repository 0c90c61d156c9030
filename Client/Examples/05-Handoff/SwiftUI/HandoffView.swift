// This file was type-checked only: it has never run on an Apple device.
import ChatPresentation
import ChatViews
import PolyMessaging
import SwiftUI

/// A conversation with a handoff. Queue positions and the live agent's arrival are shown as notices; the live agent's
/// messages have another colour.
struct HandoffView: View {
    @StateObject private var session = PolyMessaging.chat()
    @State private var status = "Ask for a person"

    private var theme: ChatTheme {
        var theme = ChatTheme()
        theme.person = .teal.opacity(0.2)
        return theme
    }

    var body: some View {
        ChatView(session: session)
            .theme(theme)
            .header { Text(status).font(.caption) }
            .task { await watch() }
    }

    /// Follows the events. Side effects, such as a sound or statistics, belong here, not where rows are shown.
    private func watch() async {
        for await event in session.client.events {
            switch event {
            case .liveAgentJoined(_, let agent): status = (agent.agentName ?? "A person") + " is here"
            case .liveAgentLeft: status = "The person left"
            case .handoffTimeout, .handoffFailed: status = "Nobody is free"
            default: break
            }
        }
    }
}
