import Clocks
import ConversationEngine
import DialectKit
import HTTPCore
import Texts

/// Builder of the responses to one request (protocol.md#error-body).
struct ResponseBuilder {
    static let correlationField = "X-Polyai-Correlation-Id"

    let correlation: String
    /// The id in the request, perhaps not presentable.
    let given: String?

    /// `headers` are those of the request, whose copy would take 250 instructions.
    init(_ headers: HeaderFields, host: inout any DialectContext) {
        given = headers[Self.correlationField]
        if let given, Self.isPresentable(given) {
            correlation = given
        } else {
            correlation = host.uniqueID().text
        }
    }

    func success(_ body: JSONObject) -> Response { success { JSONWriter.value(.object(body), into: &$0) } }

    /// Returns a response whose body `write` appends.
    func success(_ write: (inout [UInt8]) -> Void) -> Response { response(200, write) }

    /// Returns a documented error and logs `reason`.
    func refusal(
        _ refused: KnownProblem, because reason: String, detail: String? = nil,
        _ host: inout any DialectContext
    ) -> Response {
        host.log("poly: " + reason)
        return problem(refused, detail: detail)
    }

    func tooFast(_ subject: String, wait: Interval, _ host: inout any DialectContext) -> Response {
        let seconds = (wait.nanoseconds + 999_999_999) / 1_000_000_000
        host.log("poly: \(subject) than rates.rest allows; the next may come in \(seconds) s")
        return status(429, retryAfter: wait)
    }

    /// Returns a documented error. `detail` appears only in `error_message`.
    func problem(_ problem: KnownProblem, detail: String? = nil, retryAfter: Interval? = nil) -> Response {
        let entry = ErrorCatalog.entry(problem)
        // A problem without a status is documented only as a notice on an open connection.
        let status = entry.status ?? 500
        return error(status, entry.text, code: entry.code, detail: detail, retryAfter: retryAfter)
    }

    /// Returns an undocumented error. `message` replaces the usual text.
    func status(
        _ status: Int, message: String? = nil, detail: String? = nil, retryAfter: Interval? = nil
    ) -> Response {
        let text =
            switch status {
            case 400: "Bad request"
            case 405: "Method not allowed"
            case 408: "Request timeout"
            case 413: "Content too large"
            case 414: "URI too long"
            case 431: "Request header fields too large"
            case 501: "Not implemented"
            case 505: "HTTP version not supported"
            case 401: "Unauthorized"
            case 403: "Forbidden"
            case 404: "Not found"
            case 426: "WebSocket upgrade required"
            case 429: "Too many requests"
            case 500: "Internal server error"
            case 503: "Service unavailable"
            default: "Request refused"
            }
        let code = text.uppercased().split(separator: " ").joined(separator: "_")
        return error(status, message ?? text, code: code, detail: detail, retryAfter: retryAfter)
    }

    private func error(
        _ status: Int, _ text: String, code: String, detail: String? = nil, retryAfter: Interval?
    ) -> Response {
        let body: JSONObject = [
            "success": .bool(false), "message": .string(text), "error": .string(text),
            "error_message": .string(detail.map { text + ": " + $0 } ?? text), "error_code": .string(code),
            "error_id": .string(correlation), "data": .null,
        ]
        var response = response(status) { JSONWriter.value(.object(body), into: &$0) }
        // Every 429 has Retry-After (protocol.md#retry-after).
        if let retryAfter = retryAfter ?? (status == 429 ? .seconds(PolyLimits.retrySeconds) : nil) {
            // Whole seconds: clients do not parse the other form, a date (protocol.md#retry-after-cap).
            let seconds = (retryAfter.nanoseconds + 999_999_999) / 1_000_000_000
            response.headers.append("Retry-After", String(max(1, seconds)))
        }
        return response
    }

    private func response(_ status: Int, _ write: (inout [UInt8]) -> Void) -> Response {
        var headers = HeaderFields()
        headers.append("Content-Type", "application/json")
        headers.append("Cache-Control", "no-store")
        headers.append(Self.correlationField, correlation)
        var body: [UInt8] = []
        body.reserveCapacity(PolyLimits.usualBodyBytes)
        write(&body)
        return Response(status: status, headers: headers, body: body)
    }

    /// Whether the text is visible ASCII within the length limit.
    private static func isPresentable(_ text: String) -> Bool {
        (1...PolyLimits.correlationBytes).contains(text.utf8.count)
            && text.utf8.allSatisfy { 0x21...0x7E ~= $0 }
    }
}
