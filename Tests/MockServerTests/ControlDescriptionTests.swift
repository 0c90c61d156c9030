import Expectations
import HTTPCore
import SocketTransport
import TestSupport
import Testing
import Texts

@testable import MockServer

@Suite("The description of the control API", .timeLimit(.minutes(5)))
struct ControlDescriptionTests {
    @Test("Every route is described, with its query, a summary and an answer")
    func routesAreDescribed() async throws {
        try await World.run { world in
            let description = try await ControlClient(world).description
            expectEqual(description.document["openapi"]?.string, "3.1.0")
            for route in ControlRoute.all {
                let operation = description.document["paths"]?[route.path]?[route.method.lowercased()]
                #expect(operation?["operationId"]?.string == route.name, "\(route.path)")
                #expect(operation?["summary"]?.string?.isEmpty == false, "\(route.path)")
                let parameters = operation?["parameters"]?.array ?? []
                let query = parameters.filter { $0["in"]?.string == "query" }.compactMap {
                    $0["name"]?.string
                }
                expectEqual(Set(query), Set(route.query), "\(route.path)")
                let inPath = parameters.filter { $0["in"]?.string == "path" }.count
                expectEqual(inPath, route.path.contains("{") ? 1 : 0, "\(route.path)")
            }
        }
    }

    @Test("Each route is described with the refusals of its row, and with a body where it takes one")
    func refusals() async throws {
        try await World.run { world in
            let description = try await ControlClient(world).description
            for route in ControlRoute.all {
                let operation = description.operation(route.method, route.path)
                let statuses = (operation?["responses"]?.object?.members ?? []).compactMap { Int($0.name) }
                let refusals = statuses.filter { $0 >= 400 }
                expectEqual(refusals.sorted(), route.refusals, "\(route.name)")
                #expect(statuses.min() ?? 400 < 300, "\(route.name)")
                expectEqual(operation?["requestBody"] != nil, route.refusals.contains(415), "\(route.name)")
            }
        }
    }

