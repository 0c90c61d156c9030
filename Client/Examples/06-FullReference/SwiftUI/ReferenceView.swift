// This file was type-checked only: it has never run on an Apple device.
import ChatViews
import PolyMessaging
import SwiftUI

/// Start screen: continues the last conversation, or begins another one.
struct ReferenceView: View {
    @State private var session: ChatSession?

    var body: some View {
        if let session {
            ReferenceChat(session: session) { leave(session) }
        } else {
            VStack(spacing: 12) {
                if PolyMessaging.hasResumableSession() {
                    Button("Continue") { session = PolyMessaging.chat() }
                }
                Button("New conversation") { session = PolyMessaging.start() }
            }
        }
    }

    private func leave(_ left: ChatSession) {
        session = nil
        Task { await left.client.shutdown() }
    }
}
