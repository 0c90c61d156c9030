import Clocks
import ConversationEngine
import DialectKit
import HTTPCore
import LawBook
import SocketTransport
import Timeline
import WebSocketCore

/// Requests in, responses out.
extension ServerLoop {
    func receiveHTTP(_ bytes: UnsafeRawBufferPointer, on connection: Connection) {
        var outputs: [RequestParser.Output] = []
        connection.parser?.value.receive(bytes) { outputs.append($0) }
        act(on: outputs, of: connection)
        updateDeadline(of: connection)
        pauseIfSlow(connection)
    }

    func inputClosedHTTP(_ connection: Connection) {
        act(on: connection.parser?.value.inputClosed() ?? [], of: connection)
        if case .http = connection.stage { close(connection) }
    }

    func timeOutHTTP(_ connection: Connection) {
        let limits = configuration.limits
        guard connection.parser?.value.isIdle != true else {
            if !connection.hasAsked {
                log.line(
                    "connection closed", peer: connection.peer,
                    "no request within \(limits.handshakeTime) (limits.handshakeTime)")
            }
            return close(connection)
        }
        let limit: String
        if connection.head != nil {
            limit = "The request did not arrive completely within \(limits.requestTime) (limits.requestTime)."
        } else if connection.hasAsked || limits.headerTime < limits.handshakeTime {
            limit = "The head of the request did not arrive within \(limits.headerTime) (limits.headerTime)."
        } else {
            limit = "No request arrived within \(limits.handshakeTime) (limits.handshakeTime)."
        }
        refuse(connection, HTTPCore.Refusal(status: 408, reason: limit))
    }

    /// A head and a whole request have one deadline each, however slowly they drip; silence between requests has
    /// another. The first head must also come in the time that began with the connection.
    func updateDeadline(of connection: Connection) {
        guard case .http = connection.stage else { return }
        let limits = configuration.limits
        guard connection.parser?.value.isIdle != true else {
            connection.requestBegan = nil
            guard connection.hasAsked else { return }
            return setDeadline(clock.now + limits.keepAliveTime, of: connection)
        }
        if connection.head != nil, let began = connection.requestBegan {
            setDeadline(began + limits.requestTime, of: connection)
        } else if connection.requestBegan == nil {
            let now = clock.now
            connection.requestBegan = now
            // A head that ended with these bytes leaves a body to wait for.
            let time =
                connection.head == nil ? min(limits.headerTime, limits.requestTime) : limits.requestTime
            var due = now + time
            if !connection.hasAsked, let first = deadlines.deadline(of: Int32(connection.socket.slot)) {
                due = min(due, first)
            }
            setDeadline(due, of: connection)
        }
    }

