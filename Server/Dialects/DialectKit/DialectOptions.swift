package import Clocks
package import ConversationEngine

/// Settings of one dialect.
package protocol DialectOptions: Sendable {
    /// Name of the dialect's block in the configuration file, such as `connect`; nil: the top level of the file.
    static var block: String? { get }

    mutating func visit(_ visitor: inout some SettingVisitor)

    func configure(_ engine: inout EngineOptions)

    /// Returns the dialect with these settings; nil if it is switched off.
    func dialect(_ site: DialectSite) -> (any Dialect)?
}

extension DialectOptions {
    package func configure(_ engine: inout EngineOptions) {}
}

package struct DialectSite: Sendable {
    /// Key that signs tokens and links.
    package let key: SigningKey
    package let shard: Shard?

    package init(key: SigningKey, shard: Shard?) {
        self.key = key
        self.shard = shard
    }
}

/// Problem of a setting, and its fix.
package typealias SettingMistake = (problem: String, fix: String)

/// Visitor of settings.
package protocol SettingVisitor {
    /// - Parameters:
    ///   - name: the setting's key in the configuration file, with dots between blocks.
    ///   - value: a text, a number, a duration, or another type that the server can read.
    ///   - bounds: the range of a number in the file.
    ///   - refusing: a check that replaces the type's default check.
    mutating func visit<Value: Sendable>(
        _ name: String, _ value: inout Value, bounds: ClosedRange<Int>,
        refusing: ((Value) -> SettingMistake?)?)

    mutating func visit<Word: RawRepresentable<String> & CaseIterable & Sendable>(
        _ name: String, _ word: inout Word)
}

extension SettingVisitor {
    package mutating func visit<Value: Sendable>(
        _ name: String, _ value: inout Value, _ bounds: ClosedRange<Int> = 0...1_000_000,
        refusing: ((Value) -> SettingMistake?)? = nil
    ) {
        visit(name, &value, bounds: bounds, refusing: refusing)
    }
}
