#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

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
