import FixtureTools
import MockServer
import Texts

/// Flags of `polymock serve`: settings, `--config`, `--log` and `--open`. A flag overrides the configuration file.
struct ServeOptions: Equatable {
    enum LogStyle: String, CaseIterable {
        case text, json, quiet
    }

    static let defaultPort: UInt16 = 8787
    static var switches: [String] { flags.filter { $0.wanted == nil }.map(\.name) + ["--open"] }
    static var valued: [String] { flags.filter { $0.wanted != nil }.map(\.name) + ["--config", "--log"] }
    private static var flags: [SettingFlag] { SettingFlag.all }

    var log = LogStyle.text
    var config: String?
    var opens = false
    /// Values of the settings by flag. A flag without a value has the empty string.
    private var given: [String: [String]]

    init(_ words: ArraySlice<String>) throws(Misuse) {
        let flags = try FlagReader(words, verb: nil, switches: Self.switches, valued: Self.valued)
        if let word = flags.rest.first {
            throw Misuse(sentence: "\"\(word)\" is not understood here; flags begin with --")
        }
        given = flags.set.reduce(into: flags.all) { $0[$1] = [""] }
        opens = given.removeValue(forKey: "--open") != nil
        config = given.removeValue(forKey: "--config")?.last
        if let text = given.removeValue(forKey: "--log")?.last {
            guard let style = LogStyle(rawValue: text) else {
                throw Misuse(sentence: "--log takes text, json or quiet, not \"\(text)\"")
            }
            log = style
        }
        var scratch = Configuration()
        try apply(to: &scratch)
    }

    /// Value of `--control-token`: the path of a file with the token, or the token itself.
    var controlToken: String? { given["--control-token"]?.last }

    func apply(to configuration: inout Configuration) throws(Misuse) {
        for flag in Self.flags {
            for text in given[flag.name] ?? [] where flag.set(&configuration, text) == nil {
                throw Misuse(sentence: "\(flag.name) takes \(flag.wanted ?? "no value"), not \"\(text)\"")
            }
        }
    }

    func configuration() throws(ServerError) -> Configuration {
        var result = Configuration()
        result.port = Self.defaultPort
        if Console.isFolder("fixtures") { result.fixturesFolder = "fixtures" }
        if let config { try result.apply(file: config) }
        // This call cannot fail, because the initializer has checked the flags.
        try? apply(to: &result)
        if let fixtures = given["--fixtures"]?.last {
            guard Console.isFolder(fixtures) else {
                throw .configuration(
                    "--fixtures \(fixtures) is not a folder", fix: "name a folder with .json5 files")
            }
            // If no fixture was chosen and the folder contains exactly one, that fixture is the default.
            if result.fixture == Configuration().fixture, given["--fixture"] == nil,
                let only = FixtureSource.onlyName(in: fixtures)
            {
                result.fixture = only
            }
        }
        if let folder = given["--pages"]?.last, !Console.isFolder(folder) {
            throw .configuration(
                "--pages \(folder) is not a folder", fix: "name a folder such as Server/Pages/web")
        }
        if let controlToken { result.control.token = try Self.token(controlToken) }
        switch log {
        case .quiet: result.log = .quiet
        case .text: result.log = .standardError
        case .json: result.log = .standardOutput
        }
        return result
    }

    private static func token(_ word: String) throws(ServerError) -> String {
        do throws(TokenFile.Problem) {
            return try TokenFile.token(word)
        } catch {
            switch error {
            // The error omits `word`, which may be the secret.
            case .missing:
                throw .configuration(
                    "--control-token names no file that can be read",
                    fix: "make the file first: openssl rand -hex 16 > control.token; or give the token")
            case .notOneWord:
                throw .configuration(
                    "the file of the control token does not hold one word",
                    fix: "write the token alone into it")
            }
        }
    }
}
