#if !canImport(FoundationEssentials)
    public import Foundation
#endif

/// Key-value storage for ``DevSettings``, with values of type `Int`, `Bool` and `String`.
///
/// On Apple platforms Foundation's `UserDefaults` conforms. Elsewhere an app can wrap its own storage in a class.
public protocol SettingsStorage: AnyObject {
    /// The value stored under `key`; nil if there is none.
    func object(forKey key: String) -> Any?
    /// The number stored under `key`; 0 if there is none. A storage may parse a text, as `UserDefaults` does with
    /// process arguments.
    func integer(forKey key: String) -> Int
    /// The Boolean value stored under `key`, parsed in the same way; false if there is none.
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
