package import HTTPCore

/// Header fields that keep every body inert in browsers, also where a client chose its bytes or its type.
///
/// Set in one place of the server, ``Delivery`` for whole responses and the head of a stream, so that a new route has them by
/// itself. A page of the server's own brings its own policy; a file for pages of other ports its own resource policy.
package enum ProtectiveFields {
    /// An origin of its own and no script (Content Security Policy Level 3 §6.3.2).
    package static let policy = "sandbox; default-src 'none'"

    /// Adds the fields that `response` lacks.
    package static func add(to response: inout Response) {
        // No other type than the one that is said (Fetch standard §3.6).
        response.headers.set("X-Content-Type-Options", "nosniff")
        add("Content-Security-Policy", policy, to: &response.headers)
        // No picture, script or style of another origin's page (Fetch standard §3.7).
        add("Cross-Origin-Resource-Policy", "same-origin", to: &response.headers)
    }

    private static func add(_ name: String, _ value: String, to headers: inout HeaderFields) {
        if headers[name] == nil { headers.append(name, value) }
    }
}
