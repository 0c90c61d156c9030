package import Clocks
package import ConversationEngine

/// The settings of one dialect: declared, bounded and checked in its folder. The configuration file, the
/// start-up checks and the server's list of dialects use only this protocol.
package protocol DialectOptions: Sendable {
    /// The dialect's block of the configuration file: `connect`; nil for the top level.
    static var block: String? { get }

    /// Passes each setting to `visitor`.
    mutating func visit(_ visitor: inout some SettingVisitor)

    /// Sets the options of the engine for all sessions.
    func configure(_ engine: inout EngineOptions)

    /// The dialect with these settings; nil where they switch it off.
    func dialect(_ site: DialectSite) -> (any Dialect)?
}

extension DialectOptions {
    package func configure(_ engine: inout EngineOptions) {}
}

/// The server that a dialect is made for.
package struct DialectSite: Sendable {
    /// Signs tokens and links for clients. One key per process, so that those of another run are refused.
    package let key: SigningKey
    package let shard: Shard?

    package init(key: SigningKey, shard: Shard?) {
        self.key = key
        self.shard = shard
    }
}

/// Problem of a setting with its fix. The problem follows the name, unless it begins with a
/// quotation mark.
package typealias SettingMistake = (problem: String, fix: String)

/// Lists, reads or checks settings.
package protocol SettingVisitor {
    /// - Parameters:
    ///   - name: its key in the file, with dots for blocks.
    ///   - value: a text, number, length of time, or another type that the server can read.
    ///   - bounds: of a whole number. Only settings made in code may exceed the upper one.
    ///   - refusing: a check for values set in code; nil uses the default check of the type.
    mutating func visit<Value: Sendable>(
        _ name: String, _ value: inout Value, bounds: ClosedRange<Int>,
        refusing: ((Value) -> SettingMistake?)?)

    /// Visits a setting with a fixed set of words.
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
