import Expectations
import Fixtures
import Testing

@Suite("Fixture compiler: errors in handoffs, faults and examples")
struct FixtureBlockErrorTests {
    static func handoff(_ snippet: String) -> [String] {
        FixtureErrorTests.findings("greeting: [{ handoff: 'desk' }], handoffs: { desk: {\n\(snippet) } }")
    }

    @Test(
        "A handoff",
        arguments: [
            (
                "quue: {}",
                "3:1: error: A handoff has nothing called \"quue\". Did you mean \"queue\"? [unknown-name]"
            ),
            (
                "mode: 'clint'",
                "3:7: error: \"mode\" cannot be \"clint\". Did you mean \"client\"? [unknown-name]"
            ),
            (
                "outcome: 'times-out'",
                "3:10: error: \"outcome\" cannot be \"times-out\". Did you mean \"times out\"? [unknown-name]"
            ),
            // A reason may belong to the key that is misspelt.
            (
                "mde: 'client', reason: 'POLICY'",
                "3:1: error: A handoff has nothing called \"mde\". Did you mean \"mode\"? [unknown-name]"
            ),
            (
                "outcme: 'fails', reason: 'POLICY'",
                "3:1: error: A handoff has nothing called \"outcme\". Did you mean \"outcome\"? [unknown-name]"
            ),
            (
                "reason: 'POLICY'",
                "3:9: error: A \"reason\" belongs to mode: \"client\" or to an outcome that is not \"joins\". [wrong-type]"
            ),
            (
                "route: 'x'",
                "3:8: error: \"route\" belongs to mode: \"client\", where the client leads the way. [wrong-type]"
            ),
            ("liveAgent: {}", "3:12: error: A live agent needs \"name\". [missing-part]"),
            (
                "liveAgent: { nme: 'M', name: 'M' }",
                "3:14: error: A live agent has nothing called \"nme\". Did you mean \"name\"? [unknown-name]"
            ),
            (
                "queue: { positions: [2, -1] }",
                "3:25: error: \"positions\" contains -1, but the front of the queue is 1.\n  fix: use 1 for the front of the queue, or remove \"positions\" to skip queueing [queue-position]"
            ),
            (
                "queue: { positions: [1.5] }",
                "3:22: error: \"positions\" must be a whole number from 1 to 100000, not 1.5. [queue-position]"
            ),
            (
                "queue: { positions: 3 }",
                "3:21: error: \"positions\" must be a list in [ ], not a number.\n"
                    + "  fix: write positions: [3] [wrong-type]"
            ),
            (
                "queue: { position: [3] }",
                "3:10: error: A queue has nothing called \"position\". Did you mean \"positions\"? [unknown-name]"
            ),
            (
                "queue: { every: '8' }",
                "3:17: error: \"8\" is not a length of time. Write \"800ms\", \"2s\", \"5m\" or \"1h\". [duration]"
            ),
            (
                "opens: [{ sy: 'a' }]",
                "3:11: error: A reply step has nothing called \"sy\". Did you mean \"say\"? [unknown-name]"
            ),
            ("rules: [{ hears: 'a' }]", "3:9: error: This rule has no \"replies\". [missing-replies]"),
        ] as [(String, String)])
    func handoffs(snippet: String, finding: String) {
        expectEqual(Self.handoff(snippet), [finding])
    }

