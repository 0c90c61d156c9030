// This file was type-checked only: it has never run on an Apple device.
import ChatViews
import SwiftUI

@main
struct NotesApp: App {
    @StateObject private var store = NotesStore()

    var body: some Scene {
        WindowGroup {
            ChatView(source: store.source).order(.comments)
        }
    }
}
