import Clocks
import DialectKit
import Texts

/// Signed contents of a client's token or link.
struct BearerToken: Equatable {
    enum Kind: String {
        /// Valid while the participant is in the contact.
        case participant = "p"
        case connection = "c"
        /// The token in a WebSocket URL.
        case address = "w"
        case upload = "u"
        /// A `NextToken` of a transcript.
        case page = "n"
    }

    var kind: Kind
    var contact: String
    var party = 0
    var detail = ""
    var issued: Instant
    var end = Instant.distantFuture

    /// Number of digits at the end of a contact's id that encode its shard.
    static let digitCount = 2
}

extension BearerToken {
    func signed(_ key: SigningKey) -> String {
        let text = "\(kind.rawValue).\(contact).\(party).\(detail).\(issued.nanoseconds).\(end.nanoseconds)"
        let bytes = Array(text.utf8)
        return Base64.url.text(of: key.sign(bytes) + bytes)
    }

    /// Parses a token. Nil unless `key` signed it as this kind.
    init?(_ text: String, kind: Kind, key: SigningKey) {
        guard text.utf8.count <= 1_000, let bytes = Base64.url.decode(text.utf8) else { return nil }
        let signed = Array(bytes.dropFirst(32))
        guard HMAC.areEqual(Array(bytes.prefix(32)), key.sign(signed)) else { return nil }
        let parts = String(decoding: signed, as: UTF8.self).split(
            separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 6, parts[0] == kind.rawValue, let party = Int(parts[2]),
            let issued = Int64(parts[4]), let end = Int64(parts[5])
        else { return nil }
        self.init(
            kind: kind, contact: String(parts[1]), party: party, detail: String(parts[3]),
            issued: Instant(nanosecondsSince1970: issued), end: Instant(nanosecondsSince1970: end))
    }

    /// Returns the signed token. With a shard, the token begins with the contact's last digits.
    func signed(_ key: SigningKey, for shard: Shard?) -> String {
        (shard == nil ? "" : String(contact.suffix(Self.digitCount))) + signed(key)
    }

    init?(_ text: String, kind: Kind, key: SigningKey, for shard: Shard?) {
        let digits = text.prefix(shard == nil ? 0 : Self.digitCount)
        self.init(String(text.dropFirst(digits.count)), kind: kind, key: key)
        guard contact.hasSuffix(digits) else { return nil }
    }
}
