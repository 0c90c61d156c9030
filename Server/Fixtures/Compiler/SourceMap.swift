import Matching

/// Facts about a file that its script does not contain, for the linter.
struct SourceMap {
    var memory: [String: SourcePlace] = [:]
    var kinds: [String: SourcePlace] = [:]
    var usedKinds: Set<String> = []
    var stages: [SourcePlace] = []
    /// Positions of the faults' `at` values, in the order of the faults.
    var moments: [SourcePlace] = []
    /// Positions of suggestions, by the position of their `say` step.
    var suggestions: [SourcePlace: [SourcePlace]] = [:]
    /// Notes of verbs, by the position of their step.
    var notes: [SourcePlace: StepVerb.Note] = [:]
    /// Slots that something in the file can fill.
    var filled: Set<String> = []
    /// Name of the built-in numbers in ``fillers``.
    static let numbers = ":number"

    /// Entity types that fill a slot: those of the file, and ``numbers``. An empty name means that other values fill it
    /// too.
    var fillers: [String: Set<String>] = [:]
    /// Texts that conditions compare with memory.
    var compared: [(slot: String, text: String, value: JSON5Value)] = []
    /// Placeholders that have the name of an entity type, but declare no type.
    var untyped: [(name: String, offset: Int)] = []
    /// Rules with an `if` or a `limit`, even an invalid one.
    var guarded: Set<SourcePlace> = []
    /// Whether the file has examples, even under a misspelt name.
    var triesExamples = false
    var usesRuns = false
    var questions: Set<String> = []
    /// Names of questions whose answers a rule matches, with their offsets.
    var heardQuestions: [(name: String, offset: Int)] = []
    var answers: Set<String> = []
    var arguments: Set<String> = []
    /// Names whose values come from requests or client answers, with their offsets.
    var given: [(name: String, offset: Int)] = []
    var usedHandoffs: Set<Int> = []
}
