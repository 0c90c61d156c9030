#if LIBFUZZER
    import FuzzTargets

    // The fuzzer itself comes with the toolchain and is linked by `-sanitize=fuzzer`. Its own `main` stays out,
    // because the executable has one; this is how libFuzzer is started then.
    @_silgen_name("LLVMFuzzerRunDriver")
    private func startDriver(
        _ count: UnsafeMutablePointer<Int32>,
        _ words: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
        _ feed: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
    ) -> Int32

    /// Hands the target named by the environment variable `FUZZ_TARGET` to libFuzzer.
    enum LibFuzzer {
        static let target = System.environment("FUZZ_TARGET").flatMap(FuzzTarget.named)

        static func run() -> Int32 {
            guard target != nil else { return 2 }
            var count = CommandLine.argc
            var words = CommandLine.unsafeArgv
            return startDriver(&count, &words, feedLibFuzzer)
        }
    }

    /// One execution. A broken rule ends the process, which is how libFuzzer hears of it.
    @_cdecl("LLVMFuzzerTestOneInput")
    func feedLibFuzzer(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
        let input = Array(UnsafeBufferPointer(start: start, count: count))
        do throws(BrokenRule) {
            _ = try LibFuzzer.target?.entry(input)
        } catch {
            preconditionFailure(error.sentence)
        }
        return 0
    }
#endif
