// Feeds the parsers with inputs made from a seed, and tells what broke:
//
//   swift run -c release Fuzzing --runs 1000000 --seed 7
//
// With libFuzzer, which looks for new paths through the code: Tests/Fuzzing/libfuzzer.sh <target>
import FuzzTargets
import SocketTransport

#if LIBFUZZER
    if LibFuzzer.target != nil { Files.exitProcess(LibFuzzer.run()) }
#endif
let options: Options
do throws(Options.Problem) {
    options = try Options(CommandLine.arguments.dropFirst())
} catch {
    _ = Files.write(Array((error.sentence + "\n").utf8), to: .standardError)
    Files.exitProcess(2)
}
Files.exitProcess(Fuzzing(options).run())
