import Clocks
package import ConversationEngine
import Matching

/// What a walk begins with. Where rules ask for the time of day, or for a value that nothing in the talk remembers,
/// walks begin at such times and with such values, so that those rules are reached.
struct WalkStart {
    var seed: UInt64
    var isStreaming: Bool
    var localTime: WallTime?
    var memory: [String: String] = [:]

    init(seed: UInt64, isStreaming: Bool) {
        self.seed = seed
        self.isStreaming = isStreaming
    }

    mutating func choose(among script: Script, _ source: SeededGenerator) {
        var chance = source
        var minutes: [Int] = []
        var values: [(slot: String, value: String)] = []
        for condition in script.allRules.flatMap(\.conditions) {
            switch condition.test {
            case .isWithin(let hours): minutes += [hours.from, hours.to % 1_440]
            case .equals(let value): values.append((condition.slot, value))
            default: break
            }
        }
        if let minute = minutes.randomElement(using: &chance) {
            localTime = WallTime(weekday: Int(chance.next() % 7), minute: minute)
        }
        // Mostly a talk begins as the fixture says.
        if chance.next() % 4 == 0, let known = values.randomElement(using: &chance) {
            memory[known.slot] = known.value
        }
    }

    /// In words; nil when the walk begins as every talk does.
    var words: String? {
        var parts: [String] = []
        if let localTime {
            parts.append("the clock shows \(localTime.text)")
        }
        for (slot, value) in memory.sorted(by: { $0.key < $1.key }) {
            parts.append("\(slot) is \"\(Words.shortened(value))\"")
        }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}

extension Script {
    /// Those of stages, of `anywhere` and `otherwise`, and of the people behind the agent.
    package var allRules: [Rule] { RulePlace.all(of: self).map { self[$0] } }
}
