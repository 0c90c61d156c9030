import Clocks
import HTTPCore
import Texts

enum ControlJSON {
    static func response(_ value: JSONValue, status: Int = 200) -> Response {
        response(bytes(value) + [0x0A], status: status)
    }

    static func response(_ body: [UInt8], type: String = "application/json", status: Int = 200) -> Response {
        Response(status: status, headers: ["Content-Type": type, "Cache-Control": "no-store"], body: body)
    }

    /// Escapes characters that affect a terminal, because a peer's text may be shown there.
    static func bytes(_ value: JSONValue) -> [UInt8] {
        let bytes = JSONWriter.bytes(value)
        guard bytes.contains(where: { $0 >= 0x7F }) else { return bytes }
        return Array(ForeignText.json(String(decoding: bytes, as: UTF8.self)).utf8)
    }

    /// Adds the former names of renamed members to a response.
    static func withFormerNames(_ response: Response) -> Response {
        guard response.headers["Content-Type"] == "application/json",
            let value = try? JSONReader.read(response.body, maxBytes: response.body.count)
        else { return response }
        var result = response
        result.body = bytes(withFormerNames(value)) + [0x0A]
        return result
    }

    private static func withFormerNames(_ value: JSONValue) -> JSONValue {
        switch value {
        case .array(let items): return .array(items.map(withFormerNames))
        case .object(let object):
            var members: [JSONObject.Member] = []
            for member in object.members {
                let value = withFormerNames(member.value)
                members.append(JSONObject.Member(member.name, value))
                if let former = FormerNames.former(ofMember: member.name), object[former] == nil {
                    members.append(JSONObject.Member(former, value))
                }
            }
            return .object(JSONObject(members))
        default: return value
        }
    }

    static func object(_ members: [(String, JSONValue)]) -> JSONValue {
        .object(JSONObject(members.map { JSONObject.Member($0, $1) }))
    }

    static func strings(_ texts: some Sequence<String>) -> JSONValue { .array(texts.map { .string($0) }) }

    static func optional(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }

    static func count(_ number: some BinaryInteger) -> JSONValue { .integer(Int64(clamping: number)) }

    static func time(_ instant: Instant) -> JSONValue {
        .string(TimeStamp.text(nanoseconds: instant.nanoseconds))
    }
}

/// An error of the control API: a status, and a sentence with the problem and the fix.
struct ControlProblem: Error, Equatable, Sendable {
    var status: Int
    var message: String
    var headers: HeaderFields
    /// JSON members in addition to `error`.
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
