import DialectKit
import Expectations
import HTTPCore
import ServerCore
import Testing
import Timeline

/// Routes and nothing else.
private struct Routes: Dialect {
    var routes: [Route]
    var prefixes: [String]
    var name: String { "routes" }
    var exposedFields: [String] { [] }

    func answer(_ request: Request, host: inout any DialectContext) -> Answer {
        .response(Response(status: 204))
    }
    func refuse(_ denial: Rejection, request: Request, host: inout any DialectContext) -> Response {
        Response(status: 400)
    }
    func encoder(of session: String) -> any SessionEncoder { SilentEncoder() }
    var protocolRules: any ClientProtocolRules { NoProtocolRules() }
    var reading: RowReading { RowReading { _ in RowIDs() } }
}

@Suite("Which path leads where")
struct RouteTableTests {
    private let table = RouteTable(
        dialects: [
            Routes(
                routes: [
                    Route("/api/v1/things", methods: ["POST"], operation: "Make"),
                    Route(
                        "/ws", methods: ["GET"], operation: "Connect", isWebSocket: true, isOpenToPages: true),
                ], prefixes: ["/api/v1", "/ws"]),
            Routes(
                routes: [
                    Route("/paper/rooms/{room}", methods: ["put"], operation: "OpenRoom"),
                    Route("/paper/rooms/{room}", methods: ["GET"], operation: "Room", bodyBytes: 10),
                    Route("/paper/rooms/{room}/notes/{n}", methods: ["GET"], operation: "Note"),
                    Route("/paper/files/{file}", methods: ["GET"], operation: "File", isExact: true),
                ], prefixes: ["/paper", "/api/v1/paper"]),
        ],
        own: [
            (.startPage, Route("/", methods: ["GET"])), (.health, Route("/_mock/health", methods: ["GET"])),
        ],
        control: (
            "/_mock/",
            { [("GET", "/_mock/wire"), ("DELETE", "/_mock/wire"), ("DELETE", "/_mock/faults/{id}")] }
        ))

    private func match(_ target: String) -> RouteTable.Match? {
        RequestTarget(parsing: target).flatMap { table.match($0) }
    }

    @Test(
        "Each path has its owner",
        arguments: [
            ("/", .startPage), ("/?a=b", .startPage), ("/_mock/health", .health), ("/_mock/health/", .health),
            ("/_mock", .control), ("/_mock/", .control), ("/_mock/anything/else", .control),
            ("/api/v1/things", .dialect(0)), ("/api/v1/things//", .dialect(0)), ("/ws?x=1", .dialect(0)),
            ("/api/v1/../v1/things", .dialect(0)), ("/paper/rooms/a", .dialect(1)),
            ("/paper/rooms/a%2Fb/notes/2", .dialect(1)), ("*", .startPage),
        ] as [(String, RouteTable.Owner)])
    func owners(target: String, owner: RouteTable.Owner) {
        expectEqual(match(target)?.owner, owner)
    }

    @Test(
        "Other paths have none",
        arguments: ["/api/v1", "/paper", "/paper/rooms", "/mock", "/_mocks", "/nowhere"] as [String])
    func strangers(target: String) {
        #expect(match(target) == nil)
    }

    @Test("A path has one route for each method, as it is spelt, and the values of its names")
    func methods() throws {
        let room = try #require(match("/paper/rooms/a%2Fb"))
        expectEqual(room.values, ["room": "a/b"])
        expectEqual(room.allowed, "put, GET, HEAD, OPTIONS")
        #expect(room.route(for: "put")?.operation == "OpenRoom" && room.route(for: "PUT") == nil)
        #expect(room.route(for: "HEAD")?.operation == "Room" && room.route(for: "GET")?.bodyBytes == 10)
        #expect(room.webSocket == nil && match("/ws")?.webSocket?.operation == "Connect")
        try expectEqual(#require(match("*")).allowed, "OPTIONS")
    }

    @Test(
        "Only routes of dialects that say so are open to pages of other origins; the others of dialects refuse them"
    )
    func pages() {
        #expect(match("/ws")?.isOpenToPages == true && match("/ws")?.refusesPages == false)
        #expect(
            match("/paper/rooms/a")?.isOpenToPages == false && match("/paper/rooms/a")?.refusesPages == true)
        for own in ["/", "/_mock/wire"] {
            #expect(match(own)?.isOpenToPages == false && match(own)?.refusesPages == false)
        }
    }

    @Test(
        "An exact route takes no slash too many",
        arguments: ["/paper/files/a/", "/paper//files/a", "/paper/files/a//"] as [String])
    func exact(target: String) {
        expectEqual(match("/paper/files/a")?.owner, .dialect(1))
        #expect(match(target) == nil)
    }

    @Test(
        "Whoever owns the longest prefix words what is refused below it, the first dialect the rest",
        arguments: [
            ("/paper", 1), ("/paper/nowhere?x=1", 1), ("/paper?x=/ws", 1), ("/papers", 0), ("/api/v1/x", 0),
            ("/api/v1/paper/x", 1), ("/nowhere", 0), ("", 0),
        ] as [(String, Int)])
    func wording(target: String, dialect: Int) {
        expectEqual(table.dialect(wording: target), dialect)
        expectEqual(table.dialect(wording: nil), 0)
    }

    @Test("A path that leads nowhere gets the likely route, or the list")
    func hints() {
        func hint(_ method: String, _ path: String) -> String {
            table.hint(method, path) { word, _ in ["thinsg": "things", "apj": "api"][word] }
        }
        expectEqual(hint("POST", "/things"), "did you mean POST /api/v1/things?")
        expectEqual(hint("POST", "/api/v1/thinsg"), "did you mean POST /api/v1/things?")
        expectEqual(hint("GET", "/wire"), "did you mean GET /_mock/wire?")
        expectEqual(hint("DELETE", "/wire"), "did you mean DELETE /_mock/wire?")
        expectEqual(hint("PUT", "/wire"), "did you mean GET /_mock/wire?")
        expectEqual(hint("POST", "/apj/v1/other"), "did you mean POST /api/v1/other?")
        expectEqual(hint("GET", "/faults/7"), "what is answered: POST /api/v1/things, GET /ws")
        // Whoever words the refusal lists its own.
        expectEqual(
            hint("GET", "/paper/7"),
            "what is answered: GET /paper/files/{file}, put /paper/rooms/{room}, GET /paper/rooms/{room}, GET /paper/rooms/{room}/notes/{n}"
        )
    }
}
