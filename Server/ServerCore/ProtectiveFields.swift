package import HTTPCore

/// Header fields that keep every body inert in browsers, also where a client chose its bytes or type. Added to all responses
/// and streams; a page of the server brings its own policy, a file for pages of other ports its own resource policy.
package enum ProtectiveFields {
    /// An opaque origin and no script (Content Security Policy Level 3 §6.3.2).
    package static let policy = "sandbox; default-src 'none'"

    package static func add(to response: inout Response) {
        // No sniffing of types (Fetch standard §3.6).
        response.headers.set("X-Content-Type-Options", "nosniff")
        add("Content-Security-Policy", policy, to: &response.headers)
        // No picture, script or style of another origin's page (Fetch standard §3.7).
        add("Cross-Origin-Resource-Policy", "same-origin", to: &response.headers)
    }

    private static func add(_ name: String, _ value: String, to headers: inout HeaderFields) {
        if headers[name] == nil { headers.append(name, value) }
    }
}
