import Clocks
import ConversationEngine
import Expectations
import HTTPCore
import MockServer
import TestSupport
import Testing
import Texts

/// Asks the control API and compares every answer with its description.
struct ControlClient {
    let world: World
    let description: APIDescription

    /// All servers of the process describe themselves alike, at some length: the first one is asked.
    private static let known = Locked<APIDescription?>(nil)

    init(_ world: World) async throws {
        self.world = world
        if let known = Self.known.withLock({ $0 }) {
            description = known
            return
        }
        let answer = try await world.client.request("GET", "/_mock/openapi.json")
        description = APIDescription(try JSONReader.read(answer.body, maxBytes: answer.body.count))
        Self.known.withLock { [description] in $0 = description }
    }

    /// An answer, its body read where it is JSON.
    struct Reply {
        var status: Int
        var json: JSONValue
        var text: String
        var headers: HeaderFields

        subscript(_ path: Any...) -> JSONValue? {
            var value: JSONValue? = json
            for step in path {
                if let name = step as? String { value = value?[name] }
                if let index = step as? Int {
                    let elements = value?.array ?? []
                    value = elements.indices.contains(index) ? elements[index] : nil
                }
            }
            return value
        }

        /// The sentence of a refusal.
        var message: String { json["error"]?["message"]?.string ?? "" }
        func count(_ name: String) -> Int { json[name]?.array?.count ?? -1 }
    }

    func get(_ path: String) async throws -> Reply { try await ask("GET", path) }

    func post(_ path: String, _ body: String = "{}") async throws -> Reply {
        try await ask("POST", path, ["Content-Type": "application/json"], body: body)
    }

    func delete(_ path: String) async throws -> Reply {
        try await ask("DELETE", path, ["X-Mock-Control": "1"])
    }

    func ask(
        _ method: String, _ path: String, _ headers: HeaderFields = [:], body: String = ""
    ) async throws -> Reply {
        let answer = try await world.client.request(method, "/_mock/" + path, headers, body: body)
        let type = answer.headers["Content-Type"] ?? ""
        let isJSON = type == "application/json" && method != "HEAD"
        let json =
            isJSON ? try JSONReader.read(answer.body, maxBytes: max(answer.body.count, 1)) : JSONValue.null
        let plainPath = "/_mock/" + path.prefix { $0 != "?" }
        let problems =
            isJSON
            ? description.problems(with: json, method, plainPath, status: answer.status) : []
        expectEqual(problems, [], "\(method) \(path) answered \(answer.text)")
        return Reply(status: answer.status, json: json, text: answer.text, headers: answer.headers)
    }

    /// Returns when the server has something pending that is called so.
    func until(pending name: String) async throws {
        while true {
            let names = await world.server.inspect { $0.pendingTimers.map(\.name) }
            if names.contains(where: { $0.hasPrefix(name) }) { return }
            try Task.checkCancellation()
            await Task.yield()
        }
    }

    /// Looks for something pending that is called so, until `isOver`.
    func sees(pending name: String, unless isOver: Locked<Bool>) async -> Bool {
        while !isOver.withLock({ $0 }) {
            let names = await world.server.inspect { $0.pendingTimers.map(\.name) }
            if names.contains(where: { $0.hasPrefix(name) }) { return true }
            await Task.yield()
        }
        return false
    }
}

/// An OpenAPI document, as far as the control API uses it.
struct APIDescription: Sendable {
    let document: JSONValue
    let paths: [(path: String, methods: JSONObject)]

    init(_ document: JSONValue) {
        self.document = document
        paths = (document["paths"]?.object?.members ?? []).compactMap { member in
            member.value.object.map { (member.name, $0) }
        }
    }

    /// The operation for a path with its parameters filled in.
    func operation(_ method: String, _ path: String) -> JSONValue? {
        let wanted = path.split(separator: "/")
        let found = paths.filter { item in
            let parts = item.path.split(separator: "/")
            return parts.count == wanted.count
                && zip(parts, wanted).allSatisfy { $0 == $1 || $0.hasPrefix("{") }
        }
        let best = found.first { $0.path == path } ?? found.first
        return best?.methods[method.lowercased()]
    }

    func resolved(_ value: JSONValue?) -> JSONValue? {
        guard let reference = value?["$ref"]?.string else { return value }
        var found: JSONValue? = document
        for step in reference.split(separator: "/").dropFirst() { found = found?[String(step)] }
        return resolved(found)
    }

    /// What an answer has that its description has not, and the other way round.
    func problems(with body: JSONValue, _ method: String, _ path: String, status: Int) -> [String] {
        guard let operation = operation(method, path) else {
            return status == 404 || status == 405 ? [] : ["\(method) \(path) is not described"]
        }
        guard let response = resolved(operation["responses"]?["\(status)"]) else {
            return ["\(method) \(path) does not describe \(status)"]
        }
        guard let schema = response["content"]?["application/json"]?["schema"] else {
            return ["\(method) \(path) has no schema for \(status)"]
        }
        return compare(body, schema, at: "$")
    }

    func compare(_ value: JSONValue, _ schema: JSONValue, at place: String) -> [String] {
        guard let schema = resolved(schema) else { return ["\(place): no such schema"] }
        if let choices = schema["oneOf"]?.array {
            let fits = choices.contains { compare(value, $0, at: place).isEmpty }
            return fits ? [] : ["\(place): no choice fits"]
        }
        if let wanted = schema["const"] { return value == wanted ? [] : ["\(place): not \(wanted)"] }
        let types = schema["type"]?.array?.compactMap(\.string) ?? [schema["type"]?.string].compactMap { $0 }
        guard types.contains(where: { Self.isOf($0, value) }) else {
            return ["\(place): \(value) is no \(types)"]
        }
        if let choices = schema["enum"]?.array, value != .null, !choices.contains(value) {
            return ["\(place): \(value) is not among \(choices)"]
        }
        var problems: [String] = []
        if let items = schema["items"] {
            for (index, element) in (value.array ?? []).enumerated() {
                problems += compare(element, items, at: "\(place)[\(index)]")
            }
        }
        guard let object = value.object else { return problems }
        for name in schema["required"]?.array?.compactMap(\.string) ?? [] where object[name] == nil {
            problems.append("\(place): \(name) is missing")
        }
        for member in object.members {
            let own = schema["properties"]?[member.name]
            let other = schema["additionalProperties"]
            if let part = own ?? (other?.object == nil ? nil : other) {
                problems += compare(member.value, part, at: "\(place).\(member.name)")
            } else if other == .bool(false) {
                problems.append("\(place): \(member.name) is not described")
            }
        }
        return problems
    }

    private static func isOf(_ type: String, _ value: JSONValue) -> Bool {
        switch (type, value) {
        case ("null", .null), ("boolean", .bool), ("integer", .integer), ("number", .integer),
            ("number", .double), ("string", .string), ("array", .array), ("object", .object):
            true
        default: false
        }
    }
}
