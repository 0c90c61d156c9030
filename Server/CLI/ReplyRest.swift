import ControlClient
import TerminalChat
import Texts

/// Check whether the rest of a reply is still to come, by the timers of a running server.
enum ReplyRest {
    /// Returns the check for a server on this machine; nil for any other server, because it may not be a mock.
    static func question(url: String, token: String?) -> TerminalChat.RestQuestion? {
        guard RefusedFixtures.isLocal(url), let client = try? ControlClient(url: url, token: token) else {
            return nil
        }
        return { session in
            let answer = try? await client.call("GET", "timers", patience: VerbLimits.restPatience)
            return isDue(answer?.json, in: session)
        }
    }

    static func isDue(_ timers: JSONValue?, in session: String) -> Bool {
        (timers?["timers"]?.array ?? []).contains {
            $0["session"]?.string == session && $0["script"]?.bool == true
        }
    }
}
