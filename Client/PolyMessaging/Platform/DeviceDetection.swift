// The branch for UIKit is not compiled on Linux; untested there.
#if canImport(UIKit) && !os(watchOS)
    import UIKit
#endif

extension DeviceType {
    /// What this device is; ``desktop`` where no device says.
    @MainActor
    package static var detected: DeviceType {
        #if canImport(UIKit) && !os(watchOS)
            switch UIDevice.current.userInterfaceIdiom {
            case .phone: DeviceType(.phone)
            case .pad: DeviceType(.pad)
            case .mac: DeviceType(.mac)
            default: DeviceType(.other)
            }
        #else
            DeviceType(.other)
        #endif
    }
}
