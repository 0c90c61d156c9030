#if !canImport(ObjectiveC)
    import PolyMockTesting
    import XCTest

    /// A case whose `setUp()` forgets that of `super`: its test fails with the reason, and the process lives.
    final class AbsentMockCase: MockTestCase {
        /// What was reported; nil once failures are failures.
        private var told: [String]? = []

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

        override func setUp() async throws {}

        func testForgottenSetUp() async throws {
            XCTAssertEqual(mock.url, "http://127.0.0.1:0")
            do {
                _ = try await mock.chat()
                XCTFail("nothing was started")
            } catch { XCTAssertTrue(error is MockError) }
            let reported = told ?? []
            told = nil
            XCTAssertEqual(reported.count, 1)
            XCTAssertTrue(reported.first?.contains("has to begin with `try await super.setUp()`") == true)
        }
    }
#endif
