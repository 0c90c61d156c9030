import HTTPCore
import Texts

/// Why the control API did not do what it was asked: a status, and one sentence with what, where and how to
/// mend it.
struct ControlProblem: Error, Equatable, Sendable {
    var status: Int
    var message: String
    var headers: HeaderFields
    /// Members beside `error`.
    var details: JSONObject

    init(_ status: Int, _ message: String, headers: HeaderFields = [:], details: JSONObject = [:]) {
        self.status = status
        self.message = message
        self.headers = headers
        self.details = details
    }

    static func bad(_ message: String) -> ControlProblem { ControlProblem(400, message) }

    var response: Response {
        var object: JSONObject = ["error": .object(["message": .string(message)])]
        object.members += details.members
        var response = ControlJSON.response(.object(object), status: status)
        for field in headers.fields { response.headers.append(field.name, field.value) }
        return response
    }
}