    @Test(
        "A fault",
        arguments: [
            ("{ do: { drop: 'connection' } }", "3:1: error: A fault needs \"at\". [missing-part]"),
            ("{ at: 'token' }", "3:1: error: A fault needs \"do\". [missing-part]"),
            (
                "{ at: 'tokn', do: { drop: 'connection' } }",
                "3:7: error: \"tokn\" is not a moment. Did you mean something like \"token\"? [unknown-name]"
            ),
            (
                "{ at: 'replay 2 chunk 3', do: { drop: 'connection' } }",
                "3:7: error: \"replay 2 chunk 3\" is not a moment. Did you mean something like \"reply 1 chunk 1\"? [unknown-name]"
            ),
            (
                "{ at: 'reply', do: { drop: 'connection' } }",
                "3:7: error: \"reply\" is not a moment. Did you mean something like \"reply 1\"? [unknown-name]"
            ),
            (
                "{ at: 'token', do: { drop: 'line' } }",
                "3:28: error: \"drop\" cannot be \"line\". It can be \"connection\". [unknown-name]"
            ),
            (
                "{ at: 'token', do: { dorp: 'connection' } }",
                "3:22: error: A fault's \"do\" has nothing called \"dorp\". Did you mean \"drop\"? [unknown-name]"
            ),
            (
                "{ at: 'token', do: {} }",
                "3:20: error: A fault does exactly one thing; this one has nothing. [one-verb]"
            ),
            (
                "{ at: 'token', do: { delay: '1s', refuse: 429 } }",
                "3:20: error: A fault does exactly one thing; this one has delay, refuse. [one-verb]"
            ),
            (
                "{ at: 'token', do: { delay: '1s', retryAfter: '1s' } }",
                "3:47: error: \"retryAfter\" goes with \"refuse\" only. [wrong-type]"
            ),
            (
                "{ at: 'token', do: { refuse: 200 } }",
                "3:30: error: \"refuse\" must be a whole number from 400 to 599, not 200. [wrong-type]"
            ),
            (
                "{ at: 'connect 1', do: { close: 1006 } }",
                "3:33: error: 1006 is never sent in a close frame (RFC 6455, section 7.4).\n  fix: write { drop: \"connection\" } for a connection that just breaks [wrong-type]"
            ),
            (
                "{ at: 'connect 1', do: { stall: 2 } }",
                "3:33: error: 2 has no unit. Write \"2s\" for seconds, or \"2ms\" for milliseconds. [duration]"
            ),
            (
                "{ at: 'user message 1', do: { agentError: 'high laod' } }",
                "3:43: error: \"agentError\" cannot be \"high laod\". Did you mean \"high load\"? [unknown-name]"
            ),
            (
                "{ at: 'token', do: { drop: 'connection' }, times: 0 }",
                "3:51: error: \"times\" must be a whole number from 1 to 1000000, not 0. [wrong-type]"
            ),
            (
                "{ at: 'token', do: { drop: 'connection' }, chance: 0.5 }",
                "3:52: error: \"chance\" cannot be 0.5. Write a share such as \"20%\". [wrong-type]"
            ),
        ] as [(String, String)])
    func faults(snippet: String, finding: String) {
        expectEqual(FixtureErrorTests.findings("faults: { t:\n\(snippet) }"), [finding])
    }

    @Test(
        "An example",
        arguments: [
            ("{ talk: ['user: a'] }", "1:26: error: An example needs \"name\". [missing-part]"),
            ("{ name: 'x' }", "1:26: error: An example needs \"talk\". [missing-part]"),
            (
                "{ name: 'x', talk: ['usr: a'] }",
                "1:46: error: Nobody is called \"usr\" here. Did you mean \"user\"? [unknown-name]"
            ),
            (
                "{ name: 'x', talk: ['person: hi'] }",
                "1:46: error: \"person:\" is called \"live agent:\" now.\n  fix: write \"live agent:\" in place of \"person:\" [unknown-name]"
            ),
            (
                "{ name: 'x', talk: ['hello'] }",
                "1:46: error: A line of a talk begins with who speaks.\n  fix: begin it with user:, agent:, live agent:, queue:, end:, tool:, asks:, state:, fails:, event:, answer: or decline: [unknown-name]"
            ),
            (
                "{ name: 'x', talk: ['user: '] }",
                "1:46: error: This line has no words after \"user:\". [missing-part]"
            ),
            (
                "{ name: 'x', talk: ['agent: exactly: '] }",
                "1:46: error: This line has no words after \"agent:\". [missing-part]"
            ),
            (
                "{ name: 'x', talk: ['queue: three'] }",
                "1:46: error: A queue line has a number from 1, as in \"queue: 3\". [wrong-type]"
            ),
            (
                "{ name: 'x', talk: ['end: soon'] }",
                "1:46: error: An end line has natural, user or abandoned, as in \"end: natural\". [wrong-type]"
            ),
        ] as [(String, String)])
    func examples(snippet: String, finding: String) {
        let found = Samples.findings("{ fixture: 1, examples: [\(snippet)] }")
        expectEqual(found.first, finding)
    }
}
