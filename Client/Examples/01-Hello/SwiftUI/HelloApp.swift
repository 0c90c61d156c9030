// This file was type-checked only: it has never run on an Apple device.
import PolyMessaging
import SwiftUI

@main
struct HelloApp: App {
    init() {
        PolyMessaging.initialize(.polymock("hello"))
    }

    var body: some Scene {
        WindowGroup { HelloView() }
    }
}
