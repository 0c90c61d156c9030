import ConversationEngine
import DialectKit
import HTTPCore
import ServerCore

/// Routing of requests.
extension Server {
    /// The session to which a request opens a connection, and the position in the session's history.
    struct Opening {
        let handle: SessionHandle
        let cursor: UInt64
        let dialect: Int
        let firings: [FiredFault]
        /// Number of the participant whose connection is opened, assigned by the dialect.
        var party = 0
    }

    enum Outcome {
        /// A response, which faults may delay or cut.
        case response(Response, firedBy: [FiredFault])
        /// A response that a queue computes. `from` is the approximate size of its input in bytes.
        case later(from: Int, @Sendable () -> Response, firedBy: [FiredFault])
        /// The control API answers the request, at once or later.
        case control(RequestTarget)
        /// An event stream that begins with the head of this response.
        case stream(Opening, Response, ClientInput?)
    }

    /// The decision on a request, made from its head before the body is read.
    enum Judgement {
        case body(limit: Int)
        case control(RequestTarget)
        /// The answer does not depend on the body.
        case answer
        case refuse(Response)
    }

    enum Upgrade {
        /// The request opens no WebSocket.
        case ordinary
        /// A refusal, which faults may delay or cut.
        case refuse(Response, firedBy: [FiredFault])
        case feed(RequestTarget)
        case echo(Response)
        case connect(Opening, Response, compresses: Bool)
    }

    /// Returns work that a queue must do before the answer, or nil.
    func preparation(of head: RequestHead, body: [UInt8]) -> (@Sendable () -> any Sendable)? {
        let isLong = body.count > ServerLimits.shortBodyBytes
        let destination = destination(of: head.target)
        guard isLong || destination.hasQuery else { return nil }
        guard let target = destination.target, let match = destination.match else { return nil }
        if match.owner == .control { return ReadFilter.preparation(of: head, target, configuration) }
        guard isLong, case .dialect(let index) = match.owner, let taken = match.route(for: head.method) else {
            return nil
        }
        return dialects[index].preparation(of: Request(head, target, body, taken, match.values))
    }

    /// Decides on a request. `prepared` is the result of a queue, if any.
    func answer(
        _ head: RequestHead, body: [UInt8], prepared: (any Sendable)? = nil, from connection: Connection
    ) -> Outcome {
        let destination = destination(of: head.target)
        guard let target = destination.target else {
            log(refused: 400, head, because: "the target is no path", on: connection)
            return .response(readable(problem(400, head), head), firedBy: [])
        }
        guard let route = destination.match else {
            if let preflight = preflight(head, methods: []) { return .response(preflight, firedBy: []) }
            return .response(unknownPath(head, target, on: connection), firedBy: [])
        }
        if route.owner == .control { return .control(target) }
        guard head.method != "OPTIONS", let taken = route.route(for: head.method) else {
            if head.method == "OPTIONS" {
                return .response(options(head, route, on: connection), firedBy: [])
            }
            if route.routes.allSatisfy(\.isOfSomeSessions) {
                return .response(unknownPath(head, target, on: connection), firedBy: [])
            }
            let refused = wrongMethod(head, route, on: connection)
            return .response(readable(refused, head), firedBy: [])
        }
        var firings: [FiredFault] = []
        var party = 0
        var response: Response
        switch route.owner {
        case .startPage:
            response = StartPage.response(
                host: head.headers["Host"] ?? "127.0.0.1", controls: configuration.control.isOn)
        case .pages: response = pages.response(to: head, route: taken.path, route.values)
        case .health: response = health(head)
        case .echo, .control: response = upgradeRequired(head, on: connection)
        case .dialect(let index):
            var request = Request(head, target, body, taken, route.values)
            request.prepared = prepared
            switch answer(request, dialect: index, connection, &firings, &party) {
            case .response(let own): response = own
            case .unknownPath:
                return .response(unknownPath(head, target, on: connection), firedBy: firings)
            case .later(let bytes, let make):
                let isDecorated = route.isOpenToPages && head.headers["Origin"] != nil
                let policy = isDecorated ? cors(of: destination.dialect) : nil
                return .later(
                    from: bytes,
                    {
                        var response = make()
                        policy?.decorate(&response, for: head)
                        return response
                    }, firedBy: firings)
            // A fallback, because dialects themselves refuse a request to a WebSocket route without `Upgrade`.
            case .connect: response = Response(status: 426, headers: ["Upgrade": "websocket"])
            case .stream(let handle, let cursor, let headers, var input):
                input?.mark = events.recorder.requestRow
                var stream = Response(
                    status: 200, headers: ["Content-Type": "text/event-stream", "Cache-Control": "no-cache"])
                for field in headers.fields { stream.headers.set(field.name, field.value) }
                if route.isOpenToPages { cors(of: destination.dialect).decorate(&stream, for: head) }
                return .stream(
                    Opening(handle: handle, cursor: cursor, dialect: index, firings: firings), stream, input)
            }
        }
        // Pages of any origin may read open routes.
        if route.isOpenToPages, head.headers["Origin"] != nil {
            cors(of: destination.dialect).decorate(&response, for: head)
        }
        return .response(response, firedBy: firings)
    }

