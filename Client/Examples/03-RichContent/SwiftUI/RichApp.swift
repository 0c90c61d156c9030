// This file was type-checked only: it has never run on an Apple device.
import PolyMessaging
import SwiftUI

@main
struct RichApp: App {
    init() {
        PolyMessaging.initialize(.polymock("rich"))
    }

    var body: some Scene {
        WindowGroup { RichView() }
    }
}
