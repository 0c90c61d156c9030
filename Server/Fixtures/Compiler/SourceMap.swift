import ConversationEngine
import Matching

/// Source places that the script does not keep, for findings about the conversation as a whole.
struct SourceMap {
    var memory: [String: SourcePlace] = [:]
    /// Kinds that the file declares, by name.
    var kinds: [String: SourcePlace] = [:]
    var usedKinds: Set<String> = []
    /// Places of stages, by number.
    var stages: [SourcePlace] = []
    /// Places of the `at` values of faults, by number.
    var moments: [SourcePlace] = []
    /// The suggestions of a `say` step, by the step's place.
    var suggestions: [SourcePlace: [SourcePlace]] = [:]
    /// Steps that end something or are for live agents, by their place.
    var notes: [SourcePlace: StepVerb.Note] = [:]
    /// Memory that a rule, a pattern or a step fills.
    var filled: Set<String> = []
    /// Kinds of the file that fill memory, by slot; an empty name stands for everything else that fills it.
    var fillers: [String: Set<String>] = [:]
    /// Texts that conditions compare with memory, and their places.
    var compared: [(slot: String, text: String, value: JSON5Value)] = []
    /// Placeholders that accept any words although they have the name of a kind.
    var untyped: [(name: String, offset: Int)] = []
    /// Rules with an `if` or a `limit`, valid or not: such rules do not always answer.
    var guarded: Set<SourcePlace> = []
    /// Whether the file has examples, however the name is spelt.
    var triesExamples = false
    /// Whether a step uses features of runs.
    var usesRuns = false
    /// Names of questions to the user.
    var questions: Set<String> = []
    /// Questions whose answers are matched by rules, with offsets.
    var heardQuestions: [(name: String, offset: Int)] = []
    /// Names of answer members that the file declares.
    var answers: Set<String> = []
    /// Names of arguments that calls pass.
    var arguments: Set<String> = []
    /// Names in placeholders and conditions that requests and answers fill, with offsets.
    var given: [(name: String, offset: Int)] = []
    /// Handoffs that a step asks for.
    var usedHandoffs: Set<Int> = []
}