    @Test("The file of words and schemas has nothing that the description leaves out")
    func file() async throws {
        let root = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }
        let bytes = try #require(Files.read(root + "/Server/Pages/openapi.json", atMost: 1 << 20))
        let file = try JSONReader.read(bytes, maxBytes: bytes.count)
        func names(_ name: String, of value: JSONValue?) -> [String] {
            (value?[name]?.object?.members ?? []).map(\.name).sorted()
        }
        expectEqual(names("operations", of: file), ControlRoute.all.map(\.name).sorted())
        for route in ControlRoute.all {
            expectEqual(
                names("query", of: file["operations"]?[route.name]), route.query.sorted(), "\(route.name)")
        }
        try await World.run { world in
            let document = try await ControlClient(world).description.document
            let text = String(decoding: JSONWriter.bytes(document), as: UTF8.self)
            let components = document["components"]
            expectEqual(names("schemas", of: components), names("schemas", of: file))
            for kind in ["schemas", "responses"] {
                for name in names(kind, of: components) {
                    #expect(text.contains("#/components/\(kind)/\(name)\""), "\(name)")
                }
            }
        }
    }

    @Test(
        "Each short form of a schema stands for its long one",
        arguments: [
            (
                #""integer|null: how many: all""#,
                #"{"type":["integer","null"],"description":"how many: all"}"#
            ),
            (#""time""#, #"{"type":"string","format":"date-time"}"#),
            (#""time|null""#, #"{"type":["string","null"],"format":"date-time"}"#),
            (#""number >=0.5 <=9""#, #"{"type":"number","minimum":0.5,"maximum":9}"#),
            (#""string <=100""#, #"{"type":"string","maxLength":100}"#),
            (
                #""open|ended: how it is""#,
                ##"{"type":"string","enum":["open","ended"],"description":"how it is"}"##
            ),
            (##""#Row""##, ##"{"$ref":"#/components/schemas/Row"}"##),
            (#"["string"]"#, #"{"type":"array","items":{"type":"string"}}"#),
            (#"["string","null"]"#, #"{"oneOf":[{"type":"string"},{"type":"null"}]}"#),
            (
                #"{"$":"any","*":"string"}"#,
                #"{"type":"object","additionalProperties":{"type":"string"},"description":"any"}"#
            ),
            (
                #"{"$":"all","[]":"string"}"#,
                #"{"type":"array","items":{"type":"string"},"description":"all"}"#
            ),
            (
                #"{"$":"one","|":["string","null"]}"#,
                #"{"oneOf":[{"type":"string"},{"type":"null"}],"description":"one"}"#
            ),
            (#"{"$":{"const":true}}"#, #"{"const":true}"#),
            (
                #"{"$":{"type":["object","null"]},"a":"null","b?":"null"}"#,
                #"{"properties":{"a":{"type":"null"},"b":{"type":"null"}},"required":["a"],"#
                    + #""additionalProperties":false,"type":["object","null"]}"#
            ),
            (
                #"{"...":"Base","b?":"null"}"#,
                #"{"type":"object","properties":{"a":{"type":"null"},"b":{"type":"null"}},"required":["a"],"#
                    + #""additionalProperties":false}"#
            ),
        ] as [(String, String)])
    func forms(short: String, long: String) throws {
        let file = try JSONReader.read(Array(#"{"schemas":{"Base":{"a":"null"}}}"#.utf8))
        let schema = ControlDescription(file: file).schema(try JSONReader.read(Array(short.utf8)))
        expectEqual(String(decoding: JSONWriter.bytes(schema), as: UTF8.self), long)
    }

    @Test("Nothing else is described")
    func descriptionsAreRoutes() async throws {
        try await World.run { world in
            let description = try await ControlClient(world).description
            let described = description.paths.flatMap { path, methods in
                methods.members.map { "\($0.name.uppercased()) \(path)" }
            }
            expectEqual(Set(described), Set(ControlRoute.all.map { "\($0.method) \($0.path)" }))
            expectEqual(described.count, ControlRoute.all.count)
            expectEqual(ControlRoute.all.count, Set(ControlRoute.all.map(\.name)).count)
        }
    }

    @Test("Every answer has a schema that its own example fits, and so does every body")
    func examplesFit() async throws {
        try await World.run { world in
            let description = try await ControlClient(world).description
            for (path, methods) in description.paths {
                for operation in methods.members {
                    let answers = operation.value["responses"]?.object?.members ?? []
                    #expect(answers.contains { $0.name.hasPrefix("2") || $0.name == "101" })
                    let bodies = answers.map(\.value) + [operation.value["requestBody"]].compactMap { $0 }
                    for body in bodies {
                        let content = description.resolved(body)?["content"]?.object?.members ?? []
                        #expect(!content.isEmpty, "\(operation.name) \(path)")
                        for type in content {
                            let schema = try #require(type.value["schema"])
                            let example = try #require(type.value["example"], "\(operation.name) \(path)")
                            expectEqual(
                                description.compare(example, schema, at: "$"), [],
                                "\(operation.name) \(path)")
                        }
                    }
                }
            }
        }
    }

    @Test("The list of routes says of each what its description says", arguments: ["", "/"] as [String])
    func index(_ slash: String) async throws {
        try await World.run { world in
            let control = try await ControlClient(world)
            let answer = try await world.client.request("GET", "/_mock" + slash)
            let list = try JSONReader.read(answer.body)
            expectEqual(list["description"]?.string, "/_mock/openapi.json")
            let routes = list["routes"]?.array ?? []
            expectEqual(routes.count, ControlRoute.all.count)
            for route in routes {
                let path = route["path"]?.string ?? ""
                let operation = control.description.document["paths"]?[path]?[
                    route["method"]?.string?.lowercased() ?? ""]
                #expect(operation?["summary"]?.string == route["about"]?.string, "\(path)")
            }
            try await expectEqual(control.get("").status, 200)
        }
    }

    @Test("Another method is answered with 405 and what is allowed; another path with what is near")
    func nearby() async throws {
        try await World.run { world in
            let control = try await ControlClient(world)
            let refused = try await control.ask("PUT", "clock")
            expectEqual(refused.status, 405)
            expectEqual(refused.headers["Allow"], "GET, POST, HEAD, OPTIONS")
            #expect(refused.message.contains("use GET or POST"))
            let missing = try await control.get("session")
            expectEqual(missing.status, 404)
            #expect(missing.message.contains("/_mock/sessions"))
            #expect(try await control.get("sessions?tga=x").message.contains("did you mean ?tag=?"))
            try await expectEqual(control.ask("HEAD", "clock").status, 200)
            try await expectEqual(control.ask("OPTIONS", "clock").status, 204)
        }
    }

    @Test("isOn = false leaves health alone")
    func off() async throws {
        try await World.run {
            $0.control.isOn = false
        } _: { world in
            try await expectEqual(world.client.request("GET", "/_mock/health").status, 200)
            for route in ControlRoute.all where route.name != "health" && !route.path.contains("{") {
                let answer = try await world.client.request(
                    route.method, route.path, ["X-Mock-Control": "1"])
                expectEqual(answer.status, 404, "\(route.path)")
            }
        }
    }
}
