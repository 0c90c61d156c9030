import Clocks
import ConversationEngine
import DialectKit
import HTTPCore
import PolyDialect
import Testing
import Texts

/// One dialect and one host, asked the way clients ask.
struct Exchange {
    static let upgrade: HeaderFields = ["Connection": "keep-alive, Upgrade", "Upgrade": "WebSocket"]

    var dialect: PolyDialect
    let host = FakeHost()

    init(_ options: PolyOptions = PolyOptions(), keyByte: UInt8 = 7) {
        dialect = PolyDialect(options: options, key: SigningKey([UInt8](repeating: keyByte, count: 32)))
    }

    func answer(
        _ method: String, _ path: String, query: [(name: String, value: String)] = [],
        headers: HeaderFields = [:], body: String = ""
    ) -> Answer {
        let head = RequestHead(method: method, target: path, headers: headers)
        var host: any DialectContext = host
        return dialect.answer(
            Request(head: head, path: path, query: query, body: Array(body.utf8)), host: &host)
    }

    func accessToken(_ headers: HeaderFields = ["X-Token": "ct", "X-Host": "com.example"]) throws -> Reply {
        try Reply(answer("POST", "/api/v1/access-token", headers: headers, body: "{}"))
    }

    func session(_ authorization: String?, body: String = "") throws -> Reply {
        var headers: HeaderFields = [:]
        if let authorization { headers.append("Authorization", authorization) }
        return try Reply(answer("POST", "/api/v1/sessions", headers: headers, body: body))
    }

    /// A fresh access token.
    func token() throws -> String {
        try #require(try accessToken().json["access_token"]?.string)
    }

    /// A fresh session and the token that created it.
    func opened() throws -> (token: String, session: String) {
        let token = try token()
        return (token, try #require(try session("Bearer " + token).json["session_id"]?.string))
    }

    func connect(_ query: [(name: String, value: String)], headers: HeaderFields = upgrade) -> Answer {
        answer("GET", "/ws", query: query, headers: headers)
    }

    func refusal(_ query: [(name: String, value: String)], headers: HeaderFields = upgrade) throws -> Reply {
        try Reply(connect(query, headers: headers))
    }
}

/// A response with its body read.
struct Reply {
    let status: Int
    let headers: HeaderFields
    let json: JSONValue

    init(_ answer: Answer) throws {
        guard case .response(let response) = answer else {
            throw JSONError(.unexpectedEnd, at: 0)  // a connection where a response was expected
        }
        try self.init(response)
    }

    init(_ response: Response) throws {
        (status, headers) = (response.status, response.headers)
        json = try JSONReader.read(response.body)
    }

    /// Status and text: what the error tables list.
    var row: String { "\(status) \(json["message"]?.string ?? "")" }
}
