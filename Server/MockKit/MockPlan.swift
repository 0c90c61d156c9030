import Fixtures
public import MockServer
import SocketTransport

/// The setup of one test: a fixture, its faults, a seed and how time passes.
///
/// ```swift
/// var plan = MockPlan("booking")
/// plan.seed = 7
/// plan.pace = "instant"
/// plan.changes.append { $0.tokens.life = .hours(1) }
/// let mock = try await Mock.start(plan)
/// ```
public struct MockPlan: Sendable {
    /// The source of time.
    public enum Time: Sendable, Equatable {
        /// A clock that moves only when the test advances it or awaits a call of the kit.
        case virtual
        case real
        /// Real time multiplied by a factor from 0.001 to 1,000.
        case scaled(Double)
    }

    /// Movement of a virtual clock, in addition to calls of ``MockClock``.
    public enum Movement: Sendable, Equatable, CaseIterable {
        /// Expectations let time pass, deadline by deadline, until they hold.
        case time
        /// Expectations and messages let no time pass: the test fires each timer itself.
        case step
        /// All scripted steps run at once after each action of the user.
        case atOnce
    }

    /// The reaction to an unmatched message, an unmatched request or a violation.
    public enum Policy: Sendable, Equatable, CaseIterable {
        case pass
        case warn
        case fail
    }

    /// A fixture's name, the path of a file ending in `.json5`, or the text of a fixture. Default `webchat`.
    public var fixture = "webchat"
    /// Names of the active faults, of the fixture or presets. Default none.
    public var faults: [String] = []
    /// Seed of all ids and random choices. Default 1.
    public var seed: UInt64 = 1
    /// The name of the pace, such as `instant`. Nil means the pace that the fixture specifies.
    public var pace: String?
    /// Initial values of variables in the fixture's `memory`, such as `["open": "no"]`. Default none.
    public var memory: [String: String] = [:]
    /// The time of day at the start of a session, such as `21:00` or `Monday 21:00`. Nil means the time of the clock.
    public var timeOfDay: String?
    /// The stage in which sessions begin, such as `confirm`. Nil means the fixture's own.
    public var stage: String?
    /// The source of time. Default ``Time/virtual``.
    public var time = Time.virtual
    /// Movement of a virtual clock. Default ``Movement/time``.
    public var movement = Movement.time
    /// Policy for messages without a matching rule, and requests without a route. Default ``Policy/fail``.
    public var unmatched = Policy.fail
    /// Policy for protocol rules that a client breaks. Default ``Policy/warn``.
    public var violations = Policy.warn
    /// The folder for fixture names. Nil: `fixtures` in the working directory, otherwise the library's fixtures.
    public var fixturesFolder: String?
    /// Initial settings of the server. This plan's other properties, such as `seed`, take precedence.
    public var settings = MockPlan.defaultSettings
    /// Functions that change the server's settings, applied last and in order.
    public var changes: [@Sendable (inout ServerConfiguration) -> Void] = []

    /// Creates a plan with default values. `fixture` is a name, the path of a `.json5` file, or the text of a fixture.
    public init(_ fixture: String = "webchat") { self.fixture = fixture }

    /// The server's default settings, but without the delays at the start of a connection.
    public static var defaultSettings: ServerConfiguration {
        var settings = ServerConfiguration()
        settings.connections.handshakeDelay = .zero
        settings.connections.firstFrameDelay = .zero
        settings.connections.firstLiveEventDelay = .zero
        return settings
    }

    var isText: Bool { fixture.contains("{") }

    var file: String? { !isText && fixture.hasSuffix(".json5") ? fixture : nil }

    /// The fixture's name, such as `booking`; `inline` for a text.
    public var fixtureName: String {
        if isText { return "inline" }
        return FixtureLoader.name(ofFile: fixture) ?? fixture
    }

    /// The scenario and connector token, such as `mock:booking+tunnel@seed=7` (protocol.md#token-scenario).
    public var line: String {
        "mock:" + ([fixtureName] + faults).joined(separator: "+") + "@seed=\(seed)"
            + (pace.map { "@pace=\($0)" } ?? "") + startingOptions
    }

    private var startingOptions: String {
        var options = timeOfDay.map { "@now=" + ScenarioLine.encoded($0) } ?? ""
        if let stage { options += "@stage=" + ScenarioLine.encoded(stage) }
        for (name, value) in memory.sorted(by: { $0.key < $1.key }) {
            options += "@memory." + ScenarioLine.encoded(name) + "=" + ScenarioLine.encoded(value)
        }
        return options
    }

    package var journalOwner = ""

    /// The name of the attached journal, such as `booking-tunnel-7.jsonl`.
    public var journalName: String {
        let parts = [fixtureName] + faults + ["\(seed)"] + (journalOwner.isEmpty ? [] : [journalOwner])
        return parts.joined(separator: "-") + ".jsonl"
    }

    func configuration() -> ServerConfiguration {
        var configuration = settings
        configuration.fixture = isText ? fixtureName : fixture
        configuration.fixtureText = isText ? fixture : nil
        configuration.fixturesFolder = fixturesFolder ?? (Files.isFolder("fixtures") ? "fixtures" : nil)
        configuration.watchesFixtures = false
        configuration.seed = seed
        for change in changes { change(&configuration) }
        return configuration
    }
}

extension MockPlan {
    /// Creates a plan for a recorded client: its unmatched messages and violations are ignored.
    static func played(_ fixture: String) -> MockPlan {
        var plan = MockPlan(fixture)
        (plan.unmatched, plan.violations) = (.pass, .pass)
        plan.settings.checksProtocol = false
        return plan
    }

    /// Sets ``fixture``, and looks for a missing file or folder near `filePath`.
    package mutating func setFixture(_ name: String, nextTo filePath: String) {
        fixture = name
        guard !isText else { return }
        guard name.hasSuffix(".json5") else { return findFixtures(above: filePath) }
        guard !name.hasPrefix("/"), !Self.isFile(name) else { return }
        let folder = filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        let near = (folder + [Substring(name)]).joined(separator: "/")
        if Self.isFile(near) { fixture = near }
    }

    /// If the working directory has no folder `fixtures`, searches for one next to `filePath` and above it.
    package mutating func findFixtures(above filePath: String) {
        guard fixturesFolder == nil, !Files.isFolder("fixtures") else { return }
        var folders = filePath.split(separator: "/", omittingEmptySubsequences: false)
        while folders.count > 1 {
            folders.removeLast()
            let folder = folders.joined(separator: "/") + "/fixtures"
            if Files.isFolder(folder) {
                fixturesFolder = folder
                return
            }
        }
    }

    private static func isFile(_ path: String) -> Bool {
        Files.read(path, atMost: KitLimits.fixtureBytes) != nil
    }
}
