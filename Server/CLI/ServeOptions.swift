import MockServer
import Texts

/// The flags of `polymock serve`. What is nil was not said; the configuration file or the default decides.
struct ServeOptions: Equatable {
    enum LogStyle: String, CaseIterable {
        case text
        case json
        case quiet
    }

    static let defaultPort: UInt16 = 8787
    static let flags = [
        "--host", "--port", "--fixture", "--fixtures", "--seed", "--log", "--echo", "--deflate", "--config",
        "--expires-in", "--no-control", "--control-token", "--unmatched",
        "--help", "--version",
    ]

    var host: String?
    var port: UInt16?
    var fixture: String?
    var fixtures: String?
    var seed: UInt64?
    var log = LogStyle.text
    var echo = false
    var deflate = false
    var config: String?
    /// Seconds.
    var expiresIn: Int?
    var unmatched: Configuration.Unmatched?
    var hasControl = true
    /// A file that holds the token, or the token itself.
    var controlToken: String?

    init(_ words: ArraySlice<String>) throws(Misuse) {
        var words = words
        while let word = words.popFirst() {
            var flag = word
            var given: String?
            if word.hasPrefix("--"), let equals = word.firstIndex(of: "=") {
                flag = String(word[..<equals])
                given = String(word[word.index(after: equals)...])
            }
            switch flag {
            case "--echo":
                guard given == nil else { throw Misuse(sentence: "--echo takes no value") }
                echo = true
            case "--deflate":
                guard given == nil else { throw Misuse(sentence: "--deflate takes no value") }
                deflate = true
            case "--no-control":
                guard given == nil else { throw Misuse(sentence: "--no-control takes no value") }
                hasControl = false
            case "--unmatched":
                let name = try Self.value(of: flag, given, &words)
                guard let policy = Configuration.Unmatched(rawValue: name) else {
                    throw Misuse(sentence: "--unmatched takes pass, warn or fail, not \"\(name)\"")
                }
                unmatched = policy
            case "--control-token": controlToken = try Self.value(of: flag, given, &words)
            case "--host": host = try Self.value(of: flag, given, &words)
            case "--fixture": fixture = try Self.value(of: flag, given, &words)
            case "--fixtures": fixtures = try Self.value(of: flag, given, &words)
            case "--config": config = try Self.value(of: flag, given, &words)
            case "--port":
                port = try Self.number(
                    of: flag, try Self.value(of: flag, given, &words), "from 0 to 65535; 0 picks one")
            case "--seed":
                seed = try Self.number(of: flag, try Self.value(of: flag, given, &words), "without a sign")
            case "--expires-in":
                let seconds: UInt32 = try Self.number(
                    of: flag, try Self.value(of: flag, given, &words), "of seconds")
                expiresIn = Int(seconds)
            case "--log":
                let name = try Self.value(of: flag, given, &words)
                guard let style = LogStyle(rawValue: name) else {
                    throw Misuse(sentence: "--log takes text, json or quiet, not \"\(name)\"")
                }
                log = style
            default: throw Self.unknown(word, flag)
            }
        }
    }

    private static func value(
        of flag: String, _ given: String?, _ words: inout ArraySlice<String>
    ) throws(Misuse) -> String {
        guard let value = given ?? words.popFirst(), !value.isEmpty else {
            throw Misuse(sentence: "\(flag) needs a value; \"polymock --help\" shows an example")
        }
        return value
    }

    private static func number<Number: FixedWidthInteger>(
        of flag: String, _ text: String, _ kind: String
    ) throws(Misuse) -> Number {
        guard let number = Number(text) else {
            throw Misuse(sentence: "\(flag) takes a whole number \(kind), not \"\(text)\"")
        }
        return number
    }

    private static func unknown(_ word: String, _ flag: String) -> Misuse {
        guard word.hasPrefix("-") else {
            return Misuse(sentence: "\"\(word)\" is not understood here; flags begin with --")
        }
        if let meant = NearestName.suggestion(for: flag, among: flags) {
            return Misuse(sentence: "there is no flag \(flag); did you mean \(meant)?")
        }
        return Misuse(sentence: "there is no flag \(flag); \"polymock --help\" lists them")
    }

    /// The configuration file first, then what the flags say.
    func configuration() throws(ServerError) -> Configuration {
        var result = Configuration()
        result.port = Self.defaultPort
        if Console.isFolder("fixtures") { result.fixturesFolder = "fixtures" }
        if let config { try result.apply(file: config) }
        if let host { result.host = host }
        if let port { result.port = port }
        if let fixture { result.fixture = fixture }
        if let fixtures {
            guard Console.isFolder(fixtures) else {
                throw .configuration(
                    "--fixtures \(fixtures) is not a folder", fix: "name a folder with .json5 files")
            }
            result.fixturesFolder = fixtures
        }
        if let seed { result.seed = seed }
        if let expiresIn { result.tokens.life = .seconds(expiresIn) }
        if echo { result.servesEcho = true }
        if deflate { result.deflate = true }
        if let unmatched { result.unmatched = unmatched }
        if !hasControl { result.control.isOn = false }
        if let controlToken { result.control.token = try Console.secret(controlToken) }
        switch log {
        case .quiet: result.log = .quiet
        case .text: result.log = .standardError
        case .json: result.log = .standardOutput
        }
        return result
    }
}
