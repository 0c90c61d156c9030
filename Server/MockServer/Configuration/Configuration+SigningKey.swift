import DialectKit
import SocketTransport

extension Configuration {
    /// Reads the file ``signingKey``. Errors omit the path, because a caller may have passed the key itself by mistake.
    package func signingBytes() throws(ServerError) -> [UInt8]? {
        guard let signingKey else { return nil }
        let fix =
            "name a file with 32 random bytes or more that only its owner reads: "
            + "(umask 077; head -c 32 /dev/urandom > shard.key)"
        switch PrivateFile.read(signingKey, atMost: ServerLimits.signingKeyBytes, isOwn: false) {
        case .missing:
            throw .configuration("signingKey (--signing-key) names a file that is not there", fix: fix)
        case .refused(let reason):
            throw .configuration("the file of signingKey (--signing-key) \(reason)", fix: fix)
        case .contents(let bytes):
            let secret = SigningKey.secret(in: bytes)
            if let flaw = SigningKey.flaw(of: secret) {
                throw .configuration("the file of signingKey (--signing-key) \(flaw)", fix: fix)
            }
            return secret
        }
    }
}
