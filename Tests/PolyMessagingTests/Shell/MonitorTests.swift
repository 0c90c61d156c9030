import Clocks
import Expectations
import PolyMessaging
import TestSupport
import Testing

@Suite("Signals of network and app")
struct MonitorTests {
    @Test("Every change of the network is told once, until the subscription is released")
    func network() {
        let monitor = ManualNetworkMonitor()
        let heard = Gathering<Bool>()
        var subscription: MonitorSubscription? = monitor.subscribe { heard.append($0) }
        monitor.set(isReachable: true)
        monitor.set(isReachable: false)
        monitor.set(isReachable: false)
        #expect(heard.all == [false] && !monitor.isReachable)
        _ = subscription
        subscription = nil
        monitor.set(isReachable: true)
        #expect(heard.all == [false] && monitor.isReachable)
    }

    @Test("Coming to the front and leaving it is told each time, until the subscription is released")
    func lifecycle() {
        let monitor = ManualLifecycleMonitor()
        let heard = Gathering<Bool>()
        var subscription: MonitorSubscription? = monitor.subscribe { heard.append($0) }
        monitor.comeToFront()
        monitor.goToBack()
        monitor.comeToFront()
        _ = subscription
        subscription = nil
        monitor.comeToFront()
        expectEqual(heard.all, [true, false, true])
    }

    @Test(
        "DEV-23 The model of a device says what it is",
        arguments: [
            ("iPhone15,2", DeviceType.mobile), ("iPod9,1", .mobile), ("iPad13,4", .tablet),
            ("MacBookPro18,3", .desktop), ("x86_64", .desktop), ("", .desktop),
        ] as [(String, DeviceType)])
    func models(_ model: String, _ type: DeviceType) {
        expectEqual(DeviceType(DeviceType.Idiom(model: model)), type)
    }
}
