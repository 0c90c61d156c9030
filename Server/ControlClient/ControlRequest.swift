import Clocks
import HTTPClient
import HTTPCore
package import Texts

/// One call of the control API, as a value.
package struct ControlRequest: Equatable, Sendable {
    package enum Body: Equatable, Sendable {
        case json(JSONValue)
        /// A file, sent as it is.
        case bytes([UInt8])
    }

    /// One parameter behind the question mark.
    package struct Parameter: Equatable, Sendable {
        package var name: String
        package var value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    package var method: String
    /// Behind `/_mock/`, already percent-encoded; ``path(_:)`` makes one of names.
    package var path: String
    package var query: [Parameter]
    package var body: Body?

    package init(_ method: String, _ path: String, query: [Parameter] = [], body: Body? = nil) {
        self.method = method
        self.path = path
        self.query = query
        self.body = body
    }

    /// `parts` as a path; whatever a person typed stays inside its part.
    package static func path(_ parts: String...) -> String {
        parts.map { PercentCoding.encode($0) }.joined(separator: "/")
    }

    /// Path and query as they stand in a request line.
    package var target: String {
        guard !query.isEmpty else { return "/_mock/" + path }
        let pairs = query.map { PercentCoding.encode($0.name) + "=" + PercentCoding.encode($0.value) }
        return "/_mock/" + path + "?" + pairs.joined(separator: "&")
    }

    /// The call as an HTTP request.
    ///
    /// Writes say that they are JSON and carry the header no page can add without asking.
    func http(to endpoint: Endpoint, token: String?, patience: Interval?) -> HTTPClient.Request {
        var fields = HeaderFields()
        if let token { fields.append("X-Mock-Token", token) }
        if method != "GET" {
            fields.append("X-Mock-Control", "1")
            fields.append("Content-Type", "application/json")
        }
        var request = HTTPClient.Request(
            method, endpoint, target, headers: fields, answerBytes: ControlLimits.answerBytes,
            timeout: patience)
        switch body {
        case .json(let value): request.body = JSONWriter.bytes(value)
        case .bytes(let bytes): request.body = bytes
        case nil: break
        }
        return request
    }

    /// The handshake for the feed of rows from behind row `after`.
    static func feed(
        of endpoint: Endpoint, token: String?, after: UInt64?, filter: String?
    ) -> HTTPClient.Request {
        var query: [Parameter] = []
        if let after { query.append(Parameter("after", String(after))) }
        if let filter { query.append(Parameter("filter", filter)) }
        var request = ControlRequest("GET", "feed", query: query).http(
            to: endpoint, token: token, patience: nil)
        request.answerBytes = ControlLimits.refusalBytes
        request.webSocket = HTTPClient.WebSocketTerms(messageBytes: ControlLimits.feedMessageBytes)
        return request
    }
}
