import Deflate

extension Configuration {
    /// Refuses numbers and lengths of time that no server can follow.
    func check() throws(ServerError) {
        guard !deflate || DeflateService.isAvailable else {
            throw .configuration(
                "deflate needs zlib, which this polymock was built without",
                fix:
                    "install zlib's headers (Debian: zlib1g-dev) and build with POLYMOCK_DEFLATE=1 swift build"
            )
        }
        let counts: [(name: String, value: Int, least: Int)] = [
            ("sessions.maxReconnectAttempts", sessions.maxReconnectAttempts, 0),
            ("connections.perSession", connections.perSession, 1),
            ("replies.firstChunkIndex", replies.firstChunkIndex, 0),
            ("rates.rest.burst", rates.rest?.burst ?? 1, 1),
            ("rates.webSocket.burst", rates.webSocket?.burst ?? 1, 1),
            ("limits.messageBytes", limits.messageBytes, 1),
            ("limits.bodyBytes", limits.bodyBytes, 0),
            ("limits.writeBufferBytes", limits.writeBufferBytes, 1),
            ("limits.sessions", limits.sessions, 1),
            ("limits.journalEntries", limits.journalEntries, 1),
            ("limits.journalBytes", limits.journalBytes, 1),
            ("limits.sockets", limits.sockets, 1),
            ("limits.socketsPerAddress", limits.socketsPerAddress ?? 1, 1),
        ]
        for count in counts where count.value < count.least {
            throw .configuration("\(count.name) is \(count.value)", fix: "use \(count.least) or more")
        }
        let lengths: [(name: String, value: Interval)] = [
            ("tokens.life", tokens.life), ("sessions.heartbeatInterval", sessions.heartbeatInterval),
            ("sessions.idle", sessions.idle), ("sessions.endGrace", sessions.endGrace),
            ("sessions.endedRetention", sessions.endedRetention), ("connections.idle", connections.idle),
            ("connections.maxAge", connections.maxAge ?? .zero),
            ("connections.handshakeDelay", connections.handshakeDelay),
            ("connections.firstFrameDelay", connections.firstFrameDelay),
            ("connections.firstLiveEventDelay", connections.firstLiveEventDelay),
            ("replies.echoDelay", replies.echoDelay), ("limits.requestTime", limits.requestTime),
            ("limits.keepAliveTime", limits.keepAliveTime), ("limits.closeTime", limits.closeTime),
            ("limits.handshakeTime", limits.handshakeTime), ("limits.headerTime", limits.headerTime),
            ("limits.stallTime", limits.stallTime),
        ]
        if let token = control.token, !token.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) || token.isEmpty {
            throw .configuration(
                "control.token is no text that a header field can carry",
                fix: "use one or more visible ASCII characters without blanks")
        }
        let heartbeat = sessions.heartbeatInterval
        guard heartbeat == .zero || heartbeat >= .seconds(1) else {
            throw .configuration(
                "sessions.heartbeatInterval is below a second",
                fix: "use whole seconds, or zero for no heartbeats")
        }
        for length in lengths where length.value < .zero {
            throw .configuration("\(length.name) is negative", fix: "use zero or more")
        }
    }
}
