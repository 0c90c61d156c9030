/// What dialects read in the bearers that clients showed, so that a signature is not computed with each request. When there
/// are too many, all are forgotten, and read anew when they are shown again.
package struct TokenCache: Sendable {
    /// A text, and as what a dialect reads it.
    private struct Key: Hashable {
        let type: ObjectIdentifier
        let bearer: String
    }

    private var readings: [Key: any Sendable] = [:]

    package init() {}

    /// What is kept of `bearer`; else what `read` finds in it, which is kept then. Nil is not.
    package mutating func reading<Value: Sendable>(of bearer: String, _ read: () -> Value?) -> Value? {
        let key = Key(type: ObjectIdentifier(Value.self), bearer: bearer)
        if let known = readings[key] as? Value { return known }
        guard let value = read() else { return nil }
        if readings.count >= CoreLimits.keptBearers { readings = [:] }
        readings[key] = value
        return value
    }
}
