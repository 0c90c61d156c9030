import Texts

/// The servers that a verb calls, and the form of its output.
struct ControlOptions: Equatable {
    static let defaultURL = "http://127.0.0.1:8787"
    static let switches = ["--json"]
    static let valued = ["--url", "--token"]

    /// Addresses of the servers.
    var urls = [Self.defaultURL]
    var token: String?
    var isJSON = false

    /// Reads `--url` and `--token`. In place of a missing flag, reads `POLYMOCK_URL` or `POLYMOCK_CONTROL_TOKEN`.
    /// `POLYMOCK_TOKEN` is not used: it is the connector token of `polymock chat`, a secret that must not be sent to
    /// another server.
    init(_ flags: FlagReader, environment: (String) -> String?) throws(Misuse) {
        let variable = environment("POLYMOCK_URL").flatMap { $0.isEmpty ? nil : $0 }
        urls = flags.all["--url"] ?? [variable ?? Self.defaultURL]
        token =
            try flags.values["--token"].map { word throws(Misuse) in try Self.token(word) }
            ?? Self.token(environment)
        isJSON = flags.set.contains("--json")
    }

    private static func token(_ word: String) throws(Misuse) -> String {
        do throws(TokenFile.Problem) {
            return try TokenFile.token(word)
        } catch {
            switch error {
            // The error omits `word`, which may be the secret.
            case .missing:
                throw Misuse(
                    sentence:
                        "--token names no file that can be read; a token that looks like a path stands in"
                        + " POLYMOCK_CONTROL_TOKEN")
            case .notOneWord:
                throw Misuse(
                    sentence: "the file after --token does not hold one word; write the token alone into it")
            }
        }
    }

    static func token(_ environment: (String) -> String?) -> String? {
        environment("POLYMOCK_CONTROL_TOKEN").flatMap { $0.isEmpty ? nil : $0 }
    }

    init(url: String = Self.defaultURL, token: String? = nil, isJSON: Bool = false) {
        urls = [url]
        self.token = token
        self.isJSON = isJSON
    }
}
