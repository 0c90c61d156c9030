import Clocks
import ConversationEngine
import DialectKit
import Fixtures
import Matching
import SocketTransport
import Texts

/// The reader of a configuration file (JSON5).
struct ConfigurationFile {
    private let document: JSON5Document
    private let file: String
    /// The first mistake in the file.
    private var mistake: Finding?
    fileprivate var name = ""
    private let names: [String]

    /// - Throws: ``ServerError/configuration(_:fix:)`` for a file that cannot be read, ``ServerError/fixture(_:)`` with
    ///   file, line and column of a mistake.
    static func read(_ path: String, into configuration: inout Configuration) throws(ServerError) {
        guard let bytes = Files.read(path, atMost: FixtureLoader.fileBytes, mayWait: true) else {
            throw .configuration(
                "the file \(path) cannot be read: \(Files.readFault(path))",
                fix: "check the path after --config")
        }
        try apply(bytes, named: path, to: &configuration)
    }

    static func apply(
        _ bytes: [UInt8], named file: String, to configuration: inout Configuration
    ) throws(ServerError) {
        let document = JSON5Document(reading: bytes)
        if let problem = document.problems.first {
            let place = document.place(at: problem.offset)
            throw .fixture(
                "\(file):\(place.line):\(place.column): error: \(problem.message) [\(problem.kind.rawValue)]")
        }
        guard let root = document.root else { return }
        var reader = ConfigurationFile(document: document, file: file, names: configuration.settingNames)
        var result = configuration
        reader.read(root, under: "", &result)
        if let mistake = reader.mistake { throw .fixture(mistake.description) }
        let isSame = result.poly.connectors == configuration.poly.connectors
        for index in result.poly.connectors.indices where !isSame && result.poly.connectors[index].id.isEmpty
        {
            result.poly.connectors[index].id = "connector-\(index + 1)"
        }
        configuration = result
    }

    private init(document: JSON5Document, file: String, names: [String]) {
        self.document = document
        self.file = file
        self.names = names
    }

    private mutating func read(_ value: JSON5Value, under prefix: String, _ result: inout Configuration) {
        for member in members(value) {
            let name = prefix + member.name
            self.name = member.name
            let isPlain = !member.name.contains(".")
            if isPlain, names.contains(name) {
                var reading = SettingVisit(reading: member.value, as: name, of: self)
                result.visit(&reading)
                if let read = reading.file { self = read }
            } else if isPlain, names.contains(where: { $0.hasPrefix(name + ".") }) {
                read(member.value, under: name + ".", &result)
            } else {
                unknown(member, among: names(under: prefix))
            }
        }
    }

    private func names(under prefix: String) -> [String] {
        let keys = names.filter { $0.hasPrefix(prefix) }.map { name in
            String(name.dropFirst(prefix.count).prefix { $0 != "." })
        }
        return Set(keys).sorted()
    }
}

extension ConfigurationFile {
    fileprivate mutating func read<Target>(
        _ value: JSON5Value, into target: inout Target,
        _ keys: [String: (inout ConfigurationFile, JSON5Value, inout Target) -> Void]
    ) {
        let outer = name
        defer { name = outer }
        for member in members(value) {
            name = member.name
            if let handle = keys[member.name] {
                handle(&self, member.value, &target)
            } else {
                unknown(member, among: keys.keys.sorted())
            }
        }
    }

    fileprivate mutating func members(_ value: JSON5Value) -> [JSON5Member] {
        if case .object(let members) = value.content { return members }
        complain(value, reader(of: value).wanted("a block in { }"))
        return []
    }

    private func reader(of value: JSON5Value) -> ValueReader {
        let document = document
        return ValueReader(
            value, named: name.isEmpty ? "The file" : "\"\(name)\"", source: document.source(of: value))
    }

    fileprivate mutating func value<Result>(
        _ value: JSON5Value, _ read: (ValueReader) throws(ValueMistake) -> Result
    ) -> Result? {
        do throws(ValueMistake) {
            return try read(reader(of: value))
        } catch {
            complain(value, error)
            return nil
        }
    }

    fileprivate func source(of value: JSON5Value) -> String { document.source(of: value) }

    private mutating func complain(_ value: JSON5Value, _ mistake: ValueMistake) {
        complain(value, mistake.sentence, mistake.code)
    }

    fileprivate mutating func unknown(_ member: JSON5Member, among names: [String]) {
        let help =
            FormerNames.settings[member.name].map { FormerNames.sentence(member.name, $0) }
            ?? ValueReader.didYouMean(member.name, among: names)
            ?? "Known: \(names.joined(separator: ", "))."
        complain(
            at: member.nameStart, "There is no setting \"\(member.name)\" here. \(help)", .unknownName)
    }

