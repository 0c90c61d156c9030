#if !canImport(FoundationEssentials)
    public import Foundation
#endif

/// Keeps the values of ``DevSettings``: `Int`, `Bool` and `String`, each under a name.
///
/// Foundation's `UserDefaults` is one where Foundation is part of the system. Elsewhere an app that links
/// Foundation may use its own: a class of the app that hands the calls on.
public protocol SettingsStorage: AnyObject {
    /// The value stored under `key`; nil when there is none.
    func object(forKey key: String) -> Any?
    /// The number under `key`; a storage may read one out of a text, as `UserDefaults` do with arguments of the
    /// process. 0 when there is none.
    func integer(forKey key: String) -> Int
    /// The truth under `key`, likewise; false when there is none.
    func bool(forKey key: String) -> Bool
    /// The text under `key`, likewise; nil when there is none.
    func string(forKey key: String) -> String?
    /// Stores `value` in place of what was there.
    func set(_ value: Any?, forKey key: String)
}

#if canImport(FoundationEssentials)
    /// The storage of ``DevSettings``.
    public typealias SettingsDefaults = any SettingsStorage

    extension SettingsStorage where Self == MemorySettings {
        /// Settings that last as long as the process.
        public static var standard: MemorySettings { MemorySettings.shared }
    }
#else
    /// The storage of ``DevSettings``.
    public typealias SettingsDefaults = UserDefaults

    // Not compiled on Linux, whose SDK does without the part of Foundation that has UserDefaults.
    extension UserDefaults: SettingsStorage {}
#endif
