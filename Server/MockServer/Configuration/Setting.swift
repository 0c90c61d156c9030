import Fixtures

/// One setting, with all that reads it: the configuration file, the checks, the command line, and the parts of the
/// server that are told its value. ``all`` is the table.
package struct Setting {
    /// What sets it on the command line.
    package struct Flag {
        package let name: String
        /// What it wants, in words; nil for a switch.
        package let wanted: String?
        /// nil when the text is not what it wants.
        package let set: (inout Configuration, String) -> Void?
    }

    typealias Mistake = (problem: String, fix: String)

    /// Its place in a file, with dots for blocks: `limits.sockets`.
    let name: String
    package private(set) var flag: Flag?
    let read: (inout ConfigurationFile, JSON5Value, inout Configuration) -> Void
    /// What is wrong with it, whoever set it: the problem goes behind the name.
    private(set) var mistake: (Configuration) -> Mistake?
    let tell: (Configuration, inout PartOptions) -> Void

    /// - Parameters:
    ///   - name: its place in a file.
    ///   - path: its place in a configuration.
    ///   - bounds: of a whole number. Only a program may go beyond the upper one.
    ///   - parts: who is told.
    init<Value: SettingValue>(
        _ name: String, _ path: WritableKeyPath<Configuration, Value>,
        _ bounds: ClosedRange<Int> = 0...1_000_000, to parts: WritableKeyPath<PartOptions, Value>...
    ) {
        self.name = name
        read = { reader, source, configuration in
            if let value = Value.read(source, bounds, by: &reader) {
                configuration[keyPath: path] = value.over(configuration[keyPath: path])
            }
        }
        mistake = { $0[keyPath: path].mistake(bounds) }
        tell = { configuration, options in
            for part in parts { options[keyPath: part] = configuration[keyPath: path] }
        }
    }

    /// The same setting, with something else that can be wrong.
    func refusing(_ mistake: @escaping (Configuration) -> Mistake?) -> Setting {
        var setting = self
        setting.mistake = mistake
        return setting
    }

    /// The same setting, with the flag that a word follows.
    func flag(
        _ name: String, _ wanted: String = "a text", _ set: @escaping (inout Configuration, String) -> Void?
    ) -> Setting {
        var setting = self
        setting.flag = Flag(name: name, wanted: wanted, set: set)
        return setting
    }

    /// The same setting, with the flag that stands alone.
    func flag(_ name: String, _ set: @escaping (inout Configuration) -> Void) -> Setting {
        var setting = self
        setting.flag = Flag(name: name, wanted: nil) { configuration, _ in set(&configuration) }
        return setting
    }
}
