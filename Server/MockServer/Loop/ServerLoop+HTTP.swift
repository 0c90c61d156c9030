import Clocks
import ConversationEngine
import DialectKit
import HTTPCore
import LawBook
import ServerCore
import SocketTransport
import Timeline
import WebSocketCore

/// Requests in, responses out.
extension ServerLoop {
    func receive(
        _ bytes: UnsafeRawBufferPointer, in exchange: Box<HTTPExchange>, on connection: Connection
    ) {
        act(on: exchange.value.receive(bytes), of: exchange, on: connection)
        updateDeadline(of: connection)
        pauseIfSlow(connection)
    }

    func inputClosed(of exchange: Box<HTTPExchange>, on connection: Connection) {
        act(on: exchange.value.inputClosed(), of: exchange, on: connection)
        if case .http = connection.stage { close(connection) }
    }

    func timeOut(_ exchange: Box<HTTPExchange>, on connection: Connection) {
        switch exchange.value.lateness(exchangeTimes) {
        case .silent(let hasAsked):
            if !hasAsked {
                remark(
                    "connection closed",
                    "no request within \(configuration.limits.handshakeTime) (limits.handshakeTime)",
                    connection)
            }
            close(connection)
        case .refuse(let refusal): refuse(connection, refusal)
        }
    }

    func updateDeadline(of connection: Connection) {
        guard let exchange = connection.exchange,
            let due = exchange.value.nextDeadline(at: clock.now, exchangeTimes)
        else { return }
        setDeadline(due, of: connection)
    }

    private var exchangeTimes: HTTPExchange.Times {
        let limits = configuration.limits
        return HTTPExchange.Times(
            first: limits.handshakeTime, head: limits.headerTime, request: limits.requestTime,
            idle: limits.keepAliveTime)
    }

