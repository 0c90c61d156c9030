import Fixtures

/// One setting, with all that reads it: the configuration file, the checks, the command line, and the parts of the
/// server that are told its value. ``all`` is the table.
package struct Setting: Sendable {
    /// What sets it on the command line.
    package struct Flag: Sendable {
        package let name: String
        /// What it wants, in words; nil for a switch.
        package let wanted: String?
        /// nil when the text is not what it wants.
        package let set: @Sendable (inout Configuration, String) -> Void?
    }

    typealias Mistake = (problem: String, fix: String)
    /// Lends a value to somebody. A key path would do the same, but a hundred of them take a third of the start.
    typealias Place<Whole, Value> = @Sendable (_ whole: inout Whole, _ use: (inout Value) -> Void) -> Void

    /// Its place in a file, with dots for blocks: `limits.sockets`.
    let name: String
    package private(set) var flag: Flag?
    let read: @Sendable (inout ConfigurationFile, JSON5Value, inout Configuration) -> Void
    /// What is wrong with it, whoever set it: the problem goes behind the name. It changes nothing.
    private(set) var mistake: @Sendable (inout Configuration) -> Mistake?
    let tell: @Sendable (inout Configuration, inout SubsystemOptions) -> Void

    /// - Parameters:
    ///   - name: its place in a file.
    ///   - place: its place in a configuration.
    ///   - bounds: of a whole number. Only a program may go beyond the upper one.
    ///   - part: who is told.
    ///   - other: who else is.
    init<Value: SettingValue>(
        _ name: String, _ place: @escaping Place<Configuration, Value>,
        _ bounds: ClosedRange<Int> = 0...1_000_000, to part: Place<SubsystemOptions, Value>? = nil,
        and other: Place<SubsystemOptions, Value>? = nil
    ) {
        self.name = name
        read = { reader, source, configuration in
            guard let value = Value.read(source, bounds, by: &reader) else { return }
            place(&configuration) { $0 = value.over($0) }
        }
        mistake = { configuration in
            var mistake: Mistake?
            place(&configuration) { mistake = $0.mistake(bounds) }
            return mistake
        }
        tell = { configuration, options in
            for part in [part, other] {
                guard let part else { continue }
                place(&configuration) { value in part(&options) { $0 = value } }
            }
        }
    }

    /// The same setting, with something else that can be wrong.
    func refusing(_ mistake: @escaping @Sendable (Configuration) -> Mistake?) -> Setting {
        var setting = self
        setting.mistake = { mistake($0) }
        return setting
    }

    /// The same setting, with the flag that a word follows.
    func flag(
        _ name: String, _ wanted: String = "a text",
        _ set: @escaping @Sendable (inout Configuration, String) -> Void?
    ) -> Setting {
        var setting = self
        setting.flag = Flag(name: name, wanted: wanted, set: set)
        return setting
    }

    /// The same setting, with the flag that stands alone.
    func flag(_ name: String, _ set: @escaping @Sendable (inout Configuration) -> Void) -> Setting {
        var setting = self
        setting.flag = Flag(name: name, wanted: nil) { configuration, _ in set(&configuration) }
        return setting
    }
}
