import Clocks
import ConversationEngine
import DialectKit
import HTTPCore
import ServerCore
import Texts
import Timeline
import WebSocketCore

/// The control API: access control, routing and handlers of requests for `/_mock/…`.
struct ControlAPI {
    let server: Server
    var request = Self.noRequest
    /// The value of the path parameter.
    var id = ""
    /// The body, if a queue has parsed it.
    var body: ControlBody?
    /// The query's filter, if a queue has parsed it.
    var readFilter: ReadFilter?

    private static let noRequest = Request(
        head: RequestHead(method: "GET", target: ControlRoute.prefix), path: ControlRoute.prefix, query: [],
        body: [])

    var timeline: Timeline { server.timeline }
    var now: Instant { server.now }

    /// Answers a request. Returns nil if the answer comes later.
    func answer(
        _ head: RequestHead, _ target: RequestTarget, _ body: [UInt8], _ prepared: (any Sendable)? = nil,
        on connection: Connection
    ) -> Response? {
        server.record(.controlled)
        let response: Response?
        var reason = server.preflightRefusal(head)
        do throws(ControlProblem) {
            let answer = try routed(head, target, body, prepared as? ReadFilter, on: connection)
            let isFormer = target.segments.map { FormerNames.path($0) != $0 } == true
            response = isFormer ? answer.map(ControlJSON.withFormerNames) : answer
        } catch {
            response = error.response
            reason = error.message
        }
        if let response {
            server.logControl(head, target.path, status: response.status, reason: reason, on: connection)
        }
        return response
    }

    private func routed(
        _ head: RequestHead, _ target: RequestTarget, _ body: [UInt8], _ filter: ReadFilter?,
        on connection: Connection
    ) throws(ControlProblem) -> Response? {
        // A request that moves the clock must not time out its own connection.
        server.setDeadline(nil, of: connection)
        let (routes, id) = ControlRoute.matches(target)
        guard let route = Self.route(for: head, among: routes) else {
            if let refusal = gate.refusal(ofForeign: head) { throw refusal }
            return try other(head, target, routes)
        }
        if let refusal = gate.refusal(of: head, for: route, hasBody: !body.isEmpty) { throw refusal }
        let asked = ControlAPI(
            server: server, request: Request(head, target, body), id: id ?? "", readFilter: filter)
        if !route.isWebSocket { try asked.checkQuery(of: route) }
        let isLong = body.count > ServerLimits.Control.shortBody && route.body != .rows
        switch route.answer {
        case .once(let answer) where isLong:
            let work = asked.reading { control throws(ControlProblem) in
                .done(.success(try answer(control)()))
            }
            return try begin(work, head, on: connection)
        case .long(let work) where isLong:
            let reading = asked.reading { control throws(ControlProblem) in
                .followed(by: try work(control)())
            }
            return try begin(reading, head, on: connection)
        case .once(let answer): return try answer(asked)()
        case .long(let work): return try begin(try work(asked)(), head, on: connection)
        case .wait(let wait): return try begin(try wait(asked)(), on: connection)
        case .feed:
            throw ControlProblem(
                426, "\(route.path) is a WebSocket; ask for an upgrade.", headers: ["Upgrade": "websocket"])
        // The path has two slashes in a row, such as `/_mock//health`.
        case nil:
            throw ControlProblem(
                404, "There is no \(Logger.clip(target.rawPath)) here; did you mean \(route.path)?")
        }
    }

    /// Returns the route of the method. HEAD is answered like GET, without the body (RFC 9110 §9.3.2).
    private static func route(for head: RequestHead, among routes: [ControlRoute]) -> ControlRoute? {
        let method = head.method == "HEAD" ? "GET" : head.method
        return routes.first { $0.method == method }
    }

    enum Judgement {
        case answer(Response, because: String?)

        case body(limit: Int)
    }

    /// Checks route, method and access before the body is read.
    func judge(_ head: RequestHead, _ target: RequestTarget) -> Judgement {
        do throws(ControlProblem) {
            let routes = ControlRoute.matches(target).routes
            guard let route = Self.route(for: head, among: routes) else {
                if let refusal = gate.refusal(ofForeign: head) { throw refusal }
                return .answer(try other(head, target, routes), because: nil)
            }
            // A chunked request without a Content-Type may be empty.
            let hasBody = head.headers["Content-Length"] != nil || head.headers["Content-Type"] != nil
            if let refusal = gate.refusal(of: head, for: route, hasBody: hasBody) { throw refusal }
            return .body(limit: route.body?.limit ?? 0)
        } catch {
            return .answer(error.response, because: error.message)
        }
    }

    private var gate: ControlGate { ControlGate(server.configuration) }

