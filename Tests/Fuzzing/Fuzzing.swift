import Clocks
import FuzzTargets
import SocketTransport

/// The whole run: every target in turn, one line each, and the findings at the end.
struct Fuzzing {
    let options: Options

    init(_ options: Options) {
        self.options = options
    }

    /// - Returns: 0 when nothing was found, 1 when something was, 2 when the question makes no sense.
    func run() -> Int32 {
        if options.isListing {
            for target in FuzzTarget.all { say(target.name) }
            return 0
        }
        var targets = FuzzTarget.all
        if let name = options.target {
            guard let target = FuzzTarget.named(name) else {
                return fail("there is no target \(name): see --list")
            }
            targets = [target]
            if options.printsWords {
                printWords(of: target)
                return 0
            }
            if let path = options.input { return feed(path, to: target) }
        }
        return runAll(targets)
    }

    private func runAll(_ targets: [FuzzTarget]) -> Int32 {
        System.makeFolder(options.found)
        let shares = targets.reduce(0) { $0 + $1.share }
        let clock = SystemClock()
        let start = clock.now
        var total = 0
        var hasFindings = false
        say(
            "seed \(options.seed); after a crash: Fuzzing --target <name> --input \(options.found)/<name>.current"
        )
        say(
            column("target", 20) + right("executions", 12) + right("per second", 12) + right("slowest ms", 12)
                + right("traits", 8) + right("MiB at 1/4", 12) + right("at end", 8))
        for target in targets {
            let runs = max(1, options.runs / shares * target.share)
            let corpus = Corpus.inputs(of: target.name, in: options.corpus)
            let path = "\(options.found)/\(target.name)\(CurrentInput.suffix)"
            let current = CurrentInput(path: path, maxBytes: Corpus.maxFileBytes)
            let report = Runner(target: target, seed: options.seed).run(
                runs, corpus: corpus, current: current)
            current?.remove()
            total += report.runs
            show(report)
            for finding in report.findings {
                hasFindings = true
                tell(finding.sentence, finding.input, finding.run, target)
            }
        }
        let seconds = Double((clock.now - start).nanoseconds) / 1e9
        say("\(total) executions in \(Int(seconds)) s" + (hasFindings ? "" : ", nothing found"))
        return hasFindings ? 1 : 0
    }

    private func tell(_ sentence: String, _ input: [UInt8], _ run: Int, _ target: FuzzTarget) {
        let shorter = sentence.hasPrefix("takes ") ? input : target.shrunk(input)
        var hash = Trait()
        hash.add(bytes: shorter)
        let path = "\(options.found)/\(target.name)-\(String(hash.value, radix: 16).prefix(8))"
        let isKept = System.write(shorter, to: path)
        say("  FOUND in \(target.name), execution \(run) of seed \(options.seed): \(sentence)")
        say("    \(String(decoding: shorter.prefix(160), as: UTF8.self).debugDescription)")
        if isKept { say("    again: Fuzzing --target \(target.name) --input \(path)") }
    }

    // MARK: One input

    private func feed(_ path: String, to target: FuzzTarget) -> Int32 {
        guard let input = Corpus.input(in: path) else { return fail("\(path) cannot be read") }
        let clock = SystemClock()
        let start = clock.now
        let result = Result { () throws(BrokenRule) in try target.entry(input) }
        let microseconds = (clock.now - start).nanoseconds / 1_000
        switch result {
        case .success(let trait):
            say("\(input.count) bytes, \(microseconds) µs, fine (trait \(String(trait.value, radix: 16)))")
            return 0
        case .failure(let broken):
            say("\(input.count) bytes, \(microseconds) µs: \(broken.sentence)")
            return 1
        }
    }

    /// One quoted word a line, every byte but letters and digits in hexadecimal.
    private func printWords(of target: FuzzTarget) {
        for word in target.words where !word.isEmpty {
            let text = word.map { byte -> String in
                let character = Character(Unicode.Scalar(byte))
                if byte < 128, character.isLetter || character.isNumber { return String(character) }
                let hex = String(byte, radix: 16)
                return "\\x" + (hex.count < 2 ? "0" : "") + hex
            }
            say("\"\(text.joined())\"")
        }
    }

    /// At once, also into a pipe: the last line tells what was running when the process ended.
    private func say(_ line: String) {
        _ = Files.write(Array((line + "\n").utf8), to: .standardOutput)
    }

    private func fail(_ sentence: String) -> Int32 {
        _ = Files.write(Array((sentence + "\n").utf8), to: .standardError)
        return 2
    }

    // MARK: The table

    private func show(_ report: Runner.Report) {
        let seconds = max(1e-9, Double(report.length.nanoseconds) / 1e9)
        let slowest = Double(report.slowest.nanoseconds / 10_000) / 100
        say(
            column(report.name, 20) + right("\(report.runs)", 12)
                + right("\(Int(Double(report.runs) / seconds))", 12) + right("\(slowest)", 12)
                + right("\(report.traits)", 8) + right("\(report.memoryAtQuarter >> 20)", 12)
                + right("\(report.memoryAtEnd >> 20)", 8))
    }

    private func column(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    private func right(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }
}
