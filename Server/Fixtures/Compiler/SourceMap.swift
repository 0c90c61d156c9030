import ConversationEngine
import Matching

/// Source positions that the script does not keep, for findings about the whole conversation.
struct SourceMap {
    var memory: [String: SourcePlace] = [:]
    var kinds: [String: SourcePlace] = [:]
    var usedKinds: Set<String> = []
    var stages: [SourcePlace] = []
    /// Positions of the `at` values of faults, by number.
    var moments: [SourcePlace] = []
    /// Suggestions of each `say` step, by the step's position.
    var suggestions: [SourcePlace: [SourcePlace]] = [:]
    /// Steps that end something or need a live agent, by their position.
    var notes: [SourcePlace: StepVerb.Note] = [:]
    /// Slots that a rule, a pattern or a step fills.
    var filled: Set<String> = []
    /// The file's entity types that fill each slot. An empty name stands for anything else that fills the slot.
    var fillers: [String: Set<String>] = [:]
    /// Texts that conditions compare with memory.
    var compared: [(slot: String, text: String, value: JSON5Value)] = []
    /// Placeholders without an entity type that are named like one. Such placeholders match any words.
    var untyped: [(name: String, offset: Int)] = []
    /// Rules that do not always answer, because of an `if` or a `limit`, even an invalid one.
    var guarded: Set<SourcePlace> = []
    /// Whether the file has examples, even under a misspelt name.
    var triesExamples = false
    var usesRuns = false
    var questions: Set<String> = []
    /// Questions whose answers rules match, with offsets.
    var heardQuestions: [(name: String, offset: Int)] = []
    /// Names of answer members that the file declares.
    var answers: Set<String> = []
    var arguments: Set<String> = []
    /// Names in placeholders and conditions whose values come from requests and answers, with offsets.
    var given: [(name: String, offset: Int)] = []
    var usedHandoffs: Set<Int> = []
}
