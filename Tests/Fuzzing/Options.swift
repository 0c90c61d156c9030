/// What the command line asks for.
struct Options {
    static let help = """
        USAGE: Fuzzing [--target <name>] [--runs <n>] [--seed <n>] [--corpus <folder>] [--found <folder>]
               Fuzzing --target <name> --input <file>     feeds one file and tells what came of it
               Fuzzing --list                             prints the targets
               Fuzzing --target <name> --words            prints its words as a libFuzzer dictionary

          --target <name>    one parser (default: all, each with its share of the executions)
          --runs <n>         executions in total (default: 200000)
          --seed <n>         the same seed feeds the same inputs (default: 1)
          --corpus <folder>  inputs to begin with, in a folder per target (default: Tests/Data/fuzz)
          --found <folder>   where inputs are left that break a rule (default: fuzz-found)
        """

    var target: String?
    var runs = 200_000
    var seed: UInt64 = 1
    var corpus = "Tests/Data/fuzz"
    var found = "fuzz-found"
    var input: String?
    var isListing = false
    var printsWords = false

    struct Problem: Error {
        var sentence: String
    }

    init(_ words: some Sequence<String>) throws(Problem) {
        var words = words.makeIterator()
        while let word = words.next() {
            switch word {
            case "--list": isListing = true
            case "--words": printsWords = true
            case "--target", "--runs", "--seed", "--corpus", "--found", "--input":
                guard let value = words.next() else { throw Problem(sentence: "\(word) needs a value") }
                try set(word, value)
            default: throw Problem(sentence: "there is no option \(word)\n\n\(Options.help)")
            }
        }
    }

    private mutating func set(_ option: String, _ value: String) throws(Problem) {
        switch option {
        case "--target": target = value
        case "--corpus": corpus = value
        case "--found": found = value
        case "--input": input = value
        case "--runs":
            guard let number = Int(value), number > 0 else {
                throw Problem(sentence: "\(value) is no number of runs")
            }
            runs = number
        default:
            guard let number = UInt64(value) else { throw Problem(sentence: "\(value) is no seed") }
            seed = number
        }
    }
}
