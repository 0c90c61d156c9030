// Prints what the parts cost: the path of a message through the pure modules, fixtures, and the SDK against the
// built server. Compared by hand, never a gate. What the server does for others is measured from outside, beside
// its peers: Tests/interop/bench.sh.
//
//   swift run -c release Benchmarks [path of the polymock binary]
//   swift run -c release Benchmarks runs      what a client's part of agent runs costs, alone
//   swift run -c release Benchmarks screen    what the model of a chat screen costs, alone
import Foundation

let beside = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
let binary =
    CommandLine.arguments.count > 1
    ? CommandLine.arguments[1] : beside.appendingPathComponent("polymock").path

if CommandLine.arguments.dropFirst().first == "runs" {
    agentRunBenchmark()
} else if CommandLine.arguments.dropFirst().first == "screen" {
    screenBenchmark()
} else {
    HotPathBenchmark().run()
    agentRunBenchmark()
    screenBenchmark()
    lintBenchmark()
    await saveBenchmark()
    await ClientBenchmark(binary: binary).run()
    await contactBenchmark(binary: binary)
}
