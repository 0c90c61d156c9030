import Clocks

/// Settings that last as long as the process.
public final class MemorySettings: SettingsStorage, Sendable {
    /// The ones that every ``DevSettings`` shares unless it is given others.
    public static let shared = MemorySettings()

    private enum Value: Sendable {
        case number(Int)
        case flag(Bool)
        case text(String)
    }

    private let values = Locked<[String: Value]>([:])

    /// Without a setting.
    public init() {}

    /// The value stored under `key`; nil when there is none.
    public func object(forKey key: String) -> Any? {
        switch values.withLock({ $0[key] }) {
        case .number(let number): number
        case .flag(let flag): flag
        case .text(let text): text
        case nil: nil
        }
    }

    /// The number stored under `key`, 0 when it is none.
    public func integer(forKey key: String) -> Int { object(forKey: key) as? Int ?? 0 }

    /// The truth stored under `key`, false when it is none.
    public func bool(forKey key: String) -> Bool { object(forKey: key) as? Bool ?? false }

    /// The text stored under `key`, nil when it is none.
    public func string(forKey key: String) -> String? { object(forKey: key) as? String }

    /// Stores an `Int`, a `Bool` or a `String`; anything else takes away what was there.
    public func set(_ value: Any?, forKey key: String) {
        let kept: Value? =
            switch value {
            case let flag as Bool: .flag(flag)
            case let number as Int: .number(number)
            case let text as String: .text(text)
            default: nil
            }
        values.withLock { $0[key] = kept }
    }
}