    private func act(
        on outputs: [RequestParser.Output], of exchange: Box<HTTPExchange>, on connection: Connection
    ) {
        for output in outputs {
            guard case .http = connection.stage else { return }
            guard let step = exchange.value.take(output) else { continue }
            if case .tooMany(let limit) = connection.admission, step.asks {
                return refuseOneTooMany(connection, limit)
            }
            switch step {
            case .judge(let head):
                guard admit(head, of: exchange, on: connection) else { return }
            case .goOn: sockets.write(connection.socket, Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
            case .answer(let head, let body): respond(to: head, body, on: connection)
            case .upgrade(let head, let leftover): upgrade(connection, head, leftover: leftover)
            case .refuse(let refusal): refuse(connection, refusal)
            }
        }
    }

    /// Judges a head before its body: who may not ask, or asks for what is not there, costs no memory.
    ///
    /// - Returns: false when the request is answered already.
    private func admit(
        _ head: RequestHead, of exchange: Box<HTTPExchange>, on connection: Connection
    ) -> Bool {
        var limit = configuration.limits.bodyBytes
        if head.announcesBody, let target = RequestTarget(parsing: head.target),
            let match = routes.match(target)
        {
            if match.owner == .control {
                switch control.judge(head, target) {
                case .answer(let response, let reason):
                    answerEarly(response, to: head, target, because: reason, on: connection)
                    return false
                case .body(let most): limit = max(limit, most)
                }
            } else if let own = match.route(for: head.method)?.bodyBytes {
                limit = own
            }
        }
        guard let refusal = exchange.value.allowBody(upTo: limit) else { return true }
        refuse(connection, refusal)
        return false
    }

    /// Answers before the body has come, and takes none of it.
    private func answerEarly(
        _ response: Response, to head: RequestHead, _ target: RequestTarget, because reason: String?,
        on connection: Connection
    ) {
        tell(.requested(head, body: [], connection: connection.number))
        control.logControl(head, target.path, status: response.status, reason: reason, on: connection)
        let bytes = response.serialized(to: head, closing: true, date: httpDate)
        tellResponse(bytes, response.status, to: head, on: connection)
        sockets.write(connection.socket, bytes)
        close(connection)
    }

    func tellResponse(
        _ bytes: [UInt8], _ status: Int, to head: RequestHead, on connection: Connection, fault: String = ""
    ) {
        tell(.responded(head, bytes, status: status, fault: fault, connection: connection.number))
    }

    func refuse(_ connection: Connection, _ refusal: HTTPCore.Refusal, _ headers: HeaderFields = [:]) {
        let target = connection.exchange?.value.target ?? "/"
        remark("refused request", "\(refusal.status) \(refusal.reason)", connection)
        let head = RequestHead(method: "GET", target: target)
        var response = problem(refusal.status, head, headers, message: refusal.reason)
        // What the request was for is not known, so any page may read why it failed.
        response.headers.set("Access-Control-Allow-Origin", "*")
        sockets.write(connection.socket, response.serialized(to: nil, closing: true, date: httpDate))
        close(connection)
    }

    var httpDate: String { HTTPDate.format(clock.now.secondsSince1970) }

    private func respond(to head: RequestHead, _ body: [UInt8], on connection: Connection) {
        tell(.requested(head, body: body, connection: connection.number))
        let (response, strikes) = response(to: head, body: body, from: connection)
        guard connection.exchange != nil else { return }
        let isLong = response.body.count > ServerLimits.longAnswerBytes
        let isLast = !head.keepsAlive || isStopping || !strikes.isEmpty || isLong
        let bytes = response.serialized(to: head, closing: isLast, date: httpDate)
        tellResponse(
            bytes, response.status, to: head, on: connection,
            fault: strikes.map(\.name).joined(separator: ", "))
        if isLong, strikes.isEmpty { return send(bytes, on: connection) }
        if deliver(bytes, struckBy: strikes, on: connection), isLast { close(connection) }
    }

    private func response(
        to head: RequestHead, body: [UInt8], from connection: Connection
    ) -> (Response, [Strike]) {
        guard let target = RequestTarget(parsing: head.target) else {
            tell(refused: 400, head, because: "the target is no path", on: connection)
            return (readable(problem(400, head), head), [])
        }
        guard let route = routes.match(target) else {
            return (unknownPath(head, target, on: connection), [])
        }
        if route.owner == .control {
            // Without an answer yet the connection waits, and nothing is sent.
            return (control.answer(head, target, body, on: connection) ?? Response(status: 204), [])
        }
        guard head.method != "OPTIONS", let taken = route.route(for: head.method) else {
            if head.method == "OPTIONS" { return (options(head, route, on: connection), []) }
            let refused = wrongMethod(head, route, on: connection)
            return (route.isOpenToPages ? readable(refused, head) : refused, [])
        }
        var strikes: [Strike] = []
        var response: Response
        switch route.owner {
        case .startPage: response = StartPage.response(host: head.headers["Host"] ?? "127.0.0.1")
        case .health: response = health(head)
        case .echo, .control: response = upgradeRequired(head, on: connection)
        case .dialect(let index):
            let request = Request(head, target, body, taken, route.values)
            switch answer(request, dialect: index, connection, &strikes) {
            case .response(let own): response = own
            // A connection asked for outside an upgrade was refused before.
            case .connect: response = Response(status: 426, headers: ["Upgrade": "websocket"])
            case .stream(let handle, let cursor, let headers):
                open((handle, cursor, headers), dialect: index, to: head, struckBy: strikes, on: connection)
                return (Response(status: 200), [])
            }
        }
        if route.isOpenToPages { cors(for: head.target).decorate(&response, for: head) }
        return (response, strikes)
    }

    private func options(
        _ head: RequestHead, _ route: RouteTable.Match, on connection: Connection
    ) -> Response {
        if route.isOpenToPages,
            let response = cors(for: head.target).preflightResponse(for: head, methods: route.methods)
        {
            return response
        }
        if let reason = preflightRefusal(head) { tell(refused: 204, head, because: reason, on: connection) }
        return Response(status: 204, headers: ["Allow": route.allowed])
    }

    private func cors(for target: String) -> CORSPolicy {
        CORSPolicy(exposedHeaders: dialects[routes.dialect(wording: target)].exposedFields)
    }

    /// An error that no dialect words, in the body form of the API, so that every client can read it.
    ///
    /// `message` replaces the usual words, `detail` is said beside them.
    func problem(
        _ status: Int, _ head: RequestHead, _ headers: HeaderFields = [:], message: String? = nil,
        detail: String? = nil
    ) -> Response {
        var host: any DialectHost = Host(loop: self)
        let request = Request(head: head, path: head.target, query: [], body: [])
        let denial = Denial.status(status, message: message, detail: detail)
        var response = dialects[routes.dialect(wording: head.target)].refuse(
            denial, request: request, host: &host)
        for field in headers.fields { response.headers.append(field.name, field.value) }
        return response
    }

    /// Lets pages of other origins read `response`.
    func readable(_ response: Response, _ head: RequestHead) -> Response {
        var response = response
        cors(for: head.target).decorate(&response, for: head)
        return response
    }

    private func answer(
        _ request: Request, dialect index: Int, _ connection: Connection, _ strikes: inout [Strike]
    ) -> Answer {
        strikes = desk.strikes(atRequest: request.operation)
        if let refusal = refusal(by: strikes, request, dialect: index) {
            tell(strikes, of: nil)
            tell(
                .answered(
                    request, status: refusal.status, reason: Self.reason(strikes), peer: connection.peer))
            return .response(refusal)
        }
        var host: any DialectHost = Host(
            loop: self, dialect: index, operation: request.operation, peer: connection.peer, strikes: strikes)
        var answer = dialects[index].answer(request, host: &host)
        let facts = host.facts
        if let host = host as? Host { strikes = host.strikes + host.entered }
        if !strikes.isEmpty {
            tell((host as? Host)?.strikes ?? [], of: nil)
            if let refusal = refusal(by: strikes, request, dialect: index) { answer = .response(refusal) }
        }
        let (status, retryAfter): (Int, String?) =
            switch answer {
            case .response(let response): (response.status, response.headers["Retry-After"])
            case .connect: (101, nil)
            case .stream: (200, nil)
            }
        if let facts {
            tell(
                .judged(
                    facts, operation: request.operation, dialect: index, status: status,
                    retryAfter: retryAfter, connection: connection.number))
        }
        if status != 101 {
            let reason = strikes.isEmpty || status < 400 ? nil : Self.reason(strikes)
            tell(.answered(request, status: status, reason: reason, peer: connection.peer))
        }
        return answer
    }

    /// Sends a response piece by piece, as fast as the client reads, and closes behind it.
    func send(_ bytes: [UInt8], on connection: Connection) {
        connection.stage = .sending(bytes, sent: 0)
        continueAnswer(of: connection)
    }

    func continueAnswer(of connection: Connection) {
        guard case .sending(let bytes, var sent) = connection.stage else { return }
        while sent < bytes.count, sockets.pendingBytes(connection.socket) <= sockets.limits.highWaterBytes {
            let end = min(sent + ServerLimits.answerPieceBytes, bytes.count)
            bytes[sent..<end].withUnsafeBytes { sockets.write(connection.socket, $0) }
            sent = end
        }
        // The write may have found that the client is gone.
        guard case .sending = connection.stage else { return }
        guard sent < bytes.count else { return close(connection) }
        connection.stage = .sending(bytes, sent: sent)
        setDeadline(clock.now + configuration.limits.requestTime, of: connection)
    }

    // MARK: - Upgrades

    private func upgrade(_ connection: Connection, _ head: RequestHead, leftover: [UInt8]) {
        tell(.requested(head, body: [], connection: connection.number))
        guard let target = RequestTarget(parsing: head.target), let match = routes.match(target),
            let route = webSocketRoute(of: match, target)
        else {
            let (response, strikes) = response(to: head, body: [], from: connection)
            guard connection.exchange != nil else { return }
            return answer(response, to: head, struckBy: strikes, on: connection)
        }
        if match.owner == .control { return control.openFeed(connection, head, target, early: leftover) }
        let accepted: Response
        switch ServerHandshake.judge(head) {
        case .accept(let response): accepted = response
        case .refuse(let response):
            let reason = Logger.firstLine(String(decoding: response.body, as: UTF8.self))
            tell(refused: response.status, head, because: reason, on: connection)
            var refused = problem(response.status, head, message: reason)
            for field in response.headers.fields where field.name != "Content-Type" {
                refused.headers.set(field.name, field.value)
            }
            return finish(connection, head, refused)
        }
        guard case .dialect(let index) = match.owner else {
            return accept(head, accepted, for: .echo, early: leftover, on: connection)
        }
        var strikes: [Strike] = []
        let request = Request(head, target, [], route, match.values)
        switch answer(request, dialect: index, connection, &strikes) {
        case .response(let response): finish(connection, head, response, struckBy: strikes)
        case .stream: finish(connection, head, problem(400, head, message: "an event stream is no WebSocket"))
        case .connect(let handle, let cursor, let note):
            if let note { remark("note", note, connection) }
            let struck = engine.handshake(in: handle)
            strikes += struck
            if !struck.isEmpty {
                tell(struck, of: handle)
                if let refusal = refusal(by: struck, request, dialect: index) {
                    tell(refused: refusal.status, head, because: Self.reason(struck), on: connection)
                    return finish(connection, head, refusal, struckBy: strikes)
                }
            }
            guard let holds = FaultPlan.holds(ofAnswerStruckBy: strikes, at: clock.now) else {
                return close(connection)
            }
            let (response, deflate) = route.compresses ? negotiating(accepted, head) : (accepted, nil)
            connect(
                connection,
                Connection.Handshake(
                    response: response, deflate: deflate, channel: Channel(of: handle, dialect: index),
                    early: leftover, holds: holds), cursor: cursor)
        }
    }

    /// The route that opens a WebSocket; the feed of the control API is one, too.
    private func webSocketRoute(of match: RouteTable.Match, _ target: RequestTarget) -> Route? {
        guard match.owner == .control else { return match.webSocket }
        let isFeed = ControlRoute.matches(target).routes.contains(where: \.isWebSocket)
        return isFeed ? Route(ControlRoute.prefix, methods: ["GET"], isWebSocket: true) : nil
    }

    /// Answers a request and closes behind it.
    func answer(
        _ response: Response, to head: RequestHead, struckBy strikes: [Strike] = [], on connection: Connection
    ) {
        let bytes = response.serialized(to: head, closing: true, date: httpDate)
        if deliver(bytes, struckBy: strikes, on: connection) { close(connection) }
    }

    private func finish(
        _ connection: Connection, _ head: RequestHead, _ response: Response, struckBy strikes: [Strike] = []
    ) {
        tell(.handshakeRefused)
        var response = response
        cors(for: head.target).decorate(&response, for: head)
        let bytes = response.serialized(to: head, closing: true, date: httpDate)
        tellResponse(bytes, response.status, to: head, on: connection)
        if deliver(bytes, struckBy: strikes, on: connection) { close(connection) }
    }

    /// Takes a place in the session at once; the 101 and the history follow at their own times.
    private func connect(_ connection: Connection, _ handshake: Connection.Handshake, cursor: UInt64) {
        let now = clock.now
        let handle = handshake.channel.handle
        connection.stage = .handshake(handshake)
        let isAttached = withEngine { engine, effects in
            engine.attach(
                connection.id, to: handle, cursor: cursor, firstFrameAt: .distantFuture, at: now,
                into: &effects)
        }
        guard isAttached else {
            connection.stage = .closing
            return close(connection)
        }
        tell(.connected(link(of: connection), cursor: cursor))
        let delayed = now + entryDelay(configuration.connections.handshakeDelay)
        let due = max(delayed, connection.heldUntil ?? delayed)
        if due <= now, case .handshake(let handshake) = connection.stage {
            complete(handshake, on: connection)
        } else {
            setDeadline(due, of: connection)
        }
    }

    // MARK: - Own pages

    /// The seed tells the ids of sessions to come, so it is for those who may use the control API.
    private func health(_ head: RequestHead) -> Response {
        let uptime = clock.now - startedAt
        var body: [UInt8] = []
        body.append(contentsOf: "{\"status\":\"ok\",\"version\":\"\(MockServer.version)\"".utf8)
        body.append(contentsOf: ",\"uptimeSeconds\":\(max(0, uptime.seconds))".utf8)
        if configuration.control.isOn, control.mayControl(head) {
            body.append(contentsOf: ",\"seed\":\(seed)".utf8)
        }
        body.append(
            contentsOf: ",\"sessions\":\(engine.sessionCount),\"connections\":\(openWebSockets)".utf8)
        let book = chronicle.laws.book
        body.append(
            contentsOf:
                ",\"unmatched\":\(chronicle.unmatched.count),\"breaches\":\(book.breaches.count + book.droppedBreaches)}\n"
                .utf8)
        return Control.hardened(ControlJSON.response(body))
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

extension Happening {
    fileprivate static func answered(
        _ request: Request, status: Int, reason: String?, peer: SocketAddress
    ) -> Happening {
        .answered(
            method: request.head.method, path: request.path, status: status, reason: reason, peer: "\(peer)")
    }
}

extension HTTPExchange.Step {
    /// A whole head has come with it.
    fileprivate var asks: Bool {
        switch self {
        case .judge, .upgrade: true
        case .goOn, .answer, .refuse: false
        }
    }
}

extension RouteTable {
    init(_ parts: ServerParts) {
        var own: [(Owner, Route)] = [
            (.startPage, Route("/", methods: ["GET"])), (.health, Route("/_mock/health", methods: ["GET"])),
        ]
        if parts.configuration.servesEcho {
            own.append((.echo, Route("/_mock/echo", methods: ["GET"], isWebSocket: true)))
        }
        self.init(
            dialects: parts.dialects, own: own,
            control: parts.configuration.control.isOn
                ? (ControlRoute.prefix, ControlRoute.all.map { ($0.method, $0.path) }) : nil)
    }
}
