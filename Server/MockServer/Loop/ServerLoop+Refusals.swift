import ConversationEngine
import DialectKit
import HTTPCore
import ServerCore
import SocketTransport

/// Requests that are turned away before a dialect sees them. Each leaves its reason in the log.
extension ServerLoop {
    /// One line in the log: the request, the status, and why.
    func tell(
        refused status: Int, _ head: RequestHead, because reason: String, on connection: Connection
    ) {
        // Never the query: an access token may be in it.
        let path = head.target.prefix { $0 != "?" }
        tell(
            .answered(
                method: Logger.clip(head.method), path: Logger.clip(String(path)), status: status,
                reason: reason, peer: "\(connection.peer)"))
    }

    static func reason(_ strikes: [Strike]) -> String {
        "the trouble \(strikes.map(\.name).joined(separator: ", ")) refuses it"
    }

    /// A path that leads nowhere: 404, with the route that was probably meant.
    func unknownPath(_ head: RequestHead, _ target: RequestTarget, on connection: Connection) -> Response {
        if ControlRoute.isAskedByBrowsers(head.target) { return problem(404, head) }
        if ControlRoute.isOwn(head.target), !configuration.control.isOn {
            let reason = "The control API of this server is off"
            tell(refused: 404, head, because: reason, on: connection)
            return problem(404, head, message: reason)
        }
        let asked = head.method == "OPTIONS" ? head.headers["Access-Control-Request-Method"] : nil
        let hint = routes.hint(asked ?? head.method, target.path) {
            ControlAPI.suggestion(for: $0, among: $1)
        }
        tell(
            .stray(
                method: head.method, path: Logger.clip(target.path),
                rawPath: Logger.clip(head.target.before("?")), hint: hint, peer: "\(connection.peer)"))
        return readable(problem(404, head, detail: hint), head)
    }

    /// A path that is known and takes another method: 405.
    func wrongMethod(
        _ head: RequestHead, _ route: RouteTable.Match, on connection: Connection
    ) -> Response {
        let methods = route.methods.filter { $0 != "OPTIONS" && $0 != "HEAD" }.joined(separator: " or ")
        let hint = "use \(methods)"
        if case .dialect = route.owner {
            let path = Logger.clip(head.target.before("?"))
            tell(.stray(method: head.method, path: path, rawPath: path, hint: hint, peer: nil))
        }
        tell(refused: 405, head, because: hint, on: connection)
        return problem(405, head, ["Allow": route.allowed], detail: hint)
    }

    func upgradeRequired(_ head: RequestHead, on connection: Connection) -> Response {
        tell(
            refused: 426, head, because: "it is a WebSocket; the request does not ask for an upgrade",
            on: connection)
        return problem(426, head, ["Upgrade": "websocket"])
    }

    /// Why a browser will not let the page that sent this preflight go on; nil when it is no preflight of another
    /// origin's page.
    func preflightRefusal(_ head: RequestHead) -> String? {
        guard head.method == "OPTIONS", head.headers["Access-Control-Request-Method"] != nil,
            let origin = head.headers["Origin"]
        else { return nil }
        return "refused: \(ControlRoute.prefix) is closed to pages of other origins, such as "
            + Logger.clip(origin)
    }
}

extension String {
    fileprivate func before(_ end: Character) -> String { String(prefix { $0 != end }) }
}
