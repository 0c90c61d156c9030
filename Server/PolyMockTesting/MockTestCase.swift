#if canImport(XCTest)
    import Foundation
    public import MockKit
    public import MockServer
    public import XCTest

    /// A base class for XCTest cases that starts a mock for each test, as the trait `.mock` does in Swift Testing.
    ///
    /// ```swift
    /// final class BookingCase: MockTestCase {
    ///     override var fixture: String { "booking" }
    ///
    ///     func testFirstQuestion() async throws {
    ///         let chat = try await mock.chat()
    ///         try await chat.say("a table, please")
    ///         try await mock.expect(.reply("For how many"))
    ///     }
    /// }
    /// ```
    ///
    /// A subclass that overrides `setUp() async throws` or `tearDown() async throws` must call `super`.
    open class MockTestCase: XCTestCase {
        /// A fixture's name, the path of a file ending in `.json5`, or the text of a fixture. Default `webchat`.
        open var fixture: String { "webchat" }
        /// Names of active faults: faults of the fixture, or presets such as `tunnel`. Default none.
        open var faults: [String] { [] }
        /// Seed of all ids and random choices. Default 1.
        open var seed: UInt64 { 1 }
        /// The name of the pace: `natural`, `instant`, or a pace of the fixture. Nil, the default, means the fixture's
        /// own.
        open var pace: String? { nil }
        /// The source of time: virtual (the default), real or scaled.
        open var time: MockPlan.Time { .virtual }
        /// What moves a virtual clock. Default ``MockPlan/Movement/time``: time passes while an expectation waits.
        open var movement: MockPlan.Movement { .time }
        /// Policy for unmatched messages and requests. Default fail. With `.warn`, a text is printed.
        open var unmatched: MockPlan.Policy { .fail }
        /// Policy for violations, which are protocol rules that a client breaks. Default warn.
        open var violations: MockPlan.Policy { .warn }

        /// Names of active faults.
        @available(*, unavailable, renamed: "faults")
        open var troubles: [String] { faults }

        /// Policy for messages without a matching rule.
        @available(*, unavailable, renamed: "unmatched")
        open var unheard: MockPlan.Policy { unmatched }

        /// Policy for protocol rules that a client breaks.
        @available(*, unavailable, renamed: "violations")
        open var breaches: MockPlan.Policy { violations }

        /// Changes the settings with which the server starts; does nothing by default.
        open func configure(_ settings: inout ServerSettings) {}

        /// The mock of the running test. If it could not be started, every `await` on it throws ``MockError``.
        public var mock: Mock {
            if let running { return running }
            if !hasReportedAbsence {
                hasReportedAbsence = true
                fail(
                    "No mock is running: a setUp() of \(Self.self) has to begin with"
                        + " `try await super.setUp()`, and nothing runs before it or after tearDown().",
                    at: nil)
            }
            return .notRunning
        }

        private var running: Mock?
        private var hasReportedAbsence = false
        private let hasFailed = Locked(false)

        /// Starts the mock.
        /// - Throws: `ServerError` for a mistake in the fixture, the faults, the pace or the settings.
        open override func setUp() async throws {
            try await super.setUp()
            var plan = MockPlan()
            plan.fixture = fixture
            plan.faults = faults
            plan.seed = seed
            plan.pace = pace
            plan.time = time
            plan.movement = movement
            plan.unmatched = unmatched
            plan.violations = violations
            var settings = plan.settings
            configure(&settings)
            plan.settings = settings
            #if !canImport(ObjectiveC)
                // Distinguishes the journals in one folder by test name and process id.
                let owner = name.map { $0.isLetter || $0.isNumber || "._".contains($0) ? $0 : "-" }
                plan.journalOwner = String(owner) + "-\(ProcessInfo.processInfo.processIdentifier)"
            #endif
            running = try await Mock.start(plan)
            RuleLedger.reportAtExit()
        }

        /// Lets the time requested with `clock.advance(by:)` pass, reports complaints and stops the mock.
        /// - Throws: only errors of `super`.
        open override func tearDown() async throws {
            if let mock = running {
                do { try await mock.clock.catchUp() } catch { fail("\(error)", at: mock.site(of: error)) }
                for complaint in mock.complaints { report(complaint) }
                await mock.stop()
                if hasFailed.withLock({ $0 }) { keep(await mock.journal(), named: mock.plan.journalName) }
                running = nil
            }
            try await super.tearDown()
        }

        private func report(_ complaint: Complaint) {
            switch complaint.policy {
            case .pass: return
            case .warn: print("warning: \(complaint.text)")
            case .fail: fail(complaint.text, at: complaint.site)
            }
            point(to: complaint.place, complaint.text)
        }

        /// Prints the fixture line that caused a failure, in the format that editors show as a link.
        private func point(to place: CallSite?, _ text: String) {
            guard let place, place.isInFile else { return }
            let headline = text.split(separator: "\n").first ?? ""
            print("\(place.absolutePath):\(place.line):\(place.column): note: \(name): \(headline)")
        }

        #if canImport(ObjectiveC)
            /// Records an error of the kit at the line of the call that threw it.
            open override func record(_ issue: XCTIssue) {
                hasFailed.withLock { $0 = true }
                let failure = issue.associatedError as? ExpectationFailure
                let site = failure?.site ?? issue.associatedError.flatMap { running?.site(of: $0) }
                guard let site else { return super.record(issue) }
                var moved = issue
                if let failure { moved.compactDescription = failure.text }
                moved.sourceCodeContext = XCTSourceCodeContext(
                    location: XCTSourceCodeLocation(filePath: site.absolutePath, lineNumber: site.line))
                super.record(moved)
                if let failure { point(to: failure.place, failure.text) }
            }

            private func fail(_ text: String, at place: CallSite?) {
                let location = place.map {
                    XCTSourceCodeLocation(filePath: $0.absolutePath, lineNumber: $0.line)
                }
                record(
                    XCTIssue(
                        type: .assertionFailure, compactDescription: text,
                        sourceCodeContext: XCTSourceCodeContext(location: location)))
            }

            private func keep(_ journal: [UInt8], named name: String) {
                let attachment = XCTAttachment(
                    data: Data(journal), uniformTypeIdentifier: "public.plain-text")
                attachment.name = name
                attachment.lifetime = .keepAlways
                add(attachment)
            }
        #else
            /// Records an error of the kit at the line of the call that threw it.
            open override func recordFailure(
                withDescription description: String, inFile filePath: String, atLine lineNumber: Int,
                expected: Bool
            ) {
                hasFailed.withLock { $0 = true }
                guard !expected, let (text, site) = relocated(description) else {
                    return super.recordFailure(
                        withDescription: description, inFile: filePath, atLine: lineNumber, expected: expected
                    )
                }
                super.recordFailure(
                    withDescription: text, inFile: site.absolutePath, atLine: site.line, expected: true)
                if let failure = running?.lastFailure, failure.text == text {
                    point(to: failure.place, text)
                }
            }

            /// Returns the kit's error whose text occurs in `description`. XCTest on Linux passes only this text.
            func relocated(_ description: String) -> (text: String, site: CallSite)? {
                if let failure = running?.lastFailure, description.contains(failure.text) {
                    return (failure.text, failure.site)
                }
                return running?.site(quotedIn: description).map { (text: $0.words, site: $0.site) }
            }

            private func fail(_ text: String, at place: CallSite?) {
                recordFailure(
                    withDescription: text, inFile: place?.absolutePath ?? "<mock>", atLine: place?.line ?? 0,
                    expected: true)
            }

            /// Writes the journal to a temporary file (XCTest on Linux has no attachments). Returns its path, or nil.
            @discardableResult
            func keep(_ journal: [UInt8], named name: String) -> String? {
                let file = FileManager.default.temporaryDirectory.appendingPathComponent(name)
                do {
                    try Data(journal).write(to: file)
                    print("Journal: \(file.path)")
                    return file.path
                } catch {
                    print("The journal could not be written to \(file.path): \(error)")
                    return nil
                }
            }
        #endif
    }
#endif
