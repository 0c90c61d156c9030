import AGUIDialect
import Clocks
import ConversationEngine
import Deflate
import PolyDialect
import SocketTransport
import Texts

/// What settings tell the parts of the server that they are for.
struct PartOptions {
    var engine = EngineOptions()
    var poly = PolyOptions()
    var runs = AGUIOptions()
}

/// The table of settings. A row that names no part is read from the configuration where it is needed, or told by
/// `Configuration+Parts.swift`.
extension Setting {
    package static var all: [Setting] {
        top + talks + replies + connect + agentRuns + limits + pages
    }

    private static var top: [Setting] {
        [
            Setting("host", \.host).flag("--host") { $0.host = $1 },
            Setting("port", \.port, 0...65_535)
                .flag("--port", "a whole number from 0 to 65535; 0 picks one") { settings, text in
                    UInt16(text).map { settings.port = $0 }
                },
            Setting("fixture", \.fixture).flag("--fixture") { $0.fixture = $1 },
            Setting("fixtures", \.fixturesFolder).flag("--fixtures") { $0.fixturesFolder = $1 },
            Setting("seed", \.seed, 0...1 << 53).flag("--seed", "a whole number without a sign") {
                settings, text in UInt64(text).map { settings.seed = $0 }
            },
            Setting("shard", \.shard, to: \.engine.shard)
                .flag("--shard", "a number and how many there are, such as 2/4, of 256 at most") {
                    settings, text in Shard(text).map { settings.shard = $0 }
                },
            Setting("signingKey", \.signingKey).flag("--signing-key") { $0.signingKey = $1 },
            Setting("trustedProxies", \.trustedProxies)
                .flag("--trusted-proxy") { $0.trustedProxies.append($1) }
                .refusing {
                    let other = $0.trustedProxies.first { SocketAddress(host: $0, port: 0) == nil }
                    return other.map {
                        (" has \"\(Logger.clip($0))\"", "write an address in figures such as 10.0.0.7 or ::1")
                    }
                },
            Setting("watchesFixtures", \.watchesFixtures),
            Setting("unmatched", \.unmatched).flag("--unmatched", "pass, warn or fail") { settings, text in
                Configuration.Unmatched(rawValue: text).map { settings.unmatched = $0 }
            },
            Setting("watchesLaws", \.watchesLaws),
            Setting("deflate", \.deflate).flag("--deflate") { $0.deflate = true }.refusing {
                guard $0.deflate, !DeflateService.isAvailable else { return nil }
                return (
                    " needs zlib, which this polymock was built without",
                    "install zlib's headers (Debian: zlib1g-dev) and build with POLYMOCK_DEFLATE=1 swift build"
                )
            },
            Setting("echo", \.servesEcho).flag("--echo") { $0.servesEcho = true },
            Setting("connectors", \.connectors),
            Setting("tokens.life", \.tokens.life)
                .flag("--expires-in", "a whole number of seconds") { settings, text in
                    UInt32(text).map { settings.tokens.life = .seconds(Int($0)) }
                },
            Setting("tokens.scenarios", \.tokens.acceptsScenarios, to: \.poly.acceptsScenarios),
            Setting("tokens.binding", \.tokens.binding),
            Setting("rates.rest", \.rates.rest),
            Setting("rates.webSocket", \.rates.webSocket),
            Setting("control.isOn", \.control.isOn).flag("--no-control") { $0.control.isOn = false },
            Setting("control.token", \.control.token)
                .flag("--control-token") { $0.control.token = $1 }
                .refusing {
                    let token = $0.control.token ?? "-"
                    guard token.isEmpty || !token.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else { return nil }
                    return (
                        " is no text that a header field can carry",
                        "use one or more visible ASCII characters without blanks"
                    )
                },
        ]
    }

