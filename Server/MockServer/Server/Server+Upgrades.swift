import ConversationEngine
import DialectKit
import HTTPCore
import ServerCore
import WebSocketCore

extension Server {
    func upgrade(_ head: RequestHead, on connection: Connection) -> Upgrade {
        noteClient(of: head, on: connection)
        let destination = destination(of: head.target)
        guard let target = destination.target, let match = destination.match,
            let route = webSocketRoute(of: match, target)
        else { return .ordinary }
        if let refused = foreignRefusal(head, on: connection) { return .refuse(refused, firedBy: []) }
        if match.owner == .control { return .feed(target) }
        let accepted: Response
        switch ServerHandshake.judge(head) {
        case .accept(let response): accepted = response
        case .refuse(let response):
            let reason = Logger.firstLine(String(decoding: response.body, as: UTF8.self))
            log(refused: response.status, head, because: reason, on: connection)
            var refused = problem(response.status, head, message: reason)
            for field in response.headers.fields where field.name != "Content-Type" {
                refused.headers.set(field.name, field.value)
            }
            return .refuse(readable(refused, head), firedBy: [])
        }
        guard case .dialect(let index) = match.owner else { return .echo(accepted) }
        var firings: [FiredFault] = []
        var party = 0
        let request = Request(head, target, [], route, match.values)
        switch answer(request, dialect: index, connection, &firings, &party) {
        case .response(let response): return .refuse(readable(response, head), firedBy: firings)
        case .unknownPath: return .refuse(unknownPath(head, target, on: connection), firedBy: firings)
        case .stream, .later:
            let refused = problem(400, head, message: "an event stream is no WebSocket")
            return .refuse(readable(refused, head), firedBy: firings)
        case .connect(let handle, let cursor, let note):
            if let note { remark("note", note, connection) }
            let fired = engine.handshake(in: handle)
            firings += fired
            if !fired.isEmpty {
                record(fired, of: handle)
                if let refusal = refusal(by: fired, request, dialect: index) {
                    log(refused: refusal.status, head, because: Self.reason(fired), on: connection)
                    return .refuse(readable(refusal, head), firedBy: firings)
                }
            }
            return .connect(
                Opening(handle: handle, cursor: cursor, dialect: index, firings: firings, party: party),
                accepted,
                compresses: route.compresses)
        }
    }

    /// Returns the route that opens a WebSocket, including the control API's feed.
    func webSocketRoute(of match: RouteTable.Match, _ target: RequestTarget) -> Route? {
        guard match.owner == .control else { return match.webSocket }
        let isFeed = ControlRoute.matches(target).routes.contains(where: \.isWebSocket)
        return isFeed ? Route(ControlRoute.prefix, methods: ["GET"], isWebSocket: true) : nil
    }
}
