import Clocks
import ConversationEngine
import DialectKit
import HTTPCore
import ServerCore
import SocketTransport

extension Server {
    func receive(_ bytes: UnsafeRawBufferPointer, in exchange: Box<HTTPExchange>, on connection: Connection) {
        handle(exchange.value.receive(bytes), of: exchange, on: connection)
        updateDeadline(of: connection)
        pauseIfSlow(connection)
    }

    func inputClosed(of exchange: Box<HTTPExchange>, on connection: Connection) {
        handle(exchange.value.inputClosed(), of: exchange, on: connection)
        if case .http = connection.stage { close(connection) }
    }

    func timeOut(_ exchange: Box<HTTPExchange>, on connection: Connection) {
        switch exchange.value.lateness(HTTPExchange.Times(configuration.limits)) {
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
            let due = exchange.value.nextDeadline(at: clock.now, HTTPExchange.Times(configuration.limits))
        else { return }
        setDeadline(due, of: connection)
    }

    func handle(
        _ outputs: [RequestParser.Output], of exchange: Box<HTTPExchange>, on connection: Connection
    ) {
        for (index, output) in outputs.enumerated() {
            guard case .http = connection.stage else {
                if case .working(_, let pipelined?) = connection.stage {
                    pipelined.outputs.append(output)
                    continue
                }
                return connection.endWithStream()
            }
            guard let step = exchange.value.handle(output) else { continue }
            if case .tooMany(let limit) = connection.admission, step.hasHead {
                return refuse(connection, Self.refusal(beyond: limit))
            }
            switch step {
            case .judge(let head):
                noteClient(of: head, on: connection)
                guard admit(head, hasWholeBody: outputs.hasEnd(after: index), of: exchange, on: connection)
                else { return }
            case .goOn: write(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8), on: connection)
            case .answer(let head, let body):
                guard admit(.init(head, body: body), to: connection) else { return }
                respond(to: head, body, on: connection)
            case .upgrade(let head, let leftover): upgrade(connection, head, leftover: leftover)
            case .refuse(let refusal): refuse(connection, refusal)
            }
        }
        if case .working(_, let pipelined?) = connection.stage { charge(pipelined, to: connection) }
        if connection.exchange === exchange { admit(Self.held(by: &exchange.value), to: connection) }
    }

    /// Checks a request's head, so that a refused body uses no memory. Returns false if the connection reads no more.
    private func admit(
        _ head: RequestHead, hasWholeBody: Bool, of exchange: Box<HTTPExchange>, on connection: Connection
    ) -> Bool {
        if let refused = foreignRefusal(head, on: connection) {
            let goesOn = exchange.value.discardBody()
            recordRequest(head, on: connection)
            answer(refused, to: head, isLast: !goesOn || isStopping, isNoted: true, on: connection)
            return connection.exchange === exchange
        }
        guard head.announcesBody else {
            _ = exchange.value.allowBody(upTo: configuration.limits.bodyBytes)
            return true
        }
        let judgement = judge(head, hasWholeBody: hasWholeBody, from: connection)
        var limit = configuration.limits.bodyBytes
        switch judgement {
        case .body(let most): limit = most
        case .control(let target):
            switch control.judge(head, target) {
            case .answer(let response, let reason):
                recordRequest(head, on: connection)
                logControl(head, target.path, status: response.status, reason: reason, on: connection)
                answer(response, to: head, isNoted: true, on: connection)
                return false
            case .body(let most): limit = max(limit, most)
            }
        case .answer, .refuse: limit = .max
        }
        if let refusal = exchange.value.allowBody(upTo: limit) {
            refuse(connection, refusal)
            return false
        }
        switch judgement {
        case .answer:
            let goesOn = exchange.value.discardBody()
            respond(to: head, [], isLast: !goesOn, on: connection)
        case .refuse(let response):
            let goesOn = exchange.value.discardBody()
            recordRequest(head, on: connection)
            answer(response, to: head, isLast: !goesOn || isStopping, isNoted: true, on: connection)
        case .body, .control: return admit(Self.held(by: &exchange.value), to: connection)
        }
        return connection.exchange === exchange
    }

    /// Reads the exchange in place, which saves a copy of it: 450 instructions per request.
    private static func held(by exchange: inout HTTPExchange) -> HTTPExchange.HeldRequest {
        exchange.heldBytes
    }

    /// Charges the bytes of a request, received and announced. Refuses it and returns false beyond a limit.
    @discardableResult
    private func admit(_ request: HTTPExchange.HeldRequest, to connection: Connection) -> Bool {
        guard let refusal = refusal(of: request, to: connection) else { return true }
        refuse(connection, refusal)
        return false
    }