    private func other(
        _ head: RequestHead, _ target: RequestTarget, _ routes: [ControlRoute]
    ) throws(ControlProblem) -> Response {
        // Shows the path as sent, because a decoded path may look like another one.
        let asked = Logger.clip(target.rawPath)
        if let folded = ControlRoute.folded(target), routes.isEmpty || head.method != "OPTIONS" {
            throw ControlProblem(
                404,
                "\(asked) has a slash too many, as if something were missing there; \(folded) changes something, "
                    + "so its path is taken letter by letter.")
        }
        guard !routes.isEmpty else {
            let meant = Self.suggestion(for: target.path, among: ControlRoute.all.map(\.path))
            throw ControlProblem(
                404,
                "There is no \(asked) here; "
                    + (meant.map { "did you mean \($0)?" }
                        ?? "\(ControlRoute.prefix)openapi.json lists what is."))
        }
        var methods = routes.map(\.method)
        if methods.contains("GET") { methods.append("HEAD") }
        let allowed = (methods + ["OPTIONS"]).joined(separator: ", ")
        if head.method == "OPTIONS" { return Response(status: 204, headers: ["Allow": allowed]) }
        throw ControlProblem(
            405,
            "\(routes[0].path) does not take \(Logger.clip(head.method)); use "
                + "\(routes.map(\.method).joined(separator: " or ")).", headers: ["Allow": allowed])
    }

    private func checkQuery(of route: ControlRoute) throws(ControlProblem) {
        for item in request.query where !route.query.contains(item.name) {
            let meant = Self.suggestion(for: item.name, among: route.query)
            let hint =
                meant.map { "did you mean ?\($0)=?" }
                ?? (route.query.isEmpty
                    ? "it takes none." : "it takes \(route.query.joined(separator: ", ")).")
            throw .bad("\(route.path) has no query \"\(Logger.clip(item.name))\"; \(hint)")
        }
    }

    // MARK: - Feed

    func openFeed(_ connection: Connection, _ head: RequestHead, _ target: RequestTarget, early: [UInt8]) {
        guard let prepare = ReadFilter.preparation(of: head, target, server.configuration) else {
            return openFeed(connection, head, target, nil, early: early)
        }
        server.work(on: connection, for: head, .medium, prepare) { server, connection, filter in
            server.control.openFeed(connection, head, target, filter, early: early)
        }
    }

    private func openFeed(
        _ connection: Connection, _ head: RequestHead, _ target: RequestTarget, _ filter: ReadFilter?,
        early: [UInt8]
    ) {
        do throws(ControlProblem) {
            guard let route = ControlRoute.matches(target).routes.first(where: \.isWebSocket),
                case .feed(let makeFeed)? = route.answer
            else { return expect(false, "only a feed is opened as one") }
            let asked = ControlAPI(server: server, request: Request(head, target, []), readFilter: filter)
            let token = asked.request.query("token")
            if let refusal = gate.refusal(of: head, for: route, hasBody: false, queryToken: token) {
                throw refusal
            }
            try asked.checkQuery(of: route)
            let feed = try makeFeed(asked)()
            switch ServerHandshake.judge(head) {
            case .refuse(let response):
                let reason = Logger.firstLine(String(decoding: response.body, as: UTF8.self))
                return refuseFeed(connection, head, response, because: reason)
            case .accept(let response):
                server.accept(head, response, for: .feed(feed), early: early, on: connection)
                watch(connection)
                if let changes = feed.changes { beginChanges(of: changes) }
                hint(at: feed, of: connection)
                continueFeed(of: connection, in: makeTurn())
            }
        } catch {
            refuseFeed(connection, head, error.response, because: error.message)
        }
    }

    private func refuseFeed(
        _ connection: Connection, _ head: RequestHead, _ response: Response, because reason: String
    ) {
        server.log(refused: response.status, head, because: reason, on: connection)
        server.record(.handshakeRefused)
        server.answer(response, to: head, on: connection)
    }
}

extension ControlAPI {
    struct State {
        var watching: [ConnectionID] = []
        /// Random generator for ids of pushed messages and runs.
        var identities: SeededGenerator
        var imports = 0
        var usesAtReset: [RuleRecord.Key: Int] = [:]
        /// Intercepted sessions, each with the maximum time that a frame is held.
        var holds: [SessionHandle: Interval] = [:]
        var heldCount: UInt64 = 0
        /// Held frames by id, including frames already released.
        var heldSince: [UInt64: Held] = [:]
        /// The next step of each long answer, by connection.
        var works: [ConnectionID: Work.Step] = [:]
        var isComparing = false
        var isTurnDue = false
        /// Budget of work on rows in one turn of the loop.
        let steps = StepBudget()
        /// Next wall-clock deadline of waits, held frames and changes in feeds.
        var realDeadline: Instant?
        var clockMoves = 0

        init(seed: UInt64) { identities = SeededGenerator(seed: seed).stream("control") }

        struct Held {
            let since: Instant
            /// Wall-clock time at which the frame is released.
            var realEnd: Instant?
        }
    }
}

/// A request that waits for rows (`GET /_mock/wait`).
struct RowWait {
    let head: RequestHead
    let filter: RowFilter
    let count: Int
    let timeout: Interval
    var deadline: Instant
    /// The deadline by the wall clock.
    let realDeadline: Instant
    /// Whether the server's clock was stopped when the wait began.
    let isClockStopped: Bool
    /// The number of the newest compared row.
    var seen: UInt64
    /// Only rows with higher numbers count.
    let after: UInt64
    var found: [Row] = []
    var isAway = false

    var foundBytes: Int { found.reduce(0) { $0 + $1.raw.count + ($1.original?.count ?? 0) } }

    var isAnswered: Bool { found.count >= count }
}
