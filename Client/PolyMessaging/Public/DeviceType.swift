/// The `platform` a session is created with.
public enum Platform: String, Sendable {
    /// Sent from every platform, because servers know the SDK by it.
    case ios
}

/// The `device_type` a session is created with.
public enum DeviceType: String, Sendable, CaseIterable {
    /// A phone.
    case mobile
    /// A tablet.
    case tablet
    /// A computer, and everything that is neither phone nor tablet.
    case desktop

    /// Class of devices.
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
