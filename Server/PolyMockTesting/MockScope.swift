#if canImport(Testing)
    import Foundation
    import MockKit
    import Testing

    /// The scope of one test: starts a mock, runs the test, records issues at their lines, and stops the mock.
    struct MockScope: Sendable {
        let plan: MockPlan
        let test: Test
        let testCase: Test.Case?
        var attach: @Sendable (_ journal: [UInt8], _ name: String, SourceLocation) -> Void = {
            Attachment.record($0, named: $1, sourceLocation: $2)
        }

        func run(_ function: @Sendable () async throws -> Void) async throws {
            let mock: Mock
            do {
                mock = try await Mock.start(plan)
            } catch {
                Issue.record(Comment(rawValue: "\(error)"), sourceLocation: test.sourceLocation)
                point(to: CallSite.first(in: "\(error)"), from: nil, "\(error)")
                return
            }
            RuleLedger.reportAtExit()
            let hasFailed = Locked(false)
            let watch = IssueHandlingTrait.compactMapIssues { issue in
                if issue.hasFailed { hasFailed.withLock { $0 = true } }
                return issue
            }
            let outcome = await Result {
                try await watch.provideScope(for: test, testCase: testCase) {
                    try await Mock.$bound.withValue(mock) { try await run(function, on: mock, hasFailed) }
                }
            }
            await mock.stop()
            if case .failure = outcome { hasFailed.withLock { $0 = true } }
            if hasFailed.withLock({ $0 }) {
                attach(await mock.journal(), plan.journalName, test.sourceLocation)
            }
            try outcome.get()
        }

        private func run(
            _ function: @Sendable () async throws -> Void, on mock: Mock, _ hasFailed: Locked<Bool>
        ) async throws {
            var thrown: (any Error)?
            do {
                try await function()
            } catch let failure as ExpectationFailure {
                hasFailed.withLock { $0 = true }
                Issue.record(Comment(rawValue: failure.text), sourceLocation: SourceLocation(failure.site))
                point(to: failure.place, from: failure.site, failure.text)
            } catch {
                if let site = mock.site(of: error) {
                    hasFailed.withLock { $0 = true }
                    Issue.record(error, sourceLocation: SourceLocation(site))
                } else {
                    thrown = error
                }
            }
            // Time requested by `clock.advance(by:)` passes first, because it may cause complaints.
            do { try await mock.clock.catchUp() } catch { thrown = thrown ?? error }
            // Complaints may explain the test's error, so they are reported as well.
            for complaint in mock.complaints {
                if complaint.policy == .fail { hasFailed.withLock { $0 = true } }
                Issue.record(
                    Comment(rawValue: complaint.text), isWarning: complaint.policy == .warn,
                    at: complaint.site.map { SourceLocation($0) } ?? test.sourceLocation)
                point(to: complaint.place, from: complaint.site, complaint.text)
            }
            if let thrown { throw thrown }
        }

        /// Records a warning at the fixture line that caused a failure.
        private func point(to place: CallSite?, from site: CallSite?, _ text: String) {
            guard let place, place.isInFile else { return }
            let origin = site.map { "\($0.fileName):\($0.line)" } ?? test.name
            let headline = text.split(separator: "\n").first ?? ""
            Issue.record("See \(origin): \(headline)", isWarning: true, at: SourceLocation(place))
        }
    }

    /// Severity of issues, new in Swift 6.3 (Xcode 26.4). With older versions, warnings are printed.
    extension Issue {
        #if compiler(>=6.3)
            fileprivate var hasFailed: Bool { isFailure }

            fileprivate static func record(_ comment: Comment, isWarning: Bool, at place: SourceLocation) {
                record(comment, severity: isWarning ? .warning : .error, sourceLocation: place)
            }
        #else
            fileprivate var hasFailed: Bool { true }

            fileprivate static func record(_ comment: Comment, isWarning: Bool, at place: SourceLocation) {
                guard !isWarning else { return print("\(place): warning: \(comment)") }
                record(comment, sourceLocation: place)
            }
        #endif
    }

    extension SourceLocation {
        init(_ site: CallSite) {
            self.init(
                fileID: site.fileID, filePath: site.absolutePath, line: max(1, site.line),
                column: max(1, site.column))
        }
    }

    extension Result where Failure == any Error {
        fileprivate init(_ body: () async throws -> Success) async {
            do {
                self = .success(try await body())
            } catch {
                self = .failure(error)
            }
        }
    }
#endif
