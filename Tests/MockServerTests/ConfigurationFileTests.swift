import Expectations
import Fixtures
import Testing
import Texts

@testable import MockServer

@Suite("Configuration file", .timeLimit(.minutes(5)))
struct ConfigurationFileTests {
    static let everything = """
        // Every key there is.
        {
          host: "::1", port: 8080, fixture: "booking", fixtures: "there", seed: 9007199254740992, echo: true,
          shard: "2/4", signingKey: "shard.key", trustedProxies: ["10.0.0.7", "::1"],
          deflate: true, watchesFixtures: false, unmatched: "fail", checksProtocol: false,
          connectors: [
            { token: "t", id: "c", hosts: ["a.example", "b.example"], sendsContextID: true },
            { token: "u" },
          ],
          tokens: { life: "1h", binding: "subject", scenarios: false },
          control: { isOn: false, token: "secret" },
          sessions: {
            maxReconnectAttempts: 7, heartbeatInterval: "10s", idle: "2m", endGrace: "3s",
            endedRetention: "4m", journaling: { agentThinking: true, agentLeft: false },
          },
          connections: {
            perSession: 3, idle: "1m", maxAge: "2h", handshakeDelay: "5ms", firstFrameDelay: "6ms",
            firstLiveEventDelay: "7ms",
            alwaysReplaysSessionStart: false, usesNamedPayloadsInBatches: true,
          },
          replies: {
            greetsAgain: false, honorsGreetingMessage: true, dropsRepeatedLocalIDs: true,
            acceptsVoiceLink: true, echoDelay: "50ms", droppedEchoes: [2, 4],
            agentReturnsAfterFailedHandoff: false, firstChunkIndex: 0, endsWithEmptyChunk: true,
            chunks: "lines", trimsChunks: true,
            agentErrors: [
              { reply: 1, problem: "cannot start" },
              { reply: 2, chunk: 3, problem: "agent failure", times: 5 },
              { userMessage: 4, problem: "high load" },
            ],
          },
          rates: { rest: { burst: 5, perSecond: 0.5 }, webSocket: { burst: 6, perSecond: 2 } },
          limits: {
            messageBytes: 1000, bodyBytes: 2000, writeBufferBytes: 3000, sessions: 4000,
            journalEntries: 5000, journalBytes: 5500, journalTotalBytes: 55000, filesTotalBytes: 56000, compressionTotalBytes: 59000, bodiesTotalBytes: 57000, outputTotalBytes: 58000, sockets: 6000, requestTime: "7s", keepAliveTime: "8s", closeTime: "9s",
            rows: 700, socketsPerAddress: 600, handshakeTime: "4s", headerTime: "5s", stallTime: "10s",
          },
          connect: {
            isOn: false, host: "a.example", botRole: "CUSTOM_BOT", suggestions: "text", incremental: "never",
            strictContentTypes: false, transcriptGrace: "1m", minute: "1s", scanDelay: "2s",
            announcesScans: true, announcesAgent: false, readDelay: "3s", startChatProxy: "/connect/go",
            views: { v: { Id: "w" } }, enforcesRates: true,
          },
          agentRuns: { isOn: false, bodyBytes: 300, keepAlive: "2s", secondRun: "refuse", words: "refuse",
                       profile: "legacy" },
          pages: {
            folder: "web", streaming: true, token: "t", host: "a.example", header: "Hello", image: "/a.png",
            agent: "Ann", agentImage: "/b.png", accent: "#123456", disclaimer: "No.", start: "Begin",
            theme: "dark", language: "de", maxLength: 100, idleGrace: 20, reconnects: 3, tokens: {},
            strings: {}, links: {}, consent: {}, starters: [], inputs: "text",
          },
        }
        """

