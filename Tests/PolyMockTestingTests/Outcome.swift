import TestSupport
import Testing

@testable import PolyMockTesting

/// What one run of a test left behind.
struct Outcome {
    var issues: [Issue]
    /// Names of attached journals, with their bytes.
    var journals: [(name: String, text: String)]

    /// `BookingTests.swift:41:7`
    var places: [String] {
        issues.compactMap(\.sourceLocation).map { place in
            let file = place.filePath.split(separator: "/").last ?? ""
            return "\(file):\(place.line):\(place.column)"
        }
    }

    var texts: [String] { issues.map { $0.comments.map(\.rawValue).joined() } }
}

/// Runs `body` as the trait runs a test. Its issues are known ones of the test that asks.
func run(
    _ change: (inout MockPlan) -> Void, _ body: @escaping @Sendable (Mock) async throws -> Void
) async throws -> Outcome {
    let issues = Gathering<Issue>()
    let journals = Gathering<(name: String, text: String)>()
    let test = try #require(Test.current)
    var plan = MockPlan()
    change(&plan)
    let scope = MockScope(plan: plan, test: test, testCase: Test.Case.current) { bytes, name, _ in
        journals.append((name, String(decoding: bytes, as: UTF8.self)))
    }
    try await withKnownIssue(isIntermittent: true) {
        try await scope.run { try await body(Mock.current) }
    } matching: { issue in
        issues.append(issue)
        return true
    }
    return Outcome(issues: issues.all, journals: journals.all)
}

/// Six lines; what a test says and how long the lines are is known.
let shop = """
    {
      fixture: 1, name: "Shop", agent: { name: "Ada" },
      pace: "p", paces: { p: { think: "0ms", every: "0ms" } },
      greeting: [ { say: "Welcome." } ],
      stages: { start: [
        { name: "price", hears: "price", replies: [ { say: "It costs ten pounds." } ] },
        { name: "size", hears: ["size", "large"], replies: [ { say: "There is small and large." } ] },
        { name: "person", hears: "person", replies: [ { say: "One moment." }, { handoff: "team" } ] },
      ] },
      otherwise: [
        { limit: 1, replies: [ { say: "Pardon?" } ] },
          { replies: [ { say: "I am lost." } ] },
      ],
      handoffs: { team: { liveAgent: { id: "p-1", name: "Robin" }, opens: [ { say: "Robin here." } ],
        rules: [ { name: "bye", hears: "bye", replies: [ { say: "Take care." } ] } ],
        otherwise: [ { replies: [ { say: "I see." } ] } ] } },
    }
    """
