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

    private init(
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

    package static let all: [ControlRoute] = [
        .init("index", "GET", "", "What can be asked for here", .once(ControlAPI.index)),
        .init("health", "GET", "health", "Whether the server runs", nil),
        .init(
            "sessions", "GET", "sessions", "Sessions that are held, oldest first", query: ["tag", "state"],
            .long(ControlAPI.sessions)),
        .init(
            "session", "GET", "sessions/{id}", "One session with what is in force and under way in it",
            .once(ControlAPI.session)),
        .init(
            "deleteSession", "DELETE", "sessions/{id}", "End a session and forget it",
            .once(ControlAPI.deleteSession)),
        .init(
            "journal", "GET", "sessions/{id}/journal", "The journal of a session", query: ["after", "as"],
            .long(ControlAPI.journal)),
        .init(
            "endSession", "POST", "sessions/{id}/end", "End a session", body: .object, refuses: [409],
            .once(ControlAPI.endSession)),
        .init(
            "pushEvent", "POST", "sessions/{id}/events", "Tell a session's clients something at once",
            body: .object, refuses: [409], .once(ControlAPI.pushEvent)),
        .init(
            "actAsAgent", "POST", "sessions/{id}/agent", "Act as the live agent of a session", body: .object,
            refuses: [409], .once(ControlAPI.act)),
        .init(
            "runs", "GET", "sessions/{id}/runs", "The runs of a session, and what waits for an answer",
            query: ["wires", "last"], .long(ControlAPI.runs)),
        .init(
            "answerRun", "POST", "sessions/{id}/runs", "Answer what a run waits for, in place of the client",
            body: .object, refuses: [409], .long(ControlAPI.answerRun)),
        .init(
            "holdSession", "POST", "sessions/{id}/hold",
            "Have a session's frames wait for a person, or no longer", body: .object, refuses: [409],
            .once(ControlAPI.holdSession)),
        .init(
            "held", "GET", "held", "Frames that wait for a person", query: ["session"], refuses: [404],
            .once(ControlAPI.held)),
        .init(
            "releaseFrame", "POST", "held/{id}", "Let a frame go, as it is or changed", body: .object,
            refuses: [409], .once(ControlAPI.releaseFrame)),
        .init(
            "dropFrame", "DELETE", "held/{id}", "Take a frame away; it is never sent", body: .object,
            .once(ControlAPI.dropFrame)),
        .init("troubles", "GET", "troubles", "Troubles armed from outside", .once(ControlAPI.troubles)),
        .init(
            "armTrouble", "POST", "troubles", "Arm a trouble", body: .object, refuses: [404, 409],
            .once(ControlAPI.armTrouble)),
        .init(
            "deleteTroubles", "DELETE", "troubles", "Take all troubles away", refuses: [404],
            .once(ControlAPI.deleteTroubles)),
        .init(
            "deleteTrouble", "DELETE", "troubles/{id}", "Take one trouble away",
            .once(ControlAPI.deleteTrouble)),
        .init("clock", "GET", "clock", "The server's clock", .once(ControlAPI.clock)),
        .init(
            "setClock", "POST", "clock", "Steer the clock", body: .object, refuses: [409],
            .once(ControlAPI.setClock)),
        .init(
            "timers", "GET", "timers", "What will happen by itself, earliest first", .once(ControlAPI.timers)),
        .init(
            "fireTimer", "POST", "timers/{id}/fire", "Let one timer run now", body: .object, refuses: [409],
            .once(ControlAPI.fireTimer)),
        .init(
            "deleteTimer", "DELETE", "timers/{id}", "Take one timer away", body: .object, refuses: [409],
            .once(ControlAPI.dropTimer)),
        .init("fixtures", "GET", "fixtures", "The fixtures that can be played", .long(ControlAPI.fixtures)),
        .init(
            "shelveFixture", "POST", "fixtures", "Bring a fixture along as text", body: .fixture,
            refuses: [409, 422], .long(ControlAPI.shelveFixture)),
        .init(
            "fixture", "GET", "fixtures/{name}", "One fixture with its text, rules and uses",
            .long(ControlAPI.fixture)),
        .init(
            "saveFixture", "PUT", "fixtures/{name}", "Save the file of a fixture, and play it",
            body: .fixture, refuses: [409], .long(ControlAPI.saveFixture)),
        .init(
            "checkFixture", "POST", "fixtures/check", "What is wrong with the text of a fixture",
            body: .fixture, .long(ControlAPI.checkFixture)),
        .init(
            "tryFixture", "POST", "fixtures/try", "Which rule would answer a message, or why none",
            body: .object, refuses: [404], .long(ControlAPI.tryFixture)),
        .init(
            "reloadFixtures", "POST", "fixtures/reload", "Look at the fixture files again", body: .object,
            .long(ControlAPI.reloadFixtures)),
        .init(
            "unmatched", "GET", "unmatched", "Messages that no rule heard, requests that nothing answers",
            query: ["after"], .long(ControlAPI.unmatched)),
        .init(
            "laws", "GET", "laws", "The laws of the protocol, and who broke them", query: ["after"],
            .once(ControlAPI.laws)),
        .init(
            "wire", "GET", "wire", "Rows of the wire, oldest first",
            query: ["filter", "after", "limit", "last", "text"], refuses: [404], .long(ControlAPI.wire)),
        .init(
            "wait", "GET", "wait", "Wait until rows are there",
            query: ["filter", "count", "after", "timeout"], refuses: [404, 408, 409], .wait(ControlAPI.wait)),
        .init(
            "export", "GET", "export", "Rows as a file", query: ["format", "session", "filter"],
            refuses: [404], .long(ControlAPI.export)),
        .init(
            "import", "POST", "import", "Rows of a file as a session to look at", body: .rows,
            .long(ControlAPI.importRows)),
        .init("metrics", "GET", "metrics", "Counters and gauges for Prometheus", .once(ControlAPI.metrics)),
        .init(
            "metricsJSON", "GET", "metrics.json", "The same numbers as JSON", .once(ControlAPI.metricsJSON)),
        .init(
            "reset", "POST", "reset", "Bring the server back to its start, between two tests", body: .object,
            .long(ControlAPI.reset)),
        .init(
            "feed", "GET", "feed", "Rows as they come, over a WebSocket",
            query: ["after", "filter", "token", "also", "rate", "text", "rows"], refuses: [404, 409, 426],
            .feed(ControlAPI.feed)),
        .init("openAPI", "GET", "openapi.json", "This description", .once(ControlAPI.openAPI)),
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
