import MockKit

/// Runs `body` with a mock that is gone afterwards.
func withMock<Result: Sendable>(
    _ fixture: String = "booking", _ change: (inout MockPlan) -> Void = { _ in },
    isolation: isolated (any Actor)? = #isolation, _ body: (Mock) async throws -> Result
) async throws -> Result {
    var plan = MockPlan(fixture)
    change(&plan)
    let mock = try await Mock.start(plan)
    do {
        let result = try await body(mock)
        await mock.stop()
        return result
    } catch {
        await mock.stop()
        throw error
    }
}

/// A fixture of one stage. Replies come at once unless `pace` says otherwise.
func fixture(_ rules: String, rest: String = "", pace: String = #"{ think: "0ms", every: "0ms" }"#) -> String
{
    """
    {
      fixture: 1, name: "Test", agent: { name: "Ada" },
      pace: "p", paces: { p: \(pace) },
      greeting: [ { say: "Welcome." } ],
      stages: { start: [ \(rules) ] },
      otherwise: [ { replies: [ { say: "You said {message}." } ] } ],
      \(rest)
    }
    """
}
