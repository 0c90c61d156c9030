// This file was type-checked only: it has never run on an Apple device.
import PolyMessaging
import SwiftUI

@main
struct ReferenceApp: App {
    init() {
        PolyMessaging.initialize(.polymock("booking"))
    }

    var body: some Scene {
        WindowGroup { ReferenceView() }
    }
}
