// This file was type-checked only: it has never run on an Apple device.
import PolyMessaging
import SwiftUI

@main
struct ResilienceApp: App {
    init() {
        PolyMessaging.initialize(.polymock("webchat+tunnel"))
    }

    var body: some Scene {
        WindowGroup { ResilienceView() }
    }
}
