/// Kinds of readiness to be reported for a descriptor.
struct Interest: OptionSet {
    let rawValue: UInt8
    static let input = Interest(rawValue: 1)
    static let output = Interest(rawValue: 2)
}

/// One report of the kernel.
struct ReadinessReport {
    let token: Token
    let input: Bool
    let output: Bool
    /// Both directions have ended, or an error is waiting. Linux says so even when nobody asked.
    let hungUp: Bool
}
