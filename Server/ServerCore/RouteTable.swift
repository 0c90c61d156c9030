package import DialectKit
package import HTTPCore

/// Table of HTTP routes and their owners.
package struct RouteTable: Sendable {
    package enum Owner: Hashable, Sendable {
        case startPage
        case pages
        case health
        case echo
        /// Everything else below `/_mock/`.
        case control
        case dialect(Int)
    }

    package struct Match: Sendable {
        package var owner: Owner
        package var routes: [Route]
        package var values: [String: String] = [:]

        /// Whether pages of any origin may use the route.
        package var isOpenToPages: Bool {
            guard case .dialect = owner else { return false }
            return routes.contains(where: \.isOpenToPages)
        }
        /// Whether pages of other origins are refused here.
        package var refusesPages: Bool {
            switch owner {
            case .dialect: !isOpenToPages
            case .echo: true
            case .startPage, .pages, .health, .control: false
            }
        }
        package var webSocket: Route? { routes.first(where: \.isWebSocket) }
        package var methods: [String] {
            var methods = routes.flatMap(\.methods)
            if methods.contains("GET") { methods.append("HEAD") }
            return methods + ["OPTIONS"]
        }
        package var allowed: String { methods.joined(separator: ", ") }

        /// Returns the route for `method`. HEAD uses the route of GET (RFC 9110 §9.3.2).
        package func route(for method: String) -> Route? {
            routes.first { $0.methods.contains(method == "HEAD" ? "GET" : method) }
        }
    }

    /// Parsed request target with its match. A class, to save copies.
    package final class Destination: Sendable {
        /// The parsed target, or nil.
        package let target: RequestTarget?
        package let match: Match?
        /// Index of the dialect that owns the path's prefix, or 0.
        package let dialect: Int
        /// Index of the dialect whose clients use the target. Nil for the server's own targets.
        package let clients: Int?
        /// Whether pages of other origins are refused here.
        package let refusesPages: Bool
        /// Whether the target has a question mark.
        package let hasQuery: Bool
        /// Methods whose bodies of the usual limit a dialect takes.
        private let bodyMethods: [String]

        init(target: RequestTarget?, match: Match?, dialect: Int, isOwn: Bool, hasQuery: Bool) {
            self.target = target
            self.match = match
            self.dialect = dialect
            clients = isOwn ? nil : dialect
            refusesPages = match?.refusesPages ?? false
            self.hasQuery = hasQuery
            var bodyMethods: [String] = []
            if target != nil, let match, case .dialect = match.owner {
                for method in match.routes.flatMap(\.methods) where method != "OPTIONS" {
                    guard let route = match.route(for: method), !route.isWebSocket, route.takesBody,
                        route.bodyBytes == nil
                    else { continue }
                    bodyMethods.append(method)
                }
            }
            self.bodyMethods = bodyMethods
        }

        /// Whether a dialect takes the body of a request with this method, up to the usual limit.
        package func takesBody(_ method: String) -> Bool { bodyMethods.contains(method) }

        /// Whether the path is known and has neither variable segments nor a query.
        package var isPlainPath: Bool {
            guard let target, let match else { return false }
            return match.values.isEmpty && target.query.isEmpty
        }
    }

    private struct Place: Sendable {
        let owner: Owner
        var routes: [Route]

        func takes(_ target: RequestTarget) -> Bool {
            !routes.contains(where: \.isExact) || !target.hasEmptySegment
        }
    }

    private var literals: [String: Place] = [:]
    private var patterns: [(pattern: RoutePattern, place: Place)] = []
    private var prefixes: [(prefix: String, owner: Owner)] = []
    /// Path prefix of the control API, with routes for hints; nil if the API is off.
    private let control: (prefix: String, routes: @Sendable () -> [(method: String, path: String)])?
    private let isOwn: @Sendable (_ target: String) -> Bool

    /// `own` are the server's own routes. `isOwn` returns whether a target belongs to the server.
    package init(
        dialects: [any Dialect], own: [(Owner, Route)],
        control: (prefix: String, routes: @Sendable () -> [(method: String, path: String)])? = nil,
        isOwn: @escaping @Sendable (_ target: String) -> Bool = { _ in false }
    ) {
        self.control = control
        self.isOwn = isOwn
        for (owner, route) in own { add(route, of: owner) }
        for (index, dialect) in dialects.enumerated() {
            for route in dialect.routes { add(route, of: .dialect(index)) }
            prefixes += dialect.prefixes.map { ($0, .dialect(index)) }
        }
        // Longest prefix first, because the first match counts.
        prefixes.sort { $0.prefix.utf8.count > $1.prefix.utf8.count }
    }

    private mutating func add(_ route: Route, of owner: Owner) {
        guard route.path.utf8.contains(UInt8(ascii: "{")) else {
            literals[route.path, default: Place(owner: owner, routes: [])].routes.append(route)
            return
        }
        let pattern = RoutePattern(route.path)
        if let index = patterns.firstIndex(where: { $0.pattern == pattern && $0.place.owner == owner }) {
            patterns[index].place.routes.append(route)
        } else {
            patterns.append((pattern, Place(owner: owner, routes: [route])))
        }
    }

    package var all: [(owner: Owner, route: Route)] {
        (Array(literals.values) + patterns.map(\.place)).flatMap { place in
            place.routes.map { (place.owner, $0) }
        }.sorted { ($0.1.path, $0.1.methods[0]) < ($1.1.path, $1.1.methods[0]) }
    }

    /// Returns the destination of `target`, which is spelt as in the request line.
    package func destination(of target: String) -> Destination {
        let parsed = RequestTarget(parsing: target)
        return Destination(
            target: parsed, match: parsed.flatMap(match), dialect: dialect(wording: target),
            isOwn: isOwn(target), hasQuery: target.utf8.contains(UInt8(ascii: "?")))
    }

    /// Returns the match of a target. Trailing slashes are ignored, unless the route is exact.
    package func match(_ target: RequestTarget) -> Match? {
        if target.form == .asterisk { return Match(owner: .startPage, routes: []) }
        var path = target.path
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        if let place = literals[path], place.takes(target) {
            return Match(owner: place.owner, routes: place.routes)
        }
        if let control, path.hasPrefix(control.prefix) || path + "/" == control.prefix {
            return Match(owner: .control, routes: [])
        }
        guard !patterns.isEmpty, let segments = target.segments else { return nil }
        for (pattern, place) in patterns {
            guard let values = pattern.values(in: segments), place.takes(target) else { continue }
            return Match(owner: place.owner, routes: place.routes, values: values)
        }
        return nil
    }

    /// Returns the index of the dialect that words refusals for `target`, or 0. The target may be incomplete.
    package func dialect(wording target: String?) -> Int {
        guard let target else { return 0 }
        let path = target[..<(target.utf8.firstIndex(of: UInt8(ascii: "?")) ?? target.endIndex)]
        for (prefix, owner) in prefixes where path == prefix || path.hasPrefix(prefix + "/") {
            if case .dialect(let index) = owner { return index }
        }
        return 0
    }

    // MARK: - Hints

    /// Returns a hint for an unknown path: `did you mean POST /api/v1/sessions?`, or else a list of routes. `nearest`
    /// returns the most similar of several words.
    package func hint(_ method: String, _ path: String, nearest: (String, [String]) -> String?) -> String {
        let wording = Owner.dialect(dialect(wording: path))
        let api = literals.values.filter { $0.owner == wording }.flatMap(\.routes).map { route in
            (method: route.methods[0], path: route.path)
        }.sorted { $0.path < $1.path }
        let own = control?.routes() ?? [("GET", "/_mock/health")]
        let near =
            Self.near(path, method, api, nearest)
            ?? Self.near(path, method, own.filter { !$0.1.utf8.contains(UInt8(ascii: "{")) }, nearest)
        if let near { return "did you mean \(near.0) \(near.1)?" }
        if let near = respelt(path, nearest) { return "did you mean \(method) \(near)?" }
        let others = patterns.map(\.place).filter { $0.owner == wording }.flatMap(\.routes)
            .filter { !$0.isOfSomeSessions }
        let listed = (api + others.map { (method: $0.methods[0], path: $0.path) }).sorted {
            $0.path < $1.path
        }
        return "what is answered: " + listed.map { "\($0.method) \($0.path)" }.joined(separator: ", ")
    }

    /// Returns the path with its first segment corrected. Nil if that segment is known, or if none is similar.
    private func respelt(_ path: String, _ nearest: (String, [String]) -> String?) -> String? {
        func first(_ path: String) -> Substring { path.dropFirst().prefix { $0 != "/" } }
        let places = Array(literals.values) + patterns.map(\.place)
        let known = Set(places.flatMap(\.routes).map { String(first($0.path)) }).subtracting([""])
        let wanted = String(first(path))
        guard !wanted.isEmpty, !known.contains(wanted), let meant = nearest(wanted, known.sorted()) else {
            return nil
        }
        return "/" + meant + path.dropFirst(1 + wanted.count)
    }

    /// Returns the route whose last segment resembles that of `path`, preferably with the same method.
    private static func near(
        _ path: String, _ method: String, _ routes: [(String, String)],
        _ nearest: (String, [String]) -> String?
    ) -> (String, String)? {
        func last(_ path: String) -> String { path.split(separator: "/").last.map { $0.lowercased() } ?? "" }
        let wanted = last(path)
        guard !wanted.isEmpty else { return nil }
        let meant =
            routes.contains { last($0.1) == wanted } ? wanted : nearest(wanted, routes.map { last($0.1) })
        let same = routes.filter { last($0.1) == meant }
        return same.first { $0.0 == method } ?? same.first
    }
}
