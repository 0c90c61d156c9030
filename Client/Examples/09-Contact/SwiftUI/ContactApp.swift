// This file was type-checked only: it has never run on an Apple device.
import ChatViews
import ConnectChat
import ContactPresentation
import Foundation
import SwiftUI

@main
struct ContactApp: App {
    private let session = ChatSession(config: GlobalConfig(endpoint: URL(string: ContactBackend.server)))

    var body: some Scene {
        WindowGroup {
            ChatView(source: ContactSource(session) { [session] in try await ContactBackend.start(session) })
                .task { try? await ContactBackend.start(session) }
        }
    }
}
