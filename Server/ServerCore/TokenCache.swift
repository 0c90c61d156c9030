/// Cache of verified bearer tokens, which saves a signature check per request.
package struct TokenCache: Sendable {
    private struct Kept: Sendable {
        let bearer: String
        let reading: any AnyObject & Sendable
    }

    private final class Reading<Value: Sendable>: Sendable {
        let value: Value

        init(_ value: Value) { self.value = value }
    }

    /// By the end of the token, which is its signature, and its type, since a hash of the text takes longer. Only verified
    /// tokens are kept, so that nobody can choose tokens with the same end.
    private var readings: [UInt64: Kept] = [:]

    package init() {}

    /// Returns the cached value for `bearer`, or else calls `read` and caches the result. With `isLast`, neither is
    /// kept.
    package mutating func reading<Value: Sendable>(
        of bearer: String, isLast: Bool = false, _ read: () -> Value?
    ) -> Value? {
        let key = Self.key(of: bearer, ObjectIdentifier(Value.self))
        if let index = readings.index(forKey: key), readings.values[index].bearer == bearer,
            let reading = readings.values[index].reading as? Reading<Value>
        {
            if isLast { readings.remove(at: index) }
            return reading.value
        }
        guard let value = read() else { return nil }
        if !isLast { keep(value, of: bearer, key) }
        return value
    }

    /// Caches the value of a new token.
    package mutating func keep<Value: Sendable>(_ value: Value, of bearer: String) {
        keep(value, of: bearer, Self.key(of: bearer, ObjectIdentifier(Value.self)))
    }

    private mutating func keep<Value: Sendable>(_ value: Value, of bearer: String, _ key: UInt64) {
        if readings.count >= CoreLimits.keptBearers { readings = [:] }
        readings[key] = Kept(bearer: bearer, reading: Reading(value))
    }

    private static func key(of bearer: String, _ type: ObjectIdentifier) -> UInt64 {
        var bearer = bearer
        let end = bearer.withUTF8 { bytes in
            bytes.suffix(CoreLimits.hashedBytes).reduce(0) { ($0 << 8 | $0 >> 56) ^ UInt64($1) }
        }
        return end ^ UInt64(UInt(bitPattern: type))
    }
}
