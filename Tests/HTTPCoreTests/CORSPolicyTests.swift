import Expectations
import HTTPCore
import Testing

@Suite("CORS policy")
struct CORSPolicyTests {
    private let listed = CORSPolicy(origins: .list(["http://a"]), headers: .list(["X-A", "X-B"]))

    private func preflight(from origin: String, _ more: HeaderFields = [:]) -> RequestHead {
        var fields: HeaderFields = ["Origin": origin, "Access-Control-Request-Method": "POST"]
        for field in more.fields { fields.append(field.name, field.value) }
        return RequestHead(method: "OPTIONS", target: "/", headers: fields)
    }

    private func ask(from origin: String?) -> RequestHead {
        RequestHead(method: "GET", target: "/", headers: origin.map { ["Origin": $0] } ?? [:])
    }

    @Test("A preflight is answered with all that the page asked for (Fetch standard, CORS preflight)")
    func anyOrigin() throws {
        let head = preflight(from: "http://a", ["Access-Control-Request-Headers": "content-type, x-token"])
        let response = try #require(CORSPolicy().preflightResponse(for: head, methods: ["GET", "POST"]))
        expectEqual(response.status, 204)
        expectEqual(response.headers["Access-Control-Allow-Origin"], "*")
        expectEqual(response.headers["Access-Control-Allow-Methods"], "GET, POST")
        expectEqual(response.headers["Access-Control-Allow-Headers"], "content-type, x-token")
        expectEqual(response.headers["Access-Control-Max-Age"], "600")
        expectEqual(response.headers["Access-Control-Allow-Private-Network"], nil)
        #expect(!response.headers.list("Vary", contains: "Origin"))
    }

    @Test("A listed origin is echoed, with Vary: Origin and the listed headers")
    func listedOrigin() throws {
        let response = try #require(
            listed.preflightResponse(for: preflight(from: "http://a"), methods: ["GET"]))
        expectEqual(response.headers["Access-Control-Allow-Origin"], "http://a")
        expectEqual(response.headers["Access-Control-Allow-Headers"], "X-A, X-B")
        #expect(response.headers.list("Vary", contains: "origin"))
    }

    @Test(
        "Another origin is refused, without a word about origins that are allowed",
        arguments: ["http://b", "null", "http://a.b", "HTTP://A", ""] as [String])
    func foreignOrigin(_ origin: String) throws {
        let response = try #require(listed.preflightResponse(for: preflight(from: origin), methods: ["GET"]))
        expectEqual(response.status, 403)
        expectEqual(response.headers["Access-Control-Allow-Origin"], nil)
        #expect(response.headers.list("Vary", contains: "Origin"))
        #expect(!listed.allows(origin: origin))
    }

    @Test("OPTIONS without Origin or method is no preflight")
    func noPreflight() {
        let policy = CORSPolicy()
        expectEqual(
            policy.preflightResponse(for: RequestHead(method: "OPTIONS", target: "/"), methods: []), nil)
        expectEqual(policy.preflightResponse(for: ask(from: "http://a"), methods: []), nil)
        let plain = RequestHead(method: "OPTIONS", target: "/", headers: ["Origin": "http://a"])
        expectEqual(policy.preflightResponse(for: plain, methods: []), nil)
    }

    @Test("Access to a private network is granted when asked for (Private Network Access)")
    func privateNetwork() throws {
        let head = preflight(from: "http://a", ["Access-Control-Request-Private-Network": "true"])
        let response = try #require(listed.preflightResponse(for: head, methods: ["GET"]))
        expectEqual(response.headers["Access-Control-Allow-Private-Network"], "true")
    }

    @Test("Answers let an allowed page read them, and name the fields it may see")
    func decorate() {
        var response = Response(status: 200, headers: ["Vary": "Accept"])
        var policy = listed
        policy.exposedHeaders = ["X-Id", "ETag"]
        policy.decorate(&response, for: ask(from: "http://a"))
        expectEqual(response.headers["Access-Control-Allow-Origin"], "http://a")
        expectEqual(response.headers["Access-Control-Expose-Headers"], "X-Id, ETag")
        expectEqual(response.headers["Vary"], "Accept, Origin")
    }

    @Test(
        "An answer that depends on the origin says so even without one (Fetch standard, CORS and caches)",
        arguments: ["http://b", nil] as [String?])
    func vary(_ origin: String?) {
        var response = Response(status: 200)
        listed.decorate(&response, for: ask(from: origin))
        expectEqual(response.headers, ["Vary": "Origin"])
        var open = Response(status: 200)
        CORSPolicy().decorate(&open, for: ask(from: nil))
        #expect(open.headers.isEmpty)
    }

    @Test("Credentials are for listed origins only (Fetch standard, CORS and credentials)")
    func credentials() {
        for (origins, isExpected) in [(CORSPolicy.Origins.any, false), (.list(["http://a"]), true)] {
            let policy = CORSPolicy(origins: origins, allowsCredentials: true)
            var response = Response(status: 200)
            policy.decorate(&response, for: ask(from: "http://a"))
            expectEqual(response.headers["Access-Control-Allow-Credentials"] == "true", isExpected)
        }
    }
}
