import FixtureTools
import MockServer
import SocketTransport
import Texts

/// The flags of `polymock serve`. What is nil was not said; the configuration file or the default decides.
struct ServeOptions: Equatable {
    enum LogStyle: String, CaseIterable {
        case text
        case json
        case quiet
    }

    static let defaultPort: UInt16 = 8787
    static let switches = ["--echo", "--deflate", "--no-control"]
    static let valued = [
        "--host", "--port", "--fixture", "--fixtures", "--seed", "--log", "--config", "--expires-in",
        "--control-token", "--unmatched",
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
        let flags = try FlagReader(words, verb: nil, switches: Self.switches, valued: Self.valued)
        if let word = flags.rest.first {
            throw Misuse(sentence: "\"\(word)\" is not understood here; flags begin with --")
        }
        echo = flags.set.contains("--echo")
        deflate = flags.set.contains("--deflate")
        hasControl = !flags.set.contains("--no-control")
        host = flags.values["--host"]
        fixture = flags.values["--fixture"]
        fixtures = flags.values["--fixtures"]
        config = flags.values["--config"]
        controlToken = flags.values["--control-token"]
        port = try Self.number(flags, "--port", "from 0 to 65535; 0 picks one")
        seed = try Self.number(flags, "--seed", "without a sign")
        let seconds: UInt32? = try Self.number(flags, "--expires-in", "of seconds")
        expiresIn = seconds.map { Int($0) }
        unmatched = try Self.choice(flags, "--unmatched", "pass, warn or fail")
        log = try Self.choice(flags, "--log", "text, json or quiet") ?? .text
    }

    private static func number<Number: FixedWidthInteger>(
        _ flags: FlagReader, _ name: String, _ kind: String
    ) throws(Misuse) -> Number? {
        guard let text = flags.values[name] else { return nil }
        guard let number = Number(text) else {
            throw Misuse(sentence: "\(name) takes a whole number \(kind), not \"\(text)\"")
        }
        return number
    }

    private static func choice<Choice: RawRepresentable<String>>(
        _ flags: FlagReader, _ name: String, _ known: String
    ) throws(Misuse) -> Choice? {
        guard let text = flags.values[name] else { return nil }
        guard let choice = Choice(rawValue: text) else {
            throw Misuse(sentence: "\(name) takes \(known), not \"\(text)\"")
        }
        return choice
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
        if let controlToken { result.control.token = try Self.secret(controlToken) }
        switch log {
        case .quiet: result.log = .quiet
        case .text: result.log = .standardError
        case .json: result.log = .standardOutput
        }
        return result
    }

    /// The text of the file `word`, without blanks around it; `word` itself when there is no such file.
    ///
    /// - Throws: when the file holds something else than one word, and when `word` is a folder, a device, or looks like
    ///   the name of a file that is not there: the name would be the secret.
    private static func secret(_ word: String) throws(ServerError) -> String {
        guard let bytes = Files.read(word, atMost: VerbLimits.secret) else {
            guard !Files.exists(word), !looksLikePath(word) else {
                throw .configuration(
                    "--control-token \(ForeignText.marked(word)) is no file that can be read",
                    fix: "name a file that holds the token, or give a token without \"/\" and \".txt\"")
            }
            return word
        }
        let text = String(decoding: bytes, as: UTF8.self)
        let secret = text.split(whereSeparator: \.isWhitespace)
        guard secret.count == 1, bytes.count <= VerbLimits.secret else {
            throw .configuration(
                "the file of the control token does not hold one word", fix: "write the token alone into it")
        }
        return String(secret[0])
    }

    /// `a/b`, `~name`, `.name`, `name.txt`; not `a.b.c`, which is how signed tokens look.
    private static func looksLikePath(_ word: String) -> Bool {
        if word.contains("/") || word.contains("\\") || word.hasPrefix("~") || word.hasPrefix(".") {
            return true
        }
        let parts = word.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let ending = parts.last else { return false }
        return (1...8).contains(ending.count) && ending.allSatisfy(\.isLetter)
    }
}
