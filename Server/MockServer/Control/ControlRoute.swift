import Fixtures
package import HTTPCore
import Texts

/// One operation of the control API, with the handler that answers it. The table ``all`` is the only list of them: requests are
/// routed by it, and `openapi.json` is made from it.
package struct ControlRoute: Sendable {
    /// The kind of answer, decided by the type that the handler returns.
    enum Answer: Sendable {
        case once(@Sendable (ControlAPI) -> () throws(ControlProblem) -> Response)
        /// It may take longer than other clients should wait.
        case long(@Sendable (ControlAPI) -> () throws(ControlProblem) -> ControlAPI.Work)
        /// Answered when the awaited rows are there.
        case wait(@Sendable (ControlAPI) -> () throws(ControlProblem) -> RowWait)
        /// Over a WebSocket.
        case feed(@Sendable (ControlAPI) -> () throws(ControlProblem) -> RowFeed)
    }

    /// The body that a request may have.
    enum Body: Sendable {
        /// A JSON object.
        case object
        /// A JSON object with the text of a fixture.
        case fixture
        /// A file of recorded rows, larger than any event.
        case rows

        /// Bytes that it may take beyond the limit for all requests.
        var limit: Int {
            switch self {
            case .object: 0
            case .fixture: FixtureLoader.fileBytes
            case .rows: ServerLimits.Control.importBytes
            }
        }
    }

    /// Its `operationId` in `openapi.json`.
    package let name: String
    package let method: String
    /// `{id}`, or what else is in braces, stands for one segment.
    package var path: String { pattern.path }
    private let pattern: RoutePattern
    /// One line about it.
    package let about: String
    /// Names that the query may hold.
    package let query: [String]
    let body: Body?
    /// Statuses of refusals of its own, besides those that follow from the row.
    private let ownRefusals: [Int]
    /// Nil for health, which is answered before the gate.
    let answer: Answer?
    /// Changes something, so that pages of other origins are kept away from it.
    package var writes: Bool { method != "GET" }

    package var isWebSocket: Bool {
        if case .feed? = answer { true } else { false }
    }

    /// The statuses of its refusals, smallest first.
    package var refusals: [Int] {
        if answer == nil { return [] }
        var statuses: Set = [401, 403, 405]
        // A name in the path is any text, an id has a form.
        if body != nil || !query.isEmpty || path.split(separator: "/").contains("{id}") {
            statuses.insert(400)
        }
        if path.contains("{") { statuses.insert(404) }
        if let body { statuses.formUnion(body.limit > 0 ? [413, 415, 503] : [413, 415]) }
        return statuses.union(ownRefusals).sorted()
    }

    /// The answer waits for nothing that is still to happen.
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
    /// The same without the slash at its end.
    package static let folder = "/_mock"

    /// A route stands in one row, next to its handler.
    package static let all: [ControlRoute] = Array(
        [
            first, sessions, events, agents, runs, holding, troubles, clock, fixtures, record, metrics,
            upkeep,
            last,
        ].joined())

    private static let first: [ControlRoute] = [
        .init("index", "GET", "", "What can be asked for here", .once(ControlAPI.index)),
        .init("health", "GET", "health", "Whether the server runs", nil),
    ]
    private static let last: [ControlRoute] = [
        .init("openAPI", "GET", "openapi.json", "This description", .once(ControlAPI.openAPI))
    ]

    /// The routes of `path`, whatever their methods, and what stands for the part in braces.
    ///
    /// Each segment is decoded by itself, so that an id with a slash in it stays an id. Slashes at the end and empty
    /// segments do not count, except where something would be changed: `DELETE …/troubles/$ID` must not mean all of
    /// them because `$ID` is empty.
    package static func matches(_ target: RequestTarget) -> (routes: [ControlRoute], id: String?) {
        let (routes, id) = folding(target)
        guard target.hasEmptySegment else { return (routes, id) }
        return (routes.filter { !$0.writes }, id)
    }

    /// The path that was meant when only empty segments keep it from changing something; nil otherwise.
    static func folded(_ target: RequestTarget) -> String? {
        guard target.hasEmptySegment else { return nil }
        return folding(target).routes.first { $0.writes }?.path
    }

    private static func folding(_ target: RequestTarget) -> (routes: [ControlRoute], id: String?) {
        guard let segments = target.segments else { return ([], nil) }
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
    /// The server's own pages and controls, and what browsers ask every server for by themselves, are no traffic of
    /// clients.
    static func isOwn(_ target: String) -> Bool {
        if target == "/" || target.hasPrefix(prefix) || target == folder || isAskedByBrowsers(target) {
            return true
        }
        // However it is written: a control token may be in it.
        guard
            !target.hasPrefix("/")
                || target.utf8.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: ".") })
        else { return false }
        return RequestTarget(parsing: target).map { ($0.path + "/").hasPrefix(prefix) } ?? false
    }

    static func isAskedByBrowsers(_ target: String) -> Bool {
        // By bytes: every request is asked.
        let path = target[..<(target.utf8.firstIndex(of: UInt8(ascii: "?")) ?? target.endIndex)]
        return ["/favicon.ico", "/robots.txt", "/browserconfig.xml"].contains { $0 == path }
            || path.hasPrefix("/apple-touch-icon") || path.hasPrefix("/.well-known/")
    }
}
