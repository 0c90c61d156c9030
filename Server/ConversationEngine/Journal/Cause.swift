package import Matching

/// Cause of an event, in eight bytes: a client input and a part of the script.
package struct Cause: Equatable, Sendable {
    /// Number of the client input (``ClientInput/mark``); 0 for none.
    package var mark: UInt32
    package var part: ScriptPart

    package init(mark: UInt32 = 0, part: ScriptPart = .none) {
        self.mark = mark
        self.part = part
    }
}

/// Part of a script in 32 bits. A part whose index does not fit becomes ``none``.
package struct ScriptPart: Hashable, Sendable {
    fileprivate enum Kind: UInt32 {
        case none, greeting, stage, anywhere, otherwise, opening, handoffRule, handoffOtherwise, overridden
        case queue, outcome, silence
    }

    /// From the highest bit: 4 bits kind, 12 bits stage or handoff, 16 bits rule or queue update.
    private let packed: UInt32

    private init(kind: Kind, _ first: Int = 0, _ second: Int = 0) {
        let fits = 0..<1 << 12 ~= first && 0..<1 << 16 ~= second
        packed = fits ? kind.rawValue << 28 | UInt32(first) << 16 | UInt32(second) : 0
    }

    /// Explicit, like that of ``SessionHandle``.
    package static func == (left: Self, right: Self) -> Bool { left.packed == right.packed }

    package static let none = ScriptPart(kind: .none)
    static let overridden = ScriptPart(kind: .overridden)
    package static let silence = ScriptPart(kind: .silence)

    static func queue(_ handoff: Int, update: Int) -> ScriptPart { ScriptPart(kind: .queue, handoff, update) }

    static func outcome(_ handoff: Int) -> ScriptPart { ScriptPart(kind: .outcome, handoff) }

    init(_ origin: Origin) {
        switch origin {
        case .greeting: self.init(kind: .greeting)
        case .stage(let stage, let rule): self.init(kind: .stage, stage, rule)
        case .anywhere(let rule): self.init(kind: .anywhere, 0, rule)
        case .otherwise(let rule): self.init(kind: .otherwise, 0, rule)
        case .opening(let handoff): self.init(kind: .opening, handoff)
        case .handoffRule(let handoff, let rule): self.init(kind: .handoffRule, handoff, rule)
        case .handoffOtherwise(let handoff, let rule): self.init(kind: .handoffOtherwise, handoff, rule)
        case .overridden: self = .overridden
        }
    }

    fileprivate var kind: Kind { Kind(rawValue: packed >> 28) ?? .none }
    fileprivate var first: Int { Int(packed >> 16 & 0xFFF) }
    fileprivate var second: Int { Int(packed & 0xFFFF) }

    fileprivate var origin: Origin? {
        switch kind {
        case .stage: .stage(first, second)
        case .anywhere: .anywhere(second)
        case .otherwise: .otherwise(second)
        case .handoffRule: .handoffRule(first, second)
        case .handoffOtherwise: .handoffOtherwise(first, second)
        case .none, .greeting, .opening, .overridden, .queue, .outcome, .silence: nil
        }
    }
}

extension Script {
    /// Returns the rule's name as in ``Note/heard(text:rule:place:stage:cause:)``; empty if the part is no rule.
    package func ruleName(of part: ScriptPart) -> String {
        if part.kind == .overridden { return ReplyOverride.unmatched }
        guard let origin = part.origin else { return "" }
        return self[origin]?.name ?? name(of: origin)
    }

    /// Returns the source position of a rule, the greeting or a handoff.
    package func place(of part: ScriptPart) -> SourcePlace {
        switch part.kind {
        case .greeting: greetingPlace
        case .opening, .queue, .outcome: handoffs[part.first].place
        default: part.origin.flatMap { self[$0]?.place } ?? SourcePlace()
        }
    }

    /// Returns the timer's name (``PendingTimer/name``); empty if the part has no timer.
    package func timerName(of part: ScriptPart) -> String {
        switch part.kind {
        case .queue: "queue update \(part.second)"
        case .outcome: "outcome of handoff \(handoffs[part.first].name)"
        case .silence: "idle timeout"
        default: ""
        }
    }
}
