import Clocks
import Texts

extension StoredSession {
    private static let format: Int64 = 1

    package func encoded(_ namespace: String) -> [UInt8] {
        JSONWriter.bytes(
            .object([
                "format": .integer(Self.format), "namespace": .string(namespace),
                "session_id": .string(sessionID), "access_token": .string(accessToken),
                "token_issued_at": .integer(tokenIssuedAt.nanoseconds),
                "token_expires_at": .integer(tokenExpiresAt.nanoseconds),
                "last_activity": .integer(lastActivity.nanoseconds),
            ]))
    }

    /// Reads a record. Nil if the bytes are not a record of this namespace.
    package init?(_ bytes: [UInt8], _ namespace: String) {
        guard let json = try? JSONReader.read(bytes), json["format"]?.integer == Self.format,
            json["namespace"]?.string == namespace,
            let sessionID = json["session_id"]?.string, !sessionID.isEmpty,
            let accessToken = json["access_token"]?.string, !accessToken.isEmpty,
            let issuedAt = json["token_issued_at"]?.integer,
            let expiresAt = json["token_expires_at"]?.integer,
            let lastActivity = json["last_activity"]?.integer
        else { return nil }
        self.init(
            sessionID: sessionID, accessToken: accessToken,
            tokenIssuedAt: Instant(nanosecondsSince1970: issuedAt),
            tokenExpiresAt: Instant(nanosecondsSince1970: expiresAt),
            lastActivity: Instant(nanosecondsSince1970: lastActivity))
    }
}