    private static var talks: [Setting] {
        [
            Setting(
                "sessions.maxReconnectAttempts", \.sessions.maxReconnectAttempts,
                to: \.engine.facts.maxReconnectAttempts),
            Setting("sessions.heartbeatInterval", \.sessions.heartbeatInterval).refusing {
                let interval = $0.sessions.heartbeatInterval
                guard interval != .zero, interval < .seconds(1) else { return nil }
                return (" is below a second", "use whole seconds, or zero for no heartbeats")
            },
            Setting("sessions.idle", \.sessions.idle, to: \.engine.sessionIdle),
            Setting("sessions.endGrace", \.sessions.endGrace, to: \.engine.endGrace),
            Setting("sessions.endedRetention", \.sessions.endedRetention, to: \.engine.endedRetention),
            Setting("sessions.journaling", \.sessions.journaling),
            Setting(
                "connections.perSession", \.connections.perSession, 1...10_000,
                to: \.engine.connectionsPerSession),
            Setting("connections.idle", \.connections.idle, to: \.engine.connectionIdle),
            Setting("connections.maxAge", \.connections.maxAge, to: \.engine.connectionAge),
            Setting("connections.handshakeDelay", \.connections.handshakeDelay),
            Setting("connections.firstFrameDelay", \.connections.firstFrameDelay),
            Setting("connections.firstLiveEventDelay", \.connections.firstLiveEventDelay),
            Setting(
                "connections.alwaysReplaysSessionStart", \.connections.alwaysReplaysSessionStart,
                to: \.engine.alwaysReplaysSessionStart),
            Setting(
                "connections.usesNamedPayloadsInBatches", \.connections.usesNamedPayloadsInBatches,
                to: \.poly.usesNamedPayloadsInBatches),
        ]
    }

    private static var replies: [Setting] {
        [
            Setting("replies.greetsAgain", \.replies.greetsAgain, to: \.engine.greetsAgain),
            Setting(
                "replies.honorsGreetingMessage", \.replies.honorsGreetingMessage,
                to: \.engine.honorsGreetingMessage, \.poly.honorsGreetingMessage),
            Setting(
                "replies.dropsRepeatedLocalIDs", \.replies.dropsRepeatedLocalIDs,
                to: \.engine.dropsRepeatedLocalIDs),
            Setting("replies.acceptsVoiceLink", \.replies.acceptsVoiceLink, to: \.poly.acceptsVoiceLink),
            Setting("replies.echoDelay", \.replies.echoDelay, to: \.engine.echoDelay),
            Setting("replies.droppedEchoes", \.replies.droppedEchoes, to: \.engine.droppedEchoes),
            Setting(
                "replies.agentReturnsAfterFailedHandoff", \.replies.agentReturnsAfterFailedHandoff,
                to: \.engine.agentReturnsAfterFailedHandoff),
            Setting(
                "replies.firstChunkIndex", \.replies.firstChunkIndex, 0...1, to: \.engine.firstChunkIndex),
            Setting(
                "replies.endsWithEmptyChunk", \.replies.endsWithEmptyChunk, to: \.engine.endsWithEmptyChunk),
            Setting("replies.chunks", \.replies.chunks),
            Setting("replies.trimsChunks", \.replies.trimsChunks, to: \.engine.trimsChunks),
            Setting("replies.agentErrors", \.replies.agentErrors),
        ]
    }

