/// Cache of verified bearer tokens, which saves a signature check per request.
package struct TokenCache: Sendable {
    private struct Kept: Sendable {
        let type: ObjectIdentifier
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

    /// Returns the cached value for `bearer`, or else calls `read` and caches the result.
    package mutating func reading<Value: Sendable>(of bearer: String, _ read: () -> Value?) -> Value? {
        let type = ObjectIdentifier(Value.self)
        let key = Self.key(of: bearer, type)
        if let kept = readings[key], kept.bearer == bearer, let reading = kept.reading as? Reading<Value> {
            return reading.value
        }
        guard let value = read() else { return nil }
        if readings.count >= CoreLimits.keptBearers { readings = [:] }
        readings[key] = Kept(type: type, bearer: bearer, reading: Reading(value))
        return value
    }

    package mutating func drop<Value: Sendable>(_ type: Value.Type, of bearer: String) {
        let type = ObjectIdentifier(type)
        let key = Self.key(of: bearer, type)
        if let kept = readings[key], kept.type == type, kept.bearer == bearer { readings[key] = nil }
    }

    private static func key(of bearer: String, _ type: ObjectIdentifier) -> UInt64 {
        var bearer = bearer
        let end = bearer.withUTF8 { bytes in
            bytes.suffix(CoreLimits.hashedBytes).reduce(0) { ($0 << 8 | $0 >> 56) ^ UInt64($1) }
        }
        return end ^ UInt64(UInt(bitPattern: type))
    }
}
