import Expectations
import Foundation
import MockServer
import Testing

@testable import CLI

@Suite("Command line", .timeLimit(.minutes(5)))
struct InvocationTests {
    @Test(
        "No verb means serve; help and version win over other words",
        arguments: [
            ([], nil), (["serve"], nil), (["help"], .help), (["--help"], .help), (["-h"], .help),
            (["serve", "--help"], .helpAbout("serve")), (["serve", "--oops", "-h"], .helpAbout("serve")),
            (["help", "serve"], .helpAbout("serve")), (["version"], .version),
            (["--version"], .version), (["--port", "0", "--version"], .version),
        ] as [([String], Invocation?)])
    func verbs(_ words: [String], _ expected: Invocation?) throws {
        let defaults = Invocation.serve(try ServeOptions([]))
        #expect(Invocation(words) == expected ?? defaults)
    }

    @Test(
        "Flags take their value as the next word or behind an equals sign",
        arguments: [true, false] as [Bool])
    func flags(withEquals: Bool) throws {
        let pairs = [
            ("--host", "::1"), ("--port", "0"), ("--fixture", "booking"), ("--fixtures", "./there"),
            ("--seed", "18446744073709551615"), ("--log", "json"), ("--config", "my=file.json5"),
            ("--expires-in", "400"), ("--shard", "2/4"), ("--signing-key", "shard.key"),
        ]
        let words =
            pairs.flatMap { withEquals ? ["\($0.0)=\($0.1)"] : [$0.0, $0.1] } + [
                "--echo", "--deflate", "--open",
            ]
        guard case .serve(let options) = Invocation(["serve"] + words) else {
            Issue.record("not understood: \(words)")
            return
        }
        var said = Configuration()
        said.port = 1
        try options.apply(to: &said)
        expectEqual(said.host, "::1")
        expectEqual(said.port, 0)
        expectEqual(said.fixture, "booking")
        expectEqual(said.fixturesFolder, "./there")
        expectEqual(said.seed, .max)
        #expect(said.shard?.description == "2/4" && said.signingKey == "shard.key")
        expectEqual(options.log, .json)
        expectEqual(options.config, "my=file.json5")
        #expect(options.opens)
        expectEqual(said.tokens.life, .seconds(400))
        #expect(said.servesEcho)
        #expect(said.deflate)
    }

    @Test("A list takes each value of a flag that is repeated; elsewhere the last value counts")
    func repeated() throws {
        let options = try ServeOptions([
            "--trusted-proxy", "10.0.0.7", "--port", "1", "--trusted-proxy=::1", "--port", "2",
        ])
        var said = Configuration()
        try options.apply(to: &said)
        expectEqual(said.trustedProxies, ["10.0.0.7", "::1"])
        expectEqual(said.port, 2)
    }

    @Test(
        "What cannot be followed is told in one sentence with the fix",
        arguments: [
            (["srve"], "there is no verb \"srve\"; did you mean \"serve\"?"),
            (["dance"], "there is no verb \"dance\"; \"polymock --help\" lists what there is"),
            (["--prot", "1"], "there is no flag --prot; did you mean --port?"),
            (["--fixtrue=x"], "there is no flag --fixtrue; did you mean --fixture?"),
            (["--zzzzzzzz"], "there is no flag --zzzzzzzz; \"polymock help serve\" lists them"),
            (["-p"], "there is no flag -p; did you mean --port?"),
            (["-v"], "there is no flag -v; did you mean --version?"),
            (["start"], "there is no verb \"start\"; did you mean \"serve\"?"),
            (["run"], "there is no verb \"run\"; did you mean \"serve\"?"),
            (["up"], "there is no verb \"up\"; did you mean \"serve\"?"),
            (["serve", "8787"], "\"8787\" is not understood here; flags begin with --"),
            (["--port"], "--port needs a value; \"polymock help serve\" shows an example"),
            (["--port="], "--port needs a value; \"polymock help serve\" shows an example"),
            (["--port", "65536"], "--port takes a whole number from 0 to 65535; 0 picks one, not \"65536\""),
            (["--port", "http"], "--port takes a whole number from 0 to 65535; 0 picks one, not \"http\""),
            (["--seed", "-1"], "--seed takes a whole number without a sign, not \"-1\""),
            (
                ["--expires-in", "1h"],
                "--expires-in takes a whole number of seconds, at most 4294967295, not \"1h\""
            ),
            (
                ["--shard", "5/4"],
                "--shard takes a number and how many there are, such as 2/4, of 256 at most, not \"5/4\""
            ),
            (["--log", "xml"], "--log takes text, json or quiet, not \"xml\""),
            (["--echo=yes"], "--echo takes no value"),
            (["--versio"], "there is no flag --versio; did you mean --version?"),
            (["--", "x"], "\"x\" is not understood here; flags begin with --"),
            (["--deflate=on"], "--deflate takes no value"),
        ] as [([String], String)])
    func misuse(_ words: [String], _ sentence: String) {
        expectEqual(Invocation(words), .misuse(sentence))
    }

