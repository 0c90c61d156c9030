/// Cache of verified bearer tokens, which saves a signature check per request.
package struct TokenCache: Sendable {
    private struct Key: Hashable {
        let type: ObjectIdentifier
        let bearer: String
    }

    private var readings: [Key: any Sendable] = [:]

    package init() {}

    /// Returns the cached value for `bearer`, or else calls `read` and caches the result.
    package mutating func reading<Value: Sendable>(of bearer: String, _ read: () -> Value?) -> Value? {
        let key = Key(type: ObjectIdentifier(Value.self), bearer: bearer)
        if let known = readings[key] as? Value { return known }
        guard let value = read() else { return nil }
        if readings.count >= CoreLimits.keptBearers { readings = [:] }
        readings[key] = value
        return value
    }
}