    @Test("Every key is read")
    func everyKey() throws {
        let read = try Self.read(Self.everything)
        expectEqual(read.host, "::1")
        expectEqual(read.port, 8080)
        expectEqual(read.fixture, "booking")
        expectEqual(read.fixturesFolder, "there")
        #expect(read.seed == 1 << 53)
        #expect(read.shard == Shard(2, of: 4) && read.signingKey == "shard.key")
        expectEqual(read.trustedProxies, ["10.0.0.7", "::1"])
        #expect(read.servesEcho)
        #expect(read.deflate)
        #expect(!read.watchesFixtures && read.unmatched == .fail && !read.checksProtocol)
        #expect(!read.control.isOn && read.control.token == "secret")
        expectEqual(read.pages.folder, "web")
        expectEqual(
            read.connectors,
            [
                .init(token: "t", id: "c", hosts: ["a.example", "b.example"], sendsContextID: true),
                .init(token: "u", id: "connector-2", hosts: []),
            ])
        var tokens = Configuration.Tokens()
        tokens.life = .seconds(3_600)
        tokens.binding = .subject
        tokens.acceptsScenarios = false
        expectEqual(read.tokens, tokens)
        expectEqual(read.sessions, Self.sessions)
        expectEqual(read.connections, Self.connections)
        expectEqual(read.replies, Self.replies)
        expectEqual(read.rates.rest, .init(burst: 5, perSecond: 0.5))
        expectEqual(read.rates.webSocket, .init(burst: 6, perSecond: 2))
        expectEqual(read.limits, Self.limits)
        expectEqual(read.connect, Self.connect)
        var runs = Configuration.AgentRuns()
        (runs.isOn, runs.bodyBytes, runs.keepAlive) = (false, 300, .seconds(2))
        (runs.secondRun, runs.words, runs.profile) = (.refuse, .refuse, .legacy)
        expectEqual(read.agentRuns, runs)
    }

    private static var connect: ConnectOptions {
        var connect = ConnectOptions()
        (connect.isOn, connect.host, connect.botRole) = (false, "a.example", .customBot)
        (connect.suggestions, connect.incremental, connect.strictContentTypes) = (.text, .never, false)
        (connect.transcriptGrace, connect.minute, connect.scanDelay) = (.minutes(1), .seconds(1), .seconds(2))
        (connect.announcesScans, connect.announcesAgent, connect.readDelay) = (true, false, .seconds(3))
        (connect.startChatProxy, connect.enforcesRates) = ("/connect/go", true)
        connect.views = .object(["v": .object(["Id": .string("w")])])
        return connect
    }

    @Test("That file has every row of the table of settings")
    func everyRow() throws {
        let root = try #require(JSON5Document(reading: Array(Self.everything.utf8)).root)
        for setting in Configuration().settingNames {
            var value: JSON5Value? = root
            for name in setting.split(separator: ".") { value = value?[String(name)] }
            #expect(value != nil, "no \(setting)")
        }
    }

    private static var sessions: Configuration.Sessions {
        var sessions = Configuration.Sessions()
        sessions.maxReconnectAttempts = 7
        sessions.heartbeatInterval = .seconds(10)
        sessions.idle = .seconds(120)
        sessions.endGrace = .seconds(3)
        sessions.endedRetention = .seconds(240)
        sessions.journaling = ["agentThinking": true, "agentLeft": false]
        return sessions
    }

    private static var connections: Configuration.Connections {
        var connections = Configuration.Connections()
        connections.perSession = 3
        connections.idle = .seconds(60)
        connections.maxAge = .seconds(7_200)
        connections.handshakeDelay = .milliseconds(5)
        connections.firstFrameDelay = .milliseconds(6)
        connections.firstLiveEventDelay = .milliseconds(7)
        connections.alwaysReplaysSessionStart = false
        connections.usesNamedPayloadsInBatches = true
        return connections
    }

    private static var replies: Configuration.Replies {
        var replies = Configuration.Replies()
        replies.greetsAgain = false
        replies.honorsGreetingMessage = true
        replies.dropsRepeatedLocalIDs = true
        replies.acceptsVoiceLink = true
        replies.echoDelay = .milliseconds(50)
        replies.droppedEchoes = [2, 4]
        replies.agentReturnsAfterFailedHandoff = false
        replies.firstChunkIndex = 0
        replies.endsWithEmptyChunk = true
        replies.chunks = .lines
        replies.trimsChunks = true
        replies.agentErrors = [
            .init(at: .reply(1), problem: "cannot start"),
            .init(at: .chunk(reply: 2, chunk: 3), problem: "agent failure", times: 5),
            .init(at: .userMessage(4), problem: "high load"),
        ]
        return replies
    }

