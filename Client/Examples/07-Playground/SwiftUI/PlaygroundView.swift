// This file was type-checked only: it has never run on an Apple device.
import ChatViews
import PolyMessaging
import SwiftUI

/// A conversation with the latest events. Its settings can change between two sessions.
struct PlaygroundView: View {
    @StateObject private var settings = DevSettings()
    @StateObject private var log = EventLog()
    @State private var isProgressive = true
    @State private var session: ChatSession?

    var body: some View {
        VStack(spacing: 8) {
            Toggle("Streamed by the server", isOn: $settings.streamingEnabled)
            Toggle("Shown while it grows", isOn: $isProgressive)
            Toggle("Diagnostics", isOn: $settings.showDebugStrip)
            Button("Apply to a new session", action: start)
            if let session { PlaygroundRows(session: session) }
            if settings.showDebugStrip { DebugStrip(events: log.events) }
        }
        .padding(12)
        .onAppear(perform: start)
    }

    private func start() {
        let session = PolyMessaging.start(
            settings.buildConfiguration(), progressiveStreaming: isProgressive)
        settings.recordSessionApplied()
        log.follow(session.client)
        self.session = session
    }
}

/// The rows of a session, and a button that asks for a long reply.
struct PlaygroundRows: View {
    @ObservedObject var session: ChatSession

    var body: some View {
        ScrollView {
            LazyVStack(alignment: .leading, spacing: 8) {
                ForEach(session.messages) { message in
                    MessageBubbleView(
                        message: message, onRetry: { _ in }, showSuggestions: true,
                        onSuggestionTap: { text in Task { try? await session.send(text) } })
                }
            }
        }
        Button("Tell a tale") { Task { try? await session.send("tell me a story") } }
    }
}
