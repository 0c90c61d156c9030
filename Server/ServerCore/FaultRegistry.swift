package import Clocks
package import ConversationEngine

/// Where a trouble that was armed from outside acts.
package enum TroubleScope: Equatable, Sendable, CustomStringConvertible {
    case all
    case tag(String)
    case session(String)
    /// As rows and the log number it.
    case connection(UInt32)

    package var description: String {
        switch self {
        case .all: "all"
        case .tag(let tag): "tag:\(tag)"
        case .session(let id): "session:\(id)"
        case .connection(let number): "connection:\(number)"
        }
    }
}

/// The troubles that tests and people armed, and those that strike requests before there is a session.
///
/// What happens inside a talk counts for its session alone: "reply 2, once" strikes the second reply of every session
/// in its scope. Requests outside of sessions, handshakes and connecting have one count per trouble, or per scenario
/// line that asks for it (``Trouble/Span``): a session begins with what earlier ones left.
package struct FaultRegistry {
    package struct Armed {
        package let id: UInt64
        package let trouble: Trouble
        package let scope: TroubleScope
        /// Who armed it, for reports.
        package let author: String
        fileprivate var requests: ArmedTrouble
        /// Those for its operation, since it was armed.
        private var requestCount = 0

        fileprivate init(
            id: UInt64, trouble: Trouble, scope: TroubleScope, author: String, requests: ArmedTrouble
        ) {
            self.id = id
            self.trouble = trouble
            self.scope = scope
            self.author = author
            self.requests = requests
        }

        fileprivate mutating func strike(atRequest operation: String) -> Strike? {
            guard trouble.isRequest(operation), trouble.isOnTheWire else { return nil }
            requestCount += 1
            return requests.strikes(at: .request(operation, requestCount)) ? requests.strike : nil
        }
    }

    /// What the requests of a scenario line have had that belong to no session.
    private struct LineCount {
        var troubles: [ArmedTrouble]
        /// By their operations.
        var requests: [String: Int] = [:]
    }

    package private(set) var armed: [Armed] = []
    /// How often each struck, sessions that are gone included.
    package private(set) var strikes: [UInt64: Int] = [:]
    /// When each struck last, and in which session; empty where there was none yet.
    package private(set) var lastStrikes: [UInt64: (time: Instant, session: String)] = [:]
    private var lines: [String: LineCount] = [:]
    /// How often the troubles of each line struck in its sessions, by their names; of those that count so.
    private var sessionStrikes: [String: [String: Int]] = [:]
    /// The owner of a session, by name within a dialect.
    private struct Owner: Hashable {
        let dialect: Int
        let name: String
    }

    /// When the tokens of session owners expired before their time.
    private var expiries: [Owner: Instant] = [:]
    private var nextID: UInt64 = 1
    private let seed: UInt64

    package init(seed: UInt64) {
        self.seed = seed
    }

    package mutating func arm(_ trouble: Trouble, scope: TroubleScope, by author: String) -> Armed? {
        guard armed.count < CoreLimits.armedTroubles else { return nil }
        let item = Armed(
            id: nextID, trouble: trouble, scope: scope, author: author,
            requests: ArmedTrouble(trouble, id: nextID, seed: seed))
        nextID += 1
        armed.append(item)
        return item
    }

    /// - Returns: false when there was no such trouble.
    package mutating func disarm(_ id: UInt64) -> Bool {
        guard let index = armed.firstIndex(where: { $0.id == id }) else { return false }
        armed.remove(at: index)
        strikes[id] = nil
        lastStrikes[id] = nil
        return true
    }

    /// Counts a strike; `line` is the scenario of its session, if it has one.
    package mutating func noteStrike(
        _ strike: Strike, line: String?, in session: String = "", at now: Instant
    ) {
        if let id = strike.id {
            strikes[id, default: 0] += 1
            lastStrikes[id] = (now, session)
        } else if strike.span == .token, let line {
            if sessionStrikes[line] == nil, sessionStrikes.count >= CoreLimits.rememberedLines {
                sessionStrikes = [:]
            }
            sessionStrikes[line, default: [:]][strike.name, default: 0] += 1
        }
    }

    /// The troubles of a scenario line, without what earlier sessions of it have had.
    package func left(of troubles: [Trouble], line: String?) -> [Trouble] {
        guard let line, let struck = sessionStrikes[line] else { return troubles }
        return troubles.compactMap { Self.left(of: $0, after: struck[$0.name] ?? 0) }
    }

    /// What a new session gets of an armed trouble; nil when nothing is left.
    package func left(of item: Armed) -> Trouble? {
        Self.left(of: item.trouble, after: strikes[item.id] ?? 0)
    }

    private static func left(of trouble: Trouble, after strikes: Int) -> Trouble? {
        guard trouble.span == .token, strikes > 0 else { return trouble }
        var left = trouble
        left.times = (trouble.times ?? 1) - strikes
        return (left.times ?? 0) > 0 ? left : nil
    }

    /// It has struck as often as it may, everywhere.
    package func isUsedUp(_ id: UInt64) -> Bool {
        armed.first { $0.id == id }.map { left(of: $0) == nil } ?? false
    }

    /// The counts of scenario lines begin anew, and tokens that a trouble let expire are good again.
    package mutating func forgetLines() {
        lines = [:]
        expiries = [:]
        sessionStrikes = [:]
    }

    /// The troubles for all that strike a request for `operation`, which is counted.
    package mutating func strikes(atRequest operation: String) -> [Strike] {
        armed.indices.compactMap { armed[$0].scope == .all ? armed[$0].strike(atRequest: operation) : nil }
    }

    /// The troubles that strike a request which belongs to a scenario line, and to no session yet.
    ///
    /// - Parameters:
    ///   - moment: a token or a session.
    ///   - operation: what the request asks for; empty when it was counted for the line before.
    ///   - line: its scenario; nil where it has none.
    ///   - troubles: those of the line, counted per line.
    /// - Returns: those that strike, in their order.
    package mutating func strikes(
        at moment: Trouble.Moment, operation: String, line: String?, troubles: [Trouble]
    ) -> [Strike] {
        // Mostly nothing is armed, and no line has troubles of its own.
        if armed.isEmpty, troubles.isEmpty { return [] }
        let tag = Self.tag(of: line).map(TroubleScope.tag)
        var result: [Strike] = []
        for index in armed.indices where armed[index].scope == .all || armed[index].scope == tag {
            if armed[index].trouble.moment == moment {
                if armed[index].trouble.isOnTheWire, armed[index].requests.strikes(at: moment) {
                    result.append(armed[index].requests.strike)
                }
            } else if armed[index].scope == tag, let strike = armed[index].strike(atRequest: operation) {
                result.append(strike)
            }
        }
        guard let line else { return result }
        func concerns(_ trouble: Trouble) -> Bool {
            trouble.isOnTheWire && (trouble.moment == moment || trouble.isRequest(operation))
        }
        guard troubles.contains(where: concerns) else { return result }
        if lines[line] == nil, lines.count >= CoreLimits.rememberedLines { lines = [:] }
        var counted = lines[line] ?? LineCount(troubles: troubles.map { ArmedTrouble($0, seed: seed) })
        if !operation.isEmpty { counted.requests[operation, default: 0] += 1 }
        let asked = Trouble.Moment.request(operation, counted.requests[operation] ?? 0)
        for index in counted.troubles.indices where concerns(counted.troubles[index].trouble) {
            let isRequest = counted.troubles[index].trouble.moment.kind == .request
            if counted.troubles[index].strikes(at: isRequest ? asked : moment) {
                result.append(counted.troubles[index].strike)
            }
        }
        lines[line] = counted
        return result
    }

    /// The tokens that this owner of a session has by now are refused from now on.
    package mutating func expire(_ owner: String, dialect: Int, at now: Instant) {
        let owner = Owner(dialect: dialect, name: owner)
        if expiries[owner] == nil, expiries.count >= CoreLimits.rememberedLines { expiries = [:] }
        expiries[owner] = now
    }

    package func expiry(of owner: String, dialect: Int) -> Instant? {
        expiries[Owner(dialect: dialect, name: owner)]
    }

    /// The tag of a scenario line: `mock:booking@tag=checkout`.
    package static func tag(of line: String?) -> String? {
        guard let line, line.utf8.contains(UInt8(ascii: "@")) else { return nil }
        for part in line.split(separator: "@").dropFirst() where part.hasPrefix("tag=") {
            return String(part.dropFirst(4))
        }
        return nil
    }
}

extension Trouble {
    /// It strikes at some request for `operation`.
    fileprivate func isRequest(_ operation: String) -> Bool {
        moment.kind == .request && moment.operation == operation
    }
}
