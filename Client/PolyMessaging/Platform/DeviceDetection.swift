import SocketTransport

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension DeviceType {
    /// Type of this device, from its model. UIKit's idiom can be read only on the main thread.
    package static var detected: DeviceType { DeviceType(Idiom(model: model)) }

    /// Model, such as `iPad13,4`; in a simulator, that of the simulated device.
    private static var model: String {
        if let simulated = ProcessInfo.processInfo.environment["SIMULATOR_MODEL_IDENTIFIER"] {
            return simulated
        }
        return ProcessInfoLite.machine
    }
}

extension DeviceType.Idiom {
    package init(model: String) {
        if model.hasPrefix("iPhone") || model.hasPrefix("iPod") {
            self = .phone
        } else if model.hasPrefix("iPad") {
            self = .pad
        } else if model.hasPrefix("Mac") {
            self = .mac
        } else {
            self = .other
        }
    }
}

package enum UserAgent {
    /// `PolyMessaging-<system>/<version> (<system>; <system version>) polymock`. The last word shows the mock server
    /// that this is not a published SDK (protocol.md#chunks-for-blank-joiners).
    package static let text: String = {
        let version = ProcessInfo.processInfo.operatingSystemVersion
        let numbers = "\(version.majorVersion).\(version.minorVersion).\(version.patchVersion)"
        return "PolyMessaging-\(system)/\(PolyMessaging.version) (\(system); \(numbers)) polymock"
    }()

    private static var system: String {
        #if os(iOS)
            "iOS"
        #elseif os(macOS)
            "macOS"
        #elseif os(Linux)
            "Linux"
        #else
            "Other"
        #endif
    }
}
