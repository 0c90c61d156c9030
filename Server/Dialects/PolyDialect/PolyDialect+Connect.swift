import Clocks
import ConversationEngine
import DialectKit
import HTTPCore

extension PolyDialect {
    /// `GET /ws` (poly-messaging 2.1 to 2.3): parameters, token, session, owner, free place, in this order.
    func connect(_ request: Request, _ reply: Reply, host: inout any DialectHost) -> Answer {
        let headers = request.head.headers
        guard headers.list("Connection", contains: "upgrade"), headers.list("Upgrade", contains: "websocket")
        else {
            var response = reply.status(426)
            response.headers.append("Upgrade", "websocket")
            response.headers.append("Connection", "Upgrade")
            return .response(response)
        }
        host.facts = RequestFacts(.connect)
        host.facts?.session = request.query("session_id") ?? ""
        host.facts?.cursorText = request.query("cursor")
        guard let sessionID = request.query("session_id"), !sessionID.isEmpty,
            let text = request.query("access_token"), !text.isEmpty
        else { return .response(reply.problem(.invalidParameters)) }

        let token: AccessToken
        do throws(AccessToken.Fault) {
            token = try AccessToken(text, key: key, at: host.now)
        } catch {
            host.log("poly: access token refused at the handshake: \(error.rawValue)")
            return .response(reply.problem(.authenticationFailed))
        }
        host.facts?.subject = token.tokenID
        host.facts?.tokenExpiry = Instant(secondsSince1970: token.expiresAt)
        guard let session = host.session(id: sessionID), !session.hasEnded else {
            return .response(reply.problem(.unknownSession))
        }
        guard options.tokenBinding == .off || session.owner == owner(token, text: text) else {
            host.log("poly: this is not the token that session \(session.id) was created with")
            return .response(reply.problem(.authenticationFailed))
        }
        guard session.connectionCount < session.connectionLimit else {
            return .response(reply.problem(.tooManyConnections))
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
