import Clocks
import ConversationEngine
import DialectKit
import HTTPCore

extension PolyDialect {
    /// Answers `GET /ws`, with checks in the order of protocol.md#handshake-order.
    func connect(_ request: Request, _ reply: ResponseBuilder, host: inout any DialectContext) -> Answer {
        let headers = request.head.headers
        guard headers.list("Connection", contains: "upgrade"), headers.list("Upgrade", contains: "websocket")
        else {
            host.log("poly: \(Path.webSocket) is a WebSocket; the request does not ask for an upgrade")
            var response = reply.status(426)
            response.headers.append("Upgrade", "websocket")
            response.headers.append("Connection", "Upgrade")
            return .response(response)
        }
        host.facts = RequestInfo(.connect)
        host.facts?.session = request.query("session_id") ?? ""
        host.facts?.cursorText = request.query("cursor")
        guard let sessionID = request.query("session_id"), !sessionID.isEmpty,
            let text = request.query("access_token"), !text.isEmpty
        else {
            let missing = request.query("session_id")?.isEmpty ?? true ? "session_id" : "access_token"
            return .response(
                reply.refusal(.invalidParameters, because: "?\(missing)= is missing or empty", &host))
        }

        let token: AccessToken
        do throws(AccessToken.Fault) {
            token = try self.token(text, isLast: true, host: &host)
        } catch {
            return .response(
                reply.refusal(
                    .authenticationFailed,
                    because: "access token refused at the handshake: \(error.rawValue)", &host))
        }
        host.facts?.subject = token.tokenID
        host.facts?.tokenExpiry = Instant(secondsSince1970: token.expiresAt)
        let found = host.session(id: sessionID)
        guard let session = found, !session.hasEnded else {
            let quoted = sessionID.prefix(PolyLimits.quotedCharacters).debugDescription
            let why =
                found != nil
                ? "session \(quoted) has ended"
                : host.shard?.stranger(sessionID) ?? "no session \(quoted) is held"
            return .response(reply.refusal(.unknownSession, because: why, &host))
        }
        guard options.tokens.binding == .off || session.owner == owner(token, text: text) else {
            return .response(
                reply.refusal(
                    .authenticationFailed,
                    because: "this is not the token that session \(session.id) was created with", &host))
        }
        guard host.enter(session.handle) else { return .response(reply.status(503)) }
        guard session.connectionCount < session.connectionLimit else {
            return .response(
                reply.refusal(
                    .tooManyConnections,
                    because: "session \(session.id) has \(session.connectionCount) connections, which is the "
                        + "most (connections.perSession)", &host))
        }
        let given = request.query("cursor")
        let cursor = Cursor(given)
        return .connect(
            session.handle, cursor: cursor.value, note: cursor.isOdd ? Self.oddCursor(given) : nil)
    }

    private static func oddCursor(_ text: String?) -> String {
        let quoted = (text ?? "").prefix(PolyLimits.quotedCharacters).debugDescription
        return "poly: cursor \(quoted) is not a number and counts as 0: the whole history is sent"
    }
}
