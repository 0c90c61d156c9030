import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

#if canImport(XCUIAutomation) && os(iOS)
    import XCTest
#endif

// The Swift of `Shared/Docs/testing-with-xcuitest.md`, word for word. `RobotTests` runs the robot.

/// Steers a running polymock from a UI test, for the sessions of this test alone.
struct MockRobot: Sendable {
    /// What polymock refused, in its own words.
    struct Refusal: Error, CustomStringConvertible {
        let description: String
    }

    /// Host and port of polymock.
    var address = "127.0.0.1:8787"
    /// What the sessions of this test are called; each test has its own.
    let tag: String

    /// The connector token for the app: `mock:booking@seed=7@tag=checkout`.
    func token(_ scenario: String) -> String { "mock:\(scenario)@tag=\(tag)" }

    // MARK: Faults and time

    /// A fault of the fixture, or a preset: tunnel, lift, train, hotel-wifi, bad-deploy.
    func inject(_ name: String) async throws {
        try await call("POST", "faults", ["name": name, "tag": tag])
    }

    /// A fault in the words of fixtures: at "reply 2", do "drop: 'connection'".
    func inject(at moment: String, do effect: String) async throws {
        try await call("POST", "faults", ["at": moment, "do": effect, "tag": tag])
    }

    /// Lets the server's time pass at once, such as "10m". The app's own timers go on as before.
    func advance(by length: String) async throws {
        try await call("POST", "clock", ["advance": length])
    }

    // MARK: The other side

    /// A live agent joins, also in place of the one that a queue leads to.
    func join(as name: String) async throws { try await act(["action": "join", "name": name]) }

    /// Takes over from the agent: what the user says from now on is answered by `say`.
    func takeOver() async throws { try await act(["action": "takeOver"]) }

    /// Speaks as the live agent who joined, or as the agent after `takeOver`.
    func say(_ text: String, suggest suggestions: [String] = []) async throws {
        try await act(["action": "send", "text": text, "suggestions": suggestions])
    }

    /// The live agent leaves, and the agent goes on.
    func leave() async throws { try await act(["action": "leave"]) }

    // MARK: Looking

    /// Waits until the app has sent, or was sent, what the filter takes: "dir:in type:USER_MESSAGE".
    func wait(for filter: String, count: Int = 1, within time: String = "10s") async throws {
        let query = [
            "filter": "\(filter) session:\(try await session())", "count": "\(count)", "timeout": time,
        ]
        try await call("GET", "wait", query: query)
    }

    /// The id of this test's newest session; waits until the app has opened one.
    func session() async throws -> String {
        for _ in 0..<20 {
            let found = try await call("GET", "sessions", query: ["tag": tag])
            if let id = (found["sessions"] as? [[String: Any]])?.last?["id"] as? String { return id }
            let last = try await call("GET", "wire", query: ["limit": "1"])["last"] as? Int ?? 0
            // The next request of any app: 408 when none comes within the second.
            _ = try? await call(
                "GET", "wait", query: ["filter": "kind:rest", "after": "\(last)", "timeout": "1s"])
        }
        throw Refusal(description: "the app has opened no session with the tag \"\(tag)\"")
    }

    // MARK: Requests

    private func act(_ body: [String: Any]) async throws {
        try await call("POST", "sessions/\(try await session())/agent", body)
    }

    /// Any call of the control API; `/_mock/openapi.json` describes all of them.
    @discardableResult
    func call(
        _ method: String, _ path: String, _ body: [String: Any]? = nil, query: [String: String] = [:]
    ) async throws -> [String: Any] {
        var parts = URLComponents(string: "http://\(address)/_mock/\(path)")
        if !query.isEmpty { parts?.queryItems = query.map { URLQueryItem(name: $0.key, value: $0.value) } }
        guard let url = parts?.url else { throw Refusal(description: "\(address) is no host and port") }
        var request = URLRequest(url: url)
        request.httpMethod = method
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        if let body { request.httpBody = try JSONSerialization.data(withJSONObject: body) }
        let (data, response) = try await URLSession.shared.data(for: request)
        let answer = try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
        guard (response as? HTTPURLResponse)?.statusCode == 200 else {
            let reason = (answer["error"] as? [String: Any])?["message"] as? String
            throw Refusal(description: "\(method) \(path): \(reason ?? "\(response)")")
        }
        return answer
    }
}

func nothingWasUnmatched(_ mock: MockRobot) async throws -> Bool {
    let session = try await mock.session()
    let unmatched = try await mock.call("GET", "unmatched")["unmatched"] as? [[String: Any]] ?? []
    return !unmatched.contains { $0["session"] as? String == session }
}

#if canImport(XCUIAutomation) && os(iOS)
    /// Not compiled on Linux; untested there.
    @MainActor
    final class BookingUITests: XCTestCase {
        func testALiftAndALiveAgent() async throws {
            let mock = MockRobot(tag: "lift-and-live-agent")
            let app = XCUIApplication()
            app.launchArguments += ["-mockServer", mock.address, "-mockToken", mock.token("booking@seed=7")]
            app.launch()

            try await mock.inject("lift")
            app.textFields["Message"].tap()
            app.textFields["Message"].typeText("a table, please\n")
            try await mock.wait(for: "dir:in type:USER_MESSAGE")
            try await mock.advance(by: "12s")
            XCTAssert(app.staticTexts["With pleasure. For how many people?"].waitForExistence(timeout: 5))

            try await mock.join(as: "Marta")
            try await mock.say("Shall I put you by the window?", suggest: ["Yes", "No"])
            XCTAssert(app.buttons["Yes"].waitForExistence(timeout: 5))
            app.buttons["Yes"].tap()
            try await mock.wait(for: "dir:in type:USER_MESSAGE", count: 2)
        }
    }
#endif
