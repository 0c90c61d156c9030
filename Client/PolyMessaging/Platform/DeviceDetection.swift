import SocketTransport

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension DeviceType {
    /// The type of this device, by its model, which unlike the idiom of UIKit can be read from any thread.
    package static var detected: DeviceType { DeviceType(Idiom(model: model)) }

    /// The model, such as `iPad13,4`; in a simulator the model that is simulated.
    private static var model: String {
        if let simulated = ProcessInfo.processInfo.environment["SIMULATOR_MODEL_IDENTIFIER"] {
            return simulated
        }
        return ProcessInfoLite.machine
    }
}

extension DeviceType.Idiom {
    /// Phones and tablets say what they are; everything else counts as a computer.
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
    /// `PolyMessaging-<system>/<version> (<system>; <version of the system>) polymock`: as the published SDKs do,
    /// and the project's name, since servers cut replies otherwise for those.
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
