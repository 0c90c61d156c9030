import Clocks

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The input that is being fed, in a file mapped into memory: it is still there when the process is not.
///
/// The file has the length in its first eight bytes, as the machine orders them, and the input behind them.
final class CurrentInput {
    static let suffix = ".current"
    private static let headerBytes = 8

    let path: String
    private let memory: UnsafeMutableRawPointer
    private let size: Int

    /// nil when the file cannot be made.
    init?(path: String, maxBytes: Int) {
        size = maxBytes + CurrentInput.headerBytes
        let descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        guard ftruncate(descriptor, off_t(size)) == 0,
            let mapped = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0),
            mapped != MAP_FAILED
        else { return nil }
        memory = mapped
        self.path = path
    }

    func set(_ input: [UInt8]) {
        let count = min(input.count, size - CurrentInput.headerBytes)
        memory.storeBytes(of: count, as: Int.self)
        input.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return }
            (memory + CurrentInput.headerBytes).copyMemory(from: start, byteCount: count)
        }
    }

    /// Nothing went wrong: the file is not needed.
    func remove() {
        munmap(memory, size)
        unlink(path)
    }

    /// The input in a file that a crash left behind.
    static func input(in file: [UInt8]) -> [UInt8] {
        guard file.count >= headerBytes else { return [] }
        let count = file.withUnsafeBytes { $0.loadUnaligned(as: Int.self) }
        return Array(file.dropFirst(headerBytes).prefix(max(0, count)))
    }
}

/// What the fuzzer asks of the system besides.
enum System {
    static func makeFolder(_ path: String) { mkdir(path, 0o755) }

    static func write(_ bytes: [UInt8], to path: String) -> Bool {
        guard let file = fopen(path, "w") else { return false }
        defer { fclose(file) }
        return bytes.withUnsafeBytes { fwrite($0.baseAddress, 1, $0.count, file) } == bytes.count
    }

    /// Ends the process unless called again in time: an input that never ends is on disk like one that crashes.
    static func expectLife(withinSeconds seconds: UInt32) { alarm(seconds) }

    /// What this process has used of the processor: unlike the time of day it does not count the work of others.
    static var processorTime: Interval {
        // POSIX counts a million a second, whatever the resolution (clock(3)).
        Interval(nanoseconds: Int64(clock()) * 1_000)
    }

    static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
