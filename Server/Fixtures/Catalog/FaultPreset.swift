import Clocks
package import ConversationEngine

/// Named groups of faults.
package enum FaultPreset: String, CaseIterable, Sendable {
    /// The connection breaks during the first answer, and the next two reconnects fail.
    case tunnel
    /// Nothing arrives for 12 seconds; then all delayed events arrive together.
    case lift
    /// Some events arrive late, and the connection breaks now and then.
    case train
    /// The connection opens slowly. Some events arrive late, and some arrive twice.
    case hotelWiFi = "hotel-wifi"
    /// One session creation and two reconnects are refused, and close code 1012 cuts the first answer.
    case badDeploy = "bad-deploy"

    package var faults: [Fault] {
        switch self {
        case .tunnel: [make("break", .reply(2), .drop), make("dark", .handshake(2), .drop, times: 2)]
        case .lift: [make("doors", .userMessage(1), .stall(.seconds(12)))]
        case .train:
            [
                make("late", .anyEvent, .delay(.milliseconds(700)), times: Self.often, chance: 0.15),
                make("break", .anyEvent, .drop, times: Self.often, chance: 0.04),
            ]
        case .hotelWiFi:
            [
                make("portal", .handshake(1), .delay(.seconds(2))),
                make("late", .anyEvent, .delay(.milliseconds(1_500)), times: Self.often, chance: 0.3),
                make("twice", .anyEvent, .repeated, times: Self.often, chance: 0.05),
            ]
        case .badDeploy:
            [
                make("session", .session, .refuse(status: 500, retryAfter: nil)),
                // Counted per token: a client that returns with a new session sees no second restart.
                make("restart", .reply(2), .close(code: 1012), per: .token),
                make("away", .handshake(2), .refuse(status: 503, retryAfter: .seconds(2)), times: 2),
            ]
        }
    }

    private static let often = FixtureLimits.repetitions

    /// Creates a fault with a name such as `lift (doors)`. The name selects the fault's random numbers, so no two parts
    /// of a preset may have the same name.
    private func make(
        _ part: String, _ moment: Fault.Moment, _ effect: Fault.Effect, times: Int? = nil,
        per span: Fault.Span? = nil, chance: Double = 1
    ) -> Fault {
        Fault(
            name: "\(rawValue) (\(part))", moment: moment, effect: effect, times: times, per: span,
            chance: chance)
    }

    /// Returns the script's fault called `name`. Without such a fault, returns the faults of the preset with that name.
    /// Nil if there is neither.
    package static func faults(named name: String, in script: Script?) -> [Fault]? {
        if let own = script?.faults.first(where: { $0.name == name }) { return [own] }
        return FaultPreset(rawValue: name)?.faults
    }

    package static func names(in script: Script?) -> [String] {
        let own = script?.faults.map(\.name) ?? []
        return own + allCases.map(\.rawValue).filter { !own.contains($0) }
    }
}