    private func refuse(_ connection: Connection, _ refusal: HTTPCore.Refusal) {
        remark("refused request", "\(refusal.status) \(refusal.reason)", connection)
        let target = connection.exchange?.value.target ?? "/"
        let headers: HeaderFields =
            refusal.status == 503 ? ["Retry-After": String(ServerLimits.retryAfterSeconds)] : [:]
        answer(refuse(refusal, target: target, headers), to: nil, on: connection)
    }

    private func respond(
        to head: RequestHead, _ body: [UInt8], isLast: Bool = false, isRecorded: Bool = false,
        on connection: Connection
    ) {
        guard let prepare = preparation(of: head, body: body) else {
            return respond(
                to: head, body, prepared: nil, isLast: isLast, isRecorded: isRecorded, on: connection)
        }
        // The timeline keeps only this part of the body.
        let kept = body.count > CoreLimits.rowBytes ? Array(body.prefix(CoreLimits.rowHeadBytes)) : body
        work(on: connection, for: head, WorkLane(bytes: body.count), prepare) {
            server, connection, prepared in
            server.respond(
                to: head, kept, prepared: prepared, isLast: isLast, isRecorded: isRecorded, on: connection)
        }
    }

    private func respond(
        to head: RequestHead, _ body: [UInt8], prepared: (any Sendable)?, isLast: Bool, isRecorded: Bool,
        on connection: Connection
    ) {
        if !isRecorded { recordRequest(head, body, on: connection) }
        guard let (response, firings) = response(to: head, body, prepared, on: connection) else { return }
        answer(
            response, to: head, isLast: isLast || isStopping, firedBy: firings, isNoted: true, on: connection
        )
    }

    /// Returns the response and the faults that fired. Nil if the response is sent later or as a stream.
    private func response(
        to head: RequestHead, _ body: [UInt8], _ prepared: (any Sendable)? = nil, on connection: Connection
    ) -> (Response, [FiredFault])? {
        var answer: (Response, [FiredFault])?
        switch self.answer(head, body: body, prepared: prepared, from: connection) {
        case .response(let response, let firings): answer = (response, firings)
        case .later(let bytes, let make, let firings):
            work(on: connection, for: head, WorkLane(bytes: bytes), make) { server, connection, response in
                server.answer(
                    response, to: head, isLast: server.isStopping, firedBy: firings, isNoted: true,
                    on: connection)
            }
        case .control(let target):
            answer = control.answer(head, target, body, prepared, on: connection).map { ($0, []) }
        case .stream(let opening, let response, let input):
            open(opening, response, input, to: head, on: connection)
        }
        return connection.exchange == nil ? nil : answer
    }

    /// Sends a response. `isNoted` adds the response to the timeline.
    func answer(
        _ response: Response, to head: RequestHead?, isLast: Bool = true, firedBy firings: [FiredFault] = [],
        isNoted: Bool = false, on connection: Connection
    ) {
        releaseRequest(of: connection)
        let now = clock.now
        let delivery = Delivery(
            response, to: head, isLast: isLast, firedBy: firings, date: httpDate(at: now), at: now)
        if isNoted, let head {
            recordResponse(
                delivery.recorded, to: head, status: response.status, fault: delivery.fault, on: connection,
                at: now)
        }
        switch delivery.way {
        case .cut: close(connection)
        case .held(let holds, let due):
            connection.stage = .held(Connection.HeldAnswer(parts: delivery.parts, holds: holds))
            setDeadline(due, of: connection)
        case .atOnce(let closes):
            write(delivery.bytes, on: connection)
            guard !delivery.body.isEmpty || closes else { return }
            for part in delivery.parts.dropFirst() { write(part, on: connection) }
            if closes { close(connection) }
        }
    }

    // MARK: - Upgrades

