#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

package enum MemoryLimit {
    /// Smallest memory limit in bytes: of address space and data (setrlimit(2)), control group, or machine. Nil if none
    /// is known.
    package static var bytes: Int? {
        var bounds = [machine]
        #if canImport(Glibc)
            bounds += [resource(RLIMIT_AS), resource(RLIMIT_DATA)]
        #endif
        #if os(Linux)
            bounds += ControlGroup.files.map { Files.readSystemFile($0).flatMap(ControlGroup.limit) }
        #endif
        return bounds.compactMap { $0 }.min()
    }

    private static var machine: Int? {
        let (pages, size) = (sysconf(Int32(_SC_PHYS_PAGES)), sysconf(Int32(_SC_PAGESIZE)))
        guard pages > 0, size > 0 else { return nil }
        return pages.multipliedReportingOverflow(by: size).partialValue
    }

    #if canImport(Glibc)
        private static func resource(_ name: __rlimit_resource) -> Int? {
            var limit = rlimit()
            guard getrlimit(__rlimit_resource_t(UInt32(name.rawValue)), &limit) == 0 else { return nil }
            return Int(exactly: limit.rlim_cur)
        }
    #endif
}

/// Memory limits of a Linux control group. The paths are those inside a container (cgroups(7)).
enum ControlGroup {
    static let files = ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"]

    /// Reads the limit in a file's text. Nil for no limit: `max`, or in version 1 a huge number.
    static func limit(_ text: String) -> Int? {
        guard let number = Int(text.filter { !$0.isWhitespace }), number < 1 << 60 else { return nil }
        return number
    }
}
