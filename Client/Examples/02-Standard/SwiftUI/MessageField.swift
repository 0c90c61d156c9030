// This file was type-checked only: it has never run on an Apple device.
import ChatPresentation
import PolyMessaging
import SwiftUI

/// Text field of a conversation, which reports typing and sends no empty text.
struct MessageField: View {
    @ObservedObject var session: ChatSession
    @State private var draft = ""

    private var composer: Composer { Composer(text: draft, canSend: session.isReady) }

    var body: some View {
        HStack {
            TextField("Message", text: $draft)
                .onChange(of: draft) { _ in Task { await session.sendTyping() } }
                .onSubmit(send)
            Button("Send", action: send).disabled(composer.state != .ready)
        }
        .padding(12)
    }

    private func send() {
        let composer = composer
        guard composer.state == .ready else { return }
        draft = ""
        Task { try? await session.send(composer.message) }
    }
}
