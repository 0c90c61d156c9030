#if !canImport(FoundationEssentials)
    public import Foundation
#endif

/// Key-value storage for ``DevSettings``: `UserDefaults` on Apple platforms, elsewhere ``MemorySettings`` by default.
public protocol SettingsStorage: AnyObject {
    /// The value stored under `key`; nil if there is none.
    func object(forKey key: String) -> Any?
    /// The number stored under `key`; 0 if there is none. `UserDefaults` also parses a stored text.
    func integer(forKey key: String) -> Int
    /// The Boolean value stored under `key`; false if there is none. `UserDefaults` also parses a stored text.
    func bool(forKey key: String) -> Bool
    /// The text stored under `key`; nil if there is none.
    func string(forKey key: String) -> String?
    /// Replaces the value stored under `key`; nil deletes it.
    func set(_ value: Any?, forKey key: String)
}

#if canImport(FoundationEssentials)
    /// The storage of ``DevSettings``.
    public typealias SettingsDefaults = any SettingsStorage

    extension SettingsStorage where Self == MemorySettings {
        /// The in-memory storage of the process.
        public static var standard: MemorySettings { MemorySettings.shared }
    }
#else
    /// The storage of ``DevSettings``.
    public typealias SettingsDefaults = UserDefaults

    // Not compiled on Linux, where FoundationEssentials has no UserDefaults.
    extension UserDefaults: SettingsStorage {}
#endif
