// This file was type-checked only: it has never run on an Apple device.
import ChatViews
import PolyMessaging
import SwiftUI

/// A conversation built from components of ChatViews, with the features that most apps have.
struct StandardView: View {
    @StateObject private var session = PolyMessaging.chat()

    var body: some View {
        NavigationView {
            VStack(spacing: 0) {
                ConnectionBanner(status: session.connection)
                Transcript(session: session)
                if session.hasEnded {
                    Button("New conversation") {
                        Task { try? await session.client.startNewSession() }
                    }
                    .padding(12)
                } else {
                    MessageField(session: session)
                }
            }
            .overlay {
                if let reason = session.failureReason {
                    ErrorScreen(reason: reason) { Task { try? await session.client.resume() } }
                }
            }
            .toolbar {
                ToolbarItem(placement: .primaryAction) {
                    Button("End") { Task { try? await session.end() } }.disabled(session.hasEnded)
                }
            }
        }
    }
}
