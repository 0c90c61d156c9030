package import Clocks
package import ConversationEngine

package enum FaultScope: Equatable, Sendable, CustomStringConvertible {
    case all
    case tag(String)
    case session(String)
    /// One connection, by its number in the timeline and the log.
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

/// Registry of faults added at run time, and of faults on requests before a session exists.
package struct FaultRegistry {
    package struct Active {
        package let id: UInt64
        package let fault: Fault
        package let scope: FaultScope
        package let author: String
        fileprivate var requests: ActiveFault
        /// Requests for the fault's operation since the fault was added.
        fileprivate var requestCount = 0

        fileprivate mutating func fire(atRequest operation: String) -> FiredFault? {
            guard fault.isRequest(operation), fault.isOnTheWire else { return nil }
            requestCount += 1
            return requests.fires(at: .request(operation, requestCount)) ? requests.firing : nil
        }
    }

    /// Counts of requests outside of sessions, for one scenario token.
    private struct LineCount {
        var faults: [ActiveFault]
        var requests: [String: Int] = [:]
    }

    package private(set) var active: [Active] = []
    /// Firings of each fault, including those in forgotten sessions.
    package private(set) var firings: [UInt64: Int] = [:]
    /// Last firing of each fault. The session is empty if the request belonged to none.
    package private(set) var lastFirings: [UInt64: (time: Instant, session: String)] = [:]
    private var lines: [String: LineCount] = [:]
    /// Firings in sessions, by scenario token and fault name.
    private var sessionFirings: [String: [String: Int]] = [:]
    private struct Owner: Hashable {
        let dialect: Int
        let name: String
    }

    /// Time at which a fault last expired an owner's tokens.
    private var expiries: [Owner: Instant] = [:]
    private var nextID: UInt64 = 1
    private let seed: UInt64

    package init(seed: UInt64) { self.seed = seed }

    package mutating func inject(_ fault: Fault, scope: FaultScope, by author: String) -> Active? {
        guard active.count < CoreLimits.activeFaults else { return nil }
        let item = Active(
            id: nextID, fault: fault, scope: scope, author: author,
            requests: ActiveFault(fault, id: nextID, seed: seed))
        nextID += 1
        active.append(item)
        return item
    }

    package mutating func remove(_ id: UInt64) -> Bool {
        guard let index = active.firstIndex(where: { $0.id == id }) else { return false }
        active.remove(at: index)
        firings[id] = nil
        lastFirings[id] = nil
        return true
    }

    /// Counts a firing. `line` is the session's scenario token, or nil.
    package mutating func noteFiring(
        _ firing: FiredFault, line: String?, in session: String = "", at now: Instant
    ) {
        if let id = firing.id {
            firings[id, default: 0] += 1
            lastFirings[id] = (now, session)
        } else if firing.span == .token, let line {
            if sessionFirings[line] == nil, sessionFirings.count >= CoreLimits.rememberedLines {
                sessionFirings = [:]
            }
            sessionFirings[line, default: [:]][firing.name, default: 0] += 1
        }
    }

    /// Returns the faults that sessions of the scenario token `line` have not used up.
    package func left(of faults: [Fault], line: String?) -> [Fault] {
        guard let line, let fired = sessionFirings[line] else { return faults }
        return faults.compactMap { Self.left(of: $0, after: fired[$0.name] ?? 0) }
    }

    /// Returns the fault with its remaining firings, or nil if it is used up.
    package func left(of item: Active) -> Fault? {
        Self.left(of: item.fault, after: firings[item.id] ?? 0)
    }

    private static func left(of fault: Fault, after firings: Int) -> Fault? {
        guard fault.span == .token, firings > 0 else { return fault }
        var left = fault
        left.times = (fault.times ?? 1) - firings
        return (left.times ?? 0) > 0 ? left : nil
    }

    package func isUsedUp(_ id: UInt64) -> Bool {
        active.first { $0.id == id }.map { left(of: $0) == nil } ?? false
    }

    package mutating func forgetLines() {
        lines = [:]
        expiries = [:]
        sessionFirings = [:]
    }

    /// Counts a request, and returns the firings of faults with the scope `all`.
    package mutating func firings(atRequest operation: String) -> [FiredFault] {
        active.indices.compactMap { active[$0].scope == .all ? active[$0].fire(atRequest: operation) : nil }
    }

    /// Counts a request outside of sessions, and returns the firings. `operation` is empty if the request was already
    /// counted. `faults` belong to the scenario token `line`.
    package mutating func firings(
        at moment: Fault.Moment, operation: String, line: String?, faults: [Fault]
    ) -> [FiredFault] {

        if active.isEmpty, faults.isEmpty { return [] }
        let tag = Self.tag(of: line).map(FaultScope.tag)
        var result: [FiredFault] = []
        for index in active.indices where active[index].scope == .all || active[index].scope == tag {
            if active[index].fault.moment == moment {
                if active[index].fault.isOnTheWire, active[index].requests.fires(at: moment) {
                    result.append(active[index].requests.firing)
                }
            } else if active[index].scope == tag, let firing = active[index].fire(atRequest: operation) {
                result.append(firing)
            }
        }
        guard let line else { return result }
        func concerns(_ fault: Fault) -> Bool {
            fault.isOnTheWire && (fault.moment == moment || fault.isRequest(operation))
        }
        guard faults.contains(where: concerns) else { return result }
        if lines[line] == nil, lines.count >= CoreLimits.rememberedLines { lines = [:] }
        var counted = lines[line] ?? LineCount(faults: faults.map { ActiveFault($0, seed: seed) })
        if !operation.isEmpty { counted.requests[operation, default: 0] += 1 }
        let asked = Fault.Moment.request(operation, counted.requests[operation] ?? 0)
        for index in counted.faults.indices where concerns(counted.faults[index].fault) {
            let isRequest = counted.faults[index].fault.moment.kind == .request
            if counted.faults[index].fires(at: isRequest ? asked : moment) {
                result.append(counted.faults[index].firing)
            }
        }
        lines[line] = counted
        return result
    }

    package mutating func expire(_ owner: String, dialect: Int, at now: Instant) {
        let owner = Owner(dialect: dialect, name: owner)
        if expiries[owner] == nil, expiries.count >= CoreLimits.rememberedLines { expiries = [:] }
        expiries[owner] = now
    }

    package func expiry(of owner: String, dialect: Int) -> Instant? {
        expiries[Owner(dialect: dialect, name: owner)]
    }

    /// Returns the tag of a scenario token, such as `checkout` for `mock:booking@tag=checkout`.
    package static func tag(of line: String?) -> String? {
        guard let line, line.utf8.contains(UInt8(ascii: "@")) else { return nil }
        for part in line.split(separator: "@").dropFirst() where part.hasPrefix("tag=") {
            return String(part.dropFirst(4))
        }
        return nil
    }
}

extension Fault {
    fileprivate func isRequest(_ operation: String) -> Bool {
        moment.kind == .request && moment.operation == operation
    }
}
