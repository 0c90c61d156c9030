import Deflate
import DialectKit
import HTTPCore
import WebSocketCore

extension Response {
    /// The response to a handshake with the agreed compression (RFC 7692 §5.1), and the codec; unchanged without `deflate`.
    func agreeing(to head: RequestHead, _ deflate: DeflateService?) -> (Response, DeflateCodec?) {
        guard let deflate, let terms = ServerHandshake.deflateTerms(for: head) else { return (self, nil) }
        var response = self
        response.headers.append("Sec-WebSocket-Extensions", terms.answer)
        return (response, deflate.codec(for: terms))
    }
}
