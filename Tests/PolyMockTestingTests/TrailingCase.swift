#if !canImport(ObjectiveC)
    import PolyMessaging
    import PolyMockTesting
    import XCTest

    /// A case whose last act lets time pass: what comes of it is judged before the mock stops.
    final class TrailingCase: MockTestCase {
        /// What was reported; nil once failures are failures.
        private var told: [String]? = []

        override var fixture: String { "booking" }

        override func recordFailure(
            withDescription description: String, inFile filePath: String, atLine lineNumber: Int,
            expected: Bool
        ) {
            guard told == nil else {
                told?.append(description)
                return
            }
            super.recordFailure(
                withDescription: description, inFile: filePath, atLine: lineNumber, expected: expected)
        }

        func testTimeThatIsOwed() async throws {
            let chat = try await mock.chat()
            mock.network.refuse(2)
            mock.network.cut()
            try await chat.session.send("purple")
            mock.clock.advance(by: .minutes(1))
        }

        override func tearDown() async throws {
            try await super.tearDown()
            let reported = told ?? []
            told = nil
            XCTAssertEqual(reported.count, 1)
            XCTAssertTrue(reported.first?.hasPrefix("Nothing heard \"purple\"") == true)
        }
    }
#endif
