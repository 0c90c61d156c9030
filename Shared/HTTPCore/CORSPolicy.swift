/// Policy for cross-origin requests (Fetch standard, "CORS protocol").
package struct CORSPolicy: Equatable, Sendable {
    package enum Origins: Equatable, Sendable {
        /// Every origin is allowed, but without credentials.
        case any
        /// Exact origins, such as `http://localhost:3000`.
        case list([String])
    }

    package enum RequestHeaders: Equatable, Sendable {
        /// All header fields that the page asks for.
        case any
        case list([String])
    }

    package var origins: Origins
    package var headers: RequestHeaders
    /// Response fields that pages may read in addition to the CORS-safelisted ones.
    package var exposedHeaders: [String]
    /// Whether listed origins may send credentials such as cookies.
    package var allowsCredentials: Bool
    /// Seconds for which browsers may cache a preflight's response.
    package var maxAgeSeconds: Int

    package init(
        origins: Origins = .any, headers: RequestHeaders = .any, exposedHeaders: [String] = [],
        allowsCredentials: Bool = false, maxAgeSeconds: Int = 600
    ) {
        self.origins = origins
        self.headers = headers
        self.exposedHeaders = exposedHeaders
        self.allowsCredentials = allowsCredentials
        self.maxAgeSeconds = maxAgeSeconds
    }

    /// Returns the response to a preflight, or nil for other requests. `methods` are those that the path supports.
    package func preflightResponse(for head: RequestHead, methods: [String]) -> Response? {
        guard head.method == "OPTIONS", let origin = head.headers["Origin"],
            head.headers["Access-Control-Request-Method"] != nil
        else { return nil }
        guard let allowed = allowedOrigin(for: origin) else {
            var refused = Response(status: 403, headers: ["Content-Type": "text/plain; charset=utf-8"])
            refused.headers.append("Vary", "Origin")
            refused.body = Array("This origin is not in the list of allowed origins.\n".utf8)
            return refused
        }
        var response = Response(status: 204)
        addOrigin(allowed, to: &response.headers)
        response.headers.append("Access-Control-Allow-Methods", methods.joined(separator: ", "))
        addAllowedHeaders(asked: head.headers["Access-Control-Request-Headers"], to: &response.headers)
        if head.headers["Access-Control-Request-Private-Network"] == "true" {
            response.headers.append("Access-Control-Allow-Private-Network", "true")
        }
        response.headers.append("Access-Control-Max-Age", String(maxAgeSeconds))
        return response
    }

    /// Adds the fields that allow a page to read the response to its request `head`.
    package func decorate(_ response: inout Response, for head: RequestHead) {
        guard let origin = head.headers["Origin"] else {
            // Vary tells shared caches that the response differs between origins.
            if origins != .any { response.headers.addToList("Vary", "Origin") }
            return
        }
        guard let allowed = allowedOrigin(for: origin) else {
            return response.headers.addToList("Vary", "Origin")
        }
        addOrigin(allowed, to: &response.headers)
        if !exposedHeaders.isEmpty {
            response.headers.set("Access-Control-Expose-Headers", exposedHeaders.joined(separator: ", "))
        }
    }

    /// Whether pages of `origin` may use this server.
    package func allows(origin: String) -> Bool {
        allowedOrigin(for: origin) != nil
    }

    private func allowedOrigin(for origin: String) -> String? {
        switch origins {
        case .any: "*"
        case .list(let known): known.contains(origin) ? origin : nil
        }
    }

    private func addOrigin(_ allowed: String, to headers: inout HeaderFields) {
        headers.set("Access-Control-Allow-Origin", allowed)
        guard allowed != "*" else { return }
        headers.addToList("Vary", "Origin")
        if allowsCredentials { headers.set("Access-Control-Allow-Credentials", "true") }
    }

    private func addAllowedHeaders(asked: String?, to fields: inout HeaderFields) {
        switch headers {
        case .any:
            // The requested names are repeated, because `*` does not include Authorization.
            guard let asked else { return }
            fields.append("Access-Control-Allow-Headers", asked)
            fields.addToList("Vary", "Access-Control-Request-Headers")
        case .list(let names):
            guard !names.isEmpty else { return }
            fields.append("Access-Control-Allow-Headers", names.joined(separator: ", "))
        }
    }
}
