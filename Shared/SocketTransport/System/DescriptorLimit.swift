#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// How many files and sockets this process may have open.
package enum DescriptorLimit {
    /// Asks for as many as the system grants without special rights; shells start programs with few (1,024 on
    /// many Linux systems, 256 on macOS).
    ///
    /// - Returns: how many there may be now.
    @discardableResult
    package static func raise() -> Int {
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return 0 }
        #if canImport(Darwin)
            // setrlimit(2) there: no more than OPEN_MAX, even if the hard limit is endless.
            let wanted = min(limit.rlim_max, rlim_t(OPEN_MAX))
        #else
            let wanted = limit.rlim_max
        #endif
        if limit.rlim_cur < wanted {
            let before = limit.rlim_cur
            limit.rlim_cur = wanted
            if setrlimit(resource, &limit) != 0 { limit.rlim_cur = before }
        }
        return Int(clamping: limit.rlim_cur)
    }

    #if canImport(Glibc)
        private static let resource = __rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue))
    #else
        private static let resource = RLIMIT_NOFILE
    #endif
}
