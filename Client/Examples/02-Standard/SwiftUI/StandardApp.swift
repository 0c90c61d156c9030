// This file was type-checked only: it has never run on an Apple device.
import PolyMessaging
import SwiftUI

@main
struct StandardApp: App {
    init() {
        PolyMessaging.initialize(.polymock("webchat"))
    }

    var body: some Scene {
        WindowGroup { StandardView() }
    }
}
