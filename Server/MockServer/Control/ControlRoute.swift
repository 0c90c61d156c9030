package import HTTPCore
import Texts

/// One operation of the control API. The table is the only list of them:
/// the router reads it, and a test compares `openapi.json` with it in both directions.
package struct ControlRoute: Equatable, Sendable {
    package enum Name: String, CaseIterable, Sendable {
        case health, sessions, session, journal, deleteSession, endSession, pushEvent, actAsAgent
        case runs, answerRun, holdSession, held, releaseFrame, dropFrame
        case troubles, armTrouble, deleteTroubles, deleteTrouble
        case clock, setClock, timers, fireTimer, deleteTimer
        case fixtures, shelveFixture, fixture, saveFixture, checkFixture, tryFixture, reloadFixtures
        case unmatched, laws, wire, wait, export
        case importRows = "import"
        case metrics, metricsJSON, reset, feed, openAPI, index
    }

    package let name: Name
    package let method: String
    /// `{id}`, or what else is in braces, stands for one segment.
    package var path: String { pattern.path }
    private let pattern: RoutePattern
    /// What it is for, as `openapi.json` says it.
    package let about: String
    /// What the query may hold.
    package let query: [String]
    /// Changes something, so that pages of other origins are kept away from it.
    package let writes: Bool
    package let isWebSocket: Bool

    private init(
        _ name: Name, _ method: String, _ path: String, _ about: String, query: [String] = [],
        isWebSocket: Bool = false
    ) {
        self.name = name
        self.method = method
        pattern = RoutePattern(ControlRoute.prefix + path)
        self.about = about
        self.query = query
        writes = method != "GET"
        self.isWebSocket = isWebSocket
    }

    package static let prefix = "/_mock/"
    /// The same without the slash at its end.
    package static let folder = "/_mock"

    package static let all: [ControlRoute] = [
        ControlRoute(.index, "GET", "", "What can be asked for here"),
        ControlRoute(.health, "GET", "health", "Whether the server runs"),
        ControlRoute(
            .sessions, "GET", "sessions", "Sessions that are held, oldest first", query: ["tag", "state"]),
        ControlRoute(
            .session, "GET", "sessions/{id}", "One session with what is in force and under way in it"),
        ControlRoute(.deleteSession, "DELETE", "sessions/{id}", "End a session and forget it"),
        ControlRoute(
            .journal, "GET", "sessions/{id}/journal", "The journal of a session", query: ["after", "as"]),
        ControlRoute(.endSession, "POST", "sessions/{id}/end", "End a session"),
        ControlRoute(
            .pushEvent, "POST", "sessions/{id}/events", "Tell a session's clients something at once"),
        ControlRoute(.actAsAgent, "POST", "sessions/{id}/agent", "Act as the live agent of a session"),
        ControlRoute(
            .runs, "GET", "sessions/{id}/runs", "The runs of a session, and what waits for an answer",
            query: ["wires", "last"]),
        ControlRoute(
            .answerRun, "POST", "sessions/{id}/runs", "Answer what a run waits for, in place of the client"),
        ControlRoute(
            .holdSession, "POST", "sessions/{id}/hold",
            "Have a session's frames wait for a person, or no longer"),
        ControlRoute(.held, "GET", "held", "Frames that wait for a person", query: ["session"]),
        ControlRoute(.releaseFrame, "POST", "held/{id}", "Let a frame go, as it is or changed"),
        ControlRoute(.dropFrame, "DELETE", "held/{id}", "Take a frame away; it is never sent"),
        ControlRoute(.troubles, "GET", "troubles", "Troubles armed from outside"),
        ControlRoute(.armTrouble, "POST", "troubles", "Arm a trouble"),
        ControlRoute(.deleteTroubles, "DELETE", "troubles", "Take all troubles away"),
        ControlRoute(.deleteTrouble, "DELETE", "troubles/{id}", "Take one trouble away"),
        ControlRoute(.clock, "GET", "clock", "The server's clock"),
        ControlRoute(.setClock, "POST", "clock", "Steer the clock"),
        ControlRoute(.timers, "GET", "timers", "What will happen by itself, earliest first"),
        ControlRoute(.fireTimer, "POST", "timers/{id}/fire", "Let one timer run now"),
        ControlRoute(.deleteTimer, "DELETE", "timers/{id}", "Take one timer away"),
        ControlRoute(.fixtures, "GET", "fixtures", "The fixtures that can be played"),
        ControlRoute(.shelveFixture, "POST", "fixtures", "Bring a fixture along as text"),
        ControlRoute(.fixture, "GET", "fixtures/{name}", "One fixture with its text, rules and uses"),
        ControlRoute(.saveFixture, "PUT", "fixtures/{name}", "Save the file of a fixture, and play it"),
        ControlRoute(.checkFixture, "POST", "fixtures/check", "What is wrong with the text of a fixture"),
        ControlRoute(.tryFixture, "POST", "fixtures/try", "Which rule would answer a message, or why none"),
        ControlRoute(.reloadFixtures, "POST", "fixtures/reload", "Look at the fixture files again"),
        ControlRoute(
            .unmatched, "GET", "unmatched", "Messages that no rule heard, requests that nothing answers",
            query: ["after"]),
        ControlRoute(
            .laws, "GET", "laws", "The laws of the protocol, and who broke them", query: ["after"]),
        ControlRoute(
            .wire, "GET", "wire", "Rows of the wire, oldest first",
            query: ["filter", "after", "limit", "last", "text"]),
        ControlRoute(
            .wait, "GET", "wait", "Wait until rows are there", query: ["filter", "count", "after", "timeout"]),
        ControlRoute(.export, "GET", "export", "Rows as a file", query: ["format", "session", "filter"]),
        ControlRoute(.importRows, "POST", "import", "Rows of a file as a session to look at"),
        ControlRoute(.metrics, "GET", "metrics", "Counters and gauges for Prometheus"),
        ControlRoute(.metricsJSON, "GET", "metrics.json", "The same numbers as JSON"),
        ControlRoute(.reset, "POST", "reset", "Bring the server back to its start, between two tests"),
        ControlRoute(
            .feed, "GET", "feed", "Rows as they come, over a WebSocket",
            query: ["after", "filter", "token", "also", "rate", "text", "rows"], isWebSocket: true),
        ControlRoute(.openAPI, "GET", "openapi.json", "This description"),
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