    private func act(on outputs: [RequestParser.Output], of connection: Connection) {
        for output in outputs {
            guard case .http = connection.stage else { return }
            switch output {
            case .head, .upgrade:
                if let crowd = connection.crowd { return refuseOneTooMany(connection, crowd) }
            default: break
            }
            switch output {
            case .head(let head):
                connection.head = head
                connection.body = []
                connection.hasAsked = true
                guard admit(head, on: connection) else { return }
            case .expectContinue:
                sockets.write(connection.socket, Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
            case .body(let bytes):
                guard connection.body.count + bytes.count <= connection.bodyLimit else {
                    return refuse(connection, tooLarge(connection.bodyLimit))
                }
                connection.body.append(contentsOf: bytes)
            case .trailers: break
            case .end: respond(on: connection)
            case .upgrade(let head, let leftover): upgrade(connection, head, leftover: leftover)
            case .refuse(let refusal): refuse(connection, refusal)
            }
        }
    }

    /// Decides by the head alone whether the body is taken, and how much of it: who may not ask, or asks for what is
    /// not there, costs no memory.
    ///
    /// - Returns: false when the request is answered already.
    private func admit(_ head: RequestHead, on connection: Connection) -> Bool {
        connection.bodyLimit = configuration.limits.bodyBytes
        guard head.announcesBody else { return true }
        if let target = RequestTarget(parsing: head.target), routes.match(target)?.target == .control {
            switch judge(head, target) {
            case .answer(let response, let reason):
                answerEarly(response, to: head, target, because: reason, on: connection)
                return false
            case .body(let limit): connection.bodyLimit = max(connection.bodyLimit, limit)
            }
        }
        // What is no number is larger than any limit.
        let length = head.headers["Content-Length"].map { Int($0) ?? .max } ?? 0
        guard length <= connection.bodyLimit else {
            refuse(connection, tooLarge(connection.bodyLimit))
            return false
        }
        return true
    }

    /// Answers before the body has come, and takes none of it.
    private func answerEarly(
        _ response: Response, to head: RequestHead, _ target: RequestTarget, because reason: String?,
        on connection: Connection
    ) {
        connection.head = nil
        noteRequest(head, body: [], on: connection)
        logControl(head, target.path, status: response.status, reason: reason, on: connection)
        let bytes = response.serialized(to: head, closing: true, date: httpDate)
        noteResponse(bytes, status: response.status, to: head, on: connection)
        sockets.write(connection.socket, bytes)
        close(connection)
    }

    private func tooLarge(_ limit: Int) -> HTTPCore.Refusal {
        HTTPCore.Refusal(status: 413, reason: "The body is larger than \(limit) bytes.")
    }

    func refuse(_ connection: Connection, _ refusal: HTTPCore.Refusal, _ headers: HeaderFields = [:]) {
        log.line("refused request", peer: connection.peer, "\(refusal.status) \(refusal.reason)")
        var response = problem(refusal.status, nil, headers, message: refusal.reason)
        // What the request was for is not known, so any page may read why it failed.
        response.headers.set("Access-Control-Allow-Origin", "*")
        sockets.write(connection.socket, response.serialized(to: nil, closing: true, date: httpDate))
        close(connection)
    }

    var httpDate: String { HTTPDate.format(clock.now.secondsSince1970) }

    private func respond(on connection: Connection) {
        guard let head = connection.head else { return }
        let body = connection.body
        connection.head = nil
        connection.body = []
        connection.bodyLimit = 0
        connection.requestBegan = nil
        noteRequest(head, body: body, on: connection)
        let (response, strikes) = response(to: head, body: body, from: connection)
        guard !connection.isAnsweredLater else { return }
        let isLong = response.body.count > ServerLimits.longAnswerBytes
        let isLast = !head.keepsAlive || isStopping || !strikes.isEmpty || isLong
        let bytes = response.serialized(to: head, closing: isLast, date: httpDate)
        noteResponse(
            bytes, status: response.status, to: head, on: connection,
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
        if route.target == .control {
            // Without an answer yet the connection waits, and nothing is sent.
            return (control(head, target, body, on: connection) ?? Response(status: 204), [])
        }
        guard route.takes(head.method) else {
            if head.method == "OPTIONS" { return (options(head, route, on: connection), []) }
            let refused = wrongMethod(head, route, on: connection)
            return (route.isOpenToPages ? readable(refused, head) : refused, [])
        }
        var strikes: [Strike] = []
        var response =
            switch route.target {
            case .startPage: StartPage.response(host: head.headers["Host"] ?? "127.0.0.1")
            case .health: health(head)
            case .echo, .control: upgradeRequired(head, on: connection)
            case .dialect(let index):
                answer(Request(head, target, body), dialect: index, connection, &strikes).response
            }
        if route.isOpenToPages { cors.decorate(&response, for: head) }
        return (response, strikes)
    }

    private func options(
        _ head: RequestHead, _ route: RouteTable.Match, on connection: Connection
    ) -> Response {
        if route.isOpenToPages, let response = cors.preflightResponse(for: head, methods: route.methods) {
            return response
        }
        if let reason = preflightRefusal(head) { tell(refused: 204, head, because: reason, on: connection) }
        return Response(status: 204, headers: ["Allow": route.allowed])
    }

    private var cors: CORSPolicy {
        CORSPolicy(exposedHeaders: ["X-Polyai-Correlation-Id", "Retry-After"])
    }

    /// An error that no dialect words, in the body form of the API, so that every client can read it.
    ///
    /// `message` replaces the usual words, `detail` is said beside them.
    func problem(
        _ status: Int, _ head: RequestHead?, _ headers: HeaderFields = [:], message: String? = nil,
        detail: String? = nil
    ) -> Response {
        var host: any DialectHost = Host(loop: self)
        let head = head ?? RequestHead(method: "GET", target: "/")
        let request = Request(head: head, path: head.target, query: [], body: [])
        let denial = Denial.status(status, message: message, detail: detail)
        var response = dialects[0].refuse(denial, request: request, host: &host)
        for field in headers.fields { response.headers.append(field.name, field.value) }
        return response
    }

    /// Lets pages of other origins read `response`.
    func readable(_ response: Response, _ head: RequestHead) -> Response {
        var response = response
        cors.decorate(&response, for: head)
        return response
    }

    private func answer(
        _ request: Request, dialect index: Int, _ connection: Connection, _ strikes: inout [Strike]
    ) -> Answer {
        var host: any DialectHost = Host(loop: self, dialect: index, peer: connection.peer)
        var answer = dialects[index].answer(request, host: &host)
        let facts = host.facts
        strikes = (host as? Host)?.strikes ?? []
        if !strikes.isEmpty {
            tell(strikes, of: nil)
            if let refusal = refusal(by: strikes, request, dialect: index) { answer = .response(refusal) }
        }
        switch answer {
        case .response(let response):
            note(
                facts, answeredWith: response.status, response.headers["Retry-After"], on: connection)
        case .connect: note(facts, answeredWith: 101, nil, on: connection)
        }
        if case .response(let response) = answer {
            let reason = strikes.isEmpty || response.status < 400 ? nil : Self.reason(strikes)
            log.request(
                request.head.method, request.path, status: response.status, peer: connection.peer,
                reason: reason)
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
        noteRequest(head, body: [], on: connection)
        guard let target = RequestTarget(parsing: head.target), let route = routes.match(target),
            route.isWebSocket
        else {
            connection.head = head
            connection.body = []
            let (response, _) = response(to: head, body: [], from: connection)
            guard !connection.isAnsweredLater else { return }
            sockets.write(connection.socket, response.serialized(to: head, closing: true, date: httpDate))
            return close(connection)
        }
        if route.target == .control { return openFeed(connection, head, target, early: leftover) }
        let accepted: Response
        switch ServerHandshake.judge(head) {
        case .accept(let response): accepted = negotiating(response, head, on: connection)
        case .refuse(let response):
            let reason = Logger.firstLine(String(decoding: response.body, as: UTF8.self))
            tell(refused: response.status, head, because: reason, on: connection)
            var refused = problem(response.status, head, message: reason)
            for field in response.headers.fields where field.name != "Content-Type" {
                refused.headers.set(field.name, field.value)
            }
            return finish(connection, head, refused)
        }
        guard case .dialect(let index) = route.target else {
            return completeHandshake(connection, accepted, early: leftover)
        }
        var strikes: [Strike] = []
        switch answer(Request(head, target, []), dialect: index, connection, &strikes) {
        case .response(let response): finish(connection, head, response)
        case .connect(let handle, let cursor, let note):
            if let note { log.line("note", peer: connection.peer, note) }
            let strikes = engine.handshake(in: handle)
            if !strikes.isEmpty {
                tell(strikes, of: handle)
                let request = Request(head, target, [])
                if let refusal = refusal(by: strikes, request, dialect: index) {
                    tell(refused: refusal.status, head, because: Self.reason(strikes), on: connection)
                    return finish(connection, head, refusal)
                }
            }
            connect(
                connection, to: handle, dialect: index, cursor: cursor, accepted, early: leftover,
                struckBy: strikes)
        }
    }

    private func finish(_ connection: Connection, _ head: RequestHead, _ response: Response) {
        control.counts.handshakesRefused += 1
        var response = response
        cors.decorate(&response, for: head)
        let bytes = response.serialized(to: head, closing: true, date: httpDate)
        noteResponse(bytes, status: response.status, to: head, on: connection)
        sockets.write(connection.socket, bytes)
        close(connection)
    }

    /// Takes a place in the session at once; the 101 and the history follow at their own times.
    private func connect(
        _ connection: Connection, to handle: SessionHandle, dialect: Int, cursor: UInt64,
        _ accepted: Response, early: [UInt8], struckBy strikes: [Strike]
    ) {
        let now = clock.now
        guard hold(connection, by: strikes) else { return }
        var due = now + entryDelay(configuration.connections.handshakeDelay)
        if let held = connection.heldUntil { due = max(due, held) }
        let isAttached = withEngine { engine, effects in
            engine.attach(
                connection.id, to: handle, cursor: cursor, firstFrameAt: .distantFuture, at: now,
                into: &effects)
        }
        guard isAttached else { return close(connection) }
        connection.purpose = .session(handle, dialect: dialect)
        announce(of: handle) { .connected(session: $0, connection: connection.id, cursor: cursor) }
        if configuration.watchesLaws {
            observe(
                .connected(
                    session: sessionID(of: handle), connection: UInt64(connection.number), cursor: cursor))
        }
        log.session("connect", sessionID(of: handle), "connected with cursor \(cursor)")
        guard due > now else { return completeHandshake(connection, accepted, early: early) }
        connection.stage = .handshake(accepted, early: early)
        setDeadline(due, of: connection)
    }

    // MARK: - Own pages

    /// The seed tells the ids of sessions to come, so it is for those who may use the control API.
    private func health(_ head: RequestHead) -> Response {
        let uptime = clock.now - startedAt
        var body: [UInt8] = []
        body.append(contentsOf: "{\"status\":\"ok\",\"version\":\"\(MockServer.version)\"".utf8)
        body.append(contentsOf: ",\"uptimeSeconds\":\(max(0, uptime.seconds))".utf8)
        if configuration.control.isOn, mayControl(head) {
            body.append(contentsOf: ",\"seed\":\(seed)".utf8)
        }
        body.append(
            contentsOf: ",\"sessions\":\(engine.sessionCount),\"connections\":\(openWebSockets)".utf8)
        let breaches = lawBook.breaches.count + lawBook.droppedBreaches
        body.append(contentsOf: ",\"unmatched\":\(unmatchedCount),\"breaches\":\(breaches)}\n".utf8)
        return Self.hardened(ControlJSON.response(body))
    }
}

extension Request {
    init(_ head: RequestHead, _ target: RequestTarget, _ body: [UInt8]) {
        self.init(head: head, path: target.path, query: target.query.map { ($0.name, $0.value) }, body: body)
    }
}

extension Answer {
    /// The response; a connection asked for outside an upgrade was refused before, so there always is one.
    fileprivate var response: Response {
        if case .response(let response) = self { return response }
        return Response(status: 426, headers: ["Upgrade": "websocket"])
    }
}
