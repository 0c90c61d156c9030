import AGUIDialect
import Clocks
import ConversationEngine
import Deflate
import PolyDialect
import SocketTransport
import Texts

/// What settings tell the parts of the server that they are for.
struct SubsystemOptions {
    var engine = EngineOptions()
    var poly = PolyOptions()
    var runs = AGUIOptions()
}

/// The table of settings. A row that names no part is read from the configuration where it is needed, or told by
/// `Configuration+Parts.swift`.
extension Setting {
    package static let all = top + talks + replies + connect + agentRuns + limits + pages

    private static var top: [Setting] {
        [
            Setting("host", { $1(&$0.host) }).flag("--host") { $0.host = $1 },
            Setting("port", { $1(&$0.port) }, 0...65_535)
                .flag("--port", "a whole number from 0 to 65535; 0 picks one") { settings, text in
                    UInt16(text).map { settings.port = $0 }
                },
            Setting("fixture", { $1(&$0.fixture) }).flag("--fixture") { $0.fixture = $1 },
            Setting("fixtures", { $1(&$0.fixturesFolder) }).flag("--fixtures") { $0.fixturesFolder = $1 },
            Setting("seed", { $1(&$0.seed) }, 0...1 << 53).flag("--seed", "a whole number without a sign") {
                settings, text in UInt64(text).map { settings.seed = $0 }
            },
            Setting("shard", { $1(&$0.shard) }, to: { $1(&$0.engine.shard) })
                .flag("--shard", "a number and how many there are, such as 2/4, of 256 at most") {
                    settings, text in Shard(text).map { settings.shard = $0 }
                },
            Setting("signingKey", { $1(&$0.signingKey) }).flag("--signing-key") { $0.signingKey = $1 },
            Setting("trustedProxies", { $1(&$0.trustedProxies) })
                .flag("--trusted-proxy") { $0.trustedProxies.append($1) }
                .refusing {
                    let other = $0.trustedProxies.first { SocketAddress(host: $0, port: 0) == nil }
                    return other.map {
                        (" has \"\(Logger.clip($0))\"", "write an address in figures such as 10.0.0.7 or ::1")
                    }
                },
            Setting("watchesFixtures", { $1(&$0.watchesFixtures) }),
            Setting("unmatched", { $1(&$0.unmatched) }).flag("--unmatched", "pass, warn or fail") {
                settings, text in
                Configuration.Unmatched(rawValue: text).map { settings.unmatched = $0 }
            },
            Setting("watchesLaws", { $1(&$0.watchesLaws) }),
            Setting("deflate", { $1(&$0.deflate) }).flag("--deflate") { $0.deflate = true }.refusing {
                guard $0.deflate, !DeflateService.isAvailable else { return nil }
                return (
                    " needs zlib, which this polymock was built without",
                    "install zlib's headers (Debian: zlib1g-dev) and build with POLYMOCK_DEFLATE=1 swift build"
                )
            },
            Setting("echo", { $1(&$0.servesEcho) }).flag("--echo") { $0.servesEcho = true },
            Setting("connectors", { $1(&$0.connectors) }),
            Setting("tokens.life", { $1(&$0.tokens.life) })
                .flag("--expires-in", "a whole number of seconds, at most \(UInt32.max)") { settings, text in
                    UInt32(text).map { settings.tokens.life = .seconds(Int($0)) }
                },
            Setting(
                "tokens.scenarios", { $1(&$0.tokens.acceptsScenarios) }, to: { $1(&$0.poly.acceptsScenarios) }
            ),
            Setting("tokens.binding", { $1(&$0.tokens.binding) }),
            Setting("rates.rest", { $1(&$0.rates.rest) }),
            Setting("rates.webSocket", { $1(&$0.rates.webSocket) }),
            Setting("control.isOn", { $1(&$0.control.isOn) }).flag("--no-control") {
                $0.control.isOn = false
            },
            Setting("control.token", { $1(&$0.control.token) })
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
                "sessions.maxReconnectAttempts", { $1(&$0.sessions.maxReconnectAttempts) },
                to: { $1(&$0.engine.facts.maxReconnectAttempts) }),
            Setting("sessions.heartbeatInterval", { $1(&$0.sessions.heartbeatInterval) }).refusing {
                let interval = $0.sessions.heartbeatInterval
                guard interval != .zero, interval < .seconds(1) else { return nil }
                return (" is below a second", "use whole seconds, or zero for no heartbeats")
            },
            Setting("sessions.idle", { $1(&$0.sessions.idle) }, to: { $1(&$0.engine.sessionIdle) }),
            Setting("sessions.endGrace", { $1(&$0.sessions.endGrace) }, to: { $1(&$0.engine.endGrace) }),
            Setting(
                "sessions.endedRetention", { $1(&$0.sessions.endedRetention) },
                to: { $1(&$0.engine.endedRetention) }),
            Setting("sessions.journaling", { $1(&$0.sessions.journaling) }),
            Setting(
                "connections.perSession", { $1(&$0.connections.perSession) }, 1...10_000,
                to: { $1(&$0.engine.connectionsPerSession) }),
            Setting("connections.idle", { $1(&$0.connections.idle) }, to: { $1(&$0.engine.connectionIdle) }),
            Setting(
                "connections.maxAge", { $1(&$0.connections.maxAge) }, to: { $1(&$0.engine.connectionAge) }),
            Setting("connections.handshakeDelay", { $1(&$0.connections.handshakeDelay) }),
            Setting("connections.firstFrameDelay", { $1(&$0.connections.firstFrameDelay) }),
            Setting("connections.firstLiveEventDelay", { $1(&$0.connections.firstLiveEventDelay) }),
            Setting(
                "connections.alwaysReplaysSessionStart", { $1(&$0.connections.alwaysReplaysSessionStart) },
                to: { $1(&$0.engine.alwaysReplaysSessionStart) }),
            Setting(
                "connections.usesNamedPayloadsInBatches", { $1(&$0.connections.usesNamedPayloadsInBatches) },
                to: { $1(&$0.poly.usesNamedPayloadsInBatches) }),
        ]
    }

    private static var replies: [Setting] {
        [
            Setting(
                "replies.greetsAgain", { $1(&$0.replies.greetsAgain) }, to: { $1(&$0.engine.greetsAgain) }),
            Setting(
                "replies.honorsGreetingMessage", { $1(&$0.replies.honorsGreetingMessage) },
                to: { $1(&$0.engine.honorsGreetingMessage) }, and: { $1(&$0.poly.honorsGreetingMessage) }),
            Setting(
                "replies.dropsRepeatedLocalIDs", { $1(&$0.replies.dropsRepeatedLocalIDs) },
                to: { $1(&$0.engine.dropsRepeatedLocalIDs) }),
            Setting(
                "replies.acceptsVoiceLink", { $1(&$0.replies.acceptsVoiceLink) },
                to: { $1(&$0.poly.acceptsVoiceLink) }),
            Setting("replies.echoDelay", { $1(&$0.replies.echoDelay) }, to: { $1(&$0.engine.echoDelay) }),
            Setting(
                "replies.droppedEchoes", { $1(&$0.replies.droppedEchoes) },
                to: { $1(&$0.engine.droppedEchoes) }),
            Setting(
                "replies.agentReturnsAfterFailedHandoff", { $1(&$0.replies.agentReturnsAfterFailedHandoff) },
                to: { $1(&$0.engine.agentReturnsAfterFailedHandoff) }),
            Setting(
                "replies.firstChunkIndex", { $1(&$0.replies.firstChunkIndex) }, 0...1,
                to: { $1(&$0.engine.firstChunkIndex) }),
            Setting(
                "replies.endsWithEmptyChunk", { $1(&$0.replies.endsWithEmptyChunk) },
                to: { $1(&$0.engine.endsWithEmptyChunk) }),
            Setting("replies.chunks", { $1(&$0.replies.chunks) }),
            Setting(
                "replies.trimsChunks", { $1(&$0.replies.trimsChunks) }, to: { $1(&$0.engine.trimsChunks) }),
            Setting("replies.agentErrors", { $1(&$0.replies.agentErrors) }),
        ]
    }

    private static var connect: [Setting] {
        [
            Setting("connect.isOn", { $1(&$0.connect.isOn) }),
            Setting("connect.host", { $1(&$0.connect.host) }).refusing {
                let host = $0.connect.host
                guard host.contains("/"), (try? ServerAddress(host))?.path.isEmpty != true else { return nil }
                return (
                    " is \"\(Logger.clip(host))\"",
                    "use a host, or the address of a proxy such as https://chat.example"
                )
            },
            Setting("connect.botRole", { $1(&$0.connect.botRole) }),
            Setting("connect.suggestions", { $1(&$0.connect.suggestions) }),
            Setting("connect.incremental", { $1(&$0.connect.incremental) }),
            Setting("connect.strictContentTypes", { $1(&$0.connect.strictContentTypes) }),
            Setting("connect.transcriptGrace", { $1(&$0.connect.transcriptGrace) }),
            Setting("connect.minute", { $1(&$0.connect.minute) }),
            Setting("connect.scanDelay", { $1(&$0.connect.scanDelay) }),
            Setting("connect.announcesScans", { $1(&$0.connect.announcesScans) }),
            Setting("connect.announcesAgent", { $1(&$0.connect.announcesAgent) }),
            Setting("connect.readDelay", { $1(&$0.connect.readDelay) }),
            Setting("connect.startChatProxy", { $1(&$0.connect.startChatProxy) })
                .refusing {
                    let path = $0.connect.startChatProxy
                    guard !path.isEmpty, !path.hasPrefix("/connect/") else { return nil }
                    return (" is \"\(path)\"", "use a path below /connect/, or an empty text")
                },
            Setting("connect.views", { $1(&$0.connect.views) }),
            Setting("connect.enforcesRates", { $1(&$0.connect.enforcesRates) }),
        ]
    }

    private static var agentRuns: [Setting] {
        [
            Setting("agentRuns.isOn", { $1(&$0.agentRuns.isOn) }),
            Setting(
                "agentRuns.bodyBytes", { $1(&$0.agentRuns.bodyBytes) }, 1...1 << 30,
                to: { $1(&$0.runs.bodyBytes) }),
            Setting("agentRuns.keepAlive", { $1(&$0.agentRuns.keepAlive) }).refusing {
                let interval = $0.agentRuns.keepAlive
                guard interval != .zero, interval < .seconds(1) else { return nil }
                return (" is below a second", "use a second or more, or zero for no comments")
            },
            Setting("agentRuns.secondRun", { $1(&$0.agentRuns.secondRun) }),
            Setting("agentRuns.words", { $1(&$0.agentRuns.words) }),
            Setting("agentRuns.profile", { $1(&$0.agentRuns.profile) }),
        ]
    }

    private static var limits: [Setting] {
        [
            Setting(
                "limits.messageBytes", { $1(&$0.limits.messageBytes) }, 1...1 << 30,
                to: { $1(&$0.engine.facts.maxMessageBytes) }),
            Setting("limits.bodyBytes", { $1(&$0.limits.bodyBytes) }, 0...1 << 30),
            Setting("limits.bodiesTotalBytes", { $1(&$0.limits.bodiesTotalBytes) }, 1...1 << 50),
            Setting("limits.writeBufferBytes", { $1(&$0.limits.writeBufferBytes) }, 1...1 << 30),
            Setting("limits.outputTotalBytes", { $1(&$0.limits.outputTotalBytes) }, 1...1 << 50),
            Setting(
                "limits.sessions", { $1(&$0.limits.sessions) }, 1...10_000_000,
                to: { $1(&$0.engine.maxSessions) }),
            Setting(
                "limits.journalEntries", { $1(&$0.limits.journalEntries) }, 1...10_000_000,
                to: { $1(&$0.engine.maxJournalEntries) }),
            Setting("limits.journalBytes", { $1(&$0.limits.journalBytes) }, 1...1 << 40),
            Setting("limits.journalTotalBytes", { $1(&$0.limits.journalTotalBytes) }, 1...1 << 50),
            Setting("limits.filesTotalBytes", { $1(&$0.limits.filesTotalBytes) }, 1...1 << 50),
            Setting("limits.compressionTotalBytes", { $1(&$0.limits.compressionTotalBytes) }, 0...1 << 50),
            Setting("limits.rows", { $1(&$0.limits.rows) }, 0...10_000_000),
            Setting("limits.sockets", { $1(&$0.limits.sockets) }, 1...1_000_000),
            Setting("limits.socketsPerAddress", { $1(&$0.limits.socketsPerAddress) }, 1...1_000_000),
            Setting("limits.handshakeTime", { $1(&$0.limits.handshakeTime) }),
            Setting("limits.headerTime", { $1(&$0.limits.headerTime) }),
            Setting("limits.requestTime", { $1(&$0.limits.requestTime) }),
            Setting("limits.keepAliveTime", { $1(&$0.limits.keepAliveTime) }),
            Setting("limits.stallTime", { $1(&$0.limits.stallTime) }),
            Setting("limits.closeTime", { $1(&$0.limits.closeTime) }),
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
            Setting("pages.folder", { $1(&$0.pages.folder) }).flag("--pages") { $0.pages.folder = $1 }
                .refusing {
                    guard let folder = $0.pages.folder, !Files.isFolder(folder) else { return nil }
                    return (" \(folder) is not a folder", "name a folder such as Server/Pages/web")
                },
            Setting("pages.streaming", { $1(&$0.pages[flag: "streaming"]) }),
        ] + texts.map { name in Setting("pages.\(name)", { $1(&$0.pages[text: name]) }) }
            + numbers.map { name in Setting("pages.\(name)", { $1(&$0.pages[number: name]) }) }
            + values.map { name in Setting("pages.\(name)", { $1(&$0.pages[value: name]) }) }
    }
}
