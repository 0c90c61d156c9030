import SocketTransport

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension DeviceType {
    /// Type of this device, derived from its model. UIKit's idiom is not used, because only the model can be read from
    /// any thread.
    package static var detected: DeviceType { DeviceType(Idiom(model: model)) }

    /// The model, such as `iPad13,4`. In a simulator, this is the model of the simulated device.
    private static var model: String {
        if let simulated = ProcessInfo.processInfo.environment["SIMULATOR_MODEL_IDENTIFIER"] {
            return simulated
        }
        return ProcessInfoLite.machine
    }
}

extension DeviceType.Idiom {
    /// Creates the idiom for a model. Unknown models are `other`.
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

/// The `User-Agent` header of the SDK.
package enum UserAgent {
    /// The text `PolyMessaging-<system>/<version> (<system>; <system version>) polymock`. The published SDKs use this
    /// form without the last word. The word `polymock` was added because servers shorten their replies for the
    /// published SDKs.
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
