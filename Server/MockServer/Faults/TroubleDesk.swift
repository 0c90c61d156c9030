import Clocks
import ConversationEngine

/// Where a trouble that was armed from outside acts.
enum TroubleScope: Equatable, Sendable {
    case all
    case tag(String)
    case session(String)
    /// As rows and the log number it.
    case connection(UInt32)
}

/// The troubles that tests and people armed, and those that strike requests before there is a session.
///
/// In a session a trouble counts for that session alone: "reply 2, once" strikes the second reply of every session
/// in its scope. Token and session requests have one count per trouble, or per scenario line that asks for it.
struct TroubleDesk {
    struct Armed {
        let id: UInt64
        let trouble: Trouble
        let scope: TroubleScope
        /// Who armed it, for reports.
        let author: String
        fileprivate var requests: ArmedTrouble
    }

    private(set) var armed: [Armed] = []
    /// How often each struck, sessions that are gone included.
    private(set) var strikes: [UInt64: Int] = [:]
    private var lines: [String: [ArmedTrouble]] = [:]
    private var nextID: UInt64 = 1
    private let seed: UInt64

    init(seed: UInt64) {
        self.seed = seed
    }

    mutating func arm(_ trouble: Trouble, scope: TroubleScope, by author: String) -> Armed? {
        guard armed.count < ServerLimits.armedTroubles else { return nil }
        let item = Armed(
            id: nextID, trouble: trouble, scope: scope, author: author,
            requests: ArmedTrouble(trouble, id: nextID, seed: seed))
        nextID += 1
        armed.append(item)
        return item
    }

    /// - Returns: false when there was no such trouble.
    mutating func disarm(_ id: UInt64) -> Bool {
        guard let index = armed.firstIndex(where: { $0.id == id }) else { return false }
        armed.remove(at: index)
        strikes[id] = nil
        return true
    }

    mutating func noteStrike(_ strike: Strike) {
        if let id = strike.id { strikes[id, default: 0] += 1 }
    }

    /// The troubles that strike a request for a token or a session; `troubles` are those of its scenario `line`,
    /// and counted per line.
    mutating func strikes(at moment: Trouble.Moment, line: String?, troubles: [Trouble]) -> [Strike] {
        var result: [Strike] = []
        for index in armed.indices where armed[index].trouble.effect.isOnTheWire {
            guard armed[index].scope == .all || Self.tag(of: line).map(TroubleScope.tag) == armed[index].scope
            else { continue }
            guard armed[index].trouble.moment == moment, armed[index].requests.strikes(at: moment) else {
                continue
            }
            result.append(armed[index].requests.strike)
        }
        guard let line, troubles.contains(where: { $0.moment == moment && $0.effect.isOnTheWire }) else {
            return result
        }
        if lines[line] == nil, lines.count >= ServerLimits.rememberedLines { lines = [:] }
        var counted = lines[line] ?? troubles.map { ArmedTrouble($0, seed: seed) }
        for index in counted.indices
        where counted[index].trouble.moment == moment && counted[index].trouble.effect.isOnTheWire {
            if counted[index].strikes(at: moment) { result.append(counted[index].strike) }
        }
        lines[line] = counted
        return result
    }

    /// The tag of a scenario line: `mock:booking@tag=checkout`.
    static func tag(of line: String?) -> String? {
        guard let line else { return nil }
        for part in line.split(separator: "@").dropFirst() where part.hasPrefix("tag=") {
            return String(part.dropFirst(4))
        }
        return nil
    }
}
