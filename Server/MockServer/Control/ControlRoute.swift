package import HTTPCore

/// One operation of the control API (mock-server TS-10, chat-ui 3.14). The table is the only list of them:
/// the router reads it, and a test compares `openapi.json` with it in both directions.
package struct ControlRoute: Equatable, Sendable {
    package enum Name: String, CaseIterable, Sendable {
        case health, sessions, session, journal, deleteSession, endSession, pushEvent, actAsAgent
        case troubles, armTrouble, deleteTroubles, deleteTrouble
        case clock, setClock, timers
        case fixtures, shelveFixture, tryFixture, reloadFixtures
        case unmatched, laws, wire, wait, export
        case importRows = "import"
        case metrics, metricsJSON, reset, feed, openAPI
    }

    package let name: Name
    package let method: String
    /// `{id}` stands for one segment.
    package let path: String
    /// What the query may hold.
    package let query: [String]
    /// Changes something, so that pages of other origins are kept away from it.
    package let writes: Bool
    package let isWebSocket: Bool

    private init(
        _ name: Name, _ method: String, _ path: String, query: [String] = [], isWebSocket: Bool = false
    ) {
        self.name = name
        self.method = method
        self.path = ControlRoute.prefix + path
        self.query = query
        writes = method != "GET"
        self.isWebSocket = isWebSocket
    }

    package static let prefix = "/_mock/"

    package static let all: [ControlRoute] = [
        ControlRoute(.health, "GET", "health"),
        ControlRoute(.sessions, "GET", "sessions", query: ["tag", "state"]),
        ControlRoute(.session, "GET", "sessions/{id}"),
        ControlRoute(.deleteSession, "DELETE", "sessions/{id}"),
        ControlRoute(.journal, "GET", "sessions/{id}/journal", query: ["after"]),
        ControlRoute(.endSession, "POST", "sessions/{id}/end"),
        ControlRoute(.pushEvent, "POST", "sessions/{id}/events"),
        ControlRoute(.actAsAgent, "POST", "sessions/{id}/agent"),
        ControlRoute(.troubles, "GET", "troubles"),
        ControlRoute(.armTrouble, "POST", "troubles"),
        ControlRoute(.deleteTroubles, "DELETE", "troubles"),
        ControlRoute(.deleteTrouble, "DELETE", "troubles/{id}"),
        ControlRoute(.clock, "GET", "clock"),
        ControlRoute(.setClock, "POST", "clock"),
        ControlRoute(.timers, "GET", "timers"),
        ControlRoute(.fixtures, "GET", "fixtures"),
        ControlRoute(.shelveFixture, "POST", "fixtures"),
        ControlRoute(.tryFixture, "POST", "fixtures/try"),
        ControlRoute(.reloadFixtures, "POST", "fixtures/reload"),
        ControlRoute(.unmatched, "GET", "unmatched", query: ["after"]),
        ControlRoute(.laws, "GET", "laws"),
        ControlRoute(.wire, "GET", "wire", query: ["filter", "after", "limit"]),
        ControlRoute(.wait, "GET", "wait", query: ["filter", "count", "after", "timeout"]),
        ControlRoute(.export, "GET", "export", query: ["format", "session", "filter"]),
        ControlRoute(.importRows, "POST", "import"),
        ControlRoute(.metrics, "GET", "metrics"),
        ControlRoute(.metricsJSON, "GET", "metrics.json"),
        ControlRoute(.reset, "POST", "reset"),
        ControlRoute(.feed, "GET", "feed", query: ["after", "filter", "token"], isWebSocket: true),
        ControlRoute(.openAPI, "GET", "openapi.json"),
    ]

    /// The routes of `path`, whatever their methods, and what stands for `{id}`.
    ///
    /// Each segment is decoded by itself, so that an id with a slash in it stays an id.
    package static func matches(_ target: RequestTarget) -> (routes: [ControlRoute], id: String?) {
        var wanted: [String] = []
        for segment in target.rawPath.split(separator: "/") {
            guard let decoded = PercentCoding.decode(segment), decoded != ".", decoded != ".." else {
                return ([], nil)
            }
            wanted.append(decoded)
        }
        var id: String?
        let routes = all.filter { route in
            let pattern = route.path.split(separator: "/")
            guard pattern.count == wanted.count else { return false }
            for (part, segment) in zip(pattern, wanted) where part != segment {
                guard part == "{id}" else { return false }
                id = segment
            }
            return true
        }
        return (routes, id)
    }
}
