// This file was type-checked only: it has never run on an Apple device.
import ChatViews
import PolyMessaging
import SwiftUI

/// Chat screen with views for a missing network, for connecting and for a failure.
struct ResilienceView: View {
    @StateObject private var session = PolyMessaging.chat()
    @StateObject private var network = NetworkMonitor()

    var body: some View {
        VStack(spacing: 0) {
            OfflineBanner(isOffline: network.isOffline)
            ConnectionBanner(status: session.connection)
            ZStack {
                if !session.isReady && session.messages.isEmpty {
                    LoadingSkeleton()
                } else {
                    rows
                }
                if let reason = session.failureReason {
                    ErrorScreen(reason: reason) { recover(from: reason) }
                }
            }
            Button("Say something") { Task { try? await session.send("count to 20") } }.padding(12)
        }
    }

    private var rows: some View {
        ScrollView {
            LazyVStack(alignment: .leading, spacing: 8) {
                ForEach(session.messages) { message in
                    MessageBubbleView(
                        message: message, onRetry: { text in Task { try? await session.send(text) } },
                        showSuggestions: false, onSuggestionTap: { _ in })
                }
            }
            .padding(12)
        }
    }

    /// Resumes the session or begins another one. A refused token or an expired session cannot be resumed.
    private func recover(from reason: PolyError) {
        Task {
            if reason.isRetryable {
                try? await session.client.resume()
            } else {
                try? await session.client.startNewSession()
            }
        }
    }
}
