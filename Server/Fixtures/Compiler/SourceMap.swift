import ConversationEngine
import Matching

/// Places the script does not keep, for findings about the talk as a whole.
struct SourceMap {
    var memory: [String: SourcePlace] = [:]
    /// By name: kinds that the file declares.
    var kinds: [String: SourcePlace] = [:]
    var usedKinds: Set<String> = []
    /// By stage number.
    var stages: [SourcePlace] = []
    /// By fault number: the value of `at`.
    var moments: [SourcePlace] = []
    /// The suggestions of a `say` step, by the step's place.
    var suggestions: [SourcePlace: [SourcePlace]] = [:]
    /// Steps that end something or are for live agents, by their place.
    var notes: [SourcePlace: StepVerb.Note] = [:]
    /// Memory that a rule, a pattern or a step fills.
    var filled: Set<String> = []
    /// Kinds of the file that fill memory, by slot; an empty name stands for everything else that fills it.
    var fillers: [String: Set<String>] = [:]
    /// Texts that conditions compare memory with, and their places.
    var compared: [(slot: String, text: String, value: JSON5Value)] = []
    /// Placeholders that take any words though they are named like a kind.
    var untyped: [(name: String, offset: Int)] = []
    /// Rules with an `if` or a `limit`, valid or not: they do not always answer.
    var guarded: Set<SourcePlace> = []
    /// There are examples, however their name is spelt.
    var triesExamples = false
    /// A step has words that only runs know.
    var usesRuns = false
    /// Names of questions to the user.
    var questions: Set<String> = []
    /// Questions whose answers rules hear, with where they say so.
    var heardQuestions: [(name: String, offset: Int)] = []
    /// Names that answers have by the file.
    var answers: Set<String> = []
    /// Names of arguments that calls pass.
    var arguments: Set<String> = []
    /// Names of gaps and conditions that requests and answers fill, with where they stand.
    var given: [(name: String, offset: Int)] = []
    /// Handoffs that a step asks for.
    var usedHandoffs: Set<Int> = []
}
