package import HTTPCore

/// Header fields that keep browsers from running a body as page or script, even if a client chose its bytes.
package enum ProtectiveFields {
    /// Gives the body an opaque origin and forbids scripts (Content Security Policy Level 3 §6.3.2).
    package static let policy = "sandbox; default-src 'none'"

    package static func add(to response: inout Response) {
        // Browsers must not guess types (Fetch standard §3.6).
        response.headers.set("X-Content-Type-Options", "nosniff")
        add("Content-Security-Policy", policy, to: &response.headers)
        // Pages of other origins must not embed the body (Fetch standard §3.7).
        add("Cross-Origin-Resource-Policy", "same-origin", to: &response.headers)
    }

    private static func add(_ name: String, _ value: String, to headers: inout HeaderFields) {
        if headers[name] == nil { headers.append(name, value) }
    }
}