    private static var connect: [Setting] {
        [
            Setting("connect.isOn", \.connect.isOn),
            Setting("connect.host", \.connect.host).refusing {
                let host = $0.connect.host
                guard host.contains("/"), (try? ServerAddress(host))?.path.isEmpty != true else { return nil }
                return (
                    " is \"\(Logger.clip(host))\"",
                    "use a host, or the address of a proxy such as https://chat.example"
                )
            },
            Setting("connect.botRole", \.connect.botRole),
            Setting("connect.suggestions", \.connect.suggestions),
            Setting("connect.incremental", \.connect.incremental),
            Setting("connect.strictContentTypes", \.connect.strictContentTypes),
            Setting("connect.transcriptGrace", \.connect.transcriptGrace),
            Setting("connect.minute", \.connect.minute),
            Setting("connect.scanDelay", \.connect.scanDelay),
            Setting("connect.announcesScans", \.connect.announcesScans),
            Setting("connect.announcesAgent", \.connect.announcesAgent),
            Setting("connect.readDelay", \.connect.readDelay),
            Setting("connect.startChatProxy", \.connect.startChatProxy)
                .refusing {
                    let path = $0.connect.startChatProxy
                    guard !path.isEmpty, !path.hasPrefix("/connect/") else { return nil }
                    return (" is \"\(path)\"", "use a path below /connect/, or an empty text")
                },
            Setting("connect.views", \.connect.views),
            Setting("connect.enforcesRates", \.connect.enforcesRates),
        ]
    }

    private static var agentRuns: [Setting] {
        [
            Setting("agentRuns.isOn", \.agentRuns.isOn),
            Setting("agentRuns.bodyBytes", \.agentRuns.bodyBytes, 1...1 << 30, to: \.runs.bodyBytes),
            Setting("agentRuns.keepAlive", \.agentRuns.keepAlive).refusing {
                let interval = $0.agentRuns.keepAlive
                guard interval != .zero, interval < .seconds(1) else { return nil }
                return (" is below a second", "use a second or more, or zero for no comments")
            },
            Setting("agentRuns.secondRun", \.agentRuns.secondRun),
            Setting("agentRuns.profile", \.agentRuns.profile),
        ]
    }

    private static var limits: [Setting] {
        [
            Setting(
                "limits.messageBytes", \.limits.messageBytes, 1...1 << 30, to: \.engine.facts.maxMessageBytes),
            Setting("limits.bodyBytes", \.limits.bodyBytes, 0...1 << 30),
            Setting("limits.writeBufferBytes", \.limits.writeBufferBytes, 1...1 << 30),
            Setting("limits.sessions", \.limits.sessions, 1...10_000_000, to: \.engine.maxSessions),
            Setting(
                "limits.journalEntries", \.limits.journalEntries, 1...10_000_000,
                to: \.engine.maxJournalEntries),
            Setting("limits.journalBytes", \.limits.journalBytes, 1...1 << 40),
            Setting("limits.journalTotalBytes", \.limits.journalTotalBytes, 1...1 << 50),
            Setting("limits.rows", \.limits.rows, 0...10_000_000),
            Setting("limits.sockets", \.limits.sockets, 1...1_000_000),
            Setting("limits.socketsPerAddress", \.limits.socketsPerAddress, 1...1_000_000),
            Setting("limits.handshakeTime", \.limits.handshakeTime),
            Setting("limits.headerTime", \.limits.headerTime),
            Setting("limits.requestTime", \.limits.requestTime),
            Setting("limits.keepAliveTime", \.limits.keepAliveTime),
            Setting("limits.stallTime", \.limits.stallTime),
            Setting("limits.closeTime", \.limits.closeTime),
        ]
    }

    /// What the chat page reads at `/pages/config.json`.
    private static var pages: [Setting] {
        let texts = [
            "token", "host", "header", "image", "agent", "agentImage", "accent", "disclaimer", "start",
            "theme",
            "language", "inputs",
        ]
        let numbers = ["maxLength", "idleGrace", "reconnects"]
        let values = ["tokens", "strings", "links", "consent", "starters"]
        return [
            Setting("pages.folder", \.pages.folder).flag("--pages") { $0.pages.folder = $1 },
            Setting("pages.streaming", \.pages[flag: "streaming"]),
        ] + texts.map { Setting("pages.\($0)", \.pages[text: $0]) }
            + numbers.map { Setting("pages.\($0)", \.pages[number: $0]) }
            + values.map { Setting("pages.\($0)", \.pages[value: $0]) }
    }
}
