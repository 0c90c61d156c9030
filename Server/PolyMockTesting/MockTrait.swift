@_exported public import MockKit

#if canImport(Testing)
    public import MockServer
    public import Testing

    /// A trait that gives every test, and every case of a parameterised test, a mock.
    ///
    /// A trait of a suite holds for all tests in it; traits of a test come after those of its suites. One mock is
    /// started for all of them together, and ``Mock/current`` is that mock.
    ///
    /// ```swift
    /// @Suite(.mock("booking"), .pace("instant"))
    /// struct BookingTests {
    ///     @Test(.seed(7))
    ///     func firstQuestion() async throws {
    ///         let chat = try await Mock.current.chat()
    ///         try await chat.say("a table, please")
    ///         try await Mock.current.expect(.reply("For how many"))
    ///     }
    /// }
    /// ```
    public struct MockTrait: TestTrait, SuiteTrait, TestScoping {
        private let change: @Sendable (inout MockPlan) -> Void

        init(_ change: @escaping @Sendable (inout MockPlan) -> Void) { self.change = change }

        /// True: every test of the suite gets its own mock.
        public var isRecursive: Bool { true }

        /// Runs a test with a mock that is stopped afterwards. The first of the test's traits starts it.
        ///
        /// - Throws: the error of the test; failed expectations are recorded where they belong instead.
        public func provideScope(
            for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
        ) async throws {
            // The first of the traits starts the mock; the others find it running.
            guard testCase != nil, Mock.bound == nil else { return try await function() }
            var plan = MockPlan()
            for trait in test.traits {
                if let trait = trait as? MockTrait { trait.change(&plan) }
            }
            try await MockScope(plan: plan, test: test, testCase: testCase).run(function)
        }
    }

    extension Trait where Self == MockTrait {
        /// Starts a mock for each test. `fixture` is a name, the path of a file ending in `.json5`, or the text of a
        /// fixture; a path that leads nowhere from the working directory is looked up next to the file of the test.
        public static func mock(_ fixture: String, filePath: String = #filePath) -> Self {
            MockTrait { $0.setFixture(fixture, nextTo: filePath) }
        }

        /// Puts these faults of the fixture in force.
        public static func fault(_ names: String...) -> Self {
            MockTrait { $0.faults += names }
        }

        /// Decides every id and every chance; 1 without this trait.
        public static func seed(_ seed: UInt64) -> Self { MockTrait { $0.seed = seed } }

        /// Speed of the agent: a pace of the fixture, or `instant`.
        public static func pace(_ name: String) -> Self { MockTrait { $0.pace = name } }

        /// Initial value of a name in the fixture's `memory`.
        public static func memory(_ name: String, _ value: String) -> Self {
            MockTrait { $0.memory[name] = value }
        }

        /// Time of day when a session begins, `21:00` or `Monday 21:00`, for rules that ask for it.
        public static func timeOfDay(_ time: String) -> Self { MockTrait { $0.timeOfDay = time } }

        /// The source of time; virtual without this trait.
        public static func clock(_ time: MockPlan.Time) -> Self { MockTrait { $0.time = time } }

        /// The cause that moves a virtual clock; time without this trait.
        public static func moves(_ movement: MockPlan.Movement) -> Self {
            MockTrait { $0.movement = movement }
        }

        /// Policy for messages that no rule hears, and requests that no route takes; fail without this trait.
        public static func unmatched(_ policy: MockPlan.Policy) -> Self {
            MockTrait { $0.unmatched = policy }
        }

        /// Policy for protocol rules that a client breaks; warn without this trait.
        public static func violations(_ policy: MockPlan.Policy) -> Self {
            MockTrait { $0.violations = policy }
        }

        /// Puts faults of the fixture in force.
        ///
        /// - Parameter names: their names.
        /// - Returns: the trait.
        @available(*, deprecated, renamed: "fault(_:)")
        public static func trouble(_ names: String...) -> Self {
            MockTrait { $0.faults += names }
        }

        /// Sets the treatment of messages that match no rule, and of requests that match no route.
        ///
        /// - Parameter policy: fail without this trait.
        /// - Returns: the trait.
        @available(*, deprecated, renamed: "unmatched(_:)")
        public static func unheard(_ policy: MockPlan.Policy) -> Self { unmatched(policy) }

        /// Policy for protocol rules that a client breaks.
        ///
        /// - Parameter policy: warn without this trait.
        /// - Returns: the trait.
        @available(*, deprecated, renamed: "violations(_:)")
        public static func breaches(_ policy: MockPlan.Policy) -> Self { violations(policy) }

        /// Changes the settings of the server before it starts.
        public static func configuration(
            _ change: @escaping @Sendable (inout ServerSettings) -> Void
        ) -> Self {
            MockTrait { $0.changes.append(change) }
        }
    }
#endif
