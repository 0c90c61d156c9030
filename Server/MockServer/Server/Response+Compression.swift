import Deflate
import DialectKit
import HTTPCore
import WebSocketCore

extension Response {
    /// The response to a handshake with the agreed compression (RFC 7692 §5.1), and the codec. Unchanged without `deflate`, and
    /// where there is no room for the memory of one more connection: a server may decline (§5.1).
    func agreeing(to head: RequestHead, _ deflate: DeflateService?) -> (Response, DeflateCodec?) {
        guard let deflate, let terms = ServerHandshake.deflateTerms(for: head),
            let codec = deflate.codec(for: terms)
        else { return (self, nil) }
        var response = self
        response.headers.append("Sec-WebSocket-Extensions", terms.answer)
        return (response, codec)
    }
}
