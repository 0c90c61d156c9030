// This file was type-checked only: it has never run on an Apple device.
import PolyMessaging
import SwiftUI

@main
struct PlaygroundApp: App {
    init() {
        PolyMessaging.initialize(.polymock("storyteller"))
    }

    var body: some Scene {
        WindowGroup { PlaygroundView() }
    }
}