    fileprivate mutating func complain(_ value: JSON5Value, _ message: String, _ code: FindingCode) {
        complain(at: value.start, message, code)
    }

    private mutating func complain(at offset: Int, _ message: String, _ code: FindingCode) {
        guard mistake == nil else { return }
        mistake = Finding(
            file: file, place: document.place(at: offset), severity: .error, code: code, message: message)
    }
}

private func key<Target, Value: SettingValue>(
    _ path: WritableKeyPath<Target, Value>, _ bounds: ClosedRange<Int> = 0...1_000_000
) -> (inout ConfigurationFile, JSON5Value, inout Target) -> Void {
    { file, value, target in
        if let found = Value.read(value, bounds, by: &file) { target[keyPath: path] = found }
    }
}

protocol SettingValue: Sendable {
    typealias Bounds = ClosedRange<Int>

    /// Reads a value, and records mistakes in it.
    static func read(_ value: JSON5Value, _ bounds: Bounds, by file: inout ConfigurationFile) -> Self?
    /// Returns the mistake in a value, or nil.
    func mistake(_ bounds: Bounds) -> SettingMistake?
    /// Merges a value from a file with the former one. By default, the new value replaces it.
    func over(_ former: Self) -> Self
}

extension SettingValue {
    func over(_ former: Self) -> Self { self }
    func mistake(_ bounds: Bounds) -> SettingMistake? { nil }
}

extension String: SettingValue {
    static func read(_ value: JSON5Value, _: Bounds, by file: inout ConfigurationFile) -> String? {
        file.value(value) { reader throws(ValueMistake) in try reader.text() }
    }
}

extension Bool: SettingValue {
    static func read(_ value: JSON5Value, _: Bounds, by file: inout ConfigurationFile) -> Bool? {
        file.value(value) { reader throws(ValueMistake) in try reader.flag() }
    }
}

extension Double: SettingValue {
    static func read(_ value: JSON5Value, _ bounds: Bounds, by file: inout ConfigurationFile) -> Double? {
        file.value(value) { reader throws(ValueMistake) in try reader.number(in: bounds) }
    }
}

extension SettingValue where Self: FixedWidthInteger {
    static func read(_ value: JSON5Value, _ bounds: Bounds, by file: inout ConfigurationFile) -> Self? {
        file.value(value) { reader throws(ValueMistake) in Self(try reader.whole(in: bounds)) }
    }

    func mistake(_ bounds: Bounds) -> SettingMistake? {
        self < bounds.lowerBound ? (" is \(self)", "use \(bounds.lowerBound) or more") : nil
    }
}

extension Int: SettingValue {}
extension UInt16: SettingValue {}
extension UInt64: SettingValue {}

extension Interval: SettingValue {
    static func read(_ value: JSON5Value, _: Bounds, by file: inout ConfigurationFile) -> Interval? {
        file.value(value) { reader throws(ValueMistake) in try reader.interval() }
    }

    func mistake(_: Bounds) -> SettingMistake? {
        self < .zero ? (" is negative", "use zero or more") : nil
    }
}

extension Shard: SettingValue {
    static func read(_ value: JSON5Value, _: Bounds, by file: inout ConfigurationFile) -> Shard? {
        if case .text(let text) = value.content, let shard = Shard(text) { return shard }
        file.complain(
            value,
            "\(file.source(of: value)) is no shard. Write \"2/4\" for the second of four, of 256 at most.",
            .wrongType)
        return nil
    }
}

extension ConfigurationFile {
    mutating func word<Word: RawRepresentable<String> & CaseIterable>(
        _ value: JSON5Value, of words: Word.Type
    ) -> Word? {
        self.value(value) { reader throws(ValueMistake) in
            try reader.word(among: Word.allCases.map(\.rawValue))
        }
        .flatMap(Word.init(rawValue:))
    }
}

extension SettingValue where Self: RawRepresentable<String> & CaseIterable {
    static func read(_ value: JSON5Value, _ bounds: Bounds, by file: inout ConfigurationFile) -> Self? {
        file.word(value, of: Self.self)
    }
}

extension Configuration.Unmatched: SettingValue {}
extension KnownProblem: SettingValue {}

extension Optional: SettingValue where Wrapped: SettingValue {
    static func read(_ value: JSON5Value, _ bounds: Bounds, by file: inout ConfigurationFile) -> Self? {
        Wrapped.read(value, bounds, by: &file).map { $0 }
    }

    func mistake(_ bounds: Bounds) -> SettingMistake? { self?.mistake(bounds) }
}

