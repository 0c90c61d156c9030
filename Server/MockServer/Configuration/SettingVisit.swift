import Clocks
import DialectKit
import Fixtures
import Texts

/// Visitor that reads, checks or lists settings.
struct SettingVisit: SettingVisitor {
    /// The setting to read, and its value in the file.
    var wanted: (name: String, value: JSON5Value)?
    var file: ConfigurationFile?
    var listsNames = false
    private(set) var names: [String] = []
    private(set) var mistake: (name: String, SettingMistake)?
    fileprivate var block = ""

    /// The usual types, listed because the runtime's search for a conformance is slow.
    private static let usual: [any SettingValue.Type] = [
        Interval.self, Bool.self, String?.self, Int.self, Int?.self, JSONValue?.self, String.self,
        UInt16.self, Set<Int>.self, UInt64?.self, Interval?.self, Bool?.self, JSONValue.self, [String].self,
    ]

    init() {}

    init(reading value: JSON5Value, as name: String, of file: ConfigurationFile) {
        wanted = (name, value)
        self.file = file
    }

    mutating func visit<Value: Sendable>(
        _ name: String, _ value: inout Value, bounds: ClosedRange<Int>,
        refusing: ((Value) -> SettingMistake?)?
    ) {
        let usual = Self.usual.first { $0 == Value.self }
        guard let type = usual ?? (Value.self as? any SettingValue.Type) else {
            preconditionFailure("no file can say what \(name) is")
        }
        guard let source = source(of: name) else {
            guard wanted == nil, mistake == nil else { return }
            let found = refusing.map { $0(value) } ?? Self.mistake(in: value, type, bounds)
            mistake = found.map { (block + name, $0) }
            return
        }
        if let read = read(source, type, over: value, bounds) { value = read }
    }

    mutating func visit<Word: RawRepresentable<String> & CaseIterable & Sendable>(
        _ name: String, _ word: inout Word
    ) {
        if let source = source(of: name), let read = file?.word(source, of: Word.self) { word = read }
    }

    private mutating func source(of name: String) -> JSON5Value? {
        guard let wanted else {
            if listsNames { names.append(block + name) }
            return nil
        }
        return wanted.name == block + name ? wanted.value : nil
    }

    private mutating func read<Kind: SettingValue, Value>(
        _ source: JSON5Value, _ kind: Kind.Type, over former: Value, _ bounds: ClosedRange<Int>
    ) -> Value? {
        guard var file, let former = former as? Kind else { return nil }
        defer { self.file = file }
        return kind.read(source, bounds, by: &file)?.over(former) as? Value
    }

    private static func mistake<Kind: SettingValue, Value>(
        in value: Value, _ kind: Kind.Type, _ bounds: ClosedRange<Int>
    ) -> SettingMistake? {
        (value as? Kind)?.mistake(bounds)
    }
}

extension DialectOptions {
    mutating func visit(withBlock visitor: inout SettingVisit) {
        visitor.block = Self.block.map { $0 + "." } ?? ""
        visit(&visitor)
        visitor.block = ""
    }
}
