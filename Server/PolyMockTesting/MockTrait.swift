@_exported public import MockKit

#if canImport(Testing)
    public import MockServer
    public import Testing

    /// Gives every test, and every case of a parameterised test, a mock of its own.
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

        init(_ change: @escaping @Sendable (inout MockPlan) -> Void) {
            self.change = change
        }

        /// True: every test of the suite gets its own mock.
        public var isRecursive: Bool { true }

        /// Runs a test with a mock that is gone afterwards.
        ///
        /// - Parameters:
        ///   - test: the test; its traits say what the mock plays.
        ///   - testCase: the case; nil for a suite, which has no mock.
        ///   - function: the test.
        /// - Throws: what the test throws, but not failed expectations: they are recorded where they belong.
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
        /// Starts a mock for each test.
        ///
        /// - Parameters:
        ///   - fixture: a fixture's name, the path of a file ending in `.json5`, or the text of a fixture. A path that
        ///     leads nowhere from the working directory is looked up next to the file of the test.
        ///   - filePath: the file of the test.
        /// - Returns: the trait.
        public static func mock(_ fixture: String, filePath: String = #filePath) -> Self {
            MockTrait { $0.setFixture(fixture, nextTo: filePath) }
        }

        /// Puts troubles of the fixture in force.
        ///
        /// - Parameter names: their names.
        /// - Returns: the trait.
        public static func trouble(_ names: String...) -> Self {
            MockTrait { $0.troubles += names }
        }

        /// Decides every id and every chance.
        ///
        /// - Parameter seed: any number; 1 without this trait.
        /// - Returns: the trait.
        public static func seed(_ seed: UInt64) -> Self {
            MockTrait { $0.seed = seed }
        }

        /// How fast the agent talks.
        ///
        /// - Parameter name: a pace of the fixture, or `instant`.
        /// - Returns: the trait.
        public static func pace(_ name: String) -> Self {
            MockTrait { $0.pace = name }
        }

        /// What the fixture knows from the start.
        ///
        /// - Parameters:
        ///   - name: a name of the fixture's `memory`.
        ///   - value: what it holds, in place of what the file says.
        /// - Returns: the trait.
        public static func memory(_ name: String, _ value: String) -> Self {
            MockTrait { $0.memory[name] = value }
        }

        /// What the clock of the talk shows when a session begins, for rules that ask for the time of day.
        ///
        /// - Parameter time: `21:00`, or `Monday 21:00`.
        /// - Returns: the trait.
        public static func timeOfDay(_ time: String) -> Self {
            MockTrait { $0.timeOfDay = time }
        }

        /// Where time comes from.
        ///
        /// - Parameter time: virtual without this trait.
        /// - Returns: the trait.
        public static func clock(_ time: MockPlan.Time) -> Self {
            MockTrait { $0.time = time }
        }

        /// What moves a virtual clock.
        ///
        /// - Parameter movement: time without this trait.
        /// - Returns: the trait.
        public static func moves(_ movement: MockPlan.Movement) -> Self {
            MockTrait { $0.movement = movement }
        }

        /// What becomes of messages that no rule hears, and of requests that no route takes.
        ///
        /// - Parameter policy: fail without this trait.
        /// - Returns: the trait.
        public static func unheard(_ policy: MockPlan.Policy) -> Self {
            MockTrait { $0.unheard = policy }
        }

        /// What becomes of laws of the protocol that a client breaks.
        ///
        /// - Parameter policy: warn without this trait.
        /// - Returns: the trait.
        public static func breaches(_ policy: MockPlan.Policy) -> Self {
            MockTrait { $0.breaches = policy }
        }

        /// Changes the server's settings.
        ///
        /// - Parameter change: called before the server starts.
        /// - Returns: the trait.
        public static func configuration(
            _ change: @escaping @Sendable (inout ServerSettings) -> Void
        ) -> Self {
            MockTrait { $0.changes.append(change) }
        }
    }
#endif
