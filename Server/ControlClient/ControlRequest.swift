import Clocks
import HTTPClient
import HTTPCore
package import Texts

package struct ControlRequest: Equatable, Sendable {
    package enum Body: Equatable, Sendable {
        case json(JSONValue)
        case bytes([UInt8])
    }

    package struct Parameter: Equatable, Sendable {
        package var name: String
        package var value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    package var method: String
    /// Parts of the path after `/_mock/`. Each is escaped separately, so that typed text cannot add a part.
    package var path: [String]
    package var query: [Parameter]
    package var body: Body?

    package init(_ method: String, _ path: String..., query: [Parameter] = [], body: JSONObject? = nil) {
        self.init(method, path: path, query: query, body: body.map { .json(.object($0)) })
    }

    package init(_ method: String, path: [String], query: [Parameter] = [], body: Body?) {
        self.method = method
        self.path = path
        self.query = query
        self.body = body
    }

    package var target: String {
        let path = (["/_mock"] + path.map { PercentCoding.encode($0) }).joined(separator: "/")
        guard !query.isEmpty else { return path }
        let pairs = query.map { PercentCoding.encode($0.name) + "=" + PercentCoding.encode($0.value) }
        return path + "?" + pairs.joined(separator: "&")
    }

    /// Returns the HTTP request. Writes have a header that web pages cannot add without a CORS preflight.
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

    static func feed(
        of endpoint: Endpoint, token: String?, after: UInt64?, filter: String?, topic: String? = nil
    ) -> HTTPClient.Request {
        var query: [Parameter] = []
        if let after { query.append(Parameter("after", String(after))) }
        if let filter { query.append(Parameter("filter", filter)) }
        if let topic { query += [Parameter("also", topic), Parameter("rows", "none")] }
        var request = ControlRequest("GET", "feed", query: query).http(
            to: endpoint, token: token, patience: nil)
        request.answerBytes = ControlLimits.refusalBytes
        request.webSocket = HTTPClient.WebSocketTerms(messageBytes: ControlLimits.feedMessageBytes)
        return request
    }
}