    private static var limits: Configuration.Limits {
        var limits = Configuration.Limits()
        limits.messageBytes = 1_000
        limits.bodyBytes = 2_000
        limits.writeBufferBytes = 3_000
        limits.sessions = 4_000
        limits.journalEntries = 5_000
        limits.journalBytes = 5_500
        limits.journalTotalBytes = 55_000
        limits.filesTotalBytes = 56_000
        limits.compressionTotalBytes = 59_000
        limits.bodiesTotalBytes = 57_000
        limits.outputTotalBytes = 58_000
        limits.sockets = 6_000
        limits.requestTime = .seconds(7)
        limits.keepAliveTime = .seconds(8)
        limits.closeTime = .seconds(9)
        limits.rows = 700
        limits.socketsPerAddress = 600
        limits.handshakeTime = .seconds(4)
        limits.headerTime = .seconds(5)
        limits.stallTime = .seconds(10)
        return limits
    }

    @Test("What a file does not mention stays as it was; an empty one changes nothing")
    func untouched() throws {
        var configuration = Configuration()
        configuration.host = "localhost"
        configuration.limits.sockets = 7
        try ConfigurationFile.apply(Array("{ limits: { sessions: 8 } }".utf8), named: "f", to: &configuration)
        expectEqual(configuration.host, "localhost")
        expectEqual(configuration.limits.sockets, 7)
        expectEqual(configuration.limits.sessions, 8)
        try expectEqual(Self.read("{}").limits, Configuration.Limits())
    }

    @Test(
        "Kinds that a file journals otherwise stand beside those of a program; a list takes the place of its list"
    )
    func blocksAndLists() throws {
        var configuration = Configuration()
        configuration.sessions.journaling = ["agentLeft": false]
        configuration.connectors = [Configuration.Connector(token: "a", id: "", hosts: [])]
        func apply(_ text: String) throws {
            try ConfigurationFile.apply(Array(text.utf8), named: "f", to: &configuration)
        }
        try apply("{ sessions: { journaling: { agentThinking: true } } }")
        expectEqual(configuration.sessions.journaling, ["agentLeft": false, "agentThinking": true])
        expectEqual(configuration.connectors.map(\.id), [""])
        try apply("{ connectors: [ { token: 'b' } ] }")
        expectEqual(configuration.connectors.map(\.token), ["b"])
        expectEqual(configuration.connectors.map(\.id), ["connector-1"])
    }

