public import MockKit

#if canImport(Testing)
    import Foundation
    import Testing

    extension Mock {
        /// The mock of the running test, started by one of the traits of ``MockTrait``.
        ///
        /// Without such a trait the test fails with that sentence, and each awaited call of the returned mock throws
        /// ``MockError``. All other tests go on. A detached task knows no test: take the mock before the task begins.
        ///
        /// ```swift
        /// @Test(.mock("webchat"))
        /// func greets() async throws {
        ///     _ = try await Mock.current.chat()
        ///     try await Mock.current.expect(.reply)
        /// }
        /// ```
        public static var current: Mock {
            if let bound { return bound }
            guard let test = Test.current else {
                Issue.record(Comment(rawValue: absence))
                // A process of XCTest alone shows no issues.
                FileHandle.standardError.write(Data("\(absence)\n".utf8))
                return .notRunning
            }
            Issue.record(Comment(rawValue: absence), sourceLocation: test.sourceLocation)
            return .notRunning
        }

        private static let absence =
            "No mock is running here: give the test or its suite a trait such as .mock(\"booking\"), and take"
            + " Mock.current before a detached task begins. A case of XCTest has the property `mock` of"
            + " MockTestCase."
    }
#endif
