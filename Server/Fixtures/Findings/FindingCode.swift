/// Code of a check, shown in findings and used in `// lint: allow` (fixtures/README.md#what-is-checked).
package enum FindingCode: String, CaseIterable, Sendable {
    case syntax
    case unreadable
    case duplicateKey = "duplicate-key"
    case unknownName = "unknown-name"
    case oneVerb = "one-verb"
    case missingReplies = "missing-replies"
    case missingHears = "missing-hears"
    case missingPart = "missing-part"
    case wrongType = "wrong-type"
    case version
    case reservedName = "reserved-name"
    case duration
    case unknownSlot = "unknown-slot"
    case neverFilled = "never-filled"
    case unknownStage = "unknown-stage"
    case unusedStage = "unused-stage"
    case deadEndStage = "dead-end-stage"
    case unusedKind = "unused-kind"
    case unknownHandoff = "unknown-handoff"
    case unusedHandoff = "unused-handoff"
    case unknownPace = "unknown-pace"
    case unknownFault = "unknown-fault"
    case unknownTool = "unknown-tool"
    /// A rule matches the answer to a question that no step asks.
    case unknownAsk = "unknown-ask"
    /// Events of a run are in an order that the protocol does not allow.
    case runOrder = "run-order"
    case unknownKind = "unknown-kind"
    /// A placeholder is named like an entity type but declares no type (`{city}` instead of `{city:city}`), so it accepts
    /// any words.
    case missingKind = "missing-kind"
    case badPhrase = "bad-phrase"
    case queuePosition = "queue-position"
    case shadowed
    /// A rule of a stage matches any message. In that stage, no rule of `anywhere` can be reached.
    case swallows
    case duplicateName = "duplicate-name"
    case unreachable
    case slowRegex = "slow-regex"
    case badRegex = "bad-regex"
    case badLink = "bad-link"
    case unmatchedSuggestion = "unmatched-suggestion"
    case impossibleMoment = "impossible-moment"
    case tooLong = "too-long"
    case tooMany = "too-many"
    case secret
    case exampleFails = "example-fails"
    case badArguments = "bad-arguments"
    case exampleMissing = "example-missing"
    /// No example makes the rule answer.
    case unexercised
    /// Every example passes without the rule.
    case unproven
    /// At least one protocol cannot express a step.
    case lost

    /// Whether the code marks information that is only given on request.
    package var isNote: Bool { self == .unexercised || self == .unproven || self == .lost }
}