    @Test(
        "A mistake is told with file, line and column, and the likely spelling",
        arguments: [
            (
                "{\n  prot: 1,\n}",
                "my.json5:2:3: error: There is no setting \"prot\" here. Did you mean \"port\"?"
            ),
            (
                "{ limits: { socket: 1 } }",
                "my.json5:1:13: error: There is no setting \"socket\" here. Did you mean \"sockets\"?"
            ),
            (
                "{ tokens: { zzzzzz: 1 } }",
                "my.json5:1:13: error: There is no setting \"zzzzzz\" here. Known: binding, life, scenarios."
            ),
            ("{ port: \"80\" }", "my.json5:1:9: error: \"port\" must be a number, not a text."),
            (
                "{ port: 70000 }",
                "my.json5:1:9: error: \"port\" must be a whole number from 0 to 65535, not 70000."
            ),
            (
                "{ port: 1.5 }",
                "my.json5:1:9: error: \"port\" must be a whole number from 0 to 65535, not 1.5."
            ),
            (
                "{ port: -1 }",
                "my.json5:1:9: error: \"port\" must be a whole number from 0 to 65535, not -1."
            ),
            ("{ seed: NaN }", "my.json5:1:9: error: \"seed\" must be a number that ends."),
            ("{ seed: Infinity }", "my.json5:1:9: error: \"seed\" must be a number that ends."),
            ("{ shard: \"5/4\" }", "my.json5:1:10: error: \"5/4\" is no shard. Write \"2/4\" for the second"),
            ("{ host: 7 }", "my.json5:1:9: error: \"host\" must be a text, not a number."),
            ("{ echo: \"yes\" }", "my.json5:1:9: error: \"echo\" must be true or false, not a text."),
            ("{ limits: [] }", "my.json5:1:11: error: \"limits\" must be a block in { }, not a list."),
            (
                "{ connectors: {} }",
                "my.json5:1:15: error: \"connectors\" must be a list in [ ], not a block."
            ),
            (
                "{ connectors: [ { token: 'a', hosts: ['x', 7] } ] }",
                "error: \"hosts[1]\" must be a text, not a number."
            ),
            ("{ connectors: [ {}, 'x' ] }", "my.json5:1:17: error: A connector needs a \"token\"."),
            ("{ connectors: ['x'] }", "error: \"connectors[0]\" must be a block in { }, not a text."),
            ("{ connectors: [ {} ] }", "my.json5:1:17: error: A connector needs a \"token\"."),
            ("{ tokens: { life: 60 } }", "my.json5:1:19: error: 60 has no unit."),
            ("{ tokens: { life: \"soon\" } }", "my.json5:1:19: error: \"soon\" is not a length of time."),
            ("{ tokens: { binding: \"subjct\" } }", "Did you mean \"subject\"?"),
            ("{ replies: { agentErrors: [ { reply: 0, problem: 'agentTimeout' } ] } }", "from 1 to"),
            ("{ sessions: { journaling: { agentThinkin: true } } }", "Did you mean \"agentThinking\"?"),
            (
                "{ replies: { agentErrors: [ { problem: \"high load\" } ] } }",
                "my.json5:1:29: error: An agent error has either"
            ),
            (
                "{ replies: { agentErrors: [ { reply: 1 } ] } }",
                "my.json5:1:29: error: An agent error needs a \"problem\"."
            ),
            (
                "{ replies: { agentErrors: [ { reply: 1, problem: \"hi load\" } ] } }",
                "Did you mean \"high load\"?"
            ),
            (
                "{ rates: { rest: { burst: true } } }",
                "my.json5:1:27: error: \"burst\" must be a number, not true or false."
            ),
            ("[]", "my.json5:1:1: error: The file must be a block in { }, not a list."),
            ("{\n  port: 1\n  host: 2\n}", "my.json5:2:10: error: a comma is missing at the end of line 2"),
            ("{ port: ", "my.json5:1:"),
        ] as [(String, String)])
    func mistakes(_ text: String, _ sentence: String) {
        let error = #expect(throws: ServerError.self) { try Self.read(text) }
        expectEqual(error?.description.contains(sentence), true, "\(error?.description ?? "no error")")
    }

    @Test("A mistake leaves the configuration as it was")
    func allOrNothing() {
        var configuration = Configuration()
        #expect(throws: ServerError.self) {
            try ConfigurationFile.apply(Array("{ port: 80, host: 1 }".utf8), named: "f", to: &configuration)
        }
        expectEqual(configuration.port, 0)
    }

    @Test("A file is read from disk; one that cannot be read is told with the fix")
    func files() {
        var configuration = Configuration()
        #expect(
            throws: ServerError.configuration(
                "the file /nowhere/at-all.json5 cannot be read: No such file or directory",
                fix: "check the path after --config")
        ) {
            try configuration.apply(file: "/nowhere/at-all.json5")
        }
        let folder = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }
        let fixture = folder + "/fixtures/webchat.json5"
        let error = #expect(throws: ServerError.self) { try configuration.apply(file: fixture) }
        expectEqual(
            error?.description.hasPrefix(fixture + ":4:3: error: There is no setting \"$schema\""), true)
    }

    private static func read(_ text: String) throws -> Configuration {
        var configuration = Configuration()
        try ConfigurationFile.apply(Array(text.utf8), named: "my.json5", to: &configuration)
        return configuration
    }
}
