// Prints what the closing figures of a release are made of. Compared by hand, never a gate.
//
//   swift run -c release Benchmarks [path of the polymock binary]
import Foundation

let beside = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
let binary =
    CommandLine.arguments.count > 1
    ? CommandLine.arguments[1] : beside.appendingPathComponent("polymock").path

lintBenchmark()
await ServerBenchmark(binary: binary).run()
await saveBenchmark()
await ClientBenchmark(binary: binary).run()
