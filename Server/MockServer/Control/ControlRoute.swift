import Fixtures
package import HTTPCore
import Texts

/// An operation of the control API.
package struct ControlRoute: Sendable {
    enum Answer: Sendable {
        case once(@Sendable (ControlAPI) -> () throws(ControlProblem) -> Response)
        /// An answer that may take long.
        case long(@Sendable (ControlAPI) -> () throws(ControlProblem) -> ControlAPI.Work)
        case wait(@Sendable (ControlAPI) -> () throws(ControlProblem) -> RowWait)
        case feed(@Sendable (ControlAPI) -> () throws(ControlProblem) -> RowFeed)
    }

    enum Body: Sendable {
        case object
        case fixture
        case rows

        /// Maximum size of the body in bytes; 0 means the common limit.
        var limit: Int {
            switch self {
            case .object: 0
            case .fixture: FixtureLoader.fileBytes
            case .rows: ServerLimits.Control.importBytes
            }
        }
    }

    /// The `operationId` in `openapi.json`.
    package let name: String
    package let method: String
    /// The path. A name in braces stands for one segment.
    package var path: String { pattern.path }
    private let pattern: RoutePattern
    package let about: String
    package let query: [String]
    let body: Body?
    /// Statuses of refusals that do not follow from method, path, query and body.
    private let ownRefusals: [Int]
    /// Nil for health.
    let answer: Answer?
    package var writes: Bool { method != "GET" }

    package var isWebSocket: Bool {
        if case .feed? = answer { true } else { false }
    }

    package var refusals: [Int] {
        if answer == nil { return [] }
        var statuses: Set = [401, 403, 405]
        if body != nil || !query.isEmpty || path.split(separator: "/").contains("{id}") {
            statuses.insert(400)
        }
        if path.contains("{") { statuses.insert(404) }
        if let body { statuses.formUnion(body.limit > 0 ? [413, 415, 503] : [413, 415]) }
        return statuses.union(ownRefusals).sorted()
    }

    /// Whether the answer comes without waiting for future rows.
    var isAtOnce: Bool {
        switch answer {
        case .wait, .feed: false
        case .once, .long, nil: true
        }
    }

    init(
        _ name: String, _ method: String, _ path: String, _ about: String, query: [String] = [],
        body: Body? = nil, refuses ownRefusals: [Int] = [], _ answer: Answer?
    ) {
        self.name = name
        self.method = method
        pattern = RoutePattern(ControlRoute.prefix + path)
        self.about = about
        self.query = query
        self.body = body
        self.ownRefusals = ownRefusals
        self.answer = answer
    }

    package static let prefix = "/_mock/"
    package static let folder = "/_mock"

    package static let all: [ControlRoute] = Array(
        [
            first, sessions, events, agents, runs, holding, faults, clock, fixtures, unmatched, wire, files,
            metrics, resetting, following, last,
        ].joined())

    private static let first: [ControlRoute] = [
        .init("index", "GET", "", "What can be asked for here", .once(ControlAPI.index)),
        .init("health", "GET", "health", "Whether the server runs", nil),
    ]
    private static let last: [ControlRoute] = [
        .init("openAPI", "GET", "openapi.json", "This description", .once(ControlAPI.openAPI))
    ]

    /// Finds the routes of a path, and the segment in braces. A write with an empty segment matches no route: `DELETE
    /// …/faults/$ID` with an empty `$ID` must not delete all faults.
    package static func matches(_ target: RequestTarget) -> (routes: [ControlRoute], id: String?) {
        let (routes, id) = folding(target)
        guard target.hasEmptySegment else { return (routes, id) }
        return (routes.filter { !$0.writes }, id)
    }

    /// Returns the path of the writing route that the target would match without its empty segments, or nil.
    static func folded(_ target: RequestTarget) -> String? {
        guard target.hasEmptySegment else { return nil }
        return folding(target).routes.first { $0.writes }?.path
    }

    private static func folding(_ target: RequestTarget) -> (routes: [ControlRoute], id: String?) {
        guard let segments = target.segments.map(FormerNames.path) else { return ([], nil) }
        var id: String?
        let routes = all.filter { route in
            guard let values = route.pattern.values(in: segments) else { return false }
            id = values.values.first ?? id
            return true
        }
        return (routes, id)
    }
}

extension ControlRoute {
    /// Whether a target is the start page, in the control API, or a file that browsers request.
    static func isOwn(_ target: String) -> Bool {
        if target == "/" || target.hasPrefix(prefix) || target == folder || isAskedByBrowsers(target) {
            return true
        }
        // Encoded and absolute control targets count too, because they may contain a control token.
        guard
            !target.hasPrefix("/")
                || target.utf8.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: ".") })
        else { return false }
        return RequestTarget(parsing: target).map { ($0.path + "/").hasPrefix(prefix) } ?? false
    }

    static func isAskedByBrowsers(_ target: String) -> Bool {
        // Searches bytes, because characters are slower.
        let path = target[..<(target.utf8.firstIndex(of: UInt8(ascii: "?")) ?? target.endIndex)]
        return ["/favicon.ico", "/robots.txt", "/browserconfig.xml"].contains { $0 == path }
            || path.hasPrefix("/apple-touch-icon") || path.hasPrefix("/.well-known/")
    }
}
