import Clocks
import Expectations
import LoadTest
import Testing
import Texts

@testable import CLI

@Suite("The flags of load")
struct LoadOptionTests {
    static func read(_ words: String...) throws -> LoadOptions { try LoadOptions(words[...]) }

    static func sentence(_ words: [String]) -> String? {
        do throws(Misuse) {
            _ = try LoadOptions(words[...])
            return nil
        } catch {
            return error.sentence
        }
    }

    @Test("Without words, a polymock of its own plays booking for a hundred sessions during ten seconds")
    func defaults() throws {
        let options = try Self.read()
        #expect(options.targets.isEmpty && options.fixture == "booking" && options.says == nil)
        #expect(options.plan.sessions == 100 && options.plan.rate == nil && options.plan.messages == nil)
        #expect(options.plan.duration == .seconds(10) && options.plan.ramp == .zero)
        #expect(options.connectorToken == "mock:booking" && !options.isJSON && !options.isQuiet)
    }

    @Test("Every flag reaches the plan")
    func flags() throws {
        let options = try Self.read(
            "http://127.0.0.1:8787", "--sessions", "1000", "--rate=2.5", "--ramp", "500ms", "--duration",
            "2m",
            "--messages", "7", "--patience", "1.5s", "--seed", "9", "--say", "a", "--say", "b", "--echo-only",
            "--json", "--quiet", "--host", "h", "--token", "t")
        #expect(
            options.targets.first?.address.origin == "http://127.0.0.1:8787" && options.says == ["a", "b"])
        var plan = LoadPlan(talks: [])
        (plan.sessions, plan.rate, plan.messages, plan.seed) = (1_000, 2.5, 7, 9)
        (plan.ramp, plan.duration, plan.patience) = (.milliseconds(500), .minutes(2), .milliseconds(1_500))
        plan.isEchoEnough = true
        #expect(options.plan == plan && options.isJSON && options.isQuiet)
        #expect(options.connectorToken == "t" && options.host == "h")
    }

    @Test("The token names the fixture and the pace, unless it is given; a foreign server gets the usual one")
    func tokens() throws {
        let url = "http://127.0.0.1:1"
        try expectEqual(Self.read(url, "--fixture", "bank").connectorToken, "mock:bank")
        try expectEqual(
            Self.read(url, "--fixture", "a/b.json5", "--pace", "instant").connectorToken,
            "mock:b@pace=instant")
        try expectEqual(Self.read("--pace", "careful").connectorToken, "mock:booking@pace=careful")
        try expectEqual(Self.read("--say", "x").connectorToken, "mock:webchat")
        try expectEqual(Self.read(url, "--say", "x").connectorToken, "demo")
        let variables = ["POLYMOCK_TOKEN": "secret", "POLYMOCK_HOST": "shop"]
        let options = try LoadOptions([url, "--say", "x"], environment: { variables[$0] })
        #expect(options.connectorToken == "secret" && options.host == "shop")
    }

    @Test("A number of messages sets the end, unless a duration does as well")
    func ends() throws {
        try expectEqual(Self.read("--messages", "5").plan.duration, LoadLimits.length)
        try expectEqual(Self.read("--messages", "5", "--duration", "1s").plan.duration, .seconds(1))
    }

    @Test(
        "What cannot be followed is told in one sentence",
        arguments: [
            (
                ["http://example.com", "--say", "x"],
                "example.com is not this machine; to put load on a server of yours, add --yes-i-own example.com"
            ),
            (
                ["http://example.com", "--say", "x", "--yes-i-own", "other.com"],
                "--yes-i-own names other.com, but the host of the address is example.com"
            ),
            (
                ["http://127.0.0.1@example.com", "--say", "x"],
                "an address with a user in it is refused, since what is before the @ looks like the host"
            ),
            (
                ["http:127.0.0.1:80", "--say", "x"],
                "\"http:127.0.0.1:80\" is no address of a server; use one such as http://127.0.0.1:8787"
            ),
            (
                ["example.com:80", "--say", "x"],
                "example.com is not this machine; to put load on a server of yours, add --yes-i-own example.com"
            ),
            (
                ["127.0.0.1:80", "http://127.0.0.1:80", "--say", "x"],
                "http://127.0.0.1:80 is there twice; name each server once"
            ),
            (["--yes-i-own", "a"], "--yes-i-own goes with the address of a server"),
            (
                ["http://127.0.0.1", "http://127.0.0.1"],
                "http://127.0.0.1 is there twice; name each server once"
            ),
            (["--processes", "0"], "--processes 0 is not a whole number from 1 to 64"),
            (["--processes", "65"], "--processes 65 is not a whole number from 1 to 64"),
            (
                [
                    "http://127.0.0.1:1", "http://127.0.0.1:2", "--say", "x", "--processes", "3",
                    "--sessions", "3",
                ],
                "--sessions 3 is too few: 2 servers and 3 processes need 4"
            ),
            (
                ["--processes", "3", "--messages", "2"],
                "--messages 2 is too few: 1 server and 3 processes need 3"
            ),
            (
                ["http://127.0.0.1"],
                "nothing to say: add --say \"hello\", or --fixture booking for the lines of its examples"
            ),
            (["--sessions", "0"], "--sessions 0 is not a whole number from 1 to 50000"),
            (["--sessions", "50001"], "--sessions 50001 is not a whole number from 1 to 50000"),
            (["--rate", "fast"], "--rate fast is not a number of messages per second, up to 1000000"),
            (["--rate", "1000001"], "--rate 1000001 is not a number of messages per second, up to 1000000"),
            (["--rate", "0"], "--rate 0 is not a number of messages per second, up to 1000000"),
            (["--duration", "10"], "--duration takes a length of time such as 500ms, 10s or 5m, not \"10\""),
            (
                ["--duration", "25h"],
                "--duration takes a length of time such as 500ms, 10s or 5m, not \"25h\""
            ),
            (["--ramp", "-1s"], "--ramp takes a length of time such as 500ms, 10s or 5m, not \"-1s\""),
            (["--ramp", "11s"], "--ramp is longer than --duration, of which it is the beginning"),
            (["--say", " "], "--say takes a text with something in it"),
            (
                ["--token", "t", "--pace", "instant"],
                "--pace is a part of the token; with --token, write @pace= into it"
            ),
            (
                ["http://127.0.0.1", "--say", "x", "--pace", "instant"],
                "--pace goes with --fixture, for a polymock"
            ),
            (["--fixtures", "/nowhere"], "--fixtures /nowhere is not a folder; name one with .json5 files"),
            (["--session", "3"], "there is no flag --session; did you mean --sessions?"),
        ] as [([String], String)])
    func misuse(_ words: [String], _ sentence: String) {
        expectEqual(Self.sentence(words), sentence)
        expectEqual(Invocation(["load"] + words), .misuse(sentence))
    }

    @Test("Several servers share the load, each named once, and 256 are enough")
    func servers() throws {
        let urls = (1...257).map { "http://127.0.0.1:\($0)" }
        let options = try LoadOptions(["--url", urls[0], urls[1], "--say", "x", "--processes", "3"])
        #expect(options.targets.map(\.address.origin) == Array(urls[..<2]) && options.shares.count == 4)
        expectEqual(Self.sentence(urls + ["--say", "x"]), "257 servers are too many; there may be 256")
        let owned = ["http://a.test", "http://b.test", "--yes-i-own", "a.test", "--yes-i-own", "B.test"]
        try expectEqual(LoadOptions((owned + ["--say", "x"])[...]).targets.count, 2)
        expectEqual(
            Self.sentence(["http://a.test", "http://c.test", "--yes-i-own", "a.test", "--say", "x"]),
            "--yes-i-own names a.test, but the host of the address is c.test")
    }

    @Test("A host of one's own is driven once it is named")
    func owned() throws {
        let options = try Self.read("http://gateway.test", "--say", "x", "--yes-i-own", "gateway.test")
        expectEqual(options.targets.first?.address.host, "gateway.test")
    }

    @Test("The help of load is this text")
    func help() {
        expectEqual(
            Help.text(about: "load"),
            """
            polymock load: many users at once, each with the SDK, against a server of yours; how it takes it.

            USAGE: polymock load [flags] [<address>...]   (default: a new polymock, on a free port)

            Users
              --sessions <n>       open at once (default: 100)
              --fixture <name>     they say what the users of its examples say (default: booking); a polymock plays it
              --fixtures <folder>  where names are found (default: ./fixtures, else those inside the binary)
              --pace <name>        how fast the fixture's agent talks, such as instant (default: as the fixture says)
              --say <text>         say this in place of a fixture's examples, again and again; may be repeated
              --echo-only          wait for the echo of a message, and not for the reply

            Load
              --rate <n>           messages per second over all sessions, on a fixed schedule: latency counts from
                                   when a message was due, also when no session was free for it
                                   (default: each session speaks as soon as it is answered)
              --ramp <time>        open the sessions over so long, and let the rate grow (default: all at once, and
                                   talk when they are open)
              --duration <time>    how long to talk, the ramp included (default: 10s; with --messages: no limit)
              --messages <n>       how many to send
              --timeout <length>   leave after so long, such as 10m, and without a summary
              --patience <time>    how long a session may take to open, and an answer to come (default: 10s)
              --seed <n>           decides ids, pauses and who says what (default: 1)

            Server
              --url <address>      the same as the address alone; may be repeated: sessions are shared out evenly,
                                   each stays at its server, and a server that fails fails alone
              --processes <n>      drive them from so many processes, whose histograms are added up (default: 1)
              --token <token>      of the connector (default: mock:<fixture>, or demo); POLYMOCK_TOKEN keeps it out
                                   of sight
              --host <name>        sent as X-Host (default: the server's own address)
              --yes-i-own <host>   needed for any host but this machine; must be the host of the address

            Output
              --json               the summary as one JSON object on standard output; lengths in milliseconds
              --quiet              no progress

            Latencies: connect is from asking for a token to SESSION_START, echo from a message to its own echo,
            reply from a message to the first word of the answer. Ctrl-C ends early, with a summary.

            Exit code: 0 without errors, 1 with errors, 2 when the command line cannot be followed.

            EXAMPLE: polymock load --sessions 100 --fixture booking --rate 50 --duration 5s
            """)
    }
}
