import DialectKit
import HTTPCore

/// Which path leads where. Every route of the server is in this table.
struct RouteTable {
    enum Target: Equatable {
        case startPage
        case health
        case echo
        /// The rest of `/_mock/`: which of its routes, ``ControlRoute`` knows.
        case control
        case dialect(Int)
    }

    struct Match {
        var target: Target
        var methods: [String]
        var isWebSocket: Bool
        /// Pages of any origin may use it; the server's own controls are closed to them.
        var isOpenToPages: Bool

        var allowed: String { methods.joined(separator: ", ") }
        func takes(_ method: String) -> Bool { method != "OPTIONS" && methods.contains(method) }
    }

    private var matches: [String: Match] = [:]
    private let servesControl: Bool

    init(dialects: [any Dialect], servesEcho: Bool, servesControl: Bool = false) {
        self.servesControl = servesControl
        add("/", Match(target: .startPage, methods: ["GET"], isWebSocket: false, isOpenToPages: false))
        add(
            "/_mock/health",
            Match(target: .health, methods: ["GET"], isWebSocket: false, isOpenToPages: false))
        if servesEcho {
            add("/_mock/echo", Match(target: .echo, methods: ["GET"], isWebSocket: true, isOpenToPages: true))
        }
        for (index, dialect) in dialects.enumerated() {
            for route in dialect.routes {
                add(
                    route.path,
                    Match(
                        target: .dialect(index), methods: route.methods, isWebSocket: route.isWebSocket,
                        isOpenToPages: true))
            }
        }
    }

    private mutating func add(_ path: String, _ match: Match) {
        var match = match
        if match.methods.contains("GET") { match.methods.append("HEAD") }
        match.methods.append("OPTIONS")
        matches[path] = match
    }

    /// The route of `target`; slashes at the end do not count (poly-messaging 1.1).
    func match(_ target: RequestTarget) -> Match? {
        if target.form == .asterisk {
            return Match(target: .startPage, methods: ["OPTIONS"], isWebSocket: false, isOpenToPages: false)
        }
        var path = target.path
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        if let match = matches[path] { return match }
        guard servesControl, path.hasPrefix(ControlRoute.prefix) else { return nil }
        let isWebSocket = ControlRoute.matches(target).routes.contains(where: \.isWebSocket)
        return Match(target: .control, methods: [], isWebSocket: isWebSocket, isOpenToPages: false)
    }
}
