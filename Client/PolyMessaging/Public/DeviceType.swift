/// The field `platform` of the request that creates a session.
public enum Platform: String, Sendable {
    /// The value sent on every platform.
    case ios
}

/// The field `device_type` of the request that creates a session.
public enum DeviceType: String, Sendable, CaseIterable {
    /// A phone.
    case mobile
    /// A tablet.
    case tablet
    /// A computer, or any other device.
    case desktop

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
