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

    /// What to ask for in place of a path that leads nowhere: `did you mean POST /api/v1/sessions?` where one is
    /// near, such as when only its beginning was left out; else the routes there are.
    func hint(_ method: String, _ path: String) -> String {
        let api = matches.filter { $0.value.isOpenToPages && $0.value.target != .echo }
            .map { (method: $0.value.methods[0], path: $0.key) }.sorted { $0.path < $1.path }
        let own = servesControl ? ControlRoute.all.map { ($0.method, $0.path) } : [("GET", "/_mock/health")]
        let near = Self.near(path, method, api) ?? Self.near(path, method, own.filter { !$0.1.contains("{") })
        if let near { return "did you mean \(near.0) \(near.1)?" }
        return "what is answered: " + api.map { "\($0.method) \($0.path)" }.joined(separator: ", ")
    }

    /// The route whose path ends as `path` does, of several the one with that method; else the one of the nearest
    /// spelling.
    private static func near(
        _ path: String, _ method: String, _ routes: [(String, String)]
    ) -> (String, String)? {
        func last(_ path: String) -> String { path.split(separator: "/").last.map { $0.lowercased() } ?? "" }
        let wanted = last(path)
        guard !wanted.isEmpty else { return nil }
        let meant =
            routes.contains { last($0.1) == wanted }
            ? wanted : ControlAPI.suggestion(for: wanted, among: routes.map { last($0.1) })
        let same = routes.filter { last($0.1) == meant }
        return same.first { $0.0 == method } ?? same.first
    }

    /// The route of `target`; slashes at the end do not count (protocol.md#trailing-slashes).
    func match(_ target: RequestTarget) -> Match? {
        if target.form == .asterisk {
            return Match(target: .startPage, methods: ["OPTIONS"], isWebSocket: false, isOpenToPages: false)
        }
        var path = target.path
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        if let match = matches[path] { return match }
        guard servesControl, path.hasPrefix(ControlRoute.prefix) || path == ControlRoute.folder else {
            return nil
        }
        let isWebSocket = ControlRoute.matches(target).routes.contains(where: \.isWebSocket)
        return Match(target: .control, methods: [], isWebSocket: isWebSocket, isOpenToPages: false)
    }
}
