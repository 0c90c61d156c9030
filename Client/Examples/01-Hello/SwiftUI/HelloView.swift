// This file was type-checked only: it has never run on an Apple device.
import PolyMessaging
import SwiftUI

struct HelloView: View {
    @StateObject private var session = PolyMessaging.chat()
    @State private var draft = ""

    var body: some View {
        VStack {
            List(session.messages) { message in
                Text(message.text ?? "").foregroundColor(message.isUser ? .blue : nil)
            }
            HStack {
                TextField("Message", text: $draft).onSubmit(send)
                Button("Send", action: send).disabled(!session.isReady)
            }
            .padding(12)
        }
    }

    private func send() {
        let text = draft
        draft = ""
        Task { try? await session.send(text) }
    }
}
