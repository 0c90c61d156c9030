// This file was type-checked only: it has never run on an Apple device.
import PolyMessaging
import UIKit

@main
final class AppDelegate: NSObject, UIApplicationDelegate {
    private var window: UIWindow?

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        PolyMessaging.initialize(.polymock("webchat+tunnel"))
        let window = UIWindow(frame: UIScreen.main.bounds)
        window.rootViewController = ResilienceViewController()
        window.makeKeyAndVisible()
        self.window = window
        return true
    }
}
