package import Clocks
package import ConversationEngine

/// Scope of a trouble armed from outside.
package enum TroubleScope: Equatable, Sendable, CustomStringConvertible {
    case all
    case tag(String)
    case session(String)
    /// By its number in rows and log.
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

/// Registry of troubles armed by tests and people, and of those that strike requests before there is a session.
///
/// Events of a conversation are counted per session: "reply 2, once" strikes the second reply of every session in its scope.
/// Requests outside of sessions, handshakes and connects are counted per trouble, or per scenario line (``Trouble/Span``).
package struct FaultRegistry {
    package struct Armed {
        package let id: UInt64
        package let trouble: Trouble
        package let scope: TroubleScope
        /// Who armed it, for reports.
        package let author: String
        fileprivate var requests: ArmedTrouble
        /// Requests for its operation since it was armed.
        fileprivate var requestCount = 0

        fileprivate mutating func strike(atRequest operation: String) -> Strike? {
            guard trouble.isRequest(operation), trouble.isOnTheWire else { return nil }
            requestCount += 1
            return requests.strikes(at: .request(operation, requestCount)) ? requests.strike : nil
        }
    }

    /// Counts of the requests of a scenario line outside of sessions.
    private struct LineCount {
        var troubles: [ArmedTrouble]
        var requests: [String: Int] = [:]
    }

    package private(set) var armed: [Armed] = []
    /// Strikes by trouble, including forgotten sessions.
    package private(set) var strikes: [UInt64: Int] = [:]
    /// The last strike by trouble; its session is empty where there was none yet.
    package private(set) var lastStrikes: [UInt64: (time: Instant, session: String)] = [:]
    private var lines: [String: LineCount] = [:]
    /// Strikes in the sessions of each line, by the names of troubles.
    private var sessionStrikes: [String: [String: Int]] = [:]
    private struct Owner: Hashable {
        let dialect: Int
        let name: String
    }

    /// Tokens of session owners expired by troubles.
    private var expiries: [Owner: Instant] = [:]
    private var nextID: UInt64 = 1
    private let seed: UInt64

    package init(seed: UInt64) { self.seed = seed }

    package mutating func arm(_ trouble: Trouble, scope: TroubleScope, by author: String) -> Armed? {
        guard armed.count < CoreLimits.armedTroubles else { return nil }
        let item = Armed(
            id: nextID, trouble: trouble, scope: scope, author: author,
            requests: ArmedTrouble(trouble, id: nextID, seed: seed))
        nextID += 1
        armed.append(item)
        return item
    }

    /// False when there is no such trouble.
    package mutating func disarm(_ id: UInt64) -> Bool {
        guard let index = armed.firstIndex(where: { $0.id == id }) else { return false }
        armed.remove(at: index)
        strikes[id] = nil
        lastStrikes[id] = nil
        return true
    }

    /// Counts a strike; `line` is the scenario line of its session, if it has one.
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

    /// The troubles of a scenario line that earlier sessions have left.
    package func left(of troubles: [Trouble], line: String?) -> [Trouble] {
        guard let line, let struck = sessionStrikes[line] else { return troubles }
        return troubles.compactMap { Self.left(of: $0, after: struck[$0.name] ?? 0) }
    }

    /// The remainder of an armed trouble for a new session; nil when it is used up.
    package func left(of item: Armed) -> Trouble? {
        Self.left(of: item.trouble, after: strikes[item.id] ?? 0)
    }

    private static func left(of trouble: Trouble, after strikes: Int) -> Trouble? {
        guard trouble.span == .token, strikes > 0 else { return trouble }
        var left = trouble
        left.times = (trouble.times ?? 1) - strikes
        return (left.times ?? 0) > 0 ? left : nil
    }

    /// It has struck as often as it may.
    package func isUsedUp(_ id: UInt64) -> Bool {
        armed.first { $0.id == id }.map { left(of: $0) == nil } ?? false
    }

    /// Resets the counts of scenario lines and the expired tokens.
    package mutating func forgetLines() {
        lines = [:]
        expiries = [:]
        sessionStrikes = [:]
    }

    /// Counts a request, and returns the strikes of troubles for all.
    package mutating func strikes(atRequest operation: String) -> [Strike] {
        armed.indices.compactMap { armed[$0].scope == .all ? armed[$0].strike(atRequest: operation) : nil }
    }

    /// Counts a request of a scenario line outside of sessions, and returns the strikes in their order. `operation` is empty when
    /// the request was counted before; `troubles` are those of the line.
    package mutating func strikes(
        at moment: Trouble.Moment, operation: String, line: String?, troubles: [Trouble]
    ) -> [Strike] {

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

    /// Expires the present tokens of an owner.
    package mutating func expire(_ owner: String, dialect: Int, at now: Instant) {
        let owner = Owner(dialect: dialect, name: owner)
        if expiries[owner] == nil, expiries.count >= CoreLimits.rememberedLines { expiries = [:] }
        expiries[owner] = now
    }

    package func expiry(of owner: String, dialect: Int) -> Instant? {
        expiries[Owner(dialect: dialect, name: owner)]
    }

    /// The tag of a scenario line such as `mock:booking@tag=checkout`.
    package static func tag(of line: String?) -> String? {
        guard let line, line.utf8.contains(UInt8(ascii: "@")) else { return nil }
        for part in line.split(separator: "@").dropFirst() where part.hasPrefix("tag=") {
            return String(part.dropFirst(4))
        }
        return nil
    }
}

extension Trouble {
    fileprivate func isRequest(_ operation: String) -> Bool {
        moment.kind == .request && moment.operation == operation
    }
}
