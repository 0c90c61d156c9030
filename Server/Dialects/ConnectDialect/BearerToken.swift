import Clocks
import DialectKit
import Texts

/// What a client shows to be let in: signed, so that none is stored and several are good at once.
struct BearerToken: Equatable {
    enum Kind: String {
        /// As long as the participant belongs to the contact.
        case participant = "p"
        case connection = "c"
        /// The address of a WebSocket.
        case address = "w"
        /// The address that takes the bytes of a file.
        case upload = "u"
        /// The next page of a transcript.
        case page = "n"
    }

    var kind: Kind
    /// The contact as it began.
    var contact: String
    /// The participant's place; what else a pass is about, as ``Pass/detail``.
    var party = 0
    var detail = ""
    var issued: Instant
    var end = Instant.distantFuture

    func signed(_ key: SigningKey) -> String {
        let text =
            "\(kind.rawValue).\(contact).\(party).\(detail).\(issued.nanoseconds).\(end.nanoseconds)"
        let bytes = Array(text.utf8)
        return Base64.url.text(of: key.sign(bytes) + bytes)
    }

    /// nil for a text that was not signed here.
    init?(_ text: String, kind: Kind, key: SigningKey) {
        guard text.utf8.count <= 1_000, let bytes = Base64.url.decode(text.utf8), bytes.count > 32 else {
            return nil
        }
        let signed = Array(bytes[32...])
        guard HMAC.areEqual(Array(bytes[..<32]), key.sign(signed)) else { return nil }
        let parts = String(decoding: signed, as: UTF8.self).split(
            separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 6, parts[0] == kind.rawValue, let party = Int(parts[2]),
            let issued = Int64(parts[4]), let end = Int64(parts[5])
        else { return nil }
        self.init(
            kind: kind, contact: String(parts[1]), party: party, detail: String(parts[3]),
            issued: Instant(nanosecondsSince1970: issued), end: Instant(nanosecondsSince1970: end))
    }

    /// The same, behind the last digits of the contact's id where a proxy has to see whose it is.
    func signed(_ key: SigningKey, for shard: Shard?) -> String {
        (shard == nil ? "" : String(contact.suffix(Self.digitCount))) + signed(key)
    }

    /// The same of a text that has these digits where there are shards.
    init?(_ text: String, kind: Kind, key: SigningKey, for shard: Shard?) {
        let digits = text.prefix(shard == nil ? 0 : Self.digitCount)
        self.init(String(text.dropFirst(digits.count)), kind: kind, key: key)
        guard contact.hasSuffix(digits) else { return nil }
    }

    /// Digits of a contact's id that tell its shard.
    static let digitCount = 2

    init(
        kind: Kind, contact: String, party: Int = 0, detail: String = "", issued: Instant,
        end: Instant = .distantFuture
    ) {
        self.kind = kind
        self.contact = contact
        self.party = party
        self.detail = detail
        self.issued = issued
        self.end = end
    }
}
