import Clocks

/// In-memory settings storage, lost when the process ends.
public final class MemorySettings: SettingsStorage, Sendable {
    /// The storage that each ``DevSettings`` uses by default.
    public static let shared = MemorySettings()

    private enum Value: Sendable {
        case number(Int)
        case flag(Bool)
        case text(String)
    }

    private let values = Locked<[String: Value]>([:])

    /// Creates an empty storage.
    public init() {}

    /// The value stored under `key`; nil if there is none.
    public func object(forKey key: String) -> Any? {
        switch values.withLock({ $0[key] }) {
        case .number(let number): number
        case .flag(let flag): flag
        case .text(let text): text
        case nil: nil
        }
    }

    /// The number stored under `key`; 0 if there is none.
    public func integer(forKey key: String) -> Int { object(forKey: key) as? Int ?? 0 }

    /// The Boolean value stored under `key`; false if there is none.
    public func bool(forKey key: String) -> Bool { object(forKey: key) as? Bool ?? false }

    /// The text stored under `key`; nil if there is none.
    public func string(forKey key: String) -> String? { object(forKey: key) as? String }

    /// Stores an `Int`, a `Bool` or a `String`. Any other value, including nil, deletes the stored value.
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
