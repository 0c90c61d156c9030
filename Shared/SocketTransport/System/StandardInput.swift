#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

package enum StandardInput {
    /// Calls `handler` with each piece of input, and with an empty array at the end. This cannot be stopped.
    package static func follow(_ handler: @escaping @Sendable ([UInt8]) -> Void) {
        LoopQueue(label: "polymock.input").async {
            var buffer = [UInt8](repeating: 0, count: 4_096)
            while true {
                let count = systemRead(STDIN_FILENO, &buffer, buffer.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { break }
                handler(Array(buffer[..<count]))
            }
            handler([])
        }
    }

    #if canImport(Darwin)
        private static let systemRead = Darwin.read
    #elseif canImport(Glibc)
        private static let systemRead = Glibc.read
    #elseif canImport(Musl)
        private static let systemRead = Musl.read
    #endif
}
