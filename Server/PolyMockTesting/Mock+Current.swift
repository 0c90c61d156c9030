public import MockKit

#if canImport(Testing)
    import Foundation
    import Testing

    extension Mock {
        /// The mock of the running test, started by a ``MockTrait``.
        ///
        /// A test without this trait fails with a message, and each awaited call of the returned mock throws
        /// ``MockError``. A detached task does not inherit the mock: read this property before the task begins.
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
                // XCTest does not show issues of Swift Testing, so standard error gets the message too.
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
