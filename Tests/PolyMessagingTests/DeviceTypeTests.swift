import PolyMessaging
import Testing

@Suite("Device type and platform")
struct DeviceTypeTests {
    @Test(
        "DEV-23 A phone is mobile, a pad a tablet, everything else a desktop",
        arguments: zip(DeviceType.Idiom.allCases, [DeviceType.mobile, .tablet, .desktop, .desktop]))
    func idioms(_ idiom: DeviceType.Idiom, type: DeviceType) {
        #expect(DeviceType(idiom) == type)
    }

    @Test("DEV-24 This device is one of the three")
    @MainActor
    func detection() {
        #expect(DeviceType.allCases.contains(DeviceType.detected))
        #if os(Linux)
            #expect(DeviceType.detected == .desktop)
        #endif
    }

    @Test("DEV-25 The words on the wire are these")
    func rawValues() {
        #expect(DeviceType.allCases.map(\.rawValue) == ["mobile", "tablet", "desktop"])
        #expect(Platform.ios.rawValue == "ios")
    }
}
