package import Clocks
package import DialectKit
import Texts

/// Claims of an access token, a JSON Web Token signed with HS256 (RFC 7519, RFC 7515; protocol.md#token-claims).
package struct AccessToken: Equatable, Sendable {
    package enum Fault: String, Error, Sendable {
        case malformed
        case wrongAlgorithm
        case wrongSignature
        case missingClaim
        case expired
    }

    package var issuer: String
    /// Id of the user. This server creates a new one for each token.
    package var subject: String
    package var connectorID: String
    /// Seconds since 1970.
    package var issuedAt: Int64
    package var expiresAt: Int64
    package var tokenID: String
    /// The scenario that the connector token chose.
    package var scenario: String?

    package init(
        issuer: String, subject: String, connectorID: String, issuedAt: Int64, expiresAt: Int64,
        tokenID: String, scenario: String? = nil
    ) {
        self.issuer = issuer
        self.subject = subject
        self.connectorID = connectorID
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
        self.tokenID = tokenID
        self.scenario = scenario
    }

    private static let header = Base64.url.encode(Array(#"{"alg":"HS256","typ":"JWT"}"#.utf8))
    /// Bytes of the names of the claims, and of both times.
    private static let claimBytes = 160

    /// Returns the JWS compact serialization (RFC 7515 §7.1).
    package func signed(with key: SigningKey) -> String {
        let words = [issuer, subject, connectorID, tokenID, scenario ?? ""]
        let size = words.reduce(Self.claimBytes) { $0 + ByteRoom.stringBytes($1) }
        return ByteRoom.text(atMost: size, claims) { Self.signed($0, with: key) }
    }

    /// Writes the claims without a JSON value, whose objects took 10,000 of the 44,000 instructions of a token.
    private func claims(_ room: inout ByteRoom) {
        room.literal(#"{"iss":"#)
        room.string(issuer)
        room.literal(#","sub":"#)
        room.string(subject)
        room.literal(#","connector_id":"#)
        room.string(connectorID)
        room.literal(#","iat":"#)
        room.integer(issuedAt)
        room.literal(#","exp":"#)
        room.integer(expiresAt)
        room.literal(#","jti":"#)
        room.string(tokenID)
        if let scenario {
            room.literal(#","scenario":"#)
            room.string(scenario)
        }
        room.literal("}")
    }

    /// Writes header, claims and signature to their place in one text.
    private static func signed(_ claims: UnsafeRawBufferPointer, with key: SigningKey) -> String {
        let size = header.count + Base64.room(for: claims.count) + Base64.room(for: SHA256.digestBytes) + 2
        return String(unsafeUninitializedCapacity: size) { text in
            let text = UnsafeMutableRawBufferPointer(text)
            header.withUnsafeBytes { text.copyMemory(from: $0) }
            var count = header.count
            func add(_ bytes: UnsafeRawBufferPointer, _ count: inout Int) {
                text[count] = UInt8(ascii: ".")
                let room = UnsafeMutableRawBufferPointer(rebasing: text[(count + 1)...])
                count += 1 + Base64.url.write(bytes, to: room)
            }
            add(claims, &count)
            key.sign(UnsafeRawBufferPointer(rebasing: text[..<count])) { add($0, &count) }
            return count
        }
    }

    /// Reads a JWS compact serialization. Verifies the signature before it uses a claim.
    package init(_ text: String, key: SigningKey, at now: Instant) throws(Fault) {
        let bytes = Array(text.utf8)
        guard bytes.count <= PolyLimits.accessTokenBytes else { throw .malformed }
        let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, let payload = Base64.url.decode(parts[1]),
            let signature = Base64.url.decode(parts[2])
        else { throw .malformed }
        if !parts[0].elementsEqual(Self.header) {
            guard let header = Self.json(parts[0]) else { throw .malformed }
            guard header["alg"]?.string == "HS256" else { throw .wrongAlgorithm }
        }
        let signedText = Array(bytes[..<parts[1].endIndex])
        guard HMAC.areEqual(key.sign(signedText), signature) else { throw .wrongSignature }
        guard let claims = try? JSONReader.read(payload), let subject = claims["sub"]?.string,
            !subject.isEmpty,
            let connectorID = claims["connector_id"]?.string, let expiresAt = claims["exp"]?.integer
        else { throw .missingClaim }
        guard now.secondsSince1970 < expiresAt else { throw .expired }
        self.init(
            issuer: claims["iss"]?.string ?? "", subject: subject, connectorID: connectorID,
            issuedAt: claims["iat"]?.integer ?? 0, expiresAt: expiresAt, tokenID: claims["jti"]?.string ?? "",
            scenario: claims["scenario"]?.string)
    }

    private static func json(_ part: ArraySlice<UInt8>) -> JSONValue? {
        Base64.url.decode(part).flatMap { try? JSONReader.read($0) }
    }
}
