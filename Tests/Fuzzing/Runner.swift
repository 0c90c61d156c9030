import Clocks
import FuzzTargets
import SocketTransport
import TestSupport

/// Feeds one target, and notices what no entry can: how long it took, and how much memory stays.
struct Runner {
    /// Longer than this for one input is a finding. 100 ms: a server with one loop stands still that long.
    static let slow = Interval.milliseconds(100)
    /// The slowest inputs are measured again, by the processor they take, so that a busy machine is not held against the parser.
    private static let measurements = 6
    /// Growth of the resident memory between the first quarter and the end that is a finding. 24 MiB: what the
    /// fuzzer keeps itself, and what an allocator holds back, is less.
    static let memoryGrowth = 24 * 1_024 * 1_024
    private static let patienceSeconds: UInt32 = 60

    struct Report {
        var name: String
        var runs = 0
        /// By the processor's clock.
        var length = Interval(nanoseconds: 0)
        var slowest = Interval(nanoseconds: 0)
        var memoryAtQuarter = 0
        var memoryAtEnd = 0
        var traits = 0
        /// Inputs that broke something, by the sentence that says what.
        var findings: [(sentence: String, input: [UInt8], run: Int)] = []
    }

    let target: FuzzTarget
    let seed: UInt64
    let clock = SystemClock()

    func run(_ runs: Int, corpus: [[UInt8]], current: CurrentInput?) -> Report {
        var session = FuzzSession(target, corpus: corpus, seed: seed)
        var report = Report(name: target.name)
        let start = System.processorTime
        for run in 1...runs {
            if run % 64 == 1 { System.expectLife(withinSeconds: Runner.patienceSeconds) }
            let input = session.next()
            current?.set(input)
            let before = clock.now
            let result = Result { () throws(BrokenRule) in try target.entry(input) }
            let taken = clock.now - before
            switch result {
            case .success(let trait): session.learn(trait, from: input)
            case .failure(let broken): note(broken.sentence, input, run, &report)
            }
            if taken > report.slowest { measureAgain(input, taken, run, &report) }
            if run == max(1, runs / 4) { report.memoryAtQuarter = ProcessInfoLite.residentBytes ?? 0 }
        }
        System.expectLife(withinSeconds: 0)
        report.runs = runs
        report.length = System.processorTime - start
        report.traits = session.traitCount
        report.memoryAtEnd = ProcessInfoLite.residentBytes ?? 0
        if report.memoryAtEnd - report.memoryAtQuarter > Runner.memoryGrowth {
            note("memory grows: see the last columns", [], runs, &report)
        }
        return report
    }

    private func measureAgain(_ input: [UInt8], _ first: Interval, _ run: Int, _ report: inout Report) {
        var least = first
        for _ in 0..<Runner.measurements where least > report.slowest {
            let before = System.processorTime
            _ = try? target.entry(input)
            least = min(least, System.processorTime - before)
        }
        if least > report.slowest { report.slowest = least }
        guard least > Runner.slow else { return }
        note("takes \(least.nanoseconds / 1_000_000) ms", input, run, &report)
    }

    /// The first of each kind: numbers in the sentence do not make another one.
    private func note(_ sentence: String, _ input: [UInt8], _ run: Int, _ report: inout Report) {
        func kind(_ text: String) -> String { String(text.filter { $0.isLetter || $0 == " " }.prefix(24)) }
        guard report.findings.count < 20,
            !report.findings.contains(where: { kind($0.sentence) == kind(sentence) })
        else { return }
        report.findings.append((sentence, input, run))
    }
}
