import Clocks
import ConversationEngine
import DialectKit
import Fixtures
import SocketTransport

/// The fixtures of a folder, of the binary and given as text, compiled on first use.
struct FixtureStore: Sendable {
    enum News: Equatable {
        /// `failures` are failed examples of the file, which do not prevent loading.
        case reloaded(name: String, file: String, failures: [String])
        /// The file has errors. If `hasGoodVersion`, an earlier version without errors stays active.
        case refused(name: String, findings: [String], hasGoodVersion: Bool)
        case missing(name: String, file: String)
    }

    struct Shelved: Sendable {
        var script: SharedValue<Script>
        var bytes: [UInt8]
        /// The path of the file. Nil for a fixture given as text, and for a fixture inside the binary.
        var file: String?
    }

    let defaultName: String
    let defaultFile: String?
    let defaultText: String?
    let folder: String?
    var shelved: [String: Shelved] = [:] { didSet { (newestLine, newestStandard) = (nil, nil) } }
    /// The last scenario line, and its scenario.
    private var newestLine: String?
    private var newest: Scenario?
    /// Cache of ``standard``.
    private var newestStandard: SharedValue<Script>?
    /// Last refused version of each fixture; nil for a missing file.
    var reported: [String: [UInt8]?] = [:]
    /// Fixtures given as text, which replace files of the same name.
    var texts: [String: [UInt8]] = [:]
    private var replaced: Shelved?

    private let dialects: [any Dialect]

    init(_ configuration: Configuration, dialects: [any Dialect] = []) throws(ServerError) {
        self.dialects = dialects
        folder = configuration.fixturesFolder
        if let folder, !Files.isFolder(folder) {
            throw .configuration(
                "the fixtures folder \(folder) is not a folder", fix: "name a folder with .json5 files")
        }
        defaultText = configuration.fixtureText
        if defaultText == nil, configuration.fixture.hasSuffix(".json5") {
            defaultFile = configuration.fixture
            defaultName = FixtureLoader.name(ofFile: configuration.fixture) ?? configuration.fixture
        } else {
            defaultFile = nil
            defaultName = configuration.fixture
        }
        // Embedded fixtures have no errors.
        if let source = source(of: defaultName), source.file == nil, defaultText == nil { return }
        do throws(ScenarioProblem) {
            _ = try load(defaultName, isFile: Files.exists)
        } catch {
            throw .fixture(error.sentence)
        }
    }

    /// The script of the default fixture.
    var standard: SharedValue<Script> {
        mutating get {
            if let newestStandard { return newestStandard }
            let name = defaultName
            if let item = shelved[name] ?? Self.embedded(name) {
                shelved[name] = item
                newestStandard = item.script
                return item.script
            }
            guard let script = dialects.lazy.compactMap({ $0.script(of: name) }).first
            else { preconditionFailure("checked by init") }
            return SharedValue(script)
        }
    }

    func isGood(_ name: String) -> Bool { shelved[name] != nil || name == defaultName }

    func isSpoilt(_ name: String) -> Bool { texts[name] == nil && reported[name].flatMap { $0 } != nil }

    /// If the saved version of the fixture was refused, returns its first error. Otherwise nil.
    func firstError(of name: String) -> String? {
        guard isSpoilt(name), let source = source(of: name) else { return nil }
        return Self.errors(of: compile(name, source)).first
    }

    var names: [String] {
        var names = Set(Embedded.names)
        names.insert(defaultName)
        names.formUnion(texts.keys)
        names.formUnion(listing.compactMap { FixtureLoader.name(ofFile: $0) })
        return names.sorted()
    }

    /// ``names`` in this order: the user's own, files that replace a fixture in the binary, other fixtures in the
    /// binary.
    var namesForUsers: [String] {
        let embedded = Set(Embedded.names)
        func rank(_ name: String) -> Int {
            guard embedded.contains(name) else { return 0 }
            return listedFile(of: name) == nil ? 2 : 1
        }
        return (0...2).flatMap { place in names.filter { rank($0) == place } }
    }

    /// The fixtures that can be played, and the agents of dialects.
    var agents: [(name: String, about: String)] {
        var shelf = self
        let own = names.compactMap { name in
            (try? shelf.script(named: name)).map { (name: name, about: $0.value.about) }
        }
        let names = Set(own.map(\.name))
        return own + dialects.flatMap(\.agents).filter { !names.contains($0.name) }
    }

    var watchedPaths: [String] { [folder, defaultFile].compactMap { $0 } }

    // MARK: - Scenarios

    /// The scenario of a connector token; nil if the token is not a `mock:` line.
    mutating func scenario(_ token: String) throws(ScenarioProblem) -> Scenario? {
        if newestLine == token { return newest }
        guard let line = try ScenarioLine(token) else { return nil }
        let scenario = try Scenario(line, playing: script(named: line.fixture))
        // Agents of dialects are not cached.
        if shelved[line.fixture] != nil { (newestLine, newest) = (token, scenario) }
        return scenario
    }

    mutating func script(named name: String) throws(ScenarioProblem) -> SharedValue<Script> {
        if let known = shelved[name] { return known.script }
        return name == defaultName ? standard : try load(name)
    }

