public import MockServer

// Former names of the test kit; Xcode offers the new ones.

extension Mock {
    /// A fault that a test added.
    @available(*, deprecated, renamed: "ActiveFault")
    public typealias ArmedTrouble = ActiveFault

    /// Former name of ``inject(at:do:times:in:fileID:filePath:line:column:)``.
    @available(*, deprecated, renamed: "inject(at:do:times:in:fileID:filePath:line:column:)")
    @discardableResult
    public func arm(
        at moment: String, do effect: String, times: Int = 1, in chat: MockChat? = nil,
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async throws -> ActiveFault {
        try await inject(
            at: moment, do: effect, times: times, in: chat, fileID: fileID, filePath: filePath, line: line,
            column: column)
    }

    /// Former name of ``inject(_:in:fileID:filePath:line:column:)``.
    @available(*, deprecated, renamed: "inject(_:in:fileID:filePath:line:column:)")
    @discardableResult
    public func arm(
        _ name: String, in chat: MockChat? = nil, fileID: String = #fileID, filePath: String = #filePath,
        line: Int = #line, column: Int = #column
    ) async throws -> ActiveFault {
        try await inject(name, in: chat, fileID: fileID, filePath: filePath, line: line, column: column)
    }

    /// Former name of ``override(rule:_:fileID:filePath:line:column:isolation:during:)``.
    @available(
        *, deprecated, renamed: "override(rule:_:fileID:filePath:line:column:isolation:during:)"
    )
    public func improvise<Result: Sendable>(
        rule: String, _ answer: @escaping @Sendable (Utterance) -> [OverrideStep]?,
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column,
        isolation: isolated (any Actor)? = #isolation, during body: () async throws -> Result
    ) async throws -> Result {
        try await self.override(
            rule: rule, answer, fileID: fileID, filePath: filePath, line: line, column: column,
            isolation: isolation, during: body)
    }

    /// Former name of ``liveAgent(in:named:fileID:filePath:line:column:)``.
    @available(*, deprecated, renamed: "liveAgent(in:named:fileID:filePath:line:column:)")
    public func person(
        in chat: MockChat, named name: String = "Robin", fileID: String = #fileID,
        filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async throws -> MockSpeaker {
        try await liveAgent(
            in: chat, named: name, fileID: fileID, filePath: filePath, line: line, column: column)
    }
}

/// Former name of ``ObservedEvent``.
@available(*, deprecated, renamed: "ObservedEvent")
public typealias Sighting = ObservedEvent

extension Mock {
    /// Former name of ``observedEvents``.
    @available(*, deprecated, renamed: "observedEvents")
    public var sightings: [ObservedEvent] { observedEvents }
}

extension MockClock {
    /// Former name of ``untilIdle()``.
    /// - Throws: ``MockError`` when that takes longer than an hour of mock time.
    @available(*, deprecated, renamed: "untilIdle()")
    public func untilQuiet() async throws { try await untilIdle() }
}

extension Mock.ActiveFault {
    /// Former name of ``remove(fileID:filePath:line:column:)``.
    @available(*, deprecated, renamed: "remove(fileID:filePath:line:column:)")
    public func disarm(
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async throws {
        try await remove(fileID: fileID, filePath: filePath, line: line, column: column)
    }
}

/// Former name of ``OverrideStep``.
@available(*, deprecated, renamed: "OverrideStep")
public typealias ImprovisedStep = OverrideStep

extension Pattern {
    /// A message of a live agent.
    @available(*, deprecated, renamed: "liveAgentMessage")
    public static var personMessage: Pattern { liveAgentMessage }
    /// A live agent took over.
    @available(*, deprecated, renamed: "liveAgentJoined")
    public static var personJoined: Pattern { liveAgentJoined }
    /// A live agent left.
    @available(*, deprecated, renamed: "liveAgentLeft")
    public static var personLeft: Pattern { liveAgentLeft }
    /// A message without a matching rule.
    @available(*, deprecated, renamed: "unmatchedMessage")
    public static var unheard: Pattern { unmatchedMessage }
    /// A request without a route.
    @available(*, deprecated, renamed: "unmatchedRequest")
    public static var strayRequest: Pattern { unmatchedRequest }

    /// - Parameter text: what the live agent's message contains.
    /// - Returns: the pattern.
    @available(*, deprecated, renamed: "liveAgentMessage(_:)")
    public static func personMessage(_ text: String) -> Pattern { liveAgentMessage(text) }

    /// - Parameter name: the name of a fault that fired.
    /// - Returns: the pattern.
    @available(*, deprecated, renamed: "fault(_:)")
    public static func trouble(_ name: String) -> Pattern { fault(name) }

    /// - Parameter protocolRule: the name of a protocol rule that was broken.
    /// - Returns: the pattern.
    @available(*, deprecated, renamed: "violation(_:)")
    public static func breach(_ protocolRule: String) -> Pattern { violation(protocolRule) }
}

extension MockPlan {
    /// Names of the active faults, of the fixture or presets.
    @available(*, deprecated, renamed: "faults")
    public var troubles: [String] {
        get { faults }
        set { faults = newValue }
    }

    /// Policy for messages without a matching rule, and requests without a route.
    @available(*, deprecated, renamed: "unmatched")
    public var unheard: Policy {
        get { unmatched }
        set { unmatched = newValue }
    }

    /// Policy for violations of protocol rules.
    @available(*, deprecated, renamed: "violations")
    public var breaches: Policy {
        get { violations }
        set { violations = newValue }
    }

    /// The server's default settings in a mock.
    @available(*, deprecated, renamed: "defaultSettings")
    public static var standardSettings: ServerConfiguration { defaultSettings }
}
