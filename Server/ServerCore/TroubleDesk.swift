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
/// in its scope. Requests, handshakes and connecting have one count per trouble, or per scenario line that asks for it
/// (``Trouble/Span``): a session begins with what earlier ones left.
package struct TroubleDesk {
    package struct Armed {
        package let id: UInt64
        package let trouble: Trouble
        package let scope: TroubleScope
        /// Who armed it, for reports.
        package let author: String
        fileprivate var requests: ArmedTrouble
    }

    package private(set) var armed: [Armed] = []
    /// How often each struck, sessions that are gone included.
    package private(set) var strikes: [UInt64: Int] = [:]
    private var lines: [String: [ArmedTrouble]] = [:]
    /// How often the troubles of each line struck in its sessions, by their names; of those that count so.
    private var sessionStrikes: [String: [String: Int]] = [:]
    /// Requests since a trouble at requests is in force, by their operations.
    private var requestCounts: [String: Int] = [:]
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
        return true
    }

    /// Counts a strike; `line` is the scenario of its session, if it has one.
    package mutating func noteStrike(_ strike: Strike, line: String?) {
        if let id = strike.id {
            strikes[id, default: 0] += 1
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

    /// The counts of scenario lines begin anew.
    package mutating func forgetLines() {
        lines = [:]
        sessionStrikes = [:]
    }

    /// The troubles that strike a request for a token or a session; `troubles` are those of its scenario `line`,
    /// and counted per line.
    package mutating func strikes(at moment: Trouble.Moment, line: String?, troubles: [Trouble]) -> [Strike] {
        var result: [Strike] = []
        for index in armed.indices where armed[index].trouble.isOnTheWire {
            guard armed[index].scope == .all || Self.tag(of: line).map(TroubleScope.tag) == armed[index].scope
            else { continue }
            guard armed[index].trouble.moment == moment, armed[index].requests.strikes(at: moment) else {
                continue
            }
            result.append(armed[index].requests.strike)
        }
        guard let line, troubles.contains(where: { $0.moment == moment && $0.isOnTheWire }) else {
            return result
        }
        if lines[line] == nil, lines.count >= CoreLimits.rememberedLines { lines = [:] }
        var counted = lines[line] ?? troubles.map { ArmedTrouble($0, seed: seed) }
        for index in counted.indices
        where counted[index].trouble.moment == moment && counted[index].trouble.isOnTheWire {
            if counted[index].strikes(at: moment) { result.append(counted[index].strike) }
        }
        lines[line] = counted
        return result
    }

    /// The troubles for all that strike a request for `operation`, which is counted.
    package mutating func strikes(atRequest operation: String) -> [Strike] {
        guard armed.contains(where: { $0.trouble.moment.kind == .request && $0.scope == .all }) else { return [] }
        requestCounts[operation, default: 0] += 1
        let moment = Trouble.Moment.request(operation, requestCounts[operation] ?? 1)
        var result: [Strike] = []
        for index in armed.indices
        where armed[index].trouble.moment.kind == .request && armed[index].scope == .all
            && armed[index].trouble.isOnTheWire
        {
            if armed[index].requests.strikes(at: moment) { result.append(armed[index].requests.strike) }
        }
        return result
    }

    /// The tag of a scenario line: `mock:booking@tag=checkout`.
    package static func tag(of line: String?) -> String? {
        guard let line else { return nil }
        for part in line.split(separator: "@").dropFirst() where part.hasPrefix("tag=") {
            return String(part.dropFirst(4))
        }
        return nil
    }
}