    private mutating func load(
        _ name: String, isFile: (String) -> Bool = { _ in false }
    ) throws(ScenarioProblem) -> SharedValue<Script> {
        guard let source = source(of: name) else {
            if let script = dialects.lazy.compactMap({ $0.script(of: name) }).first {
                return SharedValue(script)
            }
            if let file = defaultFile, name == defaultName {
                throw ScenarioProblem("the fixture \(file) cannot be read: \(Files.readFault(file))")
            }
            if let file = listedFile(of: name) {
                throw ScenarioProblem("the fixture \(file) cannot be read: \(Files.readFault(file))")
            }
            // `names` contains the default fixture even if it does not exist.
            let known = names.filter { $0 != name }
            let agents = dialects.flatMap { $0.agents.map(\.name) }
            throw ScenarioProblem(
                "\(UnknownFixture(name: name, among: known, orAgents: agents, isFile: isFile))")
        }
        if source.file == nil, texts[name] == nil, defaultText == nil || name != defaultName,
            let item = Self.embedded(name)
        {
            shelved[name] = item
            return item.script
        }
        let compiled = compile(name, source)
        guard let script = compiled.script else {
            throw ScenarioProblem(Self.errors(of: compiled).joined(separator: "\n"))
        }
        let item = Shelved(script: SharedValue(script), bytes: source.bytes, file: source.file)
        shelved[name] = item
        return item.script
    }

    func file(of name: String) -> String? { shelved[name]?.file }

    // MARK: - Texts

    /// Adds a fixture given as text, or returns false if there are too many.
    mutating func shelve(_ script: Script, text: [UInt8]) -> Bool {
        guard texts[script.name] != nil || texts.count < ServerLimits.Control.fixtures else { return false }
        if script.name == defaultName, texts[defaultName] == nil { replaced = shelved[defaultName] }
        texts[script.name] = text
        shelved[script.name] = Shelved(script: SharedValue(script), bytes: text, file: nil)
        reported[script.name] = nil
        return true
    }

    mutating func forgetTexts() {
        let given = texts[defaultName] == nil ? nil : replaced ?? shelved[defaultName]
        for name in texts.keys { shelved[name] = nil }
        (texts, replaced) = ([:], nil)
        // If the default fixture's file has errors now, its earlier version stays active.
        if let given, (try? load(defaultName)) == nil { shelved[defaultName] = given }
    }

    // MARK: - Changes on disk

    /// Reloads changed files. Returns what to report.
    mutating func reload() -> [News] {
        var news: [News] = []
        for name in names {
            if let file = shelved[name]?.file, Files.read(file, atMost: 0) == nil {
                if reported[name] != .some(nil) { news.append(.missing(name: name, file: file)) }
                reported[name] = .some(nil)
                continue
            }
            guard let source = source(of: name), let file = source.file else { continue }
            if source.bytes == shelved[name]?.bytes {
                // Reports that the earlier errors of this file are gone.
                if reported[name] != nil {
                    news.append(.reloaded(name: name, file: file, failures: []))
                }
                reported[name] = nil
                continue
            }
            guard reported[name] != source.bytes else { continue }
            let wasKnown = isGood(name) || reported[name] != nil
            let compiled = compile(name, source)
            if let script = compiled.script {
                shelved[name] = Shelved(script: SharedValue(script), bytes: source.bytes, file: file)
                reported[name] = nil
                if wasKnown {
                    let failures = Self.errors(of: compiled.rehearsed())
                    news.append(.reloaded(name: name, file: file, failures: failures))
                }
            } else {
                reported[name] = source.bytes
                news.append(
                    .refused(name: name, findings: Self.errors(of: compiled), hasGoodVersion: isGood(name))
                )
            }
        }
        return news
    }

    mutating func adopt(_ reloaded: FixtureStore) {
        for (name, item) in reloaded.shelved where shelved[name]?.bytes != item.bytes {
            // A fixture given as text replaces the file.
            if texts[name] == nil { shelved[name] = item }
        }
        reported = reloaded.reported
    }

    mutating func keep(_ copy: FixtureStore) {
        for (name, item) in copy.shelved where shelved[name] == nil && copy.texts[name] == nil {
            shelved[name] = item
        }
    }

    // MARK: - Sources

    func source(of name: String) -> (bytes: [UInt8], file: String?)? {
        if let text = texts[name] { return (text, nil) }
        if let defaultText, name == defaultName { return (Array(defaultText.utf8), nil) }
        if let defaultFile, name == defaultName {
            return Files.read(defaultFile, atMost: FixtureLoader.fileBytes).map { ($0, defaultFile) }
        }
        if let folder, !name.contains("/") {
            let file = folder + "/" + name + ".json5"
            if let bytes = Files.read(file, atMost: FixtureLoader.fileBytes) { return (bytes, file) }
        }
        return Embedded.fixture(name).map { ($0, nil) }
    }

    /// Returns the path of a fixture's file in the folder, or nil.
    private func listedFile(of name: String) -> String? {
        guard let folder, listing.contains(name + ".json5") else { return nil }
        return folder + "/" + name + ".json5"
    }

    /// Embedded fixtures, compiled once per process.
    private static let compiled = Locked<[String: Shelved]>([:])

    private static func embedded(_ name: String) -> Shelved? {
        if let known = compiled.withLock({ $0[name] }) { return known }
        guard let bytes = Embedded.fixture(name) else { return nil }
        let fixture = FixtureLoader.compile(
            bytes: bytes, fileName: name + ".json5", name: name, isLinted: false)
        guard let script = fixture.script else { return nil }
        let item = Shelved(script: SharedValue(script), bytes: bytes, file: nil)
        compiled.withLock { $0[name] = item }
        return item
    }

    private var listing: [String] {
        folder.map { Files.list($0, atMost: ServerLimits.fixtureFiles) } ?? []
    }

    static func errors(of compiled: CompiledFixture) -> [String] {
        compiled.findings.filter { $0.severity == .error }.map(\.description)
    }

    private func compile(_ name: String, _ source: (bytes: [UInt8], file: String?)) -> CompiledFixture {
        FixtureLoader.compile(
            bytes: source.bytes, fileName: source.file ?? name + ".json5", name: name, isLinted: false)
    }
}
