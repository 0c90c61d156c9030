/// The `platform` a session is created with.
public enum Platform: String, Sendable {
    /// This value is sent on every platform, because servers identify the SDK by it.
    case ios
}

/// The `device_type` a session is created with.
public enum DeviceType: String, Sendable, CaseIterable {
    /// A phone.
    case mobile
    /// A tablet.
    case tablet
    /// A computer, or any other device.
    case desktop

    /// Class of a device, with the names that the system uses.
    package enum Idiom: Sendable, CaseIterable {
        case phone
        case pad
        case mac
        case other
    }

    package init(_ idiom: Idiom) {
        switch idiom {
        case .phone: self = .mobile
        case .pad: self = .tablet
        case .mac, .other: self = .desktop
        }
    }
}
