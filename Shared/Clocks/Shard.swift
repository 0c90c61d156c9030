/// One of several servers that share the load, with its range of session ids.
///
/// The last two hexadecimal digits of a session id decide its shard: with four shards, `00` to `3f` belong to `1/4`,
/// then `40` to `7f`, `80` to `bf` and `c0` to `ff`. A proxy can route with one regular expression per shard: here
/// `[0-3].$`, `[4-7].$`, `[89ab].$` and `[c-f].$`.
///
/// ```swift
/// var configuration = Configuration()
/// configuration.shard = Shard(2, of: 4)
/// ```
public struct Shard: Hashable, Sendable, CustomStringConvertible {
    /// The shard's number, from 1 to ``count``.
    public let number: Int
    /// The number of shards, from 1 to 256.
    public let count: Int

    /// Maximum number of shards: the values of two hexadecimal digits.
    package static let most = 256

    /// Nil if `number` or `count` is out of range.
    ///
    /// - Parameters:
    ///   - number: the shard's number, from 1 to `count`.
    ///   - count: the number of shards, from 1 to 256.
    public init?(_ number: Int, of count: Int) {
        guard 1...Self.most ~= count, 1...count ~= number else { return nil }
        (self.number, self.count) = (number, count)
    }

    /// Reads a text in the form of ``description``. Nil for any other text, or if a number is out of range.
    ///
    /// - Parameter text: a text such as `2/4`.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } }),
            let number = Int(parts[0]), let count = Int(parts[1])
        else { return nil }
        self.init(number, of: count)
        // Leading zeros are refused.
        guard description == text else { return nil }
    }

    /// The text form, such as `2/4`.
    public var description: String { "\(number)/\(count)" }

    /// Values of the last two digits of this shard's session ids.
    package var digits: ClosedRange<UInt8> {
        func start(_ number: Int) -> Int { (Self.most * (number - 1) + count - 1) / count }
        return UInt8(start(number))...UInt8(start(number + 1) - 1)
    }

    /// First and last value of ``digits``, as two hexadecimal digits each.
    package var digitNames: (first: String, last: String) {
        (Self.name(digits.lowerBound), Self.name(digits.upperBound))
    }

    /// Replaces the last two digits of `id` by digits of this shard.
    package func own(_ id: UniqueID) -> UniqueID {
        let (drawn, width) = (id.low & 0xFF, UInt64(digits.count))
        return UniqueID(
            high: id.high, low: id.low & ~0xFF | UInt64(digits.lowerBound) + drawn * width / 256)
    }

    /// Returns the number of the shard that owns a session id; nil for other texts.
    package func owner(of id: String) -> Int? {
        guard id.utf8.count == 36 else { return nil }
        return owner(ofDigits: id.suffix(2))
    }

    /// Returns a text for the log if another shard owns `id`; otherwise nil.
    package func stranger(_ id: String, called word: String = "session") -> String? {
        guard id.utf8.count == 36 else { return nil }
        return stranger(digits: id.suffix(2), called: "\(word) \(id)")
    }

    /// Returns a text for the log if another shard owns the ids that end in `digits`; otherwise nil. The text calls the
    /// ids `name`.
    package func stranger(digits: Substring, called name: String) -> String? {
        guard let owner = owner(ofDigits: digits), owner != number else { return nil }
        return "\(name) belongs to shard \(owner) of \(count), this is shard \(number)"
    }

    private func owner(ofDigits text: Substring) -> Int? {
        guard text.utf8.count == 2, text.utf8.allSatisfy({ $0 != UInt8(ascii: "+") }),
            let digits = UInt8(text, radix: 16)
        else { return nil }
        return Int(digits) * count / Self.most + 1
    }

    private static func name(_ digits: UInt8) -> String {
        (digits < 16 ? "0" : "") + String(digits, radix: 16)
    }
}
