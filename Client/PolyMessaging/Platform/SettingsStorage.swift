#if !canImport(FoundationEssentials)
    public import Foundation
#endif

/// Key-value storage for ``DevSettings``: on Apple platforms `UserDefaults`, elsewhere for example an app's own class.
public protocol SettingsStorage: AnyObject {
    /// The value stored under `key`; nil if there is none.
    func object(forKey key: String) -> Any?
    /// The number stored under `key`, or parsed from a text such as a process argument; 0 if there is none.
    func integer(forKey key: String) -> Int
    /// The Boolean value stored under `key`, or parsed from a text; false if there is none.
    func bool(forKey key: String) -> Bool
    /// The text stored under `key`; nil if there is none.
    func string(forKey key: String) -> String?
    /// Replaces the stored value.
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

    // Not compiled on Linux, where the SDK links only FoundationEssentials, which has no UserDefaults.
    extension UserDefaults: SettingsStorage {}
#endif