    @Test("Every flag of the help is known, and every known flag is in the help")
    func helpIsComplete() {
        let known = ServeOptions.switches + ServeOptions.valued + ["--help", "--version"]
        for flag in known { #expect(Help.serve.contains("\(flag)"), "\(flag)") }
        let told = Help.serve.split(whereSeparator: { " ,\n".contains($0) }).filter { $0.hasPrefix("--") }
        for flag in told { #expect(known.contains(String(flag)), "\(flag)") }
    }

    @Test("The help text, letter for letter")
    func help() {
        expectEqual(
            Help.text,
            """
            polymock: a mock messaging server with a scripted agent.

            USAGE: polymock [serve] [flags]
                   polymock <verb> ...

              polymock --fixture booking     serve an agent at http://127.0.0.1:8787
              polymock chat                  talk to it, in a second terminal
              polymock wire --follow         see each request and frame; or open http://127.0.0.1:8787/inspect

            Serve and talk
              serve       run the server; what polymock does without a verb
              chat        talk to a server, at the keyboard or by a script
              load        many users at once against a server; latencies and errors

            Fixtures: the files that say how an agent behaves
              init        a new folder: fixture and first test
              list        the fixtures there are
              show        print a fixture, also one that is in the program
              schema      print the schema that editors complete fixtures by
              check       mistakes in fixtures, and their examples played
              try         which rules would answer these messages, or which came near
              simulate    a thousand seeded users; what goes wrong is shrunk
              sweep       cut the connection after every event; nothing may be lost
              replay      play a scenario, or serve a recording
              record      make a fixture of a recording
              compare     where a mock differs from a recording

            Look at a running server
              sessions    who is talking
              session     what is known of one session
              journal     the events of a session, in their order
              wire        every request and frame, one line each
              wait        until rows of the wire match a filter
              unmatched   messages that no rule heard, requests that nothing answered
              violations  what clients must do, and which ones did not
              timers      what will happen without a client, and when
              fixtures    what the server plays
              metrics     its counters, as Prometheus reads them
              health      whether it answers
              export      the wire as a file: JSON lines, HAR or a transcript
              import      show an exported file among the rows of a server

            Steer a running server
              fault       make things go wrong: cut, delay, damage
              clock       stop time, or move it ahead
              push        say something in a session
              change      edit or withdraw a message
              takeover    speak as the agent or a live agent
              intercept   look at frames before clients get them
              runs        what an agent did, and answer what it asks
              end         end a session
              reset       everything as at the start

            Help
              help        "help <verb>" explains one, "help filters" those of wire
              completions completion of words in bash, zsh or fish
              version     print the version

            "polymock help <verb>" has a verb's flags; "polymock help serve" those of the server.
            """)
        for line in Help.text.split(separator: "\n") { #expect(line.utf8.count <= 110) }
        #expect(Help.text.split(separator: " ").count < 400)
    }

    @Test("The help of serve, letter for letter")
    func serveHelp() {
        expectEqual(
            Help.text(about: "serve"),
            """
            polymock serve: run the server; the word serve may be left out.

            USAGE: polymock [serve] [flags]

              --host <name>        address to listen on (default: 127.0.0.1; localhost takes IPv4 and IPv6)
              --port <n>           TCP port; 0 picks a free one (default: 8787)
              --fixture <name>     how the agent behaves: a name, or a path ending in .json5 (default: webchat)
              --fixtures <folder>  where names are found (default: ./fixtures, else those inside the binary)
              --seed <n>           the same seed gives the same ids and pauses (default: drawn, and printed)
              --shard <k>/<n>      one of several servers behind a proxy: makes only ids of shard k of n, 256 at most
              --signing-key <file> 32 bytes or more that sign tokens; servers with the same file take each other's
              --trusted-proxy <a>  address of a proxy in front: its X-Forwarded-For names the client; may be repeated
              --log <style>        text (standard error), json (standard output) or quiet (default: text)
              --expires-in <s>     seconds that access tokens are valid (default: 86400); the published
                                   SDKs get no further with 300 or less
              --config <file>      settings in JSON5; flags win over it
              --unmatched <policy> unmatched messages and requests: pass, warn (default), or fail (exit code 1)
              --control-token <t>  what requests to /_mock/ carry as X-Mock-Token: a file with it, or the text (the
                                   verbs read it from POLYMOCK_CONTROL_TOKEN)
              --no-control         serve nothing under /_mock/ but health
              --open               show the chat page and the inspector in a browser (BROWSER, else the system's)
              --pages <folder>     read the pages from there at each request, for those who edit them
              --echo               also serve a plain WebSocket echo at /_mock/echo, for conformance tools
              --deflate            compress WebSocket messages of clients that offer permessage-deflate
              --version            print the version
              -h, --help           print this text

            EXAMPLE: polymock --fixture booking      then open http://127.0.0.1:8787/
            """)
    }
}

@Suite("Options of serve", .timeLimit(.minutes(5)))
struct ServeOptionsTests {
    @Test("Without flags the port is 8787 and everything else the server's default")
    func defaults() throws {
        let configuration = try ServeOptions([]).configuration()
        expectEqual(configuration.port, 8787)
        expectEqual(configuration.host, "127.0.0.1")
        expectEqual(configuration.fixture, "webchat")
        expectEqual(configuration.seed, nil)
        expectEqual(configuration.tokens, Configuration.Tokens())
        #expect(!configuration.servesEcho)
    }

    @Test("Flags reach the configuration")
    func flags() throws {
        let words = [
            "--host=::1", "--port=0", "--fixture=booking", "--fixtures=/", "--seed=7", "--expires-in=400",
            "--echo", "--log=quiet",
        ]
        let configuration = try ServeOptions(words[...]).configuration()
        expectEqual(configuration.host, "::1")
        expectEqual(configuration.port, 0)
        expectEqual(configuration.fixture, "booking")
        expectEqual(configuration.fixturesFolder, "/")
        expectEqual(configuration.seed, 7)
        expectEqual(configuration.tokens.life, .seconds(400))
        #expect(configuration.servesEcho)
        guard case .quiet = configuration.log else {
            Issue.record("the log is not quiet")
            return
        }
    }

    @Test("A folder of one fixture plays it, unless another is named")
    func onlyFixture() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("one-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data("{}".utf8).write(to: folder.appendingPathComponent("mine.json5"))
        let words = ["--fixtures", folder.path]
        try expectEqual(ServeOptions(words[...]).configuration().fixture, "mine")
        try expectEqual(ServeOptions((words + ["--fixture", "rich"])[...]).configuration().fixture, "rich")
        try Data("{}".utf8).write(to: folder.appendingPathComponent("other.json5"))
        try expectEqual(ServeOptions(words[...]).configuration().fixture, "webchat")
    }

    @Test("A folder or a configuration file that is not there is told in one sentence with the fix")
    func missing() throws {
        let folder = try ServeOptions(["--fixtures", "/nowhere/at-all"])
        #expect(
            throws: ServerError.configuration(
                "--fixtures /nowhere/at-all is not a folder", fix: "name a folder with .json5 files")
        ) { try folder.configuration() }
        let file = try ServeOptions(["--config", "/nowhere/at-all.json5"])
        let error = #expect(throws: ServerError.self) { try file.configuration() }
        expectEqual(
            error?.description,
            "the file /nowhere/at-all.json5 cannot be read: No such file or directory; check the path after --config"
        )
    }

    @Test("A command line that cannot be followed ends with exit code 2, as does a server that cannot start")
    func exitCodes() async {
        await expectEqual(Tool.run(["--nonsense"]), 2)
        await expectEqual(Tool.run(["--port", "0", "--log", "quiet", "--fixture", "nothing-of-the-kind"]), 2)
        await expectEqual(Tool.run(["help"]), 0)
        await expectEqual(Tool.run(["version"]), 0)
    }
}
