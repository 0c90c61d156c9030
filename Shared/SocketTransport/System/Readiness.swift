struct Interest: OptionSet {
    let rawValue: UInt8
    static let input = Interest(rawValue: 1)
    static let output = Interest(rawValue: 2)
}

struct ReadinessReport {
    let token: Token
    let input: Bool
    let output: Bool
    /// Both directions have ended, or an error is pending. Linux reports this even if neither direction is watched.
    let hungUp: Bool
}
