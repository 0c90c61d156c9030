import ConversationEngine
import DialectKit
import PolyDialect
import SocketTransport
import Texts

/// The dialect's word for it, where the configuration has one of its own.
private typealias KnownConnector = Connector

extension Configuration {
    /// Refuses settings that no server can follow.
    func check() throws(ServerError) {
        var lent = self
        for setting in Setting.all {
            guard let mistake = setting.mistake(&lent) else { continue }
            throw .configuration(setting.name + mistake.problem, fix: mistake.fix)
        }
    }

    /// What the parts of the server are told: the rows of the table, and what is made of several or has another form.
    func parts() throws(ServerError) -> SubsystemOptions {
        var options = SubsystemOptions()
        var lent = self
        for setting in Setting.all { setting.tell(&lent, &options) }
        options.engine.facts.heartbeatIntervalSeconds = Int(sessions.heartbeatInterval.seconds)
        options.engine.journaling = try journaling()
        for error in replies.agentErrors { options.engine.troubles.append(try trouble(error)) }
        if !connectors.isEmpty {
            options.poly.connectors = .listed(
                connectors.map {
                    KnownConnector(
                        token: $0.token, id: $0.id, hosts: $0.hosts, sendsContextID: $0.sendsContextID)
                })
        }
        options.runs.take(agentRuns)
        options.poly.accessTokenSeconds = tokens.life.seconds
        options.poly.tokenBinding =
            switch tokens.binding {
            case .exactToken: .exactToken
            case .subject: .subject
            case .off: .off
            }
        options.poly.connectionLimit = connections.perSession
        options.poly.rate = rates.rest.map { RateLimit(burst: $0.burst, perSecond: $0.perSecond) }
        return options
    }

    /// The bytes of the file ``signingKey``; nil where there is none. Messages name no path: whoever gave the key itself
    /// would read it in the log.
    package func signingBytes() throws(ServerError) -> [UInt8]? {
        guard let signingKey else { return nil }
        let fix =
            "name a file with 32 random bytes or more that only its owner reads: "
            + "(umask 077; head -c 32 /dev/urandom > shard.key)"
        switch PrivateFile.read(signingKey, atMost: ServerLimits.signingKeyBytes, isOwn: false) {
        case .missing:
            throw .configuration("signingKey (--signing-key) names a file that is not there", fix: fix)
        case .refused(let reason):
            throw .configuration("the file of signingKey (--signing-key) \(reason)", fix: fix)
        case .contents(let bytes):
            let secret = SigningKey.secret(in: bytes)
            if let flaw = SigningKey.flaw(of: secret) {
                throw .configuration("the file of signingKey (--signing-key) \(flaw)", fix: fix)
            }
            return secret
        }
    }

    private func journaling() throws(ServerError) -> [EventKind: Bool] {
        var result: [EventKind: Bool] = [:]
        for (name, isJournaled) in sessions.journaling {
            guard let kind = EventKind(rawValue: name) else {
                throw .configuration(
                    "\"\(name)\" is no kind of event",
                    fix: Self.nameList(EventKind.allCases.filter { $0 != .personStatus }))
            }
            // Sequence 1 is SESSION_START and SESSION_END is the last, whatever else is journaled.
            if kind == .sessionStarted || kind == .sessionEnded, !isJournaled {
                throw .configuration(
                    "sessions.journaling leaves out \(name)",
                    fix: "every history begins and ends with its session")
            }
            if kind == .personStatus, isJournaled {
                throw .configuration(
                    "sessions.journaling has \(name)",
                    fix: "take it out: the Messaging API has no event for it")
            }
            result[kind] = isJournaled
        }
        return result
    }

    private func trouble(_ error: AgentError) throws(ServerError) -> Trouble {
        guard let problem = KnownProblem(rawValue: error.problem) else {
            throw .configuration(
                "\"\(error.problem)\" is no known problem", fix: Self.nameList(KnownProblem.allCases))
        }
        let moment: Trouble.Moment =
            switch error.moment {
            case .reply(let number): .reply(number)
            case .chunk(let reply, let chunk): .replyChunk(reply, chunk)
            case .userMessage(let number): .userMessage(number)
            }
        return Trouble(name: error.problem, moment: moment, effect: .agentError(problem), times: error.times)
    }

    private static func nameList<Name: RawRepresentable<String>>(_ names: [Name]) -> String {
        "use one of: " + names.map(\.rawValue).joined(separator: ", ")
    }
}