extension Array: SettingValue where Element: SettingValue {
    static func read(_ value: JSON5Value, _ bounds: Bounds, by file: inout ConfigurationFile) -> Self? {
        let elements = file.value(value) { reader throws(ValueMistake) in try reader.list() } ?? []
        let name = file.name
        defer { file.name = name }
        return elements.indices.compactMap { index in
            file.name = "\(name)[\(index)]"
            return Element.read(elements[index], bounds, by: &file)
        }
    }
}

extension Set: SettingValue where Element: SettingValue {
    static func read(_ value: JSON5Value, _ bounds: Bounds, by file: inout ConfigurationFile) -> Self? {
        [Element].read(value, bounds, by: &file).map { Set($0) }
    }
}

extension JSONValue: SettingValue {
    static func read(_ value: JSON5Value, _ bounds: Bounds, by file: inout ConfigurationFile) -> JSONValue? {
        switch value.content {
        case .text(let text): return .string(text)
        case .boolean(let flag): return .bool(flag)
        case .number(let number):
            return number == number.rounded() && abs(number) < 0x1p53
                ? .integer(Int64(number)) : .double(number)
        case .list(let elements): return .array(elements.compactMap { read($0, bounds, by: &file) })
        case .object(let members):
            return .object(
                JSONObject(
                    members.compactMap { member in
                        read(member.value, bounds, by: &file).map { JSONObject.Member(member.name, $0) }
                    }))
        case .null: return .null
        }
    }
}

/// The setting `journaling`: event kinds, and whether each is journaled.
extension [String: Bool]: SettingValue {
    static func read(_ value: JSON5Value, _ bounds: Bounds, by file: inout ConfigurationFile) -> Self? {
        var result: Self = [:]
        for member in file.members(value) {
            result[member.name] = Bool.read(member.value, bounds, by: &file)
            if EventKind(rawValue: member.name) == nil {
                file.unknown(
                    member, among: EventKind.allCases.filter { $0 != .liveAgentStatus }.map(\.rawValue))
            }
        }
        return result
    }

    func over(_ former: Self) -> Self { former.merging(self) { $1 } }
}

extension Configuration.Connector: SettingValue {
    static func read(_ value: JSON5Value, _ bounds: Bounds, by file: inout ConfigurationFile) -> Self? {
        var connector = Self(token: "", id: "", hosts: [])
        file.read(
            value, into: &connector,
            [
                "token": key(\.token), "id": key(\.id), "hosts": key(\.hosts),
                "sendsContextID": key(\.sendsContextID),
            ])
        if connector.token.isEmpty { file.complain(value, "A connector needs a \"token\".", .missingPart) }
        return connector
    }
}

extension Configuration.AgentError: SettingValue {
    private struct Draft {
        var reply: Int?
        var chunk: Int?
        var userMessage: Int?
        var problem: KnownProblem?
        var times = 1
    }

    static func read(_ value: JSON5Value, _ bounds: Bounds, by file: inout ConfigurationFile) -> Self? {
        var draft = Draft()
        file.read(
            value, into: &draft,
            [
                "reply": key(\.reply, 1...1_000_000), "chunk": key(\.chunk, 1...1_000_000),
                "userMessage": key(\.userMessage, 1...1_000_000),
                "problem": key(\.problem), "times": key(\.times),
            ])
        let moment: Moment
        switch (draft.reply, draft.chunk, draft.userMessage) {
        case (let reply?, let chunk?, nil): moment = .chunk(reply: reply, chunk: chunk)
        case (let reply?, nil, nil): moment = .reply(reply)
        case (nil, nil, let number?): moment = .userMessage(number)
        default:
            file.complain(
                value, "An agent error has either \"reply\" (with or without \"chunk\") or \"userMessage\".",
                .missingPart)
            return nil
        }
        guard let problem = draft.problem else {
            file.complain(value, "An agent error needs a \"problem\".", .missingPart)
            return nil
        }
        return Self(at: moment, problem: problem.rawValue, times: draft.times)
    }
}

extension Configuration.Rates.Bucket: SettingValue {
    static func read(_ value: JSON5Value, _: Bounds, by file: inout ConfigurationFile) -> Self? {
        var bucket = Self(burst: 1, perSecond: 1)
        let keys = ["burst": key(\Self.burst, 1...1_000_000), "perSecond": key(\Self.perSecond)]
        file.read(value, into: &bucket, keys)
        return bucket
    }

    func mistake(_: Bounds) -> SettingMistake? {
        burst < 1 ? (".burst is \(burst)", "use 1 or more") : nil
    }
}
