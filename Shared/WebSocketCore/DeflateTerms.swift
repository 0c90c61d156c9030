/// The permessage-deflate parameters that a server has agreed on with one client (RFC 7692 §5.1, §7.1).
///
/// | the client offers | the server answers |
/// | --- | --- |
/// | no parameter | no parameter; it compresses with a window of ``WebSocketLimits/deflateWindowBits`` or less |
/// | `server_no_context_takeover` | the same parameter; it compresses each message without earlier ones (§7.1.1.1) |
/// | `client_no_context_takeover` | the same parameter, to confirm the client's promise (§7.1.1.2) |
/// | `server_max_window_bits=n` | the smaller of n and ``WebSocketLimits/deflateWindowBits``; declines 8 (§7.1.2.1) |
/// | `client_max_window_bits`, maybe with n | the smaller of n and ``WebSocketLimits/deflateWindowBits`` (§7.1.2.2) |
/// | a value outside 8 to 15, a repeated or unknown parameter | nothing: it checks the next offer (§7) |
package struct DeflateTerms: Equatable, Sendable {
    package static let extensionName = "permessage-deflate"

    /// Window bits of the server's compressor: 9 to ``WebSocketLimits/deflateWindowBits``.
    package var serverWindowBits = WebSocketLimits.deflateWindowBits
    /// Maximum window bits of the client's compressor: 8 to ``WebSocketLimits/deflateWindowBits``, or 15 if the client
    /// did not offer `client_max_window_bits`.
    package var clientWindowBits = 15
    /// Whether the server's messages may refer to its earlier messages (context takeover).
    package var serverKeepsContext = true
    package var clientKeepsContext = true
    /// Value of Sec-WebSocket-Extensions that confirms the parameters to the client.
    package private(set) var answer = Self.extensionName

    package init() {}

    /// Accepts the first acceptable offer. Nil: messages are not compressed.
    package init?(among offers: [ExtensionOffer]) {
        for offer in offers {
            guard let terms = DeflateTerms(offer) else { continue }
            self = terms
            return
        }
        return nil
    }

    private init?(_ offer: ExtensionOffer) {
        guard offer.name == Self.extensionName else { return nil }
        var seen: Set<String> = []
        for parameter in offer.parameters {
            guard seen.insert(parameter.name).inserted else { return nil }
            switch (parameter.name, parameter.value) {
            case ("server_no_context_takeover", nil):
                serverKeepsContext = false
                answer += "; server_no_context_takeover"
            case ("client_no_context_takeover", nil):
                clientKeepsContext = false
                answer += "; client_no_context_takeover"
            case ("server_max_window_bits", let value?):
                guard let bits = Self.windowBits(value), bits >= WebSocketLimits.smallestDeflateWindowBits
                else {
                    return nil
                }
                serverWindowBits = min(bits, WebSocketLimits.deflateWindowBits)
                answer += "; server_max_window_bits=\(serverWindowBits)"
            case ("client_max_window_bits", let value):
                guard let bits = value.map(Self.windowBits) ?? 15 else { return nil }
                clientWindowBits = min(bits, WebSocketLimits.deflateWindowBits)
                answer += "; client_max_window_bits=\(clientWindowBits)"
            default: return nil
            }
        }
    }

    /// Reads 8 to 15 without leading zeros (RFC 7692 §7.1.2).
    private static func windowBits(_ text: String) -> Int? {
        guard let bits = Int(text), 8...15 ~= bits, text == String(bits) else { return nil }
        return bits
    }
}
