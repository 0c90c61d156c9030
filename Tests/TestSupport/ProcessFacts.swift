package import SocketTransport

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

extension ProcessInfoLite {
    /// Resident memory (RSS) in bytes. Nil if the system does not report it.
    package static var residentBytes: Int? {
        #if canImport(Darwin)
            var info = mach_task_basic_info()
            var count = mach_msg_type_number_t(
                MemoryLayout<mach_task_basic_info>.size / MemoryLayout<natural_t>.size)
            let status = withUnsafeMutablePointer(to: &info) { pointer in
                let words = UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: integer_t.self)
                return task_info(mach_task_self_, task_flavor_t(MACH_TASK_BASIC_INFO), words, &count)
            }
            return status == KERN_SUCCESS ? Int(info.resident_size) : nil
        #else
            // proc_pid_statm(5): the first two numbers are the total and the resident size in pages.
            guard let text = Files.readSystemFile("/proc/self/statm") else { return nil }
            let fields = text.split(separator: " ")
            guard fields.count > 1, let pages = Int(fields[1]) else { return nil }
            return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
        #endif
    }

    /// Number of open descriptors. Nil if the system does not report it.
    package static var openDescriptors: Int? {
        #if canImport(Darwin)
            let folder = "/dev/fd"
        #else
            let folder = "/proc/self/fd"
        #endif
        guard let listing = opendir(folder) else { return nil }
        defer { closedir(listing) }
        var count = 0
        while readdir(listing) != nil { count += 1 }
        return count - 3  // ".", ".." and the listing itself
    }
}
