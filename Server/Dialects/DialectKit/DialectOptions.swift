package import Clocks
package import ConversationEngine

/// The settings of one dialect: declared, bounded and checked in its folder. The configuration file, the checks at the
/// start and the server's list of dialects know them by this protocol alone.
package protocol DialectOptions: Sendable {
    /// The block of the configuration file that they stand in: `connect`; nil for the top.
    static var block: String? { get }

    /// Has each setting visited.
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
    /// Signs what clients carry: one per process, so that what another run signed is refused.
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
    ///   - value: text, number, length of time, or what the server has a reader for.
    ///   - bounds: of a whole number. Only a program may go beyond the upper one.
    ///   - refusing: the check of a value that a program may have set; nil for that of all values of its type.
    mutating func visit<Value: Sendable>(
        _ name: String, _ value: inout Value, bounds: ClosedRange<Int>,
        refusing: ((Value) -> SettingMistake?)?)

    /// One of a few words.
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