    private func upgrade(_ connection: Connection, _ head: RequestHead, leftover: [UInt8]) {
        guard admit(.init(head, body: leftover), to: connection) else { return }
        recordRequest(head, on: connection)
        switch upgrade(head, on: connection) {
        case .ordinary: respond(to: head, [], isLast: true, isRecorded: true, on: connection)
        case .refuse(let response, let firings):
            record(.handshakeRefused)
            answer(response, to: head, firedBy: firings, isNoted: true, on: connection)
        case .feed(let target): control.openFeed(connection, head, target, early: leftover)
        case .echo(let accepted): accept(head, accepted, for: .echo, early: leftover, on: connection)
        case .connect(let opening, let accepted, let compresses):
            guard let holds = FaultPlan.holds(ofAnswerHitBy: opening.firings, at: clock.now) else {
                return close(connection)
            }
            let (response, deflate) = accepted.agreeing(to: head, compresses ? self.deflate : nil)
            let handshake = Connection.Handshake(
                response: response, deflate: deflate,
                channel: Channel(of: opening.handle, dialect: opening.dialect), party: opening.party,
                early: leftover, holds: holds)
            connection.userAgent = userAgent(of: head)
            _ = charge(body: leftover.count, to: connection)
            connect(connection, handshake, cursor: opening.cursor)
        }
    }

    /// Adds the connection to the session, and sends the 101 response after its delay.
    private func connect(_ connection: Connection, _ handshake: Connection.Handshake, cursor: UInt64) {
        let now = clock.now
        let handle = handshake.channel.handle
        guard attach(connection, as: .handshake(handshake), to: handle, cursor: cursor) else { return }
        let delayed = now + entryDelay(configuration.poly.connections.handshakeDelay)
        let due = max(delayed, connection.heldUntil ?? delayed)
        if due <= now, case .handshake(let handshake) = connection.stage {
            complete(handshake, on: connection)
        } else {
            setDeadline(due, of: connection)
        }
    }

    /// Answers a request with an event stream, then passes the request's `input` to the session.
    private func open(
        _ opening: Opening, _ response: Response, _ input: ClientInput?, to head: RequestHead,
        on connection: Connection
    ) {
        releaseRequest(of: connection)
        guard let holds = FaultPlan.holds(ofAnswerHitBy: opening.firings, at: clock.now) else {
            return close(connection)
        }
        var bytes: [UInt8] = []
        let goesOn = head.keepsAlive && opening.firings.isEmpty && !isStopping && keepsNext(of: connection)
        var response = response
        response.isProtected = true
        let now = clock.now
        let framing = response.appendStreamHead(
            into: &bytes, to: head, closing: !goesOn, date: httpDate(at: now))
        recordResponse(bytes, to: head, status: 200, on: connection, at: now)
        write(bytes, on: connection)
        guard framing != .none else { return close(connection) }
        var channel = Channel(
            of: opening.handle, dialect: opening.dialect, carrier: .stream(isChunked: framing == .chunked))
        channel.hold(holds)
        setDeadline(nil, of: connection)
        connection.userAgent = userAgent(of: head)
        let pipelined = goesOn && framing == .chunked ? connection.exchange : nil
        let stage = Connection.Stage.stream(Connection.OpenStream(channel, framing, pipelined: pipelined))
        guard attach(connection, as: stage, to: opening.handle, cursor: opening.cursor) else { return }
        open(connection, channel.carrier, after: .zero)
        guard let input, connection.session == opening.handle else { return }
        receive(input, from: connection, in: opening.handle)
    }

    // MARK: - Clients of proxies

    func trusts(_ peer: SocketAddress) -> Bool { proxies.trusts(peer.with(port: 0)) }

    /// Records the client's address from a trusted proxy.
    func noteClient(of head: RequestHead, on connection: Connection) {
        connection.forwarded = nil
        guard head.headers[ProxyTrust<SocketAddress>.field] != nil else { return }
        let name = ProxyTrust<SocketAddress>.field.lowercased()
        let fields = head.headers.fields.filter { $0.name.lowercased() == name }.map(\.value)
        let remote = connection.remote
        switch proxies.judge(fields, from: remote.with(port: 0), read: { SocketAddress(host: $0, port: 0) }) {
        case .client(let address): connection.forwarded = Box(address)
        case .stranger: ignore("it comes from \(remote.host), which is no trusted proxy (--trusted-proxy)")
        case .malformed: ignore("the proxy \(remote.host) sent something else than addresses")
        }
    }

    /// Logs each reason for an ignored field once, because clients could fill the log.
    private func ignore(_ reason: String) {
        guard reportedFields.count < ServerLimits.reportedFields, reportedFields.insert(reason).inserted
        else {
            return
        }
        remark("note", "\(ProxyTrust<SocketAddress>.field) counts for nothing: \(reason)")
    }
}

extension [RequestParser.Output] {
    /// Whether the request at `index` is complete.
    fileprivate func hasEnd(after index: Int) -> Bool {
        for next in (index + 1)..<count {
            switch self[next] {
            case .body: continue
            case .end: return true
            default: return false
            }
        }
        return false
    }
}
