import SocketTransport

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension DeviceType {
    /// Type of this device by its model, which can be read from any thread, unlike the idiom of UIKit.
    package static var detected: DeviceType { DeviceType(Idiom(model: model)) }

    /// The model, such as `iPad13,4`; in a simulator the simulated model.
    private static var model: String {
        if let simulated = ProcessInfo.processInfo.environment["SIMULATOR_MODEL_IDENTIFIER"] {
            return simulated
        }
        return ProcessInfoLite.machine
    }
}

extension DeviceType.Idiom {
    /// Maps a model to an idiom; unknown models are `other`.
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
    /// `PolyMessaging-<system>/<version> (<system>; <system version>) polymock`. The published SDKs use this form. The
    /// project's name is added, because servers shorten replies for the published SDKs.
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