    /// Decides on a request that announces a body, from its path, method and head.
    func judge(_ head: RequestHead, hasWholeBody: Bool, from connection: Connection) -> Judgement {
        let destination = destination(of: head.target)
        // The usual case, without copies of target and match. Refusing a body that has arrived would save no memory.
        if hasWholeBody, destination.takesBody(head.method) {
            return .body(limit: configuration.limits.bodyBytes)
        }
        guard let target = destination.target, let match = destination.match else { return .answer }
        if match.owner == .control { return .control(target) }
        guard case .dialect(let index) = match.owner, head.method != "OPTIONS",
            let route = match.route(for: head.method), !route.isWebSocket, route.takesBody
        else { return .answer }
        let request = Request(head, target, [], route, match.values)
        var host: any DialectContext = RequestContext(
            self, dialect: index, operation: request.operation, peer: connection.peer, head: head)
        switch dialects[index].judge(request, host: &host) {
        case .body: return .body(limit: route.bodyBytes ?? configuration.limits.bodyBytes)
        case .answer: return .answer
        case .refuse(let response):
            let reason = "there is no room for it (limits.journalTotalBytes)"
            log(refused: response.status, head, because: reason, on: connection)
            return .refuse(readable(response, head))
        }
    }

    /// Refuses a page of another origin on a route that is closed to such pages.
    func foreignRefusal(_ head: RequestHead, on connection: Connection) -> Response? {
        guard destination(of: head.target).refusesPages, let shown = ControlGate.foreignPage(in: head)
        else { return nil }
        let reason = "pages of other origins may not ask for it (\(shown)), programs may"
        log(refused: 403, head, because: reason, on: connection)
        return problem(403, head, detail: reason)
    }

    private func options(
        _ head: RequestHead, _ route: RouteTable.Match, on connection: Connection
    ) -> Response {
        if let response = preflight(head, methods: route.methods) { return response }
        if let reason = preflightRefusal(head) { log(refused: 204, head, because: reason, on: connection) }
        return Response(status: 204, headers: ["Allow": route.allowed])
    }

    /// Answers a CORS preflight request, or returns nil.
    private func preflight(_ head: RequestHead, methods: [String]) -> Response? {
        guard isOpenToPages(head.target) else { return nil }
        let own = dialects[routes.dialect(wording: head.target)].preflightMethods
        let methods = own.isEmpty ? methods : own
        guard !methods.isEmpty else { return nil }
        return cors(for: head.target).preflightResponse(for: head, methods: methods)
    }

    func cors(for target: String) -> CORSPolicy { cors(of: routes.dialect(wording: target)) }

    func cors(of dialect: Int) -> CORSPolicy {
        CORSPolicy(exposedHeaders: dialects[dialect].exposedFields)
    }

    /// The response for an error, in the dialect's format. `message` replaces the default text; `detail` is added to
    /// it.
    func problem(
        _ status: Int, _ head: RequestHead, _ headers: HeaderFields = [:], message: String? = nil,
        detail: String? = nil
    ) -> Response {
        var host: any DialectContext = RequestContext(self)
        let request = Request(head: head, path: head.target, query: [], body: [])
        let denial = Rejection.status(status, message: message, detail: detail)
        var response = dialects[routes.dialect(wording: head.target)].refuse(
            denial, request: request, host: &host)
        for field in headers.fields { response.headers.append(field.name, field.value) }
        return response
    }

    /// Adds the CORS fields if pages of other origins may read the response.
    func readable(_ response: Response, _ head: RequestHead) -> Response {
        guard isOpenToPages(head.target) else { return response }
        var response = response
        cors(for: head.target).decorate(&response, for: head)
        return response
    }

