import ControlClient
import TerminalChat
import Texts

/// The rest of a reply, known from a running server's timers.
enum ReplyRest {
    /// Nil unless the server is on this machine, because a server elsewhere may not be a mock.
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
