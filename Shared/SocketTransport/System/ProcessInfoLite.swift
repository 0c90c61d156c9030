#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

package enum ProcessInfoLite {
    /// Path of the running program, on Apple systems as its caller gave it. Nil if unknown.
    package static var program: String? {
        #if canImport(Darwin)
            return CommandLine.arguments.first
        #else
            guard let path = realpath("/proc/self/exe", nil) else { return nil }
            defer { free(path) }
            return String(cString: path)
        #endif
    }

    /// Hardware name from uname(3), such as `x86_64` or `iPad13,4`. Empty on failure.
    package static var machine: String {
        var name = utsname()
        guard uname(&name) == 0 else { return "" }
        return withUnsafeBytes(of: &name.machine) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}
