import Expectations
import PolyMessaging
import Testing

@Suite("Device type and platform")
struct DeviceTypeTests {
    @Test(
        "DEV-23 A phone is mobile, a pad a tablet, everything else a desktop",
        arguments: zip(DeviceType.Idiom.allCases, [DeviceType.mobile, .tablet, .desktop, .desktop]))
    func idioms(_ idiom: DeviceType.Idiom, type: DeviceType) {
        expectEqual(DeviceType(idiom), type)
    }

    @Test("DEV-24 This device is one of the three")
    @MainActor
    func detection() {
        #expect(DeviceType.allCases.contains(DeviceType.detected))
        #if os(Linux)
            expectEqual(DeviceType.detected, .desktop)
        #endif
    }

    @Test("DEV-25 The words on the wire are these")
    func rawValues() {
        expectEqual(DeviceType.allCases.map(\.rawValue), ["mobile", "tablet", "desktop"])
        expectEqual(Platform.ios.rawValue, "ios")
    }
}
