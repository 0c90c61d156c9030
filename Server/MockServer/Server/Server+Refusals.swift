import ConversationEngine
import DialectKit
import HTTPCore
import ServerCore
import SocketTransport

extension Server {
    /// The refusal of a request on a connection beyond a limit (RFC 9110 §15.6.4).
    static func refusal(beyond limit: ConnectionLimiter<SocketAddress>.OverLimit) -> HTTPCore.Refusal {
        let reason =
            switch limit {
            case .server: "The server has no room for one more connection (limits.sockets)."
            case .address: "Your address has as many connections as it may (limits.socketsPerAddress)."
            }
        return HTTPCore.Refusal(status: 503, reason: reason)
    }

    /// Answers a request that cannot be processed. Its Origin may be unknown, so any page that may use `target` can
    /// read the answer.
    func refuse(_ refusal: HTTPCore.Refusal, target: String, _ headers: HeaderFields) -> Response {
        if refusal.status == 413, target.hasPrefix(ControlRoute.prefix), configuration.control.isOn {
            return ControlProblem(refusal.status, refusal.reason, headers: headers).response
        }
        let head = RequestHead(method: "GET", target: target)
        var response = problem(refusal.status, head, headers, message: refusal.reason)
        guard isOpenToPages(target) else { return response }
        response.headers.set("Access-Control-Allow-Origin", "*")
        let exposed = cors(for: target).exposedHeaders
        if !exposed.isEmpty {
            response.headers.set("Access-Control-Expose-Headers", exposed.joined(separator: ", "))
        }
        return response
    }

    func log(refused status: Int, _ head: RequestHead, because reason: String, on connection: Connection) {
        // Records the path without the query, which may contain an access token.
        let path = head.target.prefix { $0 != "?" }
        record(
            .answered(
                method: Logger.clip(head.method), path: Logger.clip(String(path)), status: status,
                reason: reason, peer: connection.peer))
    }

    /// Logs a control request that is no GET, or that fails.
    func logControl(
        _ head: RequestHead, _ path: String, status: Int, reason: String?, on connection: Connection
    ) {
        guard head.method != "GET" || reason != nil else { return }
        record(
            .answered(
                method: Logger.clip(head.method), path: Logger.clip(path), status: status, reason: reason,
                peer: connection.peer))
    }

    static func reason(_ firings: [FiredFault]) -> String {
        "the fault \(firings.map(\.name).joined(separator: ", ")) refuses it"
    }

    func unknownPath(_ head: RequestHead, _ target: RequestTarget, on connection: Connection) -> Response {
        if ControlRoute.isAskedByBrowsers(head.target) { return problem(404, head) }
        if ControlRoute.isOwn(head.target), !configuration.control.isOn {
            let reason = "The control API of this server is off"
            log(refused: 404, head, because: reason, on: connection)
            return problem(404, head, message: reason)
        }
        let asked = head.method == "OPTIONS" ? head.headers["Access-Control-Request-Method"] : nil
        let hint = routes.hint(asked ?? head.method, target.path) {
            ControlAPI.suggestion(for: $0, among: $1)
        }
        record(
            .unmatchedRequest(
                method: head.method, path: Logger.clip(target.path),
                rawPath: Logger.clip(head.target.before("?")), hint: hint, peer: "\(connection.peer)"))
        return readable(problem(404, head, detail: hint), head)
    }

    func wrongMethod(_ head: RequestHead, _ route: RouteTable.Match, on connection: Connection) -> Response {
        let methods = route.methods.filter { $0 != "OPTIONS" && $0 != "HEAD" }.joined(separator: " or ")
        let hint = "use \(methods)"
        if case .dialect = route.owner {
            let path = Logger.clip(head.target.before("?"))
            record(.unmatchedRequest(method: head.method, path: path, rawPath: path, hint: hint, peer: nil))
        }
        log(refused: 405, head, because: hint, on: connection)
        return problem(405, head, ["Allow": route.allowed], detail: hint)
    }

    func upgradeRequired(_ head: RequestHead, on connection: Connection) -> Response {
        log(
            refused: 426, head, because: "it is a WebSocket; the request does not ask for an upgrade",
            on: connection)
        return problem(426, head, ["Upgrade": "websocket"])
    }

    /// The reason why a browser will refuse the page that sent this preflight; nil for any other request.
    func preflightRefusal(_ head: RequestHead) -> String? {
        guard head.method == "OPTIONS", head.headers["Access-Control-Request-Method"] != nil,
            let origin = head.headers["Origin"]
        else { return nil }
        return "refused: it is closed to pages of other origins, such as " + Logger.clip(origin)
    }
}

extension ServerEvent {
    static func answered(
        _ request: Request, status: Int, reason: String?, peer: SocketAddress
    ) -> ServerEvent {
        .answered(method: request.head.method, path: request.path, status: status, reason: reason, peer: peer)
    }
}
