#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Redaction of the log: hides tokens and message texts, and replaces session ids by hashes.
package struct Redaction: Sendable, Equatable {
    /// Whether nothing is hidden. Only for a server on this machine.
    package var showsSecrets: Bool

    package static let standard = Redaction(showsSecrets: false)

    /// Returns "…" and the token's last four characters, only "…" for a short token, or all of it if secrets are shown.
    package func token(_ token: String) -> String {
        if showsSecrets { return token }
        return token.count < MessagingLimits.minShownTokenCharacters ? "…" : "…" + token.suffix(4)
    }

    /// Returns "#" and a hash of eight hexadecimal digits, or the id itself if secrets are shown.
    package func session(_ id: String) -> String {
        if showsSecrets { return id }
        // FNV-1a. Swift's own string hash differs from process to process.
        var hash: UInt32 = 0x811C_9DC5
        for byte in id.utf8 {
            hash = (hash ^ UInt32(byte)) &* 0x0100_0193
        }
        let digits = String(hash, radix: 16)
        return "#" + String(repeating: "0", count: 8 - digits.count) + digits
    }

    /// Returns the length of the text in bytes, or its first 1,024 characters if secrets are shown.
    package func text(_ text: String) -> String {
        if showsSecrets { return String(text.prefix(MessagingLimits.maxLoggedBytes)) }
        return "\(text.utf8.count) bytes"
    }

    /// Returns the length of the frame in bytes, or its first 1,024 bytes as text if secrets are shown.
    package func frame(_ bytes: [UInt8]) -> String {
        if showsSecrets {
            return String(decoding: bytes.prefix(MessagingLimits.maxLoggedBytes), as: UTF8.self)
        }
        return "\(bytes.count) bytes"
    }

    /// Returns the URL without user, password, query and fragment, or all of it if secrets are shown.
    package func url(_ url: URL) -> String {
        if showsSecrets { return url.absoluteString }
        guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return "a URL" }
        let hadQuery = parts.query != nil
        parts.user = nil
        parts.password = nil
        parts.query = nil
        parts.fragment = nil
        return (parts.string ?? "a URL") + (hadQuery ? "?…" : "")
    }
}

extension Configuration {
    package var redaction: Redaction {
        Redaction(showsSecrets: logsSecrets && environment.endpoints?.isLoopback == true)
    }
}

extension Configuration: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The environment, and the redacted token.
    public var description: String {
        "Configuration(\(Redaction.standard.token(connectorToken)), \(shownEnvironment))"
    }

    /// Equal to ``description``.
    public var debugDescription: String { description }

    /// The main properties, with the redacted token. `dump` prints them.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "connectorToken": Redaction.standard.token(connectorToken), "environment": shownEnvironment,
                "hostIdentifier": hostIdentifier ?? "", "streamingEnabled": streamingEnabled,
                "logLevel": logLevel,
            ])
    }

    /// Name of the environment. A custom URL is redacted, because it may contain a password or a key.
    private var shownEnvironment: String {
        guard case .custom(let rest, let socket) = environment else { return "\(environment)" }
        return "custom(\(Redaction.standard.url(rest)), \(Redaction.standard.url(socket)))"
    }
}
