import Texts

/// The servers that a verb speaks to, and the form of its output.
struct ControlOptions: Equatable {
    static let defaultURL = "http://127.0.0.1:8787"
    static let switches = ["--json"]
    static let valued = ["--url", "--token"]

    /// One address, or several for verbs of ``ControlVerb/forSeveral``.
    var urls = [Self.defaultURL]
    /// The control token; nil: none is sent.
    var token: String?
    /// The server's own JSON instead of text for people.
    var isJSON = false

    /// `POLYMOCK_URL` and `POLYMOCK_CONTROL_TOKEN` stand in for flags. Not `POLYMOCK_TOKEN`: that is the connector's
    /// token for "polymock chat", and a secret of a customer must not go to any other server.
    init(_ flags: FlagReader, environment: (String) -> String?) {
        let variable = environment("POLYMOCK_URL").flatMap { $0.isEmpty ? nil : $0 }
        urls = flags.all["--url"] ?? [variable ?? Self.defaultURL]
        token = flags.values["--token"] ?? Self.token(environment)
        isJSON = flags.set.contains("--json")
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
