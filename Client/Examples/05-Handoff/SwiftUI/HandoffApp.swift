// This file was type-checked only: it has never run on an Apple device.
import PolyMessaging
import SwiftUI

@main
struct HandoffApp: App {
    init() {
        PolyMessaging.initialize(.polymock("handoff-ok"))
    }

    var body: some Scene {
        WindowGroup { HandoffView() }
    }
}
