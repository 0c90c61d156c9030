import DialectKit
import HTTPCore
import Texts

/// An error response.
struct ServiceError: Error, Equatable {
    enum Service: Equatable {
        case connect
        case participant

        init(path: String) {
            self = path.hasPrefix("/participant") || path.hasPrefix("/connect/") ? .participant : .connect
        }
    }

    var status: Int
    var type: String
    var message: String
    var members: [(String, JSONValue)] = []

    init(_ status: Int, _ type: String, _ message: String, _ members: [(String, JSONValue)] = []) {
        self.status = status
        self.type = type
        self.message = message
        self.members = members
    }

    static func == (left: Self, right: Self) -> Bool {
        (left.status, left.type, left.message) == (right.status, right.type, right.message)
    }

    static let denied = ServiceError(403, "AccessDeniedException", "Access denied")

    /// Returns the error for a missing field, or for JSON of the wrong type.
    static func unreadable(_ message: String, for service: Service) -> ServiceError {
        ServiceError(400, service == .connect ? "InvalidRequestException" : "ValidationException", message)
    }

    static func invalid(_ message: String, for service: Service) -> ServiceError {
        ServiceError(400, service == .connect ? "InvalidParameterException" : "ValidationException", message)
    }

    static func full(_ message: String) -> ServiceError {
        ServiceError(402, "ServiceQuotaExceededException", message)
    }

    static func conflict(_ message: String) -> ServiceError {
        ServiceError(409, "ConflictException", message)
    }

    init(_ denial: Rejection, path: String) {
        let service = Service(path: path)
        guard case .status(let status, let type, let message, let detail, _) = denial else {
            self = .denied
            return
        }
        let words = message ?? Self.words(status)
        self.init(status, type ?? Self.type(of: status, service), detail.map { "\(words): \($0)" } ?? words)
    }

    private static func type(of status: Int, _ service: Service) -> String {
        switch status {
        case 402: "ServiceQuotaExceededException"
        case 403: "AccessDeniedException"
        case 404, 405: "UnknownOperationException"
        case 409: "ConflictException"
        case 410: "ContactNotFoundException"
        case 429: "ThrottlingException"
        case 503: "ServiceUnavailableException"
        case 500...: service == .connect ? "InternalServiceException" : "InternalServerException"
        default: service == .connect ? "InvalidRequestException" : "ValidationException"
        }
    }

    private static func words(_ status: Int) -> String {
        switch status {
        case 403: "Access denied"
        case 404: "Unknown operation"
        case 405: "The path does not take this method"
        case 408: "The request did not come in time"
        case 413: "The request is too large"
        case 429: "Rate exceeded"
        case 500...: "Internal error"
        default: "The request cannot be taken"
        }
    }

    func response(_ request: String) -> Response {
        let texts: [(String, JSONValue)] = [("message", .string(message)), ("Message", .string(message))]
        var response = Response.json(
            .object(JSONObject((texts + members).map { JSONObject.Member($0, $1) })), request, status: status)
        response.headers.set("x-amzn-ErrorType", type)
        return response
    }
}

extension Response {
    static func json(_ value: JSONValue, _ request: String, status: Int = 200) -> Response {
        json(JSONWriter.bytes(value), request, status: status)
    }

    static func json(_ bytes: [UInt8], _ request: String, status: Int = 200) -> Response {
        Response(
            status: status,
            headers: ["Content-Type": "application/json", "x-amzn-RequestId": request], body: bytes)
    }
}