    /// Whether pages of any origin may read answers. A path without a route is open, unless it is the server's own.
    func isOpenToPages(_ target: String) -> Bool {
        let destination = destination(of: target)
        return destination.match?.isOpenToPages ?? (destination.clients != nil)
    }

    func answer(
        _ request: Request, dialect index: Int, _ connection: Connection, _ firings: inout [FiredFault],
        _ party: inout Int
    ) -> Answer {
        firings = faults.firings(atRequest: request.operation)
        if let refusal = refusal(by: firings, request, dialect: index) {
            record(firings, of: nil)
            record(
                .answered(
                    request, status: refusal.status, reason: Self.reason(firings), peer: connection.peer))
            return .response(refusal)
        }
        let host = RequestContext(
            self, dialect: index, operation: request.operation, peer: connection.peer,
            head: request.head, firings: firings)
        var asked: any DialectContext = host
        var answer = dialects[index].answer(request, host: &asked)
        (firings, party) = (host.firings + host.entered, host.party)
        if !firings.isEmpty {
            record(host.firings, of: nil)
            if let refusal = refusal(by: firings, request, dialect: index) { answer = .response(refusal) }
        }
        let (status, retryAfter): (Int, String?) =
            switch answer {
            case .response(let response): (response.status, response.headers["Retry-After"])
            case .connect: (101, nil)
            case .unknownPath: (404, nil)
            case .stream, .later: (200, nil)
            }
        let now = clock.now
        // Not a copy of the facts, which would retain their six values.
        if let facts = host.takeFacts() {
            record(
                .judged(
                    facts, operation: request.operation, dialect: index, status: status,
                    retryAfter: retryAfter, connection: connection.number),
                at: now)
        }
        if status != 101 {
            guard events.readsAnswers else {
                events.forgetCause()
                return answer
            }
            let reason = firings.isEmpty || status < 400 ? nil : Self.reason(firings)
            record(.answered(request, status: status, reason: reason, peer: connection.peer), at: now)
        }
        return answer
    }

    // MARK: - Faults

    /// Returns the refusal that a fault causes, worded by the dialect, or nil.
    func refusal(by firings: [FiredFault], _ request: Request, dialect: Int) -> Response? {
        for firing in firings {
            guard let refusal = firing.refusal else { continue }
            var host: any DialectContext = RequestContext(self, dialect: dialect)
            var response = dialects[dialect].refuse(
                .status(refusal.status, type: refusal.type, retryAfter: refusal.retryAfter), request: request,
                host: &host)
            if let body = refusal.answer?.body { response.body = Array(body.utf8) }
            if let type = refusal.answer?.contentType { response.headers.set("Content-Type", type) }
            if let location = refusal.answer?.location { response.headers.set("Location", location) }
            return response
        }
        return nil
    }

    /// Records firings. `handle` is the session whose faults they are, if any.
    func record(_ firings: [FiredFault], of handle: SessionHandle?) {
        let session = handle.map { sessionID(of: $0) } ?? ""
        for firing in firings {
            if let handle {
                noteFiring(firing, in: handle)
            } else {
                // No `line`, because the registry has already counted these firings for the scenario line.
                faults.noteFiring(firing, line: nil, at: clock.now)
            }
            record(.fired(firing.name, session: session))
        }
    }
}

extension Request {
    init(
        _ head: RequestHead, _ target: RequestTarget, _ body: [UInt8], _ route: Route? = nil,
        _ values: [String: String] = [:]
    ) {
        self.init(
            head: head, path: target.path, query: target.query.map { ($0.name, $0.value) }, body: body,
            operation: route?.operation ?? "", values: values)
    }
}

extension RouteTable {
    init(_ parts: ServerDependencies) {
        var own: [(Owner, Route)] = [
            (.startPage, Route("/", methods: ["GET"])), (.health, Route("/_mock/health", methods: ["GET"])),
        ]
        own += WebPages.routes.map { (.pages, $0) }
        if parts.configuration.servesEcho {
            own.append((.echo, Route("/_mock/echo", methods: ["GET"], isWebSocket: true)))
        }
        self.init(
            dialects: parts.dialects, own: own,
            control: parts.configuration.control.isOn
                ? (ControlRoute.prefix, { ControlRoute.all.map { ($0.method, $0.path) } }) : nil,
            isOwn: { ControlRoute.isOwn($0) || WebPages.isOwn($0) })
    }
}

extension String {
    func before(_ end: Character) -> String { String(prefix { $0 != end }) }
}
