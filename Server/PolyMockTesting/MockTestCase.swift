#if canImport(XCTest)
    import Foundation
    public import MockKit
    public import MockServer
    public import XCTest

    /// The base of XCTest cases with a mock of their own: `.mock` of Swift Testing, in the older form.
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
    /// A subclass with a `setUp() async throws` or `tearDown() async throws` of its own calls that of `super`.
    open class MockTestCase: XCTestCase {
        /// A fixture's name, the path of a file ending in `.json5`, or the text of a fixture. Default `webchat`.
        open var fixture: String { "webchat" }
        /// Names of the fixture's troubles that are in force. Default none.
        open var troubles: [String] { [] }
        /// Decides every id and every chance. Default 1.
        open var seed: UInt64 { 1 }
        /// The name of the pace; nil, the default, leaves it to the fixture.
        open var pace: String? { nil }
        /// Where time comes from. Default virtual.
        open var time: MockPlan.Time { .virtual }
        /// What moves a virtual clock. Default time.
        open var movement: MockPlan.Movement { .time }
        /// What becomes of messages that no rule hears, and of requests that no route takes. Default fail. XCTest of
        /// Linux knows no warnings: there, a warning is printed.
        open var unheard: MockPlan.Policy { .fail }

        /// What becomes of laws of the protocol that a client breaks. Default warn.
        open var breaches: MockPlan.Policy { .warn }

        /// Changes the server's settings; does nothing by default.
        ///
        /// - Parameter settings: those that the server will start with.
        open func configure(_ settings: inout ServerSettings) {}

        /// The mock of the running test. Where none was started, the test fails with the reason, and whatever is
        /// awaited of this mock throws ``MockError``.
        public var mock: Mock {
            if let running { return running }
            if !hasToldAbsence {
                hasToldAbsence = true
                fail(
                    "No mock is running: a setUp() of \(Self.self) has to begin with"
                        + " `try await super.setUp()`, and nothing runs before it or after tearDown().",
                    at: nil)
            }
            return .notRunning
        }

        private var running: Mock?
        private var hasToldAbsence = false
        private let failures = Flag()

        /// Starts the mock.
        ///
        /// - Throws: what is wrong with the fixture or the settings.
        open override func setUp() async throws {
            try await super.setUp()
            var plan = MockPlan()
            plan.fixture = fixture
            plan.troubles = troubles
            plan.seed = seed
            plan.pace = pace
            plan.time = time
            plan.movement = movement
            plan.unheard = unheard
            plan.breaches = breaches
            var settings = plan.settings
            configure(&settings)
            plan.settings = settings
            #if !canImport(ObjectiveC)
                // All journals go to one folder; tests of one fixture, and runs side by side, must not share a file.
                let owner = name.map { $0.isLetter || $0.isNumber || "._".contains($0) ? $0 : "-" }
                plan.journalOwner = String(owner) + "-\(ProcessInfo.processInfo.processIdentifier)"
            #endif
            running = try await Mock.start(plan)
            RuleLedger.reportAtExit()
        }

        /// Lets the time pass that the test owes, reports what was not heard and stops the mock.
        ///
        /// - Throws: nothing of its own.
        open override func tearDown() async throws {
            if let mock = running {
                // Time that the test owes passes before anything is judged.
                do { try await mock.clock.catchUp() } catch { fail("\(error)", at: mock.site(of: error)) }
                for complaint in mock.complaints { report(complaint) }
                await mock.stop()
                if failures.isRaised { keep(await mock.journal(), named: mock.plan.journalName) }
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

        /// Shows the line of a fixture that a person can open, besides the failure at the test: editors and terminals
        /// lead there from what is printed.
        private func point(to place: CallSite?, _ text: String) {
            guard let place, place.isInFile else { return }
            let headline = text.split(separator: "\n").first ?? ""
            print("\(place.absolutePath):\(place.line):\(place.column): note: \(name): \(headline)")
        }

        #if canImport(ObjectiveC)
            /// Moves what a call of the kit threw to the line of that call.
            ///
            /// - Parameter issue: what XCTest would record.
            open override func record(_ issue: XCTIssue) {
                failures.raise()
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
            /// Moves what a call of the kit threw to the line of that call.
            ///
            /// - Parameters:
            ///   - description: what XCTest would record.
            ///   - filePath: where.
            ///   - lineNumber: in which line.
            ///   - expected: false for errors that were thrown.
            open override func recordFailure(
                withDescription description: String, inFile filePath: String, atLine lineNumber: Int,
                expected: Bool
            ) {
                failures.raise()
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

            /// Where an error of the kit belongs, whose text is all that XCTest tells; nil for other errors.
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

            /// XCTest of Linux has no attachments: the journal is written to the temporary folder.
            ///
            /// - Returns: where; nil when it could not be written. It is printed in any case.
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
