@_exported public import MockKit

#if canImport(Testing)
    public import MockServer
    public import Testing

    /// A trait that gives every test, and every case of a parameterised test, a mock.
    ///
    /// A suite's traits apply before the test's own traits. All of them configure one mock: ``Mock/current``.
    ///
    /// ```swift
    /// @Suite(.mock("booking"), .pace("instant"), .violations(.fail), .unmatched(.warn))
    /// struct BookingTests {
    ///     @Test(.seed(7), .memory("people", "4"), .timeOfDay("21:00"), .stage("start"), .moves(.time))
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

        /// True, so that every test of a suite with this trait gets its own mock.
        public var isRecursive: Bool { true }

        /// Runs a test with a mock, then stops the mock. Only the first trait of a test starts one.
        /// - Throws: the error of the test. Failed expectations are recorded as issues at their own lines instead.
        public func provideScope(
            for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
        ) async throws {
            guard testCase != nil, Mock.bound == nil else { return try await function() }
            var plan = MockPlan()
            for trait in test.traits {
                if let trait = trait as? MockTrait { trait.change(&plan) }
            }
            try await MockScope(plan: plan, test: test, testCase: testCase).run(function)
        }
    }

    extension Trait where Self == MockTrait {
        /// Starts a mock for each test. `fixture` is a name, the path of a `.json5` file, or the text of a fixture. A
        /// relative path that does not exist is looked up next to the file of the test.
        public static func mock(_ fixture: String, filePath: String = #filePath) -> Self {
            MockTrait { $0.setFixture(fixture, nextTo: filePath) }
        }

        /// Activates faults of the fixture, or presets such as `tunnel`.
        public static func fault(_ names: String...) -> Self {
            MockTrait { $0.faults += names }
        }

        /// The seed of all ids and random choices. Default 1.
        public static func seed(_ seed: UInt64) -> Self { MockTrait { $0.seed = seed } }

        /// The agent's speed: `natural`, `instant`, or a pace of the fixture.
        public static func pace(_ name: String) -> Self { MockTrait { $0.pace = name } }

        /// Sets the initial value of a variable in the fixture's `memory`.
        public static func memory(_ name: String, _ value: String) -> Self {
            MockTrait { $0.memory[name] = value }
        }

        /// The time of day at the start of a session, such as `21:00` or `Monday 21:00`, for rules that depend on it.
        public static func timeOfDay(_ time: String) -> Self { MockTrait { $0.timeOfDay = time } }

        /// The stage in which sessions begin.
        public static func stage(_ name: String) -> Self { MockTrait { $0.stage = name } }

        /// The source of time. Default virtual.
        public static func clock(_ time: MockPlan.Time) -> Self { MockTrait { $0.time = time } }

        /// What moves a virtual clock. Default ``MockPlan/Movement/time``: time passes while an expectation waits.
        public static func moves(_ movement: MockPlan.Movement) -> Self {
            MockTrait { $0.movement = movement }
        }

        /// Policy for messages without a matching rule, and requests without a route. Default fail.
        public static func unmatched(_ policy: MockPlan.Policy) -> Self {
            MockTrait { $0.unmatched = policy }
        }

        /// Policy for violations, which are protocol rules that a client breaks. Default warn.
        public static func violations(_ policy: MockPlan.Policy) -> Self {
            MockTrait { $0.violations = policy }
        }

        /// Activates faults of the fixture, or presets.
        /// - Parameter names: names of the faults.
        /// - Returns: the trait.
        @available(*, deprecated, renamed: "fault(_:)")
        public static func trouble(_ names: String...) -> Self {
            MockTrait { $0.faults += names }
        }

        /// Policy for messages without a matching rule, and requests without a route.
        /// - Parameter policy: the policy. Without this trait, it is `fail`.
        /// - Returns: the trait.
        @available(*, deprecated, renamed: "unmatched(_:)")
        public static func unheard(_ policy: MockPlan.Policy) -> Self { unmatched(policy) }

        /// Policy for protocol rules that a client breaks.
        /// - Parameter policy: the policy. Without this trait, it is `warn`.
        /// - Returns: the trait.
        @available(*, deprecated, renamed: "violations(_:)")
        public static func breaches(_ policy: MockPlan.Policy) -> Self { violations(policy) }

        /// Changes the settings of the server before it starts.
        ///
        /// ```swift
        /// @Test(.mock("webchat"), .configuration { $0.tokens.life = .minutes(5) })
        /// ```
        public static func configuration(
            _ change: @escaping @Sendable (inout ServerSettings) -> Void
        ) -> Self {
            MockTrait { $0.changes.append(change) }
        }
    }
#endif
